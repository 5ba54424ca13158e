//! Preemptions, without conservative branches: fewer runs than `preemption` for the same maximum.
//! Why: conservative branches repeat much, and rule out sleep sets and receives as observers. Without them a run within the
//! bound may be missed whose preemption an earlier switch would have saved; what is found is found far sooner. Concuerror's
//! users know it as `ubpor`. Since a verdict under a bound that cut something is inconclusive anyway, nothing is claimed that was
//! not explored; if nothing was cut, everything was.

use super::{Choice, Policy};

pub(super) struct Ubpor;

impl Policy for Ubpor {
    fn word(&self) -> &'static str {
        "ubpor"
    }

    fn about(&self) -> &'static str {
        "As preemption, in fewer runs: some within the bound may be left out"
    }

    fn unit(&self) -> &'static str {
        "preemptions, not all of them"
    }

    fn attributes(&self) -> &'static [&'static str] {
        &["ubpor"]
    }

    fn cost(&self, choice: &Choice) -> u32 {
        u32::from(choice.is_preemption())
    }
}
