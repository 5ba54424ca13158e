//! Generated Erlang programs: exploration against brute force, which shares with it only footprints and what receives take.
//! For each program: all states are gone through, and optimal exploration and source sets come to the same final states (but
//! for the order of messages that nobody took); optimal exploration has as many runs as there are traces, gives none up, and has
//! as many with two threads. Where all interleavings are too many, traces are not counted.
//! Programs are explored from where their processes are let go, or setting them up would be most of their interleavings.

#[path = "generated/program.rs"]
mod program;
#[path = "soundness/started.rs"]
mod started;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the engine")]
#[path = "../../stateless/tests/lab/traces.rs"]
mod traces;

use foresee_erlang::{Entry, Erlang, Options, Rules, SourceText, load};
use foresee_lts::{Action, State, System, Telling};
use foresee_search::{NoMeter, Silent};
use foresee_stateless::{Config, Dpor, Ignore, Report, RunEnd, explore};
use program::{Program, generated};
use started::Started;
use std::collections::BTreeSet;
use std::sync::Arc;
use traces::everything;

const STATES_MAX: usize = 20_000;
const INTERLEAVINGS_MAX: usize = 3_000;

/// A program from where its processes are let go.
fn started(program: &Program) -> Started {
    let text = program.module();
    let file = SourceText { path: "m.erl", text: &text };
    let loaded = load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
    let said: Vec<_> = loaded.problems.iter().map(|it| it.diagnostic.message.clone()).collect();
    let linked = loaded.program.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    let options = Options { rules: Rules::EXACT, ..Options::default() };
    let erlang = Erlang::new(linked, Entry::new("m", "main"), options);
    let mut state = erlang.initial().remove(0);
    let n = program.processes.len();
    let server = format!("<P.{}>", n + 1);
    while let Some(action) = of(&erlang, &state, "<P>").or_else(|| of(&erlang, &state, &server)) {
        state = erlang.step(&state, action);
    }
    for at in 1..=n {
        // It receives its message, and looks at something, for some operations happen together with a receive.
        for _ in 0..2 {
            let action = of(&erlang, &state, &format!("<P.{at}>")).expect("it is let go");
            state = erlang.step(&state, action);
        }
    }
    Started { erlang, state }
}

/// The hash of a state in which the order of messages that nobody took does not count.
fn hash(system: &Started, state: &[u32]) -> u64 {
    system.erlang.hash_unordered(state, |_| true)
}

fn of(erlang: &Erlang, state: &[u32], who: &str) -> Option<Action> {
    let mut actions = Vec::new();
    erlang.enabled(state, &mut actions);
    actions
        .into_iter()
        .find(|action| erlang.label(state, *action).to_string().split(' ').nth(1) == Some(who))
}

/// The final states of every run, by going through all states.
fn all_finals(system: &Started) -> Option<BTreeSet<u64>> {
    let mut seen: BTreeSet<State> = system.initial().into_iter().collect();
    let mut open: Vec<State> = system.initial();
    let mut finals = BTreeSet::new();
    let mut actions = Vec::new();
    while let Some(state) = open.pop() {
        actions.clear();
        system.enabled(&state, &mut actions);
        if actions.is_empty() {
            finals.insert(hash(system, &state));
        }
        for &action in &actions {
            let next = system.step(&state, action);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > STATES_MAX {
            return None;
        }
    }
    Some(finals)
}

/// The final states of the runs that an exploration kept.
fn finals(system: &Started, report: &Report) -> BTreeSet<u64> {
    let mut finals = BTreeSet::new();
    let mut states = vec![system.state.clone()];
    for run in &report.tree {
        states.truncate(run.shares + 1);
        for &action in &run.actions {
            states.push(system.step(states.last().expect("a state"), action));
        }
        if run.end != RunEnd::SleepSetBlocked {
            finals.insert(hash(system, states.last().expect("a state")));
        }
    }
    finals
}

fn config(dpor: Dpor) -> Config {
    let ignore: Ignore = Arc::new(|_, _| true);
    Config {
        dpor,
        keep_going: true,
        ignore: Some(ignore),
        tree_max: usize::MAX,
        ..Config::default()
    }
}

/// What is wrong with the way a program is explored, if anything; the first word says what kind of thing. And whether its
/// traces were counted.
fn judged(program: &Program) -> (Option<String>, bool) {
    let system = started(program);
    let Some(all) = all_finals(&system) else { return (None, false) };
    let found = |what: String| (Some(what), true);
    let optimal = explore(&system, &config(Dpor::Optimal), &NoMeter, &mut Silent);
    let n_runs = optimal.interleavings;
    if optimal.sleep_set_blocked > 0 {
        return found(format!("blocked: {}", optimal.sleep_set_blocked));
    }
    let own = finals(&system, &optimal);
    if own != all {
        return found(format!("finals: {} of {}", own.len(), all.len()));
    }
    let shared = Config { threads: 2, runs_alone: 1, tree_max: 0, ..config(Dpor::Optimal) };
    let shared = explore(&system, &shared, &NoMeter, &mut Silent);
    if shared.interleavings != n_runs {
        return found(format!("threads: {} runs, alone {n_runs}", shared.interleavings));
    }
    let source = explore(&system, &config(Dpor::Source), &NoMeter, &mut Silent);
    let own = finals(&system, &source);
    if own != all {
        return found(format!("finals-of-source: {} of {}", own.len(), all.len()));
    }
    if source.interleavings - source.sleep_set_blocked < n_runs {
        return found(format!("source: {} runs, optimal {n_runs}", source.interleavings));
    }
    let Some(truth) = everything(&system, true, INTERLEAVINGS_MAX) else { return (None, false) };
    let n_traces = truth.traces.len() as u64;
    let wrong = (n_runs != n_traces).then(|| format!("traces: {n_runs} runs of {n_traces}"));
    (wrong, true)
}

/// The same where what the engine believes of itself may turn out wrong.
fn caught(program: &Program) -> (Option<String>, bool) {
    std::panic::catch_unwind(|| judged(program)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        (Some(format!("panic: {}", text.unwrap_or_default())), true)
    })
}

/// A part of a program with which the same is wrong, of which no smaller part is wrong.
fn shrunk(mut program: Program, mut what: String) -> (Program, String) {
    let kind = |what: &str| what.split(' ').next().unwrap_or_default().to_owned();
    let wanted = kind(&what);
    let is_same = |small: Program| match caught(&small).0 {
        Some(its) if kind(&its) == wanted => Some((small, its)),
        _ => None,
    };
    while let Some(smaller) = program.smaller().into_iter().find_map(is_same) {
        (program, what) = smaller;
    }
    (program, what)
}

/// Judges the programs of some seeds; gives the number of those whose traces were counted.
fn judge(seeds: std::ops::Range<u64>) -> usize {
    let mut n_counted = 0;
    for seed in seeds {
        let program = generated(seed);
        let (wrong, is_counted) = caught(&program);
        if let Some(what) = wrong {
            let (small, its) = shrunk(program, what.clone());
            panic!("seed {seed}: {what}\n{its}\n{small}");
        }
        n_counted += usize::from(is_counted);
    }
    n_counted
}

#[test]
fn generated_programs_are_explored_as_brute_force_does() {
    assert!(judge(0..120) > 80);
}

/// As many as you like: `FORESEE_SEED=1000 FORESEE_SEEDS=5000 cargo test --release -p foresee-session --test generated many_more
/// -- --ignored`, with `CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true` for what the engine believes of itself.
#[test]
#[ignore = "takes as long as it is asked to"]
#[expect(clippy::disallowed_methods, reason = "an edge: somebody says how many")]
fn many_more() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
    };
    let first = number("FORESEE_SEED", 0);
    assert!(judge(first..first + number("FORESEE_SEEDS", 1_000)) > 0);
}

/// Programs of which runs were missed or repeated.
#[test]
fn what_once_went_wrong() {
    let call = "gen_server:call(S, get, 10)";
    let stop = "gen_server:call(S, stop, 10)";
    let length = "process_info(P1, message_queue_len)";
    let any = "receive X -> X end";
    let programs: [&[&[&str]]; 7] = [
        // A call that was given up, and the end of the server, of which the caller could have heard instead.
        &[&["gen_server:cast(S, stop)", call]],
        &[&[stop], &[call]],
        &[&["gen_server:call(S, never, 10)"], &["gen_server:call(S, stop, infinity)"]],
        &[
            &[
                "put(m, monitor(process, P2))",
                "receive {'DOWN', _, _, _, R} -> R after 0 -> late end",
                "demonitor(get(m), [flush])",
            ],
            &["exit(boom)"],
        ],
        // An answer that was taken back when the call was given up is not there for the next receive.
        &[&[call, any, "exit(boom)"], &["P1 ! a"]],
        // The mailbox of a process that has come to its end is empty.
        &[&["P1 ! a", "P2 ! b", "exit(boom)"], &[length]],
        // Whichever of two equal signals kills.
        &[&[], &["exit(P1, boom)"], &["exit(P1, boom)"]],
    ];
    for processes in programs {
        let process = |ops: &&[&str]| {
            let mut ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
            let ends = ops.last().is_some_and(|op| op == "exit(boom)");
            let end = if ends { ops.pop().unwrap_or_default() } else { String::new() };
            (ops, end)
        };
        let program = Program { processes: processes.iter().map(process).collect() };
        assert_eq!(judged(&program), (None, true), "{program}");
    }
}
