//! `System`: the three things a front end must say, and the more it may say.

use crate::{
    Account, Action, Actor, Change, Description, Footprint, Label, Path, Property, Successors, Verb,
};
use foresee_stdx::mix;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A global state: one interned component's id per slot. Systems that create components while they run may lengthen
/// it; a missing slot counts as id 0.
pub type State = Vec<u32>;

/// A system of interacting components.
///
/// Required: where it starts, what can happen, what happens then. Everything else has a default that is correct but
/// slow or plain; front ends override what they can do better.
///
/// Determinism is part of the contract: `enabled` gives the same actions in the same order for equal states, whatever
/// ids were handed out in between, and `step` is a function. Ids themselves may differ from run to run.
pub trait System: Send + Sync {
    /// The states in which a run can start; at least one.
    fn initial(&self) -> Vec<State>;

    /// Appends every action that can happen in `state`, in a stable order.
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>);

    /// The state that `action`, one of those `enabled` in `state`, leads to.
    fn step(&self, state: &[u32], action: Action) -> State;

    /// The same system for one more thread, with memories of its own, so that threads do not wait for each other: the same
    /// states, actions and numbers. `None` if it remembers nothing.
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }

    /// The system's name as the user would type it, parameters included.
    fn name(&self) -> String {
        "system".to_owned()
    }

    /// One worker's way of computing successors; it may keep caches of its own.
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        plain_explorer(self)
    }

    /// The hash of what `id` stands for in `slot`; equal on every thread, in every run and on every machine when the
    /// component is equal. The default hashes the id, which is only as stable as the ids are.
    ///
    /// A slot whose value is a function of the other slots may return 0: it then costs nothing.
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        mix(mix(slot as u64 + 1) ^ u64::from(id))
    }

    /// The hash of a state in which the order of the messages in some mailboxes, numbers from a
    /// [`Delivery`](crate::Delivery) of this system, does not count. The default counts it everywhere.
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        let _ = mailboxes;
        content_hash_of(self, state)
    }

    /// What stands on the arrow.
    fn label(&self, state: &[u32], action: Action) -> Label {
        let _ = state;
        Label::of_actor(Verb::Step, "system", format!("{}", action.0))
    }

    /// Who acts.
    fn actor(&self, state: &[u32], action: Action) -> Actor {
        let _ = (state, action);
        Actor(0)
    }

    /// What the event reads and writes. The default touches everything: dependent on every other event.
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        Footprint::of(self.actor(state, action)).writes(0)
    }

    /// The sequential thing of which the event is the next: [`Footprint::thread`], or else the actor. A thread has at most one
    /// action in a state. Asked of every action of every state, so a front end that knows it without a footprint says so.
    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.footprint(state, action).thread_key()
    }

    /// Appends every action that can happen in `state`, each with its thread; in the order of [`System::enabled`].
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        let mut actions = Vec::new();
        self.enabled(state, &mut actions);
        enabled.extend(actions.into_iter().map(|action| (action, self.thread(state, action))));
    }

    /// What `thread` can do in `state`.
    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        let mut enabled = Vec::new();
        self.enabled_threads(state, &mut enabled);
        enabled.into_iter().find(|it| it.1 == thread).map(|it| it.0)
    }

    /// Does the action: `next` becomes the state it leads to. [`System::step`], [`System::footprint`] and whether to ask for a
    /// [`System::fault`] in one, for those who want them all.
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        *next = self.step(state, action);
        Happened { footprint: Arc::new(self.footprint(state, action)), may_bring_fault: true }
    }

    /// Whether the receive that is `action` in `state` has patterns and guards that would also take `message`, a number
    /// from a [`Delivery`](crate::Delivery) of this system. The default, yes, makes any two deliveries to one mailbox a race.
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        let _ = (state, action, message);
        true
    }

    /// Whether what the receive that is `action` in `state` touches beside its mailbox is the same whichever message it
    /// takes, and if it takes none. The default, not known, makes who wants it to take another message try.
    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        let _ = (state, action);
        false
    }

    /// Whether a [`Mode::Look`](crate::Mode::Look) of one event sees the [`Mode::Change`](crate::Mode::Change) of another,
    /// both numbers from footprints of this system. The default is the safe answer.
    fn notices(&self, look: u64, change: u64) -> bool {
        let _ = (look, change);
        true
    }

    /// Whether nothing more needs to happen in `state`: having no successor here is an end, not a deadlock.
    fn is_final(&self, state: &[u32]) -> bool {
        let _ = state;
        false
    }

    /// What keeps a state without successors from going on, in the user's words: who waits for what.
    fn why_stuck(&self, state: &[u32]) -> String {
        let _ = state;
        "nothing can happen any more".to_owned()
    }

    /// Whether `state` is broken in itself: a handler panicked, a process died.
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let _ = state;
        None
    }

    /// What the author of the system says must hold.
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    /// States that need not be expanded, by the author's word (all clients are done, …).
    fn prunes(&self) -> Vec<crate::Predicate> {
        Vec::new()
    }

    /// How promising a state is for best-first search; higher is expanded earlier.
    fn score(&self, state: &[u32]) -> Option<i64> {
        let _ = state;
        None
    }

    /// The state as a person sees it.
    fn describe(&self, state: &[u32]) -> Description {
        let _ = state;
        Description::default()
    }

    /// What a run of this instance tells beyond its labels: values, exceptions, calls. The run is stepped again for it.
    fn account(&self, path: &Path) -> Account {
        let _ = path;
        Account::default()
    }

    /// The number of bytes the system itself holds on to (interned components, caches), about.
    fn memory_bytes(&self) -> usize {
        0
    }

    /// How many times code of the user has really run, for statistics; 0 if not counted.
    fn handler_calls(&self) -> u64 {
        0
    }
}

/// What is known of an event that has happened.
#[derive(Clone, Debug)]
pub struct Happened {
    /// A system that keeps it and gives it again says that the events are the same: one thread, one footprint, and the same
    /// answers of [`System::would_take`].
    pub footprint: Arc<Footprint>,
    /// False only if [`System::fault`] says the same after the event as before.
    pub may_bring_fault: bool,
}

/// One worker's view of a system: successors as differences.
pub trait Explorer {
    /// Clears `successors` and fills it with every successor of `state`, in the order of [`System::enabled`].
    fn expand(&mut self, state: &[u32], successors: &mut Successors);

    /// The number of bytes in this worker's own caches, about.
    fn memory_bytes(&self) -> usize {
        0
    }
}

/// Something broken in a state itself.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Fault {
    pub kind: FaultKind,
    /// In the user's words: who, what.
    pub message: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A handler of a Rust node panicked.
    Panic,
    /// A handler gave different results for equal inputs.
    Nondeterminism,
    /// A process ended with an abnormal reason.
    AbnormalExit,
    /// An assertion in the checked code failed.
    Assertion,
    /// The program stopped itself with a status other than success.
    AbnormalHalt,
    /// The front end cannot go on faithfully: a loop without end, or something that is not modelled.
    Unmodelled,
}

/// The hash of a whole state: the sum of its slots' hashes.
pub fn content_hash_of<S: System + ?Sized>(system: &S, state: &[u32]) -> u64 {
    state
        .iter()
        .enumerate()
        .fold(0, |sum: u64, (slot, id)| sum.wrapping_add(system.content_hash(slot, *id)))
}

/// The default explorer of a system, for those that have a better one and cannot use it.
pub fn plain_explorer<S: System + ?Sized>(system: &S) -> Box<dyn Explorer + '_> {
    Box::new(Plain { system, actions: Vec::new(), changes: Vec::new() })
}

/// The default explorer: `enabled` and `step`, then the difference.
struct Plain<'a, S: ?Sized> {
    system: &'a S,
    actions: Vec<Action>,
    changes: Vec<Change>,
}

impl<S: System + ?Sized> Explorer for Plain<'_, S> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.actions.clear();
        self.system.enabled(state, &mut self.actions);
        for &action in &self.actions {
            let next = self.system.step(state, action);
            self.changes.clear();
            let mut delta = 0u64;
            for slot in 0..next.len().max(state.len()) {
                let (old, new) = (state.get(slot).copied(), next.get(slot).copied().unwrap_or(0));
                if old != Some(new) {
                    let before = old.map_or(0, |old| self.system.content_hash(slot, old));
                    let after = self.system.content_hash(slot, new);
                    delta = delta.wrapping_add(after).wrapping_sub(before);
                    self.changes.push(Change { slot: slot as u32, id: new });
                }
            }
            let faulty = self.system.fault(&next).is_some();
            successors.push(action, delta, faulty, &self.changes);
        }
    }
}
