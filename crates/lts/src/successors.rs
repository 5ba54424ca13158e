//! Successors as differences: what a state can become, without building it.
//! Why: on most systems nine of ten successors are already known. A duplicate should cost a hash and a probe, not a copy.
//! A loop leads nowhere new: whoever only counts transitions may say so ([`Successors::counting_loops`]), and then an explorer
//! that knows how many loops there are need not list them.
//! Invariant: `hash_delta` is the sum of `content_hash(slot, new) - content_hash(slot, old)` over the changed slots,
//! wrapping; `Successors::assert_consistent` checks it.

use crate::{Action, System, system::content_hash_of};

/// A slot and the id it takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Change {
    pub slot: u32,
    pub id: u32,
}

/// One successor: the action and the slots that it changes. No change at all is a loop at the state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Successor {
    pub action: Action,
    pub hash_delta: u64,
    /// The state reached is broken in itself (see [`System::fault`]).
    pub faulty: bool,
    /// How many transitions of the same state come before this one, loops included.
    pub ordinal: u32,
    start: u32,
    end: u32,
}

/// A reusable buffer that an [`Explorer`](crate::Explorer) fills.
///
/// ```
/// use foresee_lts::{Action, Change, Successors};
/// let mut successors = Successors::default();
/// successors.push(Action(1), 99, false, &[Change { slot: 0, id: 4 }]);
/// let successor = successors.iter().next().unwrap();
/// let mut next = vec![3, 8];
/// successors.apply(successor, &mut next);
/// assert_eq!(next, [4, 8]);
/// successors.change(1, 9);
/// successors.finish(Action(2), 98, false);
/// let successor = successors.iter().nth(1).unwrap();
/// assert_eq!(successors.changes(successor), [Change { slot: 1, id: 9 }]);
/// let mut successors = Successors::counting_loops();
/// successors.push(Action(1), 99, false, &[Change { slot: 0, id: 4 }]);
/// successors.add_loops(7);
/// successors.push(Action(2), 98, false, &[Change { slot: 0, id: 5 }]);
/// assert_eq!((successors.len(), successors.n_transitions()), (2, 9));
/// assert_eq!(successors.iter().nth(1).unwrap().ordinal, 8);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Successors {
    entries: Vec<Successor>,
    changes: Vec<Change>,
    /// Where the changes of the next successor start.
    open: u32,
    /// Transitions so far, loops that are only counted included.
    n_transitions: u32,
    counts_loops: bool,
}

impl Successors {
    /// A buffer for those to whom loops are a number: explorers may call [`Successors::add_loops`] instead of listing them.
    pub fn counting_loops() -> Self {
        Successors { counts_loops: true, ..Successors::default() }
    }

    pub fn counts_loops(&self) -> bool {
        self.counts_loops
    }

    pub fn set_counts_loops(&mut self, counts_loops: bool) {
        self.counts_loops = counts_loops;
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.changes.clear();
        self.open = 0;
        self.n_transitions = 0;
    }

    /// Counts `n` loops between the last successor and the next; only where [`Successors::counts_loops`].
    #[inline]
    pub fn add_loops(&mut self, n: u32) {
        debug_assert!(self.counts_loops, "loops are to be listed");
        self.n_transitions += n;
    }

    pub fn push(&mut self, action: Action, hash_delta: u64, faulty: bool, changes: &[Change]) {
        self.changes.extend_from_slice(changes);
        self.finish(action, hash_delta, faulty);
    }

    /// Adds the state that `action` leads to from `state`, as [`System::step`] gives it.
    pub fn push_step<S: System + ?Sized>(
        &mut self,
        system: &S,
        state: &[u32],
        action: Action,
        next: &[u32],
    ) {
        let mut delta = 0u64;
        for slot in 0..next.len().max(state.len()) {
            let (old, new) = (state.get(slot).copied(), next.get(slot).copied().unwrap_or(0));
            if old != Some(new) {
                let before = old.map_or(0, |old| system.content_hash(slot, old));
                let after = system.content_hash(slot, new);
                delta = delta.wrapping_add(after).wrapping_sub(before);
                self.change(slot as u32, new);
            }
        }
        self.finish(action, delta, system.fault(next).is_some());
    }

    /// Adds a change to the successor that the next [`Successors::finish`] completes: `push` in parts, for those who do
    /// not want to collect the changes first.
    #[inline]
    pub fn change(&mut self, slot: u32, id: u32) {
        self.changes.push(Change { slot, id });
    }

    /// Completes a successor from the changes since the last one was completed.
    #[inline]
    pub fn finish(&mut self, action: Action, hash_delta: u64, faulty: bool) {
        let (start, end) = (self.open, self.changes.len() as u32);
        let ordinal = self.n_transitions;
        self.entries.push(Successor { action, hash_delta, faulty, ordinal, start, end });
        self.open = end;
        self.n_transitions += 1;
    }

    /// Looks again at every successor marked as faulty; `is_faulty` gets its changes.
    pub fn review_faults(&mut self, mut is_faulty: impl FnMut(&[Change]) -> bool) {
        for entry in self.entries.iter_mut().filter(|entry| entry.faulty) {
            entry.faulty = is_faulty(&self.changes[entry.start as usize..entry.end as usize]);
        }
    }

    /// How many are listed.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many transitions there are: those listed, and loops that are only counted.
    pub fn n_transitions(&self) -> u32 {
        self.n_transitions
    }

    /// Whether nothing can happen, not even a loop.
    pub fn is_empty(&self) -> bool {
        self.n_transitions == 0
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Successor> {
        self.entries.iter()
    }

    pub fn changes(&self, successor: &Successor) -> &[Change] {
        &self.changes[successor.start as usize..successor.end as usize]
    }

    /// Turns `state`, a copy of the state that was expanded, into the successor.
    pub fn apply(&self, successor: &Successor, state: &mut Vec<u32>) {
        for change in self.changes(successor) {
            let slot = change.slot as usize;
            if slot >= state.len() {
                state.resize(slot + 1, 0);
            }
            state[slot] = change.id;
        }
    }

    /// Keeps only the successors that `keep` accepts.
    ///
    /// # Panics
    /// If there are loops that are only counted: nobody can say which of them to keep.
    pub fn retain(&mut self, mut keep: impl FnMut(&Successor) -> bool) {
        assert_eq!(self.n_transitions as usize, self.entries.len(), "loops must be listed here");
        self.entries.retain(|successor| keep(successor));
        for (entry, ordinal) in self.entries.iter_mut().zip(0..) {
            entry.ordinal = ordinal;
        }
        self.n_transitions = self.entries.len() as u32;
    }

    /// Panics unless every hash difference is what [`System::content_hash`] says.
    pub fn assert_consistent<S: System + ?Sized>(&self, system: &S, state: &[u32]) {
        let before = content_hash_of(system, state);
        for successor in &self.entries {
            let mut next = state.to_vec();
            self.apply(successor, &mut next);
            let after = content_hash_of(system, &next);
            assert_eq!(
                before.wrapping_add(successor.hash_delta),
                after,
                "hash difference of {:?} is wrong",
                successor.action
            );
        }
    }
}
