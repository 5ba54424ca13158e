//! Partition refinement by signatures: split blocks until all states of a block can do the same to the same blocks.
//! Paper: Blom and Orzan, "A distributed algorithm for strong bisimulation reduction of state spaces" (2005) and its
//! branching variant. A state's signature is the set of (label, block) it can do; for branching bisimulation an internal
//! step inside the block is inert: it is left out, and what its target can do counts as the state's own.
//! Why not whole rounds, as in the paper: a long chain would need as many rounds as it has states. Here only *marked*
//! states are looked at again, those with a step into a block that is new; and when a block splits, the largest part keeps
//! its number, so that a state is marked at most about log n times for each of its steps.
//! Invariants: the unmarked states of a block have the block's signature; a marked state never has it, because what it can
//! do mentions a block that did not exist when the signature was noted. So marked and unmarked states part for good.
//! A block of one state is never looked at again; what it can do is noted at the end. In strong mode, so is what any block
//! can do: only inert steps need it before.
//! In branching mode all states of a new block are marked: steps that were inert may now leave the block.

use super::partition::{Block, Partition};
use super::signature::{Groups, Signatures};
use crate::lts::group;
use crate::{Edge, Lts};
use std::collections::VecDeque;
use std::ops::Range;

/// In a signature, stands for the label of "can do internal steps for ever".
pub(crate) const DIVERGENCE: u32 = u32::MAX;

/// A state with more transitions than this is looked at as seldom as possible.
const HEAVY: usize = 256;

/// The coarsest partition in which equivalent states share a block. With `diverges` internal steps are inert inside a
/// block, the LTS has no cycles of them and they lead to smaller numbers; a state that diverges has this in its signature.
pub(crate) fn refine(lts: &Lts, diverges: Option<&[bool]>) -> Partition {
    let mut refinement = Refinement {
        lts,
        diverges,
        predecessors: Predecessors::of(lts),
        partition: Partition::whole(lts.n_states()),
        queue: VecDeque::from([0]),
        heavy: VecDeque::new(),
        place: vec![0; lts.n_states()],
        signatures: Signatures::default(),
        groups: Groups::default(),
        members: Vec::new(),
        new_blocks: Vec::new(),
    };
    refinement.partition.blocks[0].n_heavy = refinement.count_heavy(0..lts.n_states());
    while let Some(block) = refinement.next_block() {
        refinement.stabilise(block);
    }
    refinement.sign_the_rest();
    refinement.partition
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
    /// `None` in strong mode.
    diverges: Option<&'a [bool]>,
    predecessors: Predecessors,
    partition: Partition,
    /// Blocks with marked states; heavy ones come when there are no others.
    queue: VecDeque<u32>,
    heavy: VecDeque<u32>,
    /// Of a marked state of the block under work: the number of its signature.
    place: Vec<u32>,
    signatures: Signatures,
    // Room that is used again at every split.
    groups: Groups,
    members: Vec<u32>,
    new_blocks: Vec<u32>,
}

impl Refinement<'_> {
    fn next_block(&mut self) -> Option<u32> {
        self.queue.pop_front().or_else(|| self.heavy.pop_front())
    }

    fn is_branching(&self) -> bool {
        self.diverges.is_some()
    }

    /// Looks again at the marked states of a block, and splits it if they differ.
    fn stabilise(&mut self, block: u32) {
        let known = &mut self.partition.blocks[block as usize];
        known.is_queued = false;
        if known.end - known.start == 1 {
            known.marked_end = known.start;
            return;
        }
        if self.is_branching() {
            self.spread_marks(block);
            // Now what inert steps lead to comes before what they lead from.
            self.partition.sort_marked(block);
            self.signatures.reset(&self.partition.blocks[block as usize].signature);
        } else {
            self.signatures.reset(&[]);
        }
        for at in self.partition.blocks[block as usize].marked() {
            let state = self.partition.elements[at];
            self.place[state as usize] = self.sign(state, block);
        }
        let mut groups = std::mem::take(&mut self.groups);
        self.signatures.group(&mut groups);
        self.split(block, &groups);
        self.groups = groups;
    }

    /// Signatures that were not kept up to date: in strong mode all, and those of single states, whose blocks cannot split.
    /// (A cycle of internal steps may have become a state with very many transitions; looking at them at every turn would
    /// take for ever.)
    fn sign_the_rest(&mut self) {
        for block in 0..self.partition.n_blocks() as u32 {
            let Block { start, end, .. } = self.partition.blocks[block as usize];
            if end - start == 1 || !self.is_branching() {
                self.signatures.reset(&[]);
                let state = self.partition.elements[start as usize];
                let number = self.sign(state, block);
                let signature = self.signatures.list(number as usize);
                self.partition.blocks[block as usize].signature = signature;
            }
        }
    }

    /// Whoever can get to a marked state by inert steps must be looked at too.
    fn spread_marks(&mut self, block: u32) {
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

    /// Makes the signature of a marked state.
    fn sign(&mut self, state: u32, block: u32) -> u32 {
        self.signatures.begin();
        for &Edge { label, target } in self.lts.edges(state) {
            let to = self.partition.block_of(target);
            if self.diverges.is_none() || !label.is_tau() || to != block {
                self.signatures.add((label.0, to));
            } else if self.partition.is_marked(target, block) {
                self.signatures.inherit(self.place[target as usize]);
            } else {
                self.signatures.inherit_unmarked();
            }
        }
        if self.diverges.is_some_and(|diverges| diverges[state as usize]) {
            self.signatures.add((DIVERGENCE, 0));
        }
        self.signatures.finish()
    }

    /// Gives each group, and the unmarked rest, a block; the largest keeps the number.
    fn split(&mut self, block: u32, groups: &Groups) {
        self.partition.arrange(block, &groups.of, &groups.sizes);
        let Block { start, marked_end, end, .. } = self.partition.blocks[block as usize];
        let n_unmarked = end - marked_end;
        let largest = groups.largest();
        let unmarked_stays = n_unmarked >= groups.sizes[largest];
        let old_signature = std::mem::take(&mut self.partition.blocks[block as usize].signature);
        let mut new_blocks = std::mem::take(&mut self.new_blocks);
        new_blocks.clear();
        let mut at = start;
        for (group, size) in groups.sizes.iter().enumerate() {
            let range = (at, at + size);
            at += size;
            let stays = group == largest && !unmarked_stays;
            // A new block is looked at again as a whole, and in strong mode nobody asks before the end.
            let signature = match stays && self.is_branching() {
                true => self.signatures.list(groups.first[group]),
                false => Vec::new(),
            };
            if stays {
                self.partition.shrink(block, range, signature);
            } else {
                new_blocks.push(self.partition.split_off(range, signature));
            }
        }
        if unmarked_stays {
            self.partition.shrink(block, (marked_end, end), old_signature);
        } else if n_unmarked > 0 {
            new_blocks.push(self.partition.split_off((marked_end, end), old_signature));
        }
        for &new_block in &new_blocks {
            let n_heavy = self.count_heavy(self.partition.blocks[new_block as usize].all());
            self.partition.blocks[new_block as usize].n_heavy = n_heavy;
            self.partition.blocks[block as usize].n_heavy -= n_heavy;
        }
        for new_block in &new_blocks {
            self.mark_around(*new_block);
        }
        self.new_blocks = new_blocks;
    }

    fn count_heavy(&self, range: Range<usize>) -> u32 {
        let is_heavy = |state: &&u32| self.lts.edges(**state).len() > HEAVY;
        self.partition.elements[range].iter().filter(is_heavy).count() as u32
    }

    /// Marks whoever has a step into a new block, and in branching mode the block itself.
    fn mark_around(&mut self, new_block: u32) {
        // Marking moves elements about, so the members are taken down first.
        let range = self.partition.blocks[new_block as usize].all();
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend_from_slice(&self.partition.elements[range]);
        for &member in &members {
            for edge in self.predecessors.range(member) {
                self.mark(self.predecessors.edges[edge].target);
            }
            if self.is_branching() {
                self.mark(member);
            }
        }
        self.members = members;
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
