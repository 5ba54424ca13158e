//! A region: the part of a state space that lies before some places, with its transitions and what is wrong in it.
//! States in which something is wrong are not expanded: what comes after does not make it right again.
//! A region is kept and grows: who steps through it asks again and again about states it has seen.

use super::forward::{Ended, Forward, Found, Visitor};
use crate::{Limits, Meter, Observer, StateIndex};
use foresee_lts::System;

/// What makes a state wrong, and where runs end by agreement.
pub struct Wrongs<'a> {
    /// Something is wrong with the state in itself.
    pub is_wrong: &'a dyn Fn(&[u32]) -> bool,
    /// It is wrong that nothing can happen in this state.
    pub is_stuck: &'a dyn Fn(&[u32]) -> bool,
    /// Runs are not followed any further from this state.
    pub is_pruned: &'a dyn Fn(&[u32]) -> bool,
}

/// How a state stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    /// Not expanded yet, or never to be: what comes after is not known.
    Open,
    /// All its successors are known.
    Expanded,
    /// A run that gets here ends here, and well.
    End,
    Wrong,
}

pub(super) struct Region {
    pub(super) forward: Forward,
    pub(super) graph: Graph,
}

/// Marks and transitions, by the numbers of states.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) marks: Vec<Mark>,
    /// Where the successors of each state that has been passed end in `targets`.
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl Region {
    pub(super) fn new() -> Self {
        Region { forward: Forward::new(), graph: Graph::default() }
    }

    /// Explores from `start` too, and whatever was left open before.
    pub(super) fn grow(
        &mut self,
        system: &dyn System,
        start: &[u32],
        wrongs: &Wrongs<'_>,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Ended {
        let mut marker = Marker { graph: &mut self.graph, wrongs };
        match self.forward.add_start(start, &mut marker) {
            Ended::Explored => self.forward.explore(system, limits, meter, observer, &mut marker),
            ended => ended,
        }
    }

    /// Whether everything before a state is known.
    pub(super) fn is_about(&self, state: &[u32]) -> bool {
        self.forward.is_complete() && self.forward.find(state).is_some()
    }

    pub(super) fn n_states(&self) -> usize {
        self.graph.marks.len()
    }
}

impl Graph {
    pub(super) fn successors(&self, state: usize) -> &[u32] {
        let Some(end) = self.ends.get(state) else { return &[] };
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start as usize..*end as usize]
    }

    /// The states that stand in one of these ways.
    pub(super) fn marked(&self, wanted: &[Mark]) -> Vec<usize> {
        (0..self.marks.len()).filter(|at| wanted.contains(&self.marks[*at])).collect()
    }

    /// For each state the states it is a successor of, once for each transition.
    pub(super) fn reversed(&self) -> Reversed {
        let mut starts = vec![0u32; self.marks.len() + 1];
        for target in &self.targets {
            starts[*target as usize + 1] += 1;
        }
        for state in 0..self.marks.len() {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut sources = vec![0u32; self.targets.len()];
        for state in 0..self.ends.len() {
            for target in self.successors(state) {
                let at = &mut next[*target as usize];
                sources[*at as usize] = state as u32;
                *at += 1;
            }
        }
        Reversed { starts, sources }
    }
}

/// Transitions from their targets.
pub(super) struct Reversed {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Reversed {
    pub(super) fn predecessors(&self, state: usize) -> &[u32] {
        &self.sources[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

struct Marker<'m> {
    graph: &'m mut Graph,
    wrongs: &'m Wrongs<'m>,
}

impl Visitor for Marker<'_> {
    fn found(&mut self, state: &[u32]) -> Found {
        // The mark is made before anything can unwind, so that marks and states stay in step.
        self.graph.marks.push(Mark::Open);
        let mark = self.graph.marks.last_mut().expect("just made");
        if (self.wrongs.is_wrong)(state) {
            *mark = Mark::Wrong;
            return Found::Close;
        }
        if (self.wrongs.is_pruned)(state) {
            *mark = Mark::End;
            return Found::Close;
        }
        Found::Expand
    }

    fn expanded(&mut self, state: &[u32], successors: &[StateIndex]) -> bool {
        let at = self.graph.ends.len();
        self.graph.marks[at] = match successors.is_empty() {
            true if (self.wrongs.is_stuck)(state) => Mark::Wrong,
            true => Mark::End,
            false => Mark::Expanded,
        };
        self.graph.targets.extend(successors.iter().map(|it| it.0));
        self.graph.ends.push(self.graph.targets.len() as u32);
        true
    }

    fn passed(&mut self) {
        self.graph.ends.push(self.graph.targets.len() as u32);
    }
}
