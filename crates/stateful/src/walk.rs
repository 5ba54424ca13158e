//! Random walks: from a start, one random step after the other. They never prove anything, but reach far.
//! The n-th walk draws from its own stream of random numbers, a function of the seed and n alone. States are stored as in
//! the other strategies, so distinct ones are counted, a property is evaluated once per state, and a violation's run
//! follows first-found parents: it is never longer than the walk, and often shorter.

use crate::engine::{Engine, Order, Stop};
use foresee_lts::StoppedBy;
use foresee_search::{StateIndex, StateStore};
use foresee_stdx::{Random, mix};
use rustc_hash::FxHashSet;

const STEPS_DEFAULT: u32 = 1000;

pub(crate) fn run(engine: &mut Engine<'_>) {
    engine.releases = false;
    let mut ends = Ends::default();
    engine.start(&mut ends);
    // Without a limit on walks another ends them.
    let n_walks = engine.config.limits.interleavings_max.unwrap_or(u64::MAX);
    let n_steps = engine.config.limits.depth_max.unwrap_or(STEPS_DEFAULT);
    let n_starts = engine.starts.len() as u64;
    while engine.walks < n_walks && !engine.is_stopped() {
        let mut random = Random::new(mix(engine.config.seed).wrapping_add(engine.walks));
        let mut state = StateIndex(random.below(n_starts) as u32);
        for step in 0..n_steps {
            if ends.states.contains(&state) {
                break;
            }
            let known = engine.store.len();
            let next = engine.walk(state, &mut random, &mut ends);
            if engine.store.len() > known {
                engine.depth = engine.depth.max(step + 1);
            }
            let Some(next) = next else { break };
            state = next;
        }
        engine.walks += 1;
        engine.poll(1);
    }
    engine.stop(Stop::Limit(StoppedBy::Interleavings));
}

impl Engine<'_> {
    /// Takes one random step from `parent`; the state reached, or `None` if there is no step or the search stopped.
    fn walk(
        &mut self,
        parent: StateIndex,
        random: &mut Random,
        order: &mut impl Order,
    ) -> Option<StateIndex> {
        let mut batch = std::mem::take(&mut self.batch);
        let draw = random.clone();
        self.expander.choose(&self.store, parent, random, &mut batch);
        while !batch.candidates.misfits().is_empty() {
            self.store.widen(batch.candidates.misfits());
            *random = draw.clone();
            self.expander.choose(&self.store, parent, random, &mut batch);
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
