//! Successors as packed words, from the same memory.
//! Why: most of what is done for a transition is writing down what changes, and reading it again to patch the words of the state. Here the ids of
//! the nodes are read from the words, and what a move changes is exchanged in them at once: the exclusive or of an id with the one
//! that takes its place, shifted to its field.
//! Some states are looked at together: all their look-ups first, then the moves found, so that the waits for memory overlap.
//! Invariant: the successors are those of `expand` that are no loops, in that order (an assertion of the engine and a test compare them).

use super::{BROKEN, IS_BROKEN, LOOPS, PackedMove, Remembering, SUMMARY, Summary, put};
use crate::event::Event;
use crate::probe::pair;
use foresee_lts::{Field, PackedSuccessors, Successors};
use foresee_stdx::prefetch;

/// States that are looked at together.
const GROUP: usize = 16;

/// From so many entries on they are asked for ahead.
const ENTRIES_MANY: usize = 1 << 16;

/// Stands for a range that is not found yet.
const UNKNOWN: (u32, u32) = (u32::MAX, 0);

/// Buffers.
#[derive(Default)]
pub(super) struct Packing {
    /// Where each slot is.
    fields: Vec<Field>,
    /// For each state of a group and each node its component and inbox, and, as far as it is known, the range of its moves.
    found: Vec<(u64, (u32, u32))>,
    /// What there is to push, state by state, and for each state where that ends and how many loops come after it.
    tasks: Vec<Task>,
    ends: Vec<(u32, u32)>,
    unpacked: Unpacked,
}

/// The moves of a node in a state.
#[derive(Clone, Copy)]
struct Task {
    node: u32,
    /// Loops of nodes before this one that were not counted yet.
    n_loops: u32,
    /// A range of moves, or a summary.
    range: (u32, u32),
}

/// The state being expanded as slots, as far as it was asked for.
#[derive(Default)]
struct Unpacked {
    state: Vec<u32>,
    /// The slots from this one on are there.
    start: usize,
    listed: Successors,
}

/// A state being expanded.
#[derive(Clone, Copy)]
struct Here<'p, const WIDTH: usize> {
    words: [u64; WIDTH],
    /// Of each node its component and inbox.
    found: &'p [(u64, (u32, u32))],
    fields: &'p [Field],
    /// The slot of the environment and its id; used only where there are faults.
    environment: (usize, u32),
}

/// A successor in the making.
#[derive(Clone, Copy)]
struct Next<const WIDTH: usize> {
    words: [u64; WIDTH],
    /// Bits that have no room in their fields.
    misfit: u64,
}

impl Remembering<'_> {
    pub(super) fn expand_words<const WIDTH: usize>(
        &mut self,
        fields: &[Field],
        states: &[u64],
        successors: &mut PackedSuccessors,
    ) {
        successors.clear();
        let mut packing = std::mem::take(&mut self.packing);
        packing.fields.clear();
        packing.fields.extend_from_slice(fields);
        packing.fields.resize(self.core.n_slots(), Field::default());
        let has_faults = self.core.environment_slot().is_some();
        for group in states.chunks(GROUP * WIDTH) {
            self.begin(true);
            let has_broken = if self.n_entries < ENTRIES_MANY {
                self.find_group::<WIDTH, false>(group, &mut packing)
            } else {
                self.find_group::<WIDTH, true>(group, &mut packing)
            };
            if has_faults {
                self.push_group::<WIDTH, true>(group, has_broken, &mut packing, successors);
            } else {
                self.push_group::<WIDTH, false>(group, has_broken, &mut packing, successors);
            }
        }
        self.packing = packing;
    }

    /// Finds the moves of every node in every state; whether a node is broken in any of them.
    fn find_group<const WIDTH: usize, const MANY: bool>(
        &mut self,
        group: &[u64],
        packing: &mut Packing,
    ) -> bool {
        let n_nodes = self.nodes.len();
        let Packing { fields, found, .. } = packing;
        found.resize(GROUP * n_nodes, (0, BROKEN));
        let states = group.as_chunks::<WIDTH>().0;
        let (pairs, _) = fields.as_chunks::<2>();
        for (words, found) in states.iter().zip(found.chunks_exact_mut(n_nodes)) {
            let nodes = self.nodes.iter().zip(pairs);
            for (found, (node, [component, inbox])) in found.iter_mut().zip(nodes) {
                let key = pair(read(words, component), read(words, inbox));
                if MANY {
                    node.moves.prefetch(key);
                    *found = (key, UNKNOWN);
                    continue;
                }
                let (known, range) = node.moves.look(key);
                *found = (key, if known == key { range } else { UNKNOWN });
            }
        }
        let Packing { found, tasks, ends, .. } = packing;
        tasks.clear();
        ends.clear();
        let mut has_broken = false;
        for found in found[..states.len() * n_nodes].chunks_exact_mut(n_nodes) {
            let mut n_loops = 0;
            for (node, (key, range)) in (0..).zip(found) {
                if *range == UNKNOWN {
                    let known = self.nodes[node as usize].moves.get(*key);
                    *range = known.unwrap_or_else(|| self.compute_range(node as usize, *key));
                }
                let (start, end) = *range;
                if start == end {
                    has_broken |= start == BROKEN.0;
                } else if start & (SUMMARY | LOOPS) == SUMMARY | LOOPS {
                    n_loops += end;
                } else {
                    if MANY && let Some(it) = self.moves.get(start as usize) {
                        prefetch(it);
                    }
                    let n_loops = std::mem::take(&mut n_loops);
                    tasks.push(Task { node, n_loops, range: *range });
                }
            }
            ends.push((tasks.len() as u32, n_loops));
        }
        if MANY {
            self.prefetch_puts(packing);
        }
        has_broken
    }

    /// Asks for the memory of what comes of sends.
    fn prefetch_puts(&self, packing: &Packing) {
        let mut start = 0;
        for (found, (end, _)) in packing.found.chunks_exact(self.nodes.len()).zip(&packing.ends) {
            for task in &packing.tasks[start as usize..*end as usize] {
                let (first, last) = task.range;
                for it in self.moves.get(first as usize..last as usize).unwrap_or_default() {
                    for &(to, bundle) in it.sends(&self.sends) {
                        let inbox = found[to as usize].0 as u32;
                        self.nodes[to as usize].puts.prefetch(pair(inbox, bundle));
                    }
                }
            }
            start = *end;
        }
    }

    fn push_group<const WIDTH: usize, const FAULTS: bool>(
        &mut self,
        group: &[u64],
        has_broken: bool,
        packing: &mut Packing,
        successors: &mut PackedSuccessors,
    ) {
        let Packing { fields, found, tasks, ends, unpacked } = packing;
        let states = group.as_chunks::<WIDTH>().0.iter();
        let found = found.chunks_exact(self.nodes.len());
        let mut start = 0;
        for ((words, found), &(end, n_loops)) in states.zip(found).zip(ends.iter()) {
            let tasks = &tasks[start as usize..end as usize];
            start = end;
            let mut here = Here { words: *words, found, fields, environment: (0, 0) };
            unpacked.start = usize::MAX;
            if FAULTS {
                here.environment = self.environment_in(&here);
            }
            let is_over = (has_broken && found.iter().any(|it| it.1 == BROKEN))
                || (self.core.saw_faulty_history()
                    && self.core.has_faulty_history(unpacked.from(0, &here)));
            if !is_over {
                self.push_state::<WIDTH, FAULTS>(&here, tasks, n_loops, unpacked, successors);
            }
            successors.finish_state();
        }
    }

    #[inline(always)]
    fn push_state<const WIDTH: usize, const FAULTS: bool>(
        &mut self,
        here: &Here<'_, WIDTH>,
        tasks: &[Task],
        n_loops: u32,
        unpacked: &mut Unpacked,
        successors: &mut PackedSuccessors,
    ) {
        for &Task { node, n_loops, range: (start, end) } in tasks {
            successors.add_loops(n_loops);
            let node = node as usize;
            if start & SUMMARY == 0 {
                for at in start..end {
                    self.push_packed::<WIDTH, FAULTS>(here, node, at, unpacked, successors);
                }
            } else {
                let number = start & !SUMMARY;
                self.push_summary_packed::<WIDTH, FAULTS>(here, node, number, unpacked, successors);
            }
        }
        successors.add_loops(n_loops);
        if FAULTS {
            let (slot, id) = here.environment;
            let memo = self.environments[id as usize].as_ref().expect("remembered");
            for &(_, after, _) in &memo.network {
                let mut next = Next { words: here.words, misfit: 0 };
                next.exchange(&here.fields[slot], id ^ after);
                if next.misfit == 0 {
                    next.push(here, false, successors);
                } else {
                    successors.misfit(slot as u32, after);
                    successors.add_loops(1);
                }
            }
        }
    }

    /// Pushes the moves of a summary that are no loops here, and counts the others.
    fn push_summary_packed<const WIDTH: usize, const FAULTS: bool>(
        &mut self,
        here: &Here<'_, WIDTH>,
        node: usize,
        number: u32,
        unpacked: &mut Unpacked,
        successors: &mut PackedSuccessors,
    ) {
        let summary = self.summaries[number as usize];
        let before = successors.n_transitions();
        let mut n_forbidden = 0;
        let heard = self.heard(|to| here.found[to].0 as u32, number, &summary);
        summary.for_each_live(heard, |listed| {
            let at = summary.start + listed;
            let due = before + u32::from(self.moves[at as usize].ordinal) - n_forbidden;
            successors.add_loops(due - successors.n_transitions());
            let is_allowed =
                self.push_packed::<WIDTH, FAULTS>(here, node, at, unpacked, successors);
            n_forbidden += u32::from(!is_allowed);
        });
        let due = before + summary.n_moves - n_forbidden;
        successors.add_loops(due - successors.n_transitions());
    }

    /// Pushes a move if the budgets and the split of the network allow it; answers whether they do.
    #[inline(always)]
    fn push_packed<const WIDTH: usize, const FAULTS: bool>(
        &mut self,
        here: &Here<'_, WIDTH>,
        node: usize,
        at: u32,
        unpacked: &mut Unpacked,
        successors: &mut PackedSuccessors,
    ) -> bool {
        let mut next = Next { words: here.words, misfit: 0 };
        if FAULTS {
            let (slot, id) = here.environment;
            let Some(after) = self.environment_after(at, id) else { return false };
            next.exchange(&here.fields[slot], id ^ after);
        }
        let Remembering { core, nodes, moves, sends, n_entries, .. } = self;
        let it = &moves[at as usize];
        let key = here.found[node].0;
        let [component, inbox] = &here.fields.as_chunks::<2>().0[node];
        next.exchange(component, (key >> 32) as u32 ^ it.component);
        next.exchange(inbox, key as u32 ^ it.inbox);
        for &(to, bundle) in it.sends(sends) {
            let before = here.found[to as usize].0 as u32;
            let puts = &mut nodes[to as usize].puts;
            let after = match puts.get(pair(before, bundle)) {
                Some(known) => known,
                None => {
                    *n_entries += 1;
                    put(core, puts, to, before, bundle)
                }
            };
            next.exchange(&here.fields[2 * to as usize + 1], before ^ after);
        }
        let mut is_faulty = it.flags & IS_BROKEN != 0;
        if it.notes != 0 {
            let it = *it;
            is_faulty |= self.exchange_notes(here, node, &it, &mut next, unpacked);
        }
        if next.misfit == 0 {
            next.push(here, is_faulty, successors);
        } else {
            self.note_misfits::<WIDTH, FAULTS>(here, node, at, unpacked, successors);
        }
        true
    }

    /// Exchanges what a client's notes change; whether its history is faulty then.
    fn exchange_notes<const WIDTH: usize>(
        &mut self,
        here: &Here<'_, WIDTH>,
        node: usize,
        it: &PackedMove,
        next: &mut Next<WIDTH>,
        unpacked: &mut Unpacked,
    ) -> bool {
        // Histories and monitor come after the nodes.
        let state = unpacked.from(2 * self.nodes.len(), here);
        let client = self.core.members[node].client.expect("only clients make notes");
        let (history, monitor, after, monitor_after) = self.notes_after(state, client, it);
        next.exchange(&here.fields[history], state[history] ^ after.history);
        next.exchange(&here.fields[monitor], state[monitor] ^ monitor_after);
        after.is_faulty
    }

    /// Says for which ids a move wants room.
    #[cold]
    fn note_misfits<const WIDTH: usize, const FAULTS: bool>(
        &mut self,
        here: &Here<'_, WIDTH>,
        node: usize,
        at: u32,
        unpacked: &mut Unpacked,
        successors: &mut PackedSuccessors,
    ) {
        unpacked.from(0, here);
        let Unpacked { state, listed, .. } = unpacked;
        listed.clear();
        if FAULTS {
            self.push_if_allowed(state, node, at, listed, here.environment);
        } else {
            self.push(state, node, at, listed, 0);
        }
        for change in listed.iter().flat_map(|it| listed.changes(it)) {
            successors.misfit(change.slot, change.id);
        }
        successors.add_loops(1);
    }

    /// The slot of the environment and its id, which is remembered then.
    fn environment_in<const WIDTH: usize>(&mut self, here: &Here<'_, WIDTH>) -> (usize, u32) {
        let slot = self.core.environment_slot().expect("there are faults");
        let id = read(&here.words, &here.fields[slot]);
        if !matches!(self.environments.get(id as usize), Some(Some(_))) {
            self.remember_environment(id);
        }
        (slot, id)
    }

    /// The environment after a move; `None` if the budgets or the split of the network do not allow it.
    fn environment_after(&self, at: u32, environment: u32) -> Option<u32> {
        let memo = self.environments[environment as usize].as_ref().expect("remembered");
        let event = Event::of(self.moves[at as usize].action);
        if let Event::Deliver { from, to, .. } = event
            && self.core.is_split(memo.split, from, to)
        {
            return None;
        }
        match event.kind() {
            None => Some(environment),
            Some(kind) => memo.after[kind as usize].map(|(after, _)| after),
        }
    }
}

impl Summary {
    /// Calls `each` with the listed moves that may be no loops: all but the echoes that nobody hears.
    #[inline(always)]
    pub(super) fn for_each_live(&self, heard: u64, mut each: impl FnMut(u32)) {
        let n_listed = self.end - self.start;
        let first = 1u64.checked_shl(n_listed).map_or(u64::MAX, |bit| bit - 1);
        let mut live = first & !(self.echoes & !heard);
        while live != 0 {
            each(live.trailing_zeros());
            live &= live - 1;
        }
        (64..n_listed).for_each(each);
    }
}

impl Unpacked {
    /// The slots of the state being expanded; those before `start` may be missing, with any id in their place.
    fn from<const WIDTH: usize>(&mut self, start: usize, here: &Here<'_, WIDTH>) -> &[u32] {
        if self.start > start {
            self.start = start;
            self.state.resize(here.fields.len(), 0);
            let slots = self.state.iter_mut().zip(here.fields).skip(start);
            slots.for_each(|(id, field)| *id = read(&here.words, field));
        }
        &self.state
    }
}

impl<const WIDTH: usize> Next<WIDTH> {
    /// Exchanges the id in a field for another; `difference` is their exclusive or.
    #[inline(always)]
    fn exchange(&mut self, field: &Field, difference: u32) {
        let difference = u64::from(difference);
        // The mask has no gaps: an id fits if the one before does and their difference has no bit beyond.
        self.misfit |= difference & !field.mask;
        self.words[word_of::<WIDTH>(field)] ^= difference << (field.shift & 63);
    }

    #[inline(always)]
    fn push(&self, here: &Here<'_, WIDTH>, faulty: bool, successors: &mut PackedSuccessors) {
        if self.words == here.words {
            successors.add_loops(1);
        } else {
            successors.push(&self.words, faulty);
        }
    }
}

#[inline(always)]
fn read<const WIDTH: usize>(words: &[u64; WIDTH], field: &Field) -> u32 {
    (words[word_of::<WIDTH>(field)] >> (field.shift & 63) & field.mask) as u32
}

#[inline(always)]
fn word_of<const WIDTH: usize>(field: &Field) -> usize {
    // For a power of two that is no question.
    if WIDTH.is_power_of_two() { field.word as usize % WIDTH } else { field.word as usize }
}
