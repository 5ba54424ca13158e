//! `Context`: how a handler acts on the world.

use crate::{Address, Value};
use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

/// Something a handler has asked for.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Effect<M, T> {
    Send {
        to: Address,
        message: M,
    },
    /// Set a timer that fires after at least `min` and at most `max`.
    SetTimer {
        timer: T,
        min: Duration,
        max: Duration,
    },
    /// Take back every pending timer equal to `timer`.
    CancelTimer {
        timer: T,
    },
    /// A client has invoked an operation (see [`Context::invoked`]).
    Invoked(Value),
    /// A client's last operation has returned.
    Returned(Value),
}

/// What a handler can see and do beyond its own state: its address, and a list of effects that it appends to.
#[derive(Clone, Debug)]
pub struct Context<M, T> {
    me: Address,
    effects: Vec<Effect<M, T>>,
}

impl<M, T> Context<M, T> {
    /// A context for calling a handler by hand, as in a unit test.
    pub fn new(me: Address) -> Self {
        Context { me, effects: Vec::new() }
    }

    /// The address of the node whose handler runs.
    pub fn me(&self) -> Address {
        self.me
    }

    pub fn send(&mut self, to: Address, message: M) {
        self.effects.push(Effect::Send { to, message });
    }

    /// Sends a copy to each of `to`, in order.
    pub fn broadcast(&mut self, to: &[Address], message: &M)
    where
        M: Clone,
    {
        for &to in to {
            self.send(to, message.clone());
        }
    }

    /// Sets a timer that fires `after` from now. Several equal timers may be pending at once.
    pub fn set_timer(&mut self, timer: T, after: Duration) {
        self.set_timer_between(timer, after, after);
    }

    /// Sets a timer that fires some time between `min` and `max` from now.
    ///
    /// # Panics
    /// If `max` is less than `min`.
    pub fn set_timer_between(&mut self, timer: T, min: Duration, max: Duration) {
        assert!(min <= max, "a timer cannot fire at the latest before it fires at the earliest");
        self.effects.push(Effect::SetTimer { timer, min, max });
    }

    /// Takes back every pending timer of this node that equals `timer`.
    pub fn cancel_timer(&mut self, timer: T) {
        self.effects.push(Effect::CancelTimer { timer });
    }

    /// Records that this node, as a client, has invoked `operation`; histories and linearizability are made of these.
    pub fn invoked<O: Eq + Hash + Debug + Send + Sync + 'static>(&mut self, operation: O) {
        self.effects.push(Effect::Invoked(Value::new(operation)));
    }

    /// Records that the operation this node invoked last has returned `result`.
    pub fn returned<R: Eq + Hash + Debug + Send + Sync + 'static>(&mut self, result: R) {
        self.effects.push(Effect::Returned(Value::new(result)));
    }

    /// Runs a handler of a sub-node that has message and timer types of its own; what it sends and sets is wrapped.
    ///
    /// ```
    /// use foresee_nodes::{Address, Context};
    /// #[derive(Clone, Debug, PartialEq)]
    /// enum Outer { Inner(u8) }
    /// let mut context: Context<Outer, ()> = Context::new(Address::new("a"));
    /// context.within(Outer::Inner, |(): ()| (), |inner| inner.send(Address::new("b"), 7));
    /// assert_eq!(context.sent(), [(Address::new("b"), Outer::Inner(7))]);
    /// ```
    pub fn within<M2, T2, R>(
        &mut self,
        wrap_message: impl Fn(M2) -> M,
        wrap_timer: impl Fn(T2) -> T,
        run: impl FnOnce(&mut Context<M2, T2>) -> R,
    ) -> R {
        let mut inner = Context::new(self.me);
        let result = run(&mut inner);
        self.effects.extend(inner.effects.into_iter().map(|effect| match effect {
            Effect::Send { to, message } => Effect::Send { to, message: wrap_message(message) },
            Effect::SetTimer { timer, min, max } => {
                Effect::SetTimer { timer: wrap_timer(timer), min, max }
            }
            Effect::CancelTimer { timer } => Effect::CancelTimer { timer: wrap_timer(timer) },
            Effect::Invoked(operation) => Effect::Invoked(operation),
            Effect::Returned(result) => Effect::Returned(result),
        }));
        result
    }

    /// Everything the handler has asked for so far, in order.
    pub fn effects(&self) -> &[Effect<M, T>] {
        &self.effects
    }

    /// Takes the effects out.
    pub fn into_effects(self) -> Vec<Effect<M, T>> {
        self.effects
    }

    /// The messages sent so far, for unit tests of handlers.
    pub fn sent(&self) -> Vec<(Address, M)>
    where
        M: Clone,
    {
        let sent = self.effects.iter().filter_map(|effect| match effect {
            Effect::Send { to, message } => Some((*to, message.clone())),
            _ => None,
        });
        sent.collect()
    }
}
