//! Systems that only tests of the debugger need: a large one, one with stable storage and every fault, one with timers in an
//! order, one with markup in its messages, and code that misbehaves.
//! `crates/foresee/examples/debugger_systems.rs` has them behind the whole command line, for tests in a browser.

use foresee_nodes::{
    Address, ArgumentError, Arguments, BuildOptions, Context, Entry, Faults, Network, Node,
    Parameter, Runnable, Scope, WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

type Built = Result<Box<dyn Runnable>, ArgumentError>;

/// All of them.
pub fn all() -> Vec<Entry> {
    vec![load(), storage(), timers(), markup(), misbehaving()]
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Work {
    Item { from: u32, number: u32 },
}

/// Passes each item on to the next node, so that as much stays pending as was at the start.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Worker {
    number: u32,
    next: Address,
    others: Vec<Address>,
    first_items: u32,
    handled: u32,
    last: Option<u32>,
}

impl Node for Worker {
    type Message = Work;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Work, ()>) {
        for number in 0..self.first_items {
            let to = self.others[(number as usize) % self.others.len()];
            context.send(to, Work::Item { from: self.number, number });
        }
    }

    fn on_message(&mut self, _from: Address, message: Work, context: &mut Context<Work, ()>) {
        let Work::Item { from, number } = message;
        self.handled += 1;
        self.last = Some(number);
        context.send(self.next, Work::Item { from, number });
    }
}

/// `load nodes=50 pending=10000 steps=5000`: much of everything. It goes wrong when so many items were handled.
fn load() -> Entry {
    Entry::new("load", "many nodes with many messages in flight")
        .parameter(Parameter::number("nodes", 50, 2..=200, "nodes"))
        .parameter(Parameter::number("pending", 10_000, 1..=100_000, "messages at the start"))
        .parameter(Parameter::number("steps", 5_000, 1..=100_000, "deliveries until it goes wrong"))
        .build_with(|arguments: &Arguments, options: &BuildOptions| -> Built {
            let mut world = WorldBuilder::<Work>::new(arguments.to_string());
            world.options(options);
            world.network(Network::Multiset);
            let nodes = arguments.number("nodes") as usize;
            let names = Address::numbered("node", nodes);
            let each = arguments.number("pending") as u32 / nodes as u32;
            for (number, name) in names.iter().enumerate() {
                let others = names.iter().copied().filter(|other| other != name).collect();
                let next = names[(number + 1) % nodes];
                let worker = Worker {
                    number: number as u32,
                    next,
                    others,
                    first_items: each,
                    handled: 0,
                    last: None,
                };
                world.add(*name, worker);
            }
            let steps = arguments.number("steps") as u32;
            let all = names.clone();
            world.invariant("not too much", Scope::nodes(names), move |view, why| {
                let handled: u32 = all.iter().map(|name| view.node::<Worker>(*name).handled).sum();
                why.because(format_args!("{handled} items were handled"));
                handled < steps
            });
            Ok(Box::new(world.build()))
        })
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Store {
    Put(u32),
    Stored(u32),
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Keeper {
    others: Vec<Address>,
    /// Outlives a crash.
    stored: u32,
    /// Does not.
    cached: u32,
}

impl Node for Keeper {
    type Message = Store;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Store, ()>) {
        let others = self.others.clone();
        context.broadcast(&others, &Store::Put(1));
    }

    fn on_message(&mut self, from: Address, message: Store, context: &mut Context<Store, ()>) {
        match message {
            Store::Put(value) => {
                self.stored += value;
                self.cached += value;
                context.send(from, Store::Stored(self.stored));
            }
            Store::Stored(value) => self.cached = value,
        }
    }

    fn recover(&self, fresh: Self) -> Self {
        Keeper { stored: self.stored, ..fresh }
    }

    fn on_restart(&mut self, _context: &mut Context<Store, ()>) {}
}

/// `storage`: stable storage, and one crash, one restart, one partition, one loss and one doubling.
fn storage() -> Entry {
    Entry::new("storage", "three servers with stable storage and every fault once")
        .parameter(Parameter::number("budget", 1, 0..=9, "how often each fault may happen"))
        .build_with(|arguments: &Arguments, options: &BuildOptions| -> Built {
            let mut world = WorldBuilder::<Store>::new(arguments.to_string());
            world.options(options);
            world.network(Network::Multiset);
            let budget = arguments.number("budget") as u32;
            world.faults(Faults {
                drops: budget + options.drops,
                duplicates: budget + options.duplicates,
                crashes: budget + options.crashes,
                restarts: budget + options.restarts,
                partitions: budget + options.partitions,
                ..Faults::default()
            });
            let names = Address::numbered("server", 3);
            for name in &names {
                let others = names.iter().copied().filter(|other| other != name).collect();
                world.add(*name, Keeper { others, stored: 0, cached: 0 });
            }
            Ok(Box::new(world.build()))
        })
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Bell {
    First,
    Second,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Clock {
    rung: Vec<Bell>,
}

impl Node for Clock {
    type Message = ();
    type Timer = Bell;

    fn init(&mut self, context: &mut Context<(), Bell>) {
        context.set_timer(Bell::First, Duration::from_millis(10));
        context.set_timer(Bell::Second, Duration::from_millis(10));
    }

    fn on_message(&mut self, _from: Address, (): (), _context: &mut Context<(), Bell>) {}

    fn on_timer(&mut self, timer: Bell, _context: &mut Context<(), Bell>) {
        self.rung.push(timer);
    }
}

/// `timers`: two timers of 10 ms, set in an order, so the second cannot fire first.
fn timers() -> Entry {
    Entry::new("timers", "a node with two timers that fire in the order they were set").build_with(
        |arguments: &Arguments, options: &BuildOptions| -> Built {
            let mut world = WorldBuilder::<()>::new(arguments.to_string());
            world.options(options);
            world.add("clock", Clock { rung: Vec::new() });
            Ok(Box::new(world.build()))
        },
    )
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Text(String);

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Reader {
    other: Option<Address>,
    read: Vec<String>,
}

impl Node for Reader {
    type Message = Text;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Text, ()>) {
        if let Some(other) = self.other {
            context.send(other, Text("<img src=x onerror=\"window.hacked=1\">".to_owned()));
            context.send(other, Text("</script><script>window.hacked=1</script>".to_owned()));
        }
    }

    fn on_message(&mut self, _from: Address, message: Text, _context: &mut Context<Text, ()>) {
        self.read.push(message.0);
    }
}

/// `markup`: messages that would be markup if a page took them for it.
fn markup() -> Entry {
    Entry::new("markup", "messages with HTML in them").build_with(
        |arguments: &Arguments, options: &BuildOptions| -> Built {
            let mut world = WorldBuilder::<Text>::new(arguments.to_string());
            world.options(options);
            world.network(Network::Multiset);
            let reader = world.add("reader", Reader { other: None, read: Vec::new() });
            world.add("writer", Reader { other: Some(reader), read: Vec::new() });
            Ok(Box::new(world.build()))
        },
    )
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Order {
    Panic,
    /// Has the one told so tell the sender to loop.
    Go,
    Loop,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Servant {
    sends_to: Option<Address>,
    done: u32,
}

impl Node for Servant {
    type Message = Order;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Order, ()>) {
        if let Some(servant) = self.sends_to {
            context.send(servant, Order::Panic);
            context.send(servant, Order::Go);
        }
    }

    fn on_message(&mut self, from: Address, message: Order, context: &mut Context<Order, ()>) {
        match message {
            Order::Panic => panic!("I was told to"),
            Order::Go => {
                self.done += 1;
                context.send(from, Order::Loop);
            }
            Order::Loop => loop {
                std::thread::sleep(Duration::from_millis(20));
            },
        }
    }
}

/// `misbehaving`: a handler that panics, and one that never returns.
fn misbehaving() -> Entry {
    Entry::new("misbehaving", "a node that panics or loops when it is told to").build_with(
        |arguments: &Arguments, options: &BuildOptions| -> Built {
            let mut world = WorldBuilder::<Order>::new(arguments.to_string());
            world.options(options);
            // A network that delivers whatever it has: nothing is tried before it is chosen.
            world.network(Network::Set);
            let servant = world.add("servant", Servant { sends_to: None, done: 0 });
            world.add("master", Servant { sends_to: Some(servant), done: 0 });
            Ok(Box::new(world.build()))
        },
    )
}
