//! `score`: best-first search goes where the score is high, and finds deep trouble long before breadth-first search is there.
//! `cargo run -p foresee --example score`

use foresee::{Address, Context, Node, Scope, Strategy, World, WorldBuilder};
use serde::{Deserialize, Serialize};

const PARTS: u32 = 6;
const BUFFER: usize = 4;

/// Sends a file in parts, all at once.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Sender {
    to: Address,
}

/// Puts parts that come too early into a buffer that is too small.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Receiver {
    next: u32,
    early: Vec<u32>,
    has_overflowed: bool,
}

impl Node for Sender {
    type Message = u32;
    type Timer = ();

    fn init(&mut self, context: &mut Context<u32, ()>) {
        (0..PARTS).for_each(|part| context.send(self.to, part));
    }

    fn on_message(&mut self, _: Address, _: u32, _: &mut Context<u32, ()>) {}
}

impl Node for Receiver {
    type Message = u32;
    type Timer = ();

    fn on_message(&mut self, _: Address, part: u32, _: &mut Context<u32, ()>) {
        if part != self.next {
            self.has_overflowed |= self.early.len() == BUFFER;
            self.early.push(part);
            return;
        }
        self.next += 1;
        while let Some(place) = self.early.iter().position(|early| *early == self.next) {
            self.early.swap_remove(place);
            self.next += 1;
        }
        self.early.sort_unstable();
    }
}

pub(crate) fn world() -> World<u32> {
    let mut world = WorldBuilder::new("score");
    let receiver = Address::new("receiver");
    world.add("sender", Sender { to: receiver });
    world.add(receiver, Receiver::default());
    world.network(foresee::Network::Multiset);
    world.invariant("the buffer is large enough", Scope::nodes([receiver]), move |view, why| {
        why.because(format_args!("{:?} came early", view.node::<Receiver>(receiver).early));
        !view.node::<Receiver>(receiver).has_overflowed
    });
    // Where many parts wait, trouble is near.
    world.score(move |view| view.node::<Receiver>(receiver).early.len() as i64);
    world.build()
}

pub(crate) fn main() {
    let broad = foresee::check(&world()).assert_violated("the buffer is large enough");
    let best = foresee::check(&world())
        .strategy(Strategy::BestFirst)
        .assert_violated("the buffer is large enough");
    let (broad, best) = (broad.report.states, best.report.states);
    assert!(best < broad / 4, "best-first {best} states, breadth-first {broad}");
}
