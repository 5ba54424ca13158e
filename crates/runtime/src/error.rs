//! Why nodes cannot be run.

use crate::StorageProblem;
use foresee_node::Address;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a run did not start, or had to end.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// Nobody can listen there: the port is in use, or the address is not this machine's.
    CannotListen { at: SocketAddr, what_for: &'static str, reason: std::io::Error },
    /// A peer does not want us: another version, another schema, not the node we look for.
    Refused { peer: String, at: SocketAddr, reason: String },
    /// The address is no node of the system.
    NotAMember { address: String, known: Vec<String> },
    /// The peers file lacks nodes of the system.
    MissingPeers { missing: Vec<String> },
    /// The recording cannot be written.
    NotRecorded { reason: std::io::Error },
    /// A node's stable storage cannot be used, or not any more.
    Storage { node: Address, folder: PathBuf, problem: StorageProblem },
    /// The machine does not give us an event loop, or a signal handler.
    NoLoop { reason: std::io::Error },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::CannotListen { at, what_for, reason } => {
                write!(f, "cannot listen on {at} for {what_for}: {reason}")
            }
            RunError::Refused { peer, at, reason } => {
                write!(f, "{peer} at {at} refuses to talk: {reason}")
            }
            RunError::NotAMember { address, known } => {
                write!(f, "the system has no node `{address}`; it has {}", known.join(", "))
            }
            RunError::MissingPeers { missing } => {
                write!(f, "the peers file has no line for {}", missing.join(", "))
            }
            RunError::NotRecorded { reason } => {
                write!(f, "the recording cannot be written: {reason}")
            }
            RunError::Storage { node, folder, problem } => {
                write!(f, "the stable storage of {node} in {}: {problem}", folder.display())
            }
            RunError::NoLoop { reason } => write!(f, "the event loop does not start: {reason}"),
        }
    }
}

impl std::error::Error for RunError {}
