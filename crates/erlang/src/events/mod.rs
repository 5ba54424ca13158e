//! What can happen in a state, and what an event depends on: the enabled actions, the memo of steps that were taken before, and
//! the footprints from which races and independence follow.
//! Reading order: `actions`, `ready`, `offers` (what is enabled), `lookup` and `memo` (a step's result found again), `receives`,
//! `explorer`, `footprint`, `reading` (how finely states are told apart).
//! Not here: what an event does (`crate::world`).

pub(crate) mod actions;
pub(crate) mod explorer;
pub mod footprint;
pub(crate) mod lookup;
pub(crate) mod memo;
pub(crate) mod offers;
pub(crate) mod reading;
pub(crate) mod ready;
pub(crate) mod receives;
