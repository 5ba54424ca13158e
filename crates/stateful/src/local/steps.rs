//! Taking local steps: from any state to the state in which there are none, and an explorer of such states.

use super::Shared;
use super::learned::Event;
use foresee_lts::{Action, Change, Explorer, Happened, Interleaved, State, Successors, System};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Local steps in a row; a state after so many is stored, so that nothing goes on for ever in between.
const CHAIN_MAX: usize = 256;

/// Takes local steps.
pub(crate) struct Collapse<'a> {
    system: &'a dyn System,
    threads: &'a dyn Interleaved,
    shared: Arc<Shared>,
    enabled: Vec<(Action, u64)>,
    next: State,
    /// Who has taken the last step; it is likely to go on.
    last: u64,
}

impl<'a> Collapse<'a> {
    /// `None` if nothing is known of threads.
    pub(crate) fn new(system: &'a dyn System, shared: &Arc<Shared>) -> Option<Self> {
        let threads = system.interleaving()?;
        let (enabled, next) = (Vec::new(), State::new());
        Some(Collapse { system, threads, shared: Arc::clone(shared), enabled, next, last: 0 })
    }

    /// Takes local steps from `state` on until there are none, or something is wrong; the actions that were taken are added to `taken`.
    pub(crate) fn settle(&mut self, state: &mut State, taken: &mut Vec<Action>) {
        self.last = 0;
        let end = taken.len() + CHAIN_MAX;
        while taken.len() < end {
            let Some((action, may_bring_fault)) = self.local_step(state) else { break };
            taken.push(action);
            std::mem::swap(state, &mut self.next);
            if may_bring_fault && self.system.fault(state).is_some() {
                break;
            }
        }
    }

    /// A local step in `state`, whose result is then `next`, and whether it may have broken something.
    fn local_step(&mut self, state: &State) -> Option<(Action, bool)> {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        self.threads.enabled_threads(state, &mut enabled);
        if let Some(last) = enabled.iter().position(|(_, thread)| *thread == self.last) {
            enabled[..=last].rotate_right(1);
        }
        let local = enabled.iter().find_map(|&(action, thread)| {
            let happened = self.threads.happen(state, action, &mut self.next);
            let event = Event { state, action, thread, happened: &happened };
            let is_local =
                !self.is_visible(state) && self.shared.learned().is_local(self.threads, &event);
            is_local.then_some((action, thread, happened.may_bring_fault))
        });
        self.enabled = enabled;
        let (action, thread, may_bring_fault) = local?;
        self.last = thread;
        Some((action, may_bring_fault))
    }

    /// Whether what a property reads differs between `state` and `next`.
    fn is_visible(&self, state: &State) -> bool {
        let differs = |slot: &usize| {
            let at = |state: &State| state.get(*slot).copied().unwrap_or(0);
            at(state) != at(&self.next)
        };
        self.shared.visible.iter().any(differs)
    }

    fn learn(&self, state: &[u32], (action, thread): (Action, u64), happened: &Happened) {
        let event = Event { state, action, thread, happened };
        self.shared.learned().learn(self.threads, &event);
    }
}

/// An explorer of states without local steps.
pub(crate) struct Collapsed<'a> {
    collapse: Collapse<'a>,
    enabled: Vec<(Action, u64)>,
    next: State,
    taken: Vec<Action>,
}

impl<'a> Collapsed<'a> {
    pub(crate) fn new(collapse: Collapse<'a>) -> Self {
        Collapsed { collapse, enabled: Vec::new(), next: State::new(), taken: Vec::new() }
    }
}

impl Explorer for Collapsed<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        let (system, threads) = (self.collapse.system, self.collapse.threads);
        self.enabled.clear();
        threads.enabled_threads(state, &mut self.enabled);
        let was_faulty = system.fault(state).is_some();
        for &event in &self.enabled {
            let happened = threads.happen(state, event.0, &mut self.next);
            self.collapse.learn(state, event, &happened);
            let mut faulty = match happened.may_bring_fault {
                true => system.fault(&self.next).is_some(),
                false => was_faulty,
            };
            if !faulty {
                self.taken.clear();
                self.collapse.settle(&mut self.next, &mut self.taken);
                self.collapse.shared.n_new.fetch_add(self.taken.len() as u64, Relaxed);
                faulty = !self.taken.is_empty() && system.fault(&self.next).is_some();
            }
            push_difference(system, state, &self.next, event.0, faulty, successors);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.collapse.shared.bytes()
    }
}

/// Adds `next` as a successor of `state`.
fn push_difference(
    system: &dyn System,
    state: &[u32],
    next: &State,
    action: Action,
    faulty: bool,
    successors: &mut Successors,
) {
    let mut delta = 0u64;
    let mut changes: Vec<Change> = Vec::new();
    for slot in 0..next.len().max(state.len()) {
        let (before, after) = (state.get(slot).copied(), next.get(slot).copied().unwrap_or(0));
        if before != Some(after) {
            let hash = |id: u32| system.content_hash(slot, id);
            delta = delta.wrapping_add(hash(after)).wrapping_sub(before.map_or(0, hash));
            changes.push(Change { slot: slot as u32, id: after });
        }
    }
    successors.push(action, delta, faulty, &changes);
}
