//! Breadth-first search: nearest states first, so the first violation found is a shortest one.
//! The frontier needs no queue: states are numbered in the order in which they are found, which is the order in which they
//! are to be expanded, so one level is a range of numbers. Only states that are not to be expanded are listed.
//! With more than one thread a level is expanded by a crew (`parallel.rs`), with the same result.

use crate::engine::{Engine, Order};
use crate::parallel::Crew;
use foresee_search::{StateIndex, StateStore};
use std::collections::VecDeque;

/// States expanded in one go, so that their look-ups overlap.
const BATCH: usize = 16;

pub(crate) fn run(engine: &mut Engine<'_>) {
    if engine.config.threads > 1 {
        Crew::with(engine, |engine, crew| explore(engine, Some(crew)));
    } else {
        explore(engine, None);
    }
}

fn explore(engine: &mut Engine<'_>, mut crew: Option<&mut Crew<'_>>) {
    let mut frontier = Frontier::default();
    engine.start(&mut frontier);
    let mut parents = Vec::new();
    // What is learned of one state bears on how the next is expanded, and must not depend on how the clock groups them.
    let batch = if engine.shared.is_some() { 1 } else { BATCH };
    let mut level = 0;
    while !engine.is_stopped() && frontier.next < engine.store.len() {
        let end = engine.store.len();
        if engine.config.limits.depth_max == Some(level) {
            frontier.take(end, usize::MAX, &mut parents);
            engine.close(&parents);
            return;
        }
        loop {
            let n_left = end - frontier.next;
            let is_pending = crew.as_ref().is_some_and(|crew| crew.has_pending());
            if engine.is_stopped() || (n_left == 0 && !is_pending) {
                break;
            }
            match &mut crew {
                Some(crew)
                    if is_pending
                        || (n_left >= Crew::WORTHWHILE && Crew::can_serve(&engine.store)) =>
                {
                    crew.expand_some(engine, &mut frontier, end);
                }
                _ => {
                    frontier.take(end, engine.allowance(batch), &mut parents);
                    engine.expand(&parents, &mut frontier);
                }
            }
            engine.frontier = (engine.store.len() - frontier.next) as u64;
            if engine.store.len() > end {
                engine.depth = level + 1;
            }
        }
        level += 1;
    }
}

/// The states found and not yet expanded: all from `next` on, except those listed.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(crate) next: usize,
    not_expanded: VecDeque<StateIndex>,
}

impl Frontier {
    /// Moves up to `n` states before `end` into `parents`.
    pub(crate) fn take(&mut self, end: usize, n: usize, parents: &mut Vec<StateIndex>) {
        parents.clear();
        while self.next < end && parents.len() < n {
            let state = StateIndex(self.next as u32);
            self.next += 1;
            if self.not_expanded.front() == Some(&state) {
                self.not_expanded.pop_front();
            } else {
                parents.push(state);
            }
        }
    }
}

impl Order for Frontier {
    fn found(
        &mut self,
        _store: &StateStore,
        state: StateIndex,
        expandable: bool,
    ) -> Result<(), String> {
        if !expandable {
            self.not_expanded.push_back(state);
        }
        Ok(())
    }
}
