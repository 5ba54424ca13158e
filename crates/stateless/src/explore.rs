//! Exploring: one run after the other, each from the deepest state where another order is owed.
//! Because states are values, the states of the run stand on a stack and going back is taking the one that is there:
//! no prefix is ever run again.
//! Paper: Abdulla et al., JACM 2017. Its `Explore(E, Sleep, WuT)` is a [`Frame`] with its part of the sleepers and its tree;
//! its recursion is [`Explorer::next_run`], which goes on from the last frame with a tree that is not empty.
//! Invariant: the run has one event fewer than there are frames; event `i` leads from frame `i` to frame `i + 1`.
//! Under optimal exploration nothing sleeps in a frame that is entered with an empty tree: no run is ever given up.
//! Not here: what to do about a race (`plan`), limits, errors and counting (`engine`).

use crate::bound::BoundKind;
use crate::common::Common;
use crate::initial::Pending;
use crate::numbers::Numbers;
use crate::plan::{Kept, Replayed};
use crate::race::{Reversals, Rules, extend};
use crate::run::Run;
use crate::sleep_set::{self, Sleeper};
use crate::step::{NONE, Step};
use crate::wakeup_tree::WakeupTree;
use crate::watch::Watcher;
use crate::{Config, Dpor, schedule};
use foresee_lts::{Action, Fault, Footprint, State, System};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A state of the run and what is owed to it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) tree: WakeupTree,
    /// In place of the tree, if other workers go through this state too; and which of the branches taken is the run's.
    pub(crate) common: Option<Arc<Common>>,
    pub(crate) branch: u32,
    /// Where its state begins in the explorer's stack.
    state: u32,
    /// Where its enabled actions begin in the explorer's stack.
    enabled: u32,
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
    /// Whether something is owed to the state, or to a common state below it.
    pub(crate) fn is_owing(&self) -> bool {
        match &self.common {
            None => !self.tree.is_empty(),
            Some(common) => common.is_open(),
        }
    }

    /// How many sequences are owed, and from how many branches.
    pub(crate) fn n_owed(&self) -> (u64, usize) {
        let count = |tree: &WakeupTree| (tree.n_leaves(), tree.len());
        self.common.as_ref().map_or_else(|| count(&self.tree), |common| count(&common.lock().tree))
    }
}

/// An action that can happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled {
    pub(crate) thread: u64,
    pub(crate) action: Action,
    /// The thread's number in the run.
    pub(crate) number: u32,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    /// Nothing can happen.
    Complete,
    /// Everything that can happen sleeps.
    Blocked,
    /// It is as long as runs may be.
    Depth,
}

/// Where an action can happen.
pub(crate) enum Place<'s> {
    Frame(usize),
    State(&'s [u32]),
}

/// More steps than this are not kept; they are made again when they are wanted.
const STEPS_MAX: usize = 1 << 16;

/// What is owed after a step: to this explorer alone, or to several.
pub(crate) enum Then {
    Own(WakeupTree),
    Common(Arc<Common>),
}

/// What came of trying to go on.
enum Move {
    Went,
    Ended(End),
    /// All that was owed here sleeps or costs too much.
    Stuck,
}

/// The run being explored and everything owed to its states.
pub(crate) struct Explorer<'a> {
    pub(crate) rules: Rules<'a>,
    pub(crate) config: &'a Config,
    pub(crate) run: Run,
    pub(crate) frames: Vec<Frame>,
    /// The states of the frames, one after the other.
    pub(crate) states: Vec<u32>,
    pub(crate) enabled: Vec<Enabled>,
    /// Steps explored from the frames.
    pub(crate) done: Vec<Arc<Step>>,
    pub(crate) sleepers: Vec<Sleeper>,
    pub(crate) reversals: Reversals,
    /// Threads of this run that an event, by its number, has disabled.
    pub(crate) disabled: Vec<(u32, u64)>,
    /// Races that are reversed again at the end of each run that has them.
    pub(crate) kept: Vec<Kept>,
    /// Faults of the run, each with the number of events before it showed.
    pub(crate) faults: Vec<(usize, Fault)>,
    pub(crate) watcher: Watcher<'a>,
    pub(crate) numbers: Arc<Numbers>,
    /// Steps of events that the system knows again, by the address of their footprints, which the steps keep alive.
    steps: FxHashMap<usize, Arc<Step>>,
    /// To be filled when an event happens, and when a frame is entered.
    next: State,
    listed: Vec<(Action, u64)>,
    /// To be filled by `plan`.
    pub(crate) order: Vec<u32>,
    pub(crate) replayed: Replayed,
    /// How many events the run shares with the one before.
    pub(crate) shared: usize,
    pub(crate) n_races: u64,
    /// The bound has cut something.
    pub(crate) is_cut: bool,
    /// Two actions of one thread were enabled at once.
    pub(crate) is_confused: bool,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(system: &'a dyn System, config: &'a Config) -> Self {
        Explorer {
            rules: Rules {
                system,
                has_observers: config.observers
                    && config.dpor == Dpor::Optimal
                    && !is_preemption_bounded(config),
                is_whole: config.dpor == Dpor::Optimal,
            },
            config,
            run: Run::new(),
            frames: Vec::new(),
            states: Vec::new(),
            enabled: Vec::new(),
            done: Vec::new(),
            sleepers: Vec::new(),
            reversals: Reversals::default(),
            disabled: Vec::new(),
            kept: Vec::new(),
            faults: Vec::new(),
            watcher: Watcher::new(&config.watches, &config.prunes),
            numbers: Arc::default(),
            steps: FxHashMap::default(),
            next: State::new(),
            listed: Vec::new(),
            order: Vec::new(),
            replayed: Replayed::default(),
            shared: 0,
            n_races: 0,
            is_cut: false,
            is_confused: false,
        }
    }

    /// Starts over in an initial state.
    pub(crate) fn start(&mut self, initial: State) {
        debug_assert!(self.frames.is_empty() && self.run.len() == 0);
        let allowance = self.config.bound.map_or(0, |bound| bound.max);
        self.next = initial;
        self.note_fault();
        self.watcher.look(None, &self.next, 0);
        self.enter(Then::Own(WakeupTree::default()), allowance);
    }

    /// Explores the next run to its end and sees to its races; `None` when nothing is owed any more.
    pub(crate) fn next_run(&mut self) -> Option<End> {
        let end = self.run_to_end()?;
        self.plan();
        Some(end)
    }

    /// Explores the next run to its end.
    pub(crate) fn run_to_end(&mut self) -> Option<End> {
        if !self.go_back() {
            return None;
        }
        self.reversals.clear();
        self.disabled.clear();
        loop {
            match self.go_on() {
                Move::Went => {}
                Move::Ended(end) => {
                    self.frames.last_mut().expect("a run has states").is_fresh = false;
                    return Some(end);
                }
                Move::Stuck => {
                    if !self.go_back() {
                        return None;
                    }
                    self.reversals.forget(self.shared as u32);
                    self.disabled.retain(|it| (it.0 as usize) < self.shared);
                }
            }
        }
    }

    /// Pops frames until one has something to explore.
    fn go_back(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if frame.is_fresh || frame.is_owing() {
                self.shared = self.run.len();
                self.kept.retain(|it| it.is_in_run_of(self.shared));
                return true;
            }
            self.leave();
        }
        false
    }

    /// One event further from the last frame, or the end of the run there.
    fn go_on(&mut self) -> Move {
        let depth = self.frames.len() - 1;
        if self.enabled_at(depth).is_empty() {
            return Move::Ended(End::Complete);
        }
        if self.config.limits.depth_max.is_some_and(|max| depth as u32 >= max) {
            return Move::Ended(End::Depth);
        }
        if self.config.dpor == Dpor::None && self.frames[depth].is_fresh {
            self.owe_everything(depth);
        }
        let is_fresh = std::mem::replace(&mut self.frames[depth].is_fresh, false);
        while let Some((thread, then)) = self.take_branch(depth) {
            if let Some((action, cost)) = self.price(depth, thread) {
                self.execute(depth, action, then, cost);
                return Move::Went;
            }
        }
        if !is_fresh {
            return Move::Stuck;
        }
        debug_assert!(
            !self.is_exact() || self.sleepers_at(depth).is_empty(),
            "nothing sleeps here"
        );
        let chosen = self.choose(depth).and_then(|thread| self.price(depth, thread));
        let Some((action, cost)) = chosen else { return Move::Ended(End::Blocked) };
        self.execute(depth, action, Then::Own(WakeupTree::default()), cost);
        Move::Went
    }

    /// Every thread that is awake, to be run in turn.
    fn owe_everything(&mut self, depth: usize) {
        let mut threads: Vec<u64> = self.enabled_at(depth).iter().map(|it| it.thread).collect();
        threads.retain(|thread| !self.is_asleep(depth, *thread));
        if let Some(first) = self.choose(depth) {
            threads.retain(|thread| *thread != first);
            threads.insert(0, first);
        }
        for thread in threads {
            self.frames[depth].tree.push(Step::of_thread(thread));
        }
    }

    fn choose(&self, depth: usize) -> Option<u64> {
        let config = self.config;
        let first = self.frames[depth].enabled as usize;
        let done = &self.done;
        let asleep = &self.sleepers[self.frames[depth].sleepers as usize..];
        let is_awake = |thread| {
            !asleep.iter().any(|sleeper| {
                let step = &done[sleeper.step as usize];
                sleeper.ran == NONE && step.thread == thread
            })
        };
        let enabled = &self.enabled[first..];
        let is_strict = config.strict_scheduling && !is_preemption_bounded(config);
        schedule::choose(config.scheduling, is_strict, &self.run, enabled, is_awake)
    }

    /// A thread's action and what it costs; `None` if it sleeps, is not enabled, or costs more than may be spent.
    fn price(&mut self, depth: usize, thread: u64) -> Option<(Action, u32)> {
        if self.config.dpor != Dpor::Optimal && self.is_asleep(depth, thread) {
            return None;
        }
        let action = self.action_of(depth, thread)?;
        let Some(bound) = self.config.bound else { return Some((action, 0)) };
        let previous = self.run.events.last().map(|event| event.step.thread);
        let previous = previous.map(|it| (it, self.action_of(depth, it).is_some()));
        let cost = bound.cost(self.frames[depth].n_done, thread, previous);
        let is_affordable = cost <= self.frames[depth].allowance;
        self.is_cut |= !is_affordable;
        is_affordable.then_some((action, cost))
    }

    fn execute(&mut self, depth: usize, action: Action, then: Then, cost: u32) {
        let mut next = std::mem::take(&mut self.next);
        let here = self.state_at(depth);
        let happened = self.rules.system.happen(here, action, &mut next);
        let step = self.step_of(Place::Frame(depth), action, happened.footprint, &next);
        self.next = next;
        extend(&mut self.run, self.rules, &step, action, &mut self.reversals);
        let first = self.sleepers.len();
        if self.has_sleep_sets() {
            self.inherit_sleepers(depth, first);
        }
        let allowance = self.frames[depth].allowance - cost;
        if happened.may_bring_fault {
            self.note_fault();
        }
        let before = &self.states[self.frames[depth].state as usize..];
        self.watcher.look(Some(before), &self.next, self.run.len());
        self.enter(then, allowance);
        self.frames[depth + 1].sleepers = first as u32;
        self.note_disabled(depth);
    }

    /// The step of an action in a frame's state.
    pub(crate) fn step_at(&mut self, depth: usize, action: Action) -> Arc<Step> {
        let mut next = std::mem::take(&mut self.next);
        let happened = self.rules.system.happen(self.state_at(depth), action, &mut next);
        let step = self.step_of(Place::Frame(depth), action, happened.footprint, &next);
        self.next = next;
        step
    }

    /// The step of an action with that footprint that leads from a state to `next`.
    pub(crate) fn step_of(
        &mut self,
        place: Place<'_>,
        action: Action,
        mut footprint: Arc<Footprint>,
        next: &State,
    ) -> Arc<Step> {
        // Only what somebody else keeps too will come again; and what is declared not to race, and what properties notice,
        // depends on the whole state.
        let non_racing = self.config.non_racing.as_ref();
        let is_ordering = self.watcher.is_ordering();
        let is_kept = Arc::strong_count(&footprint) > 1 && non_racing.is_none() && !is_ordering;
        let address = Arc::as_ptr(&footprint).addr();
        if is_kept && let Some(step) = self.steps.get(&address) {
            return Arc::clone(step);
        }
        let state = match place {
            Place::Frame(depth) => self.state_at(depth),
            Place::State(state) => state,
        };
        if is_ordering {
            let is_broken = || self.rules.system.fault(next).is_some();
            let objects = self.watcher.changed(state, next, is_broken);
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

    fn inherit_sleepers(&mut self, depth: usize, end: usize) {
        let last = self.run.len() - 1;
        let it = &self.run.events[last];
        let event = Pending { step: &it.step, event: last as u32, taken: it.taken };
        for at in self.frames[depth].sleepers as usize..end {
            let sleeper = self.sleepers[at];
            let step = &self.done[sleeper.step as usize];
            let is_patient = self.config.dpor == Dpor::Optimal;
            if let Some(sleeper) = sleep_set::after(self.rules, is_patient, sleeper, step, &event) {
                self.sleepers.push(sleeper);
            }
        }
    }

    /// Adds a frame for the next state.
    fn enter(&mut self, then: Then, allowance: u32) {
        let enabled = self.enabled.len() as u32;
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        self.rules.system.enabled_threads(&self.next, &mut listed);
        if let Some(allow) = &self.config.allow {
            listed.retain(|it| allow(&self.next, it.0));
        }
        let mut before = self.frames.last().map_or(enabled, |frame| frame.enabled) as usize;
        let mut greatest = None;
        for &(action, thread) in &listed {
            if greatest.is_none_or(|greatest| greatest < thread) {
                greatest = Some(thread);
            } else {
                let earlier = &self.enabled[enabled as usize..];
                self.is_confused |= earlier.iter().any(|it| it.thread == thread);
            }
            // Mostly the same threads in the same order as one event ago: their numbers need not be looked up.
            let known = self.enabled[before..enabled as usize].iter().take(2);
            let number = match known.enumerate().find(|(_, it)| it.thread == thread) {
                Some((skipped, it)) => {
                    before += skipped + 1;
                    it.number
                }
                None => {
                    let number = self.numbers.thread(thread);
                    self.run.reserve_thread(number as usize);
                    number
                }
            };
            self.enabled.push(Enabled { thread, action, number });
        }
        self.listed = listed;
        let sleepers = self.sleepers.len() as u32;
        let done = self.done.len() as u32;
        // In a common state only what is owed is run.
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

    /// Notes threads that were enabled at `depth` and are not after the event from there.
    fn note_disabled(&mut self, depth: usize) {
        let ran = self.run.events[depth].step.thread;
        let (before, after) = (self.enabled_at(depth), self.enabled_at(depth + 1));
        let mut place = 0;
        let mut gone: SmallVec<[u64; 4]> = SmallVec::new();
        for &Enabled { thread, .. } in before {
            // Both are in the system's order, so the next one is nearly always there.
            if after.get(place).is_some_and(|it| it.thread == thread) {
                place += 1;
            } else if let Some(at) = after.iter().position(|it| it.thread == thread) {
                place = at + 1;
            } else if thread != ran {
                gone.push(thread);
            }
        }
        self.disabled.extend(gone.into_iter().map(|thread| (depth as u32, thread)));
    }

    /// Undoes the last event; what it did is done with.
    fn leave(&mut self) {
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
        self.enabled.truncate(frame.enabled as usize);
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
    fn note_fault(&mut self) {
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
        let states = self.states.len() * 4 + self.frames.len() * 256;
        let steps = self.steps.len() * 512;
        states + steps + self.run.len() * 512 + self.sleepers.len() * 12 + self.enabled.len() * 16
    }

    pub(crate) fn state_at(&self, depth: usize) -> &[u32] {
        let first = self.frames[depth].state as usize;
        let end = self.frames.get(depth + 1).map_or(self.states.len(), |it| it.state as usize);
        &self.states[first..end]
    }

    /// Whether nothing is cut and nothing repeated.
    fn is_exact(&self) -> bool {
        self.config.dpor == Dpor::Optimal && self.config.bound.is_none()
    }

    fn has_sleep_sets(&self) -> bool {
        (self.config.sleep_sets || self.config.dpor == Dpor::Optimal)
            && !is_preemption_bounded(self.config)
    }

    pub(crate) fn enabled_at(&self, depth: usize) -> &[Enabled] {
        let first = self.frames[depth].enabled as usize;
        let end = self.frames.get(depth + 1).map_or(self.enabled.len(), |it| it.enabled as usize);
        &self.enabled[first..end]
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
        let mut enabled = self.enabled_at(depth).iter();
        enabled.find(|it| it.thread == thread).map(|it| it.action)
    }
}

pub(crate) fn is_preemption_bounded(config: &Config) -> bool {
    config.bound.is_some_and(|bound| bound.kind == BoundKind::Preemption)
}
