//! Candidates: the successors of a few states, packed, on their way into the store.
//! Why: looking up one successor at a time waits for memory each time. Collected first, their look-ups overlap: a pass
//! that only reads the index, one that only reads the states found there, which settles most; then the rest in order.

use crate::store::{N_SHARDS, shard_of_hash};
use crate::{Misfit, Recent, StateIndex, StateStore};
use foresee_lts::{Change, PackedSuccessors, Successor, Successors};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is known of one candidate besides its words.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// What the store finds it by.
    pub identity: u64,
    pub parent: StateIndex,
    /// How many transitions of the batch come before this one.
    pub ordinal: u32,
    /// The state in the store that this is, as far as [`Candidates::sift`] could tell.
    pub known: StateIndex,
    /// The state is broken in itself.
    pub faulty: bool,
}

/// A state of the batch in which nothing can happen.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    pub state: StateIndex,
    /// How many candidates come before it.
    pub position: usize,
    /// How many transitions come before it.
    pub ordinal: u32,
}

/// The successors of a batch of states, in order.
#[derive(Default)]
pub struct Candidates {
    width: usize,
    /// The layout that their words have.
    layout_version: u32,
    words: Vec<u64>,
    heads: Vec<Head>,
    glances: Vec<StateIndex>,
    scratch: Vec<u64>,
    terminals: Vec<Terminal>,
    misfits: Vec<Misfit>,
    n_transitions: u32,
    /// For claims: positions by shard, and which have won. After [`Candidates::keep_winners`]: how many have won before each.
    routes: Vec<Vec<u32>>,
    is_winner: Vec<AtomicBool>,
    ranks: Vec<u32>,
}

impl Candidates {
    /// Empties the batch, which is then for states of this store.
    pub fn reset(&mut self, store: &StateStore) {
        self.width = store.layout().n_words();
        self.layout_version = store.layout().version();
        self.words.clear();
        self.heads.clear();
        self.terminals.clear();
        self.misfits.clear();
        self.n_transitions = 0;
    }

    /// Adds the successors of `parent` except those that `recent` has seen.
    pub fn extend(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &Successors,
        recent: &mut Recent,
    ) {
        // States are short; for the common widths everything about them is unrolled.
        match self.width {
            1 => self.extend_array::<1>(store, parent, successors, recent),
            2 => self.extend_array::<2>(store, parent, successors, recent),
            3 => self.extend_array::<3>(store, parent, successors, recent),
            4 => self.extend_array::<4>(store, parent, successors, recent),
            _ => successors.iter().for_each(|one| self.add(store, parent, successors, one, recent)),
        }
        self.n_transitions += successors.n_transitions();
    }

    fn extend_array<const WIDTH: usize>(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &Successors,
        recent: &mut Recent,
    ) {
        let parent_words: [u64; WIDTH] = store.words(parent).try_into().expect("of this width");
        let parent_fingerprint = store.fingerprint(parent);
        for successor in successors.iter() {
            let mut words = parent_words;
            if !self.patch(store, &mut words, successors, successor) {
                continue;
            }
            let fingerprint = parent_fingerprint.wrapping_add(successor.hash_delta);
            let identity = store.identity(&words, fingerprint);
            if !recent.has_seen(words.as_slice(), identity) {
                self.words.extend_from_slice(&words);
                self.push_head(identity, parent, successor);
            }
        }
    }

    /// Adds successors of `parent` that are packed already, those at `range`, except what `recent` has seen. The store is exact.
    pub fn extend_packed(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &PackedSuccessors,
        range: Range<usize>,
        recent: &mut Recent,
    ) {
        match self.width {
            1 => self.extend_words::<1>(store, parent, successors, range, recent),
            2 => self.extend_words::<2>(store, parent, successors, range, recent),
            3 => self.extend_words::<3>(store, parent, successors, range, recent),
            4 => self.extend_words::<4>(store, parent, successors, range, recent),
            width => unreachable!("states of {width} words are not packed by explorers"),
        }
    }

    #[inline]
    fn extend_words<const WIDTH: usize>(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &PackedSuccessors,
        range: Range<usize>,
        recent: &mut Recent,
    ) {
        for (words, successor) in successors.iter::<WIDTH>(range) {
            let identity = store.identity(words, 0);
            if !recent.has_seen(words.as_slice(), identity) {
                store.prefetch(identity);
                self.words.extend_from_slice(words);
                self.heads.push(Head {
                    identity,
                    parent,
                    ordinal: self.n_transitions + successor.ordinal,
                    known: StateIndex::NONE,
                    faulty: successor.faulty,
                });
            }
        }
    }

    /// Counts transitions of a state whose successors were added.
    pub fn add_transitions(&mut self, n: u32) {
        self.n_transitions += n;
    }

    /// Notes that an id does not fit.
    pub fn push_misfit(&mut self, misfit: Misfit) {
        self.misfits.push(misfit);
    }

    /// Adds one of the successors of `parent`.
    pub fn push(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &Successors,
        successor: &Successor,
    ) {
        let mut alone = *successor;
        alone.ordinal = 0;
        self.add(store, parent, successors, &alone, &mut Recent::default());
        self.n_transitions += 1;
    }

    fn add(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        successors: &Successors,
        successor: &Successor,
        recent: &mut Recent,
    ) {
        let mut words = std::mem::take(&mut self.scratch);
        words.clear();
        words.extend_from_slice(store.words(parent));
        if self.patch(store, &mut words, successors, successor) {
            let fingerprint = store.fingerprint(parent).wrapping_add(successor.hash_delta);
            let identity = store.identity(&words, fingerprint);
            if !recent.has_seen(words.as_slice(), identity) {
                self.words.extend_from_slice(&words);
                self.push_head(identity, parent, successor);
            }
        }
        self.scratch = words;
    }

    /// Makes `words`, those of a transition's origin, those of its target; false if these are the same.
    #[inline]
    fn patch(
        &mut self,
        store: &StateStore,
        words: &mut [u64],
        successors: &Successors,
        successor: &Successor,
    ) -> bool {
        let changes = successors.changes(successor);
        for &Change { slot, id } in changes {
            if !store.layout().patch(words, slot, id) {
                self.misfits.push(Misfit { slot, id });
            }
        }
        !changes.is_empty()
    }

    #[inline]
    fn push_head(&mut self, identity: u64, parent: StateIndex, successor: &Successor) {
        self.heads.push(Head {
            identity,
            parent,
            ordinal: self.n_transitions + successor.ordinal,
            known: StateIndex::NONE,
            faulty: successor.faulty,
        });
    }

    /// Notes that nothing can happen in `state`.
    pub fn push_terminal(&mut self, state: StateIndex) {
        self.terminals.push(Terminal {
            state,
            position: self.heads.len(),
            ordinal: self.n_transitions,
        });
    }

    /// Recognises candidates that the store holds at the first place where they may be: most of the known ones. Each
    /// pass is a row of independent reads, so that the waits for memory overlap.
    pub fn sift(&mut self, store: &StateStore) {
        self.glances.clear();
        self.glances.extend(self.heads.iter().map(|head| store.glance(head.identity)));
        let words = self.words.chunks_exact(self.width);
        for ((head, state), words) in self.heads.iter_mut().zip(&self.glances).zip(words) {
            let is_known = store.is_at(*state, words, head.identity);
            head.known = if is_known { *state } else { StateIndex::NONE };
        }
    }

    /// Forgets the candidates that the store knows already; transitions stay counted.
    pub fn drop_known(&mut self, store: &StateStore) {
        self.sift(store);
        self.retain(|it, position| {
            let head = it.heads[position];
            head.known.is_none() && store.find(it.words(position), head.identity).is_none()
        });
    }

    /// Keeps some candidates, by their positions; transitions stay counted.
    fn retain(&mut self, mut keep: impl FnMut(&Self, usize) -> bool) {
        let width = self.width;
        let mut kept = 0;
        let mut n_terminals = 0;
        for position in 0..self.heads.len() {
            while let Some(terminal) = self.terminals.get_mut(n_terminals)
                && terminal.position <= position
            {
                terminal.position = kept;
                n_terminals += 1;
            }
            if keep(self, position) {
                let (start, end) = (position * width, (position + 1) * width);
                self.words.copy_within(start..end, kept * width);
                self.heads[kept] = self.heads[position];
                kept += 1;
            }
        }
        self.terminals[n_terminals..].iter_mut().for_each(|terminal| terminal.position = kept);
        self.heads.truncate(kept);
        self.words.truncate(kept * width);
    }

    /// Prepares candidates of which none is known for claims ([`crate::Shard::claim`]).
    pub fn route(&mut self, store: &StateStore) {
        self.routes.resize(N_SHARDS, Vec::new());
        self.routes.iter_mut().for_each(Vec::clear);
        for (position, head) in (0u32..).zip(&self.heads) {
            self.routes[shard_of_hash(store.spread(head.identity))].push(position);
        }
        self.is_winner.clear();
        self.is_winner.resize_with(self.heads.len(), AtomicBool::default);
    }

    /// The positions of candidates that belong to a shard, in order.
    #[inline]
    pub(crate) fn routed(&self, shard: usize) -> &[u32] {
        &self.routes[shard]
    }

    /// Notes that a candidate has won its claim.
    #[inline]
    pub(crate) fn win(&self, position: usize) {
        self.is_winner[position].store(true, Ordering::Relaxed);
    }

    /// Keeps the candidates that have won their claims.
    pub fn keep_winners(&mut self) {
        let is_winner = std::mem::take(&mut self.is_winner);
        self.ranks.clear();
        let mut n_won = 0;
        for is_winner in &is_winner {
            self.ranks.push(n_won);
            n_won += u32::from(is_winner.load(Ordering::Relaxed));
        }
        self.retain(|_, position| is_winner[position].load(Ordering::Relaxed));
        self.is_winner = is_winner;
    }

    /// How many candidates have won before the one that was at `position` when there were claims.
    #[inline]
    pub fn rank(&self, position: usize) -> u32 {
        self.ranks[position]
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    #[inline]
    pub fn head(&self, position: usize) -> Head {
        self.heads[position]
    }

    #[inline]
    pub fn words(&self, position: usize) -> &[u64] {
        &self.words[position * self.width..(position + 1) * self.width]
    }

    /// The words of several, one after the other.
    pub(crate) fn words_of(&self, positions: Range<usize>) -> &[u64] {
        &self.words[positions.start * self.width..positions.end * self.width]
    }

    pub fn terminals(&self) -> &[Terminal] {
        &self.terminals
    }

    /// Ids that did not fit; if there are any, the batch is worthless until the store is widened.
    pub fn misfits(&self) -> &[Misfit] {
        &self.misfits
    }

    /// The same, and then there are none.
    pub fn take_misfits(&mut self) -> Vec<Misfit> {
        std::mem::take(&mut self.misfits)
    }

    /// Which layout the words of the candidates have.
    pub(crate) fn layout_version(&self) -> u32 {
        self.layout_version
    }

    /// All transitions of the batch: loops and known successors too.
    pub fn n_transitions(&self) -> u32 {
        self.n_transitions
    }

    pub fn bytes(&self) -> usize {
        let routes: usize = self.routes.iter().map(Vec::capacity).sum();
        self.words.capacity() * size_of::<u64>()
            + (self.glances.capacity() + self.ranks.capacity() + routes) * size_of::<u32>()
            + self.heads.capacity() * size_of::<Head>()
            + self.is_winner.capacity()
    }
}
