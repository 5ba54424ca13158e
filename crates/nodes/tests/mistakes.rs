//! What checked code may do wrong: it panics, sends into the void, reports what it should not, or its predicate looks where
//! it said it would not.

mod common;

use common::{Listener, enabled, labels, run, sizes};
use foresee_lts::{Claims, FaultKind, Successors, System, Telling};
use foresee_nodes::{
    Address, Context, Linearizable, Network, Node, Register, RegisterOperation, Scope, World,
    WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Does what it is told, however wrong.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Clumsy {
    peer: Address,
    at_start: char,
}

impl Clumsy {
    fn act(&self, what: char, context: &mut Context<char, ()>) {
        match what {
            'p' => panic!("I am clumsy"),
            'u' => context.send(Address::new("nowhere"), 'x'),
            'n' => context.invoked(RegisterOperation::<char>::Read),
            'r' => context.returned(7u8),
            other => context.send(self.peer, other),
        }
    }
}

impl Node for Clumsy {
    type Message = char;
    type Timer = ();
    fn init(&mut self, context: &mut Context<char, ()>) {
        self.act(self.at_start, context);
    }
    fn on_message(&mut self, _: Address, message: char, context: &mut Context<char, ()>) {
        self.act(message.to_ascii_lowercase(), context);
    }
}

/// `a` sends `at_start` to `b`, whatever that does there; `c` has a message of its own waiting.
fn world(at_start: char, with_histories: bool, as_client: bool) -> World<char> {
    let mut world = WorldBuilder::new("clumsy");
    let [a, b, c] = [Address::new("a"), Address::new("b"), Address::new("c")];
    world.add(a, Clumsy { peer: b, at_start });
    let clumsy = Clumsy { peer: c, at_start: 'y' };
    if as_client {
        world.add_client(b, clumsy)
    } else {
        world.add(b, clumsy)
    };
    world.add(c, Listener::default());
    world.network(Network::Multiset);
    if with_histories {
        world.recorder(|_| Arc::new(Linearizable::new(Register::new('-'))));
    }
    world.build()
}

/// The message of the fault that delivering `message` to `b` is; nothing may happen afterwards.
fn fault_of(world: &World<char>, message: char) -> String {
    let broken = run(world, &[&format!("deliver a -> b '{message}'")]);
    let fault = world.fault(&broken).expect("the state is faulty");
    assert_eq!(fault.kind, FaultKind::Panic);
    assert!(enabled(world, &broken).is_empty(), "{:?}", labels(world, &broken));
    let mut successors = Successors::default();
    world.explorer().expand(&broken, &mut successors);
    assert!(successors.is_empty());
    sizes(world);
    fault.message
}

#[test]
fn a_panic_is_a_fault_of_the_state() {
    let world = world('P', false, false);
    assert!(fault_of(&world, 'P').starts_with("b panicked: I am clumsy"));
    let broken = run(&world, &["deliver a -> b 'P'"]);
    assert!(!world.view(&broken).is_up(Address::new("b")));
    assert!(world.describe(&broken).members[1].status.contains("I am clumsy"));
}

#[test]
fn a_panic_at_the_start_is_a_faulty_start() {
    let world = world('p', false, false);
    let start = world.initial().remove(0);
    assert!(world.fault(&start).is_some() && enabled(&world, &start).is_empty());
    assert_eq!(sizes(&world), (1, 0));
}

#[test]
fn sending_into_the_void_is_a_fault_that_names_everything() {
    let message = fault_of(&world('U', false, false), 'U');
    assert_eq!(message, "b sent 'x' to nowhere, which is no node of this system (it has a, b, c)");
}

#[test]
fn only_clients_report_operations_and_only_where_histories_are_kept() {
    let message = fault_of(&world('N', true, false), 'N');
    assert!(
        message.contains("b reports an operation") && message.contains("add_client"),
        "{message}"
    );
    let without = world('N', false, false);
    let state = run(&without, &["deliver b -> c 'y'"]);
    assert!(without.fault(&state).is_none());
    assert_eq!(labels(&without, &state), [""; 0], "a note that nobody keeps changes nothing");
}

#[test]
fn a_return_without_an_invocation_is_a_fault_of_the_history() {
    let message = fault_of(&world('R', true, true), 'R');
    assert!(message.starts_with("b kept no proper history: "), "{message}");
}

#[test]
fn histories_are_seen_through_views() {
    let world = world('N', true, true);
    let b = Address::new("b");
    let state = run(&world, &["deliver a -> b 'N'"]);
    let history = world.view(&state).history(b);
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].operation.get(), Some(&RegisterOperation::<char>::Read));
    assert_eq!(history[0].result, None);
    assert!(world.view(&world.initial()[0]).history(b).is_empty());
    let described = world.describe(&state).shared;
    assert_eq!(described[0].0, "history of b");
    assert_eq!(world.properties()[0].name(), "linearizable");
    assert!(world.properties()[0].predicate.holds(&state));
}

#[test]
#[should_panic(expected = "a predicate looks at the node b, which is not in its scope")]
fn a_predicate_is_held_to_its_scope() {
    let world = world('y', false, false);
    let [a, b] = [Address::new("a"), Address::new("b")];
    let sly = world.predicate("sly", Scope::nodes([a]), move |view, _| view.is_up(b));
    sly.holds(&world.initial()[0]);
}

#[test]
#[should_panic(expected = "c is a mistakes::common::Listener, not a mistakes::Clumsy")]
fn a_wrong_type_is_named() {
    let world = world('y', false, false);
    let start = world.initial().remove(0);
    world.view(&start).node::<Clumsy>(Address::new("c"));
}

/// A node inside another: counts pings, with messages and timers of its own.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Inner {
    n: u32,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Tick(u32);

impl Node for Inner {
    type Message = Tick;
    type Timer = Tick;
    fn on_message(&mut self, from: Address, tick: Tick, context: &mut Context<Tick, Tick>) {
        self.n += tick.0;
        context.send(from, Tick(self.n));
        context.set_timer(Tick(self.n), std::time::Duration::from_millis(1));
    }
    fn on_timer(&mut self, tick: Tick, _: &mut Context<Tick, Tick>) {
        self.n += 10 * tick.0;
    }
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Wrapped {
    Start,
    Inner(Tick),
}

#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Outer {
    inner: Inner,
    starts: Option<Address>,
}

impl Node for Outer {
    type Message = Wrapped;
    type Timer = Wrapped;
    fn init(&mut self, context: &mut Context<Wrapped, Wrapped>) {
        if let Some(peer) = self.starts {
            context.send(peer, Wrapped::Inner(Tick(1)));
        }
        context.send(context.me(), Wrapped::Start);
    }
    fn on_message(
        &mut self,
        from: Address,
        message: Wrapped,
        context: &mut Context<Wrapped, Wrapped>,
    ) {
        if let Wrapped::Inner(tick) = message
            && self.inner.n < 3
        {
            let inner = &mut self.inner;
            context.within(Wrapped::Inner, Wrapped::Inner, |context| {
                inner.on_message(from, tick, context)
            });
        }
    }
    fn on_timer(&mut self, timer: Wrapped, context: &mut Context<Wrapped, Wrapped>) {
        if let Wrapped::Inner(tick) = timer {
            let inner = &mut self.inner;
            context.within(Wrapped::Inner, Wrapped::Inner, |context| inner.on_timer(tick, context));
        }
    }
}

#[test]
fn sub_nodes_send_and_set_timers_through_their_owner() {
    let mut world = WorldBuilder::new("nested");
    let [a, b] = [Address::new("a"), Address::new("b")];
    world.add(a, Outer { starts: Some(b), ..Outer::default() });
    world.add(b, Outer::default());
    world.network(Network::Multiset);
    let world = world.build();
    let state = run(
        &world,
        &[
            "deliver a -> b Inner(Tick(1))",
            "deliver b -> a Inner(Tick(1))",
            "timer b Inner(Tick(1))",
        ],
    );
    assert_eq!(world.view(&state).node::<Outer>(b).inner.n, 11);
    assert_eq!(world.view(&state).timers::<Outer>(a).len(), 1);
    sizes(&world);
}
