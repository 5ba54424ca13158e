//! `--check-independence` behind the door: an exploration during which every two events that are said to be independent are
//! carried out in both orders, and what is said if that makes a difference.
//! A difference is a mistake of ours, whatever the program is: no verdict can be believed then, so there is none.
//! Not here: the check itself (`foresee_search::check_independence`).

use crate::evidence::as_seen;
use crate::{CheckRequest, Code, Diagnostic, Loaded, Report};
use foresee_lts::{Path, System, Violation, ViolationKind};
use foresee_search::{Checked, Difference, Meter};

/// What the check came to.
pub(crate) struct Independence {
    n_pairs: u64,
    n_states: usize,
    difference: Option<(Difference, Path)>,
}

/// Explores, with independence checked if the request says so.
pub(crate) fn exploring<R>(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    explore: impl FnOnce(&dyn System, &dyn Meter) -> R,
) -> (R, Option<Independence>) {
    if !request.check_independence {
        return (explore(loaded, meter), None);
    }
    let checked = Checked::new(loaded);
    let explored = explore(&checked, &checked.meter(meter));
    let ((n_pairs, n_states), difference) = (checked.counts(), checked.difference());
    (explored, Some(Independence { n_pairs, n_states, difference }))
}

/// Puts into the report what the check came to; whether the report is one of a mistake.
pub(crate) fn tell_independence(
    loaded: &Loaded,
    request: &CheckRequest,
    checked: Option<Independence>,
    report: &mut Report,
) -> bool {
    let Some(Independence { n_pairs, n_states, difference }) = checked else { return false };
    let Some((difference, path)) = difference else {
        report.warnings.push(format!(
            "--check-independence: {n_pairs} pairs of independent events in {n_states} states have one result in either order"
        ));
        return false;
    };
    let n_events = path.actions.len();
    let kind = ViolationKind::Unmodelled;
    let message = difference.unlike.text().to_owned();
    let violation = Violation { kind, property: None, message, path };
    let found = as_seen(loaded, request, report.strategy, &violation);
    report.take_sources(loaded, &found);
    report.extras.how_far = Some(Box::new(found));
    report.violations.clear();
    report.fail(mistake(&difference, n_events));
    true
}

fn mistake(difference: &Difference, n_events: usize) -> Diagnostic {
    let Difference { unlike, first, second, .. } = difference;
    let message = format!(
        "foresee takes two events to be independent that are not: {}\n  first:  {first}\n  second: {second}",
        unlike.text()
    );
    Diagnostic::new(Code::Internal, message)
        .at(format!("the state after {n_events} events of the run shown"))
        .help("this is a mistake in foresee, so there is no verdict: please report it with the program and this message; --engine stateful without --check-independence does not depend on it")
}
