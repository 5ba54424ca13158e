//! Rust nodes: a protocol as plain structs with event handlers, checked, simulated and run unchanged.
//! Start with [`Node`].

mod address;
mod context;
mod node;
mod value;

pub use address::Address;
pub use context::{Context, Effect};
pub use node::{Data, Node};
pub use value::Value;
