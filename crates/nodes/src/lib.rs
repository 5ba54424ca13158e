//! Rust nodes: a protocol as plain structs with event handlers, checked, simulated and run unchanged.
//! Start with [`Node`].

mod address;
mod application;
mod builder;
mod catalog;
mod checked;
mod client;
mod code_check;
mod component;
mod context;
mod core;
mod describe;
mod event;
mod explanation;
mod explore;
mod fault;
mod footprint;
mod history;
mod intern;
mod linearizability;
mod monitor;
mod moves;
mod network;
mod node;
mod note_memo;
mod predicates;
mod probe;
mod races;
mod recorder;
mod results;
mod simulate;
mod simulation;
mod spec;
mod switches;
mod timers;
mod tree;
mod value;
mod view;
mod worker;
mod workload;
mod world;

pub use address::Address;
pub use application::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
pub use builder::{BuildError, WorldBuilder};
pub use catalog::{
    ArgumentError, Arguments, BuildOptions, Entry, Parameter, ParameterKind, Runnable,
};
pub use checked::{in_checked_code, observe_panic};
pub use client::Client;
pub use context::{Context, Effect};
pub use explanation::Explanation;
pub use fault::{Crashable, Faults, Splits};
pub use history::{ClientHistory, Histories, Recording};
pub use linearizability::{Linearization, check, is_linearizable};
pub use monitor::Linearizable;
pub use network::{Envelope, Network};
pub use node::{Data, Node};
pub use recorder::{Note, Recorded, Recorder};
pub use results::{Clients, Test};
pub use simulate::{
    Broken, Disturbance, Fate, Latency, OutcomeCount, Scheduled, Simulation, SimulationConfig,
    SimulationEnd, SimulationEvent, Summary, simulate, simulate_many,
};
pub use spec::{Register, RegisterOperation, RegisterResult, Sequential};
pub use switches::{ActionFilter, Switches};
pub use timers::PendingTimer;
pub use tree::tree_of;
pub use value::Value;
pub use view::{Part, Scope, View};
pub use worker::{ClientWorker, Outcome, Unexpected};
pub use workload::Workload;
pub use world::World;
