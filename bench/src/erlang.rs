//! How fast Erlang programs run: instructions, list appends, copies and hashes of states, start-up, exploration.
//! Figures are of the median run. Each stands beside the floor it must not fall under (`floor`, or `ceiling` where less
//! is better), which is judged by the best run: what else the machine does can only slow one down. Where an
//! Erlang is installed, the same program runs under it, one after the other in the same minute; it is compiled to
//! machine code and does not remember states, so the ratio says what interpreting costs, not who is better.
//! Not here: what the figures must be for a release (the issue of the front end), the nodes' cases (`cases`).

use foresee_erlang::{Entry, Erlang, Limits, Options, SourceText, load, simulate};
use foresee_erlang_syntax::no_includes;
use foresee_lts::{Successors, System, content_hash_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

pub(crate) const CASES: &[crate::Measured] = &[
    ("erlang-instructions", instructions),
    ("erlang-append", append),
    ("erlang-state-clone", state_clone),
    ("erlang-state-hash", state_hash),
    ("erlang-start", start),
    ("erlang-explore", explore),
];

/// An odd number, so that the median is a run.
const RUNS: usize = 9;

const LOOP_ROUNDS: u32 = 500_000;
const LOOP: &str = "main() -> loop(500000, 0).\n\
    loop(0, Acc) -> Acc;\nloop(N, Acc) when N rem 2 =:= 0 -> loop(N - 1, Acc + N);\n\
    loop(N, Acc) -> loop(N - 1, Acc - 1).\n";

const APPEND_ELEMENTS: u32 = 400_000;
const APPEND: &str = "main() -> L = lists:seq(1, 100), go(4000, L).\n\
    go(0, _) -> ok;\ngo(N, L) -> append(L, [x]), go(N - 1, L).\n\
    append([], Ys) -> Ys;\nappend([X | Xs], Ys) -> [X | append(Xs, Ys)].\n";

const SIX: &str = "main() -> Ps = [spawn(fun() -> loop(0) end) || _ <- lists:seq(1, 5)], \
    [P ! {self(), 1} || P <- Ps],\n    [receive R -> R end || _ <- Ps].\n\
    loop(N) -> receive {From, K} -> From ! {ok, N + K}, loop(N + K) end.\n";

fn system(body: &str) -> Erlang {
    let text = format!("-module(m).\n-export([main/0]).\n{body}");
    let file = SourceText { path: "m.erl", text: &text };
    let loaded = load(&[file], &Default::default(), &mut no_includes);
    let program = loaded.program.expect("a program without mistakes");
    let options = Options { budget: u64::MAX, ..Options::default() };
    Erlang::new(program, Entry::new("m", "main"), options)
}

/// Seconds of the median run and of the best.
#[derive(Clone, Copy)]
struct Time {
    median: f64,
    best: f64,
}

fn timed(mut run: impl FnMut()) -> Time {
    let once = |_| {
        let started = Instant::now();
        run();
        started.elapsed().as_secs_f64()
    };
    let mut all: Vec<f64> = (0..RUNS).map(once).collect();
    all.sort_by(f64::total_cmp);
    Time { median: all[RUNS / 2], best: all[0] }
}

/// To hundredths.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A line without a peer.
fn line(name: &str, ours: Value, limit: (&str, f64), ok: bool) -> Value {
    let mut line = json!({ "bench": name, "ours": ours, "ok": ok });
    line[limit.0] = json!(limit.1);
    line
}

/// Adds what the peer reached: more is better.
fn beside(mut line: Value, unit: &str, ours: f64, theirs: Option<f64>) -> Value {
    if let (Some(theirs), Some(peer)) = (theirs, peer()) {
        line["peer"] = json!(peer);
        line["theirs"] = json!({ unit: rounded(theirs) });
        line["ratio"] = json!((ours / theirs * 1000.0).round() / 1000.0);
    }
    line
}

fn instructions() -> Value {
    let counting = system(LOOP);
    simulate(&counting, 0, Limits::default(), |_| ());
    let n = counting.n_instructions() as f64;
    let time = timed(|| {
        simulate(&counting, 0, Limits::default(), |_| ());
    });
    let best = n / time.best / 1e6;
    let rounds = f64::from(LOOP_ROUNDS) / time.median / 1e6;
    let ours = json!({
        "million_instructions_per_s": rounded(n / time.median / 1e6), "best": rounded(best),
        "million_rounds_per_s": rounded(rounds),
    });
    let line = line("erlang-instructions", ours, ("floor", 30.0), best >= 30.0);
    let theirs = under_beam(LOOP).map(|time| f64::from(LOOP_ROUNDS) / time / 1e6);
    beside(line, "million_rounds_per_s", rounds, theirs)
}

fn append() -> Value {
    let appending = system(APPEND);
    let time = timed(|| {
        simulate(&appending, 0, Limits::default(), |_| ());
    });
    let rate = |seconds: f64| f64::from(APPEND_ELEMENTS) / seconds / 1e6;
    let (rate, best) = (rate(time.median), rate(time.best));
    let ours = json!({ "million_elements_per_s": rounded(rate), "best": rounded(best) });
    let line = line("erlang-append", ours, ("floor", 5.0), best >= 5.0);
    let theirs = under_beam(APPEND).map(|time| f64::from(APPEND_ELEMENTS) / time / 1e6);
    beside(line, "million_elements_per_s", rate, theirs)
}

/// Six processes, some way into their run.
fn six() -> (Erlang, Vec<u32>) {
    let six = system(SIX);
    let mut state = six.initial().remove(0);
    for _ in 0..12 {
        let mut actions = Vec::new();
        six.enabled(&state, &mut actions);
        state = six.step(&state, actions[0]);
    }
    (six, state)
}

const REPEATS: u32 = 200_000;

fn state_clone() -> Value {
    let (_, state) = six();
    let time = timed(|| (0..REPEATS).for_each(|_| drop(black_box(black_box(&state).clone()))));
    per_state("erlang-state-clone", time, state.len())
}

fn state_hash() -> Value {
    let (six, state) = six();
    let time = timed(|| {
        (0..REPEATS).for_each(|_| {
            black_box(content_hash_of(&six, black_box(&state)));
        });
    });
    per_state("erlang-state-hash", time, state.len())
}

fn per_state(name: &str, time: Time, n_slots: usize) -> Value {
    let ns = |seconds: f64| rounded(seconds * 1e9 / f64::from(REPEATS));
    let ours = json!({ "ns": ns(time.median), "best": ns(time.best), "slots": n_slots });
    line(name, ours, ("ceiling", 100.0), ns(time.best) < 100.0)
}

fn start() -> Value {
    let time = timed(|| drop(black_box(system(SIX).initial())));
    let (ms, best) = (time.median * 1e3, time.best * 1e3);
    let ours = json!({ "ms": rounded(ms), "best": rounded(best) });
    let mut line = line("erlang-start", ours, ("ceiling", 20.0), best < 20.0);
    if let (Some(theirs), Some(peer)) = (escript_ms(), peer()) {
        line["peer"] = json!(peer);
        line["theirs"] = json!({ "ms": rounded(theirs) });
        line["ratio"] = json!(rounded(theirs / ms));
    }
    line
}

/// All states of the six, the plain way: no floor, a figure to watch.
fn explore() -> Value {
    let mut counts = (0, 0);
    let time = timed(|| counts = walk(&system(SIX))).median;
    json!({ "bench": "erlang-explore", "ours": {
        "unique": counts.0, "transitions": counts.1,
        "million_transitions_per_s": rounded(f64::from(counts.1) / time / 1e6),
    } })
}

fn walk(system: &Erlang) -> (usize, u32) {
    let mut seen: BTreeSet<Vec<u32>> = system.initial().into_iter().collect();
    let mut todo: Vec<Vec<u32>> = seen.iter().cloned().collect();
    let mut n_transitions = 0;
    let mut explorer = system.explorer();
    let mut successors = Successors::default();
    while let Some(state) = todo.pop() {
        explorer.expand(&state, &mut successors);
        for successor in successors.iter() {
            n_transitions += 1;
            let mut next = state.clone();
            successors.apply(successor, &mut next);
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    (seen.len(), n_transitions)
}

/// What is installed, if anything is.
fn peer() -> Option<String> {
    let ask = "io:format(\"~s\", [erlang:system_info(otp_release)]), halt().";
    let output = Command::new("erl").args(["-noshell", "-eval", ask]).output().ok()?;
    let release = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(format!("otp-{}", release.trim()))
}

fn script(name: &str, body: &str) -> Option<std::path::PathBuf> {
    let path = std::env::temp_dir().join(format!("foresee-bench-{}-{name}", std::process::id()));
    std::fs::write(&path, body).ok()?;
    Some(path)
}

/// Seconds of the same program under an installed Erlang, compiled, without its start.
fn under_beam(body: &str) -> Option<f64> {
    let text = format!(
        "#!/usr/bin/env escript\n-mode(compile).\n\
         main(_) ->\n    Ts = [element(1, timer:tc(fun main/0)) || _ <- lists:seq(1, {RUNS})],\n    \
         io:format(\"~w\", [lists:nth({}, lists:sort(Ts))]).\n{body}",
        RUNS / 2 + 1
    );
    let path = script("loop", &text)?;
    let output = Command::new("escript").arg(&path).output();
    std::fs::remove_file(&path).ok()?;
    let output = output.ok().filter(|output| output.status.success())?;
    let microseconds: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(microseconds / 1e6)
}

/// Milliseconds from the command to the first step of the same file under an installed Erlang.
fn escript_ms() -> Option<f64> {
    let path = script("start", &format!("#!/usr/bin/env escript\nmain(_) -> main().\n{SIX}"))?;
    let mut works = true;
    let time = timed(|| {
        let status = Command::new("escript").arg(&path).status();
        works &= status.is_ok_and(|status| status.success());
    });
    std::fs::remove_file(&path).ok()?;
    works.then_some(time.median * 1e3)
}
