//! `paired`: first make sure that the system can get anywhere within the limits, then look for harm within the same limits. A
//! system that does nothing violates nothing.
//! `cargo run -p foresee --example paired`

use foresee::session::{Limits, NoMeter, Silent};
use foresee::stateful::{Config, PairFailure, paired};
use foresee::{Address, Context, Node, Scope, Verdict, World, WorldBuilder};
use serde::{Deserialize, Serialize};

/// Two philosophers and two forks; each takes the fork on the left, then the one on the right.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Philosopher {
    forks: [Address; 2],
    n_held: usize,
    has_eaten: bool,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Fork {
    holder: Option<Address>,
    waiting: Vec<Address>,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message {
    Take,
    Taken,
    PutBack,
}

impl Node for Philosopher {
    type Message = Message;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Message, ()>) {
        context.send(self.forks[0], Message::Take);
    }

    fn on_message(&mut self, _: Address, message: Message, context: &mut Context<Message, ()>) {
        if message != Message::Taken {
            return;
        }
        self.n_held += 1;
        if self.n_held == 2 {
            self.has_eaten = true;
            context.broadcast(&self.forks, &Message::PutBack);
        } else {
            context.send(self.forks[1], Message::Take);
        }
    }
}

impl Node for Fork {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        match message {
            Message::Take if self.holder.is_some() => self.waiting.push(from),
            Message::Take => {
                self.holder = Some(from);
                context.send(from, Message::Taken);
            }
            Message::PutBack => {
                self.holder = self.waiting.pop();
                if let Some(next) = self.holder {
                    context.send(next, Message::Taken);
                }
            }
            Message::Taken => {}
        }
    }
}

pub(crate) fn table() -> (World<Message>, [Address; 2]) {
    let mut world = WorldBuilder::new("paired");
    let names = [Address::new("ada"), Address::new("kurt")];
    let forks = [Address::new("fork1"), Address::new("fork2")];
    for (name, forks) in [(names[0], forks), (names[1], [forks[1], forks[0]])] {
        world.add(name, Philosopher { forks, n_held: 0, has_eaten: false });
    }
    for fork in forks {
        world.add(fork, Fork::default());
    }
    world.network(foresee::Network::Fifo);
    world.invariant("nobody waits for a fork in hand", Scope::nodes(forks), move |view, _| {
        let is_odd = |fork: &Fork| fork.holder.is_some_and(|holder| fork.waiting.contains(&holder));
        !forks.iter().any(|fork| is_odd(view.node::<Fork>(*fork)))
    });
    (world.build(), names)
}

pub(crate) fn main() {
    let (world, names) = table();
    let eaten = |n: usize| {
        world.predicate(format!("{n} have eaten"), Scope::nodes(names), move |view, _| {
            names.iter().filter(|it| view.node::<Philosopher>(**it).has_eaten).count() == n
        })
    };
    let config = Config::of(&world);
    let fed = paired(&world, &config, eaten(2), &NoMeter, &mut Silent);
    assert_eq!((fed.verdict, fed.failed), (Verdict::Holds, None));
    // Within three steps nobody eats: that nothing is wrong there would say nothing, and the pair does not say it.
    let limits = Limits { depth_max: Some(3), ..Limits::none() };
    let config = Config { limits, ..config };
    let hungry = paired(&world, &config, eaten(1), &NoMeter, &mut Silent);
    assert!(matches!(hungry.failed, Some(PairFailure::ProgressUnknown(_))), "{:?}", hungry.failed);
    assert_ne!(hungry.verdict, Verdict::Holds);
}
