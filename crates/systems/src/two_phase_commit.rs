//! `two-phase-commit`: resource managers prepare or abort on their own; the manager commits when all are prepared.
//! After Gray and Lamport, "Consensus on Transaction Commit" (2006), without the failures it goes on to tolerate.
//! Choices ("may now prepare", "may now abort") are timers that can fire at any time, and a choice that is no longer
//! open is a timer taken back; so the state of a node says which timers it has, and the state space is that of the plain
//! model: 288, 8,832, 296,448 and 1,745,408 states for 3, 5, 7 and 8 resource managers.

use crate::setup::{self, ANY_TIME, Built};
use foresee_nodes::{
    Address, Arguments, BuildOptions, Context, Entry, Network, Node, Parameter, Scope, WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Message {
    Prepared,
    Commit,
    Abort,
}

/// A choice that is open.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Choice {
    Prepare,
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Bug {
    None,
    /// The manager may commit as soon as one resource manager is prepared.
    EagerCommit,
    /// A resource manager that has promised to commit may still abort on its own.
    BrokenPromise,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Resource {
    manager: Address,
    bug: Bug,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Phase {
    Working,
    Prepared,
    Committed,
    Aborted,
}

impl Resource {
    fn decide(&mut self, phase: Phase, context: &mut Context<Message, Choice>) {
        self.phase = phase;
        context.cancel_timer(Choice::Prepare);
        context.cancel_timer(Choice::Abort);
    }
}

impl Node for Resource {
    type Message = Message;
    type Timer = Choice;

    fn init(&mut self, context: &mut Context<Message, Choice>) {
        context.set_timer_between(Choice::Prepare, ANY_TIME.start, ANY_TIME.end);
        context.set_timer_between(Choice::Abort, ANY_TIME.start, ANY_TIME.end);
    }

    fn on_timer(&mut self, choice: Choice, context: &mut Context<Message, Choice>) {
        match choice {
            Choice::Prepare => {
                self.phase = Phase::Prepared;
                if self.bug != Bug::BrokenPromise {
                    context.cancel_timer(Choice::Abort);
                }
                context.send(self.manager, Message::Prepared);
            }
            Choice::Abort | Choice::Commit => self.decide(Phase::Aborted, context),
        }
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Choice>,
    ) {
        match message {
            Message::Commit if self.phase != Phase::Committed => {
                self.decide(Phase::Committed, context)
            }
            Message::Abort if self.phase != Phase::Aborted => self.decide(Phase::Aborted, context),
            _ => {}
        }
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Manager {
    resources: BTreeSet<Address>,
    bug: Bug,
    prepared: BTreeSet<Address>,
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Outcome {
    Committed,
    Aborted,
}

impl Manager {
    fn may_commit(&self) -> bool {
        match self.bug {
            Bug::EagerCommit => self.prepared.len() == 1,
            _ => self.prepared.len() == self.resources.len(),
        }
    }
}

impl Node for Manager {
    type Message = Message;
    type Timer = Choice;

    fn init(&mut self, context: &mut Context<Message, Choice>) {
        context.set_timer_between(Choice::Abort, ANY_TIME.start, ANY_TIME.end);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Choice>,
    ) {
        let is_news =
            self.outcome.is_none() && message == Message::Prepared && self.prepared.insert(from);
        if is_news && self.may_commit() {
            context.set_timer_between(Choice::Commit, ANY_TIME.start, ANY_TIME.end);
        }
    }

    fn on_timer(&mut self, choice: Choice, context: &mut Context<Message, Choice>) {
        context.cancel_timer(Choice::Commit);
        context.cancel_timer(Choice::Abort);
        let (outcome, message) = match choice {
            Choice::Commit => (Outcome::Committed, Message::Commit),
            Choice::Abort | Choice::Prepare => (Outcome::Aborted, Message::Abort),
        };
        self.outcome = Some(outcome);
        for resource in &self.resources {
            context.send(*resource, message.clone());
        }
    }
}

/// The entry of the catalogue.
pub(crate) fn entry() -> Entry {
    Entry::new("two-phase-commit", "resource managers agree to commit or abort through one manager")
        .parameter(Parameter::number("rms", 3, 1..=12, "resource managers"))
        .parameter(setup::network(Network::Set))
        .parameter(Parameter::word(
            "bug",
            &["none", "eager-commit", "broken-promise"],
            "eager-commit: commit when one is prepared; broken-promise: abort after having prepared",
        ))
        .parameter(setup::properties())
        .build_with(build)
}

fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let bug = match arguments.word("bug") {
        "eager-commit" => Bug::EagerCommit,
        "broken-promise" => Bug::BrokenPromise,
        _ => Bug::None,
    };
    let mut world = WorldBuilder::<Message>::new(arguments.to_string());
    let resources = Address::numbered("rm", arguments.number("rms") as usize);
    let manager = world.add(
        "manager",
        Manager {
            resources: resources.iter().copied().collect(),
            bug,
            prepared: BTreeSet::new(),
            outcome: None,
        },
    );
    for resource in &resources {
        world.add(*resource, Resource { manager, bug, phase: Phase::Working });
    }
    world.symmetric(resources.iter().copied());
    let scope = setup::scope(arguments, Scope::nodes(resources.clone()));
    let all = resources.clone();
    world.invariant("consistent", scope.clone(), move |view, why| {
        let with = |phase| all.iter().find(|rm| view.node::<Resource>(**rm).phase == phase);
        let (committed, aborted) = (with(Phase::Committed), with(Phase::Aborted));
        if let (Some(committed), Some(aborted)) = (committed, aborted) {
            why.because(format_args!("{committed} has committed, but {aborted} has aborted"));
        }
        committed.is_none() || aborted.is_none()
    });
    for (name, phase) in
        [("abort agreement", Phase::Aborted), ("commit agreement", Phase::Committed)]
    {
        let all = resources.clone();
        world.reachable(name, scope.clone(), move |view, _| {
            all.iter().all(|rm| view.node::<Resource>(*rm).phase == phase)
        });
    }
    world.score(move |view| {
        let decided = |rm: &&Address| !matches!(view.node::<Resource>(**rm).phase, Phase::Working);
        resources.iter().filter(decided).count() as i64
    });
    setup::finish(world, arguments, options)
}
