//! Replaying a trace: the file's text, then its system, then its steps, each with its own kind of bad news.

use crate::checked_code::marked_property;
use crate::evidence::{details, told};
use crate::explained::elaborated;
use crate::telling::unmodelled;
use crate::{
    Code, Diagnostic, Files, Found, LabelOptions, Loaded, ModelOptions, NoFiles, Outcome, Registry,
    Report, erlang, is_model_file, load, load_erlang, load_model_with, nodes, options, verify,
};
use foresee_lts::{Assumption, Claim, Coverage, Path, System, Violation, ViolationKind, Whose};
use foresee_trace::{Finding, Judge, Outcome as Replayed, Replay, Story, Trace, replay_with};

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
    pub story: Story,
}

/// Steps `trace` again on a fresh instance of its system and judges it anew. `Err` if there is no such system.
pub fn replay(registry: &Registry, trace: &Trace) -> Result<ReplayReport, Diagnostic> {
    replay_with_files(registry, trace, &NoFiles)
}

/// The same, for traces of programs that are in files.
pub fn replay_with_files(
    registry: &Registry,
    trace: &Trace,
    files: &dyn Files,
) -> Result<ReplayReport, Diagnostic> {
    let loaded = load_with_files(registry, trace, files)?;
    let properties = loaded.chosen_properties(&[])?.into_iter().map(marked_property).collect();
    let judge = Judge::of(&loaded).with_properties(properties);
    let mut replay = replay_with(&loaded, trace, &judge);
    let visible = judge_formula(&loaded, trace, files, &mut replay)?;
    let story = told(&loaded, Story::of(&loaded, &replay.path));
    let mut report = Report::new("replay", loaded.name());
    (report.engine, report.strategy) = ("replay", "replay");
    report.seed = trace.seed;
    report.cover(coverage_of(trace));
    let claimed = trace.violation.as_ref().and_then(|finding| finding.property.clone());
    report.extras.properties = claimed.into_iter().collect();
    report.transitions = replay.applied as u64;
    report.depth = replay.applied as u32;
    report.warnings.clone_from(&replay.notes);
    conclude(&mut report, trace, &replay, &loaded, &story);
    for found in &mut report.violations {
        found.visible.clone_from(&visible);
    }
    Ok(ReplayReport { report, path: replay.path, loaded, story })
}

/// The system that the trace's header names, with the faults its options name.
///
/// ```
/// use foresee_lts::System;
/// use foresee_session::{Registry, Trace, load_for};
/// let trace = Trace::new("ping clients=2");
/// let system = load_for(&Registry::stock(), &trace).unwrap();
/// assert!(system.name().starts_with("ping clients=2"));
/// ```
pub fn load_for(registry: &Registry, trace: &Trace) -> Result<Loaded, Diagnostic> {
    load_with_files(registry, trace, &NoFiles)
}

/// The same; a trace of an Erlang program or of a model names the files it was recorded on.
pub fn load_with_files(
    registry: &Registry,
    trace: &Trace,
    files: &dyn Files,
) -> Result<Loaded, Diagnostic> {
    if is_model_file(&trace.system) {
        return load_model_with(&trace.system, ModelOptions::of_trace(trace), files);
    }
    if erlang::is_erlang(trace) {
        return load_erlang(&erlang::request_of(trace)?, files);
    }
    let (name, parameters) = nodes::words_of(trace);
    let options = options::from_trace(trace)?;
    load(registry, name, &parameters, &options).map_err(|reason| {
        let message = format!("the trace was recorded on `{}`: {}", trace.system, reason.message);
        let help =
            "replay it with the binary that recorded it, or correct the line `system:` in the file";
        Diagnostic::new(Code::TraceOfOtherSystem, message)
            .at(format!("system: {}", trace.system))
            .help(help)
    })
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
    let states = replay.path.states(loaded);
    let steps = states.iter().zip(&replay.path.actions);
    Ok(steps.map(|(state, action)| label_of(state, *action)).collect())
}

fn conclude(report: &mut Report, trace: &Trace, replay: &Replay, loaded: &Loaded, story: &Story) {
    let finding = match &replay.outcome {
        Replayed::Confirmed { message, .. } => {
            let claimed = trace.violation.clone().expect("only a claim is confirmed");
            let last = replay.path.states(loaded).pop().unwrap_or_default();
            let message = elaborated(message.clone(), claimed.kind, loaded, &last, story);
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
        let shown = shown(loaded, &violation, trace, story);
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

fn shown(loaded: &Loaded, violation: &Violation, trace: &Trace, story: &Story) -> Found {
    let mut run = Trace::of_violation(loaded, violation).with_seed(trace.seed);
    run.options.clone_from(&trace.options);
    Found {
        kind: violation.kind,
        property: violation.property.clone(),
        message: violation.message.clone(),
        steps: violation.path.actions.len(),
        interleaving: 0,
        trace: None,
        steps_found: violation.path.actions.len(),
        run: Some(run),
        details: details(loaded, &violation.path, story, violation.kind != ViolationKind::Property),
        story: Some(story.clone()),
        visible: Vec::new(),
    }
}
