//! Successors as packed words: where states lead, in the form in which a visited store keeps them.
//! Why: a search that only asks which states there are needs no list of changes for each transition. An explorer that knows how
//! states are packed writes the words of a successor at once: those of its origin with a few fields exchanged.
//! An explorer may offer this beside [`Explorer::expand`](crate::Explorer::expand), which stays the definition: the same successors in
//! the same order, but for loops, which are counted.

use crate::Change;
use std::ops::Range;

/// Where the id of a slot stands in packed words. The mask is that of the id before it is shifted: ones from the lowest bit on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Field {
    pub word: u32,
    pub shift: u32,
    pub mask: u64,
}

impl Field {
    /// The id in this field of a packed state.
    #[inline]
    pub fn read(&self, words: &[u64]) -> u32 {
        (words[self.word as usize] >> self.shift & self.mask) as u32
    }
}

/// One successor, besides its words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PackedSuccessor {
    /// How many transitions of the same state come before this one, loops included.
    pub ordinal: u32,
    /// The state reached is broken in itself (see [`System::fault`](crate::System::fault)).
    pub faulty: bool,
}

/// The successors of some states, as packed words: a reusable buffer.
///
/// ```
/// use foresee_lts::PackedSuccessors;
/// let mut successors = PackedSuccessors::default();
/// successors.push(&[7], false);
/// successors.add_loops(3);
/// successors.push(&[9], true);
/// successors.finish_state();
/// successors.finish_state();
/// let states: Vec<_> = successors.states().collect();
/// assert_eq!(states, [(0..2, 5), (2..2, 0)]);
/// let (words, last) = successors.iter::<1>(0..2).last().unwrap();
/// assert_eq!((words, last.ordinal, last.faulty), (&[9], 4, true));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PackedSuccessors {
    words: Vec<u64>,
    /// For each successor its ordinal, twice, and one more if it is faulty.
    heads: Vec<u32>,
    /// For each state that was expanded: where its successors end, and how many transitions it has.
    ends: Vec<(u32, u32)>,
    misfits: Vec<Change>,
    /// Transitions of the present state so far.
    n_transitions: u32,
}

impl PackedSuccessors {
    pub fn clear(&mut self) {
        self.words.clear();
        self.heads.clear();
        self.ends.clear();
        self.misfits.clear();
        self.n_transitions = 0;
    }

    /// Adds a successor of the present state.
    #[inline]
    pub fn push<const WIDTH: usize>(&mut self, words: &[u64; WIDTH], faulty: bool) {
        self.words.extend_from_slice(words);
        self.heads.push(self.n_transitions << 1 | u32::from(faulty));
        self.n_transitions += 1;
    }

    /// Counts `n` loops between the last successor and the next.
    #[inline]
    pub fn add_loops(&mut self, n: u32) {
        self.n_transitions += n;
    }

    /// Notes an id of a successor of which some id does not fit into its field. Such a successor is not pushed.
    pub fn misfit(&mut self, slot: u32, id: u32) {
        self.misfits.push(Change { slot, id });
    }

    /// The next successor is one of the next state.
    #[inline]
    pub fn finish_state(&mut self) {
        self.ends.push((self.heads.len() as u32, self.n_transitions));
        self.n_transitions = 0;
    }

    /// Transitions of the present state so far.
    #[inline]
    pub fn n_transitions(&self) -> u32 {
        self.n_transitions
    }

    /// For each state the positions of its successors, and how many transitions it has, loops included.
    pub fn states(&self) -> impl Iterator<Item = (Range<usize>, u32)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, n_transitions)| {
            let range = start as usize..end as usize;
            start = end;
            (range, n_transitions)
        })
    }

    /// The successors at these positions, whose words are so many.
    #[inline]
    pub fn iter<const WIDTH: usize>(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = (&[u64; WIDTH], PackedSuccessor)> {
        let words = self.words[range.start * WIDTH..range.end * WIDTH].as_chunks::<WIDTH>().0;
        words.iter().zip(self.heads[range].iter().map(|head| successor(*head)))
    }

    pub fn get(&self, position: usize) -> PackedSuccessor {
        successor(self.heads[position])
    }

    /// The words of a successor, of which there are `width`.
    pub fn words(&self, position: usize, width: usize) -> &[u64] {
        &self.words[position * width..(position + 1) * width]
    }

    /// The ids of successors that did not fit.
    pub fn misfits(&self) -> &[Change] {
        &self.misfits
    }
}

#[inline]
fn successor(head: u32) -> PackedSuccessor {
    PackedSuccessor { ordinal: head >> 1, faulty: head & 1 != 0 }
}
