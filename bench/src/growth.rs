//! How the search over states grows: with the size of a system, with threads, with reduction.
//! What is said of threads needs both cores: beside each figure stands cpu/wall of the run with two threads, and where the machine was not
//! free the figure is void, because a search that shares its core with a neighbour says nothing about threads.
//! Times are CPU seconds of this process where the system tells them (`/proc/self/stat`, in hundredths), else seconds of the clock.

use crate::memory;
use foresee_nodes::BuildOptions;
use foresee_session::{
    CheckRequest, Engine, ErlangSource, NoMeter, Reduction, Registry, Silent, check, open,
};
use foresee_stateful::{Config, Report, search};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// Runs of each side; an odd number, so that the median is a run.
const RUNS: usize = 3;
/// Two threads that had less of two cores than this were disturbed.
const FREE: f64 = 1.7;

pub(crate) const CASES: &[crate::Measured] = &[
    ("stateful-2pc-9", || threads("stateful-2pc-9", &["two-phase-commit", "rms=9"], None)),
    ("stateful-ping-3", || threads("stateful-ping-3", &["ping", "clients=3", "pings=10"], None)),
    ("stateful-paxos-4", || threads("stateful-paxos-4", &["paxos", "clients=4"], Some(2_000_000))),
    ("stateful-paxos-3-opaque", || {
        threads("stateful-paxos-3-opaque", &["paxos", "clients=3", "properties=opaque"], None)
    }),
    ("stateful-growth", growth),
    ("stateful-reduction", reduction),
    ("stateful-spin-2pc-8", crate::spin::two_phase_commit),
];

/// One run.
#[derive(Clone, Copy)]
struct Run {
    cpu: f64,
    wall: f64,
    states: u64,
}

/// CPU seconds of this process so far.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which is in brackets, the 12th and 13th number.
    let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| numbers.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn timed(explore: impl FnOnce() -> u64) -> Run {
    let (cpu, started) = (cpu_seconds(), Instant::now());
    let states = explore();
    let wall = started.elapsed().as_secs_f64();
    let cpu = cpu.and_then(|before| Some(cpu_seconds()? - before)).unwrap_or(wall);
    Run { cpu, wall, states }
}

fn median(mut runs: Vec<Run>) -> Run {
    runs.sort_by(|a, b| a.wall.total_cmp(&b.wall));
    runs[runs.len() / 2]
}

fn explore(words: &[&str], threads: usize, states_max: Option<u64>) -> Report {
    let entries = foresee_systems::all();
    let entry = entries.iter().find(|entry| entry.name == words[0]).expect("a built-in system");
    let built = entry.build(&words[1..], &BuildOptions::default()).expect("good parameters");
    let mut config = Config { threads, ..Config::of(built.system()) };
    config.limits.states_max = states_max;
    search(built.system(), &config, &NoMeter, &mut Silent)
}

/// One thread and two, alternating.
fn threads(name: &str, words: &[&str], states_max: Option<u64>) -> Value {
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        one.push(timed(|| explore(words, 1, states_max).states));
        two.push(timed(|| explore(words, 2, states_max).states));
    }
    let (one, two) = (median(one), median(two));
    assert_eq!(one.states, two.states, "{name}: threads do not change what is explored");
    let (_, peak) = memory::peak_of(|| explore(words, 1, states_max));
    let scaling = scaling(one, two);
    json!({
        "bench": name,
        "states": one.states,
        "one_thread": of(one),
        "two_threads": of(two),
        "two_over_one": scaling,
        "void": scaling.is_none(),
        "bytes_per_state": round(peak as f64 / one.states as f64),
    })
}

/// How much faster two threads are by the clock; `None` where the machine was not theirs.
fn scaling(one: Run, two: Run) -> Option<f64> {
    let is_free = two.cpu / two.wall >= FREE && one.cpu / one.wall >= FREE / 2.0;
    is_free.then(|| round(one.wall / two.wall))
}

fn of(run: Run) -> Value {
    json!({
        "cpu_s": round_to(run.cpu, 1e3),
        "wall_s": round_to(run.wall, 1e3),
        "cpu_over_wall": round_to(run.cpu / run.wall, 1e2),
        "ns_per_state": (run.cpu * 1e9 / run.states as f64).round(),
    })
}

/// CPU time for a state as systems get larger.
fn growth() -> Value {
    let sizes = [
        ("2pc-5", vec!["two-phase-commit", "rms=5"]),
        ("2pc-6", vec!["two-phase-commit", "rms=6"]),
        ("2pc-7", vec!["two-phase-commit", "rms=7"]),
        ("2pc-8", vec!["two-phase-commit", "rms=8"]),
        ("2pc-9", vec!["two-phase-commit", "rms=9"]),
        ("ping-2", vec!["ping", "clients=2", "pings=10"]),
        ("ping-3", vec!["ping", "clients=3", "pings=10"]),
        ("paxos-2", vec!["paxos", "clients=2"]),
        ("paxos-3", vec!["paxos", "clients=3"]),
    ];
    let mut rows = Vec::new();
    let mut per_state = BTreeMap::new();
    for (size, words) in sizes {
        let runs = (0..RUNS).map(|_| timed(|| explore(&words, 1, None).states)).collect();
        let run = median(runs);
        per_state.insert(size, run.cpu / run.states as f64);
        rows.push(json!({ "size": size, "states": run.states, "run": of(run) }));
    }
    let last = round(per_state["2pc-9"] / per_state["2pc-7"]);
    json!({ "bench": "stateful-growth", "2pc_9_over_7_per_state": last, "rows": rows })
}

/// Chain repair with and without local steps at once.
fn reduction() -> Value {
    let rows: Vec<Value> = ["middle_refined", "middle"]
        .into_iter()
        .map(|function| {
            let run = |por: bool| timed(|| states_of_corfu(function, por));
            let (all, reduced) = (run(false), run(true));
            json!({
                "function": function,
                "none": { "states": all.states, "run": of(all) },
                "por": { "states": reduced.states, "run": of(reduced) },
                "fewer": round(all.states as f64 / reduced.states as f64),
            })
        })
        .collect();
    json!({ "bench": "stateful-reduction", "rows": rows })
}

fn states_of_corfu(function: &str, por: bool) -> u64 {
    let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    let files: BTreeMap<String, String> = crate::dpor::CORFU.iter().map(own).collect();
    let source = ErlangSource {
        files: files.keys().filter(|name| name.ends_with(".erl")).cloned().collect(),
        module: Some("corfu".to_owned()),
        function: Some(function.to_owned()),
        ..ErlangSource::default()
    };
    let loaded = open(&source.into(), &Registry::new(), &files).expect("a sound program");
    let request = CheckRequest {
        engine: Some(Engine::Stateful),
        reduction: Reduction { por, ..Reduction::default() },
        ..CheckRequest::default()
    };
    let report = check(&loaded, &request, &NoMeter, &mut Silent);
    assert!(report.violations.is_empty() && report.error.is_none(), "{function}");
    report.states
}

fn round(value: f64) -> f64 {
    round_to(value, 10.0)
}

fn round_to(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbed_machine_says_nothing_of_threads() {
        let run = |cpu: f64, wall: f64| Run { cpu, wall, states: 1 };
        assert_eq!(scaling(run(2.0, 2.0), run(2.4, 1.25)), Some(1.6));
        assert_eq!(scaling(run(2.0, 2.0), run(2.4, 2.4)), None);
        assert_eq!(scaling(run(2.0, 4.0), run(2.4, 1.25)), None);
    }
}
