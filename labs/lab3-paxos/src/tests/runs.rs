//! Runs in virtual time: agreement, partitions, clearing the log; reliable and not.

use super::scene::Setting;
use super::{appends, mixed, own_key};
use crate::Paxos;
use foresee::{Address, Disturbance, KeyValueCommand, Latency, Scheduled, Workload};
use foresee_labs::{Ending, Lab, Plan, RunPlan};
use std::time::Duration;

pub(super) fn reliable<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    lab.with(
        1,
        "one client, every kind of command",
        5,
        Plan::Run(group(3).clients(1, mixed()).run(), frugal(3)),
    )
    .with(
        1,
        "five servers, ten clients with keys of their own",
        5,
        Plan::Run(group(5).clients(10, own_key(10)).run(), frugal(5)),
    )
    .with(
        1,
        "25 clients append to one key",
        5,
        Plan::Run(group(3).clients(25, appends(4)).chained().run(), frugal(3)),
    )
    .with(1, "a group of one", 5, Plan::Run(group(1).clients(2, own_key(5)).run(), frugal(1)))
    .with(
        1,
        "a command takes few messages",
        5,
        Plan::Run(
            group(5).clients(1, own_key(100)).run(),
            RunPlan { messages_max: Some(40), ..RunPlan::default() },
        ),
    )
    .with(
        1,
        "the log is forgotten once all servers have carried it out",
        10,
        Plan::Run(
            group(3).clients(2, large_values()).logs_cleared().small(20_000).run(),
            RunPlan {
                time_max: Duration::from_secs(15),
                ending: Ending::TimeUp { results_min: 21 },
                ..RunPlan::default()
            },
        ),
    )
}

pub(super) fn partitioned<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    let within = |schedule| RunPlan {
        schedule,
        wait_max: Some(Duration::from_secs(2)),
        ..RunPlan::default()
    };
    lab.with(
        1,
        "three of five servers are enough",
        5,
        Plan::Run(group(5).clients(3, own_key(10)).run(), within(vec![cut(0, &[4, 5], &[])])),
    )
    .with(
        1,
        "two of five servers are not",
        5,
        Plan::Run(
            group(5).clients(2, own_key(1)).nothing_told().run(),
            RunPlan {
                schedule: vec![cut(0, &[3, 4, 5], &[])],
                time_max: Duration::from_secs(10),
                ending: Ending::TimeUp { results_min: 0 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        1,
        "two halves of four servers are not",
        5,
        Plan::Run(
            group(4).clients(2, own_key(1)).nothing_told().run(),
            RunPlan {
                schedule: vec![cut(0, &[3, 4], &[2])],
                time_max: Duration::from_secs(10),
                ending: Ending::TimeUp { results_min: 0 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        1,
        "a minority goes on when the network is whole again",
        5,
        Plan::Run(
            group(5).clients(2, own_key(5)).run(),
            RunPlan {
                wait_max: Some(Duration::from_secs(7)),
                ..within(vec![cut(0, &[3, 4, 5], &[]), heal(5_000)])
            },
        ),
    )
    .with(
        1,
        "servers change sides",
        5,
        Plan::Run(
            group(5).clients(3, own_key(60)).run(),
            within(vec![
                cut(500, &[1, 2], &[]),
                cut(1_500, &[2, 3], &[]),
                cut(2_500, &[5, 3], &[]),
                cut(3_500, &[1, 4], &[]),
                heal(4_500),
            ]),
        ),
    )
    .with(
        1,
        "clients on the wrong side of a partition see nothing old",
        10,
        Plan::Run(
            group(3).clients(1, writes()).clients(2, reads()).run(),
            RunPlan {
                wait_max: Some(Duration::from_secs(4)),
                latency: Latency::Uniform {
                    min: Duration::from_millis(5),
                    max: Duration::from_millis(30),
                },
                runs: 2,
                ..within(vec![
                    cut(1_000, &[1], &[2]),
                    cut(2_000, &[2], &[2]),
                    cut(3_000, &[3], &[2]),
                    heal(4_000),
                ])
            },
        ),
    )
    .with(
        1,
        "whichever server fails, the others go on within two seconds",
        10,
        Plan::Run(
            group(3).clients(3, own_key(60)).run(),
            RunPlan { runs: 3, ..within(one_after_the_other(8, 600)) },
        ),
    )
    .with(
        1,
        "a server that was away catches up, and the log is forgotten",
        15,
        Plan::Run(
            group(3).clients(2, appends(40)).logs_cleared().run(),
            RunPlan {
                schedule: vec![cut(400, &[3], &[]), cut(1_500, &[2], &[]), heal(2_500)],
                time_max: Duration::from_secs(20),
                ending: Ending::TimeUp { results_min: 40 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        1,
        "a server that was away leads",
        10,
        Plan::Run(
            group(3).clients(2, appends(60)).run(),
            RunPlan {
                schedule: vec![
                    cut(400, &[3], &[]),
                    cut(2_000, &[1], &[]),
                    cut(3_000, &[2], &[]),
                    cut(4_000, &[1], &[]),
                    cut(5_000, &[2], &[]),
                    heal(6_000),
                ],
                wait_max: Some(Duration::from_secs(2)),
                ..RunPlan::default()
            },
        ),
    )
}

pub(super) fn unreliable<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    let slow =
        Latency::LongTail { min: Duration::from_millis(1), typical: Duration::from_millis(10) };
    lab.with(
        1,
        "every kind of command, messages lost",
        5,
        Plan::Run(group(3).clients(1, mixed()).run(), RunPlan::unreliable(0.3)),
    )
    .with(
        1,
        "ten clients with keys of their own, messages lost",
        5,
        Plan::Run(group(5).clients(10, own_key(5)).run(), RunPlan::unreliable(0.2)),
    )
    .with(
        1,
        "fifteen clients append to one key, messages lost and late",
        10,
        Plan::Run(
            group(3).clients(15, appends(3)).chained().run(),
            RunPlan { latency: slow, ..RunPlan::unreliable(0.2) },
        ),
    )
    .with(
        1,
        "servers fail one after the other, messages lost",
        10,
        Plan::Run(
            group(3).clients(4, appends(30)).chained().run(),
            RunPlan {
                schedule: one_after_the_other(20, 500),
                wait_max: Some(Duration::from_secs(5)),
                ..RunPlan::unreliable(0.1)
            },
        ),
    )
    .with(
        1,
        "five servers, the network splits again and again, messages lost and late",
        10,
        Plan::Run(
            group(5).clients(4, appends(25)).chained().run(),
            RunPlan {
                schedule: repartitions(5, 30, 400),
                latency: slow,
                wait_max: Some(Duration::from_secs(8)),
                ..RunPlan::unreliable(0.1)
            },
        ),
    )
}

/// At most what every server takes for a command, and some for heartbeats and elections.
fn frugal(n_servers: u64) -> RunPlan {
    RunPlan {
        messages_max: Some(15 + 8 * n_servers),
        wait_max: Some(Duration::from_secs(1)),
        ..RunPlan::default()
    }
}

fn at(ms: u64, what: Disturbance) -> Scheduled {
    Scheduled { at: Duration::from_millis(ms), what }
}

/// These servers and clients against all others.
fn cut(ms: u64, servers: &[usize], clients: &[usize]) -> Scheduled {
    let servers = servers.iter().map(|number| Address::new(&format!("server{number}")));
    let clients = clients.iter().map(|number| Address::new(&format!("client{number}")));
    at(ms, Disturbance::Partition(servers.chain(clients).collect()))
}

fn heal(ms: u64) -> Scheduled {
    at(ms, Disturbance::Heal)
}

/// One server of three is cut off, then the next.
fn one_after_the_other(n: u64, every_ms: u64) -> Vec<Scheduled> {
    let cuts = (1..=n).map(|i| cut(i * every_ms, &[i as usize % 3 + 1], &[]));
    cuts.chain([heal((n + 1) * every_ms)]).collect()
}

/// Some minority is cut off, then another.
fn repartitions(n_servers: usize, n: u64, every_ms: u64) -> Vec<Scheduled> {
    let cuts = (1..=n).map(|i| {
        let first = i as usize * 7 % n_servers;
        let second = (first + 1 + i as usize % (n_servers - 1)) % n_servers;
        cut(i * every_ms, &[first + 1, second + 1], &[])
    });
    cuts.chain([heal((n + 1) * every_ms)]).collect()
}

/// Large values under one key, and a small one at the end.
fn large_values() -> super::Commands {
    let large = (0..20).map(|i| KeyValueCommand::put("k", format!("{i}").repeat(3_000)));
    Workload::new(large.chain([KeyValueCommand::put("k", "x")]))
}

fn writes() -> super::Commands {
    super::commands("PUT:k:%i", "OK").repeat(40)
}

fn reads() -> super::Commands {
    super::commands("GET:k", "").repeat(35)
}
