//! The reference of lab 5 as a system, and the mistakes that it can be switched to make.

use crate::Recovery;
use crate::reference::{Message, Solution};
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, Client, ClientWorker, Context,
    KeyValueCommand, KeyValueResult, KeyValueStore, Network, Node, Runnable, Stored, Workload,
    WorldBuilder,
};
use foresee_lab3::reference::{Caller, Retry};
use foresee_labs::SpecimenKind::{Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};
use serde::{Deserialize, Serialize};

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary = "lab 5, Paxos that survives restarts: the reference solution and its bug zoo";
    ReferenceLab { id: "lab5", summary, make, zoo: ZOO }
}

/// How often a server under load writes a snapshot.
const SNAPSHOT_EVERY: u64 = 1_000;

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
        world.add(server, solution.server(&servers, SNAPSHOT_EVERY));
    }
    let workload = Workload::parse("PUT:%a:%i; GET:%a", "").expect("a workload").forever();
    for client in Address::numbered("client", arguments.number("load") as usize) {
        let worker = ClientWorker::new(Lasting::new(&servers), workload.clone());
        world.add_client(client, worker.forgetting_results());
    }
    world.judged(KeyValueStore::default());
    world.options(options);
    Ok(Box::new(world.build()))
}

/// A client whose process may end and start again: its numbers go on from a block that it has written down before it uses any of it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Lasting {
    caller: Caller<KeyValueStore>,
    /// Of the last command.
    number: u64,
    /// Numbers up to this one may have been used.
    reserved: u64,
}

/// Numbers of one block: a client needs one sync for so many commands.
const BLOCK: u64 = 10_000;

impl Lasting {
    fn new(group: &[Address]) -> Self {
        Lasting { caller: Caller::new(group), number: 0, reserved: 0 }
    }
}

type Say = Context<Message<KeyValueStore>, Retry>;

impl Node for Lasting {
    type Message = Message<KeyValueStore>;
    type Timer = Retry;

    fn on_message(&mut self, from: Address, message: Self::Message, context: &mut Say) {
        self.caller.on_message(from, message, context);
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Say) {
        self.caller.on_timer(timer, context);
    }

    fn restore(&mut self, stored: &Stored) {
        self.reserved = stored.records().last().unwrap_or(0);
        self.number = self.reserved;
        self.caller = self.caller.clone().after(self.number);
    }
}

impl Client for Lasting {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Say) {
        self.number += 1;
        if self.number > self.reserved {
            self.reserved += BLOCK;
            context.append(&self.reserved);
            context.sync();
        }
        self.caller.send_command(command, context);
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.caller.result()
    }
}

fn make(bug: Switch) -> Lab {
    let solution = Solution { bug };
    let name = "a server has seen three rounds of elections";
    let standard = crate::tests::standard_until(&solution, name, |server| {
        server.replica().promised().is_some_and(|ballot| ballot.round > 2)
    });
    Lab { standard, ..crate::lab(solution) }
}

const fn specimen(id: &'static str, kind: SpecimenKind, sentence: &'static str) -> Specimen {
    Specimen { id, sentence, kind }
}

const ZOO: &[Specimen] = &[
    specimen("5a", Safety, "promises are kept in memory only"),
    specimen("5b", Safety, "of what was accepted the ballot is written, the value is not"),
    specimen("5c", Safety, "what a server answers leaves before what it has written is on disk"),
    specimen(
        "5d",
        Safety,
        "a leader writes neither its own ballot nor its own votes: after a restart it uses the ballot again, for another value",
    ),
    specimen(
        "5e",
        Safety,
        "a server that led before its restart goes on leading, under the next ballot, without asking anybody",
    ),
    specimen(
        "5f",
        Safety,
        "after a restart from a snapshot nothing is known of the commands that clients were answered",
    ),
    specimen(
        "5g",
        Safety,
        "after a restart the log is carried out from its start, on a store that has it already",
    ),
    specimen(
        "5h",
        Safety,
        "how far the log was carried out is read from disk, the store from an older snapshot",
    ),
    specimen(
        "5i",
        Safety,
        "the file is emptied and then written: a crash in between leaves nothing",
    ),
    specimen(
        "5j",
        Safety,
        "a vote is written in two pieces, and one of which the second is missing is taken for whole",
    ),
    specimen("5k", Liveness, "after a restart no timer is set"),
    specimen(
        "5l",
        Safety,
        "after a restart rounds begin again at nothing, while votes keep their ballots",
    ),
    specimen("5m", Safety, "a server that has lost its disk votes as if it were new"),
    specimen(
        "5n",
        Safety,
        "promises are written for slots that hold something, and after a restart the others take old ballots",
    ),
    specimen(
        "5o",
        Safety,
        "the answer to `Accept` waits for the vote, and not for the promise that comes with it",
    ),
    specimen("stores-more", Innocent, "the promise is written again with every vote"),
    specimen("stands-after-restart", Innocent, "a restarted server tries to lead at once"),
    specimen(
        "replays-twice",
        Innocent,
        "what the snapshot contains is carried out again from the log, and the table of answers lets nothing pass twice",
    ),
];
