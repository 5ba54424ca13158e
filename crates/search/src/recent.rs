//! Candidates seen a short while ago, in a small table that stays close to the processor.
//! Why: neighbours in the frontier have many successors in common. A second look at one of them need not go to the big
//! index, which is mostly a wait for memory.
//! Invariant: what was seen is in the store before anything that comes after it, or never asked about again; whoever drops
//! candidates without putting them into the store must `forget`.

use crate::StateStore;

const PLACES: usize = 1 << 12;

/// The first word of a place where nothing is. A candidate that begins so is never said to be seen.
const EMPTY: u64 = u64::MAX;

/// Each place remembers the last candidate that fell on it, in full.
#[derive(Default)]
pub struct Recent {
    words: Vec<u64>,
    layout_version: Option<u32>,
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

    pub fn forget(&mut self) {
        self.words.fill(EMPTY);
    }

    /// Whether this candidate was seen; from now on it was. One that never follows a store sees nothing.
    #[inline]
    pub(crate) fn has_seen(&mut self, words: &[u64], identity: u64) -> bool {
        let place = (identity >> 16) as usize % PLACES;
        let start = place * words.len();
        let Some(last) = self.words.get_mut(start..start + words.len()) else { return false };
        if last == words {
            return words[0] != EMPTY;
        }
        last.copy_from_slice(words);
        false
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
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
        assert!(!recent.has_seen(&[1], 7) && !recent.has_seen(&[1], 7));
        recent.follow(&store);
        assert!(!recent.has_seen(&[1], 7) && recent.has_seen(&[1], 7));
        assert!(!recent.has_seen(&[2], 7), "the same place, another candidate");
        assert!(!recent.has_seen(&[1], 7) && recent.has_seen(&[1], 7));
        recent.forget();
        assert!(!recent.has_seen(&[1], 7) && recent.has_seen(&[1], 7));
        store.widen(&[Misfit { slot: 0, id: 9 }]);
        recent.follow(&store);
        assert!(!recent.has_seen(&[1], 7));
    }

    #[test]
    fn a_candidate_that_looks_like_an_empty_place_is_not_seen() {
        let mut recent = Recent::default();
        recent.follow(&StateStore::new(VisitedKind::Exact, None));
        assert!(!recent.has_seen(&[u64::MAX], 7) && !recent.has_seen(&[u64::MAX], 7));
    }
}
