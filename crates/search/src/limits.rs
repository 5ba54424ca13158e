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
    /// No more than this many runs: interleavings, or random walks.
    pub interleavings_max: Option<u64>,
}

impl Limits {
    /// No limits at all.
    pub fn none() -> Self {
        Limits::default()
    }

    /// Both: of each kind the stricter one.
    ///
    /// ```
    /// use foresee_search::Limits;
    /// let few = Limits { states_max: Some(10), ..Limits::none() };
    /// let both = Limits { states_max: Some(99), depth_max: Some(7), ..Limits::none() }.and(&few);
    /// assert_eq!((both.states_max, both.depth_max), (Some(10), Some(7)));
    /// ```
    #[must_use]
    pub fn and(self, other: &Limits) -> Self {
        fn stricter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            match (one, other) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            }
        }
        Limits {
            states_max: stricter(self.states_max, other.states_max),
            depth_max: stricter(self.depth_max, other.depth_max),
            time_max: stricter(self.time_max, other.time_max),
            memory_max: stricter(self.memory_max, other.memory_max),
            interleavings_max: stricter(self.interleavings_max, other.interleavings_max),
        }
    }
}
