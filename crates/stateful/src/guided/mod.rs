//! Guided search: phases, each starting from what the one before found.
//! Why: a bug thirty steps deep is out of reach of plain breadth-first search, but people know the way there: "a leader
//! is elected; then it crashes; then two clients write". Each sentence is a phase: a few events chosen by hand, or a
//! search for a goal with its own prunes, filter, limits and strategy. (DSLabs calls this punctuated search.)
//! The path that is reported is whole: from the initial state through all phases.
//! Invariant: a guide never says `Holds`, since it leaves out on purpose whatever its phases do not reach; and a goal that
//! was not found is no violation, since another way may lead there. Only a property that fails is one.

mod run;
mod script;

pub use foresee_stdx::matches_pattern;
pub use run::run_guide;
pub use script::{Chooser, Step};

use crate::{Allow, BrokenProperty, Report, Score, Strategy};
use foresee_lts::{Guidance, Path, Predicate, Property, StoppedBy, Verdict, Violation};
use foresee_search::{Limits, VisitedKind};
use std::fmt;

/// One part of the way: first the script, then the search for the goal.
#[derive(Clone, Default)]
pub struct Phase {
    pub name: String,
    /// Events chosen by hand, taken one after the other before the search.
    pub script: Vec<Step>,
    /// What to look for. Without a goal: with a script, only the script; else everything is explored.
    pub goal: Option<Predicate>,
    /// From how many goal states the next phase starts, at most; 0 is 1.
    pub goals_max: usize,
    pub prunes: Vec<Predicate>,
    pub invariants: Vec<Predicate>,
    pub allow: Option<Allow>,
    pub limits: Limits,
    pub strategy: Strategy,
    pub score: Option<Score>,
}

impl Phase {
    pub fn new(name: impl Into<String>) -> Self {
        Phase { name: name.into(), ..Phase::default() }
    }

    #[must_use]
    pub fn goal(mut self, goal: Predicate) -> Self {
        self.goal = Some(goal);
        self
    }

    /// Lets the next phase start from up to `n` goal states.
    #[must_use]
    pub fn goals_max(mut self, n: usize) -> Self {
        self.goals_max = n;
        self
    }

    #[must_use]
    pub fn prune(mut self, prune: Predicate) -> Self {
        self.prunes.push(prune);
        self
    }

    #[must_use]
    pub fn invariant(mut self, invariant: Predicate) -> Self {
        self.invariants.push(invariant);
        self
    }

    #[must_use]
    pub fn allow(mut self, allow: Allow) -> Self {
        self.allow = Some(allow);
        self
    }

    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Adds an event to the script: the first enabled one whose label matches; `*` stands for any text.
    #[must_use]
    pub fn step(mut self, pattern: impl Into<String>) -> Self {
        self.script.push(Step::Label(pattern.into()));
        self
    }
}

/// A search in phases.
///
/// ```
/// use foresee_lts::{Predicate, Reads, StoppedBy, Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent};
/// use foresee_stateful::{Guide, Phase, run_guide};
/// let is = |slot: usize, value: u32| {
///     Predicate::new(format!("{slot} is {value}"), Reads::slots([slot]), move |s, _| s[slot] == value)
/// };
/// let guide = Guide::new([
///     Phase::new("warm up").step("step counter3 *"),
///     Phase::new("first").goal(is(0, 5)),
///     Phase::new("second").goal(is(1, 4)).prune(is(0, 6)),
/// ]);
/// let report = run_guide(&Counters::new(3, 9), &guide, &NoMeter, &mut Silent);
/// assert_eq!(report.paths[0].actions.len(), 1 + 5 + 4);
/// // Nothing wrong was found on this way; of other ways nothing is said.
/// assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Guide));
/// ```
#[derive(Clone, Default)]
pub struct Guide {
    pub phases: Vec<Phase>,
    /// Must hold in every phase.
    pub properties: Vec<Property>,
    /// Hold back in every phase.
    pub prunes: Vec<Predicate>,
    /// Threads for breadth-first phases; 0 is 1.
    pub threads: usize,
    pub seed: u64,
    pub visited: VisitedKind,
    /// Beside those of each phase: the time is that of all phases together, the others apply to each.
    pub limits: Limits,
}

/// So that a registry of systems can keep guides for an engine that it does not know.
impl Guidance for Guide {}

impl Guide {
    pub fn new(phases: impl IntoIterator<Item = Phase>) -> Self {
        Guide { phases: phases.into_iter().collect(), ..Guide::default() }
    }
}

/// What became of a guided search.
#[derive(Clone, Debug)]
pub struct GuideReport {
    /// `Violated`: a property was, in some phase. Otherwise `Inconclusive`, by `Guide`: all phases did what they should and
    /// nothing wrong was found in them; by `Goal`: a phase did not find its goal, or could not take a step of its script; by a
    /// limit: it ended a phase before its goal was found, or the last search before its end. Never `Holds`.
    pub verdict: Verdict,
    /// Runs from the initial state to where the last phase that succeeded ended.
    pub paths: Vec<Path>,
    /// Properties that fail in some phase.
    pub violations: Vec<Violation>,
    /// Reachable properties that were reached in some phase, with the way there. That one was not reached says nothing.
    pub reached: Vec<(String, Path)>,
    /// The phases begun, in order.
    pub phases: Vec<PhaseReport>,
    /// Which phase failed, and how.
    pub failed: Option<(String, PhaseFailure)>,
    pub broken_property: Option<BrokenProperty>,
}

/// What one phase did.
#[derive(Clone, Debug)]
pub struct PhaseReport {
    pub name: String,
    /// From how many states it started.
    pub starts: usize,
    /// How many it handed on.
    pub found: usize,
    /// The search, if the script did not end the phase.
    pub search: Option<Report>,
}

/// Why a phase did not do what it should.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PhaseFailure {
    /// Everything that the phase allows was explored and the goal holds nowhere in it.
    Exhausted { goal: String },
    /// This limit was reached before the goal.
    Limit(StoppedBy),
    /// No event matches a step of the script.
    Stuck { step: usize, wanted: String, enabled: Vec<String> },
    /// A property was violated.
    Violation,
    /// A closure of the user panicked.
    Broken,
}

impl PhaseFailure {
    /// What is said of a search that failed like this.
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            PhaseFailure::Exhausted { .. } | PhaseFailure::Stuck { .. } => {
                Verdict::Inconclusive(StoppedBy::Goal)
            }
            PhaseFailure::Limit(limit) => Verdict::Inconclusive(*limit),
            PhaseFailure::Violation => Verdict::Violated,
            PhaseFailure::Broken => Verdict::Error,
        }
    }
}

impl fmt::Display for PhaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhaseFailure::Exhausted { goal } => {
                write!(f, "goal not found: `{goal}` holds nowhere within the phase")
            }
            PhaseFailure::Limit(limit) => write!(f, "the limit on {} was reached", limit.word()),
            PhaseFailure::Stuck { step, wanted, enabled } => write!(
                f,
                "goal not found: no event matches step {} of the script, `{wanted}`; enabled: {}",
                step + 1,
                enabled.join(", ")
            ),
            PhaseFailure::Violation => f.write_str("a property was violated"),
            PhaseFailure::Broken => f.write_str("a closure panicked"),
        }
    }
}
