//! How fast: interleavings in a second of processor time on programs of the tests' laboratory.
//! `cargo run --release -p foresee-stateless --example measure [CASE]`
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

#[path = "../tests/lab/mod.rs"]
mod lab;

use foresee_search::{NoMeter, Silent};
use foresee_stateless::{Config, Dpor, explore};
use lab::{Lab, programs};

fn main() {
    let cases: [(&str, Lab); 5] = [
        ("readers 12", programs::readers(12)),
        ("clients 6", programs::clients(6)),
        ("clients 8", programs::clients(8)),
        ("senders 7", programs::senders(7)),
        ("last zero 12", programs::last_zero(12)),
    ];
    let only = std::env::args().nth(1).unwrap_or_default();
    for (name, lab) in cases.iter().filter(|(name, _)| name.starts_with(&only)) {
        for dpor in [Dpor::Optimal, Dpor::Source] {
            measure(name, lab, dpor);
        }
    }
}

fn measure(name: &str, lab: &Lab, dpor: Dpor) {
    let config = Config { dpor, ..Config::default() };
    let started = processor_ns();
    let (mut n_runs, mut n_events, mut races) = (0, 0, 0);
    let mut memory = 0;
    while processor_ns() - started < 300_000_000 {
        let report = explore(lab, &config, &NoMeter, &mut Silent);
        n_runs += report.interleavings;
        n_events += report.events;
        races += report.races;
        memory = report.memory_bytes;
    }
    let seconds = (processor_ns() - started) as f64 / 1e9;
    let rate = n_runs as f64 / seconds;
    let (events, races) = (n_events as f64 / n_runs as f64, races as f64 / n_runs as f64);
    println!(
        "{name:13} {dpor:?}: {rate:9.0} runs/s, {events:.1} events and {races:.1} races a run, {memory} B"
    );
}

/// What this process has used, where the system tells; other work on the machine does not count.
fn processor_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next().and_then(|word| word.parse().ok());
    first.unwrap_or_else(|| {
        use std::time::{SystemTime, UNIX_EPOCH};
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_nanos() as u64)
    })
}
