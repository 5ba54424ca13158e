//! Sequences: steps that are to happen one after the other, from a state in which the first of them can.
//! Why more than a list: a sequence is held against every sleeper of a state and every branch of a tree, most of which have
//! nothing to do with it. What all its steps touch is known as bits, so that this is seen at once.
//! A long sequence also has an index, made when it is first wanted: where each thread comes first, where each event of the run
//! stands, which steps receive. What touches an object is known to the run itself.
//! Invariant: the bits of a sequence contain those of each of its steps; what was taken out may leave its bits behind.
//! Not here: how a step stands to a sequence (`initial`), where sequences come from (`race`).

use crate::access_kinds::Bits;
use crate::index::{EventIdx, Idx, MailboxIdx, StepIdx, Table, ThreadIdx};
use crate::race::Rules;
use crate::run::{Event, Run};
use crate::step::Step;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::sync::Arc;

/// A step that is to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending<'s> {
    pub(crate) step: &'s Arc<Step>,
    pub(crate) thread: ThreadIdx,
    /// The event of the run in which it was seen, if it happened there.
    pub(crate) event: Option<EventIdx>,
    /// The event of that run that delivered what it receives.
    pub(crate) taken: Option<EventIdx>,
    /// What it receives, if it receives: here that may be something else than when it was seen.
    pub(crate) message: Option<u64>,
    /// The mailbox from which it receives.
    pub(crate) received_from: Option<MailboxIdx>,
}

impl<'s> Pending<'s> {
    pub(crate) fn new(
        step: &'s Arc<Step>,
        event: Option<EventIdx>,
        taken: Option<EventIdx>,
    ) -> Self {
        let message = step.receive().and_then(|receive| receive.message);
        let (thread, received_from) = (step.numbered.thread, step.numbered.received_from);
        Pending { step, thread, event, taken, message, received_from }
    }

    /// An event as it happened.
    pub(crate) fn again(number: EventIdx, event: &'s Event) -> Self {
        Pending::new(&event.step, Some(number), event.taken)
    }

    /// The step as it is to happen.
    pub(crate) fn to_step(self) -> Arc<Step> {
        let is_same = self.step.receive().is_none_or(|receive| receive.message == self.message);
        if is_same { Arc::clone(self.step) } else { self.step.taking(self.message) }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Sequence<'s> {
    pub(crate) steps: SmallVec<[Pending<'s>; 24]>,
    bits: Bits,
    /// The run whose events these are, all but the last as they happened there.
    run: Option<&'s Run>,
    index: OnceCell<Index>,
}

/// From here on an index is worth its making; where assertions are checked, it is held against the plain way far more often.
const LONG: usize = if cfg!(debug_assertions) { 3 } else { 48 };

/// Where things stand in a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// The first step of each thread.
    threads: Table<ThreadIdx, Option<StepIdx>>,
    /// The steps of the events of the run, from the least of them on.
    events: Vec<Option<StepIdx>>,
    pub(crate) least: EventIdx,
    /// The receives.
    pub(crate) receives: Vec<StepIdx>,
}

impl Index {
    fn of(steps: &[Pending<'_>]) -> Index {
        let events = || steps.iter().filter_map(|it| it.event);
        let least = events().min().unwrap_or_default();
        let n_events = events().max().map_or(0, |it| it.get() + 1 - least.get());
        let last_thread = steps.iter().map(|it| it.thread).max();
        let mut index = Index {
            threads: Table::filled(None, last_thread.map_or(ThreadIdx::default(), Idx::next)),
            events: vec![None; n_events],
            least,
            receives: Vec::new(),
        };
        for (at, step) in steps.iter().enumerate().rev() {
            let at = Some(StepIdx::new(at));
            index.threads[step.thread] = at;
            if let Some(event) = step.event {
                index.events[event.get() - least.get()] = at;
            }
        }
        let receives = steps.iter().enumerate().filter(|it| it.1.received_from.is_some());
        index.receives.extend(receives.map(|it| StepIdx::new(it.0)));
        index
    }

    pub(crate) fn first_of(&self, thread: ThreadIdx) -> Option<StepIdx> {
        self.threads.get(thread).copied().flatten()
    }

    pub(crate) fn place_of(&self, event: EventIdx) -> Option<StepIdx> {
        let place = event.get().checked_sub(self.least.get())?;
        self.events.get(place).copied().flatten()
    }
}

impl<'s> Sequence<'s> {
    /// A sequence of events of a run, of which only the last may be another than there.
    pub(crate) fn of_run(run: &'s Run) -> Self {
        Sequence { run: Some(run), ..Sequence::default() }
    }

    pub(crate) fn push(&mut self, pending: Pending<'s>) {
        self.bits.join(&pending.step.bits);
        self.steps.push(pending);
        self.index.take();
    }

    pub(crate) fn remove(&mut self, at: StepIdx) {
        self.steps.remove(at.get());
        self.index.take();
    }

    /// The run and the index, if there is a run and the sequence is long.
    pub(crate) fn indexed(&self) -> Option<(&'s Run, &Index)> {
        let run = self.run.filter(|_| self.steps.len() >= LONG)?;
        Some((run, self.index.get_or_init(|| Index::of(&self.steps))))
    }

    /// Whether an event of the run is in the sequence.
    pub(crate) fn has(&self, event: EventIdx) -> bool {
        self.steps.iter().any(|it| it.event == Some(event))
    }

    /// False only if `step` touches nothing that makes its order with a step of the sequence matter.
    pub(crate) fn may_clash(&self, step: &Step) -> bool {
        step.bits.may_clash(&self.bits)
    }

    /// False only if no mailbox makes the order of `step` and those of the sequence matter.
    pub(crate) fn may_meet(&self, rules: Rules<'_>, step: &Step) -> bool {
        step.bits.may_meet(&self.bits, rules.has_observers)
    }
}
