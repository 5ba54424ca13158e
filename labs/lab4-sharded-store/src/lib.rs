//! Lab 4: a store whose keys are spread over groups of servers, which hand keys over to each other while clients go on, and transactions
//! over keys of several groups.
//! Reading order: [`ShardedStore`] (what a solution is), `configuration` (who owns which shard), `store` (commands and what a single copy
//! would answer), `tests`, and with the feature `solutions` the reference and its zoo.

extern crate self as foresee_lab4;

mod configuration;
mod store;
mod tests;

#[cfg(feature = "solutions")]
pub mod reference;
#[cfg(feature = "solutions")]
mod zoo;

pub use configuration::{Configuration, MasterCommand, MasterResult, shard_of};
pub use store::{Store, StoreCommand, StoreResult};
pub use tests::lab;
#[cfg(feature = "solutions")]
pub use zoo::{load, reference};

use foresee::{Address, Application, Client, Data, Node};
use std::time::Duration;

/// How long a client waits before it sends a command again.
pub const RETRY_AFTER: Duration = Duration::from_millis(100);
/// How often a server looks whether there is a new configuration, and whether something must be sent again.
pub const TICK_EVERY: Duration = Duration::from_millis(50);

/// What a server has to do with a shard, as far as it knows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Held {
    /// Another group has it.
    Elsewhere,
    /// It is this group's, and what is in it has not arrived.
    Awaited,
    /// Commands on its keys are carried out here.
    Served,
    /// It is another group's now, and what is in it is kept until that group has it.
    Leaving,
}

/// A solution of lab 4: it makes the shard master, servers of groups, and clients of both.
pub trait ShardedStore: Clone + Send + Sync + 'static {
    /// Everything that nodes say to each other.
    type Message: Data;
    /// Part 1: what the master's servers replicate.
    type Master: Application<Command = MasterCommand, Result = MasterResult>;
    type MasterServer: Node<Message = Self::Message>;
    /// A client of the master.
    type Operator: Client<Message = Self::Message, Command = MasterCommand, Result = MasterResult>;
    type Server: Node<Message = Self::Message>;
    type Client: Client<Message = Self::Message, Command = StoreCommand, Result = StoreResult>;

    /// The master before the first command.
    fn master(&self, n_shards: usize) -> Self::Master;
    /// One of the servers that replicate the master.
    fn master_server(&self, masters: &[Address], n_shards: usize) -> Self::MasterServer;
    fn operator(&self, masters: &[Address]) -> Self::Operator;
    /// A server of the group with this number.
    fn server(
        &self,
        group: u32,
        servers: &[Address],
        masters: &[Address],
        n_shards: usize,
    ) -> Self::Server;
    fn client(&self, masters: &[Address], n_shards: usize) -> Self::Client;

    /// The number of the configuration that a server is at.
    fn configuration(server: &Self::Server) -> u64;
    fn held(server: &Self::Server, shard: usize) -> Held;
}
