//! A node on its own: handlers called by hand, for unit tests.
//! Why beside `Context`: a handler can be called with a context alone, but then the test itself must remember which timers are
//! set, and may fire one that no run could fire. A [`Solo`] keeps them by the rules of the world.

use foresee_node::{Address, Context, Effect, Node, PendingTimer};
use std::time::Duration;

/// A node without a world.
///
/// ```
/// use foresee::{Address, Context, Node, Solo};
/// use std::time::Duration;
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Asks { server: Address, answer: Option<u32> }
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Retry;
/// impl Node for Asks {
///     type Message = u32;
///     type Timer = Retry;
///     fn init(&mut self, context: &mut Context<u32, Retry>) {
///         context.send(self.server, 0);
///         context.set_timer(Retry, Duration::from_millis(50));
///     }
///     fn on_message(&mut self, _from: Address, answer: u32, context: &mut Context<u32, Retry>) {
///         self.answer = Some(answer);
///         context.cancel_timer(Retry);
///     }
///     fn on_timer(&mut self, _timer: Retry, context: &mut Context<u32, Retry>) {
///         self.init(context);
///     }
/// }
/// let server = Address::new("server");
/// let mut client = Solo::new("client", Asks { server, answer: None });
/// assert_eq!(client.init().sent, [(server, 0)]);
/// assert_eq!(client.fire(Retry).sent, [(server, 0)], "it asks again");
/// assert!(client.receive(server, 7).sent.is_empty());
/// assert_eq!(client.node.answer, Some(7));
/// assert!(client.timers().is_empty(), "and then no more");
/// ```
#[derive(Clone, Debug)]
pub struct Solo<N: Node> {
    pub node: N,
    me: Address,
    /// As it was built, for restarts.
    fresh: N,
    timers: Vec<PendingTimer<N::Timer>>,
}

/// What one call of a handler did.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Done<M, T> {
    pub sent: Vec<(Address, M)>,
    /// Timers set, each with the earliest and the latest time at which it fires.
    pub set: Vec<(T, Duration, Duration)>,
    pub cancelled: Vec<T>,
    /// Everything, in order.
    pub effects: Vec<Effect<M, T>>,
}

impl<N: Node> Solo<N> {
    /// A node that has not run `init` yet.
    pub fn new(me: impl Into<Address>, node: N) -> Self {
        Solo { fresh: node.clone(), node, me: me.into(), timers: Vec::new() }
    }

    pub fn init(&mut self) -> Done<N::Message, N::Timer> {
        self.call(|node, context| node.init(context))
    }

    pub fn receive(
        &mut self,
        from: impl Into<Address>,
        message: N::Message,
    ) -> Done<N::Message, N::Timer> {
        let from = from.into();
        self.call(|node, context| node.on_message(from, message, context))
    }

    /// Fires a timer that is set.
    ///
    /// # Panics
    /// If it is not set, or one that is set must fire before it.
    #[track_caller]
    pub fn fire(&mut self, timer: N::Timer) -> Done<N::Message, N::Timer> {
        let position = foresee_node::may_fire(&self.timers)
            .find(|position| self.timers[*position].timer == timer);
        let Some(position) = position else {
            let set: Vec<_> = self.timers.iter().map(|pending| &pending.timer).collect();
            let is_set = set.contains(&&timer);
            let why = if is_set { "another must fire before it" } else { "it is not set" };
            panic!("{timer:?} cannot fire: {why}; timers set, in order: {set:?}");
        };
        self.timers.remove(position);
        self.call(|node, context| node.on_timer(timer, context))
    }

    /// Crashes the node and starts it again: its timers are gone, and of its state what `recover` keeps.
    pub fn restart(&mut self) -> Done<N::Message, N::Timer> {
        self.node = self.node.recover(self.fresh.clone());
        self.timers.clear();
        self.call(|node, context| node.on_restart(context))
    }

    /// The timers that are set, in the order of setting.
    pub fn timers(&self) -> &[PendingTimer<N::Timer>] {
        &self.timers
    }

    /// Calls anything that takes a context: a client's `send_command`, or a handler of one's own.
    pub fn call(
        &mut self,
        handler: impl FnOnce(&mut N, &mut Context<N::Message, N::Timer>),
    ) -> Done<N::Message, N::Timer> {
        let mut context = Context::new(self.me);
        handler(&mut self.node, &mut context);
        let effects = context.into_effects();
        let mut done = Done { sent: Vec::new(), set: Vec::new(), cancelled: Vec::new(), effects };
        for effect in &done.effects {
            match effect.clone() {
                Effect::Send { to, message } => done.sent.push((to, message)),
                Effect::SetTimer { timer, min, max } => {
                    self.timers.push(PendingTimer { timer: timer.clone(), min, max });
                    done.set.push((timer, min, max));
                }
                Effect::CancelTimer { timer } => {
                    self.timers.retain(|pending| pending.timer != timer);
                    done.cancelled.push(timer);
                }
                _ => {}
            }
        }
        done
    }
}
