//! Guided searches behind the door: a report with verdict, exit code and JSON for a search in phases.
//! Why beside `check`: a guide holds closures over one world, so it comes with its world and not with a name to load.
//! Not here: what phases are and how they run (`foresee-stateful`).

use crate::{Code, Details, Diagnostic, Found, Report, coverage};
use foresee_lts::{Assumption, Claim, System, Violation};
use foresee_search::{Meter, Observer};
use foresee_stateful::{BrokenProperty, Guide, GuideReport, PhaseFailure, run_guide};
use foresee_trace::{Story, Trace, replay};

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
    report.extras.properties =
        guide.properties.iter().map(|property| property.name().to_owned()).collect();
    let claims = guide.properties.iter().map(coverage::claim);
    report.checked = std::iter::once(Claim::NoPanic).chain(claims).collect();
    let phases = guide.phases.iter().map(|phase| phase.name.clone()).collect();
    report.assumed = vec![Assumption::Phases(phases)];
    count(&done, &mut report);
    report.decide(done.verdict, None);
    if let Some((phase, failure)) = &done.failed {
        report.phase = Some(phase.clone());
        if *failure != PhaseFailure::Violation {
            report.warnings.push(format!("phase `{phase}`: {failure}"));
        }
    }
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
    let trace = Trace::of_violation(system, violation);
    let story = Story::of(system, &violation.path);
    let mut found =
        Found::without_run(violation.kind, violation.property.clone(), violation.message.clone());
    if !replay(system, &trace).is_confirmed() {
        found
            .message
            .push_str("\n(the same events did not show it again: is the code deterministic?)");
    }
    (found.steps, found.steps_found) = (trace.events.len(), trace.events.len());
    (found.run, found.story, found.details) = (Some(trace), Some(story), Details::default());
    found
}
