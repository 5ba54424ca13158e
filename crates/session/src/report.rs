//! The report of a check: what scripts read as JSON, and beside it what only we can print.
//! Invariant: the JSON has the fields of the documented format in their order; `error` is there only when the check
//! could not be done. What is marked `serde(skip)` is for the edges of this process (the trace to write, the difference
//! that minimisation made).

use crate::front_end::Waits;
use crate::tested::TestReport;
use crate::{Diagnostic, Loaded};
use foresee_lts::{
    Assumption, Claim, Coverage, Label, Predicate, Raised, StoppedBy, System, Verdict,
    ViolationKind,
};
use foresee_search::Explored;
use foresee_stdx::halt::Halted;
use foresee_trace::{Life, Race, SpaceTime, Story, StoryStep, Trace};
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
    /// The title of the guided search, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guide: Option<String>,
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
    /// What came of a second search under another assumption, where the first held and was small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also_checked: Option<Box<AlsoChecked>>,
    /// The tests of a project, where that is what was checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestReport>,
    pub warnings: Vec<String>,
    pub seed: u64,
    pub threads: usize,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
    /// The bytes of its files, of a search on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_bytes: Option<u64>,
    /// The bytes that its workers sent each other, of a search by several processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_exchanged: Option<u64>,
    /// Why the check could not be done; set exactly when the verdict is `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Diagnostic>,
    #[serde(skip)]
    pub extras: Extras,
}

/// A second search of the same system, with messages that take their time between processes.
#[derive(Clone, Debug, Serialize)]
pub struct AlsoChecked {
    /// Always false: what `--instant-delivery` was this time.
    pub instant_delivery: bool,
    pub verdict: Outcome,
    pub stopped_by: Option<StoppedBy>,
    pub depth: u32,
    pub interleavings: u64,
    pub erroneous_interleavings: u64,
    pub violations: Vec<Found>,
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
    /// The steps themselves, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<EventData>>,
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

/// One step of a violation's run, for scripts.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct EventData {
    /// From 1.
    pub number: usize,
    /// What happened, as in the trace file.
    pub label: String,
    pub verb: &'static str,
    pub from: Option<String>,
    pub to: Option<String>,
    pub payload: String,
    /// `bank.erl:12`
    pub place: Option<String>,
    /// What it changed, a line each.
    pub changes: Vec<String>,
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
    /// What errors of this kind often mean, and what to type next.
    pub tips: Vec<String>,
    /// A timeout or a timer fires while somebody could go on, or while a shorter one waits.
    pub has_early_timeout: bool,
    /// The formula that does not hold, with the part of it that is decided at the end of the run.
    pub formula: Option<FormulaPart>,
}

/// A formula on one line without comments: what stands before a part of it, the part, and what stands after it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FormulaPart {
    pub before: String,
    pub part: String,
    pub after: String,
}

impl FormulaPart {
    /// The part is `text[start..end]`; without it there is only `before`.
    pub fn new(text: &str, part: Option<(usize, usize)>) -> Self {
        let cut = part.filter(|(start, end)| start < end);
        let pieces = cut.and_then(|(start, end)| {
            Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?))
        });
        let (before, part, after) = pieces.unwrap_or((text, "", ""));
        FormulaPart { before: one_line(before), part: one_line(part), after: one_line(after) }
    }
}

/// Without comments, each stretch of blanks one blank.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('%').next().unwrap_or_default());
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// Where the phase of a guided search began that did not do what it should.
#[derive(Clone, Debug)]
pub struct PhaseStart {
    /// The run to there; it has no steps for the first phase.
    pub run: Trace,
    pub why: String,
    /// Where the phase does not go on.
    pub prunes: Vec<Predicate>,
}

/// An event that is not in the run; had it happened before a step of the run, all had gone well.
#[derive(Clone, Debug)]
pub struct Missed {
    /// The number of the step.
    pub before: usize,
    pub label: Label,
}

impl Found {
    /// How many steps go by before the first that races with another: nothing could have been otherwise in them.
    pub fn quiet_steps(&self) -> usize {
        let first = self.details.races.iter().map(|race| race.first).min();
        first.map_or(0, |first| first - 1)
    }

    /// The steps of the run as data; `None` if there is no run.
    fn event_data(&self) -> Option<Vec<EventData>> {
        let events = self.run.as_ref()?.events.iter().enumerate();
        let steps = self.story.as_ref().map_or(&[][..], |story| &story.steps);
        let data = events.map(|(i, event)| {
            let step = steps.get(i);
            EventData {
                number: i + 1,
                label: event.label.to_string(),
                verb: event.label.verb.word(),
                from: event.label.from.clone(),
                to: event.label.to.clone(),
                payload: event.label.payload.to_string(),
                place: step.and_then(StoryStep::place_words),
                changes: step.map(StoryStep::lines).unwrap_or_default(),
            }
        });
        Some(data.collect())
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
            events: None,
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
    /// The lines of a trace's header from which the formulas can be read again.
    pub formulas: Vec<(String, String)>,
    /// Where the phase began that missed its goal.
    pub phase_start: Option<Box<PhaseStart>>,
    /// With fingerprints: the probability that two states shared one.
    pub collision_probability: Option<f64>,
    /// The exploration tree as DOT, if it was asked for and the engine has one.
    pub graph: Option<String>,
    /// Files that were there before and have been written over.
    pub replaced: Vec<String>,
    /// Violations whose trace was not saved, because one of the same kind was.
    pub traces_left_out: usize,
    /// The texts that places in the runs are about: the file's name and its content.
    pub sources: Vec<(String, Arc<str>)>,
    /// What was found out, where the verdict is an error only because a file could not be written.
    pub answer: Option<Outcome>,
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
            guide: None,
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
            also_checked: None,
            tests: Vec::new(),
            warnings: Vec::new(),
            seed: 0,
            threads: 1,
            seconds: 0.0,
            peak_memory_bytes: 0,
            disk_bytes: None,
            bytes_exchanged: None,
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

    /// What an engine found, as far as it does not depend on the engine; errors are told one by one (`telling`).
    pub(crate) fn take_explored(&mut self, loaded: &Loaded, explored: &Explored) {
        self.transitions = explored.transitions;
        self.depth = explored.depth;
        self.interleavings = explored.runs;
        self.warnings.extend_from_slice(&explored.warnings);
        self.extras.search_bytes = explored.memory_bytes;
        self.extras.handler_calls = loaded.handler_calls();
        self.extras.reached.clone_from(&explored.reached);
        self.decide(explored.verdict, explored.stopped_by);
        self.leave_out(loaded.front().left_out());
    }

    /// What was held back may go wrong: nothing holds any more.
    pub(crate) fn leave_out(&mut self, left_out: Option<StoppedBy>) {
        if left_out.is_some() && self.verdict == Outcome::Holds {
            (self.verdict, self.stopped_by) = (Outcome::Inconclusive, left_out);
        }
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

    /// Puts the steps of each violation into the JSON.
    pub fn show_steps(&mut self) {
        for found in &mut self.violations {
            found.events = found.event_data();
        }
    }

    /// Something that was asked for could not be written: an error, unless there is a worse one already.
    pub fn fail_to_write(&mut self, diagnostic: Diagnostic) {
        if self.error.is_none() {
            self.extras.answer = Some(self.verdict);
            self.fail(diagnostic);
        } else {
            self.warnings.push(format!("{}: {}", diagnostic.code, diagnostic.message));
        }
    }

    /// What was found out, whether or not all that was asked for could be written.
    pub fn answer(&self) -> Outcome {
        self.extras.answer.unwrap_or(self.verdict)
    }

    /// Keeps the texts that the places of a run are about.
    pub(crate) fn take_sources(&mut self, loaded: &Loaded, found: &Found) {
        let steps = found.story.iter().flat_map(|story| &story.steps);
        let events = found.run.iter().flat_map(|run| &run.events);
        let mut named: Vec<&str> = steps
            .filter_map(StoryStep::place)
            .map(|(file, _)| file)
            .chain(events.filter_map(|event| Some(event.label.place.as_ref()?.file.as_str())))
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
