//! Whole sequences: the reversal of a race with everything in the run that does not need its earlier event.
//! Most of them repeat what was explored or planned, so that is asked first, from the cheapest question to the dearest: does a
//! sleeper come first in it, was the same sequence seen to (`settled`), is it known from others of the same receive (`observed`).

use super::Planner;
use crate::index::{EventIdx, Idx};
use crate::observed::{Observation, ObservationId, ObservedLine};
use crate::observer;
use crate::race::{Ending, Race};
#[cfg(debug_assertions)]
use crate::sequence::{Pending, Sequence};
use std::sync::Arc;

impl Planner<'_, '_> {
    /// Plans the whole reversing sequence of a race, unless it repeats what was explored; gives the place after its latest
    /// event. `None` if the race has nothing to add, however the run ends.
    pub(super) fn plan_whole(&mut self, race: Race, order: &mut Vec<EventIdx>) -> Option<EventIdx> {
        order.clear();
        let is_plain = self.is_plainly_observed(race);
        let (rules, run) = (self.rules(), self.stack.run());
        if !is_plain && !race.prepare(rules, run, order) {
            return Some(run.end());
        }
        if let Some(beginning) = self.repeating(race, order) {
            let is_firm = race.is_firm(rules, run, beginning);
            return (!is_firm).then_some(run.end());
        }
        if is_plain {
            self.plan_observed(race, order);
            return Some(self.stack.run().end());
        }
        let n_moved = order.len();
        race.complete(rules, run, order);
        let end = order.iter().max().map_or(EventIdx::default(), |latest| latest.next());
        let (moved, hash) = (run.hash_of(&order[..n_moved]), run.hash_of(order));
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
        let past = |event: EventIdx| self.stack.run().events[event].past.hash;
        let ending = match race.ending {
            Ending::Again => 0,
            Ending::TimedOut => 1,
            Ending::Taking(_) => 2,
        };
        let known = [ending, past(race.second), past(race.last()), moved, hash];
        self.plan.settled.has_seen(self.stack.visit(race.first), &known)
    }

    /// Whether the reversing sequence of a race is known from the other races that its receive observes.
    fn is_plainly_observed(&mut self, race: Race) -> bool {
        let Ending::Taking(receive) = race.ending else { return false };
        let (rules, run) = (self.rules(), self.stack.run());
        if let Some(observation) = self.plan.observation.as_ref().filter(|it| it.is_of(race)) {
            return observation.has_plain(run, race);
        }
        let id = ObservationId::after(self.plan.latest_observation);
        self.plan.latest_observation = Some(id);
        let observation = Observation::new(rules, run, race.first, receive, id);
        self.plan.observation.insert(observation).has_plain(run, race)
    }

    /// As [`Planner::plan_whole`], for a race whose sequence is known from others.
    fn plan_observed(&mut self, race: Race, order: &mut Vec<EventIdx>) {
        let depth = race.first;
        let mut observation = self.plan.observation.take().expect("the one that was asked about");
        let is_known = self.has_seen(race, 0, observation.hash);
        let is_alone = self.stack.branches(depth).has_only(observation.id)
            && self.stack.asleep_at(depth).is_empty();
        let is_appended = is_alone && !is_known;
        if is_appended {
            #[cfg(debug_assertions)]
            self.assert_new(race, &observation, order);
            let (run, _, branches) = self.stack.parts(depth);
            let step = run.step(race.second);
            let steps = Arc::clone(observation.steps(run));
            let message = step.deliveries()[0].message;
            let line = ObservedLine { steps, second: race.second, message };
            branches.add_observed(observation.id, step, line);
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
        self.plan.observation = Some(observation);
    }

    /// Panics if a sequence begins as one that is pending, or is another than that of the race.
    #[cfg(debug_assertions)]
    fn assert_new(&mut self, race: Race, observation: &Observation, order: &mut Vec<EventIdx>) {
        let (rules, depth) = (self.rules(), race.first);
        assert!(race.prepare(rules, self.stack.run(), order), "there is something to reverse");
        race.complete(rules, self.stack.run(), order);
        let whole = order.clone();
        observation.order(race.second, order);
        assert_eq!(*order, whole, "the sequence of an observed race");
        let step = Arc::clone(self.stack.run().step(race.last()));
        let message = observer::delivered(self.stack.run(), &step, race.second);
        let real = self.realise(depth, order, step.thread);
        assert!(real.is_some_and(|real| real.is_taking(&step, message)), "what it takes");
        let run = self.stack.run();
        let mut sequence = Sequence::of_run(run);
        for &event in order.iter() {
            sequence.push(Pending::again(event, &run.events[event]));
        }
        let taken = observer::delivery_taken(run, &step, message, depth, order);
        sequence.push(Pending { message, ..Pending::new(&step, Some(race.last()), taken) });
        self.stack.branches(depth).assert_none_begins(rules, &sequence);
    }

    /// Panics if a sequence that is known adds something all the same. Where others insert too, that cannot be told.
    fn assert_settled(&mut self, race: Race, order: &[EventIdx]) {
        if self.stack.branches(race.first).is_own() {
            let n_owed = self.stack.branches(race.first).n_owed();
            self.plan_sequence(race, order);
            let n_owed_now = self.stack.branches(race.first).n_owed();
            assert_eq!(n_owed, n_owed_now, "a known sequence adds nothing");
        }
    }

    /// Sees to the sequence that reverses a race: events of the run, of which the last may turn out differently.
    pub(super) fn plan_sequence(&mut self, race: Race, order: &[EventIdx]) {
        let (&last, others) = order.split_last().expect("a reversal has events");
        let (rules, run) = (self.rules(), self.stack.run());
        let step = Arc::clone(run.step(last));
        let thread = step.thread;
        // A sequence that is not whole only says who comes first, and need not run.
        let is_known =
            race.ending != Ending::Again && (!rules.is_whole || step.only_receives(rules.threads));
        let message = match race.ending {
            Ending::Again => step.receive().and_then(|receive| receive.message),
            Ending::TimedOut => None,
            Ending::Taking(_) => observer::delivered(run, &step, race.second),
        };
        if is_known {
            debug_assert!(
                !rules.is_whole
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
        if is_other && !rules.is_whole {
            self.keep(race, EventIdx::default());
        }
    }

    /// How the whole sequence that has been prepared for a race begins, if it repeats what was explored however it goes on.
    fn repeating(&self, race: Race, order: &[EventIdx]) -> Option<EventIdx> {
        let run = self.stack.run();
        let beginning = race.beginning(run, order)?;
        self.is_repeated_by(race.first, run.step(beginning).thread).then_some(beginning)
    }
}
