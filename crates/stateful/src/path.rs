//! From a state back to the run that leads to it.
//! The store keeps only each state's parent; which action led from one to the other is found by expanding the parent
//! again and taking the first successor that is the child. It costs nothing while searching.

use crate::engine::Engine;
use crate::expander::Expander;
use crate::local::Collapse;
use crate::quotient;
use foresee_lts::{Action, Path, Renamer, State, content_hash_of};
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
        let mut expander = Expander::of_runs(self.system, self.config);
        let mut renamer = quotient::symmetry(self.system, self.config).map(|it| it.renamer());
        let mut here = start.state.clone();
        here.resize(self.store.layout().n_slots().max(here.len()), 0);
        for pair in chain.windows(2) {
            let renamer = renamer.as_deref_mut();
            let found = self.step_to(&mut expander, renamer, &here, (pair[0], pair[1]));
            let Some((actions, next)) = found else {
                let message = "an event seen before cannot be found again".to_owned();
                return Err(Lost { path, message });
            };
            path.actions.extend(actions);
            here = next;
        }
        Ok(path)
    }

    /// How local steps are taken at once, if they are.
    pub(crate) fn collapse(&self) -> Option<Collapse<'_>> {
        Collapse::new(self.system, self.shared.as_ref()?)
    }

    /// The state that stands for `state` in this search.
    pub(crate) fn representative(&self, state: &[u32]) -> State {
        match quotient::symmetry(self.system, self.config) {
            Some(symmetry) => symmetry.renamer().representative(state),
            None => state.to_vec(),
        }
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
        mut renamer: Option<&mut (dyn Renamer + '_)>,
        here: &[u32],
        (from, to): (StateIndex, StateIndex),
    ) -> Option<(Vec<Action>, State)> {
        let mut collapse = self.collapse();
        let mut wanted = Vec::new();
        if self.store.kind() == VisitedKind::Exact {
            self.store.decode(to, &mut wanted);
        }
        let successors = expander.successors_of(here).ok()?;
        for successor in successors.iter() {
            let mut next = here.to_vec();
            successors.apply(successor, &mut next);
            let mut actions = vec![successor.action];
            if let (Some(collapse), false) = (&mut collapse, successor.faulty) {
                collapse.settle(&mut next, &mut actions);
            }
            let is_child = match self.store.kind() {
                _ if renamer.is_some() => {
                    let known = renamer.as_mut().map(|it| it.representative(&next));
                    let known = known.unwrap_or_default();
                    match self.store.kind() {
                        VisitedKind::Exact => same_state(&known, &wanted),
                        VisitedKind::Fingerprint => {
                            content_hash_of(self.system, &known) == self.store.fingerprint(to)
                        }
                    }
                }
                VisitedKind::Exact => same_state(&next, &wanted),
                VisitedKind::Fingerprint if collapse.is_some() => {
                    content_hash_of(self.system, &next) == self.store.fingerprint(to)
                }
                VisitedKind::Fingerprint => {
                    let fingerprint = self.store.fingerprint(from);
                    fingerprint.wrapping_add(successor.hash_delta) == self.store.fingerprint(to)
                }
            };
            if is_child {
                return Some((actions, next));
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
