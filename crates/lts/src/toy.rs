//! A toy system, complete: counters that each step from 0 to a maximum, in any order.
//! Its sizes are known by arithmetic, so it is the first test of every engine: `n` counters up to `m` have `(m+1)^n`
//! states and `n * m * (m+1)^(n-1)` transitions.

use crate::{
    Action, Actor, Claims, Footprint, Interleaved, Label, Predicate, Property, Reads, State,
    System, Telling, Verb,
};

/// `n` counters up to `max`; slot `i` *is* the value of counter `i`.
#[derive(Clone, Debug)]
pub struct Counters {
    n: usize,
    max: u32,
    forbidden_sum: Option<u32>,
}

impl Counters {
    pub fn new(n: usize, max: u32) -> Self {
        Counters { n, max, forbidden_sum: None }
    }

    /// Adds the invariant that the counters never add up to `sum`.
    #[must_use]
    pub fn forbid_sum(mut self, sum: u32) -> Self {
        self.forbidden_sum = Some(sum);
        self
    }
}

impl System for Counters {
    fn initial(&self) -> Vec<State> {
        vec![vec![0; self.n]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        actions.extend((0..self.n).filter(|i| state[*i] < self.max).map(|i| Action(i as u64)));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let mut next = state.to_vec();
        next[action.0 as usize] += 1;
        next
    }

    fn name(&self) -> String {
        format!("counters n={} max={}", self.n, self.max)
    }

    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Claims for Counters {
    fn properties(&self) -> Vec<Property> {
        let sum = |state: &[u32]| state.iter().sum::<u32>();
        let forbidden = self.forbidden_sum;
        let invariant = move |forbidden: u32| {
            Predicate::new("sum", Reads::All, move |state, why| {
                why.because(format_args!("the counters add up to {}", sum(state)));
                sum(state) != forbidden
            })
        };
        forbidden.map(|forbidden| Property::invariant(invariant(forbidden))).into_iter().collect()
    }

    fn score(&self, state: &[u32]) -> Option<i64> {
        Some(i64::from(state.iter().sum::<u32>()))
    }
}

impl Interleaved for Counters {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        Actor(action.0 as u32)
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        Footprint::of(self.actor(state, action)).writes(action.0)
    }
}

impl Telling for Counters {
    fn label(&self, _state: &[u32], action: Action) -> Label {
        Label::of_actor(Verb::Step, &format!("counter{}", action.0 + 1), "increment")
    }
}
