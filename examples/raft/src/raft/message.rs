//! What servers and clients say to each other.

use super::log::{Entry, Place};
use super::machine::Snapshot;
use foresee::{Address, KeyValueCommand, KeyValueResult};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message {
    /// A candidate asks for a vote; `last` is the end of its log.
    Vote {
        term: u64,
        last: Place,
    },
    Voted {
        term: u64,
        granted: bool,
    },
    /// A leader's entries after `before`; none is a heartbeat.
    Append {
        term: u64,
        before: Place,
        entries: Vec<Entry>,
        commit: u64,
        round: u64,
    },
    /// A leader's snapshot, for a follower that is too far behind.
    Install {
        term: u64,
        snapshot: Snapshot,
        round: u64,
    },
    /// The answer to both: up to where the follower's log is the leader's, or where to try next.
    Appended {
        term: u64,
        matches: Result<u64, u64>,
        round: u64,
    },
    /// A client's call.
    Request {
        call: u64,
        command: KeyValueCommand,
    },
    Reply {
        call: u64,
        result: KeyValueResult,
    },
    /// Not the leader; perhaps this one is.
    Elsewhere {
        call: u64,
        leader: Option<Address>,
    },
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Timer {
    /// No leader was heard of for too long.
    Election,
    Heartbeat,
    /// What was confirmed in a round is no reason to answer reads any more.
    Lease {
        round: u64,
    },
    /// A call was not answered for too long.
    Retry {
        call: u64,
    },
}
