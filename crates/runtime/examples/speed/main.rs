//! How fast nodes run for real: `cargo xtask bench runtime`, one JSON line a case.
//! Exactly-once RPC (the example's own nodes) in one process and over TCP on loopback, beside a raw echo with the same framing and Stateright's
//! actors on UDP in the same minute; what recording costs; Raft with and without stable storage; and the judging of recorded histories, reading included. On a shared machine the figures to
//! compare are operations a processor second and ratios: the load average is printed with each line. Seconds and the beginnings of names may
//! be given: `cargo xtask bench runtime 1.5 rpc raft`.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a measurement")]

#[path = "../../../../examples/rpc/src/rpc.rs"]
#[allow(dead_code, reason = "only the load is used")]
mod rpc;

#[path = "../../../../examples/raft/src/raft/mod.rs"]
#[allow(dead_code, unused_imports, reason = "only the load is used")]
mod raft;

mod echo;
mod histories;
mod peer;
mod raft_rows;

use foresee::{Address, BuildOptions, KeyValueCommand, Runnable};
use foresee_runtime::{
    Config, Peers, RunReport, Wants, cpu_seconds, free_places, run_here, run_site,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A name and how to measure for so long.
type Case = (&'static str, fn(Duration));

/// Runs of each side, in turns; the median counts.
const RUNS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(3.0);
    let duration = Duration::from_secs_f64(seconds);
    let names: Vec<&String> = words.iter().filter(|word| word.parse::<f64>().is_err()).collect();
    let wants =
        |name: &str| names.is_empty() || names.iter().any(|it| name.starts_with(it.as_str()));
    let cases: [Case; 4] = [
        ("rpc-in-process", in_process),
        ("rpc-tcp", over_tcp),
        ("recording", recording),
        ("raft", raft_rows::measure),
    ];
    for (_, measure) in cases.iter().filter(|(name, _)| wants(name)) {
        measure(duration);
    }
    let histories = [("histories-kv", 0), ("histories-kv-1%-unanswered", 1)];
    for (name, lost) in histories.into_iter().filter(|(name, _)| wants(name)) {
        let (operations, cpu) = histories::measure(1_000_000, lost);
        let rate = operations as f64 / cpu;
        line(name, &format!("\"operations\":{operations},\"operations_per_cpu_second\":{rate:.0}"));
    }
}

fn line(bench: &str, figures: &str) {
    line_beside(bench, figures, "");
}

/// A line with what a peer did in the same minute.
fn line_beside(bench: &str, figures: &str, peer: &str) {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("0").to_owned();
    println!(
        "{{\"bench\":\"runtime/{bench}\",\"ours\":{{{figures}}}{peer},\"load_average\":{load}}}"
    );
}

fn world(clients: usize) -> Box<dyn Runnable> {
    let load = format!("load={clients}");
    rpc::entry().build(&[load.as_str()], &BuildOptions::default()).expect("the example builds")
}

fn config(duration: Duration) -> Config {
    Config { duration: Some(duration), listens_for_signals: false, ..Config::default() }
}

/// The operations that are judged: all of fifty keys, ten that every client writes and the ten of each of the first four clients. So a run
/// of any length keeps the same share; a sample of operations could not be judged.
fn designated() -> Wants {
    Arc::new(|operation| {
        let key = operation.get::<KeyValueCommand>().map_or("", KeyValueCommand::key);
        key.starts_with("shared") || key < "k0004"
    })
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Operations a processor second, all nodes in one process; a run that is not linearizable is void.
fn per_cpu_second(clients: usize, config: &Config) -> (f64, RunReport) {
    let world = world(clients);
    let report = run_here(&*world.deployment().expect("nodes"), config, Some(designated()))
        .expect("it runs");
    let judged = world.judge(&report.history);
    assert_eq!(judged, Some(foresee::Judgement::Linearizable), "a run that is wrong is void");
    (report.operations as f64 / report.cpu_seconds, report)
}

fn in_process(duration: Duration) {
    let runs: Vec<_> = (0..RUNS).map(|_| per_cpu_second(20, &config(duration))).collect();
    let rate = median(runs.iter().map(|(rate, _)| *rate).collect());
    let report = &runs[0].1;
    line(
        "rpc-in-process",
        &format!(
            "\"clients\":20,\"puts_per_cpu_second\":{rate:.0},\"operations_per_second\":{:.0},\"p50_us\":{:.1},\"p99_us\":{:.1},\
             \"messages_per_operation\":{:.2},\"linearizable\":true",
            report.operations_per_second(),
            report.latency.p50,
            report.latency.p99,
            report.messages_per_operation()
        ),
    );
}

fn over_tcp(duration: Duration) {
    let (mut ours, mut cpu, mut floor, mut floor_cpu) = (vec![], vec![], vec![], vec![]);
    let (mut theirs, mut theirs_cpu) = (vec![], vec![]);
    let mut p50 = 0.0;
    for _ in 0..RUNS {
        let (report, spent) = tcp_once(10, duration);
        ours.push(report.operations_per_second());
        cpu.push(report.operations as f64 / spent);
        p50 = report.latency.p50;
        let before = cpu_seconds();
        let echoed = echo::measure(10, 112, duration);
        floor_cpu.push(echoed / (cpu_seconds() - before));
        floor.push(echoed / duration.as_secs_f64());
        let before = cpu_seconds();
        let answered = peer::measure(10, duration);
        theirs_cpu.push(answered / (cpu_seconds() - before));
        theirs.push(answered / duration.as_secs_f64());
    }
    let (ours, cpu, floor, floor_cpu) =
        (median(ours), median(cpu), median(floor), median(floor_cpu));
    let (theirs, theirs_cpu) = (median(theirs), median(theirs_cpu));
    line_beside(
        "rpc-tcp",
        &format!(
            "\"clients\":10,\"operations_per_second\":{ours:.0},\"operations_per_cpu_second\":{cpu:.0},\"p50_us\":{p50:.1},\
             \"echo_per_second\":{floor:.0},\"echo_per_cpu_second\":{floor_cpu:.0},\"share_of_echo\":{:.3},\"share_of_echo_by_cpu\":{:.3}",
            ours / floor,
            cpu / floor_cpu
        ),
        &format!(
            ",\"peer\":\"stateright-0.31-spawn-udp\",\"theirs\":{{\"operations_per_second\":{theirs:.0},\"operations_per_cpu_second\":\
             {theirs_cpu:.0}}},\"ratio\":{:.2},\"ratio_by_cpu\":{:.2}",
            ours / theirs,
            cpu / theirs_cpu
        ),
    );
}

/// A server and all clients as two sites, in threads of this process so that their processor time is ours.
fn tcp_once(clients: usize, duration: Duration) -> (RunReport, f64) {
    let at = free_places(2, 0);
    let mut peers = format!("server {}\n", at[0]);
    for client in Address::numbered("client", clients) {
        peers += &format!("{client} {}\n", at[1]);
    }
    let peers = Peers::parse(&peers).expect("a good file");
    let site = move |peers: &Peers, node: &str, duration: Duration| {
        let deployment = world(clients).deployment().expect("nodes");
        let (node, wants) = (Address::new(node), Some(designated()));
        run_site(&*deployment, peers, node, &config(duration), wants).expect("it runs")
    };
    let before = cpu_seconds();
    let served = peers.clone();
    let server =
        std::thread::spawn(move || site(&served, "server", duration + Duration::from_millis(300)));
    let report = site(&peers, "client1", duration);
    server.join().expect("no panic");
    let spent = cpu_seconds() - before;
    let judged = world(clients).judge(&report.history);
    assert_eq!(judged, Some(foresee::Judgement::Linearizable), "a run that is wrong is void");
    (report, spent)
}

fn recording(duration: Duration) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file: PathBuf = folder.path().join("run.record");
    let recorded = Config { record: Some((file, "rpc".to_owned())), ..config(duration) };
    let (mut with, mut without) = (vec![], vec![]);
    for _ in 0..RUNS {
        with.push(per_cpu_second(20, &recorded).0);
        without.push(per_cpu_second(20, &config(duration)).0);
    }
    let (with, without) = (median(with), median(without));
    line(
        "recording",
        &format!(
            "\"with_per_cpu_second\":{with:.0},\"without_per_cpu_second\":{without:.0},\"cost\":{:.3}",
            1.0 - with / without
        ),
    );
}
