//! Best-first search: the state with the highest score first; among equal scores the one found first.

use crate::engine::Engine;
use crate::monitor::quietly;
use crate::ordered::{Agenda, explore};
use foresee_search::{StateIndex, StateStore};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) fn run(engine: &mut Engine<'_>) {
    let (system, config) = (engine.system, engine.config);
    let has_score = config.score.is_some()
        || system
            .initial()
            .iter()
            .any(|state| matches!(quietly(|| system.score(state)), Ok(Some(_))));
    if !has_score {
        engine.warn("no score is given: states are expanded in the order found".to_owned());
    }
    let score = |state: &[u32]| match &config.score {
        Some(score) => score(state),
        None => system.score(state).unwrap_or(0),
    };
    explore(engine, Heap { score, items: BinaryHeap::new(), slots: Vec::new() });
}

struct Heap<F> {
    score: F,
    items: BinaryHeap<(i64, Reverse<StateIndex>, u32)>,
    slots: Vec<u32>,
}

impl<F: Fn(&[u32]) -> i64> Agenda for Heap<F> {
    fn add(&mut self, store: &StateStore, state: StateIndex, depth: u32) -> Result<(), String> {
        store.decode(state, &mut self.slots);
        let score = quietly(|| (self.score)(&self.slots))?;
        self.items.push((score, Reverse(state), depth));
        Ok(())
    }

    fn next(&mut self) -> Option<(StateIndex, u32)> {
        self.items.pop().map(|(_, Reverse(state), depth)| (state, depth))
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}
