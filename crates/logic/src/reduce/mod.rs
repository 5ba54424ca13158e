//! Reduction: the smallest LTS that cannot be told apart, for a chosen way of telling apart.
//! Strong and branching reductions share one partition refinement (`refine`); the latter first collapses cycles of
//! internal steps. Trace reductions make the LTS deterministic first, which may cost exponential time and space.
//! Not here: comparing two LTSs (`compare`).

mod collapse;
mod partition;
mod refine;
mod signature;

pub(crate) use partition::Partition;
use refine::refine;

use crate::traces::determinise;
use crate::{LabelId, Lts, LtsBuilder};
use collapse::Collapsed;

/// When two states count as the same.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Equivalence {
    /// Each step of one is matched by a step of the other, internal steps too.
    Strong,
    /// Internal steps that change nothing are invisible.
    Branching,
    /// The same, but a cycle of internal steps is not invisible.
    DivergencePreservingBranching,
    /// The same sequences of visible labels.
    WeakTrace,
    /// The same sequences of labels.
    Trace,
}

impl Equivalence {
    /// Every equivalence with its word on the command line.
    pub const ALL: [(Equivalence, &'static str); 5] = [
        (Equivalence::Strong, "strong"),
        (Equivalence::Branching, "branching"),
        (Equivalence::DivergencePreservingBranching, "divergence-preserving-branching"),
        (Equivalence::WeakTrace, "weak-trace"),
        (Equivalence::Trace, "trace"),
    ];

    pub fn word(self) -> &'static str {
        Equivalence::ALL
            .iter()
            .find(|(one, _)| *one == self)
            .map(|(_, word)| *word)
            .expect("listed")
    }

    pub fn parse(word: &str) -> Option<Equivalence> {
        Equivalence::ALL.iter().find(|(_, name)| *name == word).map(|(one, _)| *one)
    }

    fn hides_internal_steps(self) -> bool {
        matches!(self, Equivalence::Branching | Equivalence::DivergencePreservingBranching)
    }
}

/// A reduced LTS.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// Numbered breadth-first; without states that cannot be reached.
    pub lts: Lts,
    /// The new number of each old state; `None` if it cannot be reached. Empty for trace reductions, whose states are sets
    /// of old ones.
    pub class_of: Vec<Option<u32>>,
}

/// The quotient of an LTS.
///
/// ```
/// use foresee_logic::{Equivalence, aut, reduce};
/// let lts = aut::read(&b"des (0, 4, 4)\n(0, tau, 1)\n(1, a, 2)\n(0, a, 3)\n(0, tau, 0)\n"[..]).unwrap();
/// let size = |equivalence| reduce(&lts, equivalence).lts.n_states();
/// assert_eq!(size(Equivalence::Strong), 3);
/// assert_eq!(size(Equivalence::Branching), 2);
/// assert_eq!(size(Equivalence::DivergencePreservingBranching), 3);
/// ```
pub fn reduce(lts: &Lts, equivalence: Equivalence) -> Quotient {
    match equivalence {
        Equivalence::Strong
        | Equivalence::Branching
        | Equivalence::DivergencePreservingBranching => {
            let classes = Classes::of(lts, equivalence);
            classes.quotient(lts, &[lts.initial()])
        }
        Equivalence::Trace | Equivalence::WeakTrace => {
            let deterministic = determinise(lts, equivalence == Equivalence::WeakTrace);
            let lts = reduce(&deterministic, Equivalence::Strong).lts;
            Quotient { lts, class_of: Vec::new() }
        }
    }
}

/// The classes of every state of an LTS, reachable or not.
pub(crate) struct Classes {
    partition: Partition,
    /// The vertex of the partition that a state belongs to; states on a cycle of internal steps share one.
    vertex_of: Option<Vec<u32>>,
}

impl Classes {
    pub(crate) fn of(lts: &Lts, equivalence: Equivalence) -> Self {
        if !equivalence.hides_internal_steps() {
            return Classes { partition: refine(lts, None), vertex_of: None };
        }
        let minds_divergence = equivalence == Equivalence::DivergencePreservingBranching;
        let Collapsed { lts, vertex_of, mut diverges } = Collapsed::of(lts);
        if !minds_divergence {
            diverges.fill(false);
        }
        Classes { partition: refine(&lts, Some(&diverges)), vertex_of: Some(vertex_of) }
    }

    pub(crate) fn class(&self, state: u32) -> u32 {
        let vertex = self.vertex_of.as_ref().map_or(state, |of| of[state as usize]);
        self.partition.block_of(vertex)
    }

    /// The quotient of what is reachable from the roots; the first is the initial state.
    pub(crate) fn quotient(&self, lts: &Lts, roots: &[u32]) -> Quotient {
        let mut number = vec![None; self.partition.n_blocks()];
        let mut order = Vec::new();
        let mut meet = |block: u32, order: &mut Vec<u32>| -> u32 {
            *number[block as usize].get_or_insert_with(|| {
                order.push(block);
                order.len() as u32 - 1
            })
        };
        for root in roots {
            meet(self.class(*root), &mut order);
        }
        let mut builder = LtsBuilder::with_labels(lts.labels().clone());
        let mut next = 0;
        while next < order.len() {
            for &(label, block) in self.partition.signature(order[next]) {
                let (label, to) = match label == refine::DIVERGENCE {
                    true => (LabelId::TAU, next as u32),
                    false => (LabelId(label), meet(block, &mut order)),
                };
                builder.add_edge(next as u32, label, to);
            }
            next += 1;
        }
        builder.at_least_states(order.len() as u32);
        let class_of = lts.states().map(|state| number[self.class(state) as usize]).collect();
        Quotient { lts: builder.build(0), class_of }
    }
}
