//! The peer: the same systems written for Stateright, the model checker we measure ourselves against.
//! Why: a ratio means something only when both sides explore the same states. These models follow the behaviour of the
//! systems of the same names in `foresee-systems`; every run asserts the number of unique states.
//! They are written as its users would write them (its actor framework, its network, its linearizability tester, plain
//! derived state types), not tuned against it.

pub(crate) mod paxos;
pub(crate) mod single_copy_register;
pub(crate) mod two_phase_commit;

use crate::Counts;
use stateright::{Checker, Model};
use std::fmt::Debug;
use std::hash::Hash;

/// How the peer searches; one thread in every case.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Search {
    BreadthFirst,
    DepthFirst,
}

impl Search {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Search::BreadthFirst => "bfs",
            Search::DepthFirst => "dfs",
        }
    }
}

/// Explores all of `model` and checks that its properties hold.
pub(crate) fn explore<M>(model: M, search: Search) -> Counts
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq,
{
    match search {
        Search::BreadthFirst => counts(model.checker().spawn_bfs().join()),
        Search::DepthFirst => counts(model.checker().spawn_dfs().join()),
    }
}

fn counts<M>(checker: impl Checker<M>) -> Counts
where
    M: Model,
    M::State: Clone + Debug + Hash + PartialEq,
    M::Action: Clone + Debug + PartialEq,
{
    checker.assert_properties();
    let generated = checker.state_count() as u64;
    Counts {
        unique: checker.unique_state_count() as u64,
        transitions: generated - 1,
        store_bytes: None,
    }
}
