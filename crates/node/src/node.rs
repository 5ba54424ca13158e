//! `Node`: what the author of a protocol writes.

use crate::{Address, Context, Stored};
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
/// deterministic: no clocks, no random numbers, no iteration over a `HashMap`. A node can be written down and read back
/// (`Serialize`, `DeserializeOwned`), so that its state can be shown, kept on disk and sent to another process.
///
/// ```
/// use foresee_node::{Address, Context, Node};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
/// enum Message { Ping(u32), Pong(u32) }
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
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
pub trait Node:
    Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
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

    /// What is left of the node's memory after a crash: `fresh` is the node as it was built, before `init`. By default it is all
    /// that is left, and what the node has written to stable storage comes back by [`Node::restore`].
    ///
    /// A protocol whose disk is of no interest can copy into `fresh` what is kept, as if every change had been written and
    /// synced at once. That works in a search only: on a machine there is nothing to copy from.
    #[must_use]
    fn recover(&self, fresh: Self) -> Self {
        fresh
    }

    /// Runs once after each restart, before `on_restart`, on what `recover` returned: `stored` is what the node finds on its
    /// stable storage, every synced write and perhaps some of those after. A node whose disk was lost is as new: it gets `init` instead.
    fn restore(&mut self, stored: &Stored) {
        let _ = stored;
    }

    /// Runs once after each restart, on what `recover` returned and `restore` has completed.
    fn on_restart(&mut self, context: &mut Context<Self::Message, Self::Timer>) {
        self.init(context);
    }
}
