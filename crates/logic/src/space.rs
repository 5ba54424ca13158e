//! The part of a system seen so far: states numbered as they are found, successors by number.
//! Why: generating and solving both need every transition, loops and known targets too, which the engines' batches of
//! candidates leave out.

use foresee_lts::{Action, State, Successors, System, content_hash_of};
use foresee_search::{Inserted, Limits, Misfit, StateIndex, StateStore, VisitedKind};

/// One transition found: the action and the number of its target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) action: Action,
    pub(crate) target: u32,
}

/// No more states may be taken in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// The explored part of a system.
pub(crate) struct Space<'a> {
    system: &'a dyn System,
    explorer: Box<dyn foresee_lts::Explorer + 'a>,
    store: StateStore,
    slots: State,
    words: Vec<u64>,
    successors: Successors,
    ids: Vec<Misfit>,
    found: Vec<Found>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(system: &'a dyn System, limits: &Limits) -> Self {
        Space {
            system,
            explorer: system.explorer(),
            store: StateStore::new(VisitedKind::Exact, limits.states_max),
            slots: State::new(),
            words: Vec::new(),
            successors: Successors::default(),
            ids: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes in the initial states; each once, with its number.
    pub(crate) fn start(&mut self) -> Result<Vec<(u32, State)>, Full> {
        let mut starts: Vec<(u32, State)> = Vec::new();
        for state in self.system.initial() {
            let number = self.take_in(&state)?;
            if !starts.iter().any(|(known, _)| *known == number) {
                starts.push((number, state));
            }
        }
        assert!(!starts.is_empty(), "a system starts somewhere");
        Ok(starts)
    }

    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// The slots of a state.
    pub(crate) fn state(&self, number: u32) -> State {
        let mut slots = State::new();
        self.store.decode(StateIndex(number), &mut slots);
        slots
    }

    /// The slots of the state that was expanded last.
    pub(crate) fn expanded(&self) -> &[u32] {
        &self.slots
    }

    /// What the last expansion found.
    pub(crate) fn found(&self) -> &[Found] {
        &self.found
    }

    /// Finds the successors of a state, in order. With `Full`, `found` has those before the first that found no room.
    pub(crate) fn expand(&mut self, number: u32) -> Result<(), Full> {
        let parent = StateIndex(number);
        self.store.decode(parent, &mut self.slots);
        self.explorer.expand(&self.slots, &mut self.successors);
        if cfg!(debug_assertions) && number.is_multiple_of(64) {
            self.successors.assert_consistent(self.system, &self.slots);
        }
        self.make_room();
        self.found.clear();
        for successor in self.successors.iter() {
            self.words.clear();
            self.words.extend_from_slice(self.store.words(parent));
            for change in self.successors.changes(successor) {
                let fits = self.store.layout().patch(&mut self.words, change.slot, change.id);
                assert!(fits, "room was made");
            }
            let identity = self.store.identity(&self.words, 0);
            let target = match self.store.insert(&self.words, identity, parent) {
                Inserted::New(index) | Inserted::Known(index) => index.0,
                Inserted::Full => return Err(Full),
            };
            self.found.push(Found { action: successor.action, target });
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.store.bytes() + self.explorer.memory_bytes() + self.system.memory_bytes()
    }

    /// Sees to it that every successor just found fits.
    fn make_room(&mut self) {
        let successors = &self.successors;
        let changes = successors.iter().flat_map(|successor| successors.changes(successor));
        self.ids.clear();
        self.ids.extend(changes.map(|change| Misfit { slot: change.slot, id: change.id }));
        make_room_for(&mut self.store, &self.ids);
    }

    fn take_in(&mut self, state: &[u32]) -> Result<u32, Full> {
        let ids: Vec<_> = (0u32..).zip(state).map(|(slot, id)| Misfit { slot, id: *id }).collect();
        make_room_for(&mut self.store, &ids);
        let mut words = vec![0; self.store.layout().n_words()];
        let fits = self.store.layout().encode(state, &mut words);
        assert!(fits, "room was made");
        let identity = self.store.identity(&words, content_hash_of(self.system, state));
        match self.store.insert(&words, identity, StateIndex::NONE) {
            Inserted::New(index) | Inserted::Known(index) => Ok(index.0),
            Inserted::Full => Err(Full),
        }
    }
}

/// Widens the store's layout if one of the ids does not fit, and then for all of them: one that fits in bits left over,
/// and that no state in the store has, would else have no claim to its bits in the new layout.
fn make_room_for(store: &mut StateStore, ids: &[Misfit]) {
    let layout = store.layout();
    let mut scratch = vec![0; layout.n_words()];
    if !ids.iter().all(|one| layout.patch(&mut scratch, one.slot, one.id)) {
        store.widen(ids);
    }
}
