//! The waist: what an engine may know of a system, and what a system must say of itself.
//! Why: engines (`stateful`, …) and front ends (`nodes`, …) never see each other. They meet in [`System`], a trait
//! with three required methods that is object-safe, so every engine is compiled once and works on every front end.
//!
//! **A state is a short slice of `u32` slots.** Each slot holds the id of a component that the front end has interned
//! (a node's state, an inbox, a history); what the ids mean is the front end's secret. Copying a state is copying a few
//! words, and its hash is the *sum* of one hash per slot, so a step that changes two slots changes two terms.
//!
//! Not here: algorithms, I/O, clocks. Where next: [`toy`], a complete system of forty lines; [`typed`], which turns any
//! `Clone + Eq + Hash` model into a system; then `crates/stateful/src/bfs.rs`.
//!
//! ```
//! use foresee_lts::{System, Telling, toy::Counters};
//! let system = Counters::new(2, 3); // two counters that each go from 0 to 3
//! let state = &system.initial()[0];
//! let mut actions = Vec::new();
//! system.enabled(state, &mut actions);
//! assert_eq!(actions.len(), 2);
//! assert_eq!(system.step(state, actions[0]), vec![1, 0]);
//! assert_eq!(system.label(state, actions[0]).to_string(), "step counter1 increment");
//! ```

mod account;
mod action;
mod around;
mod claims;
mod coverage;
mod describe;
mod footprint;
mod interleaved;
mod label;
mod packed;
mod predicate;
mod reading;
mod successors;
mod symmetry;
mod system;
mod telling;
pub mod toy;
mod tree;
pub mod typed;
mod verdict;
mod words;

pub use account::{Account, Answer, Call, Caught, End, Raised, Told};
pub use action::{Action, Actor};
pub use around::{Around, InterleavedAround, TellingAround};
pub use claims::Claims;
pub use coverage::{Assumption, Budget, Claim, Coverage, Whose};
pub use describe::{Description, History, Member, Pending, Standing};
pub use footprint::{Access, Delivery, Footprint, Mode, Receive, Relation};
pub use interleaved::{Happened, Interleaved, Origin};
pub use label::{About, Label, Place, Verb};
pub use packed::{Field, PackedSuccessor, PackedSuccessors};
pub use predicate::{Predicate, Property, PropertyKind, Reads, Why};
pub use reading::Reading;
pub use successors::{Change, Successor, Successors};
pub use symmetry::{Renamer, Symmetry};
pub use system::{
    Explorer, Fault, FaultKind, Guidance, NOTHING_CAN_HAPPEN, State, System, content_hash_of,
    plain_explorer, spread,
};
pub use telling::Telling;
pub use tree::Tree;
pub use verdict::{
    Allow, BrokenProperty, Finding, Path, StoppedBy, Verdict, Violation, ViolationKind,
};
pub use words::Words;
