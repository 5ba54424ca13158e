//! Rounds of refinement, remembered: when two states were first told apart is what a distinguishing formula is made of.
//! Unlike `reduce::refine`, which is fast and forgets, this goes round by round and keeps every round; it runs on a
//! quotient and stops as soon as the two states in question are apart.
//! Invariant: two states of one class in round `k` have the same signature with respect to the classes of round `k - 1`.

use crate::components::components;
use crate::{Edge, Equivalence, Lts};
use rustc_hash::FxHashMap;

/// Classes remembered in all; more and the formula is given up.
const ENTRIES_MAX: usize = 100_000_000;
/// In a signature, the label of "can do internal steps for ever without leaving its class".
pub(super) const DIVERGENCE: u32 = u32::MAX;

/// The classes of every state after each round; all states share a class in round 0.
pub(super) struct Rounds {
    pub(super) equivalence: Equivalence,
    classes: Vec<Vec<u32>>,
}

impl Rounds {
    /// Refines until `left` and `right` are apart; `None` if that takes more memory than it is worth.
    pub(super) fn until_apart(
        lts: &Lts,
        equivalence: Equivalence,
        left: u32,
        right: u32,
    ) -> Option<Rounds> {
        let n = lts.n_states();
        let mut rounds = Rounds { equivalence, classes: vec![vec![0; n]] };
        let order = rounds.order(lts);
        while rounds.class(rounds.last(), left) == rounds.class(rounds.last(), right) {
            if (rounds.classes.len() + 1) * n > ENTRIES_MAX {
                return None;
            }
            let next = rounds.refined(lts, &order);
            let n_classes = |classes: &[u32]| classes.iter().max().map_or(0, |max| max + 1);
            let is_finer = n_classes(&next) > n_classes(&rounds.classes[rounds.last()]);
            assert!(is_finer, "states of different classes come apart");
            rounds.classes.push(next);
        }
        Some(rounds)
    }

    pub(super) fn last(&self) -> usize {
        self.classes.len() - 1
    }

    pub(super) fn class(&self, round: usize, state: u32) -> u32 {
        self.classes[round][state as usize]
    }

    /// The first round in which two states are apart, if they are.
    pub(super) fn apart(&self, a: u32, b: u32) -> Option<usize> {
        // Once apart, always apart.
        let round =
            self.classes.partition_point(|classes| classes[a as usize] == classes[b as usize]);
        (round < self.classes.len()).then_some(round)
    }

    /// Whether a step stays inside its class and is not seen.
    pub(super) fn is_inert(&self, round: usize, from: u32, edge: Edge) -> bool {
        self.equivalence != Equivalence::Strong
            && edge.label.is_tau()
            && self.class(round, from) == self.class(round, edge.target)
    }

    /// States in an order in which internal steps lead backwards, loops aside.
    fn order(&self, lts: &Lts) -> Vec<u32> {
        let mut order: Vec<u32> = lts.states().collect();
        if self.equivalence != Equivalence::Strong {
            let found = components(lts.n_states(), |state, k| {
                lts.edges(state).get(k).map(|edge| edge.label.is_tau().then_some(edge.target))
            });
            assert_eq!(found.n, lts.n_states(), "a quotient has no cycles of internal steps");
            order.sort_by_key(|state| found.of[*state as usize]);
        }
        order
    }

    fn refined(&self, lts: &Lts, order: &[u32]) -> Vec<u32> {
        let last = self.last();
        let mut signatures: Vec<Vec<(u32, u32)>> = vec![Vec::new(); lts.n_states()];
        for &state in order {
            let mut signature = Vec::new();
            for &edge in lts.edges(state) {
                if !self.is_inert(last, state, edge) {
                    signature.push((edge.label.0, self.class(last, edge.target)));
                } else if edge.target != state {
                    signature.extend_from_slice(&signatures[edge.target as usize]);
                } else if self.equivalence == Equivalence::DivergencePreservingBranching {
                    signature.push((DIVERGENCE, 0));
                }
            }
            signature.sort_unstable();
            signature.dedup();
            signatures[state as usize] = signature;
        }
        let mut known = FxHashMap::default();
        let mut classes = Vec::with_capacity(lts.n_states());
        for state in lts.states() {
            let next = known.len() as u32;
            let key = (self.class(last, state), &signatures[state as usize][..]);
            classes.push(*known.entry(key).or_insert(next));
        }
        classes
    }
}
