//! Lab 1: remote procedure calls that happen exactly once, over a network that loses, doubles and reorders messages.
//! Reading order: [`ExactlyOnce`] (what a solution is), `tests`, and with the feature `solutions` the reference and its zoo.

extern crate self as foresee_lab1;

mod tests;

#[cfg(feature = "solutions")]
pub mod reference;
#[cfg(feature = "solutions")]
mod zoo;

pub use tests::lab;
#[cfg(feature = "solutions")]
pub use zoo::{load, reference};

use foresee::{Address, Application, Client, Data, KeyValueCommand, KeyValueResult, Node};
use std::time::Duration;

/// How long a client waits before it sends a command again.
pub const RETRY_AFTER: Duration = Duration::from_millis(100);

/// A solution of lab 1: it makes stores, servers and clients.
pub trait ExactlyOnce: Clone + Send + Sync + 'static {
    /// Part 1: a map from text to text.
    type Store: Application<Command = KeyValueCommand, Result = KeyValueResult>;
    /// Everything that servers and clients say to each other.
    type Message: Data;
    type Server: Node<Message = Self::Message>;
    type Client: Client<Message = Self::Message, Command = KeyValueCommand, Result = KeyValueResult>;

    /// An empty store.
    fn store(&self) -> Self::Store;
    /// A server with an empty store.
    fn server(&self) -> Self::Server;
    /// A client of the server at this address.
    fn client(&self, server: Address) -> Self::Client;
}
