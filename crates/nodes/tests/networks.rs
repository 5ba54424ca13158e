//! Each network model on worlds small enough to count by hand.

mod common;

use common::{Collector, Listener, Sender, labels, run, sizes};
use foresee_lts::{Interleaved, Reading, System};
use foresee_nodes::{Address, Context, Network, Node, World, WorldBuilder};
use serde::{Deserialize, Serialize};

/// One sender, and one receiver of the given kind.
fn world_of<N: Node<Message = char>>(network: Network, sends: &str, receiver: N) -> World<char> {
    let mut world = WorldBuilder::new("sends");
    let b = Address::new("b");
    world.add("a", Sender { sends: sends.chars().map(|message| (b, message)).collect() });
    world.add(b, receiver);
    world.network(network);
    world.build()
}

#[test]
fn unordered_networks_deliver_in_any_order() {
    for network in [Network::Multiset, Network::ExactlyOnce] {
        // Nothing, x, y, xy, yx.
        assert_eq!(sizes(&world_of(network, "xy", Listener::default())), (5, 4));
    }
}

#[test]
fn a_queue_delivers_in_order() {
    assert_eq!(sizes(&world_of(Network::Fifo, "xyx", Listener::default())), (4, 3));
}

#[test]
fn queues_of_two_senders_interleave() {
    let mut world = WorldBuilder::new("two senders");
    let c = Address::new("c");
    world.add("a", Sender { sends: vec![(c, 'x'), (c, 'y')] });
    world.add("b", Sender { sends: vec![(c, 'v')] });
    world.add(c, Listener::default());
    world.network(Network::Fifo);
    // Prefixes of xyv, xvy and vxy.
    assert_eq!(sizes(&world.build()), (9, 8));
}

#[test]
fn a_mailbox_delivers_in_the_order_of_sending_whoever_sends() {
    let mut world = WorldBuilder::new("two senders");
    let c = Address::new("c");
    world.add("a", Sender { sends: vec![(c, 'x'), (c, 'y')] });
    world.add("b", Sender { sends: vec![(c, 'x')] });
    world.add(c, Listener::default());
    world.network(Network::Mailbox);
    assert_eq!(sizes(&world.build()), (4, 3), "a's two, then b's: one after another");
}

/// Sends to `to` when its timer fires.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Late {
    to: Address,
}

impl Node for Late {
    type Message = char;
    type Timer = ();
    fn init(&mut self, context: &mut Context<char, ()>) {
        context.set_timer((), std::time::Duration::from_millis(1));
    }
    fn on_message(&mut self, _from: Address, _message: char, _context: &mut Context<char, ()>) {}
    fn on_timer(&mut self, (): (), context: &mut Context<char, ()>) {
        context.send(self.to, 'x');
    }
}

#[test]
fn two_senders_depend_on_each_other_where_their_messages_meet_in_one_queue() {
    for reading in [Reading::Merged, Reading::Exact] {
        for network in Network::ALL {
            let mut world = WorldBuilder::new("two senders");
            let c = Address::new("c");
            world.add("a", Late { to: c });
            world.add("b", Late { to: c });
            world.add(c, Listener::default());
            world.network(network).reading(reading);
            let world = world.build();
            let start = world.initial().remove(0);
            let mut actions = Vec::new();
            world.enabled(&start, &mut actions);
            let [first, second] = actions[..] else { panic!("two timers: {actions:?}") };
            let prints = [first, second].map(|action| world.footprint(&start, action));
            let is_dependent = prints[0].depends_on(&prints[1]);
            assert_eq!(is_dependent, network == Network::Mailbox, "{network:?} {reading:?}");
            let both = |one, other| world.step(&world.step(&start, one), other);
            let is_different = both(first, second) != both(second, first);
            assert_eq!(is_different, is_dependent, "{network:?}: the order shows");
        }
    }
}

#[test]
fn a_set_delivers_again_and_again() {
    // {}, {x}, {y}, {x, y}, and two deliveries in each.
    assert_eq!(sizes(&world_of(Network::Set, "xy", Collector::default())), (4, 8));
}

#[test]
fn copies_count_except_in_a_set() {
    assert_eq!(sizes(&world_of(Network::Set, "xx", Collector::default())), (2, 2));
    for network in [Network::Multiset, Network::ExactlyOnce, Network::Fifo] {
        assert_eq!(sizes(&world_of(network, "xx", Listener::default())), (3, 2), "{network:?}");
    }
}

#[test]
fn an_ignored_message_is_an_event_in_a_set_and_a_queue_only() {
    let sizes_of = |network, sends| sizes(&world_of(network, sends, Listener::default()));
    assert_eq!(sizes_of(Network::Set, "z"), (1, 1), "a loop");
    assert_eq!(sizes_of(Network::Fifo, "z"), (2, 1), "used up");
    assert_eq!(sizes_of(Network::Multiset, "z"), (1, 0), "it stays");
    assert_eq!(sizes_of(Network::ExactlyOnce, "xz"), (2, 1));
}

/// Sends itself the next smaller number, and tells a friend at 1.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Countdown {
    n: u32,
    friend: Address,
}

impl Node for Countdown {
    type Message = char;
    type Timer = ();
    fn init(&mut self, context: &mut Context<char, ()>) {
        context.send(context.me(), 's');
    }
    fn on_message(&mut self, _: Address, _: char, context: &mut Context<char, ()>) {
        self.n -= 1;
        if self.n > 0 {
            context.send(context.me(), 's');
            context.send(self.friend, 'f');
        }
    }
}

#[test]
fn nodes_of_different_types_live_together_and_may_talk_to_themselves() {
    for network in [Network::Multiset, Network::ExactlyOnce, Network::Fifo] {
        let mut world = WorldBuilder::new("countdown");
        let friend = Address::new("friend");
        world.add("counter", Countdown { n: 3, friend });
        world.add(friend, Listener::default());
        world.network(network);
        // (n, heard): 3/0, 2/0, 2/1, 1/0, 1/1, 1/2, 0/0, 0/1, 0/2.
        assert_eq!(sizes(&world.build()), (9, 11), "{network:?}");
    }
}

#[test]
fn senders_keep_their_messages_apart() {
    let mut world = WorldBuilder::new("two senders");
    let c = Address::new("c");
    world.add("a", Sender { sends: vec![(c, 'x')] });
    world.add("b", Sender { sends: vec![(c, 'x')] });
    world.add(c, Listener::default());
    world.network(Network::Multiset);
    let world = world.build();
    let start = world.initial().remove(0);
    let mut found = labels(&world, &start);
    found.sort_unstable();
    assert_eq!(
        found,
        ["deliver a -> c x", "deliver b -> c x"].map(|label| label.replace(" x", " 'x'"))
    );
    let end = run(&world, &["deliver a -> c 'x'", "deliver b -> c 'x'"]);
    assert_eq!(world.view(&end).node::<Listener>(c).heard, "xx");
    assert_eq!(world.view(&end).messages().count(), 0);
}
