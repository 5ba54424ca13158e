//! What can be said of an LTS at a glance: sizes, labels, deadlocks, livelocks.
//! A deadlock is a reachable state without transitions; a livelock is a cycle of internal steps, named by the first of its
//! states. Both come with a shortest run that leads there.

use crate::components::components;
use crate::{LabelId, Lts};
use foresee_stdx::compare_naturally;

/// No more runs than this are told of each kind; all are counted.
const TOLD_MAX: usize = 10;

/// The facts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    pub states: u64,
    pub transitions: u64,
    /// States that cannot be reached; what follows says nothing of them.
    pub unreachable: u64,
    /// How often each label occurs; the internal step first, then in the order of their names.
    pub labels: Vec<(String, u64)>,
    pub deadlocks: u64,
    /// Cycles of internal steps: strongly connected components, loops included.
    pub livelocks: u64,
    /// No internal step, and no state with two transitions of one label to different states.
    pub is_deterministic: bool,
    /// The greatest distance from the initial state.
    pub depth: u32,
    pub deadlock_runs: Vec<Run>,
    pub livelock_runs: Vec<Run>,
}

/// A shortest run to a state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Run {
    pub state: u32,
    pub labels: Vec<String>,
}

/// Looks at the whole LTS.
///
/// ```
/// let text = &b"des (0, 3, 3)\n(0, a, 1)\n(0, a, 2)\n(1, tau, 1)\n"[..];
/// let info = foresee_logic::info(&foresee_logic::aut::read(text).unwrap());
/// assert_eq!((info.deadlocks, info.livelocks, info.is_deterministic), (1, 1, false));
/// assert_eq!(info.livelock_runs[0].labels, ["a"]);
/// ```
pub fn info(lts: &Lts) -> Info {
    let tree = Tree::of(lts);
    let mut info = Info {
        states: lts.n_states() as u64,
        transitions: lts.n_transitions() as u64,
        unreachable: (lts.n_states() - tree.order.len()) as u64,
        labels: count_labels(lts, &tree),
        is_deterministic: is_deterministic(lts, &tree),
        depth: tree.depth,
        ..Info::default()
    };
    for &state in tree.order.iter().filter(|state| lts.edges(**state).is_empty()) {
        info.deadlocks += 1;
        if info.deadlock_runs.len() < TOLD_MAX {
            info.deadlock_runs.push(tree.run_to(lts, state));
        }
    }
    let cycles = TauCycles::of(lts);
    let mut told = vec![false; cycles.is_cycle.len()];
    for &state in &tree.order {
        let component = cycles.component[state as usize] as usize;
        if cycles.is_cycle[component] && !std::mem::replace(&mut told[component], true) {
            info.livelocks += 1;
            if info.livelock_runs.len() < TOLD_MAX {
                info.livelock_runs.push(tree.run_to(lts, state));
            }
        }
    }
    info
}

/// The components of the internal steps, and which of them have a cycle.
pub(crate) struct TauCycles {
    pub(crate) component: Vec<u32>,
    pub(crate) is_cycle: Vec<bool>,
}

impl TauCycles {
    pub(crate) fn of(lts: &Lts) -> Self {
        let found = components(lts.n_states(), |state, k| {
            lts.edges(state).get(k).map(|edge| edge.label.is_tau().then_some(edge.target))
        });
        let mut is_cycle = vec![false; found.n];
        for (from, label, to) in lts.transitions() {
            if label.is_tau() && found.of[from as usize] == found.of[to as usize] {
                is_cycle[found.of[from as usize] as usize] = true;
            }
        }
        TauCycles { component: found.of, is_cycle }
    }
}

/// The breadth-first tree of the reachable states.
pub(crate) struct Tree {
    /// Reachable states, nearest first.
    pub(crate) order: Vec<u32>,
    /// Where each state was first reached from, and by what; the initial state by itself.
    parent: Vec<Option<(u32, LabelId)>>,
    depth: u32,
}

impl Tree {
    pub(crate) fn of(lts: &Lts) -> Self {
        let mut parent = vec![None; lts.n_states()];
        parent[lts.initial() as usize] = Some((lts.initial(), LabelId::TAU));
        let mut order = vec![lts.initial()];
        let (mut next, mut level_end, mut depth) = (0, 1, 0);
        while next < order.len() {
            if next == level_end {
                depth += 1;
                level_end = order.len();
            }
            let state = order[next];
            for edge in lts.edges(state) {
                let known = &mut parent[edge.target as usize];
                if known.is_none() {
                    *known = Some((state, edge.label));
                    order.push(edge.target);
                }
            }
            next += 1;
        }
        Tree { order, parent, depth }
    }

    fn run_to(&self, lts: &Lts, state: u32) -> Run {
        let mut labels = Vec::new();
        let mut here = state;
        while here != lts.initial() {
            let (before, label) = self.parent[here as usize].expect("only for reachable states");
            labels.push(lts.labels().name(label).to_owned());
            here = before;
        }
        labels.reverse();
        Run { state, labels }
    }
}

fn count_labels(lts: &Lts, tree: &Tree) -> Vec<(String, u64)> {
    let mut counts = vec![0u64; lts.labels().len()];
    for edge in tree.order.iter().flat_map(|state| lts.edges(*state)) {
        counts[edge.label.0 as usize] += 1;
    }
    let mut named: Vec<(LabelId, u64)> =
        (0u32..).map(LabelId).zip(counts).filter(|(_, count)| *count > 0).collect();
    named.sort_by(|(a, _), (b, _)| {
        let by_name = || compare_naturally(lts.labels().name(*a), lts.labels().name(*b));
        b.is_tau().cmp(&a.is_tau()).then_with(by_name)
    });
    named.into_iter().map(|(label, count)| (lts.labels().name(label).to_owned(), count)).collect()
}

fn is_deterministic(lts: &Lts, tree: &Tree) -> bool {
    let mut edges = Vec::new();
    tree.order.iter().all(|state| {
        edges.clear();
        edges.extend_from_slice(lts.edges(*state));
        edges.sort_unstable();
        edges.dedup();
        edges.iter().all(|edge| !edge.label.is_tau())
            && edges.windows(2).all(|pair| pair[0].label != pair[1].label)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aut;

    #[test]
    fn everything_is_counted_among_what_is_reachable() {
        let text = "des (0, 9, 8)\n(0, b10, 1)\n(0, b9, 2)\n(1, tau, 3)\n(3, tau, 1)\n(2, a, 4)\n\
                    (3, b9, 5)\n(6, a, 7)\n(7, tau, 7)\n(0, b9, 2)\n";
        let info = info(&aut::read(text.as_bytes()).unwrap());
        assert_eq!((info.states, info.transitions, info.unreachable), (8, 9, 2));
        let labels: Vec<_> = info.labels.iter().map(|(l, n)| format!("{l} {n}")).collect();
        assert_eq!(labels, ["tau 2", "a 1", "b9 3", "b10 1"]);
        assert_eq!((info.deadlocks, info.livelocks, info.depth), (2, 1, 3));
        assert_eq!(info.deadlock_runs[0].labels, ["b9", "a"]);
        assert_eq!(info.deadlock_runs[1].labels, ["b10", "tau", "b9"]);
        assert_eq!((info.livelock_runs[0].state, info.livelock_runs.len()), (1, 1));
        assert!(!info.is_deterministic);
    }

    #[test]
    fn the_same_transition_twice_is_no_choice() {
        let text = "des (0, 2, 2)\n(0, a, 1)\n(0, a, 1)\n";
        assert!(info(&aut::read(text.as_bytes()).unwrap()).is_deterministic);
    }
}
