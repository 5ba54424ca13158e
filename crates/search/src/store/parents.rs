//! Parents: for each state the one it was first reached from.
//! Breadth-first search numbers states in the order in which it expands them, so the parents of its states never decrease: the
//! sequence is kept as a row of bits, for each state as many zeros as its parent is above the one before, then a one. With n states
//! these are at most 2n bits. The parent of state i is the number of zeros before the i-th one; where every 256th one stands
//! is noted, so that finding it is a short walk.
//! A sequence that is not of this kind (depth-first search, walks, a parent that is changed) becomes a plain one, by itself.

use super::StateIndex;
use foresee_stdx::ChunkedVec;
use std::ops::Range;

/// The place of one in so many ones is noted.
const NOTED_EVERY: usize = 256;

pub(super) enum Parents {
    Monotone(Monotone),
    Plain(ChunkedVec<u32>),
}

/// Parents that never decrease, after some states that have none.
#[derive(Default)]
pub(super) struct Monotone {
    len: usize,
    n_starts: usize,
    last: u32,
    /// All bits but the last few, which are in `open`.
    words: ChunkedVec<u64>,
    open: u64,
    n_bits: u64,
    /// Where the first of every [`NOTED_EVERY`] ones is.
    noted: ChunkedVec<u64>,
}

impl Default for Parents {
    fn default() -> Self {
        Parents::Monotone(Monotone::default())
    }
}

impl Parents {
    pub(super) fn len(&self) -> usize {
        match self {
            Parents::Monotone(parents) => parents.len,
            Parents::Plain(parents) => parents.len(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, parent: StateIndex) {
        if let Parents::Monotone(parents) = self {
            if parents.push(parent) {
                return;
            }
            self.make_plain();
        }
        if let Parents::Plain(parents) = self {
            parents.push(parent.0);
        }
    }

    #[inline]
    pub(super) fn get(&self, state: usize) -> StateIndex {
        match self {
            Parents::Monotone(parents) => parents.get(state),
            Parents::Plain(parents) => StateIndex(parents.get(state)),
        }
    }

    /// Adds the parents of several states in a row, at little more than the cost of one.
    pub(super) fn list(&self, states: Range<usize>, parents: &mut Vec<StateIndex>) {
        match self {
            Parents::Monotone(own) => own.list(states, parents),
            Parents::Plain(own) => {
                parents.extend(states.map(|state| StateIndex(own.get(state))));
            }
        }
    }

    pub(super) fn set(&mut self, state: usize, parent: StateIndex) {
        self.make_plain();
        if let Parents::Plain(parents) = self {
            parents.set(state, parent.0);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Parents::Monotone(parents) => parents.words.bytes() + parents.noted.bytes(),
            Parents::Plain(parents) => parents.bytes(),
        }
    }

    #[cold]
    fn make_plain(&mut self) {
        if let Parents::Monotone(parents) = self {
            let mut plain = ChunkedVec::default();
            parents.for_each(|parent| plain.push(parent.0));
            *self = Parents::Plain(plain);
        }
    }
}

impl Monotone {
    /// Adds one; false if it is less than the last.
    #[inline]
    fn push(&mut self, parent: StateIndex) -> bool {
        if parent.is_none() {
            let is_start = self.len == self.n_starts;
            self.n_starts += usize::from(is_start);
            self.len += usize::from(is_start);
            return is_start;
        }
        if parent.0 < self.last {
            return false;
        }
        let place = self.n_bits + u64::from(parent.0 - self.last);
        while place / 64 > self.words.len() as u64 {
            self.words.push(std::mem::take(&mut self.open));
        }
        self.open |= 1 << (place % 64);
        if (self.len - self.n_starts).is_multiple_of(NOTED_EVERY) {
            self.noted.push(place);
        }
        self.n_bits = place + 1;
        if self.n_bits.is_multiple_of(64) {
            self.words.push(std::mem::take(&mut self.open));
        }
        self.last = parent.0;
        self.len += 1;
        true
    }

    fn get(&self, state: usize) -> StateIndex {
        assert!(state < self.len, "there is no state {state}");
        if state < self.n_starts {
            return StateIndex::NONE;
        }
        if state + 1 == self.len {
            return StateIndex(self.last);
        }
        let one = state - self.n_starts;
        let (at, word) = self.find_one(one);
        let place = at as u64 * 64 + u64::from(word.trailing_zeros());
        StateIndex((place - one as u64) as u32)
    }

    /// Where a one is: in which word, and what that is without the ones before it.
    fn find_one(&self, one: usize) -> (usize, u64) {
        let start = self.noted.get(one / NOTED_EVERY);
        let mut n_left = (one % NOTED_EVERY) as u32;
        let mut at = (start / 64) as usize;
        let mut word = self.word(at) & (u64::MAX << (start % 64));
        while word.count_ones() <= n_left {
            n_left -= word.count_ones();
            at += 1;
            word = self.word(at);
        }
        (0..n_left).for_each(|_| word &= word - 1);
        (at, word)
    }

    fn list(&self, states: Range<usize>, parents: &mut Vec<StateIndex>) {
        assert!(states.end <= self.len, "there are no states {states:?}");
        let n_starts = self.n_starts.clamp(states.start, states.end.max(states.start));
        parents.extend((states.start..n_starts).map(|_| StateIndex::NONE));
        if n_starts >= states.end {
            return;
        }
        let ones = n_starts - self.n_starts..states.end - self.n_starts;
        let (mut at, mut word) = self.find_one(ones.start);
        for one in ones {
            while word == 0 {
                at += 1;
                word = self.word(at);
            }
            let place = at as u64 * 64 + u64::from(word.trailing_zeros());
            parents.push(StateIndex((place - one as u64) as u32));
            word &= word - 1;
        }
    }

    fn word(&self, at: usize) -> u64 {
        if at < self.words.len() { self.words.get(at) } else { self.open }
    }

    fn for_each(&self, mut each: impl FnMut(StateIndex)) {
        (0..self.n_starts).for_each(|_| each(StateIndex::NONE));
        let mut n_ones = 0;
        for at in 0..=self.words.len() {
            let mut word = self.word(at);
            while word != 0 {
                let place = at as u64 * 64 + u64::from(word.trailing_zeros());
                each(StateIndex((place - n_ones) as u32));
                n_ones += 1;
                word &= word - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::Random;

    fn filled(parents: &[u32]) -> Parents {
        let mut filled = Parents::default();
        parents.iter().for_each(|parent| filled.push(StateIndex(*parent)));
        filled
    }

    fn assert_holds(parents: &Parents, expected: &[u32]) {
        assert_eq!(parents.len(), expected.len());
        for (state, parent) in expected.iter().enumerate() {
            assert_eq!(parents.get(state), StateIndex(*parent), "{state}");
        }
        let n = expected.len();
        for states in [0..n, 0..0, n..n, n / 3..n, n.min(1)..n.min(2), n / 2..n / 2 + n / 5] {
            let mut list = Vec::new();
            parents.list(states.clone(), &mut list);
            assert!(list.iter().map(|it| it.0).eq(expected[states].iter().copied()));
        }
    }

    #[test]
    fn parents_that_never_decrease_take_few_bits() {
        let mut random = Random::new(7);
        for (n_starts, gap_max) in [(1, 2), (3, 3), (1, 1), (2, 500)] {
            let mut expected = vec![u32::MAX; n_starts];
            let mut parent = 0;
            for n in 0..20_000u64 {
                parent += random.below(gap_max + u64::from(n % 5000 == 0) * 100_000) as u32;
                expected.push(parent);
            }
            let parents = filled(&expected);
            assert!(matches!(parents, Parents::Monotone(_)));
            assert_holds(&parents, &expected);
            if gap_max <= 2 {
                // The first chunk grows by doubling.
                assert!(parents.bytes() < 3 * 20_000, "{}", parents.bytes());
            }
        }
    }

    #[test]
    fn any_other_sequence_is_kept_too() {
        let expected = [u32::MAX, 0, 0, 2, 1, 4, u32::MAX, 9];
        for n in 0..=expected.len() {
            assert_holds(&filled(&expected[..n]), &expected[..n]);
        }
        let mut parents = filled(&expected[..4]);
        parents.set(3, StateIndex(0));
        assert_holds(&parents, &[u32::MAX, 0, 0, 0]);
    }
}
