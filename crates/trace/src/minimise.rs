//! Minimisation: fewer events, the same violation.
//! Why skipping: a candidate is a subsequence of the events, and an event may need one that was taken out (a delivery
//! needs its send). Rejecting such candidates would make delta debugging find next to nothing; skipping the events that
//! are not enabled takes a cause out together with all its consequences, and what is left is a run by construction.
//! Paper: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002); `ddmin` below is its
//! algorithm without the subset tests, which never helped here.
//! Steps: cut loops (a state seen twice), ddmin, then single events until no single one can go, then pairs if the run is
//! short. Each step only accepts a strictly shorter failing run, so the result is never longer, and a shortest run stays
//! exactly as it is.

use crate::matching::{IfNotEnabled, Matcher, Stepped, Wanted, run_until_failing, wanted_of};
use crate::{Allow, Oracle};
use foresee_lts::{Path, State, System};
use foresee_stdx::halt;
use std::collections::BTreeMap;

/// How far minimisation goes.
#[derive(Clone)]
pub struct MinimiseConfig {
    /// The search's own restriction.
    pub allow: Option<Allow>,
    /// Stop after looking at this many events in all candidates together.
    pub steps_max: u64,
    /// Try to remove pairs of events from runs of at most this many events.
    pub pairs_max: usize,
}

impl Default for MinimiseConfig {
    fn default() -> Self {
        MinimiseConfig { allow: None, steps_max: 200_000, pairs_max: 40 }
    }
}

/// A run that is at most as long as the original.
#[derive(Clone, Debug)]
pub struct Minimised {
    pub path: Path,
    /// The states of the run, one before each action and the last.
    pub states: Vec<State>,
    /// How many events were looked at.
    pub steps: u64,
    /// No single event can be left out any more; false if the budget ended first, or a limit has struck.
    pub is_minimal: bool,
}

/// Shortens `path` while `still_fails` says so of the run. Deterministic.
///
/// If the oracle does not hold anywhere on `path` itself, `path` comes back unchanged.
///
/// ```
/// use foresee_lts::{Action, Path, System, toy::Counters};
/// use foresee_trace::{MinimiseConfig, minimise};
/// let system = Counters::new(3, 5);
/// let noisy = Path { initial: vec![0, 0, 0], actions: [0, 2, 1, 1, 0, 2, 1].map(Action).to_vec() };
/// let shorter = minimise(&system, &noisy, &|_, state| state[1] >= 2, &MinimiseConfig::default());
/// assert_eq!(shorter.path.actions, [Action(1), Action(1)]);
/// ```
pub fn minimise(
    system: &dyn System,
    path: &Path,
    still_fails: Oracle<'_>,
    config: &MinimiseConfig,
) -> Minimised {
    let mut work = Work {
        system,
        matcher: Matcher::new(system, config.allow.clone()),
        initial: path.initial.clone(),
        oracle: still_fails,
        steps: 0,
        steps_max: config.steps_max,
        best: Stepped { path: path.clone(), states: path.states(system) },
        events: Vec::new(),
    };
    work.events = wanted_of(system, &work.best);
    let original = work.events.clone();
    let fails = work.run(&original);
    let is_minimal = match fails {
        None => false,
        Some(run) => {
            work.accept(run);
            work.cut_loops();
            work.ddmin() && work.singles() && work.pairs(config.pairs_max)
        }
    };
    let Stepped { path: best, states } = work.best;
    debug_assert!(best.actions.len() <= path.actions.len());
    Minimised { path: best, states, steps: work.steps, is_minimal }
}

struct Work<'a> {
    system: &'a dyn System,
    matcher: Matcher<'a>,
    initial: Vec<u32>,
    oracle: Oracle<'a>,
    steps: u64,
    steps_max: u64,
    /// The shortest failing run so far, and its events.
    best: Stepped,
    events: Vec<Wanted>,
}

impl Work<'_> {
    fn run(&mut self, events: &[Wanted]) -> Option<Stepped> {
        let Work { matcher, initial, oracle, steps, .. } = self;
        let skip = IfNotEnabled::Skip;
        let run =
            halt::until_halted(|| run_until_failing(matcher, initial, events, skip, oracle, steps));
        run.unwrap_or(None)
    }

    /// Takes over a run if it is shorter than the best.
    fn accept(&mut self, run: Stepped) {
        if run.path.actions.len() < self.best.path.actions.len() {
            self.events = wanted_of(self.system, &run);
            self.best = run;
        }
    }

    /// Tries the best run without the events for which `leave_out` holds; true if it still fails.
    fn try_without(&mut self, leave_out: impl Fn(usize) -> bool) -> bool {
        let kept = self.events.iter().enumerate().filter(|(i, _)| !leave_out(*i));
        let candidate: Vec<Wanted> = kept.map(|(_, event)| event.clone()).collect();
        let run = self.run(&candidate);
        let fails = run.is_some();
        if let Some(run) = run {
            self.accept(run);
        }
        fails
    }

    fn is_over(&self) -> bool {
        self.steps >= self.steps_max || halt::struck().is_some()
    }

    /// Leaves out what happens between two visits of one state, the longest such stretch first from each state.
    fn cut_loops(&mut self) {
        let states = &self.best.states;
        let last_visit: BTreeMap<&[u32], usize> =
            states.iter().enumerate().map(|(i, state)| (state.as_slice(), i)).collect();
        let mut kept = Vec::new();
        let mut i = 0;
        while i < states.len() {
            i = last_visit[states[i].as_slice()];
            if i < self.events.len() {
                kept.push(self.events[i].clone());
            }
            i += 1;
        }
        if kept.len() < self.events.len()
            && let Some(run) = self.run(&kept)
        {
            self.accept(run);
        }
    }

    /// Leaves out chunks, large ones first; false if the budget ends.
    fn ddmin(&mut self) -> bool {
        let mut n_chunks = 2;
        while self.events.len() >= 2 {
            let n = self.events.len();
            let size = n.div_ceil(n_chunks.min(n));
            let mut start = 0;
            let mut progress = false;
            while start < self.events.len() {
                if self.is_over() {
                    return false;
                }
                let end = start + size;
                if self.try_without(|i| (start..end).contains(&i)) {
                    // The events after the chunk have moved to where it was.
                    progress = true;
                } else {
                    start = end;
                }
            }
            if size == 1 && !progress {
                return true;
            }
            n_chunks = if size == 1 { n_chunks } else { n_chunks * 2 };
        }
        true
    }

    /// Leaves out single events until none can go; false if the budget ends.
    fn singles(&mut self) -> bool {
        let mut i = self.events.len();
        while i > 0 {
            if self.is_over() {
                return false;
            }
            i -= 1;
            if self.try_without(|j| j == i) {
                i = self.events.len();
            }
        }
        true
    }

    /// Leaves out pairs, for events that only make sense together; false if the budget ends.
    fn pairs(&mut self, pairs_max: usize) -> bool {
        let mut first = 0;
        while self.events.len() <= pairs_max && first < self.events.len() {
            let mut progress = false;
            for second in first + 1..self.events.len() {
                if self.is_over() {
                    return false;
                }
                if self.try_without(|i| i == first || i == second) {
                    progress = true;
                    break;
                }
            }
            if !progress {
                first += 1;
            } else if !self.singles() {
                return false;
            } else {
                first = 0;
            }
        }
        true
    }
}
