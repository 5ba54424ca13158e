//! The visited store: every state once, in a few machine words, with a link to where it came from.
//! Two kinds of identity share everything else (`exact.rs`, `fingerprint.rs`): *exact* compares the packed words
//! themselves; *fingerprint* compares 64 bits of content hash and keeps the words only until a state is expanded.
//! Invariants: indices are dense and in order of insertion; a parent's index is smaller than that of a state it was the
//! first to reach; the words of all states have one layout (`StateStore::widen` re-encodes them all).

mod claim;
mod exact;
mod fingerprint;
mod index;
mod layout;
mod parents;
mod records;

pub(crate) use claim::shard_of_hash;
pub(crate) use index::N_SHARDS;
pub use index::Shard;
pub use layout::{Layout, Misfit};

use crate::Candidates;
use foresee_stdx::ChunkedVec;
use index::Index;
use layout::Transcoder;
use parents::Parents;
use records::Records;

/// What makes two states the same.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum VisitedKind {
    /// Equal words: never wrong.
    #[default]
    Exact,
    /// Equal 64-bit content hashes: less memory, and with a small probability a state is overlooked.
    Fingerprint,
}

/// The number of a state in its store.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct StateIndex(pub u32);

impl StateIndex {
    /// Stands for "no state"; the parent of a state where the search starts.
    pub const NONE: StateIndex = StateIndex(u32::MAX);

    pub fn is_none(self) -> bool {
        self == StateIndex::NONE
    }
}

/// What became of a state that was offered to the store.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Inserted {
    New(StateIndex),
    Known(StateIndex),
    /// New, but the store may not take more.
    Full,
}

/// All states seen so far.
pub struct StateStore {
    kind: VisitedKind,
    layout: Layout,
    words: Records,
    /// Which bits of the layout must stay: the bitwise or of all states, and of ids for which room was asked.
    used: Vec<u64>,
    fingerprints: ChunkedVec<u64>,
    index: Index,
    parents: Parents,
    states_max: usize,
}

impl StateStore {
    pub fn new(kind: VisitedKind, states_max: Option<u64>) -> Self {
        let layout = Layout::default();
        let states_max = states_max.map_or(u64::MAX, |max| max);
        StateStore {
            kind,
            words: Records::new(layout.n_words(), kind == VisitedKind::Exact),
            used: vec![0; layout.n_words()],
            layout,
            fingerprints: ChunkedVec::default(),
            index: Index::default(),
            parents: Parents::default(),
            states_max: states_max.min(u64::from(u32::MAX) - 2) as usize,
        }
    }

    pub fn kind(&self) -> VisitedKind {
        self.kind
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn parent(&self, state: StateIndex) -> StateIndex {
        self.parents.get(state.0 as usize)
    }

    /// Adds the parents of states in a row to a list.
    pub fn list_parents(&self, states: std::ops::Range<usize>, parents: &mut Vec<StateIndex>) {
        self.parents.list(states, parents);
    }

    pub fn set_parent(&mut self, state: StateIndex, parent: StateIndex) {
        self.parents.set(state.0 as usize, parent);
    }

    /// The packed words of a state that was not released.
    #[inline]
    pub fn words(&self, state: StateIndex) -> &[u64] {
        self.words.get(state.0 as usize)
    }

    /// Unpacks a state that was not released into `slots`.
    #[inline]
    pub fn decode(&self, state: StateIndex, slots: &mut Vec<u32>) {
        self.layout.decode(self.words(state), slots);
    }

    /// The fingerprint of a state; 0 in an exact store, where none is kept.
    #[inline]
    pub fn fingerprint(&self, state: StateIndex) -> u64 {
        match self.kind {
            VisitedKind::Exact => 0,
            VisitedKind::Fingerprint => self.fingerprints.get(state.0 as usize),
        }
    }

    /// What a state is found by: a hash of its words, or its fingerprint.
    #[inline]
    pub fn identity(&self, words: &[u64], fingerprint: u64) -> u64 {
        match self.kind {
            VisitedKind::Exact => exact::hash(words),
            VisitedKind::Fingerprint => fingerprint,
        }
    }

    #[inline]
    pub fn find(&self, words: &[u64], identity: u64) -> Option<StateIndex> {
        let hash = self.spread(identity);
        let found = self.index.find(hash, |known| self.is_same(known, words, identity));
        found.map(StateIndex)
    }

    /// Adds a state unless it is known.
    #[inline]
    pub fn insert(&mut self, words: &[u64], identity: u64, parent: StateIndex) -> Inserted {
        let hash = self.spread(identity);
        let found = self.index.probe(hash, |known| self.is_same(known, words, identity));
        let vacancy = match found {
            Ok(known) => return Inserted::Known(StateIndex(known)),
            Err(vacancy) => vacancy,
        };
        if self.len() >= self.states_max {
            return Inserted::Full;
        }
        let state = self.len() as u32;
        self.append(words, identity, parent);
        let (kind, records, fingerprints) = (self.kind, &self.words, &self.fingerprints);
        let hash_of = |state: u32| match kind {
            VisitedKind::Exact => exact::hash(records.get(state as usize)),
            VisitedKind::Fingerprint => fingerprint::spread(fingerprints.get(state as usize)),
        };
        let records = (kind == VisitedKind::Exact).then_some(records);
        let ask = |state: u32| {
            records.iter().for_each(|records| records.prefetch(state as usize));
        };
        self.index.occupy(vacancy, hash, state, hash_of, ask);
        Inserted::New(StateIndex(state))
    }

    /// Adds a state that has its place in the index already.
    #[inline]
    fn append(&mut self, words: &[u64], identity: u64, parent: StateIndex) {
        self.words.push(words);
        for (used, word) in self.used.iter_mut().zip(words) {
            *used |= word;
        }
        if self.kind == VisitedKind::Fingerprint {
            self.fingerprints.push(identity);
        }
        self.parents.push(parent);
    }

    /// Adds candidates that have won their claims, in order, from `range` of their positions; false, and only some of them are added,
    /// if the store may not take more.
    pub fn append_all(&mut self, winners: &Candidates, range: std::ops::Range<usize>) -> bool {
        let n_free = self.states_max.saturating_sub(self.len());
        let fitting = range.start..range.end.min(range.start + n_free);
        let words = winners.words_of(fitting.clone());
        self.words.extend(words);
        for words in words.chunks_exact(self.used.len()) {
            self.used.iter_mut().zip(words).for_each(|(used, word)| *used |= word);
        }
        for position in fitting.clone() {
            let head = winners.head(position);
            if self.kind == VisitedKind::Fingerprint {
                self.fingerprints.push(head.identity);
            }
            self.parents.push(head.parent);
        }
        fitting == range
    }

    /// The shards of the index, for claims. Until they are put back nothing is found.
    pub fn take_shards(&mut self) -> Vec<Shard> {
        std::mem::take(self.index.shards_mut())
    }

    /// Puts back what [`StateStore::take_shards`] gave.
    pub fn put_shards(&mut self, shards: Vec<Shard>) {
        assert_eq!(shards.len(), N_SHARDS, "all shards are put back");
        *self.index.shards_mut() = shards;
    }

    /// Asks for the memory that [`StateStore::glance`] will look at.
    #[inline]
    pub fn prefetch(&self, identity: u64) {
        self.index.prefetch(self.spread(identity));
    }

    /// The first state that may be the one with `identity`, as far as one look at the index tells; for [`StateStore::is_at`].
    #[inline]
    pub fn glance(&self, identity: u64) -> StateIndex {
        StateIndex(self.index.first_match(self.spread(identity)))
    }

    /// Whether a state that [`StateStore::glance`] gave is the one looked for.
    #[inline]
    pub fn is_at(&self, state: StateIndex, words: &[u64], identity: u64) -> bool {
        !state.is_none() && self.is_same(state.0, words, identity)
    }

    /// What a state of this store is found by in the index.
    #[inline]
    fn hash_of(&self, state: u32) -> u64 {
        match self.kind {
            VisitedKind::Exact => exact::hash(self.words.get(state as usize)),
            VisitedKind::Fingerprint => fingerprint::spread(self.fingerprints.get(state as usize)),
        }
    }

    /// Asks for the memory of a state's words.
    #[inline]
    pub fn prefetch_words(&self, state: StateIndex) {
        if self.kind == VisitedKind::Exact {
            self.words.prefetch(state.0 as usize);
        }
    }

    /// Tells that the words of a state will not be asked for again.
    pub fn release(&mut self, state: StateIndex) {
        if self.kind == VisitedKind::Fingerprint {
            self.words.release(state.0 as usize);
        }
    }

    /// Makes room for candidates of which some did not fit: for their ids, and for those of the others, so that what fitted does so afterwards.
    pub fn widen_for(&mut self, candidates: &Candidates) {
        let is_present = candidates.layout_version() == self.layout.version();
        for position in 0..if is_present { candidates.len() } else { 0 } {
            let words = candidates.words(position);
            self.used.iter_mut().zip(words).for_each(|(used, word)| *used |= word);
        }
        self.widen(candidates.misfits());
    }

    /// Makes room for ids that did not fit: a new layout, and every state re-encoded in it. Rare.
    /// Ids that fit before, in no state and not among `misfits`, may fit no longer: ask for them too, or look again.
    pub fn widen(&mut self, misfits: &[Misfit]) {
        let wider = self.layout.widened(&mut self.used, misfits);
        let transcoder = Transcoder::new(&self.layout, &wider);
        let transcode = |from: &[u64], into: &mut [u64]| transcoder.transcode(from, into);
        self.words.transcode(wider.n_words(), transcode);
        self.layout = wider;
        if self.kind == VisitedKind::Exact {
            let words = &self.words;
            let hash = |state: u32| exact::hash(words.get(state as usize));
            self.index.rebuild(self.parents.len(), hash);
        }
    }

    /// The number of bytes allocated for states, parents and the index.
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.fingerprints.bytes() + self.index.bytes() + self.parents.bytes()
    }

    /// The probability that at least two of the states were taken for one; `None` if that is impossible.
    pub fn collision_probability(&self) -> Option<f64> {
        (self.kind == VisitedKind::Fingerprint)
            .then(|| fingerprint::collision_probability(self.len() as f64))
    }

    #[inline]
    pub(crate) fn spread(&self, identity: u64) -> u64 {
        match self.kind {
            VisitedKind::Exact => identity,
            VisitedKind::Fingerprint => fingerprint::spread(identity),
        }
    }

    #[inline]
    fn is_same(&self, known: u32, words: &[u64], identity: u64) -> bool {
        match self.kind {
            VisitedKind::Exact => exact::same(self.words.get(known as usize), words),
            VisitedKind::Fingerprint => self.fingerprints.get(known as usize) == identity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both slots want more bits before any state with such ids is stored, and the word is nearly full.
    #[test]
    fn slots_that_take_turns_in_not_fitting_both_get_room() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[Misfit { slot: 0, id: 1 << 29 }, Misfit { slot: 1, id: 1 << 29 }]);
        let (first, second) = (Misfit { slot: 0, id: u32::MAX }, Misfit { slot: 1, id: u32::MAX });
        let third = Misfit { slot: 2, id: 7 };
        for misfit in [third, first, second] {
            store.widen(&[misfit]);
        }
        let mut words = vec![0; store.layout().n_words()];
        assert!(store.layout().encode(&[u32::MAX, u32::MAX, 7], &mut words));
    }
}
