//! Nodes for real: the same `Node` types that a search explores, in one process or one process a node over TCP, with datagrams if you like.
//! Why: a protocol that was checked should be the protocol that runs. Nothing here knows worlds or engines; what is run is a
//! deployment of `foresee-node`, whose host is a machine without clock and wires. This crate is the clock and the wires.
//!
//! Reading order: [`run_here`] (one process), [`run_site`] (one process of several), `machine` (what both share), [`Peers`],
//! `frame` (what is on a wire), `stream` (a connection, plain or secured by `tls`), `link` (messages that leave), `inbound` (messages that arrive), `back` (both by one connection), `timers`, `disk` and `log_file` (stable storage), `watch` (what is
//! measured of clients), `record` and `follow` (what happened, and the same again), `faults`, `in_process` and `proxy` (what goes wrong on the way), `cluster` (processes that are started, killed and started again), `metrics`, `stop`.
//! Invariant: every queue is bounded, and what is lost to a bound is counted; a node is a state owned by one task, never locked.

#![allow(clippy::disallowed_methods, reason = "an edge: clocks and sockets live here")]

mod back;
mod client_log;
mod cluster;
mod config;
mod disk;
mod error;
mod faults;
mod follow;
mod frame;
mod here;
mod in_process;
mod inbound;
mod link;
mod log_file;
mod machine;
mod metrics;
mod peers;
mod proxy;
mod record;
mod report;
mod site;
mod stop;
mod stream;
mod timers;
#[cfg(feature = "tls")]
mod tls;

pub use client_log::Wants;
pub use cluster::{Cluster, ClusterError, ClusterReport, free_places};
pub use config::{Config, WhenFull};
pub use disk::StorageConfig;
pub use error::RunError;
pub use faults::{Deed, FaultScript, ScriptError, Weather};
pub use follow::{Divergence, Followed, What, follow};
pub use frame::{FRAME_MAX, PROTOCOL};
pub use here::run_here;
pub use log_file::StorageProblem;
pub use peers::{PeerProblem, Peers, PeersError};
pub use proxy::{ProxyReport, run_proxy};
pub use record::{NotARecord, Record, RecordedEvent};
pub use report::{Ended, Latency, RunReport, cpu_seconds};
pub use site::run_site;
#[cfg(feature = "tls")]
pub use tls::{Tls, TlsError};
