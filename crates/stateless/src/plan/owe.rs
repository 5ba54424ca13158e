//! What a reversal adds to what is pending at a state: a sequence, a thread, or all threads.

use super::Planner;
use crate::Dpor;
use crate::index::{EventIdx, Idx, StepIdx};
use crate::initial::{Standing, standing};
use crate::observer;
use crate::race::Race;
use crate::run::Run;
use crate::sequence::{Pending, Sequence};
use crate::sleep_set::{Sleeper, coverage};
use crate::step::Step;
use std::sync::Arc;

/// The last step of a sequence, with its event, if it happened, and what it receives.
type Last<'s> = (&'s Arc<Step>, Option<EventIdx>, Option<u64>);

impl Planner<'_, '_> {
    /// Sees to it that the events of `order` and then the `last` step are explored from the frame at `depth`.
    pub(super) fn owe(
        &mut self,
        depth: EventIdx,
        order: &[EventIdx],
        (last, event, message): Last<'_>,
    ) {
        let rules = self.rules();
        if self.setup.is_optimal() {
            let first = order.first().map_or(last, |event| self.stack.run().step(*event));
            if self.is_repeated_by(depth, first.thread) {
                return;
            }
        }
        if self.setup.config.dpor == Dpor::Source {
            let sequence = sequence(self.stack.run(), depth, order, (last, event, message));
            let missing = self.missing_initial(depth, &sequence);
            drop(sequence);
            if let Some(thread) = missing {
                self.stack.branches_mut(depth).push_thread(thread);
            }
            return;
        }
        let (run, asleep, branches) = self.stack.parts(depth);
        let mut sequence = sequence(run, depth, order, (last, event, message));
        let is_covering = |(sleeper, step): (Sleeper, &Step)| {
            coverage(rules, sleeper, step, &sequence) != Standing::Behind
        };
        if !asleep.iter().any(is_covering) {
            branches.insert(rules, &mut sequence);
        }
    }

    /// Whether every sequence from the frame at `depth` that begins with `thread` repeats what was explored: a sleeper's
    /// step comes first there, and no receive can tell it from what came since it sleeps. So the rest of the sequence need not
    /// be known.
    pub(super) fn is_repeated_by(&self, depth: EventIdx, thread: u64) -> bool {
        self.stack.asleep_at(depth).iter().any(|(sleeper, step)| {
            let is_untold = sleeper.since == depth
                || step.deliveries().is_empty()
                || !self.rules().has_observers;
            sleeper.ran.is_none() && step.thread == thread && is_untold
        })
    }

    /// A thread that can come first in a sequence, unless one that can is already pending.
    fn missing_initial(&self, depth: EventIdx, sequence: &Sequence<'_>) -> Option<u64> {
        let steps = &sequence.steps[..];
        let is_initial = |&at: &usize| {
            let within = Standing::Within(StepIdx::new(at));
            let is_delivered = |taken| steps[..at].iter().any(|it| it.event == Some(taken));
            standing(self.rules(), steps[at].step, None, sequence) == within
                && !steps[at].taken.is_some_and(is_delivered)
        };
        let mut initials = (0..steps.len()).filter(is_initial).map(|at| steps[at].step.thread);
        let is_missing = initials.all(|thread| !self.stack.is_owed(depth, thread));
        is_missing.then(|| steps[0].step.thread)
    }

    pub(super) fn plan_thread(&mut self, race: Race, order: &[EventIdx]) {
        let (run, depth) = (self.stack.run(), race.first);
        let mut threads = vec![run.step(race.second).thread];
        let helpers = order.iter().filter(|&&x| run.is_before(x, race.second));
        threads.extend(helpers.map(|&x| run.step(x).thread));
        threads.retain(|thread| self.stack.action_of(depth, *thread).is_some());
        // The exploration that put a thread to sleep has found its races there, not here: then nobody may be left out.
        match threads.first() {
            Some(&thread) if !self.stack.asleep_at(depth).has(thread) => {
                self.owe_thread(depth, thread)
            }
            _ => self.owe_all(depth),
        }
    }

    /// At the race, and where the earlier thread was last scheduled: there the switch may be free.
    pub(super) fn plan_conservatively(&mut self, depth: EventIdx, thread: u64) {
        let run = self.stack.run();
        let is_own = |at: &EventIdx| run.step(*at).thread == run.step(depth).thread;
        let block = EventIdx::default().until(depth).rev().take_while(is_own).last();
        for at in [Some(depth), block].into_iter().flatten() {
            if self.stack.action_of(at, thread).is_some() {
                self.owe_thread(at, thread);
            } else {
                self.owe_all(at);
            }
        }
    }

    pub(super) fn owe_all(&mut self, depth: EventIdx) {
        for thread in self.stack.threads_at(depth) {
            self.owe_thread(depth, thread);
        }
    }

    fn owe_thread(&mut self, depth: EventIdx, thread: u64) {
        if !self.stack.is_owed(depth, thread) {
            self.stack.branches_mut(depth).push_thread(thread);
        }
    }
}

/// The events of `order` and then the `last` step, from the frame at `depth`.
fn sequence<'s>(
    run: &'s Run,
    depth: EventIdx,
    order: &[EventIdx],
    (last, event, message): Last<'s>,
) -> Sequence<'s> {
    let mut sequence = Sequence::of_run(run);
    for &event in order {
        sequence.push(Pending::again(event, &run.events[event]));
    }
    let taken = observer::delivery_taken(run, last, message, depth, order);
    sequence.push(Pending { message, ..Pending::new(last, event, taken) });
    sequence
}
