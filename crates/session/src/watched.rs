//! A system that is watched while its state space is explored: what we cannot follow must not pass for an end of a run.
//! State spaces and formulas are about what a system does, so an abnormal exit is a transition like any other there. But a
//! state in which the front end itself gives up has successors that nobody knows; the first one met stops the exploration.
//! Not here: methods that exploring never asks for (footprints, properties); they have their defaults.

use crate::{Diagnostic, Loaded, telling::trouble_in};
use foresee_lts::{
    Action, Explorer, Fault, FaultKind, Label, State, Successor, Successors, System,
};
use foresee_search::Meter;
use foresee_stateful::Allow;
use foresee_stdx::halt::Probe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) struct Watched<'a> {
    loaded: &'a Loaded,
    /// Only these actions happen; all if absent.
    allow: Option<Allow>,
    seen: Mutex<Seen>,
    is_stopped: AtomicBool,
}

#[derive(Default)]
struct Seen {
    /// The first state that cannot be followed.
    unmodelled: Option<(State, Fault)>,
    /// The first of those that are wrong in themselves and go on.
    wrong: Option<Fault>,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(loaded: &'a Loaded) -> Self {
        let (seen, is_stopped) = (Mutex::default(), AtomicBool::new(false));
        Watched { loaded, allow: None, seen, is_stopped }
    }

    /// Leaves out what is not allowed to happen.
    pub(crate) fn allowing(mut self, allow: Option<Allow>) -> Self {
        self.allow = allow;
        self
    }

    /// What stopped the exploration, if something did.
    pub(crate) fn trouble(&self) -> Option<Diagnostic> {
        let seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (state, fault) = seen.unmodelled.as_ref()?;
        Some(trouble_in(self.loaded, state, &fault.message))
    }

    /// What the user should know of states that are wrong in themselves.
    pub(crate) fn warning(&self) -> Option<String> {
        let seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let fault = seen.wrong.as_ref()?;
        let first = fault.message.lines().next().unwrap_or_default();
        Some(format!(
            "on the way something goes wrong, which is not asked here ({first}); `check` tells how"
        ))
    }

    /// A meter that also stops when there is trouble.
    pub(crate) fn meter<'m>(&'m self, inner: &'m dyn Meter) -> WatchedMeter<'m> {
        WatchedMeter { inner, is_stopped: &self.is_stopped }
    }

    fn look(&self, state: &[u32], successor: &Successor, successors: &Successors) {
        let mut next = state.to_vec();
        successors.apply(successor, &mut next);
        self.look_at(next);
    }

    fn look_at(&self, next: State) {
        let Some(fault) = self.loaded.fault(&next) else { return };
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if fault.kind != FaultKind::Unmodelled {
            seen.wrong.get_or_insert(fault);
        } else if seen.unmodelled.is_none() {
            seen.unmodelled = Some((next, fault));
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

impl System for Watched<'_> {
    fn initial(&self) -> Vec<State> {
        let initial = self.loaded.initial();
        initial.iter().cloned().for_each(|state| self.look_at(state));
        initial
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.loaded.enabled(state, actions);
        if let Some(allow) = &self.allow {
            actions.retain(|action| allow(state, *action));
        }
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.loaded.step(state, action)
    }
    fn name(&self) -> String {
        self.loaded.name()
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Watcher { watched: self, inner: self.loaded.explorer() })
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.loaded.content_hash(slot, id)
    }
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.loaded.label(state, action)
    }
    fn is_final(&self, state: &[u32]) -> bool {
        self.loaded.is_final(state)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.loaded.fault(state)
    }
    fn memory_bytes(&self) -> usize {
        self.loaded.memory_bytes()
    }
}

struct Watcher<'a> {
    watched: &'a Watched<'a>,
    inner: Box<dyn Explorer + 'a>,
}

impl Explorer for Watcher<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        self.inner.expand(state, successors);
        if let Some(allow) = &self.watched.allow {
            successors.retain(|successor| allow(state, successor.action));
        }
        for successor in successors.iter().filter(|successor| successor.faulty) {
            self.watched.look(state, successor, successors);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }
}

pub(crate) struct WatchedMeter<'a> {
    inner: &'a dyn Meter,
    is_stopped: &'a AtomicBool,
}

impl Meter for WatchedMeter<'_> {
    fn elapsed(&self) -> Duration {
        self.inner.elapsed()
    }
    fn memory_bytes(&self) -> Option<u64> {
        self.inner.memory_bytes()
    }
    fn interrupted(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.inner.interrupted()
    }
    fn probe(&self) -> Option<Arc<dyn Probe>> {
        self.inner.probe()
    }
}
