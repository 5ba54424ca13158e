//! Partition refinement by signatures: split blocks until all states of a block can do the same to the same blocks.
//! Paper: Blom and Orzan, "A distributed algorithm for strong bisimulation reduction of state spaces" (2005) and its
//! branching variant. A state's signature is the set of (label, block) it can do; for branching bisimulation an internal
//! step inside the block is inert: it is left out, and what its target can do counts as the state's own.
//! Why not whole rounds, as in the paper: a long chain would need as many rounds as it has states. Here only *marked*
//! states are looked at again, those with a step into a block that is new; and when a block splits, the largest part keeps
//! its number, so that a state is marked at most about log n times for each of its steps.
//! Invariants: the unmarked states of a block have the block's signature; a marked state never has it, because what it can
//! do mentions a block that did not exist when the signature was noted. So marked and unmarked states part for good.
//! A block of one state is never looked at again; what it can do is noted at the end.
//! In branching mode all states of a new block are marked: steps that were inert may now leave the block.

use crate::lts::group;
use crate::{Edge, LabelId, Lts};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// In a signature, stands for the label of "can do internal steps for ever".
pub(crate) const DIVERGENCE: u32 = u32::MAX;

/// A state with more transitions than this is looked at as seldom as possible.
const HEAVY: usize = 256;

/// What a state can do: labels and blocks, sorted.
type Signature = Vec<(u32, u32)>;

/// States in blocks.
pub(crate) struct Partition {
    /// States, grouped by block; the marked ones of a block come first.
    elements: Vec<u32>,
    /// Where each state stands among the elements.
    position: Vec<u32>,
    block: Vec<u32>,
    blocks: Vec<Block>,
}

struct Block {
    start: u32,
    marked_end: u32,
    end: u32,
    is_queued: bool,
    /// How many of its states have so many transitions that they are better looked at seldom.
    n_heavy: u32,
    signature: Signature,
}

impl Block {
    fn marked(&self) -> Range<usize> {
        self.start as usize..self.marked_end as usize
    }
}

/// The coarsest partition in which equivalent states share a block. With `diverges` internal steps are inert inside a
/// block, the LTS has no cycles of them and they lead to smaller numbers; a state that diverges has this in its signature.
pub(crate) fn refine(lts: &Lts, diverges: Option<&[bool]>) -> Partition {
    let mut refinement = Refinement {
        lts,
        diverges,
        predecessors: Predecessors::of(lts),
        partition: Partition::whole(lts.n_states()),
        queue: std::collections::VecDeque::from([0]),
        heavy: std::collections::VecDeque::new(),
        place: vec![0; lts.n_states()],
        arena: Vec::new(),
        ranges: Vec::new(),
        unmarked_range: 0..0,
        inherited: Vec::new(),
    };
    let is_heavy = |state: &u32| lts.edges(*state).len() > HEAVY;
    refinement.partition.blocks[0].n_heavy = lts.states().filter(is_heavy).count() as u32;
    while let Some(block) = refinement.next_block() {
        refinement.stabilise(block);
    }
    refinement.sign_single_states();
    refinement.partition
}

impl Partition {
    /// One block with everything marked.
    fn whole(n_states: usize) -> Self {
        let n = n_states as u32;
        let block = Block {
            start: 0,
            marked_end: n,
            end: n,
            is_queued: true,
            n_heavy: 0,
            signature: Vec::new(),
        };
        Partition {
            elements: (0..n).collect(),
            position: (0..n).collect(),
            block: vec![0; n_states],
            blocks: vec![block],
        }
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn block_of(&self, state: u32) -> u32 {
        self.block[state as usize]
    }

    /// What the states of a block can do.
    pub(crate) fn signature(&self, block: u32) -> &[(u32, u32)] {
        &self.blocks[block as usize].signature
    }

    /// Marks a state; true if it was not.
    fn mark(&mut self, state: u32) -> bool {
        let block = &mut self.blocks[self.block[state as usize] as usize];
        let at = self.position[state as usize];
        if at < block.marked_end {
            return false;
        }
        let other = self.elements[block.marked_end as usize];
        self.elements.swap(at as usize, block.marked_end as usize);
        self.position[other as usize] = at;
        self.position[state as usize] = block.marked_end;
        block.marked_end += 1;
        true
    }

    fn is_marked(&self, state: u32, block: u32) -> bool {
        self.position[state as usize] < self.blocks[block as usize].marked_end
    }
}

/// Steps backwards.
struct Predecessors {
    offsets: Vec<u32>,
    /// The label and the source.
    edges: Vec<Edge>,
}

impl Predecessors {
    fn of(lts: &Lts) -> Self {
        let targets: Vec<u32> = lts.all_edges().iter().map(|edge| edge.target).collect();
        let (offsets, order) = group(lts.n_states(), &targets);
        let backwards: Vec<Edge> =
            lts.transitions().map(|(from, label, _)| Edge { label, target: from }).collect();
        let edges = match order {
            None => backwards,
            Some(order) => order.iter().map(|at| backwards[*at as usize]).collect(),
        };
        Predecessors { offsets, edges }
    }

    fn range(&self, state: u32) -> Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }
}

struct Refinement<'a> {
    lts: &'a Lts,
    diverges: Option<&'a [bool]>,
    predecessors: Predecessors,
    partition: Partition,
    /// Blocks with marked states; heavy ones come when there are no others.
    queue: std::collections::VecDeque<u32>,
    heavy: std::collections::VecDeque<u32>,
    /// Of a marked state of the block under work: which of `ranges` is its signature.
    place: Vec<u32>,
    arena: Signature,
    ranges: Vec<Range<usize>>,
    /// In the arena, the signature of the unmarked states of the block under work.
    unmarked_range: Range<usize>,
    /// A buffer: what a state inherits.
    inherited: Vec<Range<usize>>,
}

impl Refinement<'_> {
    fn next_block(&mut self) -> Option<u32> {
        self.queue.pop_front().or_else(|| self.heavy.pop_front())
    }

    /// Looks again at the marked states of a block, and splits it if they differ.
    fn stabilise(&mut self, block: u32) {
        let known = &mut self.partition.blocks[block as usize];
        known.is_queued = false;
        if known.end - known.start == 1 {
            known.marked_end = known.start;
            return;
        }
        self.spread_marks(block);
        let marked = self.partition.blocks[block as usize].marked();
        if self.diverges.is_some() {
            self.partition.elements[marked.clone()].sort_unstable();
            for at in marked.clone() {
                self.partition.position[self.partition.elements[at] as usize] = at as u32;
            }
        }
        self.arena.clear();
        self.ranges.clear();
        if self.diverges.is_some() {
            self.arena.extend_from_slice(&self.partition.blocks[block as usize].signature);
        }
        self.unmarked_range = 0..self.arena.len();
        for at in marked.clone() {
            let state = self.partition.elements[at];
            self.place[state as usize] = self.ranges.len() as u32;
            let range = self.push_signature(state, block);
            self.ranges.push(range);
        }
        let groups = Groups::of(&self.arena, &self.ranges);
        self.split(block, &groups);
    }

    /// A block of one state cannot split, so its signature was not kept up to date. (A cycle of internal steps may have
    /// become a state with very many transitions; looking at them at every turn would take for ever.)
    fn sign_single_states(&mut self) {
        for block in 0..self.partition.n_blocks() as u32 {
            let Block { start, end, .. } = self.partition.blocks[block as usize];
            if end - start == 1 {
                self.arena.clear();
                let state = self.partition.elements[start as usize];
                let range = self.push_signature(state, block);
                self.partition.blocks[block as usize].signature = self.arena[range].to_vec();
            }
        }
    }

    /// Whoever can get to a marked state by inert steps must be looked at too.
    fn spread_marks(&mut self, block: u32) {
        if self.diverges.is_none() {
            return;
        }
        let mut at = self.partition.blocks[block as usize].start;
        while at < self.partition.blocks[block as usize].marked_end {
            let state = self.partition.elements[at as usize];
            for edge in self.predecessors.range(state) {
                let Edge { label, target: source } = self.predecessors.edges[edge];
                if label.is_tau() && self.partition.block_of(source) == block {
                    self.partition.mark(source);
                }
            }
            at += 1;
        }
    }

    /// The signature of a marked state, as a range of the arena. What it inherits by inert steps is mostly all it has: then
    /// it shares the range of the state it inherits from, since a copy may be long and there may be many of them.
    fn push_signature(&mut self, state: u32, block: u32) -> Range<usize> {
        let start = self.arena.len();
        self.inherited.clear();
        for &Edge { label, target } in self.lts.edges(state) {
            let to = self.partition.block_of(target);
            if self.diverges.is_none() || !label.is_tau() || to != block {
                self.arena.push((label.0, to));
            } else if self.partition.is_marked(target, block) {
                self.inherited.push(self.ranges[self.place[target as usize] as usize].clone());
            } else {
                self.inherited.push(self.unmarked_range.clone());
            }
        }
        if self.diverges.is_some_and(|diverges| diverges[state as usize]) {
            self.arena.push((DIVERGENCE, 0));
        }
        let Some(longest) = self.inherited.iter().max_by_key(|range| range.len()).cloned() else {
            return sort_end(&mut self.arena, start);
        };
        let own = sort_end(&mut self.arena, start);
        let all = &self.arena[longest.clone()];
        let has_all = |part: &[(u32, u32)]| part.iter().all(|one| all.binary_search(one).is_ok());
        let is_covered = has_all(&self.arena[own])
            && self
                .inherited
                .iter()
                .all(|range| *range == longest || has_all(&self.arena[range.clone()]));
        if is_covered {
            self.arena.truncate(start);
            return longest;
        }
        for at in 0..self.inherited.len() {
            self.arena.extend_from_within(self.inherited[at].clone());
        }
        // These are a few sorted runs, which a stable sort merges.
        self.arena[start..].sort();
        sort_end(&mut self.arena, start)
    }

    /// Gives each group, and the unmarked rest, a block; the largest keeps the number.
    fn split(&mut self, block: u32, groups: &Groups) {
        let Block { start, marked_end, end, .. } = self.partition.blocks[block as usize];
        self.arrange(start, groups);
        let n_unmarked = end - marked_end;
        let largest = groups.largest();
        let unmarked_stays = n_unmarked >= groups.sizes[largest];
        let mut new_blocks = Vec::new();
        let mut at = start;
        let old_signature = std::mem::take(&mut self.partition.blocks[block as usize].signature);
        for (group, size) in groups.sizes.iter().enumerate() {
            let range = (at, at + size);
            at += size;
            let signature = self.arena[self.ranges[groups.first[group]].clone()].to_vec();
            if group == largest && !unmarked_stays {
                self.set_range(block, range, signature);
            } else {
                new_blocks.push(self.add_block(range, signature));
            }
        }
        if unmarked_stays {
            self.set_range(block, (marked_end, end), old_signature);
        } else if n_unmarked > 0 {
            new_blocks.push(self.add_block((marked_end, end), old_signature));
        }
        let n_heavy: u32 =
            new_blocks.iter().map(|one| self.partition.blocks[*one as usize].n_heavy).sum();
        self.partition.blocks[block as usize].n_heavy -= n_heavy;
        for new_block in new_blocks {
            self.mark_around(new_block);
        }
    }

    /// Sorts the marked elements by group, keeping their order within a group.
    fn arrange(&mut self, start: u32, groups: &Groups) {
        if groups.sizes.len() == 1 {
            return;
        }
        let mut next: Vec<u32> = Vec::with_capacity(groups.sizes.len());
        let mut at = start;
        for size in &groups.sizes {
            next.push(at);
            at += size;
        }
        let members: Vec<u32> = self.partition.elements[start as usize..at as usize].to_vec();
        for (member, group) in members.iter().zip(&groups.of) {
            let place = &mut next[*group as usize];
            self.partition.elements[*place as usize] = *member;
            self.partition.position[*member as usize] = *place;
            *place += 1;
        }
    }

    fn set_range(&mut self, block: u32, (start, end): (u32, u32), signature: Signature) {
        let block = &mut self.partition.blocks[block as usize];
        (block.start, block.marked_end, block.end) = (start, start, end);
        block.signature = signature;
    }

    fn add_block(&mut self, (start, end): (u32, u32), signature: Signature) -> u32 {
        let number = self.partition.blocks.len() as u32;
        self.partition.blocks.push(Block {
            start,
            marked_end: start,
            end,
            is_queued: false,
            n_heavy: 0,
            signature,
        });
        for at in start..end {
            let state = self.partition.elements[at as usize];
            self.partition.block[state as usize] = number;
            let is_heavy = self.lts.edges(state).len() > HEAVY;
            self.partition.blocks[number as usize].n_heavy += u32::from(is_heavy);
        }
        number
    }

    /// Marks whoever has a step into a new block, and in branching mode the block itself.
    fn mark_around(&mut self, new_block: u32) {
        let Block { start, end, .. } = self.partition.blocks[new_block as usize];
        // Marking moves elements about, so the members are taken down first.
        let members: Vec<u32> = self.partition.elements[start as usize..end as usize].to_vec();
        for member in members {
            for edge in self.predecessors.range(member) {
                self.mark(self.predecessors.edges[edge].target);
            }
            if self.diverges.is_some() {
                self.mark(member);
            }
        }
    }

    fn mark(&mut self, state: u32) {
        if self.partition.mark(state) {
            let number = self.partition.block_of(state);
            let block = &mut self.partition.blocks[number as usize];
            if !std::mem::replace(&mut block.is_queued, true) {
                let queue = if block.n_heavy > 0 { &mut self.heavy } else { &mut self.queue };
                queue.push_back(number);
            }
        }
    }
}

/// Sorts what the arena has from `start` on, each pair once.
fn sort_end(arena: &mut Signature, start: usize) -> Range<usize> {
    arena[start..].sort_unstable();
    let mut kept = start;
    for at in start..arena.len() {
        if kept == start || arena[at] != arena[kept - 1] {
            arena[kept] = arena[at];
            kept += 1;
        }
    }
    arena.truncate(kept);
    start..kept
}

/// Marked states by signature; groups are numbered in the order in which they are met.
struct Groups {
    /// The group of each marked state.
    of: Vec<u32>,
    sizes: Vec<u32>,
    /// The first member of each group.
    first: Vec<usize>,
}

impl Groups {
    fn of(arena: &[(u32, u32)], ranges: &[Range<usize>]) -> Self {
        let mut groups =
            Groups { of: Vec::with_capacity(ranges.len()), sizes: Vec::new(), first: Vec::new() };
        if let [_] = ranges {
            return Groups { of: vec![0], sizes: vec![1], first: vec![0] };
        }
        let mut known: FxHashMap<&[(u32, u32)], u32> = FxHashMap::default();
        // Shared signatures are recognised by where they are, without looking at them.
        let mut places: FxHashMap<(usize, usize), u32> = FxHashMap::default();
        for (member, range) in ranges.iter().enumerate() {
            let next = groups.sizes.len() as u32;
            let group = *places
                .entry((range.start, range.end))
                .or_insert_with(|| *known.entry(&arena[range.clone()]).or_insert(next));
            if group == next {
                groups.sizes.push(0);
                groups.first.push(member);
            }
            groups.sizes[group as usize] += 1;
            groups.of.push(group);
        }
        groups
    }

    fn largest(&self) -> usize {
        let largest =
            (0..self.sizes.len()).max_by_key(|group| (self.sizes[*group], usize::MAX - group));
        largest.expect("a block in the queue has marked states")
    }
}

const _: () = assert!(LabelId::TAU.0 == 0);
