//! Who acts in an event, and what it reads and writes: a role that a [`System`] may lend.
//! Why a role: engines that remember states do without; one that reorders events, and whoever puts causes next to effects, asks
//! a system for this role first, so a system that has no threads cannot be taken for one that has.
//! The role may be lent by a system inside another one ([`Around`](crate::Around)): who explores asks the outer system what is wrong
//! with a state and what is an end, and the role only about threads.
//! Invariant: in the exact reading ([`Reading`](crate::Reading)) events whose footprints do not meet lead to one state in
//! either order.

use crate::{Action, Actor, Footprint, State, System, content_hash_of};
use std::sync::Arc;

/// A system whose events have actors and footprints.
pub trait Interleaved: System {
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

    /// Whose event it is and where it comes from, by names that are the same in every run. Random walks leave some of them waiting for a
    /// while, and ask it of every action on their way. The default is the thread.
    fn origin(&self, state: &[u32], action: Action) -> Origin {
        Origin::of(self.thread(state, action))
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

    /// Does the action: `next` becomes the state it leads to. [`System::step`], [`Interleaved::footprint`] and whether to ask
    /// for a [`System::fault`] in one, for those who want them all.
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        *next = self.step(state, action);
        let footprint = Arc::new(self.footprint(state, action));
        Happened { footprint, may_bring_fault: true, comes_again: false }
    }

    /// Whether the receive that is `action` in `state` has patterns and guards that would also take `message`, a number
    /// from a [`Delivery`](crate::Delivery) of this system. The default, yes, makes any two deliveries to one mailbox a race.
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        let _ = (state, action, message);
        true
    }

    /// Whether what the receive that is `action` in `state` touches beside its mailbox is the same whichever message it
    /// takes, and if it takes none. The default, `false`, means unknown: the engine must execute the receive to learn what it
    /// does with another message.
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

    /// The hash of a state in which the order of the messages in some mailboxes, numbers from a
    /// [`Delivery`](crate::Delivery) of this system, does not count. The default counts it everywhere.
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        let _ = mailboxes;
        content_hash_of(self, state)
    }
}

/// Where an event comes from, as far as random walks care.
///
/// ```
/// use foresee_lts::Origin;
/// assert_eq!(Origin::of(3).from(1), Origin { actor: 3, from: 1, is_unasked: false });
/// assert!(Origin::of(3).unasked().is_unasked);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Origin {
    /// Who acts, or whose message something happens to.
    pub actor: u64,
    /// Whose message it is; the actor where there is none.
    pub from: u64,
    /// Nobody asked for it: a timer fires, something fails.
    pub is_unasked: bool,
}

impl Origin {
    /// An event that only its actor has to do with.
    pub fn of(actor: u64) -> Self {
        Origin { actor, from: actor, is_unasked: false }
    }

    #[must_use]
    pub fn from(self, from: u64) -> Self {
        Origin { from, ..self }
    }

    #[must_use]
    pub fn unasked(self) -> Self {
        Origin { is_unasked: true, ..self }
    }
}

/// What is known of an event that has happened.
#[derive(Clone, Debug)]
pub struct Happened {
    pub footprint: Arc<Footprint>,
    /// False only if [`System::fault`] says the same after the event as before.
    pub may_bring_fault: bool,
    /// The system keeps this footprint and gives the very same one, at the same address, for equal events only: one thread, one
    /// footprint, and the same answers of [`Interleaved::would_take`]. Whoever has learned something of the event may keep it by
    /// that address.
    pub comes_again: bool,
}
