//! Held back: an error that needs something doubtful, as the default timeout of a call, is not the first thing shown when
//! there is another.
//! Why not just last: a search that ends at its first error would end at nearly every program's timeouts. So when it does, as
//! much again is explored in the system without doubtful events, and an error found there, and confirmed in the system as it
//! is, is shown instead. That is a second search and not a longer first one, because where a timeout fires early, everything
//! that a longer one would see comes after it. And it is another system and not a filter on actions, because an engine that
//! reverses races plans for the timeout that a receive may turn into.
//! Invariant: the figures of the report are those of the first search; what ends the second is a count, so the answer is the
//! same for any number of threads.
//! Not here: what is doubtful (`FrontEnd::is_doubtful`). Deadlocks are not looked for in the second search: without its timeout
//! a process may wait for ever that in truth goes on.

use crate::Loaded;
use foresee_lts::{Path, System, Violation, ViolationKind};
use foresee_search::Limits;
use foresee_trace::{Trace, replay};
use std::time::Duration;

/// A doubtful error is often a short one. So many events are explored in a fraction of a second, and with fewer nearly nothing
/// would be looked at.
const EVENTS_MIN: u64 = 20_000;

/// The system without doubtful events, if all that was found needs some and only one is to be shown.
pub(crate) fn plainer<F>(
    loaded: &Loaded,
    shows_one: bool,
    found: &[F],
    path: impl Fn(&F) -> &Path,
) -> Option<Loaded> {
    let is_held = shows_one && !found.is_empty();
    let all_are = is_held && found.iter().all(|it| is_doubtful(loaded, path(it)));
    if all_are { loaded.without_doubtful() } else { None }
}

/// As much again: so many events, in runs of this length (1 where states are counted), within what the user allows.
pub(crate) fn limits(given: &Limits, events: u64, length: u64, spent: Duration) -> Limits {
    let most = events.max(EVENTS_MIN).div_ceil(length.max(1));
    let at_most = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    Limits {
        states_max: if length == 1 { at_most(given.states_max) } else { given.states_max },
        interleavings_max: at_most(given.interleavings_max),
        time_max: given.time_max.map(|max| max.saturating_sub(spent)),
        ..given.clone()
    }
}

/// A violation that was found without doubtful events, in the system as it is; `None` if it is none there, or none of a run.
pub(crate) fn confirmed(
    loaded: &Loaded,
    plain: &Loaded,
    violation: &Violation,
) -> Option<Violation> {
    let others =
        [ViolationKind::Property, ViolationKind::Nondeterminism, ViolationKind::Unmodelled];
    if others.contains(&violation.kind) {
        return None;
    }
    let again = replay(loaded, &Trace::of_violation(plain, violation));
    let is_there = again.is_confirmed() && again.is_complete();
    is_there.then(|| Violation { path: again.path, ..violation.clone() })
}

fn is_doubtful(loaded: &Loaded, run: &Path) -> bool {
    let front = loaded.front();
    let mut state = run.initial.clone();
    run.actions.iter().any(|action| {
        let is_doubtful = front.is_doubtful(&state, *action);
        state = loaded.step(&state, *action);
        is_doubtful
    })
}

/// What was found, doubtful runs last; their order is otherwise kept.
pub(crate) fn plain_first<'f, F>(
    loaded: &Loaded,
    found: &'f [F],
    path: impl Fn(&F) -> &Path,
) -> Vec<&'f F> {
    let (doubtful, mut plain): (Vec<&F>, Vec<&F>) =
        found.iter().partition(|it| found.len() > 1 && is_doubtful(loaded, path(it)));
    plain.extend(doubtful);
    plain
}

/// What to say of an error that was held back.
pub(crate) fn words(is_other_shown: bool) -> String {
    match is_other_shown {
        true => {
            "an error that needs a call's default timeout to fire was found first and held back; --keep-going shows it too"
        }
        false => {
            "the error needs a call's default timeout to fire, so it was held back while as many events again were explored \
             without such timeouts: nothing else was found wrong in them"
        }
    }
    .to_owned()
}
