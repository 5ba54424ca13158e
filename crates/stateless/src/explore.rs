//! Exploring: one run after the other, each from the deepest state where another order is pending.
//! Because states are values, the states of the run stand on a stack and going back is taking the one that is there:
//! no prefix is ever run again.
//! Paper: Abdulla et al., JACM 2017. Its `Explore(E, Sleep, WuT)` is a [`Frame`] with its part of the sleepers and its tree;
//! its recursion is [`Explorer::next_run`], which goes on from the last frame with a tree that is not empty.
//! Invariant: the run has one event fewer than there are frames; event `i` leads from frame `i` to frame `i + 1`.
//! Under optimal exploration nothing sleeps in a frame that is entered with an empty tree: no run is ever given up.
//! Not here: what to do about a race (`plan`), limits, errors and counting (`engine`).

use crate::bound::{Choice, Previous};
use crate::graph::Graph;
use crate::index::{DoneIdx, EventIdx, Idx, Table, ThreadIdx};
use crate::numbers::Numbers;
use crate::observed::Observation;
use crate::plan::Kept;
use crate::race::{Reversals, Rules, extend};
use crate::run::Run;
use crate::sequence::Pending;
use crate::settled::Settled;
use crate::shared_branches::Common;
use crate::sleep_set::{self, Sleeper};
use crate::stack::Frame;
use crate::step::Step;
use crate::wakeup_tree::WakeupTree;
use crate::watched::Watcher;
use crate::{Config, Dpor, schedule};
use foresee_lts::{Action, Fault, Footprint, Happened, State, System};
use foresee_stdx::halt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    /// Nothing can happen.
    Complete,
    /// Everything that can happen sleeps.
    Blocked,
    /// It is as long as runs may be.
    Depth,
    /// A limit has struck in the middle of it.
    Halted,
}

/// Events between two looks at the limits.
const LOOK_EVERY: usize = 16;

/// More steps than this are not kept; they are made again when they are wanted.
const STEPS_MAX: usize = 1 << 16;

/// What is pending after a step: for this explorer alone, or for several.
pub(crate) enum Then {
    Own(WakeupTree),
    Common(Arc<Common>),
}

/// What came of trying to go on.
enum Move {
    Went,
    Ended(End),
    /// All that was pending here sleeps or costs too much.
    Stuck,
}

/// The run being explored and everything pending at its states.
pub(crate) struct Explorer<'a> {
    pub(crate) rules: Rules<'a>,
    pub(crate) config: &'a Config,
    pub(crate) run: Run,
    pub(crate) frames: Table<EventIdx, Frame>,
    /// The states of the frames, one after the other.
    pub(crate) states: Vec<u32>,
    /// The actions that can happen in the states of the frames, with the names of their threads, and the indices of these.
    pub(crate) actions: Vec<(Action, u64)>,
    pub(crate) threads: Vec<ThreadIdx>,
    /// Steps explored from the frames.
    pub(crate) done: Table<DoneIdx, Arc<Step>>,
    pub(crate) sleepers: Vec<Sleeper>,
    pub(crate) reversals: Reversals,
    /// Threads of this run that an event has disabled.
    pub(crate) disabled: Vec<(EventIdx, u64)>,
    /// Races that are reversed again at the end of each run that has them.
    pub(crate) kept: Vec<Kept>,
    /// What is known of the races that one receive of this run observes, of the receive that was asked about last.
    pub(crate) observation: Option<Observation>,
    pub(crate) n_observations: u64,
    /// Sequences that were seen to lately.
    pub(crate) settled: Settled,
    /// Faults of the run, each with the number of events before it showed.
    pub(crate) faults: Vec<(usize, Fault)>,
    pub(crate) watcher: Watcher<'a>,
    pub(crate) numbers: Arc<Numbers>,
    pub(crate) graph: Graph,
    /// Steps of events that the system knows again, by the address of their footprints, which the steps keep alive.
    pub(crate) steps: FxHashMap<usize, Arc<Step>>,
    /// To be filled when an event happens, and when a frame is entered.
    pub(crate) next: State,
    pub(crate) here: State,
    pub(crate) listed: Vec<(Action, u64)>,
    /// To be filled by `plan`.
    pub(crate) order: Vec<EventIdx>,
    /// How the run ended whose races are being seen to.
    pub(crate) ended: Option<End>,
    /// The first event that the run does not share with the one before.
    pub(crate) shared: EventIdx,
    pub(crate) n_races: u64,
    /// The bound has cut something.
    pub(crate) is_cut: bool,
    /// Two actions of one thread were enabled at once.
    pub(crate) is_confused: bool,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(system: &'a dyn System, config: &'a Config) -> Self {
        let threads = system.interleaving().expect("a system with threads");
        Explorer {
            rules: Rules {
                system,
                threads,
                has_observers: config.observers
                    && config.dpor == Dpor::Optimal
                    && !config.needs_every_order(),
                is_whole: config.dpor == Dpor::Optimal,
            },
            config,
            run: Run::new(),
            frames: Table::default(),
            states: Vec::new(),
            actions: Vec::new(),
            threads: Vec::new(),
            done: Table::default(),
            sleepers: Vec::new(),
            reversals: Reversals::default(),
            disabled: Vec::new(),
            kept: Vec::new(),
            observation: None,
            n_observations: 0,
            settled: Settled::new(),
            faults: Vec::new(),
            watcher: Watcher::new(&config.watches, &config.prunes),
            numbers: Arc::default(),
            graph: Graph::new(),
            steps: FxHashMap::default(),
            next: State::new(),
            here: State::new(),
            listed: Vec::new(),
            order: Vec::new(),
            ended: None,
            shared: EventIdx::default(),
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
        let node = self.graph.node(&self.next);
        self.enter(node, Then::Own(WakeupTree::default()), allowance);
    }

    /// Explores the next run to its end and sees to its races; `None` when nothing is pending any more.
    pub(crate) fn next_run(&mut self) -> Option<End> {
        self.ended = None;
        self.ended = Some(self.run_to_end()?);
        self.plan();
        self.ended.take()
    }

    /// Explores the next run to its end.
    pub(crate) fn run_to_end(&mut self) -> Option<End> {
        self.trim();
        if !self.go_back() {
            return None;
        }
        self.reversals.clear();
        self.disabled.clear();
        let mut shared = self.shared;
        loop {
            if self.run.len().is_multiple_of(LOOK_EVERY) {
                halt::look();
                if self.graph.is_overfull() {
                    self.trim();
                }
            }
            match self.go_on() {
                Move::Went => {}
                Move::Ended(end) => {
                    self.frames.last_mut().expect("a run has states").is_fresh = false;
                    self.shared = shared;
                    return Some(end);
                }
                Move::Stuck => {
                    if !self.go_back() {
                        return None;
                    }
                    self.reversals.forget(self.shared);
                    self.disabled.retain(|it| it.0 < self.shared);
                    shared = shared.min(self.shared);
                }
            }
        }
    }

    /// Pops frames until one has something to explore.
    fn go_back(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if frame.is_fresh || frame.is_owing() {
                self.shared = self.run.end();
                self.kept.retain(|it| it.is_before(self.shared));
                return true;
            }
            self.leave();
        }
        false
    }

    /// One event further from the last frame, or the end of the run there.
    fn go_on(&mut self) -> Move {
        let depth = self.run.end();
        if self.enabled_at(depth).actions.is_empty() {
            return Move::Ended(End::Complete);
        }
        if self.config.limits.depth_max.is_some_and(|max| self.run.len() as u64 >= u64::from(max)) {
            return Move::Ended(End::Depth);
        }
        if self.config.dpor == Dpor::None && self.frames[depth].is_fresh {
            self.owe_everything(depth);
        }
        let is_fresh = std::mem::replace(&mut self.frames[depth].is_fresh, false);
        while let Some((thread, then)) = self.take_branch(depth) {
            if let Some((action, cost)) = self.price(depth, thread) {
                self.execute(depth, (thread, action), then, cost);
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
        let chosen =
            self.choose(depth).and_then(|thread| Some((thread, self.price(depth, thread)?)));
        let Some((thread, (action, cost))) = chosen else { return Move::Ended(End::Blocked) };
        self.execute(depth, (thread, action), Then::Own(WakeupTree::default()), cost);
        Move::Went
    }

    /// Every thread that is awake, to be run in turn.
    fn owe_everything(&mut self, depth: EventIdx) {
        let mut threads: Vec<u64> = self.enabled_at(depth).actions.iter().map(|it| it.1).collect();
        threads.retain(|thread| !self.is_asleep(depth, *thread));
        if let Some(first) = self.choose(depth) {
            threads.retain(|thread| *thread != first);
            threads.insert(0, first);
        }
        for thread in threads {
            self.frames[depth].tree.push(Step::of_thread(thread));
        }
    }

    fn choose(&self, depth: EventIdx) -> Option<u64> {
        let config = self.config;
        let done = &self.done;
        let asleep = self.sleepers_at(depth);
        let is_awake = |thread| {
            !asleep.iter().any(|sleeper| {
                let step = &done[sleeper.step];
                sleeper.ran.is_none() && step.thread == thread
            })
        };
        let enabled = self.enabled_at(depth);
        let is_strict = config.strict_scheduling && !config.needs_every_order();
        schedule::choose(config.scheduling, is_strict, &self.run, enabled, is_awake)
    }

    /// A thread's action and what it costs; `None` if it sleeps, is not enabled, or costs more than may be spent.
    fn price(&mut self, depth: EventIdx, thread: u64) -> Option<(Action, u32)> {
        if self.config.dpor != Dpor::Optimal && self.is_asleep(depth, thread) {
            return None;
        }
        let action = self.action_of(depth, thread)?;
        let Some(bound) = self.config.bound else { return Some((action, 0)) };
        let previous = self.run.events.last().map(|event| event.step.thread);
        let previous = previous
            .map(|it| Previous { thread: it, could_go_on: self.action_of(depth, it).is_some() });
        let choice = Choice { thread, n_done: self.frames[depth].n_done, previous };
        let cost = bound.kind.policy().cost(&choice);
        let is_affordable = cost <= self.frames[depth].allowance;
        self.is_cut |= !is_affordable;
        is_affordable.then_some((action, cost))
    }

    fn execute(&mut self, depth: EventIdx, (thread, action): (u64, Action), then: Then, cost: u32) {
        self.frames[depth].visit = self.settled.visit();
        let node = self.node_at(depth);
        let at = self.transition(node, thread, Some(action)).expect("an action does something");
        let edge = self.graph.edge(at);
        let (to, may_bring_fault) = (edge.to, edge.may_bring_fault);
        extend(&mut self.run, self.rules, &edge.step, action, &mut self.reversals);
        self.next.clear();
        self.next.extend_from_slice(self.graph.state(to));
        let first = self.sleepers.len();
        if self.has_sleep_sets() {
            self.inherit_sleepers(depth, first);
        }
        let allowance = self.frames[depth].allowance - cost;
        if may_bring_fault {
            self.note_fault();
        }
        let before = &self.states[self.frames[depth].state..];
        self.watcher.look(Some(before), &self.next, self.run.len());
        self.enter(to, then, allowance);
        self.frames[depth.next()].sleepers = first;
        self.note_disabled(depth, at);
    }

    /// The step of an action that leads from a state to `next`, and of which this is known.
    pub(crate) fn step_of(
        &mut self,
        state: &[u32],
        action: Action,
        happened: Happened,
        next: &State,
    ) -> Arc<Step> {
        let Happened { mut footprint, comes_again, .. } = happened;
        // What is declared not to race, and what properties notice, depends on the whole state.
        let non_racing = self.config.non_racing.as_ref();
        let is_ordering = self.watcher.is_ordering();
        let is_kept = comes_again && non_racing.is_none() && !is_ordering;
        let address = Arc::as_ptr(&footprint).addr();
        if is_kept && let Some(step) = self.steps.get(&address) {
            return Arc::clone(step);
        }
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

    fn inherit_sleepers(&mut self, depth: EventIdx, end: usize) {
        let event = Pending::again(depth, &self.run.events[depth]);
        for at in self.frames[depth].sleepers..end {
            let sleeper = self.sleepers[at];
            let step = &self.done[sleeper.step];
            let is_patient = self.config.dpor == Dpor::Optimal;
            if let Some(sleeper) = sleep_set::after(self.rules, is_patient, sleeper, step, &event) {
                self.sleepers.push(sleeper);
            }
        }
    }
}
