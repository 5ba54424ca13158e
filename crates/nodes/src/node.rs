//! `Node`: what the author of a protocol writes.

use crate::{Address, Context};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hash::Hash;

/// What messages and timers must be able to do; derived, never written by hand.
pub trait Data:
    Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}
impl<T: Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Data
    for T
{
}

/// A node: a state and what it does when something happens to it.
///
/// Handlers run to completion, see only their own state, and act only through the [`Context`]. They must be
/// deterministic: no clocks, no random numbers, no iteration over a `HashMap`.
///
/// ```
/// use foresee_nodes::{Address, Context, Node};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
/// enum Message { Ping(u32), Pong(u32) }
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize)]
/// struct Server;
///
/// impl Node for Server {
///     type Message = Message;
///     type Timer = ();
///     fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
///         if let Message::Ping(n) = message {
///             context.send(from, Message::Pong(n));
///         }
///     }
/// }
///
/// let mut context = Context::new(Address::new("server"));
/// Server.on_message(Address::new("client"), Message::Ping(1), &mut context);
/// assert_eq!(context.sent(), [(Address::new("client"), Message::Pong(1))]);
/// ```
pub trait Node: Clone + Eq + Hash + Debug + Serialize + Send + Sync + 'static {
    /// The messages of the whole system: every node of one system has the same type here.
    type Message: Data;
    /// The timers of this node.
    type Timer: Data;

    /// Runs once, before anything else happens to the node.
    fn init(&mut self, context: &mut Context<Self::Message, Self::Timer>) {
        let _ = context;
    }

    /// A message has arrived.
    fn on_message(
        &mut self,
        from: Address,
        message: Self::Message,
        context: &mut Context<Self::Message, Self::Timer>,
    );

    /// A timer that this node has set has fired; it is no longer set.
    fn on_timer(&mut self, timer: Self::Timer, context: &mut Context<Self::Message, Self::Timer>) {
        let _ = (timer, context);
    }

    /// What is left of the node after a crash: `fresh` is the node as it was built, before `init`; copy into it what
    /// is on stable storage. By default nothing is.
    #[must_use]
    fn recover(&self, fresh: Self) -> Self {
        fresh
    }

    /// Runs once after each restart, on what `recover` returned.
    fn on_restart(&mut self, context: &mut Context<Self::Message, Self::Timer>) {
        self.init(context);
    }
}
