//! Scripts: events chosen by hand.

use super::{PhaseFailure, matches_pattern};
use crate::start::end_of;
use foresee_lts::{Action, Label, Path, State, System};
use std::sync::Arc;

/// Says whether an event is the one that is meant.
pub type Chooser = Arc<dyn Fn(&[u32], Action, &Label) -> bool + Send + Sync>;

/// One event of a script: the first enabled one that fits.
#[derive(Clone)]
pub enum Step {
    /// Its label matches this pattern (see [`matches_pattern`]).
    Label(String),
    /// This closure says so; the text names it in messages.
    Choose(String, Chooser),
}

impl Step {
    fn wanted(&self) -> &str {
        match self {
            Step::Label(text) | Step::Choose(text, _) => text,
        }
    }

    fn fits(&self, state: &[u32], action: Action, label: &Label) -> bool {
        match self {
            Step::Label(pattern) => matches_pattern(pattern, &label.to_string()),
            Step::Choose(_, choose) => choose(state, action, label),
        }
    }
}

/// A run to which steps are added.
pub(super) struct Scripted<'a> {
    system: &'a dyn System,
    path: Path,
    state: State,
}

impl<'a> Scripted<'a> {
    pub(super) fn new(system: &'a dyn System, path: Path) -> Self {
        let state = end_of(system, &path);
        Scripted { system, path, state }
    }

    /// Takes the first enabled event that fits `step`.
    pub(super) fn take(&mut self, number: usize, step: &Step) -> Result<(), PhaseFailure> {
        let mut actions = Vec::new();
        self.system.enabled(&self.state, &mut actions);
        let label = |action: Action| self.system.label(&self.state, action);
        let chosen =
            actions.iter().copied().find(|action| step.fits(&self.state, *action, &label(*action)));
        let Some(action) = chosen else {
            return Err(PhaseFailure::Stuck {
                step: number,
                wanted: step.wanted().to_owned(),
                enabled: actions.iter().map(|action| label(*action).to_string()).collect(),
            });
        };
        self.state = self.system.step(&self.state, action);
        self.path.actions.push(action);
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn into_path(self) -> Path {
        self.path
    }
}
