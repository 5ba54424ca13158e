//! Workloads: what clients do, as data. Two clients append to a log that a server keeps; each knows what it must read back.
//! `cargo run -p foresee --example workloads`

use foresee::nodes::Clients;
use foresee::{
    Address, Application, Client, ClientWorker, Context, KeyValueCommand, KeyValueResult,
    KeyValueStore, Network, Node, Workload, World, WorldBuilder,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message {
    Request(KeyValueCommand),
    Reply(KeyValueResult),
}

#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Server {
    store: KeyValueStore,
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        if let Message::Request(command) = message {
            context.send(from, Message::Reply(self.store.execute(&command)));
        }
    }
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Caller {
    server: Address,
    result: Option<KeyValueResult>,
}

impl Node for Caller {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, _from: Address, message: Message, _: &mut Context<Message, ()>) {
        if let Message::Reply(result) = message {
            self.result = Some(result);
        }
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, ()>) {
        self.result = None;
        context.send(self.server, Message::Request(command));
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// Every client goes through the templates `rounds` times. `%a` is its address, `%i` the round: keys and values of its own.
pub(crate) fn world(rounds: usize, commands: &str, expected: &str) -> World<Message> {
    let workload: Workload<KeyValueCommand, KeyValueResult> =
        Workload::parse(commands, expected).expect("templates").repeat(rounds);
    let mut world = WorldBuilder::new("workloads");
    world.network(Network::Multiset);
    let server = world.add("server", Server::default());
    let names = Address::numbered("client", 2);
    for &name in &names {
        let caller = Caller { server, result: None };
        world.add_client(name, ClientWorker::new(caller, workload.clone()));
    }
    let clients = Clients::<Caller>::new(names);
    world.invariant("results as expected", clients.scope(), clients.results_ok());
    world.reachable("all are done", clients.scope(), clients.all_done());
    world.linearizable(KeyValueStore::default());
    world.build()
}

pub(crate) fn main() {
    let own_keys = world(2, "PUT:%a:%i; GET:%a", "OK; VALUE:%i");
    let held = foresee::check(&own_keys).assert_holds();
    assert_eq!(held.report.extras.reached.len(), 1, "all are done, in some run");
    // On a key that both share, what one puts the other may read: the expectation is wrong, though the store is right.
    let one_key = world(1, "PUT:shared:%a; GET:shared", "OK; VALUE:%a");
    foresee::check(&one_key).invariant("linearizable").assert_holds();
    foresee::check(&one_key).assert_violated("results as expected");
}
