//! The reference of lab 3 as a system, and the mistakes that it can be switched to make.

use crate::Paxos;
use crate::reference::Solution;
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, KeyValueStore, Network,
    Runnable, Workload, WorldBuilder,
};
use foresee_labs::SpecimenKind::{Cost, Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary = "lab 3, multi-instance Paxos: the reference solution and its bug zoo";
    ReferenceLab { id: "lab3", summary, make, zoo: ZOO }
}

/// Three servers with clients that never stop, each with a key of its own.
pub fn load(
    arguments: &Arguments,
    options: &BuildOptions,
) -> Result<Box<dyn Runnable>, ArgumentError> {
    let solution = Solution { bug: reference().switch(arguments) };
    let servers = Address::numbered("server", 3);
    let mut world = WorldBuilder::new(arguments.to_string());
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    for &server in &servers {
        world.add(server, solution.server(&servers));
    }
    let workload = Workload::parse("PUT:%a:%i; GET:%a", "").expect("a workload").forever();
    for client in Address::numbered("client", arguments.number("load") as usize) {
        let worker = ClientWorker::new(solution.client(&servers), workload.clone());
        world.add_client(client, worker.forgetting_results());
    }
    world.judged(KeyValueStore::default());
    world.options(options);
    Ok(Box::new(world.build()))
}

fn make(bug: Switch) -> Lab {
    let solution = Solution { bug };
    let name = "a server has seen three rounds of elections";
    let standard = crate::tests::standard_until(&solution, name, |server| server.round() > 2);
    Lab { standard, ..crate::lab(solution) }
}

const fn specimen(id: &'static str, kind: SpecimenKind, sentence: &'static str) -> Specimen {
    Specimen { id, sentence, kind }
}

const ZOO: &[Specimen] = &[
    specimen(
        "3a",
        Safety,
        "answers to `Accept` carry the value and no ballot: votes are counted across ballots",
    ),
    specimen("3b", Safety, "promises are counted without comparing the ballot that they answer"),
    specimen(
        "3c",
        Safety,
        "answers are counted, not collected in a set: one that comes twice counts twice",
    ),
    specimen(
        "3d",
        Safety,
        "a quorum is half of the servers, rounded up: of four servers, two are enough",
    ),
    specimen("3e", Safety, "a ballot is a round number alone: two leaders may have the same"),
    specimen("3f", Safety, "a server accepts what comes under a ballot below its promise"),
    specimen("3g", Safety, "a new leader does not look at what the promises say was accepted"),
    specimen(
        "3h",
        Safety,
        "a slot is carried out as soon as it is chosen, whatever is missing before it",
    ),
    specimen("3i", Liveness, "a new leader does not fill the holes in its log"),
    specimen(
        "3j",
        Liveness,
        "a request that this server has proposed once is never proposed again, although the proposal was lost",
    ),
    specimen("3k", Safety, "a command that is chosen in two slots is carried out twice"),
    specimen("3l", Safety, "the leader answers reads from its own state, without the log"),
    specimen("3m", Liveness, "slots are cleared once a majority has carried them out"),
    specimen(
        "3n",
        Liveness,
        "slots are cleared although some server has not told yet how far it is",
    ),
    specimen(
        "3o",
        Liveness,
        "a leader that hears of a higher ballot goes on believing that it leads",
    ),
    specimen("3p", Liveness, "any message sets the election timer anew, a client's, too"),
    specimen("3q", Cost, "every retry of `Prepare` has a ballot of its own"),
    specimen(
        "3r",
        Safety,
        "what comes to catch up replaces the log from there on, with what is newer in it",
    ),
    specimen("3s", Liveness, "in a group of one, nobody counts its own vote"),
    specimen("3t", Liveness, "a server refuses what comes under a ballot above its promise"),
    specimen(
        "3u",
        Liveness,
        "a new leader proposes again under the ballot that was reported, not its own",
    ),
    specimen("accept-again", Innocent, "the leader sends `Accept` again for slots that are chosen"),
    specimen("ballots-skip-numbers", Innocent, "rounds rise by three"),
    specimen(
        "accepted-to-all",
        Innocent,
        "answers to `Accept` go to every server, and each finds out what is chosen",
    ),
];
