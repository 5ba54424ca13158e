//! Candidates: the successors of a few states, packed, on their way into the store.
//! Why: looking up one successor at a time waits for memory each time. Collected first, their look-ups overlap: a pass
//! that only reads the index, one that only reads the states found there, which settles most; then the rest in order.

use crate::{Misfit, Recent, StateIndex, StateStore};
use foresee_lts::{Change, Successor, Successors};

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
    words: Vec<u64>,
    heads: Vec<Head>,
    entries: Vec<u64>,
    scratch: Vec<u64>,
    terminals: Vec<Terminal>,
    misfits: Vec<Misfit>,
    n_transitions: u32,
}

impl Candidates {
    /// Empties the batch, which is then for states of this store.
    pub fn reset(&mut self, store: &StateStore) {
        self.width = store.layout().n_words();
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
            if !recent.has_seen(&words, identity) {
                self.words.extend_from_slice(&words);
                self.push_head(identity, parent, successor);
            }
        }
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
            if !recent.has_seen(&words, identity) {
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
        self.entries.clear();
        self.entries.extend(self.heads.iter().map(|head| store.glance(head.identity)));
        let words = self.words.chunks_exact(self.width);
        for ((head, entry), words) in self.heads.iter_mut().zip(&self.entries).zip(words) {
            head.known = store.is_at(*entry, words, head.identity).unwrap_or(StateIndex::NONE);
        }
    }

    /// Forgets the candidates that the store knows already; transitions stay counted.
    pub fn drop_known(&mut self, store: &StateStore) {
        self.sift(store);
        let width = self.width;
        let mut kept = 0;
        let mut terminals = self.terminals.iter_mut().peekable();
        for position in 0..self.heads.len() {
            while let Some(terminal) = terminals.next_if(|t| t.position <= position) {
                terminal.position = kept;
            }
            let head = self.heads[position];
            let (start, end) = (position * width, (position + 1) * width);
            let words = &self.words[start..end];
            let is_new = head.known.is_none() && store.find(words, head.identity).is_none();
            if is_new {
                self.words.copy_within(start..end, kept * width);
                self.heads[kept] = head;
                kept += 1;
            }
        }
        terminals.for_each(|terminal| terminal.position = kept);
        self.heads.truncate(kept);
        self.words.truncate(kept * width);
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

    pub fn terminals(&self) -> &[Terminal] {
        &self.terminals
    }

    /// Ids that did not fit; if there are any, the batch is worthless until the store is widened.
    pub fn misfits(&self) -> &[Misfit] {
        &self.misfits
    }

    /// All transitions of the batch: loops and known successors too.
    pub fn n_transitions(&self) -> u32 {
        self.n_transitions
    }

    pub fn bytes(&self) -> usize {
        (self.words.capacity() + self.entries.capacity()) * size_of::<u64>()
            + self.heads.capacity() * size_of::<Head>()
    }
}
