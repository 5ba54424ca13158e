//! Depth-first search: the latest state first. It finds some violation soon and a long one; it needs the same memory.
//! States enter the store when they are pushed, so no state is pushed twice (except under a limit on depth, see
//! `ordered.rs`); of the successors of a state the first is expanded first.

use crate::engine::Engine;
use crate::ordered::{Agenda, explore};
use foresee_search::{StateIndex, StateStore};

pub(crate) fn run(engine: &mut Engine<'_>) {
    explore(engine, Stack::default());
}

#[derive(Default)]
struct Stack {
    items: Vec<(StateIndex, u32)>,
    /// Where the successors of the state being expanded begin.
    settled: usize,
}

impl Agenda for Stack {
    fn add(&mut self, _store: &StateStore, state: StateIndex, depth: u32) -> Result<(), String> {
        self.items.push((state, depth));
        Ok(())
    }

    fn settle(&mut self) {
        self.items[self.settled..].reverse();
        self.settled = self.items.len();
    }

    fn next(&mut self) -> Option<(StateIndex, u32)> {
        let item = self.items.pop();
        self.settled = self.items.len();
        item
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}
