//! Successors as differences: one worker's way through the states of a program.
//! What a component means for a search (who may act, whether it is broken) is found once per component, what a receive
//! makes of an inbox once per pair, and what a step does once per answer of the components it looks at (`crate::memo`).
//! So a state costs a look at each of its slots, and a transition a few probes.
//! Invariant: the same successors in the same order as `enabled` and `step`; slots are visited in the order of what they
//! hold, never of their numbers.

use crate::actions::{DELIVER, STEP, TIMEOUT, TIMER};
use crate::component::{Component, Control};
use crate::memo::Memo;
use crate::system::Erlang;
use foresee_lts::{Action, Explorer, Successors, System};
use rustc_hash::FxHashMap;

pub(crate) struct Worker<'s> {
    system: &'s Erlang,
    /// Slots that may act, in the order of actions; all those below `n_slots`.
    order: Vec<u32>,
    n_slots: u32,
    /// What is known of each component, by id.
    known: Vec<Known>,
    /// What a process does with an inbox, by both ids.
    receives: FxHashMap<(u32, u32), Acts>,
    effects: Memo<Found>,
}

/// What is known of a component.
#[derive(Clone, Copy, Default)]
struct Known {
    seen: bool,
    faulty: bool,
    acts: Acts,
}

/// What a component can do.
#[derive(Clone, Copy, Default, PartialEq)]
enum Acts {
    #[default]
    Never,
    Always(u8),
    /// It depends on the inbox.
    Receives,
}

/// A successor as a difference.
struct Found {
    changes: Box<[(u32, u32)]>,
    delta: u64,
    /// Faulty components that come, and those that go.
    faults: (u32, u32),
}

impl<'s> Worker<'s> {
    pub(crate) fn new(system: &'s Erlang) -> Worker<'s> {
        Worker {
            system,
            order: Vec::new(),
            n_slots: 0,
            known: Vec::new(),
            receives: FxHashMap::default(),
            effects: Memo::default(),
        }
    }

    fn known(&mut self, id: u32) -> Known {
        let at = id as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1 + at / 2, Known::default());
        }
        if !self.known[at].seen {
            let component = self.system.core.get(id);
            let acts = match component {
                Component::Process(process) => match &process.control {
                    Control::Calling { .. } | Control::Ending { .. } => Acts::Always(STEP as u8),
                    Control::Receiving { .. } => Acts::Receives,
                    Control::Ended { .. } | Control::Stuck { .. } => Acts::Never,
                },
                Component::Channel(channel) if !channel.signals.is_empty() => {
                    Acts::Always(DELIVER as u8)
                }
                _ => Acts::Never,
            };
            let faulty = self.system.fault_in(id).is_some();
            self.known[at] = Known { seen: true, faulty, acts };
        }
        self.known[at]
    }

    fn receives(&mut self, state: &[u32], slot: u32) -> Acts {
        let inbox = state.get(slot as usize + 1).copied().unwrap_or(0);
        let key = (state[slot as usize], inbox);
        if let Some(acts) = self.receives.get(&key) {
            return *acts;
        }
        let Component::Process(process) = self.system.core.get(key.0) else {
            unreachable!("only processes receive")
        };
        let acts = match self.system.readiness(state, process) {
            Some(kind) => Acts::Always(kind as u8),
            None => Acts::Never,
        };
        self.receives.insert(key, acts);
        acts
    }

    /// Adds a successor.
    fn successor(
        &mut self,
        state: &[u32],
        action: Action,
        n_faulty: u32,
        successors: &mut Successors,
    ) {
        if self.effects.get(&self.system.core, state, action.0).is_none() {
            let effect = self.system.effect(state, action, 0);
            let found = self.found(state, &effect.changes);
            if effect.asked.is_all() {
                return push(&found, action, n_faulty, successors);
            }
            self.effects.put(action.0, effect.asked, found);
        }
        let found = self.effects.get(&self.system.core, state, action.0);
        push(found.expect("a step asks for all it depends on"), action, n_faulty, successors);
    }

    fn found(&mut self, state: &[u32], changes: &[(u32, u32)]) -> Found {
        let (mut delta, mut faults) = (0u64, (0, 0));
        for &(slot, new) in changes {
            let old = state.get(slot as usize).copied().unwrap_or(0);
            delta = delta
                .wrapping_add(self.system.content_hash(slot as usize, new))
                .wrapping_sub(self.system.content_hash(slot as usize, old));
            faults.0 += u32::from(new != 0 && self.known(new).faulty);
            faults.1 += u32::from(old != 0 && self.known(old).faulty);
        }
        Found { changes: changes.into(), delta, faults }
    }
}

fn push(found: &Found, action: Action, n_faulty: u32, successors: &mut Successors) {
    for &(slot, id) in &found.changes {
        successors.change(slot, id);
    }
    let faulty = n_faulty + found.faults.0 > found.faults.1;
    successors.finish(action, found.delta, faulty);
}

impl Explorer for Worker<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        if self.system.shared(state).halted.is_some() {
            return;
        }
        if self.system.core.slots.len() != self.n_slots {
            (self.order, self.n_slots) = self.system.core.slots.in_order();
        }
        let mut n_faulty = 0;
        for &id in state.iter().filter(|id| **id != 0) {
            n_faulty += u32::from(self.known(id).faulty);
        }
        for at in 0..self.order.len() {
            let slot = self.order[at];
            let Some(&id) = state.get(slot as usize).filter(|id| **id != 0) else { continue };
            let mut acts = self.known(id).acts;
            if acts == Acts::Receives {
                acts = self.receives(state, slot);
            }
            if let Acts::Always(kind) = acts {
                debug_assert!(matches!(u64::from(kind), STEP | TIMEOUT | DELIVER));
                let action = Action(u64::from(kind) << 56 | u64::from(slot));
                self.successor(state, action, n_faulty, successors);
            }
        }
        for index in 0..self.system.timers(state).timers.len() as u64 {
            self.successor(state, Action(TIMER << 56 | index), n_faulty, successors);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.known.capacity() * size_of::<Known>()
            + self.receives.capacity() * 16
            + self.effects.memory_bytes()
    }
}
