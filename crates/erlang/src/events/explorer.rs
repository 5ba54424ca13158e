//! Successors as differences: one worker's way through the states of a program.
//! What can happen is found by what is known of components (`crate::events::ready`), and what a step does once per answer of the
//! components it looks at (`crate::events::memo`). So a state costs a look at each of its slots, and a transition a few probes.
//! Invariant: the same successors in the same order as `enabled` and `step`.

use crate::events::memo::Memo;
use crate::events::ready::Ready;
use crate::system::Erlang;
use crate::world::core::Core;
use crate::world::edit::Change;
use foresee_lts::{Action, Explorer, Successors, System};

pub(crate) struct Worker<'s> {
    system: &'s Erlang,
    ready: Ready,
    actions: Vec<Action>,
    /// Which components are broken, by id.
    faulty: Vec<Option<bool>>,
    effects: Memo<Found>,
}

/// A successor as a difference.
struct Found {
    changes: Box<[(u32, Change)]>,
    /// Of the slots that are put, as the faults are; inboxes that are edited are looked at each time.
    delta: u64,
    /// Faulty components that come, and those that go.
    faults: (u32, u32),
}

impl<'s> Worker<'s> {
    pub(crate) fn new(system: &'s Erlang) -> Worker<'s> {
        Worker {
            system,
            ready: Ready::default(),
            actions: Vec::new(),
            faulty: Vec::new(),
            effects: Memo::default(),
        }
    }

    fn is_faulty(&mut self, id: u32) -> bool {
        let at = id as usize;
        if at >= self.faulty.len() {
            self.faulty.resize(at + 1 + at / 2, None);
        }
        *self.faulty[at].get_or_insert_with(|| id != 0 && self.system.fault_in(id).is_some())
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
            let effect = self.system.effect(state, action, None);
            let found = self.found(state, &effect.changes);
            if effect.asked.is_all() {
                return push(&self.system.core, state, &found, action, n_faulty, successors);
            }
            self.effects.put(state, action.0, effect.asked, found);
        }
        let found = self.effects.get(&self.system.core, state, action.0);
        let found = found.expect("a step asks for all it depends on");
        self.system.assert_as_anew(state, action, &found.changes, None);
        push(&self.system.core, state, found, action, n_faulty, successors);
    }

    fn found(&mut self, state: &[u32], changes: &[(u32, Change)]) -> Found {
        let (mut delta, mut faults) = (0u64, (0, 0));
        for &(slot, change) in changes {
            let Change::Put(new) = change else { continue };
            let old = state.get(slot as usize).copied().unwrap_or(0);
            delta = delta
                .wrapping_add(self.system.content_hash(slot as usize, new))
                .wrapping_sub(self.system.content_hash(slot as usize, old));
            faults.0 += u32::from(self.is_faulty(new));
            faults.1 += u32::from(self.is_faulty(old));
        }
        Found { changes: changes.into(), delta, faults }
    }
}

fn push(
    core: &Core,
    state: &[u32],
    found: &Found,
    action: Action,
    n_faulty: u32,
    successors: &mut Successors,
) {
    let mut delta = found.delta;
    for &(slot, change) in &found.changes {
        if let Change::Put(id) = change {
            successors.change(slot, id);
            continue;
        }
        let old = state.get(slot as usize).copied().unwrap_or(0);
        let new = core.changed(old, change);
        if new != old {
            let hash = |id| core.components.hash(id);
            delta = delta.wrapping_add(hash(new)).wrapping_sub(hash(old));
            successors.change(slot, new);
        }
    }
    let faulty = n_faulty + found.faults.0 > found.faults.1;
    successors.finish(action, delta, faulty);
}

impl Explorer for Worker<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        if self.ready.list(self.system, state, &mut actions).is_none() {
            self.ready.learn(self.system, state);
            let listed = self.ready.list(self.system, state, &mut actions);
            listed.expect("all that is needed was learnt");
        }
        let n_faulty = state.iter().filter(|id| self.is_faulty(**id)).count() as u32;
        for &action in &actions {
            self.successor(state, action, n_faulty, successors);
        }
        self.actions = actions;
    }

    fn memory_bytes(&self) -> usize {
        self.ready.memory_bytes() + self.faulty.capacity() + self.effects.memory_bytes()
    }
}
