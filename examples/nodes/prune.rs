//! `prune`: a system that never ends, cut where it stops being interesting. Without the cut the search has no end.
//! `cargo run -p foresee --example prune`

use foresee::{Address, Context, Node, Scope, World, WorldBuilder};
use serde::{Deserialize, Serialize};

/// Two clocks of Lamport's: every message carries the sender's time, and the receiver moves beyond it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Process {
    peer: Address,
    time: u32,
    heard: u32,
}

impl Node for Process {
    type Message = u32;
    type Timer = ();

    fn init(&mut self, context: &mut Context<u32, ()>) {
        context.send(self.peer, self.time);
    }

    fn on_message(&mut self, _from: Address, time: u32, context: &mut Context<u32, ()>) {
        self.heard = self.heard.max(time);
        self.time = self.time.max(time) + 1;
        context.send(self.peer, self.time);
    }
}

pub(crate) fn world(time_max: Option<u32>) -> World<u32> {
    let mut world = WorldBuilder::new("prune");
    let [a, b] = [Address::new("a"), Address::new("b")];
    for (me, peer) in [(a, b), (b, a)] {
        world.add(me, Process { peer, time: 0, heard: 0 });
    }
    world.invariant("later than what was heard", Scope::nodes([a, b]), move |view, _| {
        [a, b].iter().all(|name| {
            let process = view.node::<Process>(*name);
            process.time > process.heard || process.time == 0
        })
    });
    if let Some(max) = time_max {
        // States in which this holds are checked, and not gone on from.
        world.prune(format!("a clock beyond {max}"), Scope::nodes([a, b]), move |view, _| {
            [a, b].iter().any(|name| view.node::<Process>(*name).time > max)
        });
    }
    world.build()
}

pub(crate) fn main() {
    foresee::check(&world(None)).states_max(1_000).assert_inconclusive("states");
    // With the cut it ends, and the report says what the verdict takes for granted.
    let cut = foresee::check(&world(Some(5))).assert_holds();
    assert!(cut.to_string().contains("a clock beyond 5"), "{cut}");
}
