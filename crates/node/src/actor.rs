//! A node that is alive: its state, its pending timers, and handlers run on it in place.
//! Why besides the components of a world: a world keeps every state there ever was and runs handlers on copies. Here there is one
//! state, it changes in place, and what a handler asks for is done at once.
//! Invariant: a handler that panics leaves a node to which nothing more happens; its message is reported once.

use crate::{
    Address, Context, Effect, Gate, Node, PendingTimer, Stored, Value, Visible, Write, run_checked,
};
use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

/// Where what a handler asks for goes.
pub trait Outlet<M> {
    fn send(&mut self, to: Address, message: M);
    /// The timer with this ticket fires after at least `min` and at most `max`.
    fn set_timer(&mut self, ticket: u64, min: Duration, max: Duration);
    fn invoked(&mut self, operation: Value);
    fn returned(&mut self, result: Value);
    fn write(&mut self, write: Write);
    /// Everything written so far is to be made durable; whether it is already. If not, [`Actor::synced`] is called when it is.
    fn sync(&mut self) -> bool;
}

/// A message or a timer, for those who write down what happens.
pub trait Described {
    /// Equal for equal values, in every process.
    fn hash(&self) -> u64;
    /// As `Debug` writes it.
    fn text(&self) -> String;
}

impl<T: Debug + Hash> Described for T {
    fn hash(&self) -> u64 {
        foresee_stdx::stable_hash(self)
    }
    fn text(&self) -> String {
        format!("{self:?}")
    }
}

/// A node whose type is forgotten and whose messages are of type `M`. `Err` is the message of a panic.
pub trait Actor<M>: Send {
    fn init(&mut self, outlet: &mut dyn Outlet<M>) -> Result<(), String>;
    fn message(
        &mut self,
        from: Address,
        message: M,
        outlet: &mut dyn Outlet<M>,
    ) -> Result<(), String>;
    /// Fires the timer with this ticket, which is pending.
    fn timer(&mut self, ticket: u64, outlet: &mut dyn Outlet<M>) -> Result<(), String>;
    /// The pending timer with this ticket; `None` if it was cancelled or has fired.
    fn pending(&self, ticket: u64) -> Option<&dyn Described>;
    /// How many timers are pending.
    fn n_pending(&self) -> usize;
    /// The ticket of the first pending timer with this hash.
    fn timer_with(&self, hash: u64) -> Option<u64>;
    /// Loses what is not on stable storage, and all timers.
    fn crash(&mut self) -> Result<(), String>;
    /// Forgets everything: the node is as it was built.
    fn renew(&mut self);
    /// Comes back with what its stable storage holds.
    fn restart(&mut self, stored: &Stored, outlet: &mut dyn Outlet<M>) -> Result<(), String>;
    /// The oldest sync under way is done: what waited for it leaves.
    fn synced(&mut self, outlet: &mut dyn Outlet<M>);
    /// How many syncs are under way.
    fn n_syncs(&self) -> usize;
    /// Whether the last handler changed the state; known only if asked to watch.
    fn watch(&mut self, watch: bool);
    fn has_changed(&self) -> bool;
    /// The state as `Debug` writes it.
    fn state_text(&self) -> String;
}

/// A node of type `N`.
pub(crate) struct Live<N: Node> {
    me: Address,
    fresh: N,
    node: N,
    /// In the order of setting, so tickets ascend.
    pending: VecDeque<(u64, PendingTimer<N::Timer>)>,
    next_ticket: u64,
    gate: Gate<N::Message>,
    /// Kept for its memory.
    effects: Vec<Effect<N::Message, N::Timer>>,
    watches: bool,
    has_changed: bool,
}

impl<N: Node> Live<N> {
    pub(crate) fn new(me: Address, node: N) -> Self {
        Live {
            me,
            fresh: node.clone(),
            node,
            pending: VecDeque::new(),
            next_ticket: 0,
            gate: Gate::default(),
            effects: Vec::new(),
            watches: false,
            has_changed: false,
        }
    }

    fn run(
        &mut self,
        outlet: &mut dyn Outlet<N::Message>,
        handler: impl FnOnce(&mut N, &mut Context<N::Message, N::Timer>),
    ) -> Result<(), String> {
        let before =
            self.watches.then(|| (self.node.clone(), self.pending.clone(), self.gate.size()));
        let effects = std::mem::take(&mut self.effects);
        let mut context = Context::with_memory(self.me, effects);
        run_checked(|| handler(&mut self.node, &mut context))?;
        let mut effects = context.into_effects();
        for effect in effects.drain(..) {
            self.apply(effect, outlet);
        }
        self.effects = effects;
        if let Some((node, pending, gate)) = before {
            // A timer that was taken back and set again is the same to a search.
            let timers = pending.iter().map(|(_, timer)| timer);
            let same_timers = timers.eq(self.pending.iter().map(|(_, timer)| timer));
            self.has_changed = node != self.node || !same_timers || gate != self.gate.size();
        }
        Ok(())
    }

    fn apply(&mut self, effect: Effect<N::Message, N::Timer>, outlet: &mut dyn Outlet<N::Message>) {
        match effect {
            Effect::Send { to, message } => {
                if self.gate.is_open() {
                    outlet.send(to, message);
                } else {
                    self.gate.pass(Visible::Send { to, message });
                }
            }
            Effect::SetTimer { timer, min, max } => {
                let ticket = self.next_ticket;
                self.next_ticket += 1;
                self.pending.push_back((ticket, PendingTimer { timer, min, max }));
                outlet.set_timer(ticket, min, max);
            }
            Effect::CancelTimer { timer } => {
                self.pending.retain(|(_, pending)| pending.timer != timer);
            }
            Effect::Invoked(operation) => self.show(Visible::Invoked(operation), outlet),
            Effect::Returned(result) => self.show(Visible::Returned(result), outlet),
            Effect::Write(write) => {
                self.gate.wrote();
                outlet.write(write);
            }
            Effect::Sync => {
                if self.gate.sync() && outlet.sync() {
                    self.synced(outlet);
                }
            }
        }
    }

    /// Lets others see something, unless it must wait for the disk.
    fn show(&mut self, visible: Visible<N::Message>, outlet: &mut dyn Outlet<N::Message>) {
        if let Some(visible) = self.gate.pass(visible) {
            leave(visible, outlet);
        }
    }

    fn position(&self, ticket: u64) -> Option<usize> {
        self.pending.binary_search_by_key(&ticket, |(ticket, _)| *ticket).ok()
    }
}

fn leave<M>(visible: Visible<M>, outlet: &mut dyn Outlet<M>) {
    match visible {
        Visible::Send { to, message } => outlet.send(to, message),
        Visible::Invoked(operation) => outlet.invoked(operation),
        Visible::Returned(result) => outlet.returned(result),
    }
}

impl<N: Node> Actor<N::Message> for Live<N> {
    fn init(&mut self, outlet: &mut dyn Outlet<N::Message>) -> Result<(), String> {
        self.run(outlet, |node, context| node.init(context))
    }

    fn message(
        &mut self,
        from: Address,
        message: N::Message,
        outlet: &mut dyn Outlet<N::Message>,
    ) -> Result<(), String> {
        self.run(outlet, |node, context| node.on_message(from, message, context))
    }

    fn timer(&mut self, ticket: u64, outlet: &mut dyn Outlet<N::Message>) -> Result<(), String> {
        let position = self.position(ticket).expect("the timer is pending");
        let (_, fired) = self.pending.remove(position).expect("found just now");
        self.run(outlet, |node, context| node.on_timer(fired.timer, context))?;
        self.has_changed = true;
        Ok(())
    }

    fn pending(&self, ticket: u64) -> Option<&dyn Described> {
        let position = self.position(ticket)?;
        Some(&self.pending[position].1.timer)
    }

    fn n_pending(&self) -> usize {
        self.pending.len()
    }

    fn timer_with(&self, hash: u64) -> Option<u64> {
        let mut pending = self.pending.iter();
        let found = pending.find(|(_, it)| foresee_stdx::stable_hash(&it.timer) == hash);
        found.map(|(ticket, _)| *ticket)
    }

    fn crash(&mut self) -> Result<(), String> {
        self.pending.clear();
        self.gate = Gate::default();
        let fresh = self.fresh.clone();
        self.node = run_checked(|| self.node.recover(fresh))?;
        Ok(())
    }

    fn renew(&mut self) {
        self.node = self.fresh.clone();
    }

    fn restart(
        &mut self,
        stored: &Stored,
        outlet: &mut dyn Outlet<N::Message>,
    ) -> Result<(), String> {
        self.run(outlet, |node, context| {
            node.restore(stored);
            node.on_restart(context);
        })
    }

    fn synced(&mut self, outlet: &mut dyn Outlet<N::Message>) {
        let Some((_, held)) = self.gate.synced() else { return };
        held.into_iter().for_each(|visible| leave(visible, outlet));
    }

    fn n_syncs(&self) -> usize {
        self.gate.n_syncs()
    }

    fn watch(&mut self, watch: bool) {
        self.watches = watch;
    }

    fn has_changed(&self) -> bool {
        self.has_changed
    }

    fn state_text(&self) -> String {
        format!("{:?}", self.node)
    }
}
