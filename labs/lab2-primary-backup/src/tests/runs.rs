//! Part 2: runs in virtual time, with servers that fail and come back; reliable and not.

use super::scene::Setting;
use super::{appends, commands, counted, mixed, own_key};
use crate::PrimaryBackup;
use foresee::{Address, Disturbance, Latency, Scheduled};
use foresee_labs::{Ending, Lab, Plan, RunPlan};
use std::time::Duration;

pub(super) fn reliable<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let servers = |n_servers| Setting::new(solution, n_servers);
    let within = |schedule| RunPlan {
        schedule,
        wait_max: Some(Duration::from_secs(2)),
        ..RunPlan::default()
    };
    lab.with(
        2,
        "one server, every kind of command",
        5,
        Plan::Run(servers(1).clients(1, mixed()).run(), within(vec![])),
    )
    .with(
        2,
        "one server, commands take few messages",
        5,
        Plan::Run(
            servers(1).clients(5, own_key(40)).run(),
            RunPlan { messages_max: Some(3), ..RunPlan::default() },
        ),
    )
    .with(
        2,
        "primary and backup, ten clients with keys of their own",
        5,
        Plan::Run(
            servers(2).clients(10, own_key(10)).run(),
            RunPlan { messages_max: Some(7), ..within(vec![]) },
        ),
    )
    .with(
        2,
        "primary and backup, fifteen clients append to one key",
        5,
        Plan::Run(servers(2).clients(15, appends(4)).chained().run(), within(vec![])),
    )
    .with(
        2,
        "without the view server nobody is told anything",
        5,
        Plan::Run(
            servers(2).clients(2, own_key(1)).nothing_told().run(),
            RunPlan {
                schedule: vec![Scheduled {
                    at: Duration::ZERO,
                    what: Disturbance::Partition(vec![Address::new("views")]),
                }],
                time_max: Duration::from_secs(5),
                ending: Ending::TimeUp { results_min: 0 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        2,
        "the backup takes over, and knows everything",
        10,
        Plan::Run(
            servers(2).clients(3, own_key(40)).clients(1, counted(40)).run(),
            within(vec![crash(500, 1)]),
        ),
    )
    .with(
        2,
        "the primary goes on without its backup",
        5,
        Plan::Run(
            servers(2).clients(3, own_key(40)).clients(1, counted(40)).run(),
            within(vec![crash(500, 2)]),
        ),
    )
    .with(
        2,
        "one server after the other fails for good",
        10,
        Plan::Run(
            servers(4).clients(2, own_key(60)).clients(1, counted(120)).run(),
            within(vec![crash(500, 1), crash(1_200, 2), crash(2_000, 3)]),
        ),
    )
    .with(
        2,
        "two clients append while servers are cut off one after the other",
        10,
        Plan::Run(
            servers(3).clients(2, appends(80)).chained().run(),
            RunPlan { runs: 3, ..within(one_after_the_other(8, 700)) },
        ),
    )
    .with(
        2,
        "an old primary that is cut off with a client tells it nothing old",
        10,
        Plan::Run(
            servers(3).clients(1, writes()).clients(2, reads()).run(),
            RunPlan {
                runs: 3,
                wait_max: Some(Duration::from_secs(4)),
                ..within(vec![
                    cut(700, &[1], &[2]),
                    heal(1_700),
                    cut(2_400, &[2], &[2]),
                    heal(3_400),
                ])
            },
        ),
    )
}

pub(super) fn unreliable<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let servers = |n_servers| Setting::new(solution, n_servers);
    let slow =
        Latency::LongTail { min: Duration::from_millis(1), typical: Duration::from_millis(10) };
    lab.with(
        2,
        "one client appends, messages lost",
        5,
        Plan::Run(servers(2).clients(1, counted(30)).run(), RunPlan::unreliable(0.2)),
    )
    .with(
        2,
        "ten clients with keys of their own, messages lost",
        5,
        Plan::Run(servers(2).clients(10, own_key(5)).run(), RunPlan::unreliable(0.2)),
    )
    .with(
        2,
        "ten clients append to one key, messages lost and late",
        10,
        Plan::Run(
            servers(3).clients(10, appends(5)).chained().run(),
            RunPlan { latency: slow, ..RunPlan::unreliable(0.2) },
        ),
    )
    .with(
        2,
        "servers are cut off one after the other, messages lost and late",
        10,
        Plan::Run(
            servers(3).clients(4, appends(30)).chained().run(),
            RunPlan {
                schedule: one_after_the_other(15, 600),
                latency: slow,
                wait_max: Some(Duration::from_secs(8)),
                ..RunPlan::unreliable(0.1)
            },
        ),
    )
}

fn at(ms: u64, what: Disturbance) -> Scheduled {
    Scheduled { at: Duration::from_millis(ms), what }
}

fn server(number: usize) -> Address {
    Address::new(&format!("server{number}"))
}

fn crash(ms: u64, number: usize) -> Scheduled {
    at(ms, Disturbance::Crash(server(number)))
}

/// These servers and clients against all others.
fn cut(ms: u64, servers: &[usize], clients: &[usize]) -> Scheduled {
    let clients = clients.iter().map(|number| Address::new(&format!("client{number}")));
    let group = servers.iter().map(|number| server(*number)).chain(clients);
    at(ms, Disturbance::Partition(group.collect()))
}

fn heal(ms: u64) -> Scheduled {
    at(ms, Disturbance::Heal)
}

/// One server of three is cut off for half of the time, then the next.
fn one_after_the_other(n: u64, every_ms: u64) -> Vec<Scheduled> {
    let cuts = (1..=n).flat_map(|i| {
        let start = i * every_ms;
        [cut(start, &[i as usize % 3 + 1], &[]), heal(start + every_ms / 2)]
    });
    cuts.collect()
}

fn writes() -> super::Commands {
    commands("PUT:k:%i", "OK").repeat(60)
}

fn reads() -> super::Commands {
    commands("GET:k", "").repeat(50)
}
