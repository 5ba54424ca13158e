//! How much is left: what is planned, and what that may lead to.

use crate::stack::Stack;

/// Runs known to be pending.
pub(crate) fn planned(stack: &Stack) -> u64 {
    stack.frames().map(|frame| frame.n_owed().0).sum()
}

/// The number of runs in all, if what is pending at each state leads to as many runs as what was done there.
pub(crate) fn total(stack: &Stack) -> f64 {
    stack.frames().rev().fold(1.0, |below, frame| {
        let explored = frame.n_runs() as f64 + below;
        let n_branches = f64::from(frame.n_done()) + 1.0;
        explored + frame.n_owed().1 as f64 * (explored / n_branches)
    })
}
