//! `ping`: clients that ping a server, one ping after another, until each has its answers.
//! The smallest system with everything in it: a network that repeats itself, and timers that outlive their purpose.
//! Known sizes: 1 client and 10 pings have 120 states and 1,595 transitions; 2 clients 14,640 and 436,590.

use crate::setup::{self, Built};
use foresee_nodes::{
    Address, Arguments, BuildOptions, Context, Entry, Network, Node, Parameter, Scope, View,
    WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const RETRY_AFTER: Duration = Duration::from_millis(10);

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Message {
    Ping(u32),
    Pong(u32),
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Timer {
    /// Send this ping again unless it has been answered.
    Retry(u32),
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Server;

impl Node for Server {
    type Message = Message;
    type Timer = Timer;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        if let Message::Ping(n) = message {
            context.send(from, Message::Pong(n));
        }
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Client {
    server: Address,
    pings: u32,
    retries: bool,
    bug: Bug,
    answers: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Bug {
    None,
    /// The client takes any answer for the answer to its last ping.
    AnyPong,
}

impl Client {
    fn is_done(&self) -> bool {
        self.answers.len() == self.pings as usize
    }

    /// The ping that waits for its answer.
    fn current(&self) -> u32 {
        self.answers.len() as u32 + 1
    }

    fn ping(&self, context: &mut Context<Message, Timer>) {
        context.send(self.server, Message::Ping(self.current()));
        if self.retries {
            context.set_timer(Timer::Retry(self.current()), RETRY_AFTER);
        }
    }
}

impl Node for Client {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        self.ping(context);
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        let Message::Pong(n) = message else { return };
        if self.is_done() || (n != self.current() && self.bug != Bug::AnyPong) {
            return;
        }
        self.answers.push(n);
        if !self.is_done() {
            self.ping(context);
        }
    }

    fn on_timer(&mut self, Timer::Retry(n): Timer, context: &mut Context<Message, Timer>) {
        if !self.is_done() && n == self.current() {
            self.ping(context);
        }
    }
}

/// The entry of the catalogue.
pub(crate) fn entry() -> Entry {
    Entry::new("ping", "clients ping a server, one ping after another, and retry after 10 ms")
        .parameter(Parameter::number("clients", 1, 1..=8, "clients, each with pings of its own"))
        .parameter(Parameter::number(
            "pings",
            10,
            1..=50,
            "pings a client sends, one after another",
        ))
        .parameter(Parameter::word("retry", &["on", "off"], "whether clients send a ping again"))
        .parameter(setup::network(Network::Set))
        .parameter(Parameter::word(
            "bug",
            &["none", "any-pong"],
            "any-pong: a client takes an old answer for the one it waits for",
        ))
        .build_with(build)
}

fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let mut world = WorldBuilder::<Message>::new(arguments.to_string());
    let server = world.add("server", Server);
    let fresh = Client {
        server,
        pings: arguments.number("pings") as u32,
        retries: arguments.word("retry") == "on",
        bug: if arguments.word("bug") == "any-pong" { Bug::AnyPong } else { Bug::None },
        answers: Vec::new(),
    };
    let clients: Vec<Address> = Address::numbered("client", arguments.number("clients") as usize)
        .into_iter()
        .map(|address| world.add(address, fresh.clone()))
        .collect();
    for &client in &clients {
        world.invariant(
            format!("answers of {client}"),
            Scope::nodes([client]),
            move |view, why| {
                let answers = &view.node::<Client>(client).answers;
                why.because(format_args!("{client} has the answers {answers:?}"));
                answers.iter().zip(1..).all(|(answer, ping)| *answer == ping)
            },
        );
    }
    let all = clients.clone();
    let all_done = move |view: &View<'_, Message>| {
        all.iter().all(|client| view.node::<Client>(*client).is_done())
    };
    let (done, pruned) = (all_done.clone(), all_done);
    world.reachable("all clients are done", Scope::nodes(clients.clone()), move |view, _| {
        done(view)
    });
    world.prune("all clients are done", Scope::nodes(clients.clone()), move |view, _| pruned(view));
    world.score(move |view| {
        clients.iter().map(|client| view.node::<Client>(*client).answers.len() as i64).sum()
    });
    setup::finish(world, arguments, options)
}
