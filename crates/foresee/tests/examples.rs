//! The examples of the chapter "Nodes in depth" are run: each asserts what it shows, and its nodes run for real.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

#[path = "../../../examples/nodes/all.rs"]
mod all;

use all::{paired, prune, score, sub_nodes, timers, workloads};
use foresee::Address;
use foresee::runtime::{Config, Peers, RunReport, free_places, run_here, run_site};
use std::time::Duration;

#[test]
fn workloads_are_data() {
    workloads::main();
}

#[test]
fn nodes_are_made_of_nodes() {
    sub_nodes::main();
}

#[test]
fn a_prune_makes_an_end() {
    prune::main();
}

#[test]
fn a_score_leads_the_search() {
    score::main();
}

#[test]
fn bounds_of_timers_are_kept() {
    timers::main();
}

#[test]
fn progress_before_harm() {
    paired::main();
}

fn config(ms: u64) -> Config {
    let duration = Some(Duration::from_millis(ms));
    Config { duration, listens_for_signals: false, ..Config::default() }
}

/// The renewal of a lease takes longer than a test; all others have something to say.
fn is_busy(name: &str, reports: &[RunReport]) -> bool {
    name == "timers" || reports.iter().any(|report| report.messages_sent > 1)
}

#[test]
fn every_example_runs_in_one_process() {
    for entry in all::entries() {
        let world = entry.build::<&str>(&[], &Default::default()).expect("it has no parameters");
        let report = run_here(&*world.deployment().expect("nodes"), &config(300), None);
        let report = report.expect("it runs");
        assert!(report.failures.is_empty(), "{}: {:?}", entry.name, report.failures);
        let judged = world.judge(&report.history);
        assert!(judged.is_none_or(|it| it == foresee::nodes::Judgement::Linearizable));
        assert!(is_busy(entry.name, &[report]), "{}", entry.name);
    }
}

/// Every node a site of its own on loopback.
#[test]
fn every_example_runs_over_tcp() {
    for (number, entry) in (77..).zip(all::entries()) {
        let world = entry.build::<&str>(&[], &Default::default()).expect("it has no parameters");
        let members: Vec<Address> =
            world.deployment().expect("nodes").members().iter().map(|it| it.address).collect();
        let places = free_places(members.len(), number);
        let lines = members.iter().zip(&places).map(|(node, at)| format!("{node} {at}\n"));
        let peers = Peers::parse(&lines.collect::<String>()).expect("a good file");
        let sites: Vec<_> = members
            .into_iter()
            .map(|node| {
                let (peers, deployment) = (peers.clone(), world.deployment().expect("nodes"));
                std::thread::spawn(move || {
                    run_site(&*deployment, &peers, node, &config(1_200), None).expect("it runs")
                })
            })
            .collect();
        let reports: Vec<RunReport> =
            sites.into_iter().map(|it| it.join().expect("no panic")).collect();
        assert!(reports.iter().all(|it| it.failures.is_empty()), "{}", entry.name);
        assert!(is_busy(entry.name, &reports), "{}", entry.name);
    }
}
