//! Causal order: the same run told so that an event stands next to its consequences.
//! Why: a search orders concurrent events arbitrarily, and the reader jumps between threads of the story.
//! Two events are ordered if they depend on each other by their footprints (one actor, or one object that at least one of
//! them writes). Any order that keeps those pairs is the same run with the same end; a depth-first walk of the graph picks
//! the one in which a consequence follows its cause whenever it can. The idea is from Michael et al., "Teaching Rigorous
//! Distributed Systems With Efficient Model Checking" (EuroSys 2019), section 4.4.
//! Footprints may be wrong or too coarse, so the new order is run, and kept only if it shows the same violation.

use crate::matching::{IfNotEnabled, Matcher, Stepped, Wanted, run_until_failing, wanted_of};
use crate::{Allow, Oracle};
use foresee_lts::{Footprint, Path, State, System};

/// A run in causal order.
#[derive(Clone, Debug)]
pub struct Reordered {
    pub path: Path,
    /// The states of the run, one before each action and the last.
    pub states: Vec<State>,
    /// How many events that change nothing were left out.
    pub dropped: usize,
    pub switches_before: usize,
    pub switches_after: usize,
}

/// Reorders `path`; it comes back as it is if no better order shows the violation. Deterministic.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::causal_order;
/// let system = Counters::new(2, 3);
/// let mixed = Path { initial: vec![0, 0], actions: [0, 1, 0, 1].map(Action).to_vec() };
/// let told = causal_order(&system, &mixed, &|_, state| state == [2, 2]);
/// assert_eq!(told.path.actions, [0, 0, 1, 1].map(Action));
/// assert_eq!((told.switches_before, told.switches_after), (3, 1));
/// ```
pub fn causal_order(system: &dyn System, path: &Path, still_fails: Oracle<'_>) -> Reordered {
    causal_order_with(system, path, still_fails, None)
}

/// Reorders under the search's own restriction: no order is taken that the search would not have allowed.
pub fn causal_order_with(
    system: &dyn System,
    path: &Path,
    still_fails: Oracle<'_>,
    allow: Option<Allow>,
) -> Reordered {
    let try_order =
        |run: &Events, order: &[usize]| run.in_order(system, order, still_fails, allow.clone());
    let original = Events::of(system, Stepped { path: path.clone(), states: path.states(system) });
    let switches_before = original.switches();
    let told = original.without_no_ops(try_order);
    let mut orders: Vec<(usize, Vec<usize>)> = [false, true]
        .map(|same_actor_first| depth_first(&told.footprints, same_actor_first))
        .map(|order| (told.switches_in(&order), order))
        .into();
    orders.retain(|(switches, _)| *switches < told.switches());
    orders.sort_by_key(|(switches, _)| *switches);
    let mut better = orders.iter().filter_map(|(_, order)| try_order(&told, order));
    let best = better.find(|run| run.switches() < told.switches()).unwrap_or(told);
    Reordered {
        dropped: path.actions.len() - best.run.path.actions.len(),
        switches_after: best.switches(),
        switches_before,
        path: best.run.path,
        states: best.run.states,
    }
}

/// How often the reader has to jump: neighbours of which the second does not depend on the first.
pub fn context_switches(footprints: &[Footprint]) -> usize {
    footprints.windows(2).filter(|pair| !pair[1].depends_on(&pair[0])).count()
}

/// The events of a run, each with what it touches.
struct Events {
    run: Stepped,
    events: Vec<Wanted>,
    footprints: Vec<Footprint>,
}

impl Events {
    fn of(system: &dyn System, run: Stepped) -> Self {
        let events = wanted_of(system, &run);
        let steps = run.path.actions.iter().zip(&run.states);
        let footprints = steps.map(|(&action, state)| system.footprint(state, action)).collect();
        Events { run, events, footprints }
    }

    fn switches(&self) -> usize {
        context_switches(&self.footprints)
    }

    fn switches_in(&self, order: &[usize]) -> usize {
        let pairs = order.windows(2);
        pairs.filter(|pair| !self.footprints[pair[1]].depends_on(&self.footprints[pair[0]])).count()
    }

    /// The run without the events that lead back to the state they start from, if it still fails.
    fn without_no_ops(self, try_order: impl Fn(&Events, &[usize]) -> Option<Events>) -> Self {
        let changes = |i: &usize| self.run.states[*i] != self.run.states[*i + 1];
        let kept: Vec<usize> = (0..self.events.len()).filter(changes).collect();
        if kept.len() == self.events.len() {
            return self;
        }
        try_order(&self, &kept).unwrap_or(self)
    }

    /// The same events in another order, if that is a run and still fails.
    fn in_order(
        &self,
        system: &dyn System,
        order: &[usize],
        still_fails: Oracle<'_>,
        allow: Option<Allow>,
    ) -> Option<Self> {
        let events: Vec<Wanted> = order.iter().map(|&i| self.events[i].clone()).collect();
        let mut matcher = Matcher::new(system, allow);
        let initial = &self.run.path.initial;
        let reject = IfNotEnabled::Reject;
        let run = run_until_failing(&mut matcher, initial, &events, reject, still_fails, &mut 0)?;
        Some(Events::of(system, run))
    }
}

/// A topological order of the events that goes on with a consequence of the last event whenever one is ready, and
/// otherwise with a consequence of the latest event that still has one. Ties go to the earlier event, or, if asked, to
/// one of the same actor first.
fn depth_first(footprints: &[Footprint], same_actor_first: bool) -> Vec<usize> {
    let n = footprints.len();
    let mut consequences: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut n_causes = vec![0usize; n];
    for later in 0..n {
        for earlier in 0..later {
            if footprints[later].depends_on(&footprints[earlier]) {
                consequences[earlier].push(later);
                n_causes[later] += 1;
            }
        }
    }
    let mut stack: Vec<usize> = (0..n).rev().filter(|&i| n_causes[i] == 0).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(event) = stack.pop() {
        order.push(event);
        let mut ready = Vec::new();
        for &next in &consequences[event] {
            n_causes[next] -= 1;
            if n_causes[next] == 0 {
                ready.push(next);
            }
        }
        if same_actor_first {
            ready.sort_by_key(|&next| footprints[next].actor != footprints[event].actor);
        }
        stack.extend(ready.into_iter().rev());
    }
    debug_assert_eq!(order.len(), n, "dependence follows the order of the run, so it has no cycle");
    order
}
