//! One worker's way of computing successors: everything remembered, nothing locked, nothing allocated on the usual path.
//! Why: handlers are few, transitions are many. What a node can do depends only on its component and its inbox, what a send
//! does to an inbox only on that inbox and the bundle sent, what a note does only on the history and a few counts. So a
//! transition is a handful of probes in small tables of this worker; a miss asks the shared interners.
//! Most transitions of a network that repeats itself are loops. For those who only count them ([`Successors::counts_loops`]) a node's
//! loops are a number, and answers that are under way already (*echoes*) are recognised together: one probe for each receiver
//! instead of one for each message ([`Summary`]).
//! Invariant: the successors are those of `World::enabled` and `World::step`, in that order (a test compares them).

mod packed;

use crate::Note;
use crate::component::Status;
use crate::core::Core;
use crate::event::Event;
use crate::fault::N_KINDS;
use crate::moves::Move;
use crate::note_memo::{After, NoteMemo};
use crate::probe::{ProbeTable, pair, unpair};
use foresee_lts::{Action, Explorer, Field, PackedSuccessors, Successors};
use packed::Packing;
use smallvec::SmallVec;

/// Tables are emptied when they hold more than this many entries: a world whose components hardly ever repeat must not
/// fill the memory with what it will not ask again.
const ENTRIES_MAX: usize = 1 << 20;

pub(crate) struct Remembering<'a> {
    core: &'a Core,
    nodes: Vec<NodeMemo>,
    moves: Vec<PackedMove>,
    /// The sends of moves that have more than fit into them.
    sends: Vec<(u32, u32)>,
    notes: NoteMemo,
    environments: Vec<Option<EnvironmentMemo>>,
    /// What is said of the moves of a node that has loops or echoes.
    summaries: Vec<Summary>,
    /// The receivers of echoes, in stretches.
    targets: Vec<u32>,
    /// Loops are counted; what is remembered depends on it.
    counts_loops: bool,
    /// How many moves and puts are remembered, and how many may be before everything is forgotten.
    n_entries: usize,
    entries_max: usize,
    /// Of each node in the state being expanded: a key, and the range of its moves.
    ranges: Vec<(u64, (u32, u32))>,
    packing: Packing,
}

/// A move of a node in the form that is remembered: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PackedMove {
    action: Action,
    /// The difference that the node's component and inbox make to the state's hash.
    hash_delta: u64,
    component: u32,
    inbox: u32,
    notes: u32,
    /// How many moves of the node come before this one, loops included; where loops are counted.
    ordinal: u16,
    n_sends: u8,
    flags: u8,
    /// What is sent to other nodes; if it is more, the start and the length of a range of `Remembering::sends`.
    sends: [(u32, u32); N_SENDS],
}

const N_SENDS: usize = 4;
/// Stands for more sends than that.
const MANY_SENDS: u8 = u8::MAX;

/// The component after the move is broken.
const IS_BROKEN: u8 = 1;
const HAS_INVOCATION: u8 = 2;
/// The node and its inbox stay as they are, and all that comes of the move is what it sends.
const IS_ECHO: u8 = 4;

/// The moves of a (component, inbox) pair of which some are loops or echoes.
#[derive(Clone, Copy)]
struct Summary {
    /// The moves that are listed: all but the loops.
    start: u32,
    end: u32,
    /// How many moves there are, loops included.
    n_moves: u32,
    /// Which of the first 64 listed moves are echoes.
    echoes: u64,
    /// A stretch of `Remembering::targets`.
    targets: (u32, u32),
}

/// Marks a range that is the number of a summary.
const SUMMARY: u32 = 1 << 31;
/// Marks, with the other mark, a range that is the number of moves that are all loops.
const LOOPS: u32 = 1 << 30;

struct NodeMemo {
    /// From component and inbox to the range of its moves.
    moves: ProbeTable<(u32, u32)>,
    /// From inbox and bundle to the inbox after it.
    puts: ProbeTable<u32>,
    /// From inbox and summary to the echoes that would change the inbox.
    heard: ProbeTable<u64>,
}

/// The range that stands for a broken node.
const BROKEN: (u32, u32) = (u32::MAX, u32::MAX);

struct EnvironmentMemo {
    split: Option<u32>,
    /// For each kind of fault: the environment after it and the difference of hashes, if the budget allows it.
    after: [Option<(u32, u64)>; N_KINDS],
    /// What can happen to the network as a whole.
    network: Vec<(Action, u32, u64)>,
}

impl Explorer for Remembering<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.begin(successors.counts_loops());
        if self.core.has_faulty_history(state) || self.find_ranges(state) {
            return;
        }
        let environment = self.core.environment_slot().map(|slot| (slot, state[slot]));
        if let Some((_, id)) = environment
            && !matches!(self.environments.get(id as usize), Some(Some(_)))
        {
            self.remember_environment(id);
        }
        for node in 0..self.ranges.len() {
            let (start, end) = self.ranges[node].1;
            if start & SUMMARY != 0 && start & LOOPS != 0 {
                successors.add_loops(end);
                continue;
            }
            if start & SUMMARY != 0 {
                self.push_summary(state, node, start & !SUMMARY, successors, environment);
                continue;
            }
            for at in start..end {
                match environment {
                    None => self.push(state, node, at, successors, 0),
                    Some(environment) => {
                        self.push_if_allowed(state, node, at, successors, environment);
                    }
                }
            }
        }
        if let Some((slot, id)) = environment {
            let memo = self.environments[id as usize].as_ref().expect("remembered above");
            for &(action, id, hash_delta) in &memo.network {
                successors.change(slot as u32, id);
                successors.finish(action, hash_delta, false);
            }
        }
    }

    fn expand_packed(
        &mut self,
        fields: &[Field],
        width: usize,
        states: &[u64],
        successors: &mut PackedSuccessors,
    ) -> bool {
        match width {
            1 => self.expand_words::<1>(fields, states, successors),
            2 => self.expand_words::<2>(fields, states, successors),
            3 => self.expand_words::<3>(fields, states, successors),
            4 => self.expand_words::<4>(fields, states, successors),
            _ => return false,
        }
        true
    }

    fn memory_bytes(&self) -> usize {
        let nodes = self.nodes.iter();
        let tables = nodes.map(|node| {
            node.moves.memory_bytes() + node.puts.memory_bytes() + node.heard.memory_bytes()
        });
        let arenas = self.moves.capacity() * size_of::<PackedMove>()
            + self.sends.capacity() * size_of::<(u32, u32)>()
            + self.summaries.capacity() * size_of::<Summary>();
        tables.sum::<usize>() + arenas + self.notes.memory_bytes()
    }
}

impl<'a> Remembering<'a> {
    pub(crate) fn new(core: &'a Core) -> Self {
        let empty = || NodeMemo {
            moves: ProbeTable::new(),
            puts: ProbeTable::new(),
            heard: ProbeTable::new(),
        };
        Remembering {
            core,
            nodes: (0..core.n_nodes()).map(|_| empty()).collect(),
            moves: Vec::new(),
            sends: Vec::new(),
            notes: NoteMemo::new(core),
            environments: Vec::new(),
            summaries: Vec::new(),
            targets: Vec::new(),
            counts_loops: false,
            n_entries: 0,
            entries_max: ENTRIES_MAX,
            ranges: Vec::new(),
            packing: Packing::default(),
        }
    }

    /// Forgets what is remembered if it is too much, or was remembered for one who treats loops in another way.
    #[inline]
    fn begin(&mut self, counts_loops: bool) {
        let n_entries = self.n_entries + self.notes.n_entries();
        if n_entries > self.entries_max || self.counts_loops != counts_loops {
            self.counts_loops = counts_loops;
            self.forget();
        }
    }

    /// Finds the moves of every node; whether one of them is broken.
    fn find_ranges(&mut self, state: &[u32]) -> bool {
        let keys = state.chunks_exact(2).map(|ids| pair(ids[0], ids[1]));
        // First one look at every table, so that the memory accesses overlap.
        self.ranges.clear();
        self.ranges
            .extend(self.nodes.iter().zip(keys.clone()).map(|(node, key)| node.moves.look(key)));
        let mut is_broken = false;
        for (node, key) in keys.take(self.nodes.len()).enumerate() {
            if self.ranges[node].0 != key {
                let known = self.nodes[node].moves.get(key);
                let range = known.unwrap_or_else(|| self.compute_range(node, key));
                self.ranges[node] = (key, range);
            }
            is_broken |= self.ranges[node].1 == BROKEN;
        }
        is_broken
    }

    /// Pushes the moves of a summary that are no loops here, and counts the others.
    #[inline]
    fn push_summary(
        &mut self,
        state: &[u32],
        node: usize,
        number: u32,
        successors: &mut Successors,
        environment: Option<(usize, u32)>,
    ) {
        let summary = self.summaries[number as usize];
        let heard = self.heard(|to| state[2 * to + 1], number, &summary);
        let before = successors.n_transitions();
        let mut n_forbidden = 0;
        summary.for_each_live(heard, |listed| {
            let at = summary.start + listed;
            let due = before + u32::from(self.moves[at as usize].ordinal) - n_forbidden;
            successors.add_loops(due - successors.n_transitions());
            match environment {
                None => self.push(state, node, at, successors, 0),
                Some(environment) => {
                    let is_allowed = self.push_if_allowed(state, node, at, successors, environment);
                    n_forbidden += u32::from(!is_allowed);
                }
            }
        });
        successors.add_loops(before + summary.n_moves - n_forbidden - successors.n_transitions());
    }

    /// Which echoes of a summary change somebody's inbox, where `inbox_of` tells what inbox a node has.
    #[inline]
    fn heard(&mut self, inbox_of: impl Fn(usize) -> u32, number: u32, summary: &Summary) -> u64 {
        let mut heard = 0;
        for at in summary.targets.0..summary.targets.1 {
            let to = self.targets[at as usize];
            let inbox = inbox_of(to as usize);
            heard |= match self.nodes[to as usize].heard.get(pair(inbox, number)) {
                Some(known) => known,
                None => self.compute_heard(inbox, number, summary, to),
            };
        }
        heard
    }

    #[cold]
    fn compute_heard(&mut self, inbox: u32, number: u32, summary: &Summary, to: u32) -> u64 {
        let mut heard = 0;
        let mut echoes = summary.echoes;
        while echoes != 0 {
            let listed = echoes.trailing_zeros();
            echoes &= echoes - 1;
            let it = self.moves[(summary.start + listed) as usize];
            for &(_, bundle) in it.sends(&self.sends).iter().filter(|send| send.0 == to) {
                let puts = &mut self.nodes[to as usize].puts;
                let after = puts.get(pair(inbox, bundle)).unwrap_or_else(|| {
                    self.n_entries += 1;
                    put(self.core, puts, to, inbox, bundle)
                });
                heard |= u64::from(after != inbox) << listed;
            }
        }
        self.nodes[to as usize].heard.insert(pair(inbox, number), heard);
        self.n_entries += 1;
        heard
    }

    /// Pushes a move if the budgets and the split of the network allow it; answers whether they do.
    #[inline]
    fn push_if_allowed(
        &mut self,
        state: &[u32],
        node: usize,
        at: u32,
        successors: &mut Successors,
        (slot, environment): (usize, u32),
    ) -> bool {
        let memo = self.environments[environment as usize].as_ref().expect("remembered");
        let event = Event::of(self.moves[at as usize].action);
        if let Event::Deliver { from, to, .. } = event
            && self.core.is_split(memo.split, from, to)
        {
            return false;
        }
        let Some(kind) = event.kind() else {
            self.push(state, node, at, successors, 0);
            return true;
        };
        let Some((id, hash_delta)) = memo.after[kind as usize] else { return false };
        successors.change(slot as u32, id);
        self.push(state, node, at, successors, hash_delta);
        true
    }

    /// Pushes a move; `hash_delta` is the difference made by what was changed before.
    #[inline]
    fn push(
        &mut self,
        state: &[u32],
        node: usize,
        at: u32,
        successors: &mut Successors,
        mut hash_delta: u64,
    ) {
        let it = self.moves[at as usize];
        hash_delta = hash_delta.wrapping_add(it.hash_delta);
        change(successors, state, 2 * node, it.component);
        change(successors, state, 2 * node + 1, it.inbox);
        for &(to, bundle) in it.sends(&self.sends) {
            let slot = 2 * to as usize + 1;
            let puts = &mut self.nodes[to as usize].puts;
            let key = pair(state[slot], bundle);
            let inbox = match puts.get(key) {
                Some(known) => known,
                None => {
                    self.n_entries += 1;
                    put(self.core, puts, to, state[slot], bundle)
                }
            };
            if inbox != state[slot] {
                successors.change(slot as u32, inbox);
                let inboxes = &self.core.members[to as usize].inboxes;
                let delta = inboxes.hash(inbox).wrapping_sub(inboxes.hash(state[slot]));
                hash_delta = hash_delta.wrapping_add(delta);
            }
        }
        let mut is_faulty = it.flags & IS_BROKEN != 0;
        if it.notes != 0 {
            let (delta, faulty) = self.push_notes(state, node, &it, successors);
            hash_delta = hash_delta.wrapping_add(delta);
            is_faulty |= faulty;
        }
        successors.finish(it.action, hash_delta, is_faulty);
    }

    /// Pushes what a client's notes change; the difference of hashes, and whether its history is faulty now.
    fn push_notes(
        &mut self,
        state: &[u32],
        node: usize,
        it: &PackedMove,
        successors: &mut Successors,
    ) -> (u64, bool) {
        let client = self.core.members[node].client.expect("only clients make notes");
        let (history, monitor, after, monitor_after) = self.notes_after(state, client, it);
        change(successors, state, history, after.history);
        change(successors, state, monitor, monitor_after);
        (after.hash_delta, after.is_faulty)
    }

    /// The slots of a client's history and of the monitor, and what they are after the notes of a move.
    #[inline]
    fn notes_after(
        &mut self,
        state: &[u32],
        client: u32,
        it: &PackedMove,
    ) -> (usize, usize, After, u32) {
        let core = self.core;
        let monitor = core.monitor_slot().expect("notes are made only if histories are kept");
        let has_invocation = it.flags & HAS_INVOCATION != 0;
        let after = self.notes.history_after(core, state, client, it.notes, has_invocation);
        let monitor_after = self.notes.monitor_after(core, state[monitor], client, it.notes);
        (core.history_slot(client), monitor, after, monitor_after)
    }

    #[cold]
    fn forget(&mut self) {
        self.n_entries = 0;
        self.moves.clear();
        self.sends.clear();
        self.summaries.clear();
        self.targets.clear();
        for node in &mut self.nodes {
            node.moves.clear();
            node.puts.clear();
            node.heard.clear();
        }
        self.notes.forget();
    }

    #[cold]
    fn compute_range(&mut self, node: usize, key: u64) -> (u32, u32) {
        let core = self.core;
        let (component, inbox) = unpair(key);
        let n_moves = self.moves.len();
        let range = match core.members[node].components.status(component) {
            Status::Broken { .. } => BROKEN,
            Status::Up | Status::Crashed => {
                let moves = core.moves_of(node as u32, component, inbox);
                // While the network may be split, which loops there are depends on how it is.
                let counts = self.counts_loops && core.splits.is_empty();
                if counts && moves.len() <= usize::from(u16::MAX) {
                    self.pack_counting(node, component, inbox, &moves)
                } else {
                    self.pack_all(node, component, inbox, moves.iter().zip(0..))
                }
            }
        };
        self.nodes[node].moves.insert(key, range);
        self.n_entries += 1 + self.moves.len() - n_moves;
        range
    }

    fn pack_all<'m>(
        &mut self,
        node: usize,
        component: u32,
        inbox: u32,
        moves: impl Iterator<Item = (&'m Move<'m>, usize)>,
    ) -> (u32, u32) {
        let start = self.moves.len() as u32;
        for (it, ordinal) in moves {
            self.pack(node, component, inbox, it, ordinal as u16);
        }
        (start, self.moves.len() as u32)
    }

    /// Packs the moves that are no loops, with a summary if there are others or enough echoes.
    fn pack_counting(
        &mut self,
        node: usize,
        component: u32,
        inbox: u32,
        moves: &[Move<'_>],
    ) -> (u32, u32) {
        let core = self.core;
        let leaves_all = |it: &Move<'_>| {
            let stays = it.component == component && it.inbox == inbox && it.notes == 0;
            stays && it.event.kind().is_none()
        };
        let sends = |it: &Move<'_>| it.sends.iter().any(|(to, _)| *to as usize != node);
        debug_assert!(core.members[node].components.status(component).fault().is_none());
        let listed = moves.iter().zip(0..).filter(|(it, _)| !leaves_all(it) || sends(it));
        let (start, end) = self.pack_all(node, component, inbox, listed);
        let (mut echoes, mut targets) = (0u64, SmallVec::<[u32; 8]>::new());
        for (listed, it) in self.moves[start as usize..end as usize].iter().enumerate().take(64) {
            if it.flags & IS_ECHO != 0 {
                echoes |= 1 << listed;
                targets.extend(it.sends(&self.sends).iter().map(|(to, _)| *to));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        if echoes.count_ones() as usize <= targets.len() {
            // Looking at each is as cheap.
            echoes = 0;
            targets.clear();
        }
        if echoes == 0 && moves.len() == (end - start) as usize {
            return (start, end);
        }
        if start == end {
            return (SUMMARY | LOOPS, moves.len() as u32);
        }
        let n_targets = self.targets.len() as u32;
        self.targets.extend_from_slice(&targets);
        let targets = (n_targets, self.targets.len() as u32);
        let n_moves = moves.len() as u32;
        self.summaries.push(Summary { start, end, n_moves, echoes, targets });
        (SUMMARY | (self.summaries.len() - 1) as u32, 0)
    }

    fn pack(&mut self, node: usize, component: u32, inbox: u32, it: &Move<'_>, ordinal: u16) {
        let core = self.core;
        let member = &core.members[node];
        let others = it.sends.iter().copied().filter(|(to, _)| *to as usize != node);
        let others: SmallVec<[(u32, u32); N_SENDS]> = others.collect();
        let mut sends = [(0, 0); N_SENDS];
        let n_sends = match sends.get_mut(..others.len()) {
            Some(sends) => {
                sends.copy_from_slice(&others);
                others.len() as u8
            }
            None => {
                sends[0] = (self.sends.len() as u32, others.len() as u32);
                self.sends.extend_from_slice(&others);
                MANY_SENDS
            }
        };
        let (components, inboxes) = (&member.components, &member.inboxes);
        let component_delta =
            components.hash(it.component).wrapping_sub(components.hash(component));
        let inbox_delta = inboxes.hash(it.inbox).wrapping_sub(inboxes.hash(inbox));
        let mut notes = core.notes.get(it.notes).iter();
        let stays = it.component == component && it.inbox == inbox && it.notes == 0;
        let mut flags = 0;
        for (flag, is_set) in [
            (IS_BROKEN, components.status(it.component).fault().is_some()),
            (HAS_INVOCATION, notes.any(|note| matches!(note, Note::Invoked(_)))),
            (IS_ECHO, stays && n_sends > 0 && it.event.kind().is_none()),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        if self.moves.len() == self.moves.capacity() {
            // There are many, and each is a cache line: doubling would waste more than it saves.
            self.moves.reserve_exact(self.moves.len() / 4 + 64);
        }
        self.moves.push(PackedMove {
            action: it.event.action(),
            hash_delta: component_delta.wrapping_add(inbox_delta),
            component: it.component,
            inbox: it.inbox,
            notes: it.notes,
            ordinal,
            n_sends,
            flags,
            sends,
        });
    }

    #[cold]
    fn remember_environment(&mut self, id: u32) {
        let core = self.core;
        let environment = core.environments.get(id);
        let after = |event: Event| {
            let after = core.intern_environment(core.environment_after(environment, event));
            let hash = |id| core.environments.hash(id);
            (after, hash(after).wrapping_sub(hash(id)))
        };
        let mut budgets = [None; N_KINDS];
        for event in [
            Event::Drop { from: 0, to: 0, envelope: 0 },
            Event::Duplicate { from: 0, to: 0, envelope: 0 },
            Event::Crash { node: 0 },
            Event::Restart { node: 0 },
            Event::Torn { node: 0, n_kept: 1 },
            Event::LoseDisk { node: 0 },
        ] {
            let kind = event.kind().expect("a fault with a budget");
            budgets[kind as usize] = environment.allows(kind).then(|| after(event));
        }
        let network = core.network_events().filter(|it| core.is_allowed(*it, Some(environment)));
        let network = network.map(|event| {
            let (id, hash_delta) = after(event);
            (event.action(), id, hash_delta)
        });
        let network = network.collect();
        if self.environments.len() <= id as usize {
            self.environments.resize_with(id as usize + 1, || None);
        }
        let memo = EnvironmentMemo { split: environment.split, after: budgets, network };
        self.environments[id as usize] = Some(memo);
    }
}

impl PackedMove {
    #[inline]
    fn sends<'s>(&'s self, arena: &'s [(u32, u32)]) -> &'s [(u32, u32)] {
        match self.sends.get(..usize::from(self.n_sends)) {
            Some(sends) => sends,
            None => &arena[self.sends[0].0 as usize..][..self.sends[0].1 as usize],
        }
    }
}

#[inline]
fn change(successors: &mut Successors, state: &[u32], slot: usize, id: u32) {
    if state[slot] != id {
        successors.change(slot as u32, id);
    }
}

/// The inbox after a bundle arrived; remembers it.
#[cold]
fn put(core: &Core, puts: &mut ProbeTable<u32>, to: u32, inbox: u32, bundle: u32) -> u32 {
    let after = core.put(to, inbox, bundle);
    puts.insert(pair(inbox, bundle), after);
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, Context, Network, Node, World, WorldBuilder};
    use foresee_lts::{State, System};
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeSet;

    /// Greets everybody when it is told to, and remembers who greeted.
    #[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
    struct Polite {
        everybody: Vec<Address>,
        starts: bool,
        greeted_by: BTreeSet<Address>,
    }

    impl Node for Polite {
        type Message = ();
        type Timer = ();
        fn init(&mut self, context: &mut Context<(), ()>) {
            if self.starts {
                context.send(context.me(), ());
            }
        }
        fn on_message(&mut self, from: Address, (): (), context: &mut Context<(), ()>) {
            if from == context.me() {
                context.broadcast(&self.everybody, &());
                context.send(self.everybody[0], ());
            }
            self.greeted_by.insert(from);
        }
    }

    fn world() -> World<()> {
        let names = Address::numbered("polite", 7);
        let mut world = WorldBuilder::new("polite");
        for (i, name) in names.iter().enumerate() {
            let everybody = names.iter().copied().filter(|other| other != name).collect();
            world.add(*name, Polite { everybody, starts: i == 3, greeted_by: BTreeSet::new() });
        }
        world.network(Network::Multiset);
        world.build()
    }

    /// Every reachable state, found by an explorer that may remember so many entries.
    fn states(world: &World<()>, entries_max: usize) -> BTreeSet<State> {
        let mut explorer = Remembering::new(&world.built.core);
        explorer.entries_max = entries_max;
        let mut successors = Successors::default();
        let mut known: BTreeSet<State> = world.initial().into_iter().collect();
        let mut queue = world.initial();
        while let Some(state) = queue.pop() {
            explorer.expand(&state, &mut successors);
            successors.assert_consistent(world, &state);
            for successor in successors.iter() {
                let mut next = state.clone();
                successors.apply(successor, &mut next);
                assert_eq!(next, world.step(&state, successor.action));
                if known.insert(next.clone()) {
                    queue.push(next);
                }
            }
        }
        known
    }

    #[test]
    fn a_broadcast_to_many_reaches_all() {
        // Told, then each of six greeted or not; the first was greeted twice, but a second greeting is ignored.
        assert_eq!(states(&world(), ENTRIES_MAX).len(), 1 + (1 << 6));
    }

    #[test]
    fn forgetting_changes_nothing() {
        let world = world();
        let all = states(&world, ENTRIES_MAX);
        for entries_max in [0, 1, 20] {
            assert_eq!(states(&world, entries_max), all);
        }
        let mut explorer = Remembering::new(&world.built.core);
        explorer.entries_max = 20;
        let mut successors = Successors::default();
        all.iter().for_each(|state| explorer.expand(state, &mut successors));
        assert!(explorer.n_entries < 60, "it does forget: {}", explorer.n_entries);
    }
}
