//! States in blocks, some of them marked: the data structure of refinement.
//! Marking, unmarking a whole block and splitting off a range of marked states cost no more than the states concerned.

use std::ops::Range;

/// What states can do: labels and blocks, sorted.
pub(super) type Signature = Vec<(u32, u32)>;

/// States in blocks.
pub(crate) struct Partition {
    /// States, grouped by block; the marked ones of a block come first.
    pub(super) elements: Vec<u32>,
    /// Where each state stands among the elements.
    position: Vec<u32>,
    block: Vec<u32>,
    pub(super) blocks: Vec<Block>,
}

pub(super) struct Block {
    pub(super) start: u32,
    pub(super) marked_end: u32,
    pub(super) end: u32,
    pub(super) is_queued: bool,
    /// How many of its states have so many transitions that they are better looked at seldom.
    pub(super) n_heavy: u32,
    /// Of the unmarked states.
    pub(super) signature: Signature,
}

impl Block {
    pub(super) fn marked(&self) -> Range<usize> {
        self.start as usize..self.marked_end as usize
    }

    pub(super) fn all(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Partition {
    /// One block with everything marked.
    pub(super) fn whole(n_states: usize) -> Self {
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

    /// What the states of a block can do, once refinement is done.
    pub(crate) fn signature(&self, block: u32) -> &[(u32, u32)] {
        &self.blocks[block as usize].signature
    }

    /// Marks a state; true if it was not.
    pub(super) fn mark(&mut self, state: u32) -> bool {
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

    pub(super) fn is_marked(&self, state: u32, block: u32) -> bool {
        self.position[state as usize] < self.blocks[block as usize].marked_end
    }

    /// Puts the marked states of a block in the order of their numbers.
    pub(super) fn sort_marked(&mut self, block: u32) {
        let marked = self.blocks[block as usize].marked();
        self.elements[marked.clone()].sort_unstable();
        for at in marked {
            self.position[self.elements[at] as usize] = at as u32;
        }
    }

    /// Sorts the marked states of a block by group, keeping their order within a group.
    pub(super) fn arrange(&mut self, block: u32, group_of: &[u32], sizes: &[u32]) {
        if sizes.len() == 1 {
            return;
        }
        let marked = self.blocks[block as usize].marked();
        let mut next: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut at = marked.start as u32;
        for size in sizes {
            next.push(at);
            at += size;
        }
        let members: Vec<u32> = self.elements[marked].to_vec();
        for (member, group) in members.iter().zip(group_of) {
            let place = &mut next[*group as usize];
            self.elements[*place as usize] = *member;
            self.position[*member as usize] = *place;
            *place += 1;
        }
    }

    /// What is left of a block after others were split off; nothing in it is marked.
    pub(super) fn shrink(&mut self, block: u32, (start, end): (u32, u32), signature: Signature) {
        let block = &mut self.blocks[block as usize];
        (block.start, block.marked_end, block.end) = (start, start, end);
        block.signature = signature;
    }

    /// A new block of a range of elements; nothing in it is marked.
    pub(super) fn split_off(&mut self, (start, end): (u32, u32), signature: Signature) -> u32 {
        let number = self.blocks.len() as u32;
        let marked_end = start;
        let (is_queued, n_heavy) = (false, 0);
        self.blocks.push(Block { start, marked_end, end, is_queued, n_heavy, signature });
        for at in start..end {
            self.block[self.elements[at as usize] as usize] = number;
        }
        number
    }
}
