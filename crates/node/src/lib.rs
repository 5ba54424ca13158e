//! What a protocol is written against: nodes, what their handlers can do, addresses, timers, clients and their workloads.
//! Why a crate of its own: a solution must run unchanged in a search, in a simulation and on real machines, so what it
//! leans on knows none of them. There is no world here, nothing is interned and nothing is explored (`foresee-nodes`).
//!
//! Reading order: [`Node`], [`Context`], [`Address`]; then [`Client`], [`Workload`] and [`ClientWorker`]; then
//! [`Sequential`] and [`Application`], which say what clients should be told. `storage` is what a node finds again after a crash, `timers` has the rule of which pending
//! timer may fire, `deployment`, `host` and `actor` are nodes for those who run them, `shape` tells versions of messages apart, `checked` runs handlers so that a panic is a finding, `label` names a message for people.

mod actor;
mod address;
mod application;
mod checked;
mod client;
mod context;
mod deployment;
mod host;
mod label;
mod node;
mod observed;
mod shape;
mod spec;
mod storage;
mod timers;
mod value;
mod worker;
mod workload;

pub use actor::Described;
pub use address::{ADDRESS_IN_SERDE, Address, renamed_copy, with_other_names};
pub use application::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
pub use checked::{in_checked_code, observe_panic, run_checked};
pub use client::Client;
pub use context::{Context, Effect};
pub use deployment::{Deploy, Deployment, Member, Plan};
pub use host::{Cause, Host, NotAMessage, Wire};
pub use label::{MessageLabel, label_of, type_name};
pub use node::{Data, Node};
pub use observed::{Observed, Operation};
pub use shape::Schema;
pub use spec::{Access, Register, RegisterOperation, RegisterResult, Sequential};
pub use storage::{Disk, Gate, Record, Stored, Visible, Write};
pub use timers::{PendingTimer, cancel_timers, may_fire};
pub use value::Value;
pub use worker::{ClientWorker, Outcome, Unexpected};
pub use workload::{WORKLOAD_IN_SERDE, WORKLOAD_TEXT_IN_SERDE, Workload};
