//! Planning: which orders the races of a run make pending at its states.
//! Each way of exploring answers a reversal in its own way. Optimal: the whole reversing sequence goes into the wakeup tree,
//! unless a sleeper covers it. Source sets: one thread that can come first in it, unless one is already there. Persistent
//! sets (Flanagan and Godefroid, POPL 2005): the thread of the later event, or one it waits for, or all. None: nothing,
//! everything is pending anyway.
//! The last event of a sequence happens in another state than it did, and may touch other things there. So the sequence is
//! run once, where that can matter, from the state on the stack; a thread that cannot run there has nothing to reverse.
//! Assumed of systems: an event that lets a thread go on and one that stops it depend on each other. A thread that would have
//! been enabled between two independent events, and is in neither order that is run, is not seen to be disabled. Whether a
//! system keeps to this is checked by `foresee_search::check_independence`.
//! Not here: whole sequences (`whole`), disabled threads (`disabled`), what a reversal adds to what is pending (`owe`).

mod disabled;
mod owe;
mod whole;

use crate::Dpor;
use crate::index::{EventIdx, Idx};
use crate::known::Known;
use crate::observed::{Observation, ObservationId};
use crate::race::{Ending, Race, Reversal, Reversals, Rules};
use crate::settled::Settled;
use crate::setup::Setup;
use crate::stack::Stack;
use crate::step::Step;
use foresee_stdx::halt;
use std::sync::Arc;

/// Why another order is to be tried.
#[derive(Clone, Copy, Debug)]
enum Cause {
    Race(Race),
    /// This event has disabled the thread: it is as if the thread's next event came last.
    Disabled(EventIdx),
}

/// A race of the run, which is reversed again at the end of each run that has it. A run that goes on in another way after the
/// race has another reversing sequence, which may belong below another branch: `notdep(e, E)` of the paper goes to the end of
/// each run, and a branch that is explored while the earlier event sleeps relies on all of these having been planned. Six
/// events, each of which clashes with the next in a row, lose a trace otherwise.
#[derive(Clone, Copy, Debug)]
struct Kept {
    cause: Cause,
    /// It is gone when this event is undone.
    until: EventIdx,
    thread: u64,
    /// After the latest event of the sequence that was planned last.
    end: EventIdx,
}

/// The races of the run, and what is remembered of planning them.
#[derive(Debug)]
pub(crate) struct Plan {
    reversals: Reversals,
    /// Threads of this run that an event has disabled.
    disabled: Vec<(EventIdx, u64)>,
    /// Races that are reversed again at the end of each run that has them.
    kept: Vec<Kept>,
    /// What is known of the races that one receive of this run observes, of the receive that was asked about last.
    observation: Option<Observation>,
    latest_observation: Option<ObservationId>,
    /// Sequences that were seen to lately.
    settled: Settled,
    /// To be filled with a sequence.
    order: Vec<EventIdx>,
    n_races: u64,
}

impl Plan {
    pub(crate) fn new() -> Self {
        Plan {
            reversals: Reversals::default(),
            disabled: Vec::new(),
            kept: Vec::new(),
            observation: None,
            latest_observation: None,
            settled: Settled::new(),
            order: Vec::new(),
            n_races: 0,
        }
    }

    /// For an explorer that goes on where this one is.
    pub(crate) fn twin(&self) -> Self {
        Plan {
            kept: self.kept.clone(),
            // What is pending already belongs to none of the observations to come.
            latest_observation: self.latest_observation,
            settled: self.settled.empty(),
            ..Plan::new()
        }
    }

    /// Another run begins.
    pub(crate) fn begin_run(&mut self) {
        self.reversals.clear();
        self.disabled.clear();
    }

    /// The events of this run from `end` on are undone.
    pub(crate) fn undo(&mut self, end: EventIdx) {
        self.reversals.forget(end);
        self.disabled.retain(|it| it.0 < end);
    }

    /// Of the races of earlier runs only those remain whose events are before `end`.
    pub(crate) fn keep_before(&mut self, end: EventIdx) {
        self.kept.retain(|it| it.until < end);
    }

    /// A new visit to a state, and where the races of the event that begins it are to be noted.
    pub(crate) fn visit(&mut self) -> (u64, &mut Reversals) {
        (self.settled.visit(), &mut self.reversals)
    }

    /// An event has disabled these threads.
    pub(crate) fn add_disabled(&mut self, event: EventIdx, threads: &[u64]) {
        self.disabled.extend(threads.iter().map(|thread| (event, *thread)));
    }

    pub(crate) fn n_races(&self) -> u64 {
        self.n_races
    }

    pub(crate) fn take_n_races(&mut self) -> u64 {
        std::mem::take(&mut self.n_races)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.settled.bytes()
    }
}

/// Sees to the races of a run that has ended.
pub(crate) struct Planner<'p, 'a> {
    setup: &'p Setup<'a>,
    stack: &'p mut Stack,
    known: &'p mut Known,
    plan: &'p mut Plan,
    /// The first event that the run does not share with the one before.
    shared: EventIdx,
}

impl<'p, 'a> Planner<'p, 'a> {
    pub(crate) fn new(
        setup: &'p Setup<'a>,
        stack: &'p mut Stack,
        known: &'p mut Known,
        plan: &'p mut Plan,
        shared: EventIdx,
    ) -> Self {
        Planner { setup, stack, known, plan, shared }
    }

    pub(crate) fn plan(&mut self) {
        if self.setup.config.dpor == Dpor::None {
            return;
        }
        self.plan.observation = None;
        let reversals = std::mem::take(&mut self.plan.reversals);
        let n_known = self.plan.kept.len();
        self.plan.n_races += reversals.list.len() as u64;
        self.plan.settled.reserve(reversals.list.len() + n_known);
        let mut order = std::mem::take(&mut self.plan.order);
        for reversal in &reversals.list {
            halt::look();
            self.plan_reversal(&reversals, reversal, &mut order);
        }
        self.plan.reversals = reversals;
        let n_old = if self.rules().is_whole { n_known } else { self.plan.kept.len() };
        self.plan_kept(&mut order, n_old);
        self.keep_disabled(&mut order);
        self.plan.order = order;
    }

    fn rules(&self) -> Rules<'a> {
        self.setup.rules
    }

    fn plan_reversal(
        &mut self,
        reversals: &Reversals,
        reversal: &Reversal,
        order: &mut Vec<EventIdx>,
    ) {
        let race = reversal.race;
        if self.setup.config.needs_every_order() {
            let thread = self.stack.run().step(race.second).thread;
            self.plan_conservatively(race.first, thread);
            return;
        }
        if self.rules().is_whole {
            if let Some(end) = self.plan_whole(race, order) {
                self.keep(race, end);
            }
            return;
        }
        order.clear();
        order.extend_from_slice(reversals.needed(reversal));
        order.push(race.last());
        match self.setup.config.dpor {
            Dpor::Source => self.plan_sequence(race, order),
            _ => self.plan_thread(race, order),
        }
    }

    /// A race is to be reversed again; what was planned for it ends before `end`.
    fn keep(&mut self, race: Race, end: EventIdx) {
        let thread = self.stack.run().step(race.last()).thread;
        let until = race.second.max(race.last());
        self.plan.kept.push(Kept { cause: Cause::Race(race), until, thread, end });
    }

    /// Reverses once more, of the first `n` deferred races, those whose sequences are others now that the run ends
    /// differently.
    fn plan_kept(&mut self, order: &mut Vec<EventIdx>, n: usize) {
        let mut kept = std::mem::take(&mut self.plan.kept);
        for it in &mut kept[..n] {
            halt::look();
            match it.cause {
                Cause::Disabled(by) => self.plan_disabled(by, it.thread, order),
                Cause::Race(race) if !self.rules().is_whole => {
                    self.plan_again(race, it.thread, order);
                }
                Cause::Race(race) if self.is_as_planned(race, it.end) => {}
                Cause::Race(race) => it.end = self.plan_whole(race, order).unwrap_or(it.end),
            }
        }
        self.plan.kept = kept;
    }

    /// Whether the reversing sequence of a race is the one that was planned, which was before `end`: nothing of it is after what
    /// this run shares with the one before, and nothing was.
    fn is_as_planned(&self, race: Race, end: EventIdx) -> bool {
        let run = self.stack.run();
        let mut new = self.shared.until(run.end());
        race.ending == Ending::Again
            && end <= self.shared
            && new.all(|x| run.is_firmly_before(race.first, x))
    }

    /// A race whose later event does something else when it comes first, where sequences are not whole.
    fn plan_again(&mut self, race: Race, thread: u64, order: &mut Vec<EventIdx>) {
        if !race.prepare(self.rules(), self.stack.run(), order) {
            return;
        }
        race.complete(self.rules(), self.stack.run(), order);
        if self.realise(race.first, order, thread).is_some() {
            // What it meets first then is not in this run: nobody may be left out.
            self.owe_all(race.first);
        }
    }

    /// The step of `thread` after the events of `order` have been run from the frame at `depth`; `None` if they cannot.
    fn realise(&mut self, depth: EventIdx, order: &[EventIdx], thread: u64) -> Option<Arc<Step>> {
        let mut node = self.stack.node_at(self.known, depth);
        for &event in order {
            let own = self.stack.run().step(event).thread;
            let at = self.known.transition(self.setup, node, own, None)?;
            node = self.known.edge(at).to;
        }
        let at = self.known.transition(self.setup, node, thread, None)?;
        Some(Arc::clone(&self.known.edge(at).step))
    }
}
