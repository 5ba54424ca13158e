//! What sleeps in a state: its part of the sleepers, with their steps.
//! Not here: when a step sleeps and when it wakes (`sleep_set`).

use crate::index::{DoneIdx, Table};
use crate::sleep_set::Sleeper;
use crate::step::Step;
use std::sync::Arc;

/// What sleeps in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asleep<'s> {
    pub(super) sleepers: &'s [Sleeper],
    pub(super) done: &'s Table<DoneIdx, Arc<Step>>,
}

impl<'s> Asleep<'s> {
    pub(crate) fn is_empty(self) -> bool {
        self.sleepers.is_empty()
    }

    /// The sleepers, each with its step.
    pub(crate) fn iter(self) -> impl Iterator<Item = (Sleeper, &'s Step)> {
        self.sleepers.iter().map(move |it| (*it, &*self.done[it.step]))
    }

    /// Whether a thread sleeps, and has not run all the same.
    pub(crate) fn has(self, thread: u64) -> bool {
        let mut waiting = self.sleepers.iter().filter(|it| it.ran.is_none());
        waiting.any(|it| self.done[it.step].thread == thread)
    }
}
