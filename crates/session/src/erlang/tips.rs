//! Tips for Erlang programs: what a report's errors often mean, and what to type next.
//! Why: people who come from testing are surprised that every finite timeout may fire and that a server left waiting is a
//! deadlock. A tip is given only where the run shown is of that kind, so that it is read.
//! Not here: hints about limits and the engine's options (`crate::hints`).

use super::program::ErlangProgram;
use super::waits::place;
use crate::front_end::FrontEnd;
use crate::{Found, Outcome, Report};
use foresee_erlang::component::Control;
use foresee_erlang::{Erlang, Move, Pid, Term};
use foresee_lts::{Action, Path, State, ViolationKind};

/// What a `gen_server` call waits if it does not say otherwise.
const CALL_MS: i64 = 5000;

pub(super) fn about(program: &ErlangProgram, report: &Report) -> Vec<String> {
    let mut tips: Vec<String> = program.warnings_after();
    tips.extend(kept_clock(program, report));
    for tip in report.violations.iter().flat_map(|found| about_violation(program, found)) {
        if !tips.contains(&tip) {
            tips.push(tip);
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

fn about_violation(program: &ErlangProgram, found: &Found) -> Vec<String> {
    let Some(trace) = &found.run else { return Vec::new() };
    let path = foresee_trace::replay(program.system(), trace).path;
    let Some(last) = path.states(program.system()).pop() else { return Vec::new() };
    let tips = [
        meant(program, found, &last),
        left_waiting(program, found, &last),
        timeout(program, &path),
    ];
    tips.into_iter().flatten().collect()
}

/// A process ended with a reason that is often meant: `shutdown`, `{shutdown, _}`, `killed`.
fn meant(program: &ErlangProgram, found: &Found, last: &State) -> Option<String> {
    let (_, reason, _) = program.wanted_faults(last).into_iter().next()?;
    let reason = reason.filter(|_| found.kind == ViolationKind::AbnormalExit)?;
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
fn left_waiting(program: &ErlangProgram, found: &Found, last: &State) -> Option<String> {
    let blocked = program.erlang().blocked(last);
    // The first process of a supervision tree never ends, and waits for nothing.
    let is_tree = program.texts.request.supervisor.is_some();
    let is_done = !is_tree && !blocked.is_empty() && !blocked.contains(&Pid::first());
    (found.kind == ViolationKind::Deadlock && is_done).then(|| {
        "the first process has ended and others still wait: if they are servers, stop them at the end of the test, \
         or say with --ignore-error deadlock that they may wait"
            .to_owned()
    })
}

/// A run that could not be if its longest timeout did not fire.
fn timeout(program: &ErlangProgram, path: &Path) -> Option<String> {
    let Fired { ms, place, note } = longest(program.erlang(), path)?;
    Some(format!(
        "a timeout of {ms} ms{note} fires in this run{place}: any finite timeout may, whatever its length; \
         --after-timeout {ms} keeps those of {ms} ms and more from firing"
    ))
}

/// Most of what was explored is there because timeouts may fire.
pub(super) fn about_runs(program: &ErlangProgram, runs: &[Path]) -> Option<String> {
    let fired: Vec<Fired> =
        runs.iter().filter_map(|path| longest(program.erlang(), path)).collect();
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
fn longest(erlang: &Erlang, path: &Path) -> Option<Fired> {
    let states = path.states(erlang);
    let fired = states
        .iter()
        .zip(&path.actions)
        .filter_map(|(state, action)| fires(erlang, state, *action));
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
