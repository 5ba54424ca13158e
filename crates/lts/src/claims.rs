//! What the author of a system says about it: a role that a [`System`](crate::System) may lend.
//! Why a role: only what judges states asks for it; whoever explores, orders or shows events does without.

use crate::{Predicate, Property};

/// What must hold, where to stop, what is promising.
pub trait Claims {
    /// What the author of the system says must hold.
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    /// States that need not be expanded, by the author's word (all clients are done, …).
    fn prunes(&self) -> Vec<Predicate> {
        Vec::new()
    }

    /// How promising a state is for best-first search; higher is expanded earlier.
    fn score(&self, state: &[u32]) -> Option<i64> {
        let _ = state;
        None
    }
}
