//! How much is left: what is planned, and what that may lead to.

use crate::index::{EventIdx, Table};
use crate::stack::Frame;

/// Runs known to be pending.
pub(crate) fn planned(frames: &Table<EventIdx, Frame>) -> u64 {
    frames.iter().map(|frame| frame.n_owed().0).sum()
}

/// The number of runs in all, if what is pending at each state leads to as many runs as what was done there.
pub(crate) fn total(frames: &Table<EventIdx, Frame>) -> f64 {
    frames.iter().rev().fold(1.0, |below, frame| {
        let explored = frame.n_runs as f64 + below;
        let n_branches = f64::from(frame.n_done) + 1.0;
        explored + frame.n_owed().1 as f64 * (explored / n_branches)
    })
}
