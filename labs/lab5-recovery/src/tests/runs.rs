//! Runs in virtual time: servers crash and come back, one by one and all at once; what durability costs.

use super::scene::Setting;
use super::{appends, mixed, own_key};
use crate::Recovery;
use foresee::{Address, Disturbance, KeyValueCommand, Latency, Scheduled, Workload};
use foresee_labs::{Ending, Lab, Plan, RunPlan, SetUp};
use std::time::Duration;

pub(super) fn reliable<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers).snapshot_every(5);
    lab.with(
        2,
        "one client, every kind of command",
        5,
        run(group(3).clients(1, mixed()), within(vec![])),
    )
    .with(
        2,
        "a command takes few messages and few syncs",
        5,
        run(
            group(3).snapshot_every(50).clients(1, own_key(50)),
            RunPlan { messages_max: Some(40), syncs_max: Some(8), ..RunPlan::default() },
        ),
    )
    .with(
        2,
        "many clients share syncs",
        5,
        run(
            group(3).snapshot_every(50).clients(15, own_key(10)),
            RunPlan { syncs_max: Some(6), ..RunPlan::default() },
        ),
    )
    .with(
        2,
        "disks stay small",
        10,
        run(
            group(3).clients(2, large_values()).small_disks(60_000),
            RunPlan {
                time_max: Duration::from_secs(15),
                ending: Ending::TimeUp { results_min: 46 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        2,
        "a group of one comes back again and again",
        5,
        run(
            group(1).clients(2, own_key(20)),
            within((1..=6).flat_map(|i| away(i * 100, 50, 1)).collect()),
        ),
    )
    .with(
        2,
        "two of three servers go on",
        5,
        run(group(3).clients(3, own_key(20)), within(away(300, 1_000, 1))),
    )
    .with(
        2,
        "all servers crash at once, and nothing is lost",
        10,
        run(
            group(3).clients(4, appends(20)).chained(),
            RunPlan { runs: 2, ..within(blackouts(3, 3, 700)) },
        ),
    )
    .with(
        2,
        "whichever server crashes, the others go on within two seconds",
        10,
        run(
            group(3).clients(3, own_key(40)),
            RunPlan { runs: 2, ..within(one_after_the_other(3, 8, 600)) },
        ),
    )
    .with(
        2,
        "five servers, two at a time are away",
        10,
        run(group(5).clients(3, appends(30)).chained(), within(in_pairs(10, 400))),
    )
    .with(
        2,
        "a server that was away catches up, and the log is forgotten",
        15,
        run(
            group(3).clients(2, appends(40)).logs_cleared(),
            RunPlan {
                schedule: [away(400, 1_500, 3), away(2_500, 500, 1), away(3_500, 500, 2)].concat(),
                time_max: Duration::from_secs(20),
                ending: Ending::TimeUp { results_min: 40 },
                ..RunPlan::default()
            },
        ),
    )
}

pub(super) fn unreliable<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers).snapshot_every(3);
    let slow =
        Latency::LongTail { min: Duration::from_millis(1), typical: Duration::from_millis(10) };
    lab.with(
        2,
        "servers crash one after the other, messages lost",
        10,
        run(
            group(3).clients(4, appends(20)).chained(),
            RunPlan {
                schedule: one_after_the_other(3, 20, 400),
                wait_max: Some(Duration::from_secs(5)),
                ..RunPlan::unreliable(0.1)
            },
        ),
    )
    .with(
        2,
        "all servers crash at once, messages lost and late",
        10,
        run(
            group(3).clients(3, own_key(15)),
            RunPlan {
                schedule: blackouts(3, 8, 600),
                latency: slow,
                wait_max: Some(Duration::from_secs(8)),
                ..RunPlan::unreliable(0.2)
            },
        ),
    )
    .with(
        2,
        "five servers, two at a time are away, messages lost and late",
        10,
        run(
            group(5).clients(4, appends(15)).chained(),
            RunPlan {
                schedule: in_pairs(20, 400),
                latency: slow,
                wait_max: Some(Duration::from_secs(8)),
                ..RunPlan::unreliable(0.1)
            },
        ),
    )
}

/// A run whose world has a budget for every crash of its schedule.
fn run<S: Recovery>(setting: Setting<S>, plan: RunPlan) -> Plan {
    let crashes = plan.schedule.iter().filter(|it| matches!(it.what, Disturbance::Crash(_)));
    let n_crashes = crashes.count() as u32;
    let set_up: SetUp = setting.restarts(n_crashes).run();
    Plan::Run(set_up, plan)
}

/// Nobody waits for more than two seconds.
fn within(schedule: Vec<Scheduled>) -> RunPlan {
    RunPlan { schedule, wait_max: Some(Duration::from_secs(2)), ..RunPlan::default() }
}

/// A server crashes, and is back after a while.
fn away(at_ms: u64, for_ms: u64, number: usize) -> Vec<Scheduled> {
    let server = Address::new(&format!("server{number}"));
    let at = |ms, what| Scheduled { at: Duration::from_millis(ms), what };
    vec![at(at_ms, Disturbance::Crash(server)), at(at_ms + for_ms, Disturbance::Restart(server))]
}

/// All servers crash at the same moment, and come back one after the other.
fn blackouts(n_servers: usize, n: u64, every_ms: u64) -> Vec<Scheduled> {
    let each = |i: u64| {
        (1..=n_servers).flat_map(move |number| away(i * every_ms, 50 * number as u64, number))
    };
    (1..=n).flat_map(each).collect()
}

fn one_after_the_other(n_servers: u64, n: u64, every_ms: u64) -> Vec<Scheduled> {
    let each = |i: u64| away(i * every_ms, every_ms - 50, (i % n_servers) as usize + 1);
    (1..=n).flat_map(each).collect()
}

/// Two of five servers are away, then the next two.
fn in_pairs(n: u64, every_ms: u64) -> Vec<Scheduled> {
    let each = |i: u64| {
        let [first, second] = [i * 2 % 5, (i * 2 + 1) % 5].map(|number| number as usize + 1);
        [away(i * every_ms, every_ms - 50, first), away(i * every_ms, every_ms - 50, second)]
            .concat()
    };
    (1..=n).flat_map(each).collect()
}

/// Large values under one key, and a few small ones at the end.
fn large_values() -> super::Commands {
    let large = (0..40).map(|i| KeyValueCommand::put("k", format!("{i}").repeat(3_000)));
    let small = (0..6).map(|_| KeyValueCommand::put("k", "x"));
    Workload::new(large.chain(small))
}
