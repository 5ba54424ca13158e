//! Sequences: steps that are to happen one after the other, from a state in which the first of them can.
//! Why more than a list: a sequence is held against every sleeper of a state and every branch of a tree, most of which have
//! nothing to do with it. What all its steps touch is known as bits, so that this is seen at once.
//! Invariant: the bits of a sequence contain those of each of its steps; what was taken out may leave its bits behind.
//! Not here: how a step stands to a sequence (`initial`), where sequences come from (`race`).

use crate::kind::Bits;
use crate::race::Rules;
use crate::run::Event;
use crate::step::{NONE, Step};
use smallvec::SmallVec;
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
    /// The numbers of its events, one bit each.
    events: SmallVec<[u64; 4]>,
}

impl<'s> Sequence<'s> {
    pub(crate) fn push(&mut self, pending: Pending<'s>) {
        self.bits.join(&pending.step.bits);
        self.steps.push(pending);
        if pending.event < EVENTS_MAX {
            let word = pending.event as usize / 64;
            if self.events.len() <= word {
                self.events.resize(word + 1, 0);
            }
            self.events[word] |= 1 << (pending.event % 64);
        }
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let event = self.steps.remove(at).event;
        if let Some(word) = self.events.get_mut(event as usize / 64) {
            *word &= !(1 << (event % 64));
        }
    }

    /// Whether an event of the run is in the sequence.
    pub(crate) fn has(&self, event: u32) -> bool {
        let word = self.events.get(event as usize / 64);
        word.is_some_and(|word| word & 1 << (event % 64) != 0)
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
