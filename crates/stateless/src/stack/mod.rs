//! The stack of an exploration: the run, its frames, and what each frame owns in the vectors beside them.
//! Why vectors beside the frames: a frame is entered and left for every event, and must cost no allocation.
//! A frame is a state of the run and has the index of the event that happens there.
//! Invariants: the run has one event fewer than there are frames, and event `i` leads from frame `i` to the next; what belongs
//! to a frame begins where that of the one below it ends.
//! Not here: which event comes next (`explore`), adding its frame (`enter`), what workers share (`share`).

mod asleep;
mod branches;
mod enter;
mod share;

pub(crate) use asleep::Asleep;
pub(crate) use branches::Branches;

use crate::index::{DoneIdx, EventIdx, Idx, NodeIdx, Table, ThreadIdx};
use crate::known::Known;
use crate::run::Run;
use crate::setup::Setup;
use crate::sleep_set::Sleeper;
use crate::step::Step;
use foresee_lts::Action;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Stack {
    run: Run,
    frames: Table<EventIdx, Frame>,
    /// The states of the frames, one after the other.
    states: Vec<u32>,
    /// The actions that can happen in the states of the frames, with the names of their threads, and the indices of these.
    actions: Vec<(Action, u64)>,
    threads: Vec<ThreadIdx>,
    /// Steps explored from the frames.
    done: Table<DoneIdx, Arc<Step>>,
    sleepers: Vec<Sleeper>,
    /// To be filled when a frame is entered.
    listed: Vec<(Action, u64)>,
    is_confused: bool,
}

/// A state of the run and what is pending there.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    branches: Branches,
    /// The visit that is exploring the run's branch (`settled`).
    visit: u64,
    /// Its state among those that are known, if it is there.
    node: Option<NodeIdx>,
    /// Where its state begins, its enabled actions, the steps explored from here, and its sleepers.
    state: usize,
    enabled: usize,
    done: DoneIdx,
    sleepers: usize,
    /// Nothing was run from here yet.
    is_fresh: bool,
    /// What may still be spent of the bound.
    allowance: u32,
    /// Branches that are done, and the runs that ended below them.
    n_done: u32,
    n_runs: u64,
}

impl Frame {
    pub(crate) fn n_owed(&self) -> (u64, usize) {
        self.branches.n_owed()
    }

    pub(crate) fn n_done(&self) -> u32 {
        self.n_done
    }

    pub(crate) fn n_runs(&self) -> u64 {
        self.n_runs
    }
}

/// The actions that can happen in a state, each with the name of its thread, and the indices of the threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled<'e> {
    pub(crate) actions: &'e [(Action, u64)],
    pub(crate) threads: &'e [ThreadIdx],
}

impl Stack {
    pub(crate) fn new() -> Self {
        Stack {
            run: Run::new(),
            frames: Table::default(),
            states: Vec::new(),
            actions: Vec::new(),
            threads: Vec::new(),
            done: Table::default(),
            sleepers: Vec::new(),
            listed: Vec::new(),
            is_confused: false,
        }
    }

    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(crate) fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.frames.iter()
    }

    /// Whether two actions of one thread were enabled at once.
    pub(crate) fn is_confused(&self) -> bool {
        self.is_confused
    }

    /// Whether something is pending at a state of the run.
    pub(crate) fn is_owing(&self) -> bool {
        self.frames.iter().any(|frame| frame.branches.is_owing())
    }

    /// Whether there is something to explore from the last frame.
    pub(crate) fn is_open(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_fresh || frame.branches.is_owing())
    }

    pub(crate) fn is_fresh(&self, depth: EventIdx) -> bool {
        self.frames[depth].is_fresh
    }

    /// From now on something was run from the frame; whether nothing was before.
    pub(crate) fn start_from(&mut self, depth: EventIdx) -> bool {
        std::mem::replace(&mut self.frames[depth].is_fresh, false)
    }

    pub(crate) fn branches(&self, depth: EventIdx) -> &Branches {
        &self.frames[depth].branches
    }

    pub(crate) fn branches_mut(&mut self, depth: EventIdx) -> &mut Branches {
        &mut self.frames[depth].branches
    }

    /// The run, with what sleeps and what is pending at one of its states.
    pub(crate) fn parts(&mut self, depth: EventIdx) -> (&Run, Asleep<'_>, &mut Branches) {
        let sleepers = &self.sleepers[self.sleepers_range(depth)];
        let asleep = Asleep { sleepers, done: &self.done };
        (&self.run, asleep, &mut self.frames[depth].branches)
    }

    /// The visit that is exploring the run's branch from a frame.
    pub(crate) fn visit(&self, depth: EventIdx) -> u64 {
        self.frames[depth].visit
    }

    /// What may still be spent of the bound.
    pub(crate) fn allowance(&self, depth: EventIdx) -> u32 {
        self.frames[depth].allowance
    }

    /// How many branches from a frame are done.
    pub(crate) fn n_done(&self, depth: EventIdx) -> u32 {
        self.frames[depth].n_done
    }

    /// The node of a frame's state.
    pub(crate) fn node_at(&mut self, known: &mut Known, depth: EventIdx) -> NodeIdx {
        if let Some(node) = self.frames[depth].node {
            return node;
        }
        let node = known.node(self.state_at(depth));
        *self.frames[depth].node.insert(node)
    }

    /// No node is one any more.
    pub(crate) fn forget_nodes(&mut self) {
        self.frames.iter_mut().for_each(|frame| frame.node = None);
    }

    /// Undoes the last event; what it did is done with.
    pub(crate) fn leave(&mut self, setup: &Setup<'_>) {
        let n_runs = self.frames[self.run.end()].n_runs.max(1);
        let Some(step) = self.undo() else { return };
        let depth = self.run.end();
        let parent = &mut self.frames[depth];
        parent.n_done += 1;
        parent.n_runs += n_runs;
        if !parent.branches.is_own() {
            return; // It was taken, which counts as done.
        }
        self.sleep(setup.has_sleep_sets(), depth, step);
    }

    /// A step was explored from the last frame, and sleeps from now on if there are sleep sets.
    fn sleep(&mut self, has_sleep_sets: bool, depth: EventIdx, step: Arc<Step>) {
        let step = self.done.push(step);
        if has_sleep_sets {
            self.sleepers.push(Sleeper { since: depth, step, ran: None });
        }
    }

    /// Undoes the last event and gives its step, if there is one, and takes the last frame away.
    pub(crate) fn undo(&mut self) -> Option<Arc<Step>> {
        let depth = self.run.end();
        let frame = &self.frames[depth];
        self.states.truncate(frame.state);
        self.actions.truncate(frame.enabled);
        self.threads.truncate(frame.enabled);
        self.sleepers.truncate(frame.sleepers);
        self.done.truncate(frame.done);
        self.frames.truncate(depth);
        (!self.frames.is_empty()).then(|| self.run.pop())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.len() * 4
            + self.frames.len() * 256
            + self.run.len() * 512
            + self.sleepers.len() * 12
            + self.actions.len() * 20
    }

    pub(crate) fn state_at(&self, depth: EventIdx) -> &[u32] {
        let end = self.frames.get(depth.next()).map_or(self.states.len(), |it| it.state);
        &self.states[self.frames[depth].state..end]
    }

    pub(crate) fn enabled_at(&self, depth: EventIdx) -> Enabled<'_> {
        let first = self.frames[depth].enabled;
        let end = self.frames.get(depth.next()).map_or(self.actions.len(), |it| it.enabled);
        Enabled { actions: &self.actions[first..end], threads: &self.threads[first..end] }
    }

    /// The names of the threads that can run from a frame.
    pub(crate) fn threads_at(&self, depth: EventIdx) -> Vec<u64> {
        self.enabled_at(depth).actions.iter().map(|it| it.1).collect()
    }

    /// What was explored from the frame at `depth`.
    pub(crate) fn done_at(&self, depth: EventIdx) -> &[Arc<Step>] {
        let end = self.frames.get(depth.next()).map_or(self.done.end(), |it| it.done);
        self.done.between(self.frames[depth].done, end)
    }

    pub(crate) fn asleep_at(&self, depth: EventIdx) -> Asleep<'_> {
        Asleep { sleepers: &self.sleepers[self.sleepers_range(depth)], done: &self.done }
    }

    fn sleepers_range(&self, depth: EventIdx) -> Range<usize> {
        let end = self.frames.get(depth.next()).map_or(self.sleepers.len(), |it| it.sleepers);
        self.frames[depth].sleepers..end
    }

    pub(crate) fn action_of(&self, depth: EventIdx, thread: u64) -> Option<Action> {
        let mut enabled = self.enabled_at(depth).actions.iter();
        enabled.find(|it| it.1 == thread).map(|it| it.0)
    }

    /// Whether a thread was run from a frame, is being run or will be.
    pub(crate) fn is_owed(&self, depth: EventIdx, thread: u64) -> bool {
        self.run.step(depth).thread == thread
            || self.done_at(depth).iter().any(|step| step.thread == thread)
            || self.branches(depth).has_thread(thread)
    }
}
