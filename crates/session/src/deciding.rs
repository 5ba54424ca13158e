//! Races of a run that is told, and which of them decide: the other order is tried once, and all goes well.
//! Why: a run of a hundred steps has dozens of races, and the reader wants the one that matters. So the run is followed to
//! the race, the later event goes first, and the rest follows as it did as far as it can. What is said of that one run is
//! true; that every run with that order goes well is not claimed.

use crate::Missed;
use foresee_lts::{Action, Footprint, State, System, Verb};
use foresee_trace::{Race, Run};

/// Longer runs, and more races, are not tried.
const STEPS_MAX: usize = 500;
const RACES_MAX: usize = 64;
/// The same for what did not happen.
const MISSED_STEPS_MAX: usize = 300;
const MISSED_TRIES_MAX: usize = 200;
/// As many events of a thread are passed by together at most.
const EARLIER_MAX: usize = 3;
/// A run that goes on for longer than this after the race is given up.
const REST_MAX: usize = 2_000;

/// The races of `path`, as step numbers from 1. `tries` says whether the other order is to be tried.
pub(crate) fn races(run: &Run<'_>, tries: bool) -> Vec<Race> {
    let path = run.path();
    let pairs = foresee_stateless::races_of(run.system(), path, run.states(), true);
    if path.actions.len() > STEPS_MAX || pairs.len() > RACES_MAX {
        let plain = |(first, second)| Race { first: first + 1, second: second + 1, decides: false };
        // Where footprints do not tell causes from races, what was not tried is not told.
        return pairs.into_iter().filter(|_| tries).map(plain).collect();
    }
    let run = Tried::of(run);
    let mut races = Vec::new();
    for (first, second) in pairs {
        foresee_stdx::halt::look();
        let Some(reversed) = run.reversed(first, second) else { continue };
        let is_same_event = reversed.is_same_event;
        let decides = tries && run.goes_well_after(reversed, second) == Some(true);
        // A receive that could only have given up waiting did not race with the send of what it received.
        if decides || is_same_event {
            races.push(Race { first: first + 1, second: second + 1, decides });
        }
        // The later event may have to go before several of the other thread's to make a difference.
        let earlier = if tries && !decides { run.earlier(first, second) } else { Vec::new() };
        let deciding = |at: &&usize| run.goes_well_reversed(**at, second) == Some(true);
        if let Some(first) = earlier.iter().find(deciding) {
            races.push(Race { first: first + 1, second: second + 1, decides: true });
        }
    }
    races.sort_by_key(|race| (race.first, race.second, !race.decides));
    races.dedup_by_key(|race| (race.first, race.second));
    races
}

/// A run on the other way, after the later event of a race.
struct Reversed {
    state: State,
    /// What still has to happen.
    held: Vec<usize>,
    /// Something went wrong on the way.
    is_wrong: bool,
    /// What the later event's thread does in its place is the same kind of thing.
    is_same_event: bool,
}

/// What did not happen in time: of a run in which no race decides, the latest step before which another process could have done
/// its next thing, so that all had gone well. A run that was shortened to what is needed for the error often leaves out the very
/// event that should have come first.
pub(crate) fn missed(run: &Run<'_>) -> Option<Missed> {
    let (system, n_steps) = (run.system(), run.path().actions.len());
    if n_steps > MISSED_STEPS_MAX {
        return None;
    }
    let run = Tried::of(run);
    let mut tries_left = MISSED_TRIES_MAX;
    for before in (0..n_steps).rev() {
        let state = &run.states[before];
        let mut actions = Vec::new();
        system.enabled(state, &mut actions);
        foresee_stdx::halt::look();
        for action in actions {
            let thread = system.thread(state, action);
            if run.threads[before..].contains(&thread) {
                continue; // it has its turn later on: that would be a race
            }
            tries_left = usize::checked_sub(tries_left, 1)?;
            if run.goes_well_with(before, action) == Some(true) {
                let label = system.label(state, action);
                return Some(Missed { before: before + 1, label });
            }
        }
    }
    None
}

/// A run whose events are tried in another order.
struct Tried<'a> {
    system: &'a dyn System,
    states: &'a [State],
    threads: Vec<u64>,
    verbs: Vec<Verb>,
    footprints: &'a [Footprint],
}

impl<'a> Tried<'a> {
    fn of(run: &'a Run<'_>) -> Self {
        let system = run.system();
        let threads = run.steps().map(|(state, action)| system.thread(state, action)).collect();
        let verbs = run.steps().map(|(state, action)| system.label(state, action).verb).collect();
        Tried { system, states: run.states(), threads, verbs, footprints: run.footprints() }
    }

    /// Whether nothing goes wrong when `action` is done before the event at `before`, and the rest follows.
    fn goes_well_with(&self, before: usize, action: Action) -> Option<bool> {
        let mut state = self.system.step(&self.states[before], action);
        for thread in &self.threads[before..] {
            if self.is_wrong(&state) {
                return Some(false);
            }
            if let Some(next) = self.advance(&state, *thread) {
                state = next;
            }
        }
        self.ends_well(state)
    }

    /// Earlier events of the thread of `first` that touch what `second` touches, the latest first.
    fn earlier(&self, first: usize, second: usize) -> Vec<usize> {
        let own = (0..first).rev().filter(|i| self.threads[*i] == self.threads[first]);
        let meets = |i: &usize| self.footprints[*i].depends_on(&self.footprints[second]);
        own.filter(meets).take(EARLIER_MAX).collect()
    }

    /// Whether nothing goes wrong when the event at `second` happens before the one at `first`; `None` if that could not be
    /// brought about.
    fn goes_well_reversed(&self, first: usize, second: usize) -> Option<bool> {
        self.goes_well_after(self.reversed(first, second)?, second)
    }

    /// Whether nothing goes wrong when the rest follows a run in which the event at `second` went first.
    fn goes_well_after(&self, reversed: Reversed, second: usize) -> Option<bool> {
        let Reversed { mut state, held, is_wrong, .. } = reversed;
        if is_wrong {
            return Some(false);
        }
        for i in held.into_iter().chain(second + 1..self.threads.len()) {
            if self.is_wrong(&state) {
                return Some(false);
            }
            if let Some(next) = self.advance(&state, self.threads[i]) {
                state = next;
            }
        }
        self.ends_well(state)
    }

    /// Goes as far as the event at `second`, with the one at `first` still to come; `None` if that cannot be: footprints do not always
    /// say that one event makes what the other uses, a node that sends a message and the message's arrival.
    fn reversed(&self, first: usize, second: usize) -> Option<Reversed> {
        let mut state = self.states[first].clone();
        let mut is_wrong = false;
        // What depends on the earlier event must wait for it.
        let mut held = vec![first];
        for i in first + 1..second {
            let depends = |on: &usize| self.footprints[i].depends_on(&self.footprints[*on]);
            if held.iter().any(depends) {
                held.push(i);
            } else {
                state = self.advance(&state, self.threads[i])?;
                is_wrong |= self.is_wrong(&state);
            }
        }
        let action = self.next_of(&state, self.threads[second])?;
        let is_same_event = self.system.label(&state, action).verb == self.verbs[second];
        let state = self.system.step(&state, action);
        Some(Reversed { state, held, is_wrong, is_same_event })
    }

    /// What the thread does next, if it can do anything.
    fn next_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        let mut actions: Vec<Action> = Vec::new();
        self.system.enabled(state, &mut actions);
        actions.into_iter().find(|it| self.system.thread(state, *it) == thread)
    }

    fn advance(&self, state: &[u32], thread: u64) -> Option<State> {
        let action = self.next_of(state, thread)?;
        Some(self.system.step(state, action))
    }

    fn ends_well(&self, mut state: State) -> Option<bool> {
        let mut actions = Vec::new();
        for _ in 0..REST_MAX {
            if self.is_wrong(&state) {
                return Some(false);
            }
            actions.clear();
            self.system.enabled(&state, &mut actions);
            match actions.first() {
                Some(action) => state = self.system.step(&state, *action),
                None => return Some(self.system.is_final(&state)),
            }
        }
        None
    }

    fn is_wrong(&self, state: &[u32]) -> bool {
        self.system.fault(state).is_some()
    }
}
