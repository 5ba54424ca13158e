//! Prints how fast programs run: instructions, list appends, copies and hashes of states, start-up.
//! `cargo run --release -p foresee-erlang --example speed`

use foresee_erlang::{Entry, Erlang, Limits, Options, SourceText, load, simulate};
use foresee_erlang_syntax::no_includes;
use foresee_lts::{System, content_hash_of};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LOOP: &str = "-module(m).\n-export([main/0]).\nmain() -> loop(3000000, 0).\n\
    loop(0, Acc) -> Acc;\nloop(N, Acc) when N rem 2 =:= 0 -> loop(N - 1, Acc + N);\n\
    loop(N, Acc) -> loop(N - 1, Acc - 1).\n";

const APPEND: &str = "-module(m).\n-export([main/0]).\nmain() -> L = lists:seq(1, 100), go(20000, L).\n\
    go(0, _) -> ok;\ngo(N, L) -> append(L, [x]), go(N - 1, L).\n\
    append([], Ys) -> Ys;\nappend([X | Xs], Ys) -> [X | append(Xs, Ys)].\n";

const SIX: &str = "-module(m).\n-export([main/0]).\n\
    main() -> Ps = [spawn(fun() -> loop(0) end) || _ <- lists:seq(1, 5)], [P ! {self(), 1} || P <- Ps],\n\
    \x20   [receive R -> R end || _ <- Ps].\n\
    loop(N) -> receive {From, K} -> From ! {ok, N + K}, loop(N + K) end.\n";

/// The fastest of five runs: what else the machine does can only slow one down.
#[expect(clippy::disallowed_methods, reason = "measuring is what this is for")]
fn timed<T>(mut f: impl FnMut() -> T) -> (T, Duration) {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            let value = f();
            (value, start.elapsed())
        })
        .min_by_key(|(_, time)| *time)
        .expect("five runs")
}

fn system(text: &str) -> Erlang {
    let file = SourceText { path: "m.erl", text };
    let loaded = load(&[file], &Default::default(), &mut no_includes);
    let program = loaded.program.expect("a program without mistakes");
    let options = Options { budget: u64::MAX, ..Options::default() };
    Erlang::new(program, Entry::new("m", "main"), options)
}

fn rate(n: f64, time: Duration) -> f64 {
    n / time.as_secs_f64() / 1e6
}

#[expect(clippy::print_stdout, reason = "printing is what this is for")]
fn main() {
    let counting = system(LOOP);
    let (_, time) = timed(|| simulate(&counting, 0, Limits::default(), |_| ()));
    let n = counting.n_instructions() as f64 / 5.0;
    println!("{{\"bench\":\"erlang-instructions\",\"million_per_s\":{:.1}}}", rate(n, time));

    let appending = system(APPEND);
    let (_, time) = timed(|| simulate(&appending, 0, Limits::default(), |_| ()));
    println!("{{\"bench\":\"erlang-append\",\"million_elements_per_s\":{:.1}}}", rate(2e6, time));

    let six = system(SIX);
    let mut state = six.initial().remove(0);
    for _ in 0..12 {
        let mut actions = Vec::new();
        six.enabled(&state, &mut actions);
        state = six.step(&state, actions[0]);
    }
    let n = 1_000_000;
    let (_, time) = timed(|| {
        (0..n).for_each(|_| {
            black_box(state.clone());
        })
    });
    println!(
        "{{\"bench\":\"erlang-state-clone\",\"slots\":{},\"ns\":{:.1}}}",
        state.len(),
        time.as_nanos() as f64 / f64::from(n)
    );
    let (_, time) = timed(|| {
        (0..n).for_each(|_| {
            black_box(content_hash_of(&six, &state));
        })
    });
    println!(
        "{{\"bench\":\"erlang-state-hash\",\"ns\":{:.1}}}",
        time.as_nanos() as f64 / f64::from(n)
    );

    let (_, time) = timed(|| system(SIX).initial());
    println!("{{\"bench\":\"erlang-start\",\"ms\":{:.2}}}", time.as_secs_f64() * 1e3);

    let (states, time) = timed(|| explore(&system(SIX)));
    println!(
        "{{\"bench\":\"erlang-explore\",\"states\":{},\"transitions\":{},\"million_transitions_per_s\":{:.2}}}",
        states.0,
        states.1,
        rate(states.1 as f64, time)
    );
}

/// All states and transitions, the plain way.
fn explore(system: &Erlang) -> (usize, usize) {
    let mut seen: std::collections::BTreeSet<Vec<u32>> = system.initial().into_iter().collect();
    let mut todo: Vec<Vec<u32>> = seen.iter().cloned().collect();
    let mut n_transitions = 0;
    let mut explorer = system.explorer();
    let mut successors = foresee_lts::Successors::default();
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
