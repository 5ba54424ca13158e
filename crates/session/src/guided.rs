//! Guided searches behind the door: a report with verdict, exit code and JSON for a search in phases.
//! A guide holds closures over one world, so it belongs to that world: an entry makes it of the world that it has built
//! ([`CheckRequest::guide`]), or it comes with a world that is built already ([`check_with_guide`], [`check_guided`]).
//! Not here: what phases are and how they run (`foresee-stateful`).

use crate::check::reported;
use crate::checked_code::{marked, marked_property};
use crate::evidence::as_seen;
use crate::telling::{tell, tell_broken};
use crate::{CheckRequest, Code, Details, Diagnostic, Found, Loaded, PhaseStart, Report, coverage};
use foresee_lts::{Assumption, Claim, System, Violation};
use foresee_search::{Meter, Observer};
use foresee_stateful::{BrokenProperty, Guide, GuideReport, PhaseFailure, run_guide};
use foresee_trace::{Finding, Run, Trace, replay};

/// Runs a guide on the world that it was made for, and reports as [`check`](fn@crate::check) does: each violation is shown again
/// on a fresh instance, shortened, and told. Never `holds`. A guide without properties looks for violations of the system's own.
pub fn check_with_guide(
    loaded: &Loaded,
    guide: &Guide,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    reported(loaded, request, meter, |report| {
        run(loaded, guide.clone(), request, meter, observer, report)
    })
}

/// The same for a guide that the system has a title for.
pub(crate) fn named(
    loaded: &Loaded,
    title: &str,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let front = loaded.front();
    let Some(nodes) = front.as_nodes() else {
        let why = format!("{} has no guides", loaded.kind().phrase());
        return Err(
            Diagnostic::does_not_apply(&format!("--guide '{title}'"), &why).help("leave it out")
        );
    };
    let guide = nodes.guide(title)?;
    report.guide = Some(title.to_owned());
    run(loaded, guide, request, meter, observer, report)
}

fn run(
    loaded: &Loaded,
    mut guide: Guide,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    (report.engine, report.strategy) = ("stateful", "guided");
    let own = loaded.chosen_properties(&request.invariants)?;
    if guide.properties.is_empty() {
        guide.properties = own.into_iter().map(marked_property).collect();
    }
    if guide.prunes.is_empty() {
        guide.prunes = loaded.prunes();
    }
    guide.threads = guide.threads.max(request.threads);
    guide.limits = guide.limits.and(&request.limits);
    guide.visited = request.visited;
    if request.seed != 0 {
        guide.seed = request.seed;
    }
    if let Some(cluster) = &request.cluster {
        crate::cluster::try_seeds(loaded, (request, cluster), &mut guide, meter, report)?;
        if cluster.is_member() {
            // The first process tells what was found.
            return Ok(());
        }
    }
    // What is written down is to be repeated with the seed that was used.
    let request = &CheckRequest { seed: guide.seed, ..request.clone() };
    (report.seed, report.threads) = (guide.seed, guide.threads.max(1));
    report.warnings.extend(loaded.front().warnings());
    report.cover(coverage::of_check(loaded, request)?);
    let done = run_guide(loaded, &guide, meter, observer);
    describe(&guide, &done, report);
    report.extras.handler_calls = loaded.handler_calls();
    for violation in &done.violations {
        let is_own = |name: &String| guide.properties.iter().any(|own| own.name() == name);
        match violation.property.as_ref().is_none_or(is_own) {
            true => tell(loaded, request, violation, 0, report)?,
            // An invariant of one phase alone: nobody could judge a shorter run by it.
            false => report.violations.push(as_seen(loaded, request, "guided", violation)),
        }
    }
    report.extras.phase_start = phase_start(loaded, &guide, &done).map(Box::new);
    if let Some(title) = &report.guide {
        let runs = report.violations.iter_mut().filter_map(|found| found.run.as_mut());
        runs.for_each(|run| *run = run.clone().with_option("guide", title));
    }
    match &done.broken_property {
        Some(broken) => tell_broken(loaded, request, broken, report),
        None => Ok(()),
    }
}

/// Where the phase began that missed its goal or was stopped before it.
fn phase_start(loaded: &Loaded, guide: &Guide, done: &GuideReport) -> Option<PhaseStart> {
    let (name, failure) = done.failed.as_ref()?;
    if matches!(failure, PhaseFailure::Violation | PhaseFailure::Broken) {
        return None;
    }
    let phase = guide.phases.iter().find(|phase| phase.name == *name)?;
    let run = match done.paths.first() {
        Some(path) => Trace::labelled(&Run::of(loaded, path)),
        None => Trace::new(loaded.name()),
    };
    let prunes = phase.prunes.iter().cloned().map(marked).collect();
    Some(PhaseStart { run: loaded.named_in(run), why: failure.to_string(), prunes })
}

/// What a guided search did, but for its violations.
fn describe(guide: &Guide, done: &GuideReport, report: &mut Report) {
    let names = guide.properties.iter().map(|property| property.name().to_owned());
    report.extras.properties = names.collect();
    let phases = guide.phases.iter().map(|phase| phase.name.clone()).collect();
    report.assumed.insert(0, Assumption::Phases(phases));
    count(done, report);
    report.decide(done.verdict, None);
    if let Some((phase, failure)) = &done.failed {
        report.phase = Some(phase.clone());
        if *failure != PhaseFailure::Violation {
            report.warnings.push(format!("phase `{phase}`: {failure}"));
        }
    }
}

/// Runs the phases of `guide` on `system` and reports, never with `holds`: phases leave out what they do not reach.
///
/// ```
/// use foresee_lts::{Predicate, Reads, toy::Counters};
/// use foresee_session::{NoMeter, Silent, check_guided};
/// use foresee_stateful::{Guide, Phase};
/// let nine = Predicate::new("nine", Reads::slots([0]), |s, _| s[0] == 9);
/// let guide = Guide::new([Phase::new("count to nine").goal(nine)]);
/// let report = check_guided("counters", &Counters::new(2, 3), &guide, &NoMeter, &mut Silent);
/// assert_eq!(report.verdict.exit_code(), 3);
/// assert_eq!(report.stopped_by.map(|by| by.word()), Some("goal"));
/// assert_eq!(report.phase.as_deref(), Some("count to nine"));
/// ```
pub fn check_guided(
    name: &str,
    system: &dyn System,
    guide: &Guide,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    let start = meter.elapsed();
    let done = run_guide(system, guide, meter, observer);
    let mut report = Report::new("check", name);
    report.strategy = "guided";
    report.seed = guide.seed;
    report.threads = guide.threads.max(1);
    let claims = guide.properties.iter().map(coverage::claim);
    report.checked = std::iter::once(Claim::NoPanic).chain(claims).collect();
    describe(guide, &done, &mut report);
    for violation in &done.violations {
        report.violations.push(found(system, violation));
    }
    if let Some(BrokenProperty { property, message, .. }) = &done.broken_property {
        let message = format!("`{property}` panicked: {message}");
        report.fail(
            Diagnostic::new(Code::PropertyPanicked, message).help("mend it, then search again"),
        );
    }
    report.seconds = (meter.elapsed() - start).as_secs_f64();
    report.peak_memory_bytes = meter.memory_bytes().unwrap_or(report.extras.search_bytes);
    report
}

/// The figures of all phases together; a state that two phases visit counts twice.
fn count(done: &GuideReport, report: &mut Report) {
    for search in done.phases.iter().filter_map(|phase| phase.search.as_ref()) {
        report.states += search.states;
        report.transitions += search.transitions;
        report.interleavings += search.walks;
        report.depth = report.depth.max(search.depth);
        report.extras.store_bytes = report.extras.store_bytes.max(search.store_bytes);
        report.extras.search_bytes = report.extras.search_bytes.max(search.memory_bytes);
        report.warnings.extend(search.warnings.iter().cloned());
    }
    report.extras.reached =
        done.reached.iter().map(|(name, path)| (name.clone(), path.actions.len())).collect();
}

/// The violation with its run from the beginning; a run that does not show it again is said to be so.
fn found(system: &dyn System, violation: &Violation) -> Found {
    let run = Run::of(system, &violation.path);
    let trace = Trace::labelled(&run).with_notes(run.story());
    let trace = trace.with_violation(Finding::from(violation));
    let mut found =
        Found::without_run(violation.kind, violation.property.clone(), violation.message.clone());
    if !replay(system, &trace).is_confirmed() {
        found
            .message
            .push_str("\n(the same events did not show it again: is the code deterministic?)");
    }
    (found.steps, found.steps_found) = (trace.events.len(), trace.events.len());
    (found.run, found.story, found.details) =
        (Some(trace), Some(run.story().clone()), Details::default());
    found
}
