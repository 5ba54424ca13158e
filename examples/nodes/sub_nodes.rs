//! Nodes made of nodes: a member of a group has a failure detector inside, with messages and timers of its own (`Context::within`).
//! `cargo run -p foresee --example sub_nodes`

use foresee::{Address, Context, Node, Scope, World, WorldBuilder};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Suspects a peer that does not answer in time.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Detector {
    peer: Address,
    is_answered: bool,
    suspects: bool,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Beat {
    AreYouThere,
    Yes,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Overdue;

impl Node for Detector {
    type Message = Beat;
    type Timer = Overdue;

    fn init(&mut self, context: &mut Context<Beat, Overdue>) {
        context.send(self.peer, Beat::AreYouThere);
        context.set_timer(Overdue, Duration::from_secs(1));
    }

    fn on_message(&mut self, from: Address, beat: Beat, context: &mut Context<Beat, Overdue>) {
        match beat {
            Beat::AreYouThere => context.send(from, Beat::Yes),
            Beat::Yes => self.is_answered = true,
        }
    }

    fn on_timer(&mut self, _: Overdue, _: &mut Context<Beat, Overdue>) {
        self.suspects |= !self.is_answered;
    }
}

/// Leads unless its detector tells it not to trust the network.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Member {
    detector: Detector,
    leads: bool,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message {
    Detector(Beat),
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Timer {
    Detector(Overdue),
}

impl Member {
    /// Runs a handler of the part, and then looks at what it has come to.
    fn detect(
        &mut self,
        context: &mut Context<Message, Timer>,
        run: impl FnOnce(&mut Detector, &mut Context<Beat, Overdue>),
    ) {
        let detector = &mut self.detector;
        context.within(Message::Detector, Timer::Detector, |inner| run(detector, inner));
        self.leads |= self.detector.suspects;
    }
}

impl Node for Member {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        self.detect(context, |detector, inner| detector.init(inner));
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        let Message::Detector(beat) = message;
        self.detect(context, |detector, inner| detector.on_message(from, beat, inner));
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        let Timer::Detector(overdue) = timer;
        self.detect(context, |detector, inner| detector.on_timer(overdue, inner));
    }
}

pub(crate) fn world() -> World<Message> {
    let mut world = WorldBuilder::new("sub-nodes");
    let [a, b] = [Address::new("a"), Address::new("b")];
    for (me, peer) in [(a, b), (b, a)] {
        let detector = Detector { peer, is_answered: false, suspects: false };
        world.add(me, Member { detector, leads: false });
    }
    world.invariant("one leader", Scope::nodes([a, b]), move |view, why| {
        let leads = |name| view.node::<Member>(name).leads;
        why.because(format_args!("both lead: a slow network looks like a dead peer"));
        !(leads(a) && leads(b))
    });
    world.reachable("nobody leads", Scope::nodes([a, b]), move |view, _| {
        let is_calm = |name| view.node::<Member>(name).detector.is_answered;
        is_calm(a) && is_calm(b)
    });
    world.build()
}

pub(crate) fn main() {
    // A timeout tells nothing of the other side: the classic mistake, found in two steps.
    let checked = foresee::check(&world()).assert_violated("one leader");
    assert_eq!(checked.report.violations[0].steps, 2);
}
