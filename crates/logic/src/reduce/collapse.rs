//! Cycles of internal steps become one state.
//! Why: states on such a cycle are branching bisimilar, and without cycles the internal steps have an order in which
//! signatures can be computed in one pass.
//! Invariant: an internal step of the collapsed LTS leads to a state with a smaller number.

use crate::info::TauCycles;
use crate::{LabelId, Lts, LtsBuilder};

/// An LTS without cycles of internal steps.
pub(super) struct Collapsed {
    pub(super) lts: Lts,
    /// The new number of each state.
    pub(super) vertex_of: Vec<u32>,
    /// Whether a new state stands for a cycle.
    pub(super) diverges: Vec<bool>,
}

impl Collapsed {
    pub(super) fn of(lts: &Lts) -> Self {
        let TauCycles { component, is_cycle } = TauCycles::of(lts);
        let mut edges: Vec<(u32, LabelId, u32)> = lts
            .transitions()
            .map(|(from, label, to)| (component[from as usize], label, component[to as usize]))
            .filter(|(from, label, to)| !(label.is_tau() && from == to))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut builder = LtsBuilder::with_labels(lts.labels().clone());
        builder.at_least_states(is_cycle.len() as u32);
        for (from, label, to) in edges {
            debug_assert!(!label.is_tau() || to < from);
            builder.add_edge(from, label, to);
        }
        let initial = component[lts.initial() as usize];
        Collapsed { lts: builder.build(initial), vertex_of: component, diverges: is_cycle }
    }
}
