//! Threads that another has disabled: a disabled thread gets its turn at the latest where it was enabled.
//! Such a thread has no later event to race with: it is as if its next event came last.

use super::{Cause, Kept, Planner};
use crate::Dpor;
use crate::index::EventIdx;

impl Planner<'_, '_> {
    /// Plans the turns of the threads that the run's events have disabled.
    pub(super) fn keep_disabled(&mut self, order: &mut Vec<EventIdx>) {
        let disabled = std::mem::take(&mut self.plan.disabled);
        for &(event, thread) in &disabled {
            if !self.stack.run().step(event).is_racing {
                continue;
            }
            if self.setup.config.needs_every_order() {
                self.plan_conservatively(event, thread);
            } else if self.setup.config.dpor == Dpor::Persistent {
                self.owe_all(event);
            } else {
                self.plan_disabled(event, thread, order);
                let (cause, end) = (Cause::Disabled(event), EventIdx::default());
                self.plan.kept.push(Kept { cause, until: event, thread, end });
            }
        }
        self.plan.disabled = disabled;
    }

    /// The turn of a thread that was disabled by the event from the frame at `depth`.
    pub(super) fn plan_disabled(
        &mut self,
        depth: EventIdx,
        thread: u64,
        order: &mut Vec<EventIdx>,
    ) {
        order.clear();
        order.extend(self.stack.run().without(depth));
        let mut step = self.realise(depth, order, thread);
        // A thread that was enabled and then disabled, perhaps by several.
        if step.is_none() {
            self.leave_out_disablers(depth, thread, order);
            step = self.realise(depth, order, thread);
        }
        let Some(step) = step else { return };
        if self.setup.config.dpor == Dpor::Source {
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
        let run = self.stack.run();
        let mut state = self.stack.state_at(depth).to_vec();
        let mut left_out: Vec<EventIdx> = Vec::new();
        let all = std::mem::take(order);
        for event in all {
            let needs = |it: &EventIdx| run.is_firmly_before(*it, event);
            if left_out.iter().any(needs) {
                continue;
            }
            let Some(action) = self.setup.action_in(&state, run.step(event).thread) else {
                left_out.push(event);
                continue;
            };
            let next = self.setup.rules.system.step(&state, action);
            if self.setup.action_in(&next, thread).is_some() {
                state = next;
                order.push(event);
            } else {
                left_out.push(event);
            }
        }
    }
}
