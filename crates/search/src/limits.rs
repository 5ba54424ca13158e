//! Limits: how far a search may go before it must say that it does not know.

use std::time::Duration;

/// What may stop a search early; `None` is no limit.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// No more than this many distinct states.
    pub states_max: Option<u64>,
    /// No state further than this many steps from where the search starts.
    pub depth_max: Option<u32>,
    pub time_max: Option<Duration>,
    /// Bytes: of the process where the meter knows them, else of the store and the system.
    pub memory_max: Option<u64>,
    /// No more than this many random walks.
    pub interleavings_max: Option<u64>,
}

impl Limits {
    /// No limits at all.
    pub fn none() -> Self {
        Limits::default()
    }
}
