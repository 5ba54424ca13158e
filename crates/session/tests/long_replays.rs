//! Recorded runs of real systems are long, and some of their messages are never taken: what a replay of one may cost, counted in
//! calls of handlers and messages put into words.

use foresee_lts::System;
use foresee_nodes::{Address, Context, Entry, Network, Node, WorldBuilder};
use foresee_session::{NoFiles, Outcome, Registry, Trace, replay};
use foresee_trace::Event;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

const N_STALE: u32 = 40;

/// A ball that goes to and fro, or something that nobody wants.
#[derive(Clone, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Thrown {
    Ball(u32),
    Stale(u32),
}

static N_WORDS: AtomicU64 = AtomicU64::new(0);

impl fmt::Debug for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        N_WORDS.fetch_add(1, Ordering::Relaxed);
        match self {
            Thrown::Ball(n) => write!(f, "Ball({n})"),
            Thrown::Stale(n) => write!(f, "Stale({n})"),
        }
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Player {
    other: Address,
    serves: bool,
    seen: u32,
}

impl Node for Player {
    type Message = Thrown;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Thrown, ()>) {
        (0..N_STALE).for_each(|n| context.send(self.other, Thrown::Stale(n)));
        if self.serves {
            context.send(self.other, Thrown::Ball(0));
        }
    }

    fn on_message(&mut self, _: Address, thrown: Thrown, context: &mut Context<Thrown, ()>) {
        if let Thrown::Ball(n) = thrown {
            self.seen = n;
            context.send(self.other, Thrown::Ball(n + 1));
        }
    }
}

fn registry() -> Registry {
    let entry = Entry::new("players", "two that throw a ball").build_with(|_, _| {
        let [a, b] = [Address::new("a"), Address::new("b")];
        let mut world = WorldBuilder::<Thrown>::new("players");
        world.add(a, Player { other: b, serves: true, seen: 0 });
        world.add(b, Player { other: a, serves: false, seen: 0 });
        world.network(Network::Multiset);
        Ok(Box::new(world.build()))
    });
    Registry::new().with(entry)
}

fn recorded(n_steps: u32) -> Trace {
    let mut trace = Trace::new("players");
    trace.kind = "nodes".to_owned();
    trace.events = (0..n_steps)
        .map(|n| {
            let (from, to) = if n % 2 == 0 { ("a", "b") } else { ("b", "a") };
            Event::new(foresee_lts::Label::deliver(from, to, format!("Ball({n})")))
        })
        .collect();
    trace
}

#[test]
fn a_long_run_is_judged_at_a_cost_that_grows_with_its_steps_alone() {
    let n = 5_000;
    let replayed = replay(&recorded(n), &registry(), &NoFiles).expect("a trace");
    let report = &replayed.report;
    assert_eq!((report.verdict, report.transitions), (Outcome::Holds, u64::from(n)));
    assert!(replayed.story.is_none() && report.error.is_none());
    assert!(report.warnings.iter().any(|it| it.contains("the story of the run")), "{report:?}");
    // One handler call a step and one for each node; what is stale is not offered again in each state.
    let calls = replayed.loaded.handler_calls();
    assert!(calls <= u64::from(n) + 2, "{calls} calls of handlers");
    // Each message twice: when it is first looked at, and when it is found.
    let n_words = N_WORDS.load(Ordering::Relaxed);
    assert!(n_words <= 2 * u64::from(n + 2 * N_STALE) + 10, "{n_words} messages put into words");
}
