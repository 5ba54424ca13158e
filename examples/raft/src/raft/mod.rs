//! Raft as a system: its parameters, its nodes, its claims, and what it does under load.
//! Reading order: `message`, `log`, `machine`, `server`, `leader`, `client`, `claims`.

mod claims;
mod client;
mod leader;
mod log;
mod machine;
mod message;
mod server;

pub(crate) use client::Caller;
use client::Putter;
use foresee::{
    Address, ArgumentError, Arguments, BuildOptions, ClientWorker, Crashable, Entry, Faults,
    KeyValueCommand, KeyValueStore, Network, Parameter, Runnable, Scope, View, Workload,
    WorldBuilder,
};
pub(crate) use message::Message;
pub(crate) use server::Server;
use server::{Bug, Role};

/// The system, its parameters, and its load.
pub(crate) fn entry() -> Entry {
    Entry::new("raft", "Raft: a key-value store on servers that agree on a log")
        .parameter(Parameter::number("servers", 3, 1..=7, "servers"))
        .parameter(Parameter::number("clients", 1, 1..=4, "clients, each with its calls"))
        .parameter(Parameter::number("calls", 1, 1..=3, "calls of each client; every second one reads"))
        .parameter(Parameter::number("retries", 0, 0..=1, "whether clients ask again; a search delivers again anyway"))
        .parameter(Parameter::number("candidates", 1, 1..=7, "servers that stand for election"))
        .parameter(Parameter::number("terms", 1, 1..=20, "terms that are looked at in a search"))
        .parameter(Parameter::number("crashes", 0, 0..=4, "crashes in a search, each with a restart"))
        .parameter(Parameter::number(
            "snapshot",
            1000,
            1..=1_000_000,
            "entries after which a server takes a snapshot",
        ))
        .parameter(Parameter::word(
            "reads",
            &["rounds", "leases"],
            "rounds: a leader asks a majority whether it still leads; leases: an answer counts for a while",
        ))
        .parameter(Parameter::number("readers", 0, 0..=1000, "clients of a load that only read"))
        .parameter(Parameter::number("batch", 100, 1..=10_000, "entries in one message at most"))
        .parameter(Parameter::word(
            "bug",
            &["none", "unsynced", "stale-reads", "long-lease", "short-logs", "old-terms"],
            "unsynced: answers before the disk has it; stale-reads: reads that nobody confirms; long-lease: leases outlast the wait \
             for a leader; short-logs: votes for logs that lack something; old-terms: commits by counting copies of earlier terms",
        ))
        .build_with(build)
        .load_with(build_load)
}

type Built = Result<Box<dyn Runnable>, ArgumentError>;

fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, servers) = world(arguments, options, arguments.number("candidates") as usize);
    let clients = Address::numbered("client", arguments.number("clients") as usize);
    for &client in &clients {
        let append = KeyValueCommand::append("log", client.name());
        let commands = [append, KeyValueCommand::get("log")].into_iter().cycle();
        let commands = commands.take(arguments.number("calls") as usize);
        let workload = Workload::new(commands.collect::<Vec<_>>());
        let caller = Caller::new(&servers, arguments.number("retries") > 0);
        world.add_client(client, ClientWorker::new(caller, workload));
    }
    world.linearizable(KeyValueStore::default());
    claims::claim(&mut world, &servers);
    world.reachable("all clients are done", Scope::nodes(clients.clone()), move |view, _| {
        clients.iter().all(|client| view.node::<ClientWorker<Caller>>(*client).is_done())
    });
    let terms = arguments.number("terms");
    if arguments.word("reads") == "leases" {
        limit_leases(&mut world, &servers, arguments.word("bug") != "long-lease");
    }
    world.prune("a later term", Scope::nodes(servers.clone()), move |view, _| {
        servers.iter().any(|server| view.node::<Server>(*server).term > terms)
    });
    Ok(Box::new(world.build()))
}

/// What a search takes for granted about leases: rounds are few, and clocks run alike.
fn limit_leases(world: &mut WorldBuilder<Message>, servers: &[Address], clocks_are_good: bool) {
    let names = servers.to_vec();
    world.prune("a later round", Scope::nodes(names.clone()), move |view, _| {
        names.iter().any(|it| view.node::<Server>(*it).rounds_begun() > 1)
    });
    if clocks_are_good {
        let names = servers.to_vec();
        world.prune("clocks that differ", Scope::nodes(names.clone()), move |view, _| {
            names.iter().any(|leader| clocks_differ(view, *leader))
        });
    }
}

/// Whether somebody who has confirmed a leader waits no more, although what it confirmed has not lasted its time.
fn clocks_differ(view: &View<'_, Message>, leader: Address) -> bool {
    let Role::Leader(leader) = &view.node::<Server>(leader).role else { return false };
    let confirmed = leader.followers.iter().filter(|(_, it)| it.round > leader.expired);
    confirmed.into_iter().any(|(name, _)| !view.node::<Server>(*name).is_bound)
}

fn build_load(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, servers) = world(arguments, options, usize::MAX);
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    let clients = Address::numbered("client", arguments.number("load") as usize);
    for (client, index) in clients.into_iter().zip(0..) {
        let only_reads = index < arguments.number("readers");
        world.add_client(client, Putter::new(&servers, index, only_reads));
    }
    world.judged(KeyValueStore::default());
    claims::claim(&mut world, &servers);
    Ok(Box::new(world.build()))
}

fn world(
    arguments: &Arguments,
    options: &BuildOptions,
    n_candidates: usize,
) -> (WorldBuilder<Message>, Vec<Address>) {
    let servers = Address::numbered("server", arguments.number("servers") as usize);
    let mut world = WorldBuilder::new(arguments.to_string());
    world.network(Network::Set);
    let crashes = arguments.number("crashes") as u32;
    let crashable = Crashable::Only(servers.clone());
    world.faults(Faults { crashes, restarts: crashes, crashable, ..Faults::default() });
    world.options(options);
    let bug = match arguments.word("bug") {
        "unsynced" => Bug::Unsynced,
        "stale-reads" => Bug::StaleReads,
        "long-lease" => Bug::LongLease,
        "short-logs" => Bug::ShortLogs,
        "old-terms" => Bug::OldTerms,
        _ => Bug::None,
    };
    for (i, &server) in servers.iter().enumerate() {
        let others = servers.iter().copied().filter(|other| *other != server).collect();
        let node = Server {
            stands: i < n_candidates,
            snapshot_every: arguments.number("snapshot"),
            batch: arguments.number("batch") as usize,
            bug,
            has_leases: arguments.word("reads") == "leases",
            ..Server::new(others)
        };
        world.add(server, node);
    }
    (world, servers)
}
