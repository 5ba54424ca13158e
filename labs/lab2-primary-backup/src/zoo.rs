//! The reference of lab 2 as a system, and the mistakes that it can be switched to make.

use crate::PrimaryBackup;
use crate::reference::Solution;
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, KeyValueStore, Network,
    Runnable, Workload, WorldBuilder,
};
use foresee_labs::SpecimenKind::{Cost, Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary = "lab 2, primary and backup: the reference solution and its bug zoo";
    ReferenceLab { id: "lab2", summary, make, zoo: ZOO }
}

/// A view server and two servers with clients that never stop, each with a key of its own.
pub fn load(
    arguments: &Arguments,
    options: &BuildOptions,
) -> Result<Box<dyn Runnable>, ArgumentError> {
    let solution = Solution { bug: reference().switch(arguments) };
    let mut world = WorldBuilder::new(arguments.to_string());
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    let views = world.add("views", solution.view_server());
    for server in Address::numbered("server", 2) {
        world.add(server, solution.server(views));
    }
    let workload = Workload::parse("PUT:%a:%i; GET:%a", "").expect("a workload").forever();
    for client in Address::numbered("client", arguments.number("load") as usize) {
        let worker = ClientWorker::new(solution.client(views), workload.clone());
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
    specimen("2a", Safety, "the view server goes on before the primary has acknowledged the view"),
    specimen("2b", Safety, "a ping with the right number from any server acknowledges the view"),
    specimen("2c", Safety, "if primary and backup are gone, an idle server becomes primary"),
    specimen("2d", Liveness, "a server that has just come counts as silent since the last check"),
    specimen("2e", Cost, "the number of the view rises although nothing has changed"),
    specimen("2f", Safety, "the primary answers before the backup has carried out the command"),
    specimen("2g", Safety, "a server takes forwarded commands without comparing the view"),
    specimen("2h", Safety, "the primary answers reads alone"),
    specimen("2i", Safety, "a server that is not primary answers from its copy"),
    specimen("2j", Safety, "the backup acknowledges commands before it has the primary's state"),
    specimen(
        "2k",
        Safety,
        "the state is transferred without the results that clients may ask for again",
    ),
    specimen(
        "2l",
        Safety,
        "the primary carries out commands alone while the transfer is under way",
    ),
    specimen(
        "2m",
        Safety,
        "the backup carries out forwarded commands in the order in which they come",
    ),
    specimen("2n", Safety, "a server takes any view that it hears of, also an older one"),
    specimen("2o", Safety, "the primary acknowledges a view before the backup has the state"),
    specimen("2p", Liveness, "a client that knows a primary never asks again"),
    specimen("2q", Cost, "a client asks the view server before every command"),
    specimen("late-removal", Innocent, "the view server keeps a dead backup for one more check"),
    specimen(
        "hears-views-first",
        Innocent,
        "a backup takes nothing of a view that it has not heard of from the view server",
    ),
];
