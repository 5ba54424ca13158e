//! Verdicts: holds, violated, or inconclusive with the name of what stopped us.

use crate::{Action, FaultKind, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The answer of an engine.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was explored and nothing is wrong.
    Holds,
    /// At least one violation was found.
    Violated,
    /// A limit stopped the search before everything was explored, and nothing wrong was found until then.
    Inconclusive(StoppedBy),
    /// The question could not be asked: a property or another closure of the user panicked. Says nothing of the system.
    Error,
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StoppedBy {
    Depth,
    States,
    Interleavings,
    Bound,
    Time,
    Memory,
    Interrupt,
    /// Timers had fired as often as they may.
    Timers,
    /// The disk is full, or its budget is spent.
    Disk,
    /// A phase of a guided search did not find its goal.
    Goal,
    /// The phases of a guided search are done: what lies outside of them was not looked at.
    Guide,
}

impl StoppedBy {
    /// The word in JSON output and messages.
    pub fn word(self) -> &'static str {
        match self {
            StoppedBy::Depth => "depth",
            StoppedBy::States => "states",
            StoppedBy::Interleavings => "interleavings",
            StoppedBy::Bound => "bound",
            StoppedBy::Time => "time",
            StoppedBy::Memory => "memory",
            StoppedBy::Interrupt => "interrupt",
            StoppedBy::Timers => "timers",
            StoppedBy::Disk => "disk",
            StoppedBy::Goal => "goal",
            StoppedBy::Guide => "guide",
        }
    }
}

impl From<foresee_stdx::halt::Cause> for StoppedBy {
    fn from(cause: foresee_stdx::halt::Cause) -> Self {
        match cause {
            foresee_stdx::halt::Cause::Time => StoppedBy::Time,
            foresee_stdx::halt::Cause::Memory => StoppedBy::Memory,
            foresee_stdx::halt::Cause::Interrupt => StoppedBy::Interrupt,
        }
    }
}

/// A run of a system instance: where it starts and what happens. Valid only with the instance that made it; a trace
/// (`foresee-trace`) is the form that lasts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Path {
    pub initial: State,
    pub actions: Vec<Action>,
}

impl Path {
    /// Every state along the path, first and last included.
    pub fn states<S: crate::System + ?Sized>(&self, system: &S) -> Vec<State> {
        let mut states = vec![self.initial.clone()];
        for &action in &self.actions {
            let next = system.step(states.last().expect("never empty"), action);
            states.push(next);
        }
        states
    }
}

/// Which actions may happen in a state: a search's own restriction of a system.
pub type Allow = Arc<dyn Fn(&[u32], Action) -> bool + Send + Sync>;

/// Something wrong with a state: a [`Violation`] without the way that led there.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Finding {
    pub kind: ViolationKind,
    /// The property's name, where there is one.
    pub property: Option<String>,
    /// Why, in the user's words.
    pub message: String,
}

impl Finding {
    /// Whether two findings are about the same thing; messages may differ (they hold values).
    pub fn same_as(&self, other: &Finding) -> bool {
        self.kind == other.kind && self.property == other.property
    }

    /// `invariant agreement`, or only the kind where no property is named.
    pub fn title(&self) -> String {
        match &self.property {
            Some(property) => format!("{} {property}", self.kind.word()),
            None => self.kind.word().to_owned(),
        }
    }
}

impl From<&Violation> for Finding {
    fn from(violation: &Violation) -> Self {
        Finding {
            kind: violation.kind,
            property: violation.property.clone(),
            message: violation.message.trim_end().to_owned(),
        }
    }
}

/// A closure of the user that panicked, and on which state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BrokenProperty {
    /// The name of the property, goal or prune; `score` or `allow` for those.
    pub property: String,
    /// What the panic said.
    pub message: String,
    /// The way to the state on which it panicked.
    pub path: Path,
}

/// Something wrong, and how it comes about.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    pub kind: ViolationKind,
    /// The property's name, where there is one.
    pub property: Option<String>,
    /// Why, in the user's words.
    pub message: String,
    pub path: Path,
}

/// Kinds of violations, named as in the JSON output.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ViolationKind {
    Deadlock,
    AbnormalExit,
    AbnormalHalt,
    Assertion,
    Invariant,
    Property,
    Liveness,
    DepthBound,
    Panic,
    Nondeterminism,
    Unmodelled,
}

impl ViolationKind {
    pub const ALL: [ViolationKind; 11] = [
        ViolationKind::Deadlock,
        ViolationKind::AbnormalExit,
        ViolationKind::AbnormalHalt,
        ViolationKind::Assertion,
        ViolationKind::Invariant,
        ViolationKind::Property,
        ViolationKind::Liveness,
        ViolationKind::DepthBound,
        ViolationKind::Panic,
        ViolationKind::Nondeterminism,
        ViolationKind::Unmodelled,
    ];

    /// The kind with this word.
    ///
    /// ```
    /// use foresee_lts::ViolationKind;
    /// assert!(ViolationKind::ALL.iter().all(|kind| ViolationKind::of_word(kind.word()) == Some(*kind)));
    /// ```
    pub fn of_word(word: &str) -> Option<ViolationKind> {
        ViolationKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The word in JSON output, trace files and messages.
    pub fn word(self) -> &'static str {
        match self {
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::AbnormalExit => "abnormal_exit",
            ViolationKind::AbnormalHalt => "abnormal_halt",
            ViolationKind::Assertion => "assertion",
            ViolationKind::Invariant => "invariant",
            ViolationKind::Property => "property",
            ViolationKind::Liveness => "liveness",
            ViolationKind::DepthBound => "depth_bound",
            ViolationKind::Panic => "panic",
            ViolationKind::Nondeterminism => "nondeterminism",
            ViolationKind::Unmodelled => "unmodelled",
        }
    }
}

impl From<FaultKind> for ViolationKind {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::Panic => ViolationKind::Panic,
            FaultKind::Nondeterminism => ViolationKind::Nondeterminism,
            FaultKind::AbnormalExit => ViolationKind::AbnormalExit,
            FaultKind::Assertion => ViolationKind::Assertion,
            FaultKind::AbnormalHalt => ViolationKind::AbnormalHalt,
            FaultKind::Unmodelled => ViolationKind::Unmodelled,
        }
    }
}
