//! Planning: which orders the races of a run make pending at its states.
//! Each way of exploring answers a reversal in its own way. Optimal: the whole reversing sequence goes into the wakeup tree,
//! unless a sleeper covers it. Source sets: one thread that can come first in it, unless one is already there. Persistent
//! sets (Flanagan and Godefroid, POPL 2005): the thread of the later event, or one it waits for, or all. None: nothing,
//! everything is pending anyway.
//! The last event of a sequence happens in another state than it did, and may touch other things there. So the sequence is
//! run once, where that can matter, from the state on the stack; a thread that cannot run there has nothing to reverse.
//! A thread that another has *disabled* has no later event to race with: it is as if its next event came last.
//! Assumed of systems: an event that lets a thread go on and one that stops it depend on each other. A thread that would have
//! been enabled between two independent events, and is in neither order that is run, is not seen to be disabled. Whether a
//! system keeps to this is checked by `foresee_search::check_independence`.

use crate::Dpor;
use crate::explore::Explorer;
use crate::index::{EventIdx, Idx, StepIdx};
use crate::initial::{Standing, standing};
use crate::observed::Observation;
use crate::observer;
use crate::race::{Ending, Race};
use crate::sequence::{Pending, Sequence};
use crate::sleep_set::{Sleeper, coverage};
use crate::step::Step;
use foresee_lts::Action;
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
pub(crate) struct Kept {
    cause: Cause,
    /// It is gone when this event is undone.
    until: EventIdx,
    thread: u64,
    /// After the latest event of the sequence that was planned last.
    end: EventIdx,
}

impl Kept {
    pub(crate) fn is_before(&self, end: EventIdx) -> bool {
        self.until < end
    }
}

impl Explorer<'_> {
    /// Sees to the races of the run that has ended.
    pub(crate) fn plan(&mut self) {
        if self.config.dpor == Dpor::None {
            return;
        }
        self.observation = None;
        let reversals = std::mem::take(&mut self.reversals);
        self.n_races += reversals.list.len() as u64;
        self.settled.reserve(reversals.list.len() + self.kept.len());
        let mut order = std::mem::take(&mut self.order);
        let n_known = self.kept.len();
        for reversal in &reversals.list {
            let race = reversal.race;
            halt::look();
            if self.config.needs_every_order() {
                let thread = self.run.step(race.second).thread;
                self.plan_conservatively(race.first, thread);
                continue;
            }
            if self.rules.is_whole {
                if let Some(end) = self.plan_whole(race, &mut order) {
                    let thread = self.run.step(race.last()).thread;
                    let until = race.second.max(race.last());
                    self.kept.push(Kept { cause: Cause::Race(race), until, thread, end });
                }
                continue;
            }
            order.clear();
            order.extend_from_slice(reversals.needed(reversal));
            order.push(race.last());
            match self.config.dpor {
                Dpor::Source => self.plan_sequence(race, &order),
                _ => self.plan_thread(race, &order),
            }
        }
        self.reversals = reversals;
        let n_old = if self.rules.is_whole { n_known } else { self.kept.len() };
        self.plan_kept(&mut order, n_old);
        self.keep_disabled(&mut order);
        self.order = order;
    }

    /// Plans the whole reversing sequence of a race, unless it repeats what was explored; gives the place after its latest event.
    /// `None` if the race has nothing to add, however the run ends.
    fn plan_whole(&mut self, race: Race, order: &mut Vec<EventIdx>) -> Option<EventIdx> {
        order.clear();
        let is_plain = self.is_plainly_observed(race);
        if !is_plain && !race.prepare(self.rules, &self.run, order) {
            return Some(self.run.end());
        }
        if let Some(beginning) = self.repeating(race, order) {
            let is_firm = race.is_firm(self.rules, &self.run, beginning);
            return (!is_firm).then_some(self.run.end());
        }
        if is_plain {
            self.plan_observed(race, order);
            return Some(self.run.end());
        }
        let n_moved = order.len();
        race.complete(self.rules, &self.run, order);
        let end = order.iter().max().map_or(EventIdx::default(), |latest| latest.next());
        let (moved, hash) = (self.run.hash_of(&order[..n_moved]), self.run.hash_of(order));
        order.push(race.last());
        if !self.has_seen(race, moved, hash) {
            self.plan_sequence(race, order);
        } else if cfg!(debug_assertions) {
            self.assert_settled(race, order);
        }
        Some(end)
    }

    /// Whether the reversing sequence of a race, without its last event, has been seen to: what was moved before the earlier
    /// event, and all of it.
    fn has_seen(&mut self, race: Race, moved: u64, hash: u64) -> bool {
        let past = |event: EventIdx| self.run.events[event].past.hash;
        let ending = match race.ending {
            Ending::Again => 0,
            Ending::TimedOut => 1,
            Ending::Taking(_) => 2,
        };
        let known = [ending, past(race.second), past(race.last()), moved, hash];
        self.settled.has_seen(self.frames[race.first].visit, &known)
    }

    /// Whether the reversing sequence of a race is known from the other races that its receive observes.
    fn is_plainly_observed(&mut self, race: Race) -> bool {
        let Ending::Taking(receive) = race.ending else { return false };
        if !self.observation.as_ref().is_some_and(|it| it.is_of(race)) {
            self.n_observations += 1;
            let number = self.n_observations;
            self.observation =
                Some(Observation::new(self.rules, &self.run, race.first, receive, number));
        }
        self.observation.as_ref().is_some_and(|it| it.has_plain(&self.run, race))
    }

    /// As [`Explorer::plan_whole`], for a race whose sequence is known from others.
    fn plan_observed(&mut self, race: Race, order: &mut Vec<EventIdx>) {
        let depth = race.first;
        let mut observation = self.observation.take().expect("the one that was asked about");
        let is_known = self.has_seen(race, 0, observation.hash);
        let frame = &self.frames[depth];
        let is_alone = frame.common.is_none()
            && frame.tree.has_only(observation.number)
            && self.sleepers_at(depth).is_empty();
        let is_appended = is_alone && !is_known;
        if is_appended {
            let step = Arc::clone(self.run.step(race.second));
            let line = (
                Arc::clone(observation.steps(&self.run)),
                race.second,
                step.deliveries()[0].message,
            );
            #[cfg(debug_assertions)]
            self.assert_new(race, &observation, order);
            self.frames[depth].tree.add_observed(observation.number, &step, line);
        }
        if !is_appended && (!is_known || cfg!(debug_assertions)) {
            observation.order(race.second, order);
            order.push(race.last());
            if is_known {
                self.assert_settled(race, order);
            } else {
                self.plan_sequence(race, order);
            }
        }
        self.observation = Some(observation);
    }

    /// Panics if a sequence begins as one that is pending, or is another than that of the race.
    #[cfg(debug_assertions)]
    fn assert_new(&mut self, race: Race, observation: &Observation, order: &mut Vec<EventIdx>) {
        assert!(race.prepare(self.rules, &self.run, order), "there is something to reverse");
        race.complete(self.rules, &self.run, order);
        let whole = order.clone();
        observation.order(race.second, order);
        assert_eq!(*order, whole, "the sequence of an observed race");
        let step = Arc::clone(self.run.step(race.last()));
        let message = observer::delivered(&self.run, &step, race.second);
        let real = self.realise(race.first, order, step.thread);
        assert!(real.is_some_and(|real| real.is_taking(&step, message)), "what it takes");
        let depth = race.first;
        let mut sequence = Sequence::of_run(&self.run);
        for &event in order.iter() {
            sequence.push(Pending::again(event, &self.run.events[event]));
        }
        let taken = observer::delivery_taken(&self.run, &step, message, depth, order);
        sequence.push(Pending { message, ..Pending::new(&step, Some(race.last()), taken) });
        self.frames[depth].tree.assert_none_begins(self.rules, &sequence);
    }

    /// Panics if a sequence that is known adds something all the same. Where others insert too, that cannot be told.
    fn assert_settled(&mut self, race: Race, order: &[EventIdx]) {
        let depth = race.first;
        if self.frames[depth].common.is_none() {
            let n_owed = self.frames[depth].n_owed();
            self.plan_sequence(race, order);
            assert_eq!(n_owed, self.frames[depth].n_owed(), "a known sequence adds nothing");
        }
    }

    /// A disabled thread gets its turn at the latest where it was enabled.
    fn keep_disabled(&mut self, order: &mut Vec<EventIdx>) {
        let disabled = std::mem::take(&mut self.disabled);
        for &(event, thread) in &disabled {
            if !self.run.step(event).is_racing {
                continue;
            }
            if self.config.needs_every_order() {
                self.plan_conservatively(event, thread);
            } else if self.config.dpor == Dpor::Persistent {
                self.owe_all(event);
            } else {
                self.plan_disabled(event, thread, order);
                let (cause, end) = (Cause::Disabled(event), EventIdx::default());
                self.kept.push(Kept { cause, until: event, thread, end });
            }
        }
        self.disabled = disabled;
    }

    /// Reverses once more, of the first `n` deferred races, those whose sequences are others now that the run ends
    /// differently.
    fn plan_kept(&mut self, order: &mut Vec<EventIdx>, n: usize) {
        let mut kept = std::mem::take(&mut self.kept);
        for it in &mut kept[..n] {
            halt::look();
            match it.cause {
                Cause::Disabled(by) => self.plan_disabled(by, it.thread, order),
                Cause::Race(race) if !self.rules.is_whole => {
                    self.plan_again(race, it.thread, order);
                }
                Cause::Race(race) if self.is_as_planned(race, it.end) => {}
                Cause::Race(race) => it.end = self.plan_whole(race, order).unwrap_or(it.end),
            }
        }
        self.kept = kept;
    }

    /// Whether the reversing sequence of a race is the one that was planned, which was before `end`: nothing of it is after what this run shares with
    /// the one before, and nothing was.
    fn is_as_planned(&self, race: Race, end: EventIdx) -> bool {
        let mut new = self.shared.until(self.run.end());
        race.ending == Ending::Again
            && end <= self.shared
            && new.all(|x| self.run.is_firmly_before(race.first, x))
    }

    /// A race whose later event does something else when it comes first, where sequences are not whole.
    fn plan_again(&mut self, race: Race, thread: u64, order: &mut Vec<EventIdx>) {
        if !race.prepare(self.rules, &self.run, order) {
            return;
        }
        race.complete(self.rules, &self.run, order);
        if self.realise(race.first, order, thread).is_some() {
            // What it meets first then is not in this run: nobody may be left out.
            self.owe_all(race.first);
        }
    }

    /// The turn of a thread that was disabled by the event from the frame at `depth`: as if its next event came last.
    fn plan_disabled(&mut self, depth: EventIdx, thread: u64, order: &mut Vec<EventIdx>) {
        order.clear();
        order.extend(self.run.without(depth));
        let mut step = self.realise(depth, order, thread);
        // A thread that was enabled and then disabled, perhaps by several.
        if step.is_none() {
            self.leave_out_disablers(depth, thread, order);
            step = self.realise(depth, order, thread);
        }
        let Some(step) = step else { return };
        if self.config.dpor == Dpor::Source {
            // What it meets first then is not in this run: nobody may be left out.
            self.owe_all(depth);
        } else {
            let message = step.receive().and_then(|receive| receive.message);
            self.owe(depth, order, (&step, None, message));
        }
    }

    /// Takes out of `order`, which can run from the frame at `depth`, what disables `thread`, and what needs such an event:
    /// the thread has had several rivals, and only one of them is the race to be reversed.
    fn leave_out_disablers(&self, depth: EventIdx, thread: u64, order: &mut Vec<EventIdx>) {
        let system = self.rules.system;
        let mut state = self.state_at(depth).to_vec();
        let mut left_out: Vec<EventIdx> = Vec::new();
        let all = std::mem::take(order);
        for event in all {
            let needs = |it: &EventIdx| self.run.is_firmly_before(*it, event);
            if left_out.iter().any(needs) {
                continue;
            }
            let own = self.run.step(event).thread;
            let Some(action) = self.action_in(&state, own) else {
                left_out.push(event);
                continue;
            };
            let next = system.step(&state, action);
            if self.action_in(&next, thread).is_some() {
                state = next;
                order.push(event);
            } else {
                left_out.push(event);
            }
        }
    }

    fn plan_sequence(&mut self, race: Race, order: &[EventIdx]) {
        let (&last, others) = order.split_last().expect("a reversal has events");
        let step = Arc::clone(self.run.step(last));
        let thread = step.thread;
        // A sequence that is not whole only says who comes first, and need not run.
        let is_known = race.ending != Ending::Again
            && (!self.rules.is_whole || step.only_receives(self.rules.threads));
        let message = match race.ending {
            Ending::Again => step.receive().and_then(|receive| receive.message),
            Ending::TimedOut => None,
            Ending::Taking(_) => observer::delivered(&self.run, &step, race.second),
        };
        if is_known {
            debug_assert!(
                !self.rules.is_whole
                    || self
                        .realise(race.first, others, thread)
                        .is_some_and(|real| real.is_taking(&step, message)),
                "the receive turns out as the race says"
            );
            self.owe(race.first, others, (&step, Some(last), message));
            return;
        }
        let real = self.realise(race.first, others, thread);
        let is_other = real.as_ref().is_none_or(|real| !real.is_taking(&step, message));
        if let Some(real) = real {
            let message = real.receive().and_then(|receive| receive.message);
            self.owe(race.first, others, (&real, Some(last), message));
        }
        if is_other && !self.rules.is_whole {
            let (cause, until) = (Cause::Race(race), race.second.max(last));
            self.kept.push(Kept { cause, until, thread, end: EventIdx::default() });
        }
    }

    /// How the whole sequence that has been prepared for a race begins, if it repeats what was explored however it goes on.
    fn repeating(&self, race: Race, order: &[EventIdx]) -> Option<EventIdx> {
        let beginning = race.beginning(&self.run, order)?;
        let thread = self.run.step(beginning).thread;
        self.is_repeated_by(race.first, thread).then_some(beginning)
    }

    /// Whether every sequence from the frame at `depth` that begins with `thread` repeats what was explored: a sleeper's
    /// step comes first there, and no receive can tell it from what came since it sleeps. So the rest of the sequence need not
    /// be known.
    fn is_repeated_by(&self, depth: EventIdx, thread: u64) -> bool {
        self.sleepers_at(depth).iter().any(|sleeper| {
            let step = self.step_of_sleeper(*sleeper);
            let is_untold =
                sleeper.since == depth || step.deliveries().is_empty() || !self.rules.has_observers;
            sleeper.ran.is_none() && step.thread == thread && is_untold
        })
    }

    /// Sees to it that the events of `order` and then the `last` step, with its event, if it happened, and what it receives, are
    /// explored from the frame at `depth`.
    fn owe(
        &mut self,
        depth: EventIdx,
        order: &[EventIdx],
        (last, event, message): (&Arc<Step>, Option<EventIdx>, Option<u64>),
    ) {
        let rules = self.rules;
        let events = &self.run.events;
        if self.config.dpor == Dpor::Optimal {
            let first = order.first().map_or(last, |event| &events[*event].step);
            if self.is_repeated_by(depth, first.thread) {
                return;
            }
        }
        let mut sequence = Sequence::of_run(&self.run);
        for &event in order {
            sequence.push(Pending::again(event, &events[event]));
        }
        let taken = observer::delivery_taken(&self.run, last, message, depth, order);
        sequence.push(Pending { message, ..Pending::new(last, event, taken) });
        if self.config.dpor == Dpor::Source {
            if let Some(thread) = self.missing_initial(depth, &sequence) {
                self.frames[depth].tree.push(Step::of_thread(thread));
            }
            return;
        }
        let is_covering = |sleeper: &Sleeper| {
            let step = self.step_of_sleeper(*sleeper);
            coverage(rules, *sleeper, step, &sequence) != Standing::Behind
        };
        if self.sleepers_at(depth).iter().any(is_covering) {
            return;
        }
        let frame = &mut self.frames[depth];
        if let Some(common) = &frame.common {
            common.insert(rules, frame.branch, &mut sequence);
            return;
        }
        frame.tree.insert(rules, &mut sequence);
        #[cfg(debug_assertions)]
        frame.tree.assert_ordered(rules);
    }

    /// The step of `thread` after the events of `order` have been run from the frame at `depth`; `None` if they cannot.
    fn realise(&mut self, depth: EventIdx, order: &[EventIdx], thread: u64) -> Option<Arc<Step>> {
        let mut node = self.node_at(depth);
        for &event in order {
            let own = self.run.step(event).thread;
            let at = self.transition(node, own, None)?;
            node = self.graph.edge(at).to;
        }
        let at = self.transition(node, thread, None)?;
        Some(Arc::clone(&self.graph.edge(at).step))
    }

    /// What a thread can do in a state.
    pub(crate) fn action_in(&self, state: &[u32], thread: u64) -> Option<Action> {
        let Some(allow) = &self.config.allow else {
            return self.rules.threads.action_of(state, thread);
        };
        let mut enabled = Vec::new();
        self.rules.threads.enabled_threads(state, &mut enabled);
        enabled.into_iter().find(|it| it.1 == thread && allow(state, it.0)).map(|it| it.0)
    }

    /// A thread that can come first in a sequence, unless one that can is already pending.
    fn missing_initial(&self, depth: EventIdx, sequence: &Sequence<'_>) -> Option<u64> {
        let steps = &sequence.steps[..];
        let is_initial = |&at: &usize| {
            let taken = steps[at].taken;
            let within = Standing::Within(StepIdx::new(at));
            standing(self.rules, steps[at].step, None, sequence) == within
                && taken.is_none_or(|it| !steps[..at].iter().any(|at| at.event == Some(it)))
        };
        let mut initials = (0..steps.len()).filter(is_initial).map(|at| steps[at].step.thread);
        let is_missing = initials.all(|thread| !self.is_owed(depth, thread));
        is_missing.then(|| steps[0].step.thread)
    }

    fn plan_thread(&mut self, race: Race, order: &[EventIdx]) {
        let depth = race.first;
        let second = race.second;
        let thread = self.run.step(second).thread;
        let mut threads = vec![thread];
        let helpers = order.iter().filter(|&&x| self.run.is_before(x, second));
        threads.extend(helpers.map(|&x| self.run.step(x).thread));
        threads.retain(|thread| self.action_of(depth, *thread).is_some());
        // The exploration that put a thread to sleep has found its races there, not here: then nobody may be left out.
        match threads.first() {
            Some(&thread) if !self.is_asleep(depth, thread) => self.owe_thread(depth, thread),
            _ => self.owe_all(depth),
        }
    }

    /// At the race, and where the earlier thread was last scheduled: there the switch may be free.
    fn plan_conservatively(&mut self, depth: EventIdx, thread: u64) {
        let owner = self.run.step(depth).thread;
        let is_own = |at: &EventIdx| self.run.step(*at).thread == owner;
        let block = EventIdx::default().until(depth).rev().take_while(is_own).last();
        for at in [Some(depth), block].into_iter().flatten() {
            if self.action_of(at, thread).is_some() {
                self.owe_thread(at, thread);
            } else {
                self.owe_all(at);
            }
        }
    }

    fn owe_all(&mut self, depth: EventIdx) {
        let threads: Vec<u64> = self.enabled_at(depth).actions.iter().map(|it| it.1).collect();
        for thread in threads {
            self.owe_thread(depth, thread);
        }
    }

    fn owe_thread(&mut self, depth: EventIdx, thread: u64) {
        if !self.is_owed(depth, thread) {
            self.frames[depth].tree.push(Step::of_thread(thread));
        }
    }

    /// Whether a thread was run from a frame, is being run or will be.
    fn is_owed(&self, depth: EventIdx, thread: u64) -> bool {
        let frame = &self.frames[depth];
        self.run.step(depth).thread == thread
            || self.done_at(depth).iter().any(|step| step.thread == thread)
            || frame.tree.threads().any(|it| it == thread)
    }
}
