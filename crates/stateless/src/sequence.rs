//! Sequences: steps that are to happen one after the other, from a state in which the first of them can.
//! Why more than a list: a sequence is held against every sleeper of a state and every branch of a tree, most of which have
//! nothing to do with it. What all its steps touch is known as bits, so that this is seen at once.
//! A long sequence also has an index, made when it is first wanted: where each thread comes first, where each event of the run
//! stands, which steps receive. What touches an object is known to the run itself.
//! Invariant: the bits of a sequence contain those of each of its steps; what was taken out may leave its bits behind.
//! Not here: how a step stands to a sequence (`initial`), where sequences come from (`race`).

use crate::access_kinds::Bits;
use crate::race::Rules;
use crate::run::{Event, Run};
use crate::step::{NONE, Step};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::sync::Arc;

/// A step that is to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending<'s> {
    pub(crate) step: &'s Arc<Step>,
    /// The number of its thread.
    pub(crate) thread: u32,
    /// Its number in the run in which it was seen.
    pub(crate) event: u32,
    /// The number in that run of the event that delivered what it receives, or [`NONE`].
    pub(crate) taken: u32,
    /// What it receives, if it receives: here that may be something else than when it was seen.
    pub(crate) message: Option<u64>,
    /// The number of the mailbox from which it receives, or [`NONE`].
    pub(crate) received_from: u32,
}

impl<'s> Pending<'s> {
    pub(crate) fn new(step: &'s Arc<Step>, event: u32, taken: u32) -> Self {
        let receive = step.receive();
        let message = receive.and_then(|receive| receive.message);
        let received_from = receive.map_or(NONE, |_| step.numbered.received_from);
        Pending { step, thread: step.numbered.thread, event, taken, message, received_from }
    }

    /// An event as it happened.
    pub(crate) fn again(number: u32, event: &'s Event) -> Self {
        Pending::new(&event.step, number, event.taken)
    }

    /// The step as it is to happen.
    pub(crate) fn to_step(self) -> Arc<Step> {
        let is_same = self.step.receive().is_none_or(|receive| receive.message == self.message);
        if is_same { Arc::clone(self.step) } else { self.step.taking(self.message) }
    }
}

/// Numbers from here on are of events that did not happen.
const EVENTS_MAX: u32 = NONE - 1;

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

/// Where things stand in a sequence, [`NONE`] if nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// By the numbers of threads: the first step of each.
    threads: Vec<u32>,
    /// By the numbers of events, from the least on.
    events: Vec<u32>,
    pub(crate) least: u32,
    /// The receives.
    pub(crate) receives: Vec<u32>,
}

impl Index {
    fn of(steps: &[Pending<'_>]) -> Index {
        let numbers = || steps.iter().map(|it| it.event).filter(|event| *event < EVENTS_MAX);
        let (least, greatest) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        let n_threads = steps.iter().map(|it| it.thread).max().map_or(0, |it| it as usize + 1);
        let mut index = Index {
            threads: vec![NONE; n_threads],
            events: vec![NONE; (greatest - least) as usize + 1],
            least,
            receives: Vec::new(),
        };
        for (at, step) in steps.iter().enumerate().rev() {
            index.threads[step.thread as usize] = at as u32;
            if step.event < EVENTS_MAX {
                index.events[(step.event - least) as usize] = at as u32;
            }
        }
        let receives = steps.iter().enumerate().filter(|it| it.1.received_from != NONE);
        index.receives.extend(receives.map(|it| it.0 as u32));
        index
    }

    pub(crate) fn first_of(&self, thread: u32) -> Option<usize> {
        let place = self.threads.get(thread as usize).copied();
        place.filter(|place| *place != NONE).map(|place| place as usize)
    }

    pub(crate) fn place_of(&self, event: u32) -> Option<usize> {
        let place = self.events.get(event.checked_sub(self.least)? as usize).copied();
        place.filter(|place| *place != NONE).map(|place| place as usize)
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

    pub(crate) fn remove(&mut self, at: usize) {
        self.steps.remove(at);
        self.index.take();
    }

    /// The run and the index, if there is a run and the sequence is long.
    pub(crate) fn indexed(&self) -> Option<(&'s Run, &Index)> {
        let run = self.run.filter(|_| self.steps.len() >= LONG)?;
        Some((run, self.index.get_or_init(|| Index::of(&self.steps))))
    }

    /// Whether an event of the run is in the sequence.
    pub(crate) fn has(&self, event: u32) -> bool {
        event < EVENTS_MAX && self.steps.iter().any(|it| it.event == event)
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
