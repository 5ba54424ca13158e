//! Everything that nodes say to each other.

use crate::group::{Command, Told};
use crate::paxos;
use foresee_lab4::{Configuration, MasterCommand, MasterResult, StoreCommand, StoreResult};
use serde::{Deserialize, Serialize};

/// A beginning: you will need more kinds, and more in each.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    /// Among the servers that replicate the master, and between them and operators.
    Master(paxos::Message<MasterCommand, MasterResult>),
    /// Among the servers of a group.
    Group(paxos::Message<Command, Told>),
    /// To the master: the configuration with this number.
    Ask {
        number: u64,
    },
    Configuration(Configuration),
    /// A client to a group.
    Request {
        number: u64,
        command: StoreCommand,
    },
    Reply {
        number: u64,
        result: StoreResult,
    },
}
