//! Lab 6: chain replication in the way of CORFU, and how a server that was away gets into the chain again while clients go on.
//! Reading order: [`ChainRepair`] (what a solution is), [`Layout`], `log` (commands and what they should return), `tests`, and with the feature
//! `solutions` the reference and its zoo.

extern crate self as foresee_lab6;

mod log;
mod tests;

#[cfg(feature = "solutions")]
pub mod reference;
#[cfg(feature = "solutions")]
mod zoo;

pub use log::{Log, LogCommand, LogResult};
pub use tests::lab;
#[cfg(feature = "solutions")]
pub use zoo::reference;

use foresee::{Address, Client, Data, Node};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long a client or an operator waits before it asks again.
pub const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Who is in the chain, in which order, and who answers reads. Each layout has an epoch of its own, one more than the last.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Layout {
    pub epoch: u64,
    /// From the head to the tail.
    pub chain: Vec<Place>,
    /// The place that answers reads.
    pub tail: Place,
}

/// One place of a chain: a server, and what it is there.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Place {
    pub server: Address,
    pub part: Part,
}

/// What a server is in its place.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Part {
    /// An ordinary server.
    Whole,
    /// The first half of a server that stands in two places of a chain.
    Head,
    /// The second half.
    Tail,
    /// A server that is being repaired: it takes writes, and nobody relies on it yet.
    Repaired,
}

impl Layout {
    /// The first layout: these servers, whole, in this order.
    pub fn first(servers: &[Address]) -> Self {
        let place = |server: &Address| Place { server: *server, part: Part::Whole };
        let chain: Vec<Place> = servers.iter().map(place).collect();
        let tail = *chain.last().expect("a chain has a server");
        Layout { epoch: 1, chain, tail }
    }

    /// The server that is being repaired, if one is.
    pub fn repairing(&self) -> Option<Address> {
        self.chain.iter().find(|place| place.part == Part::Repaired).map(|place| place.server)
    }
}

/// What an operator is there for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Task {
    /// Get this server into the chain.
    Repair(Address),
    /// If a repair is under way, end it: back to a chain of the healthy servers.
    Abandon,
}

/// A solution of lab 6: it makes the layout service, servers, clients and operators.
pub trait ChainRepair: Clone + Send + Sync + 'static {
    /// Everything that they say to each other.
    type Message: Data;
    type Layouts: Node<Message = Self::Message>;
    type Server: Node<Message = Self::Message>;
    type Client: Client<Message = Self::Message, Command = LogCommand, Result = LogResult>;
    /// Begins its task when it starts (`init`).
    type Operator: Node<Message = Self::Message>;

    /// The layout service, with the first layout.
    fn layouts(&self, first: Layout) -> Self::Layouts;
    /// A server that holds nothing and has heard of no epoch.
    fn server(&self) -> Self::Server;
    /// A client that has been told a layout; the service has newer ones.
    fn client(&self, layouts: Address, layout: Layout) -> Self::Client;
    fn operator(&self, layouts: Address, task: Task) -> Self::Operator;

    /// The layout that the service gives out now.
    fn current(&self, layouts: &Self::Layouts) -> Layout;
    /// What a server holds under a key, in this part of it.
    fn stored(&self, server: &Self::Server, part: Part, key: &str) -> Option<String>;
    /// Whether an operator has nothing more to do.
    fn is_done(&self, operator: &Self::Operator) -> bool;
}
