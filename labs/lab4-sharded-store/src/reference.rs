//! The sharded store. The master and every group are replicated by the servers of lab 3, which are parts of the nodes here: what is
//! decided is decided by a command in a group's log, and takes effect at its place there.
//!
//! What keeps the state space small: nobody waits for a timer as long as nothing is lost; what is sent again is what was sent before; a
//! group goes from one configuration to the next only when everything of the last is done, so that it needs no memory of older ones; and
//! masters answer the question for a configuration from what they have, without the log: one that exists never changes.
//!
//! Reading order: `master`, `holdings` (what a group replicates), `transactions` (the same, over several groups), `server`, `client`.

mod client;
mod holdings;
mod master;
mod server;
mod transactions;

pub use client::StoreClient;
pub use holdings::{Command, Holdings, Parcel, Shard, Told};
pub use master::{Master, MasterServer, Operator};
pub use server::Server;
pub use transactions::{Attempt, Values};

use foresee::Address;
use foresee_lab3::reference::Message as PaxosMessage;
use foresee_lab4::{
    Configuration, Held, MasterCommand, MasterResult, ShardedStore, StoreCommand, StoreResult,
};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What nodes say to each other.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    /// Among the master's servers, and between them and operators.
    Master(PaxosMessage<MasterCommand, MasterResult>),
    /// Among the servers of a group.
    Group(PaxosMessage<Command, Told>),
    /// To the master's servers: this configuration, if it is there; without a number, the latest.
    Ask {
        number: Option<u64>,
    },
    Configuration(Configuration),
    /// A client to all servers of a group.
    Request {
        number: u64,
        command: StoreCommand,
    },
    Reply {
        number: u64,
        result: StoreResult,
    },
    /// The shard is not this group's, as far as this group knows.
    WrongGroup {
        number: u64,
    },
    /// A group to the one that owns these shards now.
    Parcel(Parcel),
    /// The answer: they are there.
    Taken {
        number: u64,
        shards: BTreeSet<usize>,
    },
    /// The group that coordinates a transaction to another: lock the keys that are yours.
    Prepare {
        attempt: Attempt,
        command: StoreCommand,
    },
    /// The answer: what the keys hold, or a refusal.
    Vote {
        attempt: Attempt,
        group: u32,
        values: Option<Values>,
    },
    /// It is decided: these values are to be written, or nothing; the keys are free again.
    Finish {
        attempt: Attempt,
        writes: Option<Values>,
    },
    Finished {
        attempt: Attempt,
        group: u32,
    },
    // zoo: pull
    /// A group that has shards to hand over to their new owner.
    Offer {
        number: u64,
        shards: BTreeSet<usize>,
    },
    /// The new owner, if it does not have them yet.
    Fetch {
        number: u64,
    },
    // :zoo
}

/// Tells the tests how to make the nodes, and what a server knows.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl ShardedStore for Solution {
    type Message = Message;
    type Master = Master;
    type MasterServer = MasterServer;
    type Operator = Operator;
    type Server = Server;
    type Client = StoreClient;

    fn master(&self, n_shards: usize) -> Master {
        let master = Master::new(n_shards);
        // zoo:
        let master = master.with_bug(self.bug);
        // :zoo
        master
    }

    fn master_server(&self, masters: &[Address], n_shards: usize) -> MasterServer {
        MasterServer::new(masters, self.master(n_shards))
    }

    fn operator(&self, masters: &[Address]) -> Operator {
        Operator::new(masters)
    }

    fn server(
        &self,
        group: u32,
        servers: &[Address],
        masters: &[Address],
        n_shards: usize,
    ) -> Server {
        let holdings = Holdings::new(group, n_shards);
        // zoo:
        let holdings = holdings.with_bug(self.bug);
        // :zoo
        Server::new(servers, masters, holdings)
    }

    fn client(&self, masters: &[Address], n_shards: usize) -> StoreClient {
        let client = StoreClient::new(masters, n_shards);
        // zoo:
        let client = client.with_bug(self.bug);
        // :zoo
        client
    }

    fn configuration(server: &Server) -> u64 {
        server.holdings().configuration().number
    }

    fn held(server: &Server, shard: usize) -> Held {
        server.holdings().held(shard)
    }
}
