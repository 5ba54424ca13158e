//! The report of a check: what scripts read as JSON, and beside it what only we can print.
//! Invariant: the JSON has the fields of the documented format in their order; `error` is there only when the check
//! could not be done. What is marked `serde(skip)` is for the edges of this process (the trace to write, the difference
//! that minimisation made).

use crate::front_end::Waits;
use crate::{Diagnostic, Loaded};
use foresee_lts::{Assumption, Claim, Coverage, Label, Raised, StoppedBy, Verdict, ViolationKind};
use foresee_stdx::halt::Halted;
use foresee_trace::{Life, Picture, Race, SpaceTime, Story, StoryStep, Trace, picture};
use serde::Serialize;
use std::sync::Arc;

/// The version of the JSON; fields are added without a new one.
const SCHEMA: u32 = 1;

/// The answer to a check.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub tool: &'static str,
    pub version: &'static str,
    /// The version of this format.
    pub schema: u32,
    pub command: &'static str,
    pub system: String,
    pub engine: &'static str,
    pub strategy: &'static str,
    pub verdict: Outcome,
    pub stopped_by: Option<StoppedBy>,
    /// The phase of a guided search that did not do what it should.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What was looked for: if the verdict is `holds`, none of it goes wrong.
    pub checked: Vec<Claim>,
    /// What the verdict takes for granted.
    pub assumed: Vec<Assumption>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub interleavings: u64,
    pub interleavings_planned: u64,
    pub sleep_set_blocked: u64,
    pub erroneous_interleavings: u64,
    pub violations: Vec<Found>,
    pub warnings: Vec<String>,
    pub seed: u64,
    pub threads: usize,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
    /// Why the check could not be done; set exactly when the verdict is `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Diagnostic>,
    #[serde(skip)]
    pub extras: Extras,
}

/// The four outcomes, named as in JSON.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Holds,
    Violated,
    Inconclusive,
    Error,
}

impl Outcome {
    /// The exit code that goes with it.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Holds => 0,
            Outcome::Violated => 1,
            Outcome::Error => 2,
            Outcome::Inconclusive => 3,
        }
    }

    /// The word in JSON and messages.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Violated => "violated",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Error => "error",
        }
    }
}

/// One violation, with its trace.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub kind: ViolationKind,
    pub property: Option<String>,
    pub message: String,
    pub steps: usize,
    /// Which interleaving showed it, for engines that count them.
    pub interleaving: u64,
    /// The file the trace was written to; the edge fills it in.
    pub trace: Option<String>,
    /// The steps before minimisation.
    #[serde(skip)]
    pub steps_found: usize,
    /// `None` only where there is no run to show: something was never reached.
    #[serde(skip)]
    pub run: Option<Trace>,
    /// The run as a person reads it; `None` also where it could not be shown again.
    #[serde(skip)]
    pub story: Option<Story>,
    /// What stands on the arrows of the run, `None` for internal steps; empty where the question was not about labels.
    #[serde(skip)]
    pub visible: Vec<Option<String>>,
    /// What the run shows beyond its story.
    #[serde(skip)]
    pub details: Details,
}

/// A run from other sides; empty where there is no story.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Who stands where, and which event sent what.
    pub diagram: Option<SpaceTime>,
    /// Pairs of steps whose order could have been the other one.
    pub races: Vec<Race>,
    /// What did not happen in time, where no race of the run decides.
    pub missed: Option<Missed>,
    /// Each member's part, with how it stands at the end.
    pub lives: Vec<Life>,
    /// What a limit left no time for, in words.
    pub cut: Option<String>,
    /// The exception that is what is wrong.
    pub failure: Option<Raised>,
    /// Who waits in vain at the end, where that is what is wrong.
    pub stuck: Vec<Waits>,
    /// How they wait for each other, if they do so in a circle.
    pub circle: Option<String>,
}

/// An event that is not in the run; had it happened before a step of the run, all had gone well.
#[derive(Clone, Debug)]
pub struct Missed {
    /// The number of the step.
    pub before: usize,
    pub label: Label,
}

impl Found {
    /// The space-time diagram of the run, to be put into a page; `id` makes its names unlike those of others there.
    pub fn picture(&self, id: &str) -> Option<String> {
        let (diagram, trace) = (self.details.diagram.as_ref()?, self.run.as_ref()?);
        let races = &self.details.races;
        (!diagram.marks.is_empty()).then(|| picture(&Picture { diagram, trace, races, id }))
    }

    /// How many steps go by before the first that races with another: nothing could have been otherwise in them.
    pub fn quiet_steps(&self) -> usize {
        let first = self.details.races.iter().map(|race| race.first).min();
        first.map_or(0, |first| first - 1)
    }

    /// A violation that no run shows: something was never reached.
    pub fn without_run(kind: ViolationKind, property: Option<String>, message: String) -> Self {
        Found {
            kind,
            property,
            message,
            steps: 0,
            interleaving: 0,
            trace: None,
            steps_found: 0,
            run: None,
            story: None,
            visible: Vec::new(),
            details: Details::default(),
        }
    }
}

/// What the text report says beyond the JSON.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// The properties that were looked at.
    pub properties: Vec<String>,
    /// Those of them that are claimed of every state.
    pub invariants: Vec<String>,
    /// Properties that say something can happen, and the number of steps in which it did.
    pub reached: Vec<(String, usize)>,
    /// The visited store alone, without the system's components.
    pub store_bytes: u64,
    /// Engine and system together, by their own account.
    pub search_bytes: u64,
    /// How many times handlers really ran.
    pub handler_calls: u64,
    /// With `--check-code`, for information: handlers that do more when a message comes twice, with an example each.
    pub not_idempotent: Vec<(String, String)>,
    /// The run that led to where the system could not be followed any further.
    pub how_far: Option<Box<Found>>,
    /// With fingerprints: the probability that two states shared one.
    pub collision_probability: Option<f64>,
    /// The exploration tree as DOT, if it was asked for and the engine has one.
    pub graph: Option<String>,
    /// The texts that places in the runs are about: the file's name and its content.
    pub sources: Vec<(String, Arc<str>)>,
}

impl Report {
    /// A report with nothing in it yet.
    pub fn new(command: &'static str, system: impl Into<String>) -> Self {
        Report {
            tool: "foresee",
            version: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA,
            command,
            system: system.into(),
            engine: "stateful",
            strategy: "bfs",
            verdict: Outcome::Inconclusive,
            stopped_by: None,
            phase: None,
            checked: Vec::new(),
            assumed: Vec::new(),
            states: 0,
            transitions: 0,
            depth: 0,
            interleavings: 0,
            interleavings_planned: 0,
            sleep_set_blocked: 0,
            erroneous_interleavings: 0,
            violations: Vec::new(),
            warnings: Vec::new(),
            seed: 0,
            threads: 1,
            seconds: 0.0,
            peak_memory_bytes: 0,
            error: None,
            extras: Extras::default(),
        }
    }

    /// The report of something that could not be checked at all.
    ///
    /// ```
    /// use foresee_session::{Code, Diagnostic, Report};
    /// let report = Report::error("check", "pong", Diagnostic::new(Code::UnknownSystem, "no system `pong`"));
    /// assert_eq!(report.verdict.exit_code(), 2);
    /// assert!(report.to_json().contains("\"verdict\":\"error\""));
    /// ```
    pub fn error(command: &'static str, system: impl Into<String>, diagnostic: Diagnostic) -> Self {
        let mut report = Report::new(command, system);
        report.fail(diagnostic);
        report
    }

    /// Says what the verdict will cover.
    pub(crate) fn cover(&mut self, coverage: Coverage) {
        (self.checked, self.assumed) = (coverage.checked, coverage.assumed);
    }

    /// Takes over an engine's verdict, and the limit that ended it, which one that has found something wrong may have as well.
    pub(crate) fn decide(&mut self, verdict: Verdict, stopped_by: Option<StoppedBy>) {
        (self.verdict, self.stopped_by) = match verdict {
            Verdict::Holds => (Outcome::Holds, None),
            Verdict::Violated => (Outcome::Violated, stopped_by),
            Verdict::Inconclusive(by) => (Outcome::Inconclusive, Some(by)),
            Verdict::Error => (Outcome::Error, None),
        };
    }

    /// A limit has struck outside of an engine: what is known stays known.
    pub(crate) fn halt(&mut self, halted: Halted) {
        if self.verdict != Outcome::Violated {
            self.verdict = Outcome::Inconclusive;
        }
        self.stopped_by = Some(halted.cause.into());
        self.warnings.extend(halted.place.map(|place| format!("it was stopped while {place}")));
    }

    /// Turns the verdict into `error`, keeping everything that was found.
    pub fn fail(&mut self, diagnostic: Diagnostic) {
        self.verdict = Outcome::Error;
        self.stopped_by = None;
        self.error = Some(diagnostic);
    }

    /// Something that was asked for could not be written: an error, unless there is a worse one already.
    pub fn fail_to_write(&mut self, diagnostic: Diagnostic) {
        if self.error.is_none() {
            self.fail(diagnostic);
        } else {
            self.warnings.push(format!("{}: {}", diagnostic.code, diagnostic.message));
        }
    }

    /// Keeps the texts that the places of a run are about.
    pub(crate) fn take_sources(&mut self, loaded: &Loaded, found: &Found) {
        let steps = found.story.iter().flat_map(|story| &story.steps);
        let events = found.run.iter().flat_map(|run| &run.events);
        let mut named: Vec<&str> = steps
            .filter_map(StoryStep::place)
            .chain(events.filter_map(|event| event.label.place()))
            .map(|(file, _)| file)
            .collect();
        named.sort_unstable();
        named.dedup();
        for (path, text) in loaded.front().source_texts() {
            let name = path.rsplit('/').next().unwrap_or_default();
            let is_known = self.extras.sources.iter().any(|(known, _)| known == name);
            if named.contains(&name) && !is_known {
                self.extras.sources.push((name.to_owned(), text));
            }
        }
    }

    /// One line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documented object, field by field: scripts read these names.
    #[test]
    fn the_json_has_the_documented_fields_in_their_order() {
        let mut report = Report::new("check", "ping");
        let found = Found::without_run(ViolationKind::Invariant, Some("p".into()), "m".into());
        report.violations.push(found);
        let text = report.to_json();
        let fields: Vec<_> = text
            .split("\":")
            .filter_map(|part| part.rsplit('"').next())
            .filter(|part| !part.is_empty() && part.chars().all(|c| c.is_lowercase() || c == '_'))
            .collect();
        assert_eq!(
            fields.join(" "),
            "tool version schema command system engine strategy verdict stopped_by checked assumed \
             states transitions depth \
             interleavings interleavings_planned sleep_set_blocked erroneous_interleavings violations \
             kind property message steps interleaving trace \
             warnings seed threads seconds peak_memory_bytes"
        );
    }

    #[test]
    fn outcomes_have_the_documented_exit_codes() {
        let codes = [
            (Outcome::Holds, "holds", 0),
            (Outcome::Violated, "violated", 1),
            (Outcome::Error, "error", 2),
            (Outcome::Inconclusive, "inconclusive", 3),
        ];
        for (outcome, word, code) in codes {
            assert_eq!((outcome.word(), outcome.exit_code()), (word, code));
            assert_eq!(serde_json::to_value(outcome).unwrap(), word);
        }
    }
}
