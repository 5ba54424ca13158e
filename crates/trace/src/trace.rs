//! `Trace`: a run as data that outlives the system instance that made it.
//! Why labels and not actions: an action holds ids of interned components. Words survive a rebuild and most changes of code.

use crate::{Run, RunEvent, Story};
pub use foresee_lts::Finding;
use foresee_lts::{Label, Path, System, Violation};
use serde::{Deserialize, Serialize};

/// A recorded run, what was set when it was found, and what is wrong at its end.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::Trace;
/// let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1)] };
/// let trace = Trace::record(&Counters::new(2, 3), &path).with_option("strategy", "bfs").with_seed(7);
/// assert_eq!(trace.system, "counters n=2 max=3");
/// assert_eq!(trace.events[1].label.to_string(), "step counter2 increment");
/// assert_eq!(Trace::parse(&trace.to_string()).unwrap(), trace);
/// ```
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Trace {
    /// The version of the format; see [`Trace::VERSION`].
    pub version: u32,
    /// The system's name with its parameters, as the user types it.
    pub system: String,
    /// What kind of system it is, in one word (`nodes`, `erlang`); empty in traces that were written before there was such a
    /// line. What the words mean is known to those who load systems.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Which of the system's initial states the run starts in, from 0.
    #[serde(default)]
    pub initial: usize,
    /// The options of the search, in the order they were given.
    pub options: Vec<(String, String)>,
    pub seed: u64,
    /// What is wrong at the end of the run; `None` for a run that is only a run.
    pub violation: Option<Finding>,
    pub events: Vec<Event>,
}

/// One event of a run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Event {
    pub label: Label,
    /// Which of the enabled actions with this label it was, from 0. Labels are nearly always unique, so nearly always 0.
    #[serde(default)]
    pub choice: usize,
    /// What changed, for the reader; ignored by replay. May have several lines, none of them blank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Event {
    pub fn new(label: Label) -> Self {
        Event { label, choice: 0, note: None }
    }
}

impl Trace {
    /// The version that is written; older ones are read.
    pub const VERSION: u32 = 1;

    /// A trace without events.
    pub fn new(system: impl Into<String>) -> Self {
        Trace { version: Trace::VERSION, system: system.into(), ..Trace::default() }
    }

    /// Writes down a path of `system`, each event with a note of what it changed.
    ///
    /// The path must start in one of the system's initial states (otherwise the trace says it starts in the first).
    pub fn record(system: &dyn System, path: &Path) -> Self {
        let run = Run::of(system, path);
        Trace::labelled(&run).with_notes(run.story())
    }

    /// Writes down the events of a run by their labels alone, which is all that a replay needs.
    pub fn labelled(run: &Run<'_>) -> Self {
        let (system, path) = (run.system(), run.path());
        let initial = system.initial();
        let mut trace = Trace::new(system.name());
        trace.initial = initial.iter().position(|state| *state == path.initial).unwrap_or(0);
        let event = |RunEvent { label, choice }| Event { label, choice, note: None };
        trace.events = run.events().iter().cloned().map(event).collect();
        trace
    }

    /// Notes beside each event what it changed.
    #[must_use]
    pub fn with_notes(mut self, story: &Story) -> Self {
        for (event, step) in self.events.iter_mut().zip(&story.steps) {
            event.note = step.note();
        }
        self
    }

    /// Writes down a violation with the path that leads to it.
    pub fn of_violation(system: &dyn System, violation: &Violation) -> Self {
        Trace::record(system, &violation.path).with_violation(Finding::from(violation))
    }

    #[must_use]
    pub fn with_violation(mut self, finding: Finding) -> Self {
        self.violation = Some(finding);
        self
    }

    #[must_use]
    pub fn with_option(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((key.into(), value.into()));
        self
    }

    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The value of an option, if the trace has it.
    pub fn option(&self, key: &str) -> Option<&str> {
        let found = self.options.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }
}
