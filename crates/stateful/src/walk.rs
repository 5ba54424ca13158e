//! Random walks: from a start, one random step after the other. They never prove anything, but reach far.
//! A step is an event that changes something: where messages may come again, most events of a long run change nothing, and a walk that took
//! them would stand still most of the time. A walk ends where nothing changes any more.
//! The n-th walk draws from its own stream of random numbers, a function of the seed and n alone. States are stored as in
//! the other strategies, so distinct ones are counted, a property is evaluated once per state, and a violation's run
//! follows first-found parents: it is never longer than the walk, and often shorter.
//! With several threads walks are taken ahead of their turn (`ahead.rs`) and told to the store in turn, with the same result.

use crate::ahead;
use crate::engine::{Engine, Order, Stop};
use crate::expander::{Batch, Expander};
use crate::habit::{self, Habit};
use foresee_lts::StoppedBy;
use foresee_search::{StateIndex, StateStore, VisitedKind};
use foresee_stdx::{Random, mix};
use rustc_hash::FxHashSet;

const STEPS_DEFAULT: u32 = 1000;

/// How many walks there are to be, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) n_walks: u64,
    pub(crate) n_steps: u32,
    pub(crate) n_starts: u64,
    pub(crate) seed: u64,
    /// The number of the first walk, among those that draw from this seed.
    pub(crate) first_walk: u64,
}

impl Extent {
    /// What a walk draws before its first step.
    pub(crate) fn begin(&self, walk: u64) -> Beginning {
        let number = self.first_walk.wrapping_add(walk);
        let mut random = Random::new(mix(self.seed).wrapping_add(number));
        let start = random.below(self.n_starts) as usize;
        let n_steps = habit::length(&mut random, self.n_steps);
        Beginning { start, n_steps, habit: Habit::drawn(random) }
    }
}

/// What is known of a walk before its first step.
pub(crate) struct Beginning {
    pub(crate) start: usize,
    /// Steps at the most.
    pub(crate) n_steps: u32,
    pub(crate) habit: Habit,
}

/// Where the steps of walks come from.
pub(crate) trait Steps {
    /// Begins a walk; false if there are no more.
    fn begin(&mut self, engine: &mut Engine<'_>, walk: u64) -> bool;
    /// Fills `batch` with the walk's next step, from `parent`.
    fn next(
        &mut self,
        expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    );
    /// The same step once more, for a store that has another layout now.
    fn again(
        &mut self,
        expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    );
}

pub(crate) fn run(engine: &mut Engine<'_>) {
    engine.releases = false;
    let mut ends = Ends::default();
    engine.start(&mut ends);
    let extent = Extent {
        // Without a limit on walks another ends them.
        n_walks: engine.config.limits.interleavings_max.unwrap_or(u64::MAX),
        n_steps: engine.config.limits.depth_max.unwrap_or(STEPS_DEFAULT),
        n_starts: engine.starts.len() as u64,
        seed: engine.config.seed,
        first_walk: engine.config.first_walk,
    };
    // The differences that fingerprints are made of are those between states of the store.
    if engine.config.threads > 1 && engine.config.visited == VisitedKind::Exact {
        ahead::with(engine, extent, |engine, steps| walk_all(engine, extent, &mut ends, steps));
    } else {
        let habit = extent.begin(0).habit;
        let mut steps = Drawn { extent, before: habit.clone(), habit };
        walk_all(engine, extent, &mut ends, &mut steps);
    }
    engine.stop(Stop::Limit(StoppedBy::Interleavings));
}

fn walk_all(engine: &mut Engine<'_>, extent: Extent, ends: &mut Ends, steps: &mut impl Steps) {
    while engine.walks < extent.n_walks && !engine.is_stopped() {
        if !steps.begin(engine, engine.walks) {
            return;
        }
        let Beginning { start, n_steps, .. } = extent.begin(engine.walks);
        let mut state = StateIndex(start as u32);
        for step in 0..n_steps {
            if ends.states.contains(&state) {
                break;
            }
            let known = engine.store.len();
            let next = engine.walk(state, steps, ends);
            if engine.store.len() > known {
                engine.depth = engine.depth.max(step + 1);
            }
            let Some(next) = next else { break };
            state = next;
        }
        engine.walks += 1;
        engine.poll(1);
    }
}

impl Engine<'_> {
    /// Takes one step from `parent`; the state reached, or `None` if there is no step or the search stopped.
    fn walk(
        &mut self,
        parent: StateIndex,
        steps: &mut impl Steps,
        order: &mut impl Order,
    ) -> Option<StateIndex> {
        let mut batch = std::mem::take(&mut self.batch);
        steps.next(&mut self.expander, &self.store, parent, &mut batch);
        while !batch.candidates.misfits().is_empty() {
            self.store.widen(batch.candidates.misfits());
            steps.again(&mut self.expander, &self.store, parent, &mut batch);
        }
        self.absorb(&batch, order);
        let candidates = &batch.candidates;
        let reached = match (candidates.is_empty(), candidates.n_transitions()) {
            (_, 0) => None,
            (true, _) => Some(parent),
            (false, _) => self.store.find(candidates.words(0), candidates.head(0).identity),
        };
        self.batch = batch;
        self.poll(1);
        reached.filter(|_| !self.is_stopped())
    }
}

/// Steps drawn when they are asked for.
struct Drawn {
    extent: Extent,
    habit: Habit,
    /// The same before the last step.
    before: Habit,
}

impl Steps for Drawn {
    fn begin(&mut self, _engine: &mut Engine<'_>, walk: u64) -> bool {
        self.habit = self.extent.begin(walk).habit;
        true
    }

    fn next(
        &mut self,
        expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    ) {
        self.before = self.habit.clone();
        expander.choose(store, parent, &mut self.habit, batch);
    }

    fn again(
        &mut self,
        expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    ) {
        self.habit = self.before.clone();
        expander.choose(store, parent, &mut self.habit, batch);
    }
}

/// States at which a walk ends: pruned ones and goals.
#[derive(Default)]
struct Ends {
    states: FxHashSet<StateIndex>,
}

impl Order for Ends {
    fn found(
        &mut self,
        _store: &StateStore,
        state: StateIndex,
        expandable: bool,
    ) -> Result<(), String> {
        if !expandable {
            self.states.insert(state);
        }
        Ok(())
    }
}
