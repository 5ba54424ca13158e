//! A laboratory program whose equal footprints are one and the same.
//! Why: real front ends remember what an event touches and hand out the same footprint again; the engine then keeps what it
//! has found out about it. The laboratory itself makes a new footprint for every event, so that path is never taken there.

use super::Lab;
use foresee_lts::{
    Action, Footprint, Happened, Interleaved, InterleavedAround, Label, State, System, Telling,
};
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

impl foresee_lts::Around for Sharing {
    fn inner(&self) -> &dyn System {
        &self.lab
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }
}

impl InterleavedAround for Sharing {
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        *next = self.lab.step(state, action);
        let made = (self.lab.label(state, action), Arc::new(self.lab.footprint(state, action)));
        let mut known = self.known.lock().expect("nobody panics with it");
        let footprint = match known.iter().find(|it| **it == made) {
            Some((_, footprint)) => Arc::clone(footprint),
            None => {
                known.push(made.clone());
                made.1
            }
        };
        Happened { footprint, may_bring_fault: true, comes_again: true }
    }
}
