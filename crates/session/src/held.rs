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

use crate::evidence::{Shown, show_again};
use crate::{CheckRequest, Loaded, Report};
use foresee_lts::{Path, System, Violation, ViolationKind};
use foresee_search::{Explored, FoundError, Limits};
use foresee_stdx::halt;
use foresee_trace::{Finding, Run, Trace};
use std::time::Duration;

/// Which errors are held back while others are looked for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum HeldBack {
    /// Those that need the default timeout of a call, which nobody has written.
    #[default]
    DefaultTimeouts,
    /// Those that need any timeout of somebody who waits for a message: a test that gives up early says little.
    Timeouts,
}

/// A doubtful error is often a short one. So many events are explored in a fraction of a second, and with fewer nearly nothing
/// would be looked at.
const EVENTS_MIN: u64 = 20_000;

/// Searches once more without doubtful events, if all that was found needs some and only one error is to be shown; an error
/// found there takes the place of the others, and the report says what was done. `length` is that of a run, 1 where states are
/// counted. Answers the run of that error, which has been stepped to confirm it.
pub(crate) fn second_search(
    whole: (&Loaded, &CheckRequest),
    explored: &mut Explored,
    (given, length, spent): (&Limits, u64, Duration),
    report: &mut Report,
    search: impl FnOnce(&Loaded, Limits) -> Explored,
) -> Option<Shown> {
    let (loaded, request) = whole;
    let all_are = !explored.errors.is_empty()
        && explored.errors.iter().all(|it| is_doubtful(whole, &it.violation.path));
    let plain = if all_are { loaded.without_doubtful(request.held_back) } else { None };
    let plain = plain?;
    let again = search(&plain, limits(given, explored.transitions, length, spent));
    let found =
        again.errors.iter().find_map(|it| confirmed(loaded, &plain, request, &it.violation));
    report.warnings.push(words(request.held_back, found.is_some()).to_owned());
    let (violation, shown) = found?;
    let interleaving = explored.errors[0].interleaving;
    explored.errors = vec![FoundError { violation, interleaving }];
    Some(shown)
}

/// Where all errors are shown: searches once more without doubtful events, and gives those errors that are found there too the
/// runs they have there. The others need something doubtful, and are told last ([`plain_first`]).
pub(crate) fn prefer_plain(
    whole: (&Loaded, &CheckRequest),
    explored: &mut Explored,
    (given, length, spent): (&Limits, u64, Duration),
    search: impl FnOnce(&Loaded, Limits) -> Explored,
) {
    let (loaded, request) = whole;
    let is_open = |it: &FoundError| is_doubtful(whole, &it.violation.path);
    let is_over = halt::struck().is_some();
    if is_over || explored.errors.len() < 2 || !explored.errors.iter().any(is_open) {
        return;
    }
    let Some(plain) = loaded.without_doubtful(request.held_back) else { return };
    let again = search(&plain, limits(given, explored.transitions, length, spent));
    for found in explored.errors.iter_mut().filter(|it| is_open(it)) {
        let is_same = |other: &&FoundError| {
            let (own, its) = (&found.violation, &other.violation);
            (own.kind, &own.property, &own.message) == (its.kind, &its.property, &its.message)
        };
        let same = again.errors.iter().find(is_same);
        let same = same.and_then(|it| confirmed(loaded, &plain, request, &it.violation));
        if let Some((violation, _)) = same {
            found.violation = violation;
        }
    }
}

/// As much again: so many events, in runs of this length (1 where states are counted), within what the user allows.
fn limits(given: &Limits, events: u64, length: u64, spent: Duration) -> Limits {
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
fn confirmed(
    loaded: &Loaded,
    plain: &Loaded,
    request: &CheckRequest,
    violation: &Violation,
) -> Option<(Violation, Shown)> {
    let others =
        [ViolationKind::Property, ViolationKind::Nondeterminism, ViolationKind::Unmodelled];
    if others.contains(&violation.kind) {
        return None;
    }
    // What is found here only takes the place of what is known: a limit that strikes now leaves that as it is.
    let shown = halt::until_halted(|| {
        let trace = Trace::labelled(&Run::of(plain, &violation.path));
        show_again(loaded, request, &trace.with_violation(Finding::from(violation)))
    });
    let shown = shown.ok()?.ok().filter(Shown::is_confirmed)?;
    Some((Violation { path: shown.replay.path.clone(), ..violation.clone() }, shown))
}

fn is_doubtful((loaded, request): (&Loaded, &CheckRequest), run: &Path) -> bool {
    // A limit that has struck must not keep what was found from being told.
    let _undisturbed = halt::undisturbed();
    let front = loaded.front();
    let mut state = run.initial.clone();
    run.actions.iter().any(|action| {
        let is_doubtful = front.is_doubtful(request.held_back, &state, *action);
        state = loaded.step(&state, *action);
        is_doubtful
    })
}

/// What was found, doubtful runs last; their order is otherwise kept.
pub(crate) fn plain_first(
    whole: (&Loaded, &CheckRequest),
    found: Vec<FoundError>,
) -> Vec<FoundError> {
    let has_others = found.len() > 1;
    let (doubtful, mut plain): (Vec<FoundError>, Vec<FoundError>) =
        found.into_iter().partition(|it| has_others && is_doubtful(whole, &it.violation.path));
    plain.extend(doubtful);
    plain
}

/// What to say of an error that was held back.
fn words(held_back: HeldBack, is_other_shown: bool) -> &'static str {
    match (held_back, is_other_shown) {
        (HeldBack::DefaultTimeouts, true) => {
            "an error that needs a call's default timeout to fire was found first and held back; --keep-going shows it too"
        }
        (HeldBack::DefaultTimeouts, false) => {
            "the error needs a call's default timeout to fire, so it was held back while as many events again were explored \
             without such timeouts: nothing else was found wrong in them"
        }
        (HeldBack::Timeouts, true) => {
            "an error that needs a timeout to fire was found first and held back; --keep-going shows it too"
        }
        (HeldBack::Timeouts, false) => {
            "the error needs a timeout to fire, so it was held back while as many events again were explored without timeouts: \
             nothing else was found wrong in them"
        }
    }
}
