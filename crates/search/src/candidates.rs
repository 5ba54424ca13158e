//! Candidates: the successors of a few states, packed, on their way into the store.
//! Why: looking up one successor at a time waits for memory each time. Collected first, their look-ups overlap: a pass
//! that only reads the index entries, one that only reads the states behind them, then the decisions in order.

use crate::{Misfit, StateIndex, StateStore};
use foresee_lts::{Successor, Successors};

/// What is known of one candidate besides its words.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// What the store finds it by.
    pub identity: u64,
    pub parent: StateIndex,
    /// How many transitions of the batch come before this one.
    pub ordinal: u32,
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

    /// Adds all successors of `parent`.
    pub fn extend(&mut self, store: &StateStore, parent: StateIndex, successors: &Successors) {
        let words = store.words(parent);
        let fingerprint = store.fingerprint(parent);
        for successor in successors.iter() {
            self.add(store, (parent, words, fingerprint), successors, successor);
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
        let from = (parent, store.words(parent), store.fingerprint(parent));
        self.add(store, from, successors, successor);
    }

    #[inline]
    fn add(
        &mut self,
        store: &StateStore,
        (parent, parent_words, parent_fingerprint): (StateIndex, &[u64], u64),
        successors: &Successors,
        successor: &Successor,
    ) {
        let ordinal = self.n_transitions;
        self.n_transitions += 1;
        let changes = successors.changes(successor);
        if changes.is_empty() {
            return; // a loop at the state: counted, and known
        }
        let layout = store.layout();
        let start = self.words.len();
        self.words.extend_from_slice(parent_words);
        let words = &mut self.words[start..];
        for change in changes {
            if !layout.patch(words, change.slot, change.id) {
                self.misfits.push(Misfit { slot: change.slot, id: change.id });
            }
        }
        let fingerprint = parent_fingerprint.wrapping_add(successor.hash_delta);
        let identity = store.identity(words, fingerprint);
        self.heads.push(Head { identity, parent, ordinal, faulty: successor.faulty });
    }

    /// Notes that nothing can happen in `state`.
    pub fn push_terminal(&mut self, state: StateIndex) {
        self.terminals.push(Terminal {
            state,
            position: self.heads.len(),
            ordinal: self.n_transitions,
        });
    }

    /// Reads what [`StateStore::insert`] will read for each candidate, so that the waits for memory overlap.
    pub fn touch(&self, store: &StateStore) {
        let mut sum = 0u64;
        for head in &self.heads {
            sum = sum.wrapping_add(store.touch_index(head.identity));
        }
        for head in &self.heads {
            sum = sum.wrapping_add(store.touch(head.identity));
        }
        std::hint::black_box(sum);
    }

    /// Forgets the candidates that the store knows already; transitions stay counted.
    pub fn drop_known(&mut self, store: &StateStore) {
        let mut kept = 0;
        let mut terminals = self.terminals.iter_mut().peekable();
        for position in 0..self.heads.len() {
            while let Some(terminal) = terminals.next_if(|t| t.position <= position) {
                terminal.position = kept;
            }
            let head = self.heads[position];
            let (start, end) = (position * self.width, (position + 1) * self.width);
            if store.find(&self.words[start..end], head.identity).is_none() {
                self.words.copy_within(start..end, kept * self.width);
                self.heads[kept] = head;
                kept += 1;
            }
        }
        terminals.for_each(|terminal| terminal.position = kept);
        self.heads.truncate(kept);
        self.words.truncate(kept * self.width);
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
        self.words.capacity() * size_of::<u64>() + self.heads.capacity() * size_of::<Head>()
    }
}
