//! Telling: how what an engine found enters a report, the same for every engine.
//! A violation is worth reporting only if it can be shown again (`evidence`). What the system itself could not do is no
//! violation but an error; the run that led there is kept, so that the reader sees how far it went.

use crate::evidence::{Evidence, Shown, as_seen, evidence};
use crate::{CheckRequest, Code, Diagnostic, Found, Loaded, Report};
use foresee_lts::{Violation, ViolationKind};
use foresee_stateful::BrokenProperty;
use foresee_stdx::halt;

/// Puts one violation into the report, with its trace; `interleaving` is the number of the run that showed it, 0 where runs are
/// not counted. What is known already is not told twice.
pub(crate) fn tell(
    loaded: &Loaded,
    request: &CheckRequest,
    violation: &Violation,
    interleaving: u64,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    tell_shown(loaded, request, violation, None, interleaving, report)
}

/// The same for a violation that may have been shown on a fresh instance already.
pub(crate) fn tell_shown(
    loaded: &Loaded,
    request: &CheckRequest,
    violation: &Violation,
    shown: Option<Shown>,
    interleaving: u64,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    if violation.kind == ViolationKind::Property {
        // Something was never reached: there is no run that shows it.
        let Violation { kind, property, message, .. } = violation.clone();
        report.violations.push(Found::without_run(kind, property, message));
        return Ok(());
    }
    let evidence = evidence(loaded, request, report.strategy, violation, shown)?;
    let (mut found, diagnostic) = match evidence {
        Evidence::Confirmed(found) => (found, None),
        Evidence::Diverged { found, diagnostic } => (found, Some(diagnostic)),
    };
    // A limit that strikes now must not keep what was found from being told.
    let _undisturbed = halt::undisturbed();
    found.interleaving = interleaving;
    report.take_sources(loaded, &found);
    report.warnings.extend(found.details.cut.clone());
    if let (None, ViolationKind::Unmodelled) = (&diagnostic, violation.kind) {
        report.fail(unmodelled(loaded, violation));
        report.extras.how_far = Some(found);
        return Ok(());
    }
    let what = |it: &Found| (it.kind, it.property.clone(), it.message.clone());
    if !report.violations.iter().any(|known| what(known) == what(&found)) {
        report.violations.push(*found);
    }
    if let Some(diagnostic) = diagnostic {
        report.fail(diagnostic);
    }
    Ok(())
}

/// The system cannot be followed any further: nothing is said of it, but what stopped us and how it came to that.
pub(crate) fn unmodelled(loaded: &Loaded, violation: &Violation) -> Diagnostic {
    let last = violation.path.states(loaded).pop().unwrap_or_default();
    trouble_in(loaded, &last, &violation.message)
}

/// What stopped us in `state`; `message` where the front end has no more to say.
pub(crate) fn trouble_in(loaded: &Loaded, state: &[u32], message: &str) -> Diagnostic {
    let trouble = loaded.front().trouble(state);
    trouble.unwrap_or_else(|| Diagnostic::new(Code::Internal, message))
}

/// A closure of the user panicked: the run that leads to the state is shown, but nothing can be said of the system.
pub(crate) fn tell_broken(
    loaded: &Loaded,
    request: &CheckRequest,
    broken: &BrokenProperty,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let BrokenProperty { property, message, path } = broken.clone();
    let kind = ViolationKind::Panic;
    let violation = Violation { kind, property: Some(property.clone()), message, path };
    if report.extras.properties.contains(&property) {
        tell(loaded, request, &violation, 0, report)?;
    } else {
        report.violations.push(as_seen(loaded, request, report.strategy, &violation));
    }
    if report.error.is_none() {
        report.fail(property_panicked(&report.violations[report.violations.len() - 1]));
    }
    Ok(())
}

fn property_panicked(found: &Found) -> Diagnostic {
    let name = found.property.as_deref().unwrap_or_default();
    let message = format!("the property `{name}` panicked: {}", found.message);
    Diagnostic::new(Code::PropertyPanicked, message)
        .at(format!("the state after {} steps of the run shown", found.steps))
        .help("a property must give an answer on every reachable state; replay the trace to see this one")
}
