//! `Context`: how a handler acts on the world.

use crate::{Address, Record, Value, Write};
use serde::Serialize;
use serde::de::DeserializeOwned;
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
    /// Write to stable storage.
    Write(Write),
    /// Make durable what was written; what comes after waits for it.
    Sync,
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

    /// The same, with a list whose memory is used again.
    pub(crate) fn with_memory(me: Address, effects: Vec<Effect<M, T>>) -> Self {
        debug_assert!(effects.is_empty(), "a handler starts with nothing asked for");
        Context { me, effects }
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

    /// Appends a record to this node's stable storage. It is there after a crash only if a sync came after it.
    ///
    /// ```
    /// use foresee_node::{Address, Context, Effect};
    /// let mut context: Context<&str, ()> = Context::new(Address::new("server"));
    /// context.append(&("voted for".to_owned(), 3u32));
    /// context.sync();
    /// context.send(Address::new("candidate"), "you have my vote"); // leaves when the vote is on disk
    /// assert!(matches!(context.effects(), [Effect::Write(_), Effect::Sync, Effect::Send { .. }]));
    /// ```
    pub fn append<R: Serialize + DeserializeOwned + Debug>(&mut self, record: &R) {
        self.effects.push(Effect::Write(Write::Append(Record::of(record))));
    }

    /// Writes a snapshot to this node's stable storage, in the place of everything written before. After a crash either the
    /// old records are there or the snapshot; it is the snapshot for sure only if a sync came after it.
    pub fn snapshot<S: Serialize + DeserializeOwned + Debug>(&mut self, snapshot: &S) {
        self.effects.push(Effect::Write(Write::Snapshot(Record::of(snapshot))));
    }

    /// Makes everything durable that this node has written so far. The handler goes on; what this node sends or reports from
    /// here on waits until it is done, also what later handlers send.
    pub fn sync(&mut self) {
        self.effects.push(Effect::Sync);
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
    /// use foresee_node::{Address, Context};
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
            Effect::Write(write) => Effect::Write(write),
            Effect::Sync => Effect::Sync,
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
