//! The reference of lab 1 as a system, and the mistakes that it can be switched to make.

use crate::ExactlyOnce;
use crate::reference::Solution;
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, KeyValueStore, Network,
    Runnable, Workload, WorldBuilder,
};
use foresee_labs::SpecimenKind::{Cost, Determinism, Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary = "lab 1, exactly-once calls: the reference solution and its bug zoo";
    ReferenceLab { id: "lab1", summary, make, zoo: ZOO }
}

/// A server with clients that never stop, each with a key of its own.
pub fn load(
    arguments: &Arguments,
    options: &BuildOptions,
) -> Result<Box<dyn Runnable>, ArgumentError> {
    let solution = Solution { bug: reference().switch(arguments) };
    let mut world = WorldBuilder::new(arguments.to_string());
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    let server = world.add("server", solution.server());
    let workload = Workload::parse("PUT:%a:%i; GET:%a", "").expect("a workload").forever();
    for client in Address::numbered("client", arguments.number("load") as usize) {
        let worker = ClientWorker::new(solution.client(server), workload.clone());
        world.add_client(client, worker.forgetting_results());
    }
    world.judged(KeyValueStore::default());
    world.options(options);
    Ok(Box::new(world.build()))
}

fn make(bug: Switch) -> Lab {
    crate::lab(Solution { bug })
}

const fn specimen(id: &'static str, kind: SpecimenKind, sentence: &'static str) -> Specimen {
    Specimen { id, sentence, kind }
}

const ZOO: &[Specimen] = &[
    specimen(
        "1a",
        Safety,
        "the server has no table: a command that comes again is carried out again",
    ),
    specimen(
        "1b",
        Safety,
        "the client takes any reply while it waits, without comparing the number",
    ),
    specimen("1c", Liveness, "the server answers a command that comes again with nothing"),
    specimen(
        "1d",
        Safety,
        "what comes again is recognised by `number < last`: the last command is carried out again",
    ),
    specimen(
        "1e",
        Safety,
        "a command is carried out whenever `number != last`: an old one that was delayed, too",
    ),
    specimen("1f", Safety, "the table is keyed by the number alone, not by the client"),
    specimen("1g", Safety, "the client takes a fresh number for every retry"),
    specimen(
        "1h",
        Cost,
        "the retry timer does not name its command: old timers live on, so timers multiply",
    ),
    specimen("1i", Liveness, "the retry timer is not set again after the first retry"),
    specimen(
        "1j",
        Safety,
        "the result is not cleared by the next command, which returns the last one's",
    ),
    specimen("1k", Cost, "the server keeps the results of all old commands"),
    specimen(
        "1l",
        Liveness,
        "the server wants the next number to be the last plus one, and clients to begin with 2",
    ),
    specimen("1m", Safety, "the kept result of an append is a handle on the store, not a copy"),
    specimen("1n", Determinism, "the reply is looked up by iterating a hash map"),
    specimen("reads-bypass-table", Innocent, "reads are carried out anew each time"),
    specimen(
        "drops-entry-first",
        Innocent,
        "the table entry is dropped when the client's next command arrives",
    ),
];
