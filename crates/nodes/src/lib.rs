//! Rust nodes: a protocol as plain structs with event handlers, checked, simulated and run unchanged.
//! Start with [`Node`].

mod address;
mod application;
mod catalog;
mod client;
mod context;
mod explanation;
mod history;
mod linearizability;
mod monitor;
mod node;
mod recorder;
mod spec;
mod value;
mod worker;
mod workload;

pub use address::Address;
pub use application::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
pub use catalog::{
    ArgumentError, Arguments, BuildOptions, Entry, Parameter, ParameterKind, Runnable,
};
pub use client::Client;
pub use context::{Context, Effect};
pub use explanation::Explanation;
pub use history::{ClientHistory, Histories, Recording};
pub use linearizability::{Linearization, check, is_linearizable};
pub use monitor::Linearizable;
pub use node::{Data, Node};
pub use recorder::{Note, Recorded, Recorder};
pub use spec::{Register, RegisterOperation, RegisterResult, Sequential};
pub use value::Value;
pub use worker::{ClientWorker, Outcome, Unexpected};
pub use workload::Workload;
