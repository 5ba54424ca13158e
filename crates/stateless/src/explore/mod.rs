//! Exploring: one run after the other, each from the deepest state where another order is pending.
//! Because states are values, the states of the run stand on a stack and going back is taking the one that is there:
//! no prefix is ever run again.
//! Paper: Abdulla et al., JACM 2017. Its `Explore(E, Sleep, WuT)` is a frame of the [`Stack`] with its part of the sleepers and
//! its tree; its recursion is [`Explorer::next_run`], which goes on from the last frame with a tree that is not empty.
//! Invariant: under optimal exploration nothing sleeps in a frame that is entered with an empty tree: no run is ever given up.
//! Not here: the run and its states (`stack`), what need not be asked of the system again (`known`), what to do about a race
//! (`plan`), limits, errors and counting (`engine`).

mod fork;

use crate::bound::{Choice, Previous};
use crate::index::{EdgeIdx, EventIdx, Idx};
use crate::known::Known;
use crate::plan::{Plan, Planner};
use crate::run::Run;
use crate::setup::Setup;
use crate::stack::{Branches, Stack};
use crate::watched::Watcher;
use crate::{Config, Dpor, estimate, schedule};
use foresee_lts::{Action, System};
use foresee_stdx::halt;

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

/// What came of trying to go on.
enum Move {
    Went,
    Ended(End),
    /// All that was pending here sleeps or costs too much.
    Stuck,
}

/// One worker's exploration: the run being explored, and everything pending at its states.
pub(crate) struct Explorer<'a> {
    setup: Setup<'a>,
    stack: Stack,
    known: Known,
    plan: Plan,
    watcher: Watcher<'a>,
    /// How the run ended whose races are being seen to.
    ended: Option<End>,
    /// The first event that the run does not share with the one before.
    shared: EventIdx,
    /// The bound has cut something.
    is_cut: bool,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(system: &'a dyn System, config: &'a Config) -> Self {
        let setup = Setup::new(system, config);
        Explorer {
            stack: Stack::new(),
            known: Known::new(),
            plan: Plan::new(),
            watcher: Watcher::new(&setup.watches),
            setup,
            ended: None,
            shared: EventIdx::default(),
            is_cut: false,
        }
    }

    /// Starts over in an initial state.
    pub(crate) fn start(&mut self, initial: &[u32]) {
        debug_assert!(self.stack.is_empty() && self.run().len() == 0);
        let allowance = self.setup.config.bound.map_or(0, |bound| bound.max);
        self.watcher.note_fault(self.setup.rules.system, initial, 0);
        self.watcher.look(&self.setup.watches, None, initial, 0);
        let node = self.known.node(initial);
        self.stack.enter(&self.setup, &mut self.known, node, Branches::none(), allowance);
    }

    /// Explores the next run to its end and sees to its races; `None` when nothing is pending any more.
    pub(crate) fn next_run(&mut self) -> Option<End> {
        self.ended = None;
        self.ended = Some(self.run_to_end()?);
        self.plan();
        self.ended.take()
    }

    /// Sees to the races of the run that has ended.
    pub(crate) fn plan(&mut self) {
        let Explorer { setup, stack, known, plan, shared, .. } = self;
        Planner::new(setup, stack, known, plan, *shared).plan();
    }

    /// Explores the next run to its end.
    pub(crate) fn run_to_end(&mut self) -> Option<End> {
        self.trim();
        if !self.go_back() {
            return None;
        }
        self.plan.begin_run();
        let mut shared = self.shared;
        loop {
            if self.run().len().is_multiple_of(LOOK_EVERY) {
                halt::look();
                if self.known.is_overfull() {
                    self.trim();
                }
            }
            match self.go_on() {
                Move::Went => {}
                Move::Ended(end) => {
                    self.stack.start_from(self.run().end());
                    self.shared = shared;
                    return Some(end);
                }
                Move::Stuck => {
                    if !self.go_back() {
                        return None;
                    }
                    self.plan.undo(self.shared);
                    shared = shared.min(self.shared);
                }
            }
        }
    }

    /// Forgets what is known of states if it is too much.
    fn trim(&mut self) {
        if self.known.trim() {
            self.stack.forget_nodes();
        }
    }

    /// Pops frames until one has something to explore.
    fn go_back(&mut self) -> bool {
        while !self.stack.is_empty() {
            if self.stack.is_open() {
                self.shared = self.run().end();
                self.plan.keep_before(self.shared);
                return true;
            }
            self.stack.leave(&self.setup);
            self.unsee();
        }
        false
    }

    /// Undoes the last event as if it had not been.
    fn undo(&mut self) {
        self.stack.undo();
        self.unsee();
    }

    /// Forgets what was seen in states that are not on the stack any more.
    fn unsee(&mut self) {
        if self.stack.is_empty() {
            self.watcher.undo_all();
        } else {
            self.watcher.undo(self.run().len());
        }
    }

    /// One event further from the last frame, or the end of the run there.
    fn go_on(&mut self) -> Move {
        let (config, depth) = (self.setup.config, self.run().end());
        if self.stack.enabled_at(depth).actions.is_empty() {
            return Move::Ended(End::Complete);
        }
        if config.limits.depth_max.is_some_and(|max| depth.get() as u64 >= u64::from(max)) {
            return Move::Ended(End::Depth);
        }
        if config.dpor == Dpor::None && self.stack.is_fresh(depth) {
            self.owe_everything(depth);
        }
        let is_fresh = self.stack.start_from(depth);
        while let Some((thread, then)) = self.stack.take_branch(&self.setup, &mut self.known, depth)
        {
            if let Some((action, cost)) = self.price(depth, thread) {
                self.execute(depth, (thread, action), then, cost);
                return Move::Went;
            }
        }
        if !is_fresh {
            return Move::Stuck;
        }
        let is_awake = self.stack.asleep_at(depth).is_empty();
        debug_assert!(!self.setup.is_exact() || is_awake, "nothing sleeps here");
        let chosen =
            self.choose(depth).and_then(|thread| Some((thread, self.price(depth, thread)?)));
        let Some((thread, (action, cost))) = chosen else { return Move::Ended(End::Blocked) };
        self.execute(depth, (thread, action), Branches::none(), cost);
        Move::Went
    }

    /// Every thread that is awake, to be run in turn.
    fn owe_everything(&mut self, depth: EventIdx) {
        let mut threads = self.stack.threads_at(depth);
        threads.retain(|thread| !self.stack.asleep_at(depth).has(*thread));
        if let Some(first) = self.choose(depth) {
            threads.retain(|thread| *thread != first);
            threads.insert(0, first);
        }
        for thread in threads {
            self.stack.branches_mut(depth).push_thread(thread);
        }
    }

    fn choose(&self, depth: EventIdx) -> Option<u64> {
        let config = self.setup.config;
        let asleep = self.stack.asleep_at(depth);
        let is_awake = |thread| !asleep.has(thread);
        let enabled = self.stack.enabled_at(depth);
        let is_strict = config.strict_scheduling && !config.needs_every_order();
        schedule::choose(config.scheduling, is_strict, self.run(), enabled, is_awake)
    }

    /// A thread's action and what it costs; `None` if it sleeps, is not enabled, or costs more than may be spent.
    fn price(&mut self, depth: EventIdx, thread: u64) -> Option<(Action, u32)> {
        if !self.setup.is_optimal() && self.stack.asleep_at(depth).has(thread) {
            return None;
        }
        let action = self.stack.action_of(depth, thread)?;
        let Some(bound) = self.setup.config.bound else { return Some((action, 0)) };
        let previous = self.run().events.last().map(|event| event.step.thread);
        let could_go_on = |thread| self.stack.action_of(depth, thread).is_some();
        let previous = previous.map(|thread| Previous { thread, could_go_on: could_go_on(thread) });
        let choice = Choice { thread, n_done: self.stack.n_done(depth), previous };
        let cost = bound.kind.policy().cost(&choice);
        let is_affordable = cost <= self.stack.allowance(depth);
        self.is_cut |= !is_affordable;
        is_affordable.then_some((action, cost))
    }

    fn execute(
        &mut self,
        depth: EventIdx,
        (thread, action): (u64, Action),
        then: Branches,
        cost: u32,
    ) {
        let Explorer { setup, stack, known, plan, watcher, .. } = self;
        let (visit, reversals) = plan.visit();
        let node = stack.node_at(known, depth);
        let at = known.transition(setup, node, thread, Some(action));
        let at = at.expect("an action does something");
        let edge = known.edge(at);
        stack.add_event(setup, edge, action, visit, reversals);
        let (state, n_events) = (known.state(edge.to), stack.run().len());
        if edge.may_bring_fault {
            watcher.note_fault(setup.rules.system, state, n_events);
        }
        watcher.look(&setup.watches, Some(stack.state_at(depth)), state, n_events);
        let (to, allowance) = (edge.to, stack.allowance(depth) - cost);
        stack.enter(setup, known, to, then, allowance);
        self.note_disabled(depth, at);
    }

    /// Notes which threads the event from `depth`, the frame before the last, has disabled; it is that edge.
    fn note_disabled(&mut self, depth: EventIdx, edge: EdgeIdx) {
        if self.known.edge(edge).is_disabling == Some(false) {
            return;
        }
        let gone = self.stack.disabled_from(depth);
        self.known.set_disabling(edge, !gone.is_empty());
        self.plan.add_disabled(depth, &gone);
    }
}

/// What an explorer tells those who work with it.
impl<'a> Explorer<'a> {
    /// From now on that system answers, which is the same as another thread knows it.
    pub(crate) fn use_system(&mut self, system: &'a dyn System) {
        self.setup.use_system(system);
    }

    pub(crate) fn setup(&self) -> &Setup<'a> {
        &self.setup
    }

    pub(crate) fn run(&self) -> &Run {
        self.stack.run()
    }

    /// The actions of the run from an event on.
    pub(crate) fn actions_from(&self, first: EventIdx) -> Vec<Action> {
        self.run().events.from(first).iter().map(|event| event.action).collect()
    }

    /// The state after so many events of the run.
    pub(crate) fn state_after(&self, n_events: usize) -> &[u32] {
        self.stack.state_at(EventIdx::new(n_events))
    }

    /// The first event that the run does not share with the one before.
    pub(crate) fn shared(&self) -> EventIdx {
        self.shared
    }

    /// What was seen along the run.
    pub(crate) fn watcher(&self) -> &Watcher<'a> {
        &self.watcher
    }

    /// How the run ended whose races were being seen to when a limit struck.
    pub(crate) fn ended(&self) -> Option<End> {
        self.ended
    }

    /// Whether the bound has cut something.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether two actions of one thread were enabled at once.
    pub(crate) fn is_confused(&self) -> bool {
        self.stack.is_confused()
    }

    pub(crate) fn is_owing(&self) -> bool {
        self.stack.is_owing()
    }

    /// Runs known to be pending.
    pub(crate) fn n_planned(&self) -> u64 {
        estimate::planned(&self.stack)
    }

    /// The number of runs in all, about.
    pub(crate) fn n_estimated(&self) -> f64 {
        estimate::total(&self.stack)
    }

    pub(crate) fn n_races(&self) -> u64 {
        self.plan.n_races()
    }

    /// The races since this was asked last.
    pub(crate) fn take_n_races(&mut self) -> u64 {
        self.plan.take_n_races()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.stack.bytes() + self.known.bytes() + self.plan.bytes()
    }
}
