//! "From every reachable state the clients can still finish" (AG EF done), for small spaces.
//! Why: a system that loses its way is not wrong in any one state. Everything is explored, then marked backwards from the states in
//! which the goal holds; a state without a mark can never get there, and the first in breadth-first order has a shortest way to it.
//! Actions that are not allowed count as absent, too.
//! States that a prune holds back count as absent, unless the goal holds in them: a way to the end through them does not count either.

use foresee_lts::{Action, Allow, Finding, Path, Predicate, State, System};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What came of it.
pub(crate) enum Answer {
    Holds {
        n_states: usize,
    },
    /// More states than the test allows.
    TooMany {
        n_states: usize,
    },
    /// Code panicked on the way.
    Fault {
        path: Path,
        finding: Finding,
        n_states: usize,
    },
    /// The goal cannot be reached from the end of the path; so many states can.
    Stuck {
        path: Path,
        n_after: usize,
        n_states: usize,
    },
}

pub(crate) fn always_possible(
    system: &dyn System,
    prunes: &[Predicate],
    allow: Option<&Allow>,
    goal: &Predicate,
    states_max: usize,
) -> Answer {
    let mut space = Space::default();
    for initial in system.initial() {
        space.add(initial, None);
    }
    let mut next = 0;
    let mut goals = Vec::new();
    let mut actions = Vec::new();
    while next < space.states.len() {
        if space.states.len() > states_max {
            return Answer::TooMany { n_states: states_max };
        }
        let state = space.states[next].clone();
        if let Some(fault) = system.fault(&state) {
            let (kind, message) = (fault.kind.into(), fault.message);
            let finding = Finding { kind, property: None, message };
            return Answer::Fault { path: space.path(next), finding, n_states: space.states.len() };
        }
        if goal.holds(&state) {
            goals.push(next);
        } else {
            actions.clear();
            system.enabled(&state, &mut actions);
            for &action in &actions {
                if allow.is_some_and(|allow| !allow(&state, action)) {
                    continue;
                }
                let after = system.step(&state, action);
                if goal.holds(&after) || !prunes.iter().any(|prune| prune.holds(&after)) {
                    space.add(after, Some((next, action)));
                }
            }
        }
        next += 1;
    }
    space.answer(&goals)
}

#[derive(Default)]
struct Space {
    states: Vec<State>,
    index: FxHashMap<State, usize>,
    /// How each was found first.
    from: Vec<Option<(usize, Action)>>,
    before: Vec<Vec<u32>>,
    after: Vec<Vec<u32>>,
}

impl Space {
    fn add(&mut self, state: State, from: Option<(usize, Action)>) {
        let known = self.index.get(&state).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.states.len();
            self.index.insert(state.clone(), number);
            self.states.push(state);
            self.from.push(from);
            self.before.push(Vec::new());
            self.after.push(Vec::new());
            number
        });
        if let Some((parent, _)) = from {
            self.before[number].push(parent as u32);
            self.after[parent].push(number as u32);
        }
    }

    fn answer(&self, goals: &[usize]) -> Answer {
        let n_states = self.states.len();
        let can = spread(goals, &self.before);
        match can.iter().position(|can| !can) {
            None => Answer::Holds { n_states },
            Some(stuck) => {
                let n_after = spread(&[stuck], &self.after).iter().filter(|it| **it).count();
                Answer::Stuck { path: self.path(stuck), n_after, n_states }
            }
        }
    }

    fn path(&self, mut number: usize) -> Path {
        let mut actions = Vec::new();
        while let Some((parent, action)) = self.from[number] {
            actions.push(action);
            number = parent;
        }
        actions.reverse();
        Path { initial: self.states[number].clone(), actions }
    }
}

/// Everything that can be reached over `edges`.
fn spread(from: &[usize], edges: &[Vec<u32>]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut queue: VecDeque<usize> = from.iter().copied().collect();
    from.iter().for_each(|number| reached[*number] = true);
    while let Some(number) = queue.pop_front() {
        for &other in &edges[number] {
            if !std::mem::replace(&mut reached[other as usize], true) {
                queue.push_back(other as usize);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::Reads;
    use foresee_lts::toy::Counters;

    fn is(slot: usize, value: u32) -> Predicate {
        Predicate::new("there", Reads::slots([slot]), move |state, _| state[slot] == value)
    }

    #[test]
    fn counters_can_always_be_full_and_cannot_be_half_full_again() {
        let system = Counters::new(2, 3);
        let full = is(0, 3).and(is(1, 3));
        assert!(matches!(
            always_possible(&system, &[], None, &full, 100),
            Answer::Holds { n_states: 16 }
        ));
        // Once the first counter has passed 2, `first is 2 and second is 3` is out of reach.
        let half = is(0, 2).and(is(1, 3));
        let Answer::Stuck { path, n_after, .. } = always_possible(&system, &[], None, &half, 100)
        else {
            panic!("it can be missed")
        };
        assert_eq!((path.actions.len(), n_after), (3, 4));
    }

    #[test]
    fn pruned_states_are_absent_and_limits_are_kept() {
        let system = Counters::new(1, 5);
        let answer = always_possible(&system, &[is(0, 3)], None, &is(0, 5), 100);
        assert!(matches!(answer, Answer::Stuck { n_states: 3, .. }));
        assert!(matches!(
            always_possible(&system, &[], None, &is(0, 5), 4),
            Answer::TooMany { .. }
        ));
    }
}
