//! A system whose independent events are checked in every state that an engine visits.
//! Why a system around the system: an engine asks for what can happen in each state it comes to, so whatever the engine, this
//! sees the states that it visits, each once; and an exploration without the check pays nothing for it.
//! The first difference ends the exploration, through the meter: nothing that is found after that could be believed.

use crate::Meter;
use crate::independence::{Difference, check_independence};
use foresee_lts::{
    Action, Explorer, Happened, Interleaved, InterleavedAround, Path, State, System, plain_explorer,
};
use foresee_stdx::halt::Probe;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A system, and what came of the check.
pub struct Checked<'a> {
    system: &'a dyn System,
    seen: Mutex<Seen>,
    has_found: AtomicBool,
}

#[derive(Default)]
struct Seen {
    /// The states that were checked or are to be, each with the state and the action it was first reached by.
    from: BTreeMap<State, Option<(State, Action)>>,
    checked: BTreeSet<State>,
    n_pairs: u64,
    first: Option<Difference>,
}

impl<'a> Checked<'a> {
    pub fn new(system: &'a dyn System) -> Self {
        Checked { system, seen: Mutex::default(), has_found: AtomicBool::new(false) }
    }

    /// How many independent pairs of events were checked, and in how many states.
    pub fn counts(&self) -> (u64, usize) {
        let seen = self.seen();
        (seen.n_pairs, seen.checked.len())
    }

    /// The first difference, and a run to the state in which it was found.
    pub fn difference(&self) -> Option<(Difference, Path)> {
        let seen = self.seen();
        let first = seen.first.clone()?;
        let mut state = &first.state;
        let mut actions = Vec::new();
        while let Some(Some((before, action))) = seen.from.get(state) {
            actions.push(*action);
            state = before;
        }
        actions.reverse();
        let initial = state.clone();
        Some((first, Path { initial, actions }))
    }

    /// A meter that also stops when a difference was found.
    pub fn meter<'m>(&'m self, inner: &'m dyn Meter) -> CheckedMeter<'m> {
        CheckedMeter { inner, has_found: &self.has_found }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, state: &[u32]) {
        if self.has_found.load(Relaxed) || !self.seen().checked.insert(state.to_vec()) {
            return;
        }
        let mut differences = Vec::new();
        let n_pairs = check_independence(self.system, state, &mut differences);
        let mut seen = self.seen();
        seen.n_pairs += n_pairs;
        if let Some(first) = differences.into_iter().next() {
            seen.first.get_or_insert(first);
            self.has_found.store(true, Relaxed);
        }
    }

    fn reaches(&self, state: &[u32], action: Action, next: &[u32]) {
        let mut seen = self.seen();
        if !seen.from.contains_key(next) {
            seen.from.insert(next.to_vec(), Some((state.to_vec(), action)));
        }
    }
}

impl foresee_lts::Around for Checked<'_> {
    fn inner(&self) -> &dyn System {
        self.system
    }
    fn initial(&self) -> Vec<State> {
        let initial = self.system.initial();
        let mut seen = self.seen();
        for state in &initial {
            seen.from.insert(state.clone(), None);
        }
        initial
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.look(state);
        self.system.enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        let next = self.system.step(state, action);
        self.reaches(state, action, &next);
        next
    }
    fn interleaving(&self) -> Option<&dyn Interleaved> {
        self.system.interleaving().map(|_| self as &dyn Interleaved)
    }
    /// Workers with memories of their own would not be looked at.
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        plain_explorer(self)
    }
    fn memory_bytes(&self) -> usize {
        let seen = self.seen();
        let width = seen.checked.iter().next().map_or(0, Vec::len);
        self.system.memory_bytes() + (seen.from.len() * 2 + seen.checked.len()) * (width * 4 + 48)
    }
}

impl InterleavedAround for Checked<'_> {
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        self.look(state);
        self.threads().enabled_threads(state, enabled);
    }
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        let happened = self.threads().happen(state, action, next);
        self.reaches(state, action, next);
        happened
    }
}

/// A meter beside which a difference stops the exploration.
pub struct CheckedMeter<'a> {
    inner: &'a dyn Meter,
    has_found: &'a AtomicBool,
}

impl Meter for CheckedMeter<'_> {
    fn elapsed(&self) -> Duration {
        self.inner.elapsed()
    }
    fn memory_bytes(&self) -> Option<u64> {
        self.inner.memory_bytes()
    }
    fn interrupted(&self) -> bool {
        self.has_found.load(Relaxed) || self.inner.interrupted()
    }
    fn reached(&self, events: u64) {
        self.inner.reached(events);
    }
    fn probe(&self) -> Option<Arc<dyn Probe>> {
        self.inner.probe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoMeter, Unlike};
    use foresee_lts::{Actor, Footprint, Mode};

    /// Two threads that each write to one register, once; what they say of it is for the test to choose.
    struct Writers(Mode);

    impl System for Writers {
        fn initial(&self) -> Vec<State> {
            vec![vec![0, 0, 0]]
        }
        fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
            actions.extend((1..3).filter(|it| state[*it] == 0).map(|it| Action(it as u64)));
        }
        fn step(&self, state: &[u32], action: Action) -> State {
            let mut next = state.to_vec();
            next[0] = action.0 as u32;
            next[action.0 as usize] = 1;
            next
        }
        fn interleaving(&self) -> Option<&dyn Interleaved> {
            Some(self)
        }
    }

    impl Interleaved for Writers {
        fn actor(&self, _: &[u32], action: Action) -> Actor {
            Actor(action.0 as u32)
        }
        fn footprint(&self, state: &[u32], action: Action) -> Footprint {
            Footprint::of(self.actor(state, action)).touches(0, self.0)
        }
    }

    /// Visits every state.
    fn visit(system: &dyn System) {
        let mut open = system.initial();
        while let Some(state) = open.pop() {
            let mut actions = Vec::new();
            system.enabled(&state, &mut actions);
            open.extend(actions.into_iter().map(|action| system.step(&state, action)));
        }
    }

    #[test]
    fn a_footprint_that_says_too_little_is_found_out() {
        let checked = Checked::new(&Writers(Mode::Add));
        visit(&checked);
        let (difference, path) = checked.difference().expect("the order decides what is there");
        assert_eq!(difference.unlike, Unlike::States);
        assert_eq!((difference.state, path.actions.len()), (vec![0, 0, 0], 0));
        assert!(checked.meter(&NoMeter).interrupted());
    }

    #[test]
    fn what_is_said_to_need_another_and_does_not_is_found_out() {
        struct Needs;
        impl System for Needs {
            fn initial(&self) -> Vec<State> {
                Writers(Mode::Use).initial()
            }
            fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
                Writers(Mode::Use).enabled(state, actions);
            }
            fn step(&self, state: &[u32], action: Action) -> State {
                Writers(Mode::Use).step(state, action)
            }
            fn interleaving(&self) -> Option<&dyn Interleaved> {
                Some(self)
            }
        }

        impl Interleaved for Needs {
            fn footprint(&self, _: &[u32], action: Action) -> Footprint {
                let mode = if action.0 == 1 { Mode::Create } else { Mode::Use };
                Footprint::of(Actor(action.0 as u32)).touches(0, mode)
            }
        }
        let checked = Checked::new(&Needs);
        visit(&checked);
        let found = checked.difference().map(|it| it.0.unlike);
        assert_eq!(found, Some(Unlike::NotNeeded));
    }

    #[test]
    fn events_that_are_said_to_race_are_left_alone() {
        let checked = Checked::new(&Writers(Mode::Write));
        visit(&checked);
        assert!(checked.difference().is_none());
        assert_eq!(checked.counts().0, 0);
    }
}
