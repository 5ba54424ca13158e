//! The stack of an exploration: frames, and what each of them owns in the explorer's vectors.
//! Why vectors beside the frames: a frame is entered and left for every event, and must cost no allocation.
//! Invariant: what belongs to a frame begins where that of the one below it ends.
//! Not here: which event comes next (`explore`).

use crate::Dpor;
use crate::explore::{Explorer, Then};
use crate::index::{BranchIdx, DoneIdx, EdgeIdx, EventIdx, Idx, NodeIdx, ThreadIdx};
use crate::shared_branches::Common;
use crate::sleep_set::Sleeper;
use crate::step::Step;
use crate::wakeup_tree::WakeupTree;
use foresee_lts::Action;
use smallvec::SmallVec;
use std::sync::Arc;

/// A state of the run and what is pending there.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) tree: WakeupTree,
    /// In place of the tree, if other workers go through this state too; and which of the branches taken is the run's.
    pub(crate) common: Option<Arc<Common>>,
    pub(crate) branch: BranchIdx,
    /// The visit that is exploring the run's branch (`settled`).
    pub(crate) visit: u64,
    /// Its state among those that are known, if it is there.
    pub(crate) node: Option<NodeIdx>,
    /// Where its state begins in the explorer's stack.
    pub(crate) state: usize,
    /// Where its enabled actions begin in the explorer's stack.
    pub(crate) enabled: usize,
    /// Where the steps explored from here begin in the explorer's stack.
    pub(crate) done: DoneIdx,
    /// Where its sleepers begin.
    pub(crate) sleepers: usize,
    /// Nothing was run from here yet.
    pub(crate) is_fresh: bool,
    /// What may still be spent of the bound.
    pub(crate) allowance: u32,
    /// Branches that are done, and the runs that ended below them.
    pub(crate) n_done: u32,
    pub(crate) n_runs: u64,
}

impl Frame {
    /// Whether something is pending at the state, or at a shared state below it.
    pub(crate) fn is_owing(&self) -> bool {
        match &self.common {
            None => !self.tree.is_empty(),
            Some(common) => common.is_open(),
        }
    }

    /// How many sequences are pending, and from how many branches.
    pub(crate) fn n_owed(&self) -> (u64, usize) {
        let count = |tree: &WakeupTree| (tree.n_leaves(), tree.len());
        self.common.as_ref().map_or_else(|| count(&self.tree), |common| count(&common.lock().tree))
    }
}

/// The actions that can happen in a state, each with the name of its thread, and the indices of the threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled<'e> {
    pub(crate) actions: &'e [(Action, u64)],
    pub(crate) threads: &'e [ThreadIdx],
}

impl Explorer<'_> {
    /// Adds a frame for the next state, which is that node.
    pub(crate) fn enter(&mut self, node: NodeIdx, then: Then, allowance: u32) {
        let enabled = self.actions.len();
        if let Some(Enabled { actions, threads }) = self.graph.enabled(node) {
            self.actions.extend_from_slice(actions);
            self.threads.extend_from_slice(threads);
        } else {
            self.list_actions();
            let (actions, threads) = (&self.actions[enabled..], &self.threads[enabled..]);
            self.graph.set_enabled(node, Enabled { actions, threads });
        }
        let sleepers = self.sleepers.len();
        let done = self.done.end();
        // In a shared state only what is pending is run.
        let (tree, common, is_fresh) = match then {
            Then::Own(tree) => (tree, None, true),
            Then::Common(common) => (WakeupTree::default(), Some(common), false),
        };
        let (n_done, n_runs) = (0, 0);
        let state = self.states.len();
        self.states.extend_from_slice(&self.next);
        self.frames.push(Frame {
            tree,
            common,
            branch: BranchIdx::default(),
            visit: 0,
            node: Some(node),
            state,
            done,
            enabled,
            sleepers,
            is_fresh,
            allowance,
            n_done,
            n_runs,
        });
    }

    /// Adds the actions of the next state, with the indices of their threads.
    fn list_actions(&mut self) {
        let threads = self.rules.threads;
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let end = self.actions.len();
        let mut before = self.frames.last().map_or(end, |frame| frame.enabled);
        threads.enabled_threads(&self.next, &mut listed);
        if let Some(allow) = &self.config.allow {
            listed.retain(|it| allow(&self.next, it.0));
        }
        for &(_, thread) in &listed {
            // Mostly the same threads in the same order as one event ago: their indices need not be looked up.
            let known = self.actions[before..end].iter().position(|it| it.1 == thread);
            let thread = match known {
                Some(skipped) => {
                    before += skipped + 1;
                    self.threads[before - 1]
                }
                None => {
                    let thread = self.numbers.thread(thread);
                    self.run.reserve_thread(thread);
                    self.is_confused |= self.threads[end..].contains(&thread);
                    thread
                }
            };
            self.threads.push(thread);
        }
        self.actions.extend_from_slice(&listed);
        self.listed = listed;
    }

    /// Notes threads that were enabled at `depth`, the frame before the last, and are not after the event from there, which is
    /// that edge.
    pub(crate) fn note_disabled(&mut self, depth: EventIdx, edge: EdgeIdx) {
        if self.graph.edge(edge).is_disabling == Some(false) {
            return;
        }
        let (before, after) = (self.enabled_at(depth), self.enabled_at(depth.next()));
        let ran = self.run.step(depth).thread;
        let mut place = 0;
        let mut gone: SmallVec<[u64; 4]> = SmallVec::new();
        for &(_, thread) in before.actions {
            // Both are in the system's order, so the next one is nearly always there.
            if after.actions.get(place).is_some_and(|it| it.1 == thread) {
                place += 1;
            } else if let Some(at) = after.actions.iter().position(|it| it.1 == thread) {
                place = at + 1;
            } else if thread != ran {
                gone.push(thread);
            }
        }
        self.graph.edge_mut(edge).is_disabling = Some(!gone.is_empty());
        self.disabled.extend(gone.into_iter().map(|thread| (depth, thread)));
    }

    /// Undoes the last event; what it did is done with.
    pub(crate) fn leave(&mut self) {
        let n_runs = self.frames.last().expect("a frame to leave").n_runs.max(1);
        let Some(step) = self.undo() else { return };
        let depth = self.run.end();
        let parent = &mut self.frames[depth];
        parent.n_done += 1;
        parent.n_runs += n_runs;
        if parent.common.is_some() {
            return; // It was taken, which counts as done.
        }
        let step = self.done.push(step);
        if self.has_sleep_sets() {
            self.sleepers.push(Sleeper { since: depth, step, ran: None });
        }
    }

    /// Undoes the last event and gives it, if there is one, and takes the last frame away.
    pub(crate) fn undo(&mut self) -> Option<Arc<Step>> {
        let frame = self.frames.pop().expect("a frame to leave");
        self.states.truncate(frame.state);
        self.actions.truncate(frame.enabled);
        self.threads.truncate(frame.enabled);
        self.sleepers.truncate(frame.sleepers);
        self.done.truncate(frame.done);
        if self.frames.is_empty() {
            self.faults.clear();
            self.watcher.undo(0);
            self.watcher.failed.clear();
            return None;
        }
        let step = self.run.pop();
        let depth = self.run.len();
        while self.faults.last().is_some_and(|(n_events, _)| *n_events > depth) {
            self.faults.pop();
        }
        self.watcher.undo(depth);
        Some(step)
    }

    /// Notes what is wrong with the next state.
    pub(crate) fn note_fault(&mut self) {
        if self.watcher.is_pruned() {
            return;
        }
        if let Some(fault) = self.rules.system.fault(&self.next)
            && !self.faults.iter().any(|(_, known)| *known == fault)
        {
            self.faults.push((self.run.len(), fault));
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let states = self.states.len() * 4 + self.frames.len() * 256 + self.graph.bytes();
        let steps = self.steps.len() * 512 + self.settled.bytes();
        states + steps + self.run.len() * 512 + self.sleepers.len() * 12 + self.actions.len() * 20
    }

    pub(crate) fn state_at(&self, depth: EventIdx) -> &[u32] {
        &self.states[self.frames[depth].state..self.states_end(depth)]
    }

    /// Where the state of a frame ends.
    pub(crate) fn states_end(&self, depth: EventIdx) -> usize {
        self.frames.get(depth.next()).map_or(self.states.len(), |it| it.state)
    }

    /// Whether nothing is cut and nothing repeated.
    pub(crate) fn is_exact(&self) -> bool {
        self.config.dpor == Dpor::Optimal && self.config.bound.is_none()
    }

    pub(crate) fn has_sleep_sets(&self) -> bool {
        (self.config.sleep_sets || self.config.dpor == Dpor::Optimal)
            && !self.config.needs_every_order()
    }

    pub(crate) fn enabled_at(&self, depth: EventIdx) -> Enabled<'_> {
        let first = self.frames[depth].enabled;
        let end = self.frames.get(depth.next()).map_or(self.actions.len(), |it| it.enabled);
        Enabled { actions: &self.actions[first..end], threads: &self.threads[first..end] }
    }

    /// What was explored from the frame at `depth`.
    pub(crate) fn done_at(&self, depth: EventIdx) -> &[Arc<Step>] {
        let end = self.frames.get(depth.next()).map_or(self.done.end(), |it| it.done);
        self.done.between(self.frames[depth].done, end)
    }

    pub(crate) fn sleepers_at(&self, depth: EventIdx) -> &[Sleeper] {
        let end = self.frames.get(depth.next()).map_or(self.sleepers.len(), |it| it.sleepers);
        &self.sleepers[self.frames[depth].sleepers..end]
    }

    pub(crate) fn step_of_sleeper(&self, sleeper: Sleeper) -> &Arc<Step> {
        &self.done[sleeper.step]
    }

    pub(crate) fn is_asleep(&self, depth: EventIdx, thread: u64) -> bool {
        let mut sleepers = self.sleepers_at(depth).iter();
        sleepers.any(|it| it.ran.is_none() && self.step_of_sleeper(*it).thread == thread)
    }

    pub(crate) fn action_of(&self, depth: EventIdx, thread: u64) -> Option<Action> {
        let mut enabled = self.enabled_at(depth).actions.iter();
        enabled.find(|it| it.1 == thread).map(|it| it.0)
    }
}
