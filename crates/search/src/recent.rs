//! Candidates seen a short while ago, in a small table that stays close to the processor.
//! Why: neighbours in the frontier have many successors in common. A second look at one of them need not go to the big
//! index, which is mostly a wait for memory.
//! Invariant: what was seen is in the store before anything that comes after it, or never asked about again; whoever drops
//! candidates without putting them into the store must `forget`.
//! Where states to be expanded have *ranks*, a candidate is told again whenever it comes from a lesser one than before: who asks wants the least.

use crate::{StateIndex, StateStore};
use std::sync::Arc;

const PLACES: usize = 1 << 12;

/// The first word of a place where nothing is. A candidate that begins so is never said to be seen.
const EMPTY: u64 = u64::MAX;

/// Each place remembers the last candidate that fell on it, in full.
#[derive(Default)]
pub struct Recent {
    words: Vec<u64>,
    layout_version: Option<u32>,
    /// The first of the states that have ranks, and these; none if all count alike.
    first: u32,
    ranks: Arc<Vec<u32>>,
    /// For each place the least rank from which its candidate came; none if there are no ranks.
    least: Vec<u32>,
}

impl Recent {
    /// Must be called before candidates for states of this store are shown; forgets everything if their layout changed.
    pub fn follow(&mut self, store: &StateStore) {
        let layout = store.layout();
        if self.layout_version != Some(layout.version()) {
            self.layout_version = Some(layout.version());
            self.words.clear();
            self.words.resize(PLACES * layout.n_words(), EMPTY);
        }
    }

    /// The states to be expanded from now on, `first` and those after it, have these ranks. What was seen before is in the store before all that
    /// they lead to, and is not told again.
    pub fn rank_parents(&mut self, first: u32, ranks: &Arc<Vec<u32>>) {
        (self.first, self.ranks) = (first, Arc::clone(ranks));
        self.least.clear();
        self.least.resize(if ranks.is_empty() { 0 } else { PLACES }, 0);
    }

    pub fn forget(&mut self) {
        self.words.fill(EMPTY);
    }

    /// Whether this candidate was seen, from a rank no greater than that of `parent`; from now on it was. One that never follows a store sees nothing.
    #[inline]
    pub(crate) fn has_seen(&mut self, words: &[u64], identity: u64, parent: StateIndex) -> bool {
        let place = (identity >> 16) as usize % PLACES;
        let start = place * words.len();
        let Some(last) = self.words.get_mut(start..start + words.len()) else { return false };
        let is_last = last == words && words[0] != EMPTY;
        if !is_last {
            last.copy_from_slice(words);
        }
        if self.least.is_empty() {
            return is_last;
        }
        let rank = self.ranks[(parent.0 - self.first) as usize];
        let least = &mut self.least[place];
        if is_last && *least <= rank {
            return true;
        }
        *least = rank;
        false
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.least.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Misfit, VisitedKind};

    #[test]
    fn a_candidate_is_seen_once_until_forgotten_or_laid_out_anew() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        let mut recent = Recent::default();
        assert!(
            !recent.has_seen(&[1], 7, StateIndex(0)) && !recent.has_seen(&[1], 7, StateIndex(0))
        );
        recent.follow(&store);
        assert!(
            !recent.has_seen(&[1], 7, StateIndex(0)) && recent.has_seen(&[1], 7, StateIndex(0))
        );
        assert!(!recent.has_seen(&[2], 7, StateIndex(0)), "the same place, another candidate");
        assert!(
            !recent.has_seen(&[1], 7, StateIndex(0)) && recent.has_seen(&[1], 7, StateIndex(0))
        );
        recent.forget();
        assert!(
            !recent.has_seen(&[1], 7, StateIndex(0)) && recent.has_seen(&[1], 7, StateIndex(0))
        );
        store.widen(&[Misfit { slot: 0, id: 9 }]);
        recent.follow(&store);
        assert!(!recent.has_seen(&[1], 7, StateIndex(0)));
    }

    #[test]
    fn a_candidate_from_a_lesser_rank_is_told_again() {
        let store = StateStore::new(VisitedKind::Exact, None);
        let mut recent = Recent::default();
        recent.follow(&store);
        recent.rank_parents(10, &Arc::new(vec![5, 2, 9]));
        let mut from = |parent: u32| recent.has_seen(&[1], 7, StateIndex(parent));
        assert!(!from(10) && from(10) && from(12) && !from(11) && from(11) && from(10));
        // Of the next level it is no successor any more.
        recent.rank_parents(13, &Arc::new(vec![0]));
        assert!(recent.has_seen(&[1], 7, StateIndex(13)));
    }

    #[test]
    fn a_candidate_that_looks_like_an_empty_place_is_not_seen() {
        let mut recent = Recent::default();
        recent.follow(&StateStore::new(VisitedKind::Exact, None));
        assert!(
            !recent.has_seen(&[u64::MAX], 7, StateIndex(0))
                && !recent.has_seen(&[u64::MAX], 7, StateIndex(0))
        );
    }
}
