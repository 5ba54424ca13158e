//! Faults on worlds small enough to count by hand: budgets, crashes that lose what is volatile, partitions.

mod common;

use common::{Listener, Sender, labels, run, sizes};
use foresee_lts::{Interleaved, Label, Origin, System, Telling};
use foresee_nodes::{
    Address, BuildError, Context, Crashable, Faults, Network, Node, Scope, Splits, World,
    WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

fn builder(network: Network, sends: &str, faults: Faults) -> WorldBuilder<char> {
    let mut world = WorldBuilder::new("sends");
    let b = Address::new("b");
    world.add("a", Sender { sends: sends.chars().map(|message| (b, message)).collect() });
    world.add(b, Listener::default());
    world.network(network).faults(faults);
    world
}

fn world(network: Network, sends: &str, faults: Faults) -> World<char> {
    builder(network, sends, faults).build()
}

#[test]
fn drops_have_a_budget() {
    let sizes =
        |drops| sizes(&world(Network::Multiset, "xy", Faults { drops, ..Faults::default() }));
    assert_eq!(sizes(0), (5, 4));
    // Without a drop 5; one dropped and the other heard or not 4; both dropped 1.
    assert_eq!(sizes(1), (9, 10));
    assert_eq!(sizes(2), (10, 12));
}

#[test]
fn a_queue_loses_its_oldest_message() {
    let world = world(Network::Fifo, "xy", Faults { drops: 1, ..Faults::default() });
    let start = world.initial().remove(0);
    assert_eq!(labels(&world, &start), ["deliver a -> b 'x'", "drop a -> b 'x'"]);
    let end = run(&world, &["drop a -> b 'x'", "deliver a -> b 'y'"]);
    assert_eq!(world.view(&end).node::<Listener>(Address::new("b")).heard, "y");
    // Heard nothing, x, xy; after dropping x: nothing, y; after dropping y: x.
    assert_eq!(sizes(&world), (6, 5));
}

#[test]
fn duplicates_have_a_budget() {
    for network in [Network::Multiset, Network::Fifo] {
        let sizes =
            |duplicates| sizes(&world(network, "x", Faults { duplicates, ..Faults::default() }));
        assert_eq!(sizes(0), (2, 1));
        // (heard, in flight, budget): 0/1/1, 1/0/1, 0/2/0, 1/1/0, 2/0/0.
        assert_eq!(sizes(1), (5, 4));
        assert_eq!(sizes(2), (9, 9));
    }
}

#[test]
fn faults_that_mean_nothing_are_warned_of_and_contradictions_refused() {
    let faults = Faults { drops: 1, duplicates: 1, restarts: 1, ..Faults::default() };
    let set = world(Network::Set, "x", faults.clone());
    assert_eq!(set.warnings().len(), 3, "{:?}", set.warnings());
    assert_eq!(labels(&set, &set.initial()[0]), ["deliver a -> b 'x'"]);
    let refused = builder(Network::ExactlyOnce, "x", faults).try_build();
    assert_eq!(refused.err(), Some(BuildError::ExactlyOnce("drops")));
}

#[test]
fn crashes_and_restarts_have_budgets() {
    let sizes = |crashes, restarts, crashable| {
        let faults = Faults { crashes, restarts, crashable, ..Faults::default() };
        sizes(&world(Network::Multiset, "", faults))
    };
    let only_b = || Crashable::Only(vec![Address::new("b")]);
    assert_eq!(sizes(1, 0, Crashable::AnyNode), (3, 2));
    assert_eq!(sizes(2, 0, Crashable::AnyNode), (4, 4));
    assert_eq!(sizes(1, 0, only_b()), (2, 1));
    assert_eq!(sizes(1, 1, only_b()), (3, 2));
    assert_eq!(sizes(2, 1, only_b()), (4, 3));
    assert_eq!(sizes(2, 2, only_b()), (5, 4));
}

/// Counts in memory and, at every second message, on stable storage.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Saver {
    volatile: u32,
    stable: u32,
    n_starts: u32,
}

impl Node for Saver {
    type Message = char;
    type Timer = u8;
    fn init(&mut self, context: &mut Context<char, u8>) {
        self.n_starts += 1;
        context.set_timer(7, Duration::from_millis(1));
    }
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, u8>) {
        self.volatile += 1;
        if self.volatile.is_multiple_of(2) {
            self.stable = self.volatile;
        }
    }
    fn recover(&self, fresh: Self) -> Self {
        let (stable, n_starts) = (self.stable, self.n_starts);
        assert_eq!(fresh, Saver::default(), "the node as it was built, before `init`");
        Saver { stable, volatile: stable, n_starts }
    }
}

#[test]
fn a_crash_loses_what_is_volatile_and_keeps_what_is_stable() {
    let saver = Address::new("saver");
    let mut world = WorldBuilder::new("saver");
    world.add("a", Sender { sends: vec![(saver, 'x'), (saver, 'y'), (saver, 'v')] });
    world.add(saver, Saver::default());
    world.network(Network::Multiset);
    world.faults(Faults { crashes: 1, restarts: 1, ..Faults::default() });
    let world = world.build();

    let heard = ["deliver a -> saver 'x'", "deliver a -> saver 'y'", "deliver a -> saver 'v'"];
    let before = run(&world, &heard);
    assert_eq!(
        *world.view(&before).node::<Saver>(saver),
        Saver { volatile: 3, stable: 2, n_starts: 1 }
    );

    let crashed = run(&world, &[&heard[..], &["crash saver"]].concat());
    assert!(!world.view(&crashed).is_up(saver));
    assert!(world.view(&crashed).timers::<Saver>(saver).is_empty(), "timers are lost");
    assert_eq!(world.describe(&crashed).members[1].status, "crashed");
    assert_eq!(
        labels(&world, &crashed),
        ["restart saver"],
        "nothing happens to a node that is down"
    );

    let back = run(&world, &[&heard[..], &["crash saver", "restart saver"]].concat());
    assert_eq!(
        *world.view(&back).node::<Saver>(saver),
        Saver { volatile: 2, stable: 2, n_starts: 2 }
    );
    assert_eq!(world.view(&back).timers::<Saver>(saver).len(), 1, "set again by on_restart");

    let early = run(&world, &["crash saver", "restart saver", heard[0]]);
    assert_eq!(world.view(&early).node::<Saver>(saver).volatile, 1, "messages in flight stay");
}

#[test]
fn connections_to_a_crashed_node_break() {
    let world = world(Network::Fifo, "xy", Faults { crashes: 1, restarts: 1, ..Faults::default() });
    let end = run(&world, &["deliver a -> b 'x'", "crash b", "restart b"]);
    assert!(labels(&world, &end).is_empty(), "y was on its way and is lost");
}

#[test]
fn a_partition_holds_messages_back() {
    let world = world(Network::Multiset, "x", Faults { partitions: 1, ..Faults::default() });
    // (in flight or heard) x (whole with budget, split, whole without budget).
    assert_eq!(sizes(&world), (6, 6));
    let split = run(&world, &["partition {a} {b}"]);
    assert_eq!(labels(&world, &split), ["heal"]);
    let [a, b] = [Address::new("a"), Address::new("b")];
    assert!(!world.view(&split).is_connected(a, b));
    let healed = run(&world, &["partition {a} {b}", "heal", "deliver a -> b 'x'"]);
    assert!(world.view(&healed).is_connected(a, b));
    assert_eq!(world.view(&healed).node::<Listener>(b).heard, "x");
}

#[test]
fn only_the_ways_to_split_that_were_asked_for() {
    let [a, b, c] = [Address::new("a"), Address::new("b"), Address::new("c")];
    let world = |splits| {
        let mut world = WorldBuilder::new("three");
        for name in [a, b, c] {
            world.add(name, Listener::default());
        }
        world.faults(Faults { partitions: 1, splits, ..Faults::default() });
        world.build()
    };
    let all = world(Splits::SmallerSideUpTo(1));
    let found = labels(&all, &all.initial()[0]);
    assert_eq!(
        found,
        ["partition {b c} {a}", "partition {a c} {b}", "partition {a b} {c}"].map(|it| {
            // The first node stands on the first side.
            it.replace("{b c} {a}", "{a} {b c}")
        })
    );
    for label in &found {
        assert_eq!(Label::parse(label).map(|it| it.to_string()).as_ref(), Some(label));
    }
    let one = world(Splits::Groups(vec![vec![b, c]]));
    assert_eq!(labels(&one, &one.initial()[0]), ["partition {a} {b c}"]);
}

#[test]
fn strangers_in_lists_are_refused() {
    let stranger = Address::new("stranger");
    let faults =
        Faults { crashes: 1, crashable: Crashable::Only(vec![stranger]), ..Faults::default() };
    let refused = builder(Network::Set, "", faults).try_build().err().expect("no such node");
    assert!(refused.to_string().contains("stranger"), "{refused}");
    let mut scoped = builder(Network::Set, "", Faults::default());
    scoped.invariant("odd", Scope::nodes([stranger]), |_, _| true);
    assert!(
        matches!(scoped.try_build(), Err(BuildError::UnknownNode { node, .. }) if node == stranger)
    );
    let mut twice = builder(Network::Set, "", Faults::default());
    twice.add("a", Listener::default());
    assert_eq!(twice.try_build().err(), Some(BuildError::OneNameTwice(Address::new("a"))));
    assert_eq!(WorldBuilder::<char>::new("empty").try_build().err(), Some(BuildError::NoNodes));
}

/// What walks are told of each event: whose it is, whose message, and whether anybody asked for it.
#[test]
fn events_tell_where_they_come_from() {
    let faults = Faults { drops: 1, duplicates: 1, crashes: 1, restarts: 1, ..Faults::default() };
    let world = world(Network::Multiset, "x", faults);
    let start = world.initial().remove(0);
    let told = |state: &[u32]| {
        let mut actions = Vec::new();
        world.enabled(state, &mut actions);
        let told = actions.iter().map(|action| {
            let origin = world.origin(state, *action);
            (world.label(state, *action).to_string(), origin)
        });
        told.collect::<Vec<_>>()
    };
    let [a, b] = [Origin::of(0), Origin::of(1)];
    assert_eq!(
        told(&start),
        [
            ("crash a".to_owned(), a.unasked()),
            ("deliver a -> b 'x'".to_owned(), b.from(0)),
            ("drop a -> b 'x'".to_owned(), b.from(0).unasked()),
            ("duplicate a -> b 'x'".to_owned(), b.from(0).unasked()),
            ("crash b".to_owned(), b.unasked()),
        ]
    );
    let crashed = run(&world, &["crash a", "deliver a -> b 'x'"]);
    assert_eq!(told(&crashed), [("restart a".to_owned(), a.unasked())]);
}
