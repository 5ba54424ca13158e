//! The stock tool with systems that the tests of the debugger's page need: many nodes and messages, every kind of fault with a
//! budget of one, timers that wait for each other, text that looks like markup, a handler that panics.
//! A user's own binary looks the same: name the systems, and the command line does the rest.

use foresee::{
    Address, Arguments, BuildOptions, Context, Entry, Faults, Network, Node, Parameter, Runnable,
    Scope, WorldBuilder,
};
use foresee_nodes::ArgumentError;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;
use std::time::Duration;

type Built = Result<Box<dyn Runnable>, ArgumentError>;

fn main() -> ExitCode {
    let tool = foresee::cli().stock_systems();
    tool.system(load()).system(faulty()).system(timers()).system(markup()).system(panicking()).run()
}

/// Many nodes that hand on many messages: `pending` stay in flight.
fn load() -> Entry {
    Entry::new("load", "nodes that hand messages on, for measuring the debugger's page")
        .parameter(Parameter::number("nodes", 50, 2..=100, "nodes"))
        .parameter(Parameter::number("pending", 10_000, 1..=100_000, "messages in flight"))
        .parameter(Parameter::number(
            "steps",
            5_000,
            1..=1_000_000,
            "deliveries that are handed on",
        ))
        .build_with(build_load)
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Job {
    Work(u32),
    Report(u32),
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Worker {
    next: Vec<Address>,
    sends: u32,
    hands_on: u32,
    handled: u32,
    last: Option<u32>,
}

impl Node for Worker {
    type Message = Job;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Job, ()>) {
        for number in 0..self.sends {
            let to = self.next[number as usize % self.next.len()];
            context.send(to, if number % 4 == 3 { Job::Report(number) } else { Job::Work(number) });
        }
    }

    fn on_message(&mut self, _from: Address, message: Job, context: &mut Context<Job, ()>) {
        let (Job::Work(number) | Job::Report(number)) = message;
        self.handled += 1;
        self.last = Some(number);
        if self.handled <= self.hands_on {
            let to = self.next[(number + self.handled) as usize % self.next.len()];
            context.send(to, message);
        }
    }
}

fn build_load(arguments: &Arguments, options: &BuildOptions) -> Built {
    let nodes = arguments.number("nodes") as usize;
    let share = |whole: &str| (arguments.number(whole) as usize / nodes) as u32;
    let addresses = Address::numbered("node", nodes);
    let mut world = WorldBuilder::new(arguments.to_string());
    world.options(options).network(Network::Multiset);
    for (at, &address) in addresses.iter().enumerate() {
        // Each talks to a few others, so that not everything is connected with everything.
        let next = (1..=5).map(|by| addresses[(at + by) % nodes]).collect();
        let (sends, hands_on) = (share("pending"), share("steps"));
        world.add(address, Worker { next, sends, hands_on, handled: 0, last: None });
    }
    Ok(Box::new(world.build()))
}

/// Three servers that copy a value, on a network that may do everything wrong once.
fn faulty() -> Entry {
    Entry::new("faulty", "servers that keep a value, and one fault of each kind").build_with(
        |arguments, options| {
            let servers = Address::numbered("server", 3);
            let mut world = WorldBuilder::new(arguments.to_string());
            world.options(options).network(Network::Multiset).faults(Faults {
                drops: 1,
                duplicates: 1,
                crashes: 1,
                restarts: 1,
                partitions: 1,
                ..Faults::default()
            });
            for &server in &servers {
                let peers: Vec<Address> =
                    servers.iter().copied().filter(|peer| *peer != server).collect();
                world.add(server, Keeper { peers, stored: 0, heard: 0 });
            }
            Ok(Box::new(world.build()))
        },
    )
}

/// `stored` is on stable storage, `heard` is not.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Keeper {
    peers: Vec<Address>,
    stored: u32,
    heard: u32,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Copy(u32);

impl Node for Keeper {
    type Message = Copy;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Copy, ()>) {
        context.broadcast(&self.peers.clone(), &Copy(self.stored + 1));
    }

    fn on_message(&mut self, _from: Address, Copy(value): Copy, _context: &mut Context<Copy, ()>) {
        self.heard += 1;
        self.stored = self.stored.max(value);
    }

    fn recover(&self, fresh: Self) -> Self {
        Keeper { stored: self.stored, ..fresh }
    }
}

/// Two timers of the same length, set one after the other: the second waits for the first.
fn timers() -> Entry {
    Entry::new("timers", "a node with two timers of 10 ms").build_with(|arguments, options| {
        let mut world = WorldBuilder::new(arguments.to_string());
        world.options(options).add("node", Ringer { rung: Vec::new() });
        Ok(Box::new(world.build()))
    })
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Bell {
    First,
    Second,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Ringer {
    rung: Vec<Bell>,
}

impl Node for Ringer {
    type Message = ();
    type Timer = Bell;

    fn init(&mut self, context: &mut Context<(), Bell>) {
        context.set_timer(Bell::First, Duration::from_millis(10));
        context.set_timer(Bell::Second, Duration::from_millis(10));
    }

    fn on_message(&mut self, _: Address, _: (), _: &mut Context<(), Bell>) {}

    fn on_timer(&mut self, bell: Bell, _context: &mut Context<(), Bell>) {
        self.rung.push(bell);
    }
}

/// Messages that a careless page would take for markup.
fn markup() -> Entry {
    Entry::new("markup", "messages that look like markup").build_with(|arguments, options| {
        let mut world = WorldBuilder::new(arguments.to_string());
        world.options(options);
        let reader = world.add("reader", Reader { to: None, read: Vec::new() });
        world.add("writer", Reader { to: Some(reader), read: Vec::new() });
        Ok(Box::new(world.build()))
    })
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Reader {
    to: Option<Address>,
    read: Vec<String>,
}

impl Node for Reader {
    type Message = String;
    type Timer = ();

    fn init(&mut self, context: &mut Context<String, ()>) {
        if let Some(to) = self.to {
            context.send(to, "<img src=x onerror=\"window.ran = true\">".to_owned());
            context.send(to, "</script><script>window.ran = true</script>".to_owned());
        }
    }

    fn on_message(&mut self, _: Address, text: String, _: &mut Context<String, ()>) {
        self.read.push(text);
    }
}

/// A handler that panics on the second message, and one that should hold until then.
fn panicking() -> Entry {
    Entry::new("panicking", "a handler that panics on its second message").build_with(
        |arguments, options| {
            let mut world = WorldBuilder::new(arguments.to_string());
            world.options(options);
            let clerk = world.add("clerk", Clerk { to: None, seen: 0 });
            world.add("sender", Clerk { to: Some(clerk), seen: 0 });
            world.invariant("few", Scope::nodes([clerk]), move |view, _| {
                view.node::<Clerk>(clerk).seen < 10
            });
            Ok(Box::new(world.build()))
        },
    )
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Clerk {
    to: Option<Address>,
    seen: u32,
}

impl Node for Clerk {
    type Message = u32;
    type Timer = ();

    fn init(&mut self, context: &mut Context<u32, ()>) {
        if let Some(to) = self.to {
            context.send(to, 1);
            context.send(to, 2);
        }
    }

    fn on_message(&mut self, _: Address, form: u32, _: &mut Context<u32, ()>) {
        assert!(self.seen == 0, "the clerk has no room for form {form}");
        self.seen += 1;
    }
}
