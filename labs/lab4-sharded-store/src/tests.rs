//! The tests of lab 4.
//! Part 1 calls the master by hand. Parts 2 and 3 run groups of three servers in virtual time, reliable and not, and search small worlds:
//! groups of one server exhaustively, groups of three in phases. Who owns what is known from the master's commands alone, and where the
//! rules leave a choice (which of two shards a group gets), tests do not depend on it.

mod master;
mod moves;
mod operator;
mod scene;
mod transactions;

#[cfg(feature = "solutions")]
pub(crate) use operator::Paced;

use crate::{ShardedStore, StoreCommand, StoreResult};
use foresee::{Address, Disturbance, Scheduled, Workload};
use foresee_labs::{Lab, Part};
use scene::Setting;
use std::time::Duration;

type Commands = Workload<StoreCommand, StoreResult>;

/// The lab on a solution of it.
pub fn lab<S: ShardedStore>(solution: S) -> Lab {
    let parts = vec![
        Part { number: 1, title: "the master" },
        Part { number: 2, title: "shards that move" },
        Part { number: 3, title: "transactions" },
    ];
    let standard = standard(&solution).without_timers();
    let lab = Lab { id: "lab4", title: "a sharded store", parts, tests: Vec::new(), standard };
    let lab = master::all(lab, &solution);
    // Searches first: what they find is short.
    let lab = moves::searches(lab, &solution);
    let lab = moves::runs(lab, &solution);
    let lab = moves::unreliable(lab, &solution);
    let lab = transactions::searches(lab, &solution);
    transactions::runs(lab, &solution)
}

/// A shard moves while two clients append.
fn standard<S: ShardedStore>(solution: &S) -> Setting<S> {
    let world = Setting::new(solution).groups(2, 1).shards(1);
    world.operator("JOIN:1; JOIN:2; MOVE:0:2").clients(2, appends(1))
}

fn commands(commands: &str, results: &str) -> Commands {
    Workload::parse(commands, results).expect("a workload")
}

/// All clients append to one key; what they get depends on the others.
fn appends(rounds: usize) -> Commands {
    commands("APPEND:log:<%a.%i>", "").repeat(rounds)
}

/// Each client puts and gets under keys of its own, in many shards.
fn own_keys(rounds: usize) -> Commands {
    commands(
        "PUT:%a-%i:%i; GET:%a-%i; APPEND:%a-%i:x; GET:%a-1",
        "OK; VALUE:%i; APPENDED:%ix; VALUE:1x",
    )
    .repeat(rounds)
}

fn at(ms: u64, what: Disturbance) -> Scheduled {
    Scheduled { at: Duration::from_millis(ms), what }
}

/// These nodes against all others.
fn cut(ms: u64, names: &[&str]) -> Scheduled {
    at(ms, Disturbance::Partition(names.iter().map(|name| Address::new(name)).collect()))
}

fn heal(ms: u64) -> Scheduled {
    at(ms, Disturbance::Heal)
}

/// A minority of every group is cut off, then another.
fn minorities(n: u64, every_ms: u64) -> Vec<Scheduled> {
    let cuts = (1..=n).map(|i| {
        let of = |name: &str, step: u64| format!("{name}{}", (i * step) % 3 + 1);
        let names = [of("master", 1), of("server1-", 1), of("server2-", 2), of("server3-", 1)];
        cut(i * every_ms, &names.each_ref().map(String::as_str))
    });
    cuts.chain([heal((n + 1) * every_ms)]).collect()
}
