//! The world of Rust nodes: how messages travel, what may go wrong, what is remembered of clients, and every state it
//! can be in, as a system that engines explore; simulation in virtual time over the same rules.
//! What nodes themselves are written against is `foresee-node`; it is all re-exported here. Start with [`Node`], then
//! [`WorldBuilder`].
//!
//! Reading order: `builder`, `world`, `core` (what a state is), `component` (one node of it), `drive` (its stable storage), `envelopes` (messages), `network`, `moves` (what can
//! happen), `fault`, `explore` (the same, fast), `footprint` and `races` (what depends on what), `history`, `monitor` and
//! `linearizability` (what clients saw), `judgement` (the same of long real runs), `simulate` and `simulation`, `catalog` (systems by name).

mod builder;
mod catalog;
mod code_check;
mod component;
mod core;
mod deep;
mod describe;
mod directory;
mod drive;
mod envelopes;
mod event;
mod explanation;
mod explore;
mod fault;
mod footprint;
mod history;
mod history_text;
mod intern;
mod judgement;
mod linearizability;
mod monitor;
mod moves;
mod named;
mod network;
mod note_memo;
mod part;
mod predicates;
mod probe;
mod races;
mod recorder;
mod results;
mod simulate;
mod simulation;
mod switches;
mod symmetry;
mod tree;
mod view;
mod why_not;
mod world;
mod zones;

pub use foresee_node::{
    Access, Address, Application, Client, ClientWorker, Context, Data, Effect, KeyValueCommand,
    KeyValueResult, KeyValueStore, MessageLabel, Node, Outcome, PendingTimer, Record, Register,
    RegisterOperation, RegisterResult, Sequential, Stored, Unexpected, Value, Workload,
    in_checked_code, label_of, observe_panic,
};

pub use builder::{BuildError, WorldBuilder};
pub use catalog::{
    ArgumentError, Arguments, BuildOptions, Entry, NamedGuide, Parameter, ParameterKind, Runnable,
    Words,
};
pub use envelopes::Envelope;
pub use explanation::Explanation;
pub use fault::{Crashable, Faults, Splits};
pub use footprint::is_message_object;
pub use foresee_lts::Reading;
pub use history::{ClientHistory, Histories, Recording};
pub use history_text::{HISTORY_HEADER, HistoryEvent, HistoryLine, HistoryReader, history_text};
pub use judgement::{HistoryJudge, Judgement, judge};
pub use linearizability::{Linearization, check, is_linearizable};
pub use monitor::Linearizable;
pub use network::Network;
pub use recorder::{Note, Recorded, Recorder};
pub use results::{Clients, Test};
pub use simulate::{
    Disturbance, Fate, Latency, OutcomeCount, Scheduled, Simulation, SimulationConfig,
    SimulationEnd, SimulationEvent, Summary, simulate, simulate_many,
};
pub use switches::{ActionFilter, Switches};
pub use tree::tree_of;
pub use view::{Part, Scope, View};
pub use world::World;
