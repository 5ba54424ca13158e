//! Whole state spaces by breadth-first search, for exact counts.
#![allow(dead_code, reason = "not every test uses everything here")]

pub(crate) mod naive;

use foresee_algebra::{Algebra, Options, load};
use foresee_lts::{Successors, System};
use std::collections::{BTreeMap, BTreeSet};

/// A state space: for each state, in the order of discovery, its outgoing labels and targets.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Space {
    pub(crate) edges: Vec<Vec<(String, usize)>>,
    pub(crate) faults: Vec<String>,
}

impl Space {
    pub(crate) fn n_states(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn n_transitions(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub(crate) fn n_deadlocks(&self) -> usize {
        self.edges.iter().filter(|it| it.is_empty()).count()
    }

    pub(crate) fn labels(&self) -> BTreeSet<&str> {
        self.edges.iter().flatten().map(|it| it.0.as_str()).collect()
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.n_states(), self.n_transitions())
    }

    /// The number of classes of strong bisimulation.
    pub(crate) fn n_classes(&self) -> usize {
        let classes = self.classes();
        classes.into_iter().collect::<BTreeSet<_>>().len()
    }

    /// Whether the first states of both are strongly bisimilar.
    pub(crate) fn is_bisimilar_to(&self, other: &Space) -> bool {
        let n = self.n_states();
        let moved = |(label, to): &(String, usize)| (label.clone(), to + n);
        let mut edges = self.edges.clone();
        edges.extend(other.edges.iter().map(|it| it.iter().map(moved).collect()));
        let classes = Space { edges, faults: Vec::new() }.classes();
        classes[0] == classes[n]
    }

    /// The class of each state under strong bisimulation, by naive refinement.
    fn classes(&self) -> Vec<usize> {
        type Signature<'a> = (usize, BTreeSet<(&'a str, usize)>);
        let mut class = vec![0; self.n_states()];
        let mut n = 1;
        loop {
            let mut seen: BTreeMap<Signature<'_>, usize> = BTreeMap::new();
            let mut next = Vec::new();
            for (state, edges) in self.edges.iter().enumerate() {
                let signature =
                    edges.iter().map(|(label, to)| (label.as_str(), class[*to])).collect();
                let fresh = seen.len();
                next.push(*seen.entry((class[state], signature)).or_insert(fresh));
            }
            let n_seen = seen.len();
            class = next;
            if n_seen == n {
                return class;
            }
            n = n_seen;
        }
    }
}

pub(crate) fn spec(name: &str) -> String {
    let path = format!("{}/tests/specs/{name}.mcrl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a specification")
}

pub(crate) fn system(text: &str) -> Algebra {
    load(text, Options::default()).unwrap_or_else(|problems| {
        let texts: Vec<_> = problems.iter().map(|it| it.render("spec", text)).collect();
        panic!("{}", texts.join("\n"))
    })
}

/// The whole state space; panics beyond `max` states.
pub(crate) fn explore(system: &Algebra, max: usize) -> Space {
    explore_up_to(system, max).unwrap_or_else(|| panic!("more than {max} states"))
}

/// The state space with a loop labelled `end` at each state that has ended, as the naive reading has it.
pub(crate) fn explore_with_ends(system: &Algebra, max: usize) -> Option<Space> {
    let mut space = explore_up_to(system, max)?;
    let mut states = system.initial();
    let mut at = 0;
    while at < states.len() {
        let mut actions = Vec::new();
        system.enabled(&states[at], &mut actions);
        for action in actions {
            let next = system.step(&states[at], action);
            if !states.contains(&next) {
                states.push(next);
            }
        }
        if system.is_final(&states[at]) {
            space.edges[at].push(("end".to_owned(), at));
        }
        at += 1;
    }
    Some(space)
}

fn explore_up_to(system: &Algebra, max: usize) -> Option<Space> {
    let mut explorer = system.explorer();
    let mut successors = Successors::default();
    let mut states = system.initial();
    let mut index: BTreeMap<Vec<u32>, usize> = BTreeMap::from([(states[0].clone(), 0)]);
    let (mut edges, mut faults) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        explorer.expand(&state, &mut successors);
        successors.assert_consistent(system, &state);
        let mut outgoing = Vec::new();
        for successor in successors.iter() {
            let mut next = state.clone();
            successors.apply(successor, &mut next);
            assert_eq!(next, system.step(&state, successor.action), "step and expand agree");
            assert_eq!(successor.faulty, system.fault(&next).is_some());
            let fresh = states.len();
            let to = *index.entry(next.clone()).or_insert(fresh);
            if to == fresh {
                faults.extend(system.fault(&next).map(|it| it.message));
                states.push(next);
            }
            outgoing.push((system.action_text(successor.action), to));
        }
        edges.push(outgoing);
        if states.len() > max {
            return None;
        }
        at += 1;
    }
    Some(Space { edges, faults })
}

pub(crate) fn space(text: &str) -> Space {
    explore(&system(text), 100_000)
}
