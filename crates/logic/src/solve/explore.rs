//! The search: vertices are expanded nearest first, counting actions only, until the first one is decided.
//! A vertex that no undecided vertex needs any more is left alone (it sleeps until one does), so one half of an "or" is not
//! explored when the other half holds, and a violation is found without exploring what lies beyond it.

use super::alphabet::Alphabet;
use super::core::Program;
use super::cycles::{self, Rest};
use super::graph::{Child, FALSE_VERTEX, Graph, TRUE_VERTEX, Truth, VertexId};
use super::instance::{FALSE, InstanceId, Instances, TRUE};
use crate::space::{Full, Space};
use crate::{Diagnostic, Edge, LabelOf};
use foresee_lts::{State, StoppedBy, System};
use foresee_search::{Budget, Limits, Meter, Observer, Progress};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Graphs smaller than this are not looked at for cycles before they are complete.
const CYCLES_FROM: usize = 64;
const NOT_EXPANDED: u32 = u32::MAX;

/// Everything known when the search ends.
pub(super) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) instances: Instances<'a>,
    pub(super) alphabet: Alphabet,
    pub(super) space: Space<'a>,
    pub(super) graph: Graph,
    pub(super) root: VertexId,
    /// The initial states, as the system gives them, by number.
    pub(super) initial: Vec<(u32, State)>,
    /// Vertices decided by cycles.
    pub(super) rests: FxHashMap<VertexId, Option<VertexId>>,
    pub(super) stopped_by: Option<StoppedBy>,
    pub(super) depth: u32,
    labels: &'a LabelOf<'a>,
    /// Only the transitions of these states may be looked at; what others satisfy stays unknown.
    within: Option<&'a Within<'a>>,
    /// A state outside was met.
    is_bounded: bool,
    /// Where the transitions of each state begin and end in `transitions`.
    ranges: Vec<(u32, u32)>,
    transitions: Vec<Edge>,
    known: FxHashMap<(u32, InstanceId), VertexId>,
    now: VecDeque<VertexId>,
    later: VecDeque<VertexId>,
    cycles_at: usize,
    wanted: Vec<(u32, InstanceId, bool)>,
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// A set of states.
pub(super) type Within<'a> = dyn Fn(&[u32]) -> bool + 'a;

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a dyn System,
        labels: &'a LabelOf<'a>,
        program: &'a Program,
        limits: &Limits,
    ) -> Self {
        Search {
            program,
            instances: Instances::new(program),
            alphabet: Alphabet::default(),
            space: Space::new(system, limits),
            graph: Graph::new(),
            root: 0,
            initial: Vec::new(),
            rests: FxHashMap::default(),
            stopped_by: None,
            depth: 0,
            labels,
            within: None,
            is_bounded: false,
            ranges: Vec::new(),
            transitions: Vec::new(),
            known: FxHashMap::default(),
            now: VecDeque::new(),
            later: VecDeque::new(),
            cycles_at: CYCLES_FROM,
            wanted: Vec::new(),
        }
    }

    /// Looks at the transitions of these states only.
    pub(super) fn within(mut self, within: &'a Within<'a>) -> Self {
        self.within = Some(within);
        self
    }

    pub(super) fn run(
        &mut self,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Fallible<()> {
        let mut budget = Budget::new(meter, limits);
        self.start()?;
        while self.graph.value(self.root) == Truth::Unknown && self.stopped_by.is_none() {
            let Some(vertex) = self.now.pop_front() else {
                if self.later.is_empty() {
                    break;
                }
                if limits.depth_max.is_some_and(|depth_max| self.depth >= depth_max) {
                    self.stopped_by = Some(StoppedBy::Depth);
                    break;
                }
                self.depth += 1;
                std::mem::swap(&mut self.now, &mut self.later);
                self.look_for_cycles();
                continue;
            };
            self.visit(vertex)?;
            let (space, graph) = (&self.space, &self.graph);
            let memory = || (space.bytes() + graph.bytes()) as u64;
            self.stopped_by = self.stopped_by.or_else(|| budget.spend(1, memory));
            if budget.progress_due() {
                observer.progress(&self.progress(&budget));
            }
        }
        self.conclude();
        observer.progress(&self.progress(&budget));
        Ok(())
    }

    /// All transitions of a state that was expanded.
    pub(super) fn transitions_of(&self, state: u32) -> &[Edge] {
        let (start, end) = self.ranges[state as usize];
        &self.transitions[start as usize..end as usize]
    }

    pub(super) fn n_transitions(&self) -> usize {
        self.transitions.len()
    }

    /// Whether every state found was expanded, so that every label was seen.
    pub(super) fn is_complete(&self) -> bool {
        self.stopped_by.is_none()
            && self.ranges.len() == self.space.len()
            && self.ranges.iter().all(|(start, _)| *start != NOT_EXPANDED)
    }

    pub(super) fn priority(&self, vertex: VertexId) -> Option<u32> {
        self.instances.priority(self.graph.vertex(vertex).instance)
    }

    /// The first vertex is "every initial state satisfies the formula".
    fn start(&mut self) -> Fallible<()> {
        let formula = self.instances.root()?;
        let Ok(states) = self.space.start() else {
            self.stopped_by = Some(StoppedBy::States);
            return Ok(());
        };
        self.root = self.graph.add(u32::MAX, formula);
        let children: Vec<Child> = states
            .iter()
            .map(|(state, _)| Child { vertex: self.vertex(*state, formula, false), is_step: false })
            .collect();
        self.initial = states;
        self.graph.expand(self.root, true, &children);
        Ok(())
    }

    /// Expands a vertex if its value is still wanted.
    fn visit(&mut self, vertex: VertexId) -> Fallible<()> {
        let known = *self.graph.vertex(vertex);
        if known.is_expanded || known.value != Truth::Unknown {
            return Ok(());
        }
        if !self.graph.matters(vertex) {
            self.graph.set_dormant(vertex, true);
            return Ok(());
        }
        self.instances.expand(known.instance, &mut self.alphabet)?;
        let has_steps = !self.instances.body(known.instance).steps.is_empty();
        if has_steps && !self.may_expand(known.state) {
            self.is_bounded = true;
            return Ok(());
        }
        if has_steps && self.expand_state(known.state).is_err() {
            self.stopped_by = Some(StoppedBy::States);
            return Ok(());
        }
        self.collect_wanted(known.state, known.instance)?;
        let is_all = self.instances.body(known.instance).is_all;
        let wanted = std::mem::take(&mut self.wanted);
        // One child may decide already; then the others are never made.
        let decider = Truth::of(!is_all);
        let decided = wanted.iter().find_map(|(state, instance, is_step)| {
            let vertex = self.find(*state, *instance)?;
            (self.graph.value(vertex) == decider).then_some(Child { vertex, is_step: *is_step })
        });
        let children: Vec<Child> = match decided {
            Some(child) => vec![child],
            None => wanted
                .iter()
                .map(|&(state, instance, is_step)| {
                    let vertex = self.vertex(state, instance, is_step);
                    Child { vertex, is_step }
                })
                .collect(),
        };
        self.wanted = wanted;
        self.graph.expand(vertex, is_all, &children);
        Ok(())
    }

    fn may_expand(&self, state: u32) -> bool {
        self.within.is_none_or(|within| within(&self.space.state(state)))
    }

    /// Fills `wanted` with what the children of a vertex are about.
    fn collect_wanted(&mut self, state: u32, instance: InstanceId) -> Fallible<()> {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        let body = self.instances.body(instance);
        wanted.extend(body.stays.iter().map(|stay| (state, *stay, false)));
        if !body.steps.is_empty() {
            let (start, end) = self.ranges[state as usize];
            for edge in &self.transitions[start as usize..end as usize] {
                for (matcher, inside) in &body.steps {
                    if self.alphabet.matches(self.program, *matcher, edge.label)? {
                        wanted.push((edge.target, *inside, true));
                    }
                }
            }
        }
        self.wanted = wanted;
        Ok(())
    }

    fn find(&self, state: u32, instance: InstanceId) -> Option<VertexId> {
        match instance {
            FALSE => Some(FALSE_VERTEX),
            TRUE => Some(TRUE_VERTEX),
            _ => self.known.get(&(state, instance)).copied(),
        }
    }

    /// The vertex for a state and an instance; it will be visited if it was not.
    fn vertex(&mut self, state: u32, instance: InstanceId, is_step: bool) -> VertexId {
        if let Some(vertex) = self.find(state, instance) {
            if self.graph.vertex(vertex).is_dormant {
                self.graph.set_dormant(vertex, false);
                self.enqueue(vertex, is_step);
            }
            return vertex;
        }
        let vertex = self.graph.add(state, instance);
        self.known.insert((state, instance), vertex);
        self.enqueue(vertex, is_step);
        vertex
    }

    fn enqueue(&mut self, vertex: VertexId, is_step: bool) {
        let queue = if is_step { &mut self.later } else { &mut self.now };
        queue.push_back(vertex);
    }

    /// Finds the transitions of a state, once.
    fn expand_state(&mut self, state: u32) -> Result<(), Full> {
        if self.ranges.get(state as usize).is_some_and(|(start, _)| *start != NOT_EXPANDED) {
            return Ok(());
        }
        self.space.expand(state)?;
        let start = self.transitions.len() as u32;
        for found in self.space.found() {
            let text = (self.labels)(self.space.expanded(), found.action);
            let label = self.alphabet.label(text.as_deref());
            self.transitions.push(Edge { label, target: found.target });
        }
        let n = self.ranges.len().max(self.space.len());
        self.ranges.resize(n, (NOT_EXPANDED, NOT_EXPANDED));
        self.ranges[state as usize] = (start, self.transitions.len() as u32);
        Ok(())
    }

    /// Now and then, whenever the graph has doubled.
    fn look_for_cycles(&mut self) {
        if self.program.cycles_decide && self.graph.len() >= self.cycles_at {
            self.cycles_at = 2 * self.graph.len();
            self.certain_cycles();
        }
    }

    /// What cycles decide whatever the unexplored part turns out to be.
    fn certain_cycles(&mut self) {
        for assumed in [true, false] {
            let rests = cycles::decide(&self.graph, |vertex| self.priority(vertex), assumed);
            let certain = Truth::of(!assumed);
            self.note(rests.into_iter().filter(|rest| rest.value == certain).collect());
        }
    }

    /// Takes down all first: deciding one may decide others, and their choices belong together.
    fn note(&mut self, mut rests: Vec<Rest>) {
        rests.retain(|rest| self.graph.value(rest.vertex) == Truth::Unknown);
        for rest in &rests {
            self.rests.insert(rest.vertex, rest.choice);
        }
        for rest in rests {
            self.graph.decide(rest.vertex, rest.value);
        }
    }

    fn conclude(&mut self) {
        if self.graph.value(self.root) != Truth::Unknown || self.root == 0 {
            return;
        }
        if self.stopped_by.is_some() || self.is_bounded {
            self.certain_cycles();
        } else {
            let rests = cycles::decide(&self.graph, |vertex| self.priority(vertex), false);
            self.note(rests);
            assert!(self.graph.value(self.root) != Truth::Unknown, "everything is explored");
        }
    }

    fn progress(&self, budget: &Budget<'_>) -> Progress {
        Progress {
            states: self.space.len() as u64,
            transitions: self.transitions.len() as u64,
            frontier: (self.now.len() + self.later.len()) as u64,
            depth: self.depth,
            memory_bytes: (self.space.bytes() + self.graph.bytes()) as u64,
            elapsed: budget.elapsed(),
            walks: 0,
        }
    }
}
