//! Findings: violations, goals and reached properties, each with its run, checked before it is believed.
//! Why: a report that does not replay is worse than none. Every run is stepped again through `System::step`, and what it
//! is said to show is evaluated on the state where it ends; if that fails, the system is not deterministic, and that
//! is what is reported.

use crate::engine::{Engine, Stop};
use crate::monitor::{Role, quietly};
use crate::path::{Lost, same_state};
use crate::{BrokenProperty, start};
use foresee_lts::{Path, State, Violation, ViolationKind};
use foresee_search::{StateIndex, VisitedKind};

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) violations: Vec<Violation>,
    pub(crate) goals: Vec<(String, Path)>,
    pub(crate) reached: Vec<(String, Path)>,
    pub(crate) broken: Option<BrokenProperty>,
    deadlock_reported: bool,
}

/// What is wrong with a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cause {
    /// An invariant, by the number of its watch.
    Watch(usize),
    /// The state is broken in itself.
    Fault,
    /// Nothing can happen.
    Deadlock,
}

impl Findings {
    pub(crate) fn has_deadlock(&self) -> bool {
        self.deadlock_reported
    }
}

impl Engine<'_> {
    pub(crate) fn report_deadlock(&mut self, state: StateIndex) {
        if !std::mem::replace(&mut self.findings.deadlock_reported, true) {
            self.report_violation(state, Cause::Deadlock);
        }
    }

    pub(crate) fn report_violation(&mut self, state: StateIndex, cause: Cause) {
        if cause == Cause::Fault && self.is_known_fault(state) {
            return;
        }
        let violation = match self.path_to(state) {
            Ok(path) => self.confirm(state, cause, path),
            Err(lost) => nondeterministic(lost),
        };
        if let Cause::Watch(watch) = cause {
            self.monitor.retire(watch);
        }
        self.findings.violations.push(violation);
        self.tell_violation();
        if !self.config.keep_going {
            self.stop(Stop::Violation);
        }
    }

    pub(crate) fn report_reached(&mut self, state: StateIndex, watch: usize) {
        self.monitor.retire(watch);
        if let Some(found) = self.named_path(state, watch) {
            self.findings.reached.push(found);
        }
    }

    pub(crate) fn report_goal(&mut self, state: StateIndex, watch: usize) {
        if let Some(found) = self.named_path(state, watch) {
            self.findings.goals.push(found);
        }
        if self.findings.goals.len() >= self.config.goals_max.max(1) {
            self.stop(Stop::Goal);
        }
    }

    /// After everything was explored: what should be reachable and was not is a violation.
    pub(crate) fn report_unreached(&mut self) {
        let unreached: Vec<usize> = self.monitor.active(Role::Reachable).collect();
        let initial = self.starts.first().map(|start| start.path.initial.clone());
        for watch in unreached {
            let name = self.monitor.predicate(watch).name().to_owned();
            self.findings.violations.push(Violation {
                kind: ViolationKind::Property,
                message: format!("`{name}` is not reached in any state"),
                property: Some(name),
                path: Path { initial: initial.clone().unwrap_or_default(), actions: Vec::new() },
            });
            self.tell_violation();
        }
    }

    /// The run to a state in which a goal or reachable property holds; a violation is recorded if it does not replay.
    fn named_path(&mut self, state: StateIndex, watch: usize) -> Option<(String, Path)> {
        let name = self.monitor.predicate(watch).name().to_owned();
        let checked = self.path_to(state).and_then(|path| {
            let end = self.replay(state, &path)?;
            match quietly(|| self.monitor.predicate(watch).holds(&end)) {
                Ok(true) => Ok(path),
                _ => Err(Lost { path, message: changed_its_mind(&name) }),
            }
        });
        match checked {
            Ok(path) => Some((name, path)),
            Err(lost) => {
                self.findings.violations.push(nondeterministic(lost));
                self.tell_violation();
                self.stop(Stop::Violation);
                None
            }
        }
    }

    /// Replays a run and evaluates once more what is wrong at its end.
    fn confirm(&self, state: StateIndex, cause: Cause, path: Path) -> Violation {
        let end = match self.replay(state, &path) {
            Ok(end) => end,
            Err(lost) => return nondeterministic(lost),
        };
        let confirmed = match cause {
            Cause::Watch(watch) => self.confirm_invariant(watch, &end),
            Cause::Fault => match self.system.fault(&end) {
                Some(fault) => Ok((fault.kind.into(), None, fault.message)),
                None => {
                    Err("a step leads to a fault that the state itself does not show".to_owned())
                }
            },
            Cause::Deadlock => {
                let mut actions = Vec::new();
                self.system.enabled(&end, &mut actions);
                let message = "nothing can happen in this state".to_owned();
                match actions.is_empty() {
                    true => Ok((ViolationKind::Deadlock, None, message)),
                    false => Err("actions are enabled in a state that had none before".to_owned()),
                }
            }
        };
        match confirmed {
            Ok((kind, property, message)) => Violation { kind, property, message, path },
            Err(message) => nondeterministic(Lost { path, message }),
        }
    }

    fn confirm_invariant(
        &self,
        watch: usize,
        end: &[u32],
    ) -> Result<(ViolationKind, Option<String>, String), String> {
        let predicate = self.monitor.predicate(watch);
        let name = predicate.name().to_owned();
        match quietly(|| predicate.holds(end)) {
            Ok(false) => {
                let why = quietly(|| predicate.explain(end)).unwrap_or_default();
                let message = if why.is_empty() { format!("`{name}` does not hold") } else { why };
                Ok((ViolationKind::Invariant, Some(name), message))
            }
            _ => Err(changed_its_mind(&name)),
        }
    }

    /// Steps a run again; the state where it ends must be the one that was found.
    fn replay(&self, state: StateIndex, path: &Path) -> Result<State, Lost> {
        let end = start::end_of(self.system, path);
        let mut found = Vec::new();
        self.store.decode(state, &mut found);
        if same_state(&self.representative(&end), &found)
            || self.store.kind() == VisitedKind::Fingerprint
        {
            return Ok(end);
        }
        let message = "stepping the same actions again leads to another state".to_owned();
        Err(Lost { path: path.clone(), message })
    }

    fn is_known_fault(&self, state: StateIndex) -> bool {
        if self.findings.violations.is_empty() {
            return false;
        }
        let mut slots = Vec::new();
        self.store.decode(state, &mut slots);
        self.has_fault_of(&slots)
    }

    /// Whether the fault of a state was reported already.
    pub(crate) fn has_fault_of(&self, state: &[u32]) -> bool {
        let Some(fault) = self.system.fault(state) else { return false };
        let same = |v: &Violation| v.kind == fault.kind.into() && v.message == fault.message;
        self.findings.violations.iter().any(same)
    }
}

fn changed_its_mind(name: &str) -> String {
    format!("`{name}` gave another answer when it was asked again about the same state")
}

fn nondeterministic(lost: Lost) -> Violation {
    Violation {
        kind: ViolationKind::Nondeterminism,
        property: None,
        message: lost.message,
        path: lost.path,
    }
}
