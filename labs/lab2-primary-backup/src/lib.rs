//! Lab 2: a store on two servers, a primary and a backup, and a view server that says who is which.
//! Reading order: [`View`] and [`ViewMessage`] (what is prescribed), [`PrimaryBackup`] (what a solution is), `tests`, and with the
//! feature `solutions` the reference and its zoo.

extern crate self as foresee_lab2;

mod tests;

#[cfg(feature = "solutions")]
pub mod reference;
#[cfg(feature = "solutions")]
mod zoo;

pub use tests::lab;
#[cfg(feature = "solutions")]
pub use zoo::{load, reference};

use foresee::{Address, Client, Data, KeyValueCommand, KeyValueResult, Node};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How often a server tells the view server that it is there.
pub const PING_EVERY: Duration = Duration::from_millis(25);
/// How often the view server looks who has been silent.
pub const CHECK_EVERY: Duration = Duration::from_millis(100);
/// How long a client waits before it sends a command again.
pub const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Who is primary and who is backup. Number 0 is before all views and has neither.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct View {
    pub number: u64,
    pub primary: Option<Address>,
    pub backup: Option<Address>,
}

/// What is said to a view server and by it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum ViewMessage {
    /// A server is there. The primary acknowledges a view by pinging with its number; 0 acknowledges nothing.
    Ping { number: u64 },
    /// A client asks for the view.
    Get,
    /// The answer to both.
    View(View),
}

/// A solution of lab 2: it makes a view server, servers and clients.
pub trait PrimaryBackup: Clone + Send + Sync + 'static {
    /// Everything that nodes say to each other; what view servers hear and say is among it.
    type Message: Data + From<ViewMessage>;
    type ViewServer: Node<Message = Self::Message>;
    type Server: Node<Message = Self::Message>;
    type Client: Client<Message = Self::Message, Command = KeyValueCommand, Result = KeyValueResult>;

    fn view_server(&self) -> Self::ViewServer;
    /// A server with an empty `KeyValueStore`.
    fn server(&self, view_server: Address) -> Self::Server;
    fn client(&self, view_server: Address) -> Self::Client;

    /// The message as one to or from a view server, if it is one.
    fn view_message(message: &Self::Message) -> Option<ViewMessage>;
    /// The view that the view server is at.
    fn view(view_server: &Self::ViewServer) -> View;
    /// Whether its primary has acknowledged it.
    fn is_acknowledged(view_server: &Self::ViewServer) -> bool;
}
