//! Lab 5: a log of commands that several servers agree on, and that survives crashes and restarts of all of them.
//! Reading order: [`Recovery`] and [`Slot`] (what a solution is), `tests`, and with the feature `solutions` the reference and its zoo.

extern crate self as foresee_lab5;

mod tests;

#[cfg(feature = "solutions")]
pub mod reference;
#[cfg(feature = "solutions")]
mod zoo;

pub use tests::lab;
#[cfg(feature = "solutions")]
pub use zoo::{load, reference};

use foresee::{Address, Client, Data, KeyValueCommand, KeyValueResult, KeyValueStore, Node};
use std::time::Duration;

/// How long a client waits before it sends a command again.
pub const RETRY_AFTER: Duration = Duration::from_millis(100);
/// How often a leader says that it is there.
pub const HEARTBEAT_EVERY: Duration = Duration::from_millis(50);
/// A server that has heard of no leader for this long, at the least and at the most, tries to lead.
pub const ELECTION_AFTER: (Duration, Duration) =
    (Duration::from_millis(150), Duration::from_millis(300));

/// What a server knows of a slot of the log, as in lab 3. Slots are numbered from 1.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Slot {
    /// Nothing.
    Empty,
    /// This server has accepted a command here; another may be chosen yet. `None` is the command that does nothing.
    Accepted(Option<KeyValueCommand>),
    /// This is what the slot holds for ever, and this server knows it.
    Chosen(Option<KeyValueCommand>),
    /// What was chosen was carried out and forgotten: it is a part of the store.
    Cleared,
}

/// A solution of lab 5: it makes servers and clients, and answers questions about a server's log and store.
pub trait Recovery: Clone + Send + Sync + 'static {
    /// Everything that servers and clients say to each other.
    type Message: Data;
    type Server: Node<Message = Self::Message>;
    type Client: Client<Message = Self::Message, Command = KeyValueCommand, Result = KeyValueResult>;

    /// A server of the group, itself included, that replicates an empty `KeyValueStore`. It writes a snapshot whenever it has carried out
    /// `snapshot_every` slots since the last one.
    fn server(&self, group: &[Address], snapshot_every: u64) -> Self::Server;
    /// What is started in the place of a server whose disk was lost.
    fn replacement(&self, group: &[Address], snapshot_every: u64) -> Self::Server;
    /// A client of the group.
    fn client(&self, group: &[Address]) -> Self::Client;

    /// What the server knows of a slot.
    fn slot(server: &Self::Server, slot: u64) -> Slot;
    /// The last slot that is not empty; 0 if all are.
    fn last_slot(server: &Self::Server) -> u64;
    /// How many slots the server has carried out; those from the next one on it has not.
    fn carried_out(server: &Self::Server) -> u64;
    /// What has come of them.
    fn store(server: &Self::Server) -> &KeyValueStore;
}
