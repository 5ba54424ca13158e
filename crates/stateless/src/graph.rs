//! The states that runs have come through lately, and the steps between them.
//! Why: runs differ in the order of events that mostly commute, so they part and come to the same states again, and the
//! reversal of a race is tried from the same states in run after run. What can happen in such a state, and what it does,
//! need not be asked of the system again: a known step is an edge from one number to another.
//! This is a cache, not a visited set: no state is ever skipped. Runs go through known states as through new ones, and
//! emptying the cache costs nothing but time.
//! Invariant: what is known of a state is what the system would say, because it is a function of the state; a thread has at
//! most one action there.
//! Not here: asking the system (`known`), going along (`explore`, `plan`).

use crate::index::{EdgeIdx, NodeIdx, Places, Table, ThreadIdx};
use crate::stack::Enabled;
use crate::step::Step;
use foresee_lts::Action;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Graph {
    nodes: Table<NodeIdx, Node>,
    by_state: HashTable<NodeIdx>,
    edges: Table<EdgeIdx, Edge>,
    /// The states of the nodes, one after the other; likewise their actions and the threads of these.
    words: Vec<u32>,
    actions: Vec<(Action, u64)>,
    threads: Vec<ThreadIdx>,
    /// How much is kept for now, and how many steps were known and were not since that was decided.
    bytes_max: usize,
    n_known: u64,
    n_new: u64,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    hash: u64,
    state: Places,
    /// Its actions, if they are known.
    enabled: Option<Places>,
    /// The edge from here that was found last.
    edge: Option<EdgeIdx>,
}

/// What the action of a thread does in a state.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) thread: u64,
    pub(crate) step: Arc<Step>,
    /// The state it leads to.
    pub(crate) to: NodeIdx,
    /// Whether there may be something wrong there that was not before.
    pub(crate) may_bring_fault: bool,
    /// Whether it disables another thread, if that is known.
    pub(crate) is_disabling: Option<bool>,
    /// Another edge from the same state.
    next: Option<EdgeIdx>,
}

/// So much is kept at least. Twice as much whenever two of three steps were known, up to the most; otherwise everything is
/// forgotten, and found out again when it is wanted: where runs rarely meet, more would only cost memory.
const BYTES_LEAST: usize = 256 << 10;
const BYTES_MOST: usize = 8 << 20;

impl Graph {
    pub(crate) fn new() -> Self {
        Graph {
            nodes: Table::default(),
            by_state: HashTable::new(),
            edges: Table::default(),
            words: Vec::new(),
            actions: Vec::new(),
            threads: Vec::new(),
            bytes_max: BYTES_LEAST,
            n_known: 0,
            n_new: 0,
        }
    }

    /// The node of a state.
    pub(crate) fn node(&mut self, state: &[u32]) -> NodeIdx {
        let hash = hash_of(state);
        let is_same = |node: &NodeIdx| self.state(*node) == state;
        if let Some(&node) = self.by_state.find(hash, is_same) {
            return node;
        }
        let start = self.words.len();
        self.words.extend_from_slice(state);
        let state = Places::new(start, self.words.len());
        let new = self.nodes.push(Node { hash, state, enabled: None, edge: None });
        let nodes = &self.nodes;
        self.by_state.insert_unique(hash, new, |node| nodes[*node].hash);
        new
    }

    pub(crate) fn state(&self, node: NodeIdx) -> &[u32] {
        &self.words[self.nodes[node].state.range()]
    }

    /// The actions of a state, if they are known.
    pub(crate) fn enabled(&self, node: NodeIdx) -> Option<Enabled<'_>> {
        let enabled = self.nodes[node].enabled?.range();
        let (actions, threads) = (&self.actions[enabled.clone()], &self.threads[enabled]);
        Some(Enabled { actions, threads })
    }

    pub(crate) fn set_enabled(&mut self, node: NodeIdx, enabled: Enabled<'_>) {
        let start = self.actions.len();
        self.actions.extend_from_slice(enabled.actions);
        self.threads.extend_from_slice(enabled.threads);
        self.nodes[node].enabled = Some(Places::new(start, self.actions.len()));
    }

    /// What a thread does in a state, if it is known; whether it is counts.
    pub(crate) fn look_up(&mut self, node: NodeIdx, thread: u64) -> Option<EdgeIdx> {
        let found = self.find(node, thread);
        match found {
            Some(_) => self.n_known += 1,
            None => self.n_new += 1,
        }
        found
    }

    fn find(&self, node: NodeIdx, thread: u64) -> Option<EdgeIdx> {
        let mut next = self.nodes[node].edge;
        while let Some(at) = next {
            let edge = &self.edges[at];
            if edge.thread == thread {
                return Some(at);
            }
            next = edge.next;
        }
        None
    }

    pub(crate) fn edge(&self, at: EdgeIdx) -> &Edge {
        &self.edges[at]
    }

    pub(crate) fn edge_mut(&mut self, at: EdgeIdx) -> &mut Edge {
        &mut self.edges[at]
    }

    /// Adds what a thread does in a state.
    pub(crate) fn add(
        &mut self,
        node: NodeIdx,
        thread: u64,
        step: Arc<Step>,
        may_bring_fault: bool,
        to: &[u32],
    ) -> EdgeIdx {
        let to = self.node(to);
        let next = self.nodes[node].edge.replace(self.edges.end());
        let is_disabling = None;
        self.edges.push(Edge { thread, step, to, may_bring_fault, is_disabling, next })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + 8)
            + self.edges.len() * size_of::<Edge>()
            + (self.words.len() + self.threads.len()) * 4
            + self.actions.len() * size_of::<(Action, u64)>()
    }

    /// Whether there is more than is ever kept: a single run may be that long.
    pub(crate) fn is_overfull(&self) -> bool {
        self.bytes() > BYTES_MOST
    }

    /// Forgets everything if there is too much of it; whether it did.
    pub(crate) fn trim(&mut self) -> bool {
        if self.bytes() <= self.bytes_max {
            return false;
        }
        let is_worth_more = self.n_known > 2 * self.n_new && self.bytes_max < BYTES_MOST;
        (self.n_known, self.n_new) = (0, 0);
        if is_worth_more {
            self.bytes_max *= 2;
            return false;
        }
        self.clear();
        true
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.by_state.clear();
        self.edges.clear();
        self.words.clear();
        self.actions.clear();
        self.threads.clear();
    }
}

fn hash_of(state: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in state.chunks(2) {
        let high = pair.get(1).copied().unwrap_or(0);
        hasher.write_u64(u64::from(pair[0]) | u64::from(high) << 32);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Idx;

    #[test]
    fn a_state_is_known_again_with_what_was_found_out_there() {
        let mut graph = Graph::new();
        let nodes: Vec<NodeIdx> = (0..100).map(|word| graph.node(&[word, 7, word])).collect();
        assert!((0..).zip(&nodes).all(|(word, node)| graph.node(&[word, 7, word]) == *node));
        assert_ne!(graph.node(&[1, 7]), graph.node(&[1, 7, 0]), "lengths tell states apart");
        let at = graph.add(nodes[0], 5, Step::of_thread(5), true, &[3, 7, 3]);
        graph.add(nodes[0], 6, Step::of_thread(6), false, &[4, 7, 4]);
        assert_eq!((graph.find(nodes[0], 5), graph.find(nodes[0], 7)), (Some(at), None));
        assert_eq!((graph.edge(at).to, graph.find(nodes[1], 5)), (nodes[3], None));
        assert!(graph.enabled(nodes[0]).is_none());
        let actions = &[(Action(1), 5), (Action(2), 6)][..];
        let threads = &[ThreadIdx::new(0), ThreadIdx::new(1)][..];
        graph.set_enabled(nodes[0], Enabled { actions, threads });
        assert_eq!(graph.enabled(nodes[0]).map(|it| it.actions.len()), Some(2));
        graph.clear();
        let again = graph.node(&[0, 7, 0]);
        assert!(graph.find(again, 5).is_none() && graph.enabled(again).is_none());
    }

    #[test]
    fn more_is_kept_only_where_steps_are_known_again() {
        let mut graph = Graph::new();
        let mut word = 0;
        let mut fill = |graph: &mut Graph| {
            while graph.bytes() <= graph.bytes_max {
                graph.node(&[word, 1, 2]);
                word += 1;
            }
        };
        fill(&mut graph);
        graph.n_known = 100;
        assert!(!graph.trim() && graph.bytes_max == 2 * BYTES_LEAST);
        fill(&mut graph);
        (graph.n_known, graph.n_new) = (100, 80);
        assert!(graph.trim() && graph.bytes() == 0 && graph.bytes_max == 2 * BYTES_LEAST);
    }
}
