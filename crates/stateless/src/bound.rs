//! Bounds: exploring the simplest schedules only.
//! Delay: a run costs, at each state, the number of branches explored there before the one it takes (exploration-tree
//! bounding). Preemption: a run costs one for each switch away from a thread that could have gone on.
//! Paper: Coons, Musuvathi, McKinley, "Bounded Partial-Order Reduction" (OOPSLA 2013): under a bound on preemptions a
//! reversal may cost a preemption that an earlier switch would have saved, so a *conservative* branch is added where the
//! thread was last scheduled. That branch may repeat others, so there are no sleep sets under this bound.
//! What a bound cuts is never silent: the verdict is then inconclusive at best.

/// How far from the simplest schedules to go.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Bound {
    pub kind: BoundKind,
    pub max: u32,
}

/// What costs.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum BoundKind {
    /// Taking a later branch of the exploration tree.
    Delay,
    /// Switching away from a thread that could go on.
    Preemption,
}

impl Bound {
    /// The cost of running `thread` next, after `n_done` other branches, when `previous` ran before and could go on or not.
    pub(crate) fn cost(self, n_done: u32, thread: u64, previous: Option<(u64, bool)>) -> u32 {
        match self.kind {
            BoundKind::Delay => n_done,
            BoundKind::Preemption => {
                let is_switch = previous
                    .is_some_and(|(previous, could_go_on)| could_go_on && previous != thread);
                u32::from(is_switch)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_switching_away_from_a_thread_that_could_go_on_is_a_preemption() {
        let bound = Bound { kind: BoundKind::Preemption, max: 0 };
        assert_eq!(bound.cost(3, 1, None), 0);
        assert_eq!(bound.cost(3, 1, Some((1, true))), 0);
        assert_eq!(bound.cost(3, 1, Some((2, false))), 0);
        assert_eq!(bound.cost(3, 1, Some((2, true))), 1);
        assert_eq!(Bound { kind: BoundKind::Delay, max: 9 }.cost(3, 1, None), 3);
    }
}
