//! What an explorer has found out about the system and need not ask again: which states there are, what threads do in them,
//! what the events touch.
//! All of it but the indices is a cache: emptying it costs nothing but time.
//! Not here: which states the run has come through (`stack`), which sequences were planned (`settled`).

use crate::graph::{Edge, Graph};
use crate::index::{EdgeIdx, NodeIdx, ThreadIdx};
use crate::numbers::Numbers;
use crate::setup::Setup;
use crate::stack::Enabled;
use crate::step::Step;
use foresee_lts::{Action, Footprint, Happened, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// More steps than this are not kept; they are made again when they are wanted.
const STEPS_MAX: usize = 1 << 16;

#[derive(Debug)]
pub(crate) struct Known {
    /// The indices of threads, objects and mailboxes, common to all explorers of an exploration.
    numbers: Arc<Numbers>,
    graph: Graph,
    /// Steps of events that the system knows again, by the address of their footprints, which the steps keep alive.
    steps: FxHashMap<usize, Arc<Step>>,
    /// To be filled when an event happens.
    here: State,
    next: State,
}

impl Known {
    pub(crate) fn new() -> Self {
        Known::with_indices(Arc::default())
    }

    /// The same indices, and nothing else known.
    pub(crate) fn empty(&self) -> Self {
        Known::with_indices(Arc::clone(&self.numbers))
    }

    fn with_indices(numbers: Arc<Numbers>) -> Self {
        Known {
            numbers,
            graph: Graph::new(),
            steps: FxHashMap::default(),
            here: State::new(),
            next: State::new(),
        }
    }

    pub(crate) fn thread(&self, name: u64) -> ThreadIdx {
        self.numbers.thread(name)
    }

    pub(crate) fn node(&mut self, state: &[u32]) -> NodeIdx {
        self.graph.node(state)
    }

    pub(crate) fn state(&self, node: NodeIdx) -> &[u32] {
        self.graph.state(node)
    }

    pub(crate) fn edge(&self, at: EdgeIdx) -> &Edge {
        self.graph.edge(at)
    }

    /// The actions of a state, if they are known.
    pub(crate) fn enabled(&self, node: NodeIdx) -> Option<Enabled<'_>> {
        self.graph.enabled(node)
    }

    pub(crate) fn set_enabled(&mut self, node: NodeIdx, enabled: Enabled<'_>) {
        self.graph.set_enabled(node, enabled);
    }

    pub(crate) fn set_disabling(&mut self, at: EdgeIdx, is_disabling: bool) {
        self.graph.edge_mut(at).is_disabling = Some(is_disabling);
    }

    /// What a thread does in a state, found out if need be; its action there may be known. `None` if it can do nothing.
    pub(crate) fn transition(
        &mut self,
        setup: &Setup<'_>,
        node: NodeIdx,
        thread: u64,
        action: Option<Action>,
    ) -> Option<EdgeIdx> {
        if let Some(at) = self.graph.look_up(node, thread) {
            return Some(at);
        }
        let (mut here, mut next) = (std::mem::take(&mut self.here), std::mem::take(&mut self.next));
        here.clear();
        here.extend_from_slice(self.graph.state(node));
        let action = action.or_else(|| setup.action_in(&here, thread));
        let at = action.map(|action| {
            let happened = setup.rules.threads.happen(&here, action, &mut next);
            let may_bring_fault = happened.may_bring_fault;
            let step = self.step_of(setup, &here, action, happened, &next);
            self.graph.add(node, thread, step, may_bring_fault, &next)
        });
        (self.here, self.next) = (here, next);
        at
    }

    /// The step of an action that leads from a state to `next`, and of which this is known.
    fn step_of(
        &mut self,
        setup: &Setup<'_>,
        state: &[u32],
        action: Action,
        happened: Happened,
        next: &State,
    ) -> Arc<Step> {
        let Happened { mut footprint, comes_again, .. } = happened;
        // What is declared not to race, and what properties notice, depends on the whole state.
        let non_racing = setup.config.non_racing.as_ref();
        let is_ordering = setup.watches.is_ordering();
        let is_kept = comes_again && non_racing.is_none() && !is_ordering;
        let address = Arc::as_ptr(&footprint).addr();
        if is_kept && let Some(step) = self.steps.get(&address) {
            return Arc::clone(step);
        }
        if is_ordering {
            let is_broken = || setup.rules.system.fault(next).is_some();
            let objects = setup.watches.changed(state, next, is_broken);
            let own = Footprint::clone(&footprint);
            footprint = Arc::new(objects.fold(own, Footprint::writes));
        }
        let numbered = self.numbers.of(&footprint);
        let step = Step::new(footprint, numbered, state, action, non_racing);
        if is_kept {
            if self.steps.len() >= STEPS_MAX {
                self.steps.clear();
            }
            self.steps.insert(address, Arc::clone(&step));
        }
        step
    }

    /// Whether more is known of states than is ever kept: a single run may be that long.
    pub(crate) fn is_overfull(&self) -> bool {
        self.graph.is_overfull()
    }

    /// Forgets what is known of states if it is too much; whether it did. Then no node is one any more.
    pub(crate) fn trim(&mut self) -> bool {
        self.graph.trim()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.graph.bytes() + self.steps.len() * 512
    }
}
