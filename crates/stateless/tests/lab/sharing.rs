//! A laboratory program whose equal footprints are one and the same.
//! Why: real front ends remember what an event touches and hand out the same footprint again; the engine then keeps what it
//! has found out about it. The laboratory itself makes a new footprint for every event, so that path is never taken there.

use super::Lab;
use foresee_lts::{Action, Actor, Fault, Footprint, Happened, Label, State, System};
use std::sync::{Arc, Mutex};

/// A program that remembers footprints.
#[derive(Debug)]
pub struct Sharing {
    lab: Lab,
    /// By the operation, because a receive with other patterns is another event.
    known: Mutex<Vec<(Label, Arc<Footprint>)>>,
}

impl Sharing {
    pub fn new(lab: Lab) -> Self {
        Sharing { lab, known: Mutex::default() }
    }
}

impl System for Sharing {
    fn initial(&self) -> Vec<State> {
        self.lab.initial()
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.lab.enabled(state, actions);
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        self.lab.step(state, action)
    }

    fn label(&self, state: &[u32], action: Action) -> Label {
        self.lab.label(state, action)
    }

    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.lab.actor(state, action)
    }

    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.lab.thread(state, action)
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.lab.footprint(state, action)
    }

    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        *next = self.step(state, action);
        let made = (self.label(state, action), Arc::new(self.footprint(state, action)));
        let mut known = self.known.lock().expect("nobody panics with it");
        let footprint = match known.iter().find(|it| **it == made) {
            Some((_, footprint)) => Arc::clone(footprint),
            None => {
                known.push(made.clone());
                made.1
            }
        };
        Happened { footprint, may_bring_fault: true }
    }

    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        self.lab.would_take(state, action, message)
    }

    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        self.lab.only_receives(state, action)
    }

    fn notices(&self, look: u64, change: u64) -> bool {
        self.lab.notices(look, change)
    }

    fn is_final(&self, state: &[u32]) -> bool {
        self.lab.is_final(state)
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.lab.fault(state)
    }
}
