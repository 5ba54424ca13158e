//! The reference of lab 4 as a system, and the mistakes that it can be switched to make.

use crate::reference::Solution;
use crate::{MasterCommand, ShardedStore, Store};
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, Network, Runnable, Workload,
    WorldBuilder,
};
use foresee_labs::SpecimenKind::{Cost, Determinism, Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};
use std::time::Duration;

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary =
        "lab 4, a sharded store with transactions: the reference solution and its bug zoo";
    ReferenceLab { id: "lab4", summary, make, zoo: ZOO }
}

fn make(bug: Switch) -> Lab {
    crate::lab(Solution { bug })
}

/// Two groups of three servers and three masters, with clients that never stop, each with keys of its own.
pub fn load(
    arguments: &Arguments,
    options: &BuildOptions,
) -> Result<Box<dyn Runnable>, ArgumentError> {
    const N_SHARDS: usize = 10;
    let solution = Solution { bug: reference().switch(arguments) };
    let masters = Address::numbered("master", 3);
    let mut world = WorldBuilder::new(arguments.to_string());
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    for &master in &masters {
        world.add(master, solution.master_server(&masters, N_SHARDS));
    }
    let mut joins = Vec::new();
    for group in 1..=2 {
        let servers = Address::numbered(&format!("server{group}-"), 3);
        for &server in &servers {
            world.add(server, solution.server(group, &servers, &masters, N_SHARDS));
        }
        joins.push(MasterCommand::Join { group, servers });
    }
    let operator = crate::tests::Paced::new(solution.operator(&masters), joins, Duration::ZERO);
    world.add("operator", operator);
    let workload = Workload::parse("PUT:%a-%i:%i; GET:%a-%i", "").expect("a workload").forever();
    for client in Address::numbered("client", arguments.number("load") as usize) {
        let worker = ClientWorker::new(solution.client(&masters, N_SHARDS), workload.clone());
        world.add_client(client, worker.forgetting_results());
    }
    world.judged(Store::default());
    world.options(options);
    Ok(Box::new(world.build()))
}

const fn specimen(id: &'static str, kind: SpecimenKind, sentence: &'static str) -> Specimen {
    Specimen { id, sentence, kind }
}

const ZOO: &[Specimen] = &[
    specimen(
        "4a",
        Determinism,
        "the master goes through a hash set when it balances: its servers compute different configurations",
    ),
    specimen("4b", Cost, "when a group joins, all shards are dealt out anew"),
    specimen("4c", Safety, "a new configuration changes the one before it, too"),
    specimen(
        "4d",
        Safety,
        "a group serves a shard as soon as it is at the configuration, before what is in it has come",
    ),
    specimen(
        "4e",
        Safety,
        "servers go on to a configuration when they hear of it, not at a place in the log",
    ),
    specimen("4f", Safety, "a group goes on to the latest configuration, past those in between"),
    specimen("4g", Safety, "a shard travels without the table of commands that were carried out"),
    specimen("4h", Safety, "a parcel that comes again replaces what is newer"),
    specimen(
        "4i",
        Liveness,
        "a group deletes a shard when it has sent it, not when it has arrived",
    ),
    specimen(
        "4j",
        Liveness,
        "a group confirms nothing while shards of its own are on their way: two groups wait for each other",
    ),
    specimen(
        "4k",
        Safety,
        "a group goes on while shards are on their way, and passes on what it does not have",
    ),
    specimen("4l", Liveness, "a client that has come to the wrong group gives up"),
    specimen("4m", Safety, "a group writes when it votes, before anything is decided"),
    specimen("4n", Safety, "a group that has voted yes gives its locks back after some time"),
    specimen("4o", Safety, "a transaction commits when most groups have voted yes"),
    specimen(
        "4p",
        Safety,
        "a transaction that is tried again keeps its number: votes for the first attempt count for the second",
    ),
    specimen("4q", Safety, "a multi-get reads group after group without locks"),
    specimen("4r", Safety, "a swap goes by values that were read in an earlier attempt"),
    specimen(
        "4s",
        Safety,
        "a group goes on to the next configuration although keys are locked: what is committed then is lost",
    ),
    specimen("4t", Liveness, "transactions wait for each other's locks"),
    specimen("4u", Safety, "the decision to commit is in the leader's memory, and not in the log"),
    specimen(
        "pull",
        Innocent,
        "a group asks for the shards that it waits for, instead of being sent them",
    ),
    specimen("coordinator-last", Innocent, "the group of the last key coordinates a transaction"),
    specimen(
        "abort-on-any-conflict",
        Innocent,
        "a group that has any key locked refuses every transaction",
    ),
    specimen("empty-shards", Innocent, "every shard travels alone, empty ones, too"),
];
