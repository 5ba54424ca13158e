//! Replaying a trace: the file's text, then its system, then its steps, each with its own kind of bad news.

use crate::checked_code::marked_property;
use crate::evidence::{STORY_PARTS_MAX, details, told};
use crate::explained::elaborated;
use crate::telling::unmodelled;
use crate::{
    Code, Details, Diagnostic, Files, Found, LabelOptions, Loaded, Outcome, Registry, Report,
    open_recorded, verify,
};
use foresee_lts::{
    Assumption, Claim, Coverage, Path, State, System, Violation, ViolationKind, Whose,
};
use foresee_trace::{Finding, Judge, Outcome as Replayed, Replay, Run, Story, Trace, replay_with};

/// Reads the bytes of a trace file called `name`.
///
/// ```
/// use foresee_session::{Code, read_trace};
/// let error = read_trace("notes.txt", b"milk, eggs").unwrap_err();
/// assert_eq!((error.code, error.location.as_deref()), (Code::TraceDamaged, Some("notes.txt:1")));
/// ```
pub fn read_trace(name: &str, bytes: &[u8]) -> Result<Trace, Diagnostic> {
    Trace::from_bytes(bytes).map_err(|error| {
        let found =
            if error.text.is_empty() { String::new() } else { format!(", found `{}`", error.text) };
        Diagnostic::new(Code::TraceDamaged, format!("expected {}{found}", error.expected()))
            .at(format!("{name}:{}", error.line))
            .help(error.help())
    })
}

/// A trace that has been stepped again.
pub struct ReplayReport {
    pub report: Report,
    pub loaded: Loaded,
    /// The run as far as it went.
    pub path: Path,
    /// Its states, one before each action and the last.
    pub(crate) states: Vec<State>,
    /// The run as a report tells it; `None` if it is too long to be told.
    pub story: Option<Story>,
    /// The same with nothing left out.
    pub(crate) whole: Option<Story>,
}

/// Nobody reads a story of more steps, and each step of one holds the whole state in words.
const TOLD_STEPS_MAX: usize = 2_000;

impl ReplayReport {
    /// The run as far as it went, with its story.
    pub(crate) fn run(&self) -> Run<'_> {
        let run = Run::with_states(&self.loaded, self.path.clone(), self.states.clone());
        match &self.whole {
            Some(story) => run.with_story(story.clone()),
            None => run,
        }
    }

    /// The story, put together now if the run was too long for the report.
    #[cfg(feature = "languages")]
    pub(crate) fn story_at_any_length(&self) -> Story {
        let story = self.story.clone();
        story.unwrap_or_else(|| told(&self.loaded, self.run().story().clone()))
    }
}

/// Steps `trace` again on a fresh instance of its system and judges it anew. `Err` if there is no such system.
pub fn replay(
    trace: &Trace,
    registry: &Registry,
    files: &dyn Files,
) -> Result<ReplayReport, Diagnostic> {
    let loaded = open_recorded(trace, registry, files)?;
    let properties = loaded.chosen_properties(&[])?.into_iter().map(marked_property).collect();
    let judge = Judge::of(&loaded).with_properties(properties);
    let mut replay = replay_with(&loaded, trace, &judge);
    let visible = judge_formula(&loaded, trace, files, &mut replay)?;
    let states = std::mem::take(&mut replay.states);
    let run = Run::with_states(&loaded, replay.path.clone(), states);
    let story = (!is_long(&run)).then(|| told(&loaded, run.story().clone()));
    let mut report = Report::new("replay", loaded.name());
    (report.engine, report.strategy) = ("replay", "replay");
    report.seed = trace.seed;
    report.cover(coverage_of(trace));
    let claimed = trace.violation.as_ref().and_then(|finding| finding.property.clone());
    report.extras.properties = claimed.into_iter().collect();
    report.transitions = replay.applied as u64;
    report.depth = replay.applied as u32;
    report.warnings.clone_from(&replay.notes);
    if story.is_none() {
        let (steps, parts) = (replay.applied, run.last().len());
        report.warnings.push(format!(
            "left out, for it has {steps} steps in states of {parts} parts: the story of the run; every step was taken and judged"
        ));
    }
    conclude(&mut report, trace, &replay, &loaded, &run, story.as_ref());
    for found in &mut report.violations {
        found.visible.clone_from(&visible);
    }
    let whole = story.is_some().then(|| run.story().clone());
    let states = run.into_states();
    Ok(ReplayReport { report, path: replay.path, states, loaded, story, whole })
}

/// Whether a run is stepped and judged, but not told.
fn is_long(run: &Run<'_>) -> bool {
    let n_steps = run.path().actions.len();
    n_steps > TOLD_STEPS_MAX || n_steps.saturating_mul(run.last().len()) > STORY_PARTS_MAX
}

/// A replay looks for what the trace claims, on this run.
fn coverage_of(trace: &Trace) -> Coverage {
    let claim = |finding: &Finding| match (&finding.property, finding.kind) {
        (Some(name), ViolationKind::Property) => Claim::Formula(name.clone()),
        (Some(name), _) => Claim::Invariant(name.clone()),
        (None, ViolationKind::Deadlock) => Claim::NoDeadlock(Whose::Anybody),
        (None, ViolationKind::AbnormalHalt) => Claim::NoAbnormalHalt,
        (None, ViolationKind::Assertion) => Claim::NoFailedAssertion(Whose::Anybody),
        (None, ViolationKind::AbnormalExit) => Claim::NoAbnormalExit(Whose::Anybody),
        (None, _) => Claim::NoPanic,
    };
    let checked = trace.violation.as_ref().map(claim).into_iter().collect();
    Coverage { checked, assumed: vec![Assumption::ThisRun] }
}

/// A trace about a formula is judged by the formula: is the run, as far as it went, still the whole reason? Answers the labels
/// along the run.
fn judge_formula(
    loaded: &Loaded,
    trace: &Trace,
    files: &dyn Files,
    replay: &mut Replay,
) -> Result<Vec<Option<String>>, Diagnostic> {
    let labels = LabelOptions::of_trace(trace);
    let vocabulary = labels.vocabulary(loaded);
    let Some(named) = verify::of_trace(trace, &vocabulary, files)? else { return Ok(Vec::new()) };
    let claimed = trace.violation.as_ref().map(|finding| finding.message.clone());
    replay.outcome = match (
        verify::decides(loaded, &labels, &named.formula, &replay.path)?,
        claimed,
    ) {
        (Some(false), Some(message)) => {
            Replayed::Confirmed { step: replay.path.actions.len(), message }
        }
        (Some(true), Some(_)) => Replayed::NotReproduced,
        (None, Some(_)) => Replayed::CannotTell {
            reason: format!(
                "the run alone does not decide `{}`: its reason branches, or the code has changed; verify again",
                named.name
            ),
        },
        (_, None) => Replayed::Clean,
    };
    let label_of = labels.of(loaded);
    let steps = replay.states.iter().zip(&replay.path.actions);
    Ok(steps.map(|(state, action)| label_of(state, *action)).collect())
}

fn conclude(
    report: &mut Report,
    trace: &Trace,
    replay: &Replay,
    loaded: &Loaded,
    run: &Run<'_>,
    story: Option<&Story>,
) {
    let finding = match &replay.outcome {
        Replayed::Confirmed { message, .. } => {
            let claimed = trace.violation.clone().expect("only a claim is confirmed");
            let message = match story {
                Some(story) => elaborated(message.clone(), claimed.kind, loaded, run.last(), story),
                None => message.clone(),
            };
            Some(Finding { message, ..claimed })
        }
        Replayed::Different { finding, .. } => {
            let claimed =
                trace.violation.as_ref().map_or("nothing wrong".to_owned(), Finding::title);
            report.warnings.push(format!("the trace claims {claimed}; this is something else"));
            Some(finding.clone())
        }
        Replayed::CannotTell { reason } => {
            report.warnings.push(reason.clone());
            None
        }
        _ => None,
    };
    report.verdict = match (&replay.outcome, &finding) {
        (_, Some(_)) => Outcome::Violated,
        (Replayed::CannotTell { .. }, None) => Outcome::Inconclusive,
        (_, None) => Outcome::Holds,
    };
    if let Some(finding) = finding {
        let path = replay.path.clone();
        let Finding { kind, property, message } = finding;
        let violation = Violation { kind, property, message, path };
        let shown = shown(loaded, &violation, trace, run, story);
        report.take_sources(loaded, &shown);
        if kind == ViolationKind::Unmodelled {
            report.fail(unmodelled(loaded, &violation));
            report.extras.how_far = Some(Box::new(shown));
        } else {
            report.violations.push(shown);
        }
    }
    match &replay.stop {
        Some(stop) if report.verdict == Outcome::Violated => report.warnings.push(stop.to_string()),
        Some(stop) => report.fail(
            Diagnostic::new(Code::TraceNoLongerApplies, stop.to_string())
                .at(format!("step {} of {}", stop.step, trace.events.len()))
                .help("the code has changed since the trace was recorded: check the system again"),
        ),
        None => {}
    }
    if report.error.is_none() && property_panicked(report) {
        let found = &report.violations[0];
        let name = found.property.clone().unwrap_or_default();
        let message = format!("the property `{name}` panicked: {}", found.message);
        report.fail(
            Diagnostic::new(Code::PropertyPanicked, message)
                .help("mend the property, then replay again"),
        );
    }
}

fn property_panicked(report: &Report) -> bool {
    report
        .violations
        .iter()
        .any(|found| found.kind == ViolationKind::Panic && found.property.is_some())
}

fn shown(
    loaded: &Loaded,
    violation: &Violation,
    trace: &Trace,
    run: &Run<'_>,
    story: Option<&Story>,
) -> Found {
    let mut shown = Trace::labelled(run).with_seed(trace.seed);
    if story.is_some() {
        shown = shown.with_notes(run.story());
    }
    shown.violation = Some(Finding::from(violation));
    shown.kind.clone_from(&trace.kind);
    shown.options.clone_from(&trace.options);
    Found {
        kind: violation.kind,
        property: violation.property.clone(),
        message: violation.message.clone(),
        steps: violation.path.actions.len(),
        interleaving: 0,
        trace: None,
        events: None,
        steps_found: violation.path.actions.len(),
        run: Some(shown),
        details: story.map_or_else(Details::default, |story| {
            details(loaded, run, story, violation.kind != ViolationKind::Property)
        }),
        story: story.cloned(),
        visible: Vec::new(),
    }
}
