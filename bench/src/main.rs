//! Side by side with the peer: the same systems, the same counts, one thread each, alternating runs.
//! Why alternating: the machine's speed drifts (heat, neighbours); runs that take turns drift together, and a ratio of
//! medians survives that; they are ratios of processor time, because each side has one thread and the machine others to serve. Every run asserts its number of unique states, so a fast wrong answer is a failure.
//! Erlang programs (`erlang`), the exploration of interleavings (`dpor`) and state spaces (`logic`) are measured against
//! floors; threads, growth and reductions of the search over states (`growth`) stand by themselves, and beside Spin where that is
//! installed (`spin`). One JSON line a case on standard output. `cargo xtask bench [NAME …]` builds with optimisation and runs this;
//! `--ours` before the names runs our side once and nothing else, for a profiler.
#![allow(clippy::disallowed_methods, reason = "an edge: it reads the clock and the command line")]

mod cases;
mod dpor;
mod erlang;
mod growth;
mod locker;
mod logic;
mod memory;
mod peer;
mod spin;

use cases::{CASES, Case};
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// A measurement against floors, and its name.
type Measured = (&'static str, fn() -> serde_json::Value);

/// Measurements that go together, by the name for all of them.
const GROUPS: &[(&str, &[Measured])] = &[
    ("stateful", growth::CASES),
    ("erlang", erlang::CASES),
    ("erlang-dpor", dpor::CASES),
    ("logic", logic::CASES),
];

/// Runs of each side; an odd number, so that the median is a run.
const RUNS: usize = 3;

/// What one run explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) unique: u64,
    /// Arrows explored, duplicates included.
    pub(crate) transitions: u64,
    /// Bytes of the visited store alone, where the side can tell.
    pub(crate) store_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Line {
    bench: &'static str,
    ours: Side,
    peer: String,
    theirs: Side,
    /// Their processor time by ours, for the same states.
    ratio: f64,
    ratio_least: f64,
}

/// The median run of one side.
#[derive(Clone, Debug, Serialize)]
struct Side {
    unique: u64,
    transitions: u64,
    seconds: f64,
    /// Processor time, where the system tells it: neighbours on the machine hardly change it.
    cpu_seconds: f64,
    unique_per_s: u64,
    transitions_per_s: u64,
    /// Most bytes held at once, by the allocator's count, over unique states.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_state: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_bytes_per_state: Option<f64>,
}

fn main() -> ExitCode {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let only_ours = names.first().is_some_and(|word| word == "--ours");
    names.drain(..usize::from(only_ours));
    let known: Vec<&str> = CASES
        .iter()
        .map(|case| case.name)
        .chain(GROUPS.iter().flat_map(|(_, cases)| cases.iter().map(|(name, _)| *name)))
        .chain(GROUPS.iter().map(|(group, _)| *group))
        .collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        eprint(&format!("there is no case `{unknown}`; there are {}", known.join(", ")));
        return ExitCode::from(2);
    }
    for case in
        CASES.iter().filter(|case| names.is_empty() || names.iter().any(|name| name == case.name))
    {
        let line = if only_ours { to_json(&run(case, case.ours)) } else { to_json(&measure(case)) };
        print(&line);
    }
    for (group, cases) in GROUPS {
        let wanted = |name: &str| names.iter().any(|own| own == group || own == name);
        let asked = |name: &str| !only_ours && (names.is_empty() || wanted(name));
        for (name, measure) in cases.iter().filter(|(name, _)| asked(name)) {
            let line = measure();
            assert_eq!(line["bench"], *name, "a line says what it measures");
            print(&to_json(&line));
        }
    }
    ExitCode::SUCCESS
}

fn to_json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("plain data")
}

fn measure(case: &Case) -> Line {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(run(case, case.ours));
        theirs.push(run(case, case.theirs));
    }
    let (ours, theirs) = (sorted(ours), sorted(theirs));
    let ratio = |ours: &Side, theirs: &Side| round(theirs.cpu_seconds / ours.cpu_seconds);
    Line {
        bench: case.name,
        peer: format!("stateright-0.31-{}", case.search.word()),
        ratio: ratio(&ours[RUNS / 2], &theirs[RUNS / 2]),
        ratio_least: ratio(&ours[RUNS - 1], &theirs[0]),
        ours: Side { bytes_per_state: bytes_per_state(case, case.ours), ..ours[RUNS / 2].clone() },
        theirs: Side {
            bytes_per_state: bytes_per_state(case, case.theirs),
            ..theirs[RUNS / 2].clone()
        },
    }
}

/// One timed run, from nothing to the last state.
fn run(case: &Case, explore: fn(&Case) -> Counts) -> Side {
    let (cpu, started) = (growth::cpu_seconds(), Instant::now());
    let counts = explore(case);
    let seconds = started.elapsed().as_secs_f64();
    let cpu = cpu.and_then(|before| Some(growth::cpu_seconds()? - before)).unwrap_or(seconds);
    assert_eq!(counts.unique, case.unique, "{}: the number of unique states is wrong", case.name);
    let unique = counts.unique as f64;
    Side {
        unique: counts.unique,
        transitions: counts.transitions,
        seconds: (seconds * 1e4).round() / 1e4,
        cpu_seconds: (cpu * 1e4).round() / 1e4,
        unique_per_s: (unique / cpu) as u64,
        transitions_per_s: (counts.transitions as f64 / cpu) as u64,
        bytes_per_state: None,
        store_bytes_per_state: counts.store_bytes.map(|bytes| round(bytes as f64 / unique)),
    }
}

/// One more run, not timed, in which every allocation is counted.
fn bytes_per_state(case: &Case, explore: fn(&Case) -> Counts) -> Option<f64> {
    let (counts, bytes) = memory::peak_of(|| explore(case));
    Some(round(bytes as f64 / counts.unique as f64))
}

/// Fastest first.
fn sorted(mut sides: Vec<Side>) -> Vec<Side> {
    sides.sort_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds));
    sides
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[expect(clippy::print_stdout, reason = "the result of the program")]
fn print(line: &str) {
    println!("{line}");
}

#[expect(clippy::print_stderr, reason = "news for the person who typed it")]
fn eprint(line: &str) {
    eprintln!("bench: {line}");
}
