//! `single-copy-register`: servers that each keep a copy of their own and never talk to each other.
//! One server is linearizable; two are not, and the shortest run that shows it has four steps.
//! With one server: 93 states for 2 clients, 400,233 for 4; nearly all of them differ in the clients' histories only.

use crate::register::{Client, Loader, Message, Stored};
use crate::setup::{self, Built};
use foresee_nodes::{
    Address, Arguments, BuildOptions, Context, Entry, Network, Node, Parameter, Register,
    WorldBuilder,
};
use serde::{Deserialize, Serialize};

/// Servers say nothing to each other.
type Words = Message<()>;

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Server {
    stored: Stored,
}

impl Node for Server {
    type Message = Words;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Words, context: &mut Context<Words, ()>) {
        match message {
            Message::Put { request, value } => {
                self.stored = Stored::Value(value);
                context.send(from, Message::PutOk { request });
            }
            Message::Get { request } => {
                context.send(from, Message::GetOk { request, value: self.stored });
            }
            _ => {}
        }
    }
}

/// The entry of the catalogue.
pub(crate) fn entry() -> Entry {
    Entry::new(
        "single-copy-register",
        "servers keep a copy each and never compare them: right with one server, wrong with two",
    )
    .parameter(Parameter::number("servers", 1, 1..=5, "servers that do not know of each other"))
    .parameter(Parameter::number("clients", 2, 1..=5, "clients that each put once and then get"))
    .parameter(setup::network(Network::Multiset))
    .parameter(setup::properties())
    .build_with(build)
    .load_with(build_load)
}

/// The same servers with clients that never stop.
fn build_load(arguments: &Arguments, options: &BuildOptions) -> Built {
    let mut world = WorldBuilder::<Words>::new(arguments.to_string());
    let servers = add_servers(&mut world, arguments);
    let n = arguments.number("load") as u32;
    for (index, client) in (0..).zip(Address::numbered("client", n as usize)) {
        world.add_client(client, Loader::new(index, n, &servers));
    }
    world.judged(Register::new(Stored::Nothing));
    setup::finish(world, arguments, options)
}

fn add_servers(world: &mut WorldBuilder<Words>, arguments: &Arguments) -> Vec<Address> {
    let servers = Address::numbered("server", arguments.number("servers") as usize);
    for server in &servers {
        world.add(*server, Server { stored: Stored::Nothing });
    }
    servers
}

fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let mut world = WorldBuilder::<Words>::new(arguments.to_string());
    let servers = add_servers(&mut world, arguments);
    let clients = setup::add_clients::<()>(&mut world, arguments, &servers);
    setup::judge_register(&mut world, arguments, &clients);
    world.score(move |view| {
        clients.iter().map(|client| view.node::<Client<()>>(*client).completed()).sum()
    });
    setup::finish(world, arguments, options)
}
