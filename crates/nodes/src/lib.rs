//! Rust nodes: a protocol as plain structs with event handlers, checked, simulated and run unchanged.
//! Start with [`Node`].

mod address;
mod catalog;
mod context;
mod node;
mod recorder;
mod value;

pub use address::Address;
pub use catalog::{
    ArgumentError, Arguments, BuildOptions, Entry, Parameter, ParameterKind, Runnable,
};
pub use context::{Context, Effect};
pub use node::{Data, Node};
pub use recorder::{Note, Recorded, Recorder};
pub use value::Value;
