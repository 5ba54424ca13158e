//! Clusters on the loopback interface, each process a thread of this test.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

use foresee_cluster::TcpCluster;
use foresee_lts::toy::Counters;
use foresee_search::{Cluster, ClusterError, NoMeter, Silent};
use foresee_stateful::{Config, CrewReport, search_in_crew};
use std::net::TcpListener;
use std::sync::Mutex;
use std::time::Duration;

/// So many processes that know each other's addresses and listen already.
fn processes(n: usize, threads: usize) -> Vec<TcpCluster> {
    let listeners: Vec<TcpListener> =
        (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let hosts: Vec<String> =
        listeners.iter().map(|it| it.local_addr().expect("bound").to_string()).collect();
    let process = |(process, listener)| TcpCluster {
        hosts: hosts.clone(),
        process,
        threads,
        patience: Duration::from_secs(20),
        listener: Mutex::new(Some(listener)),
    };
    listeners.into_iter().enumerate().map(process).collect()
}

fn search(cluster: &TcpCluster, identity: &str) -> Result<Option<CrewReport>, ClusterError> {
    let system = Counters::new(4, 5);
    let config = Config::default();
    let mut found = None;
    let identity = [("system".to_owned(), identity.to_owned())];
    cluster.run(
        &identity,
        &mut |exchange| {
            found = search_in_crew(&system, &config, exchange, None, &NoMeter, &mut Silent).ok();
        },
        &|exchange| {
            let _ = search_in_crew(&system, &config, exchange, None, &NoMeter, &mut Silent);
        },
    )?;
    Ok(found)
}

fn search_all(
    clusters: &[TcpCluster],
    identity: impl Fn(usize) -> &'static str + Sync,
) -> Vec<Result<Option<CrewReport>, ClusterError>> {
    std::thread::scope(|scope| {
        let identity = &identity;
        let start = |it| scope.spawn(move || search(it, identity(it.process)));
        let threads: Vec<_> = clusters.iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn processes_and_threads_search_together() {
    for (n, threads) in [(1, 1), (1, 3), (2, 1), (3, 2)] {
        let found = search_all(&processes(n, threads), |_| "counters");
        let first = found[0].as_ref().expect("they meet").as_ref().expect("they stay").clone();
        let report = &first.report;
        assert_eq!((report.states, report.transitions, report.depth), (1296, 4320, 20));
        assert_eq!(first.bytes_exchanged > 0, n * threads > 1);
        assert!(found.iter().all(|it| matches!(it, Ok(Some(_)))), "{n} processes");
    }
}

#[test]
fn a_process_that_searches_something_else_ends_all() {
    let found = search_all(&processes(3, 1), |process| ["a", "b", "a"][process]);
    let differs = |it: &Result<_, ClusterError>| matches!(it, Err(ClusterError::Different { what, .. }) if what == "system");
    assert!(found.iter().any(differs), "{found:?}");
    assert!(found.iter().all(Result::is_err), "{found:?}");
}

#[test]
fn whoever_comes_second_with_a_number_is_sent_away() {
    let mut clusters = processes(3, 1);
    let another = TcpCluster {
        hosts: clusters[0].hosts.clone(),
        process: 1,
        threads: 1,
        patience: Duration::from_secs(20),
        listener: Mutex::new(Some(TcpListener::bind("127.0.0.1:0").expect("a port"))),
    };
    let last = clusters.pop().expect("three");
    std::thread::scope(|scope| {
        let rest: Vec<_> =
            clusters.iter().map(|it| scope.spawn(move || search(it, "counters"))).collect();
        std::thread::sleep(Duration::from_millis(300));
        let refused = search(&another, "counters");
        let is_twice = |it: &ClusterError| it.to_string().contains("number 1");
        assert!(refused.as_ref().is_err_and(is_twice), "{refused:?}");
        assert!(matches!(search(&last, "counters"), Ok(Some(_))));
        for thread in rest {
            assert!(matches!(thread.join().expect("no panic"), Ok(Some(_))));
        }
    });
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let mut clusters = processes(2, 1);
    clusters.iter_mut().for_each(|it| it.patience = Duration::from_millis(200));
    let first = search(&clusters[0], "counters");
    assert!(matches!(first, Err(ClusterError::Unreachable { process: 1, .. })), "{first:?}");
}
