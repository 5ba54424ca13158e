//! Where a search starts: the initial states, or the ends of given runs.

use crate::engine::{Engine, Order};
use foresee_lts::{Path, State, System, content_hash_of};
use foresee_search::{Inserted, StateIndex};

/// A state where the search starts and the run that leads there.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) path: Path,
    pub(crate) state: State,
}

impl Engine<'_> {
    /// Puts the states where the search starts into the store.
    pub(crate) fn start(&mut self, order: &mut impl Order) {
        let starts = self.all_starts();
        assert!(!starts.is_empty(), "a search starts somewhere");
        let layout = self.store.layout();
        let misfits: Vec<_> =
            starts.iter().flat_map(|start| layout.misfits(&start.state)).collect();
        self.store.widen(&misfits);
        let n_slots_min = starts.iter().map(|start| start.state.len()).min().unwrap_or(0);
        for start in starts {
            if self.is_stopped() {
                return;
            }
            let mut start = start;
            self.settle(&mut start);
            let stored = self.representative(&start.state);
            // Making room for one id may take away what was to spare for another.
            loop {
                let misfits = self.store.layout().misfits(&stored);
                if misfits.is_empty() {
                    break;
                }
                self.store.widen(&misfits);
            }
            let mut words = vec![0; self.store.layout().n_words()];
            let fits = self.store.layout().encode(&stored, &mut words);
            assert!(fits, "room was made");
            let fingerprint = fingerprint(self.system, &stored, n_slots_min);
            let identity = self.store.identity(&words, fingerprint);
            let faulty = self.system.fault(&start.state).is_some();
            if let Inserted::New(state) = self.store.insert(&words, identity, StateIndex::NONE) {
                self.starts.push(start);
                self.take_in(state, StateIndex::NONE, faulty, None, order);
            }
        }
    }

    /// Takes the local steps from a start on, if these are taken at once.
    fn settle(&self, start: &mut Start) {
        if let Some(mut collapse) = self.collapse()
            && self.system.fault(&start.state).is_none()
        {
            collapse.settle(&mut start.state, &mut start.path.actions);
        }
    }

    fn all_starts(&self) -> Vec<Start> {
        let end = |path: &Path| Start { path: path.clone(), state: end_of(self.system, path) };
        match &self.config.from {
            Some(paths) => paths.iter().map(end).collect(),
            None => {
                let initial = self.system.initial().into_iter();
                let stay = |state: State| Path { initial: state, actions: Vec::new() };
                initial.map(|state| end(&stay(state))).collect()
            }
        }
    }
}

/// The state at the end of a run.
pub(crate) fn end_of(system: &dyn System, path: &Path) -> State {
    path.actions.iter().fold(path.initial.clone(), |state, action| system.step(&state, *action))
}

/// The content hash under which a missing slot and one with id 0 are the same, for slots from `n_slots_min` on.
/// Differences between states of equal length keep it so.
fn fingerprint(system: &dyn System, state: &[u32], n_slots_min: usize) -> u64 {
    let absent = (n_slots_min..state.len())
        .fold(0u64, |sum, slot| sum.wrapping_add(system.content_hash(slot, 0)));
    content_hash_of(system, state).wrapping_sub(absent)
}
