//! Preemptions: a run costs one for each switch away from a thread that could have gone on.
//! Paper: Coons, Musuvathi, McKinley, "Bounded Partial-Order Reduction" (OOPSLA 2013): under a bound on preemptions a
//! reversal may cost a preemption that an earlier switch would have saved, so a *conservative* branch is added where the
//! thread was last scheduled. That branch may repeat others, so there are no sleep sets under this bound.

use super::{Choice, Policy};

pub(super) struct Preemption;

impl Policy for Preemption {
    fn word(&self) -> &'static str {
        "preemption"
    }

    fn about(&self) -> &'static str {
        "The number of times a process is interrupted that could go on"
    }

    fn unit(&self) -> &'static str {
        "preemptions"
    }

    fn attributes(&self) -> &'static [&'static str] {
        &["bpor"]
    }

    fn cost(&self, choice: &Choice) -> u32 {
        u32::from(choice.is_preemption())
    }

    fn needs_every_order(&self) -> bool {
        true
    }
}
