//! Raft on three servers over TCP on loopback, 20 closed-loop clients: without storage, and with it beside the device's bare rate of syncs.

use super::{config, line, median};
use foresee::{Address, BuildOptions, Judgement, Runnable};
use foresee_node::Operation;
use foresee_runtime::{
    Config, Peers, RunReport, StorageConfig, cpu_seconds, free_places, run_site,
};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const CLIENTS: usize = 20;
const RUNS: usize = 3;

pub(crate) fn measure(duration: Duration) {
    // Temporary folders of the system may be in memory, where a sync costs nothing.
    std::fs::create_dir_all("target").expect("a folder can be made here");
    for has_storage in [false, true] {
        let (mut rates, mut per_cpu, mut p50) = (vec![], vec![], 0.0);
        for seed in 0..RUNS {
            let folder = tempfile::tempdir_in("target").expect("a folder on this disk");
            let storage = has_storage.then(|| StorageConfig::new(folder.path()));
            let (report, spent) = once(duration, storage, seed as u64);
            per_cpu.push(report.operations as f64 / spent);
            rates.push(rate(&report));
            p50 = report.latency.p50;
        }
        let (name, syncs) = match has_storage {
            true => ("raft-tcp-sync", format!(",\"bare_syncs_per_second\":{:.0}", bare_syncs())),
            false => ("raft-tcp", String::new()),
        };
        let (rate, per_cpu) = (median(rates), median(per_cpu));
        line(
            name,
            &format!(
                "\"servers\":3,\"clients\":{CLIENTS},\"operations_per_second\":{rate:.0},\"operations_per_cpu_second\":{per_cpu:.0},\
                 \"p50_us\":{p50:.1},\"linearizable\":true{syncs}"
            ),
        );
    }
}

/// Operations a second from the first answer on: before that there was no leader.
fn rate(report: &RunReport) -> f64 {
    let mut history = report.history.iter();
    let first = history.find(|it| matches!(it.what, Operation::Returned(_)));
    let led = report.elapsed - first.map_or(Duration::ZERO, |it| it.at);
    report.operations as f64 / led.as_secs_f64()
}

fn world() -> Box<dyn Runnable> {
    let load = format!("load={CLIENTS}");
    let arguments = [load.as_str(), "snapshot=10000"];
    super::raft::entry().build(&arguments, &BuildOptions::default()).expect("the example builds")
}

fn once(duration: Duration, storage: Option<StorageConfig>, seed: u64) -> (RunReport, f64) {
    let places = free_places(4, seed);
    let mut peers = String::new();
    for (server, at) in Address::numbered("server", 3).into_iter().zip(&places) {
        peers += &format!("{server} {at}\n");
    }
    for client in Address::numbered("client", CLIENTS) {
        peers += &format!("{client} {}\n", places[3]);
    }
    let peers = Peers::parse(&peers).expect("a good file");
    // An election takes up to a second and a bit.
    let duration = duration + Duration::from_secs(2);
    let site = |node: &str, more: Duration, storage: Option<StorageConfig>| {
        let (peers, node) = (peers.clone(), Address::new(node));
        std::thread::spawn(move || {
            let deployment = world().deployment().expect("nodes");
            let config = Config { storage, seed, ..config(duration + more) };
            run_site(&*deployment, &peers, node, &config, None).expect("it runs")
        })
    };
    let before = cpu_seconds();
    let servers = ["server1", "server2", "server3"];
    let servers = servers.map(|it| site(it, Duration::from_millis(500), storage.clone()));
    let report = site("client1", Duration::ZERO, None).join().expect("no panic");
    servers.into_iter().for_each(|it| drop(it.join().expect("no panic")));
    let spent = cpu_seconds() - before;
    let judged = world().judge(&report.history);
    assert_eq!(judged, Some(Judgement::Linearizable), "a run that is wrong is void");
    (report, spent)
}

/// How often a second the device can be made to write a few hundred bytes.
fn bare_syncs() -> f64 {
    let folder = tempfile::tempdir_in("target").expect("a folder on this disk");
    let file = std::fs::File::create(Path::new(folder.path()).join("bare")).expect("a file");
    let (begun, mut n) = (Instant::now(), 0u32);
    while begun.elapsed() < Duration::from_secs(1) {
        (&file).write_all(&[7; 300]).expect("written");
        file.sync_data().expect("synced");
        n += 1;
    }
    f64::from(n) / begun.elapsed().as_secs_f64()
}
