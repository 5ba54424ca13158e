//! A system that is watched while its state space is explored: what we cannot follow must not pass for an end of a run.
//! State spaces and formulas are about what a system does, so an abnormal exit is a transition like any other there. But a
//! state in which the front end itself gives up has successors that nobody knows; the first one met stops the exploration.

use crate::{Diagnostic, Loaded, telling::trouble_in};
use foresee_lts::{Action, Explorer, Fault, FaultKind, State, Successor, Successors, System};
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

impl foresee_lts::Around for Watched<'_> {
    fn inner(&self) -> &dyn System {
        self.loaded
    }
    fn initial(&self) -> Vec<State> {
        let initial = self.inner().initial();
        initial.iter().cloned().for_each(|state| self.look_at(state));
        initial
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.inner().enabled(state, actions);
        if let Some(allow) = &self.allow {
            actions.retain(|action| allow(state, *action));
        }
    }
    /// Another instance would not be watched.
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Watcher { watched: self, inner: self.inner().explorer() })
    }
}

struct Watcher<'a> {
    watched: &'a Watched<'a>,
    inner: Box<dyn Explorer + 'a>,
}

impl Explorer for Watcher<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        if self.watched.allow.is_some() {
            successors.set_counts_loops(false); // each must be asked about
        }
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
    fn reached(&self, events: u64) {
        self.inner.reached(events);
    }
    fn probe(&self) -> Option<Arc<dyn Probe>> {
        self.inner.probe()
    }
}
