//! Exploring: one run after the other, each from the deepest state where another order is owed.
//! Because states are values, the states of the run stand on a stack and going back is taking the one that is there:
//! no prefix is ever run again.
//! Paper: Abdulla et al., JACM 2017. Its `Explore(E, Sleep, WuT)` is a [`Frame`] with its part of the sleepers and its tree;
//! its recursion is [`Explorer::next_run`], which goes on from the last frame with a tree that is not empty.
//! Invariant: the run has one event fewer than there are frames; event `i` leads from frame `i` to frame `i + 1`.
//! Under optimal exploration nothing sleeps in a frame that is entered with an empty tree: no run is ever given up.
//! Not here: what to do about a race (`plan`), limits, errors and counting (`engine`).

use crate::bound::BoundKind;
use crate::initial::Pending;
use crate::plan::Kept;
use crate::race::{Reversals, Rules, extend};
use crate::run::Run;
use crate::sleep_set::{self, Sleeper};
use crate::step::{NONE, Step};
use crate::wakeup_tree::WakeupTree;
use crate::watch::Watcher;
use crate::{Config, Dpor, schedule};
use foresee_lts::{Action, Fault, State, System};
use std::sync::Arc;

/// A state of the run and what is owed to it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) state: State,
    pub(crate) tree: WakeupTree,
    /// Where its enabled actions begin in the explorer's stack.
    enabled: u32,
    /// Where the steps explored from here begin in the explorer's stack.
    done: u32,
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
    pub(crate) enabled: Vec<Enabled>,
    /// Steps explored from the frames.
    done: Vec<Arc<Step>>,
    pub(crate) sleepers: Vec<Sleeper>,
    pub(crate) reversals: Reversals,
    /// Threads of this run that an event, by its number, has disabled.
    pub(crate) disabled: Vec<(u32, u64)>,
    /// Races that are reversed again at the end of each run that has them.
    pub(crate) kept: Vec<Kept>,
    /// Faults of the run, each with the number of events before it showed.
    pub(crate) faults: Vec<(usize, Fault)>,
    pub(crate) watcher: Watcher<'a>,
    pub(crate) actions: Vec<Action>,
    /// To be filled by `plan`.
    pub(crate) order: Vec<u32>,
    /// How many events the run shares with the one before.
    pub(crate) shared: usize,
    pub(crate) n_events: u64,
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
            },
            config,
            run: Run::new(),
            frames: Vec::new(),
            enabled: Vec::new(),
            done: Vec::new(),
            sleepers: Vec::new(),
            reversals: Reversals::default(),
            disabled: Vec::new(),
            kept: Vec::new(),
            faults: Vec::new(),
            watcher: Watcher::new(&config.watches, &config.prunes),
            actions: Vec::new(),
            order: Vec::new(),
            shared: 0,
            n_events: 0,
            n_races: 0,
            is_cut: false,
            is_confused: false,
        }
    }

    /// Starts over in an initial state.
    pub(crate) fn start(&mut self, initial: State) {
        debug_assert!(self.frames.is_empty() && self.run.len() == 0);
        let allowance = self.config.bound.map_or(0, |bound| bound.max);
        self.note_fault(&initial);
        self.watcher.look(None, &initial, 0);
        self.enter(initial, WakeupTree::default(), allowance);
    }

    /// Explores the next run to its end; `None` when nothing is owed any more.
    pub(crate) fn next_run(&mut self) -> Option<End> {
        if !self.go_back() {
            return None;
        }
        self.reversals.clear();
        self.disabled.clear();
        loop {
            match self.go_on() {
                Move::Went => {}
                Move::Ended(end) => {
                    self.plan();
                    self.frames.last_mut().expect("a run has states").is_fresh = false;
                    return Some(end);
                }
                Move::Stuck => {
                    if !self.go_back() {
                        return None;
                    }
                }
            }
        }
    }

    /// Pops frames until one has something to explore.
    fn go_back(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if frame.is_fresh || !frame.tree.is_empty() {
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
        while let Some(branch) = self.frames[depth].tree.next() {
            if let Some((action, cost)) = self.price(depth, branch.step.thread) {
                self.execute(depth, action, branch.then, cost);
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
        self.execute(depth, action, WakeupTree::default(), cost);
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

    fn execute(&mut self, depth: usize, action: Action, then: WakeupTree, cost: u32) {
        let before = &self.frames[depth].state;
        let next = self.rules.system.step(before, action);
        let step = self.step_between(before, action, Some(&next));
        extend(&mut self.run, self.rules, &step, action, &mut self.reversals);
        self.n_events += 1;
        let first = self.sleepers.len();
        if self.has_sleep_sets() {
            self.inherit_sleepers(depth, first);
        }
        let allowance = self.frames[depth].allowance - cost;
        self.note_fault(&next);
        self.watcher.look(Some(&self.frames[depth].state), &next, self.run.len());
        self.enter(next, then, allowance);
        self.frames[depth + 1].sleepers = first as u32;
        self.note_disabled(depth);
    }

    pub(crate) fn step_of(&self, depth: usize, action: Action) -> Arc<Step> {
        let state = &self.frames[depth].state;
        self.step_in(state, action)
    }

    pub(crate) fn step_in(&self, state: &[u32], action: Action) -> Arc<Step> {
        self.step_between(state, action, None)
    }

    /// The step that leads from `state` to `next`, which is computed if it is not known and needed.
    fn step_between(&self, state: &[u32], action: Action, next: Option<&State>) -> Arc<Step> {
        let mut footprint = self.rules.system.footprint(state, action);
        if self.watcher.is_ordering() {
            let computed = next.is_none().then(|| self.rules.system.step(state, action));
            let next = next.or(computed.as_ref()).expect("one or the other");
            let is_broken = || self.rules.system.fault(next).is_some();
            for object in self.watcher.changed(state, next, is_broken) {
                footprint = footprint.writes(object);
            }
        }
        Step::new(footprint, state, action, self.config.non_racing.as_ref())
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

    fn enter(&mut self, state: State, tree: WakeupTree, allowance: u32) {
        let enabled = self.enabled.len() as u32;
        self.actions.clear();
        self.rules.system.enabled(&state, &mut self.actions);
        if let Some(allow) = &self.config.allow {
            self.actions.retain(|action| allow(&state, *action));
        }
        let mut before = self.frames.last().map_or(enabled, |frame| frame.enabled) as usize;
        let mut greatest = None;
        for &action in &self.actions {
            let thread = self.rules.system.thread(&state, action);
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
                None => self.run.thread_number(thread) as u32,
            };
            self.enabled.push(Enabled { thread, action, number });
        }
        let sleepers = self.sleepers.len() as u32;
        let (done, is_fresh) = (self.done.len() as u32, true);
        let (n_done, n_runs) = (0, 0);
        self.frames.push(Frame {
            state,
            tree,
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
        let mut gone: Option<Vec<u64>> = None;
        for &Enabled { thread, .. } in before {
            // Both are in the system's order, so the next one is nearly always there.
            if after.get(place).is_some_and(|it| it.thread == thread) {
                place += 1;
            } else if let Some(at) = after.iter().position(|it| it.thread == thread) {
                place = at + 1;
            } else if thread != ran {
                gone.get_or_insert_default().push(thread);
            }
        }
        let gone = gone.into_iter().flatten().map(|thread| (depth as u32, thread));
        self.disabled.extend(gone);
    }

    /// Undoes the last event; what it did is done with.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("a frame to leave");
        self.enabled.truncate(frame.enabled as usize);
        self.sleepers.truncate(frame.sleepers as usize);
        self.done.truncate(frame.done as usize);
        let Some(parent) = self.frames.last_mut() else {
            self.faults.clear();
            self.watcher.undo(0);
            self.watcher.failed.clear();
            return;
        };
        let step = self.run.pop();
        let depth = self.run.len();
        while self.faults.last().is_some_and(|(n_events, _)| *n_events > depth) {
            self.faults.pop();
        }
        self.watcher.undo(depth);
        parent.n_done += 1;
        parent.n_runs += frame.n_runs.max(1);
        self.done.push(step);
        let step = self.done.len() as u32 - 1;
        if self.has_sleep_sets() {
            self.sleepers.push(Sleeper { since: depth as u32, step, ran: NONE });
        }
    }

    fn note_fault(&mut self, state: &[u32]) {
        if self.watcher.is_pruned() {
            return;
        }
        if let Some(fault) = self.rules.system.fault(state)
            && !self.faults.iter().any(|(_, known)| *known == fault)
        {
            self.faults.push((self.run.len(), fault));
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let states: usize = self.frames.iter().map(|frame| frame.state.len() * 4 + 256).sum();
        states + self.run.len() * 512 + self.sleepers.len() * 12 + self.enabled.len() * 16
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
