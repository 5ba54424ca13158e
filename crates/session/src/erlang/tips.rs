//! Tips for Erlang programs: what a report's errors often mean, and what to type next.
//! Why: people who come from testing are surprised that every finite timeout may fire and that a server left waiting is a
//! deadlock. A tip is given only where the run shown is of that kind, so that it is read.
//! Not here: hints about limits and the engine's options (`crate::hints`).

use super::program::ErlangProgram;
use super::waits::place;
use crate::front_end::FrontEnd;
use crate::{Outcome, Report};
use foresee_erlang::world::component::Control;
use foresee_erlang::{Erlang, Move, Pid, Term};
use foresee_lts::{Action, Path, State, System, ViolationKind};
use foresee_trace::Run;

/// What a `gen_server` call waits if it does not say otherwise.
const CALL_MS: i64 = 5000;

pub(super) fn about(program: &ErlangProgram, report: &Report) -> Vec<String> {
    let mut tips: Vec<String> = program.warnings_after();
    tips.extend(kept_clock(program, report));
    for tip in report.violations.iter().flat_map(|found| &found.details.tips) {
        if !tips.contains(tip) {
            tips.push(tip.clone());
        }
    }
    tips
}

/// A search that a limit has stopped met states that differ in a kept value of the clock, and so without end.
fn kept_clock(program: &ErlangProgram, report: &Report) -> Option<String> {
    let kept =
        program.erlang().kept_clock_value().filter(|_| report.verdict == Outcome::Inconclusive)?;
    Some(format!(
        "a value of the clock is kept, so that no state comes again and there is no end of them: {kept}; \
         --clock frozen lets clocks stand still"
    ))
}

/// What an error of this kind at the end of a run of this instance often means.
pub(super) fn about_violation(
    program: &ErlangProgram,
    kind: ViolationKind,
    run: &Run<'_>,
) -> Vec<String> {
    let last = run.last();
    let tips =
        [meant(program, kind, last), left_waiting(program, kind, last), timeout(program, run)];
    tips.into_iter().flatten().collect()
}

/// A process ended with a reason that is often meant: `shutdown`, `{shutdown, _}`, `killed`.
fn meant(program: &ErlangProgram, kind: ViolationKind, last: &State) -> Option<String> {
    let (_, reason, _) = program.wanted_faults(last).into_iter().next()?;
    let reason = reason.filter(|_| kind == ViolationKind::AbnormalExit)?;
    let (head, is_bare) = match reason.as_tuple() {
        Some([head, ..]) => (head.clone(), false),
        _ => (reason, true),
    };
    let tip = match head.as_atom()?.text() {
        "shutdown" => {
            "a supervisor ends its children with the reason shutdown, and so does who stops in good order: \
             with --treat-as-normal shutdown that is no error"
        }
        "killed" if is_bare => {
            "who gets an exit signal with the reason kill ends with the reason killed: if the test means to kill it, \
             --treat-as-normal killed says that this is no error"
        }
        _ => return None,
    };
    Some(tip.to_owned())
}

/// Nobody is stuck but those who serve the first process, which is done.
fn left_waiting(program: &ErlangProgram, kind: ViolationKind, last: &State) -> Option<String> {
    let blocked = program.erlang().blocked(last);
    // The first process of a supervision tree never ends, and waits for nothing.
    let is_tree = program.texts.source.supervisor.is_some();
    let is_done = !is_tree && !blocked.is_empty() && !blocked.contains(&Pid::first());
    (kind == ViolationKind::Deadlock && is_done).then(|| {
        "the first process has ended and others still wait: if they are servers, stop them at the end of the test, \
         or say with --ignore-error deadlock that they may wait"
            .to_owned()
    })
}

/// A run that could not be if its longest timeout did not fire.
fn timeout(program: &ErlangProgram, run: &Run<'_>) -> Option<String> {
    let Fired { ms, place, note } = longest(program.erlang(), run)?;
    Some(format!(
        "a timeout of {ms} ms{note} fires in this run{place}: any finite timeout may, whatever its length; \
         --after-timeout {ms} keeps those of {ms} ms and more from firing"
    ))
}

/// Most of what was explored is there because timeouts may fire.
pub(super) fn about_runs(program: &ErlangProgram, runs: &[Path]) -> Option<String> {
    let erlang = program.erlang();
    let longest = |path: &Path| longest(erlang, &Run::of(erlang, path));
    let fired: Vec<Fired> = runs.iter().filter_map(longest).collect();
    if fired.len() * 2 < runs.len() {
        return None;
    }
    let n = fired.len();
    let Fired { ms, place, note } = fired.into_iter().max_by_key(|fired| fired.ms)?;
    Some(format!(
        "a timeout fires in {n} of the first {} interleavings, the longest of {ms} ms{note}{place}: without it there are \
         fewer; --after-timeout {ms} keeps those of {ms} ms and more from firing",
        runs.len()
    ))
}

/// A timeout in a run.
struct Fired {
    ms: i64,
    place: String,
    note: &'static str,
}

/// The longest timeout that fires in a run, of those that let time pass.
fn longest(erlang: &Erlang, run: &Run<'_>) -> Option<Fired> {
    let fired = run.steps().filter_map(|(state, action)| fires(erlang, state, action));
    fired.filter(|fired| fired.ms > 0).max_by_key(|fired| fired.ms)
}

fn fires(erlang: &Erlang, state: &State, action: Action) -> Option<Fired> {
    let Move::Timeout(pid) = erlang.decode(state, action) else { return None };
    let process = erlang.process(state, pid)?;
    let Control::Receiving { timeout: Term::Int(ms), .. } = &process.control else { return None };
    let place = place(erlang, process).map_or(String::new(), |place| format!(", {place}"));
    let note = match erlang.is_in_library(process) && *ms == CALL_MS {
        true => " (a call waits that long unless it says otherwise)",
        false => "",
    };
    Some(Fired { ms: *ms, place, note })
}

/// Whether a timeout or a timer fires in a run while somebody could go on, or while a shorter one waits.
pub(super) fn has_early_timeout(erlang: &Erlang, run: &Run<'_>) -> bool {
    run.steps().any(|(state, action)| is_early(erlang, state, action))
}

fn is_early(erlang: &Erlang, state: &State, action: Action) -> bool {
    let ms = match erlang.decode(state, action) {
        Move::Timeout(_) => match fires(erlang, state, action) {
            Some(fired) if fired.ms > 0 => fired.ms,
            _ => return false,
        },
        // How much of its time has passed is not known.
        Move::Timer(_) => 0,
        _ => return false,
    };
    let mut others = Vec::new();
    erlang.enabled(state, &mut others);
    others.into_iter().any(|other| match erlang.decode(state, other) {
        Move::Timeout(_) => fires(erlang, state, other).is_some_and(|it| it.ms < ms),
        Move::Process(_) | Move::Deliver(..) => true,
        Move::Timer(_) | Move::Crash(_) | Move::NoMoreCrashes => false,
    })
}
