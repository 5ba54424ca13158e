//! Processes on the fly: what a component can do next, as offers whose sums may still be open, and how offers meet.
//! `store` has component states as numbers, `engine` ties data and processes together, `offers` finds the first actions
//! of a component, `merge` lets two offers communicate, `solve` gives the variables left over their values.

mod engine;
mod merge;
mod offers;
mod solve;
mod store;

pub use engine::Options;
pub(crate) use engine::{Engine, Failure};
pub(crate) use offers::Offer;
pub(crate) use solve::infinite_sum;
pub(crate) use store::{DONE, Proc, ProcId};
