//! The stack of an exploration: frames, and what each of them owns in the explorer's vectors.
//! Why vectors beside the frames: a frame is entered and left for every event, and must cost no allocation.
//! Invariant: what belongs to a frame begins where that of the one below it ends.
//! Not here: which event comes next (`explore`).

use crate::Dpor;
use crate::explore::{Explorer, Then};
use crate::shared_branches::Common;
use crate::sleep_set::Sleeper;
use crate::step::{NONE, Step};
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
    pub(crate) branch: u32,
    /// The visit that is exploring the run's branch (`settled`).
    pub(crate) visit: u64,
    /// The number of its state among those that are known, or [`NONE`].
    pub(crate) node: u32,
    /// Where its state begins in the explorer's stack.
    pub(crate) state: u32,
    /// Where its enabled actions begin in the explorer's stack.
    pub(crate) enabled: u32,
    /// Where the steps explored from here begin in the explorer's stack.
    pub(crate) done: u32,
    /// Where its sleepers begin.
    pub(crate) sleepers: u32,
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

/// The actions that can happen in a state, each with its thread, and the numbers of the threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled<'e> {
    pub(crate) actions: &'e [(Action, u64)],
    pub(crate) numbers: &'e [u32],
}

impl Explorer<'_> {
    /// Adds a frame for the next state, which has that number.
    pub(crate) fn enter(&mut self, node: u32, then: Then, allowance: u32) {
        let enabled = self.actions.len() as u32;
        if let Some(Enabled { actions, numbers }) = self.graph.enabled(node) {
            self.actions.extend_from_slice(actions);
            self.thread_numbers.extend_from_slice(numbers);
        } else {
            self.list_actions();
            let (actions, numbers) =
                (&self.actions[enabled as usize..], &self.thread_numbers[enabled as usize..]);
            self.graph.set_enabled(node, Enabled { actions, numbers });
        }
        let sleepers = self.sleepers.len() as u32;
        let done = self.done.len() as u32;
        // In a shared state only what is pending is run.
        let (tree, common, is_fresh) = match then {
            Then::Own(tree) => (tree, None, true),
            Then::Common(common) => (WakeupTree::default(), Some(common), false),
        };
        let (n_done, n_runs) = (0, 0);
        let state = self.states.len() as u32;
        self.states.extend_from_slice(&self.next);
        self.frames.push(Frame {
            tree,
            common,
            branch: 0,
            visit: 0,
            node,
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

    /// Adds the actions of the next state, with the numbers of their threads.
    fn list_actions(&mut self) {
        let threads = self.rules.threads;
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let end = self.actions.len();
        let mut before = self.frames.last().map_or(end, |frame| frame.enabled as usize);
        threads.enabled_threads(&self.next, &mut listed);
        if let Some(allow) = &self.config.allow {
            listed.retain(|it| allow(&self.next, it.0));
        }
        for &(_, thread) in &listed {
            // Mostly the same threads in the same order as one event ago: their numbers need not be looked up.
            let known = self.actions[before..end].iter().position(|it| it.1 == thread);
            let number = match known {
                Some(skipped) => {
                    before += skipped + 1;
                    self.thread_numbers[before - 1]
                }
                None => {
                    let number = self.numbers.thread(thread);
                    self.run.reserve_thread(number as usize);
                    self.is_confused |= self.thread_numbers[end..].contains(&number);
                    number
                }
            };
            self.thread_numbers.push(number);
        }
        self.actions.extend_from_slice(&listed);
        self.listed = listed;
    }

    /// Notes threads that were enabled at `depth`, the frame before the last, and are not after the event from there, which is
    /// that edge.
    pub(crate) fn note_disabled(&mut self, depth: usize, edge: u32) {
        if self.graph.edge(edge).is_disabling == Some(false) {
            return;
        }
        let (before, after) = (self.enabled_at(depth), self.enabled_at(depth + 1));
        let ran = self.run.events[depth].step.thread;
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
        self.disabled.extend(gone.into_iter().map(|thread| (depth as u32, thread)));
    }

    /// Undoes the last event; what it did is done with.
    pub(crate) fn leave(&mut self) {
        let n_runs = self.frames.last().expect("a frame to leave").n_runs.max(1);
        let Some(step) = self.undo() else { return };
        let depth = self.run.len();
        let parent = &mut self.frames[depth];
        parent.n_done += 1;
        parent.n_runs += n_runs;
        if parent.common.is_some() {
            return; // It was taken, which counts as done.
        }
        self.done.push(step);
        let step = self.done.len() as u32 - 1;
        if self.has_sleep_sets() {
            self.sleepers.push(Sleeper { since: depth as u32, step, ran: NONE });
        }
    }

    /// Undoes the last event and gives it, if there is one, and takes the last frame away.
    pub(crate) fn undo(&mut self) -> Option<Arc<Step>> {
        let frame = self.frames.pop().expect("a frame to leave");
        self.states.truncate(frame.state as usize);
        self.actions.truncate(frame.enabled as usize);
        self.thread_numbers.truncate(frame.enabled as usize);
        self.sleepers.truncate(frame.sleepers as usize);
        self.done.truncate(frame.done as usize);
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

    pub(crate) fn state_at(&self, depth: usize) -> &[u32] {
        let first = self.frames[depth].state as usize;
        let end = self.frames.get(depth + 1).map_or(self.states.len(), |it| it.state as usize);
        &self.states[first..end]
    }

    /// Whether nothing is cut and nothing repeated.
    pub(crate) fn is_exact(&self) -> bool {
        self.config.dpor == Dpor::Optimal && self.config.bound.is_none()
    }

    pub(crate) fn has_sleep_sets(&self) -> bool {
        (self.config.sleep_sets || self.config.dpor == Dpor::Optimal)
            && !self.config.needs_every_order()
    }

    pub(crate) fn enabled_at(&self, depth: usize) -> Enabled<'_> {
        let first = self.frames[depth].enabled as usize;
        let end = self.frames.get(depth + 1).map_or(self.actions.len(), |it| it.enabled as usize);
        Enabled { actions: &self.actions[first..end], numbers: &self.thread_numbers[first..end] }
    }

    /// What was explored from the frame at `depth`.
    pub(crate) fn done_at(&self, depth: usize) -> &[Arc<Step>] {
        let first = self.frames[depth].done as usize;
        let end = self.frames.get(depth + 1).map_or(self.done.len(), |it| it.done as usize);
        &self.done[first..end]
    }

    pub(crate) fn sleepers_at(&self, depth: usize) -> &[Sleeper] {
        let first = self.frames[depth].sleepers as usize;
        let end = self.frames.get(depth + 1).map_or(self.sleepers.len(), |it| it.sleepers as usize);
        &self.sleepers[first..end]
    }

    pub(crate) fn step_of_sleeper(&self, sleeper: Sleeper) -> &Arc<Step> {
        &self.done[sleeper.step as usize]
    }

    pub(crate) fn is_asleep(&self, depth: usize, thread: u64) -> bool {
        let mut sleepers = self.sleepers_at(depth).iter();
        sleepers.any(|it| it.ran == NONE && self.step_of_sleeper(*it).thread == thread)
    }

    pub(crate) fn action_of(&self, depth: usize, thread: u64) -> Option<Action> {
        let mut enabled = self.enabled_at(depth).actions.iter();
        enabled.find(|it| it.1 == thread).map(|it| it.0)
    }
}
