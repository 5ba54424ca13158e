//! Sets of states that a sequence of labels may lead to: determinisation, and the shortest trace that only one of two has.
//! Weak traces pass over internal steps. Both may need exponentially many sets; whoever compares gives a limit.

use crate::{LabelId, Lts, LtsBuilder};
use foresee_stdx::compare_naturally;
use rustc_hash::{FxHashMap, FxHashSet};

/// Sets of states, each once.
struct Subsets<'a> {
    lts: &'a Lts,
    weak: bool,
    ids: FxHashMap<Box<[u32]>, u32>,
    sets: Vec<Box<[u32]>>,
    /// Labels in the order of their names, so that results do not depend on numbers.
    rank: Vec<u32>,
}

impl<'a> Subsets<'a> {
    fn new(lts: &'a Lts, weak: bool) -> Self {
        let mut order: Vec<LabelId> = lts.labels().iter().map(|(id, _)| id).collect();
        order.sort_by(|a, b| compare_naturally(lts.labels().name(*a), lts.labels().name(*b)));
        let mut rank = vec![0; order.len()];
        for (at, label) in (0u32..).zip(order) {
            rank[label.0 as usize] = at;
        }
        Subsets { lts, weak, ids: FxHashMap::default(), sets: Vec::new(), rank }
    }

    /// The number of the set, closed under internal steps if these are passed over.
    fn intern(&mut self, mut states: Vec<u32>) -> u32 {
        if self.weak {
            let mut seen: FxHashSet<u32> = states.iter().copied().collect();
            let mut at = 0;
            while at < states.len() {
                for edge in self.lts.edges(states[at]) {
                    if edge.label.is_tau() && seen.insert(edge.target) {
                        states.push(edge.target);
                    }
                }
                at += 1;
            }
        }
        states.sort_unstable();
        states.dedup();
        let states = states.into_boxed_slice();
        if let Some(id) = self.ids.get(&states) {
            return *id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(states.clone());
        self.ids.insert(states, id);
        id
    }

    /// Where each label leads from a set, in the order of the labels' names.
    fn steps(&mut self, set: u32) -> Vec<(LabelId, u32)> {
        let mut edges: Vec<_> = self.sets[set as usize]
            .iter()
            .flat_map(|state| self.lts.edges(*state))
            .filter(|edge| !(self.weak && edge.label.is_tau()))
            .map(|edge| (self.rank[edge.label.0 as usize], edge.label, edge.target))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let chunks: Vec<(LabelId, Vec<u32>)> = edges
            .chunk_by(|a, b| a.1 == b.1)
            .map(|chunk| (chunk[0].1, chunk.iter().map(|(_, _, target)| *target).collect()))
            .collect();
        chunks.into_iter().map(|(label, targets)| (label, self.intern(targets))).collect()
    }
}

/// An LTS with the same traces in which a trace leads to one state.
pub(crate) fn determinise(lts: &Lts, weak: bool) -> Lts {
    let mut subsets = Subsets::new(lts, weak);
    let initial = subsets.intern(vec![lts.initial()]);
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    let mut next = 0;
    while (next as usize) < subsets.sets.len() {
        for (label, target) in subsets.steps(next) {
            builder.add_edge(next, label, target);
        }
        next += 1;
    }
    builder.at_least_states(next);
    builder.build(initial)
}

/// What comparing the traces of two states gave.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Difference {
    None,
    /// A shortest trace that only one has.
    Trace {
        labels: Vec<LabelId>,
        only_left: bool,
    },
    /// More sets than the limit allows.
    TooMany,
}

/// Compares the traces of two states of one LTS.
pub(crate) fn difference(lts: &Lts, left: u32, right: u32, weak: bool, limit: usize) -> Difference {
    let mut subsets = Subsets::new(lts, weak);
    let root = (subsets.intern(vec![left]), subsets.intern(vec![right]));
    let mut seen = FxHashSet::from_iter([root]);
    // Each pair with the pair it was reached from and by what.
    let mut pairs: Vec<((u32, u32), usize, LabelId)> = vec![(root, 0, LabelId::TAU)];
    let mut next = 0;
    while next < pairs.len() {
        if pairs.len() > limit || subsets.sets.len() > limit {
            return Difference::TooMany;
        }
        let (left_set, right_set) = pairs[next].0;
        let (left_steps, right_steps) = (subsets.steps(left_set), subsets.steps(right_set));
        if let Some((label, only_left)) = missing(&subsets, &left_steps, &right_steps) {
            let mut labels = vec![label];
            let mut at = next;
            while at != 0 {
                labels.push(pairs[at].2);
                at = pairs[at].1;
            }
            labels.reverse();
            return Difference::Trace { labels, only_left };
        }
        for ((label, left), (_, right)) in left_steps.into_iter().zip(right_steps) {
            if left != right && seen.insert((left, right)) {
                pairs.push(((left, right), next, label));
            }
        }
        next += 1;
    }
    Difference::None
}

/// The first label that only one side has.
fn missing(
    subsets: &Subsets<'_>,
    left: &[(LabelId, u32)],
    right: &[(LabelId, u32)],
) -> Option<(LabelId, bool)> {
    let rank = |steps: &[(LabelId, u32)], at: usize| {
        steps.get(at).map_or(u32::MAX, |(label, _)| subsets.rank[label.0 as usize])
    };
    let at = (0..left.len().max(right.len())).find(|at| rank(left, *at) != rank(right, *at))?;
    let only_left = rank(left, at) < rank(right, at);
    Some((if only_left { left[at].0 } else { right[at].0 }, only_left))
}
