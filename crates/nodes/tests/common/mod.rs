//! What the tests of worlds share: exploring without an engine, ping, and a node that does a bit of everything.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

use foresee_lts::{Action, State, Successors, System};
use foresee_nodes::{Address, Context, Node, Scope, World, WorldBuilder};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::time::Duration;

/// How many states and transitions there are, by the three required methods and nothing else.
pub fn count_plainly(system: &dyn System) -> (usize, usize) {
    let step_all = |state: &State| {
        let mut actions = Vec::new();
        system.enabled(state, &mut actions);
        actions.into_iter().map(|action| system.step(state, action)).collect()
    };
    count(system, step_all)
}

/// The same by the system's own explorer.
pub fn count_by_explorer(system: &dyn System) -> (usize, usize) {
    let mut explorer = system.explorer();
    let mut successors = Successors::default();
    count(system, |state| {
        explorer.expand(state, &mut successors);
        successors.assert_consistent(system, state);
        let apply = |successor| {
            let mut next = state.clone();
            successors.apply(successor, &mut next);
            next
        };
        successors.iter().map(apply).collect()
    })
}

fn count(system: &dyn System, mut expand: impl FnMut(&State) -> Vec<State>) -> (usize, usize) {
    let prunes = system.prunes();
    let mut known: HashSet<State> = system.initial().into_iter().collect();
    let mut queue: VecDeque<State> = known.iter().cloned().collect();
    let mut n_transitions = 0;
    while let Some(state) = queue.pop_front() {
        if prunes.iter().any(|prune| prune.holds(&state)) {
            continue;
        }
        for next in expand(&state) {
            n_transitions += 1;
            if known.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    (known.len(), n_transitions)
}

/// States and transitions, after both ways of counting agreed.
pub fn sizes(system: &dyn System) -> (usize, usize) {
    let plainly = count_plainly(system);
    assert_eq!(count_by_explorer(system), plainly, "the explorer disagrees with enabled and step");
    plainly
}

/// The labels of everything that can happen, in order.
pub fn labels(system: &dyn System, state: &State) -> Vec<String> {
    enabled(system, state).iter().map(|action| system.label(state, *action).to_string()).collect()
}

pub fn enabled(system: &dyn System, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    actions
}

/// The state after the events with these labels.
pub fn run(system: &dyn System, events: &[&str]) -> State {
    let mut state = system.initial().remove(0);
    for event in events {
        let actions = enabled(system, &state);
        let found = actions.iter().find(|it| system.label(&state, **it).to_string() == *event);
        let Some(action) = found else {
            panic!("`{event}` is not enabled; these are: {:?}", labels(system, &state))
        };
        state = system.step(&state, *action);
    }
    state
}

// ---- Ping -------------------------------------------------------------------------------------

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Ping {
    Ping(u32),
    Pong(u32),
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct PingServer;

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct PingClient {
    pub server: Address,
    pub n_pings: u32,
    /// The ping whose pong is awaited; more than `n_pings` when all is done.
    pub current: u32,
}

impl PingClient {
    pub fn is_done(&self) -> bool {
        self.current > self.n_pings
    }

    fn ping(&self, context: &mut Context<Ping, u32>) {
        context.send(self.server, Ping::Ping(self.current));
        context.set_timer(self.current, Duration::from_millis(10));
    }
}

impl Node for PingServer {
    type Message = Ping;
    type Timer = ();
    fn on_message(&mut self, from: Address, message: Ping, context: &mut Context<Ping, ()>) {
        if let Ping::Ping(n) = message {
            context.send(from, Ping::Pong(n));
        }
    }
}

impl Node for PingClient {
    type Message = Ping;
    type Timer = u32;
    fn init(&mut self, context: &mut Context<Ping, u32>) {
        self.current = 1;
        self.ping(context);
    }
    fn on_message(&mut self, _from: Address, message: Ping, context: &mut Context<Ping, u32>) {
        if message == Ping::Pong(self.current) {
            self.current += 1;
            if !self.is_done() {
                self.ping(context);
            }
        }
    }
    fn on_timer(&mut self, n: u32, context: &mut Context<Ping, u32>) {
        if n == self.current {
            self.ping(context);
        }
    }
}

/// Clients that ping a server over a set network; nothing happens after all are done.
pub fn ping_world(n_clients: usize, n_pings: u32) -> World<Ping> {
    let mut world = WorldBuilder::new(format!("ping clients={n_clients} pings={n_pings}"));
    let server = world.add("server", PingServer);
    let clients = Address::numbered("client", n_clients);
    for &client in &clients {
        world.add(client, PingClient { server, n_pings, current: 0 });
    }
    let scope = Scope::nodes(clients.clone());
    world.prune("all done", scope, move |view, _why| {
        clients.iter().all(|client| view.node::<PingClient>(*client).is_done())
    });
    world.build()
}

// ---- A sender and a listener ------------------------------------------------------------------

/// Sends these messages at the start, and nothing later.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct Sender {
    pub sends: Vec<(Address, char)>,
}

impl Node for Sender {
    type Message = char;
    type Timer = ();
    fn init(&mut self, context: &mut Context<char, ()>) {
        for (to, message) in &self.sends {
            context.send(*to, *message);
        }
    }
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, ()>) {}
}

/// Keeps what it hears, in order; ignores `z`.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct Listener {
    pub heard: String,
}

impl Node for Listener {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, message: char, _: &mut Context<char, ()>) {
        if message != 'z' {
            self.heard.push(message);
        }
    }
}

/// Keeps what it hears, as a set.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub struct Collector {
    pub heard: BTreeSet<char>,
}

impl Node for Collector {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, message: char, _: &mut Context<char, ()>) {
        self.heard.insert(message);
    }
}
