//! Delays: a run costs, at each state, the number of branches explored there before the one it takes.
//! Why: the first branch is what the scheduler would do anyway; most errors need few departures from it. What a branch costs
//! depends only on the branches before it, so nothing else of the exploration changes (exploration-tree bounding).

use super::{Choice, Policy};

pub(super) struct Delay;

impl Policy for Delay {
    fn word(&self) -> &'static str {
        "delay"
    }

    fn about(&self) -> &'static str {
        "The number of choices other than the first, counted in branches passed by"
    }

    fn unit(&self) -> &'static str {
        "delays"
    }

    fn attributes(&self) -> &'static [&'static str] {
        &["delay", "simple"]
    }

    fn cost(&self, choice: &Choice) -> u32 {
        choice.n_done
    }
}
