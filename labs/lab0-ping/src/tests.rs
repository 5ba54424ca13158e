//! The tests of lab 0.

use crate::Ping;
use foresee::{
    Address, BuildOptions, ClientWorker, Clients, Faults, Network, Workload, WorldBuilder,
};
use foresee_labs::{Arena, Lab, Part, Plan, RunPlan, SearchPlan, SetUp};
use std::sync::Arc;

/// The lab on a solution of it.
pub fn lab<S: Ping>(solution: S) -> Lab {
    let part = Part { number: 0, title: "a tour" };
    let world = |clients, pings| arena(&solution, clients, pings, false);
    let lab = Lab {
        id: "lab0",
        title: "ping",
        parts: vec![part],
        tests: Vec::new(),
        standard: world(1, 2),
    };
    let reliable = || RunPlan { messages_max: Some(3), ..RunPlan::default() };
    let search = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(0, "one client, one ping", 5, Plan::Run(world(1, 1), reliable()))
        .with(0, "ten clients at once", 5, Plan::Run(world(10, 5), reliable()))
        .with(
            0,
            "100 pings, half of the messages lost",
            5,
            Plan::Run(world(1, 100), RunPlan::unreliable(0.5)),
        )
        .with(0, "every order of events", 5, Plan::Search(world(2, 2), search(20_000)))
        .with(
            0,
            "whatever is lost, the client can still finish",
            5,
            Plan::Search(
                arena(&solution, 1, 2, true),
                SearchPlan::AlwaysPossible { states_max: 20_000 },
            ),
        )
}

/// A server and clients, each with pings of its own.
fn arena<S: Ping>(solution: &S, n_clients: usize, n_pings: usize, is_lossy: bool) -> SetUp {
    let solution = solution.clone();
    Arc::new(move |name: &str, options: &BuildOptions| {
        let mut world = WorldBuilder::new(name);
        if is_lossy {
            world.network(Network::Multiset).faults(Faults { drops: 2, ..Faults::default() });
        }
        let server = world.add("server", solution.server());
        let names = Address::numbered("client", n_clients);
        for &client in &names {
            let texts = (1..=n_pings).map(|n| format!("{client}-{n}"));
            let workload = Workload::new(texts.clone()).expecting(texts);
            world.add_client(client, ClientWorker::new(solution.client(server), workload));
        }
        let clients = Clients::<S::Client>::new(names);
        world.invariant("every ping gets its own answer", clients.scope(), clients.results_ok());
        world.prune("every client has finished", clients.scope(), clients.all_done());
        if is_lossy {
            foresee_labs::few_copies(&mut world);
        } else {
            world.reachable("every client has finished", clients.scope(), clients.all_done());
        }
        world.options(options);
        Arena::new(&world.build(), &clients)
    })
}
