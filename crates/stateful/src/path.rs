//! From a state back to the run that leads to it.
//! The store keeps only each state's parent; which action led from one to the other is found by expanding the parent
//! again and taking the first successor that is the child. It costs nothing while searching.

use crate::engine::Engine;
use crate::expander::Expander;
use foresee_lts::Path;
use foresee_search::{StateIndex, VisitedKind};

/// A run that cannot be followed to its end: the system is not deterministic.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// As far as it could be followed.
    pub(crate) path: Path,
    pub(crate) message: String,
}

impl Engine<'_> {
    /// The run from where it all began to `state`.
    pub(crate) fn path_to(&self, state: StateIndex) -> Result<Path, Lost> {
        let chain = self.chain_to(state);
        let start = &self.starts[chain[0].0 as usize];
        let mut path = start.path.clone();
        let mut expander = Expander::new(self.system, self.config);
        let mut here = start.state.clone();
        here.resize(self.store.layout().n_slots().max(here.len()), 0);
        for pair in chain.windows(2) {
            let found = self.step_to(&mut expander, &here, (pair[0], pair[1]));
            let Some((action, next)) = found else {
                let message = "an event seen before cannot be found again".to_owned();
                return Err(Lost { path, message });
            };
            path.actions.push(action);
            here = next;
        }
        Ok(path)
    }

    /// The states from the start to `state`, by parent links.
    fn chain_to(&self, state: StateIndex) -> Vec<StateIndex> {
        let mut chain = vec![state];
        loop {
            let parent = self.store.parent(*chain.last().expect("never empty"));
            if parent.is_none() {
                chain.reverse();
                return chain;
            }
            chain.push(parent);
        }
    }

    /// The first action that leads from one state to the other.
    fn step_to(
        &self,
        expander: &mut Expander<'_>,
        here: &[u32],
        (from, to): (StateIndex, StateIndex),
    ) -> Option<(foresee_lts::Action, Vec<u32>)> {
        let mut wanted = Vec::new();
        if self.store.kind() == VisitedKind::Exact {
            self.store.decode(to, &mut wanted);
        }
        let successors = expander.successors_of(here).ok()?;
        for successor in successors.iter() {
            let mut next = here.to_vec();
            successors.apply(successor, &mut next);
            let is_child = match self.store.kind() {
                VisitedKind::Exact => same_state(&next, &wanted),
                VisitedKind::Fingerprint => {
                    let fingerprint = self.store.fingerprint(from);
                    fingerprint.wrapping_add(successor.hash_delta) == self.store.fingerprint(to)
                }
            };
            if is_child {
                return Some((successor.action, next));
            }
        }
        None
    }
}

/// Whether two states are equal, a missing slot being one with id 0.
pub(crate) fn same_state(a: &[u32], b: &[u32]) -> bool {
    let common = a.len().min(b.len());
    a[..common] == b[..common] && a[common..].iter().chain(&b[common..]).all(|id| *id == 0)
}
