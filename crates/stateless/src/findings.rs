//! Findings: what went wrong in a run that has ended.
//! A run goes on after something went wrong in it, because the other processes do; so a run may have several errors.

use crate::explore::{End, Explorer};
use crate::index::{EventIdx, Idx};
use crate::report::ErrorInRun;
use foresee_lts::{Path, State, Violation, ViolationKind};

/// Something wrong, and the number of events before it showed.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    n_events: usize,
    kind: ViolationKind,
    property: Option<String>,
    message: String,
}

/// What is wrong with the explorer's run, which has ended.
pub(crate) fn errors(explorer: &Explorer<'_>, end: End) -> Vec<Wrong> {
    let mut errors = Vec::new();
    if end == End::Blocked {
        return errors; // explored elsewhere, with its errors
    }
    let (system, config) = (explorer.setup().rules.system, explorer.setup().config);
    for (n_events, fault) in explorer.watcher().faults() {
        let (kind, message) = (fault.kind.into(), fault.message.clone());
        errors.push(Wrong { n_events: *n_events, kind, property: None, message });
    }
    for &(n_events, property) in explorer.watcher().failed() {
        let predicate = &property.predicate;
        let message = predicate.explain(explorer.state_after(n_events));
        let property = Some(predicate.name().to_owned());
        errors.push(Wrong { n_events, kind: ViolationKind::Invariant, property, message });
    }
    let n_events = explorer.run().len();
    if end == End::Complete && !system.is_final(explorer.state_after(n_events)) {
        let message = "nothing can happen in this state".to_owned();
        errors.push(Wrong { n_events, kind: ViolationKind::Deadlock, property: None, message });
    }
    if end == End::Depth && config.depth_is_error {
        let message = format!("the run is longer than {n_events} events");
        errors.push(Wrong { n_events, kind: ViolationKind::DepthBound, property: None, message });
    }
    if let Some(ignore) = &config.ignore {
        errors.retain(|wrong| !ignore(wrong.kind, &wrong.message));
    }
    errors
}

/// An error with its run.
pub(crate) fn finding(
    explorer: &Explorer<'_>,
    initial: &State,
    wrong: Wrong,
    interleaving: u64,
) -> ErrorInRun {
    let actions = explorer.actions_from(EventIdx::default());
    let run = Path { initial: initial.clone(), actions };
    let actions = run.actions[..wrong.n_events].to_vec();
    let path = Path { initial: initial.clone(), actions };
    let violation =
        Violation { kind: wrong.kind, property: wrong.property, message: wrong.message, path };
    let races = explorer.run().pairs.iter();
    let races = races.map(|(first, second)| (first.get(), second.get())).collect();
    ErrorInRun { violation, interleaving, run, races }
}
