//! A replicated register, and the systems that can be checked and run with it.

pub mod register;

use foresee::nodes::{Register, RegisterOperation};
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, Entry, Network, Parameter,
    Runnable, Scope, Workload, WorldBuilder,
};
use register::{Message, Reader, Replica, Value};

/// The systems of this crate: the command line, the tests and exported regression tests take them from here.
pub fn systems() -> Vec<Entry> {
    vec![register()]
}

/// The system by name, with its parameters: `cargo run -- check register replicas=3 bug=hasty`.
pub fn register() -> Entry {
    Entry::new("register", "clients read and write a register that several replicas keep")
        .parameter(Parameter::number("replicas", 3, 1..=5, "how many copies there are"))
        .parameter(Parameter::number(
            "clients",
            2,
            1..=4,
            "clients: the first writes, the others read",
        ))
        .parameter(Parameter::number("reads", 1, 1..=3, "how often each of the others reads"))
        .parameter(Parameter::number(
            "retries",
            0,
            0..=3,
            "how often a client asks again: for checks with lost messages",
        ))
        .parameter(Parameter::word(
            "bug",
            &["none", "hasty"],
            "hasty: a read does not store what it has found",
        ))
        .build_with(build)
        .load_with(build_load)
}

type Built = Result<Box<dyn Runnable>, ArgumentError>;

/// A few clients with a few commands each: small enough to explore every order of messages.
fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, replicas) = world(arguments, options);
    let clients = Address::numbered("client", arguments.number("clients") as usize);
    for (i, &client) in clients.iter().enumerate() {
        let commands = match i {
            0 => vec![RegisterOperation::Write(1)],
            _ => vec![RegisterOperation::Read; arguments.number("reads") as usize],
        };
        world.add_client(
            client,
            ClientWorker::new(reader(arguments, &replicas), Workload::new(commands)),
        );
    }
    world.linearizable(Register::<Value>::new(0));
    world.reachable("all clients are done", Scope::nodes(clients.clone()), move |view, _| {
        clients.iter().all(|client| view.node::<ClientWorker<Reader>>(*client).is_done())
    });
    Ok(Box::new(world.build()))
}

/// What `run --clients N` uses: clients that never stop.
fn build_load(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, replicas) = world(arguments, options);
    for (i, client) in
        Address::numbered("client", arguments.number("load") as usize).into_iter().enumerate()
    {
        let commands = [RegisterOperation::Write(i as u32 + 1), RegisterOperation::Read];
        let worker =
            ClientWorker::new(reader(arguments, &replicas), Workload::new(commands).forever());
        world.add_client(client, worker.forgetting_results());
    }
    world.judged(Register::<Value>::new(0));
    Ok(Box::new(world.build()))
}

fn world(arguments: &Arguments, options: &BuildOptions) -> (WorldBuilder<Message>, Vec<Address>) {
    let mut world = WorldBuilder::new(arguments.to_string());
    world.network(Network::Multiset).options(options);
    let replicas = Address::numbered("replica", arguments.number("replicas") as usize);
    for &replica in &replicas {
        world.add(replica, Replica::new());
    }
    (world, replicas)
}

fn reader(arguments: &Arguments, replicas: &[Address]) -> Reader {
    let retries = match arguments.number("load") {
        0 => arguments.number("retries") as u32,
        _ => u32::MAX, // a real network loses messages as often as it likes
    };
    Reader::new(replicas, retries, arguments.word("bug") == "hasty")
}
