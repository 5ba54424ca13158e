//! The run so far: its events, and where each object and mailbox was last touched.
//! Why: whether two events are dependent is decided per object; looking only at the events that touched the same objects
//! keeps the cost of an event independent of the length of the run. Everything here is a stack and is undone event by
//! event, because the next run shares a prefix with this one.
//! Invariant: `clocks` is the happened-before of exactly the events in `events`; in particular, what a receive has made
//! dependent afterwards is forgotten when that receive is undone.
//! Not here: finding what depends on a new event (`race`, `observer`).

use crate::clock::{Clocks, Saved};
use crate::step::{NONE, Step};
use foresee_lts::{Action, Mode};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) step: Arc<Step>,
    pub(crate) action: Action,
    /// The thread's number in this run's clocks.
    pub(crate) thread: u32,
    /// The thread's event before this one, or [`NONE`].
    pub(crate) previous: u32,
    /// The event that delivered what this one received, or [`NONE`].
    pub(crate) taken: u32,
    n_touched: u32,
    n_saved: u32,
    n_pairs: u32,
}

/// An access of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) event: u32,
    pub(crate) mode: Mode,
}

/// A message that reached a mailbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) event: u32,
    pub(crate) message: u64,
    /// The receive that took it, or [`NONE`].
    pub(crate) taken_by: u32,
}

/// What happened to a mailbox.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    /// In the order of arrival, taken or not.
    pub(crate) arrivals: Vec<Arrival>,
    /// Receives that gave up waiting.
    pub(crate) timeouts: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) clocks: Clocks,
    /// The same without what only receives tell apart: it holds whether or not those receives happen.
    pub(crate) firm: Clocks,
    pub(crate) objects: Vec<Vec<Touch>>,
    pub(crate) mailboxes: Vec<Mailbox>,
    /// Races of this run: the earlier and the later event.
    pub(crate) pairs: Vec<(u32, u32)>,
    thread_numbers: FxHashMap<u64, u32>,
    object_numbers: FxHashMap<u64, u32>,
    mailbox_numbers: FxHashMap<u64, u32>,
    /// Per thread, its latest event or [`NONE`].
    latest: Vec<u32>,
    /// The objects touched by all events, in order.
    touched: Vec<u32>,
    saved: Vec<Saved>,
}

impl Run {
    pub(crate) fn new() -> Self {
        Run {
            events: Vec::new(),
            clocks: Clocks::new(),
            firm: Clocks::new(),
            objects: Vec::new(),
            mailboxes: Vec::new(),
            pairs: Vec::new(),
            thread_numbers: FxHashMap::default(),
            object_numbers: FxHashMap::default(),
            mailbox_numbers: FxHashMap::default(),
            latest: Vec::new(),
            touched: Vec::new(),
            saved: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether event `e` happened before event `x`, or is it.
    pub(crate) fn is_before(&self, e: usize, x: usize) -> bool {
        self.clocks.knows(x, self.events[e].thread as usize, e)
    }

    /// Whether `x` needs `e`, or is it, whatever any receive takes.
    pub(crate) fn is_firmly_before(&self, e: usize, x: usize) -> bool {
        self.firm.knows(x, self.events[e].thread as usize, e)
    }

    /// The later events that do not need `e`.
    pub(crate) fn without(&self, e: u32) -> impl Iterator<Item = u32> + '_ {
        (e + 1..self.len() as u32).filter(move |x| !self.is_firmly_before(e as usize, *x as usize))
    }

    pub(crate) fn thread_number(&mut self, thread: u64) -> usize {
        let n = self.thread_numbers.len() as u32;
        let number = *self.thread_numbers.entry(thread).or_insert(n) as usize;
        if number == self.latest.len() {
            self.latest.push(NONE);
            self.clocks.reserve(number);
            self.firm.reserve(number);
        }
        number
    }

    pub(crate) fn object_number(&mut self, object: u64) -> usize {
        number(&mut self.object_numbers, &mut self.objects, object)
    }

    pub(crate) fn mailbox_number(&mut self, mailbox: u64) -> usize {
        number(&mut self.mailbox_numbers, &mut self.mailboxes, mailbox)
    }

    /// A mailbox that something was delivered to or received from.
    pub(crate) fn known_mailbox(&self, mailbox: u64) -> Option<&Mailbox> {
        self.mailbox_numbers.get(&mailbox).map(|number| &self.mailboxes[*number as usize])
    }

    /// The latest event of a thread, or [`NONE`].
    pub(crate) fn latest_of(&self, thread: usize) -> u32 {
        self.latest[thread]
    }

    /// From now on event `first` happened before event `second`, though they are already past: a receive has told them
    /// apart. Undone with the event that is added next.
    pub(crate) fn order(&mut self, pairs: &[(u32, u32)]) {
        let Some(first) = pairs.iter().map(|(_, second)| *second as usize).min() else { return };
        self.saved.push(self.clocks.save(first));
        for &(first, second) in pairs {
            for x in second as usize..self.events.len() {
                if self.is_before(second as usize, x) {
                    self.clocks.join(x, first as usize);
                }
            }
        }
    }

    /// Adds an event, whose row the clocks already have; `n_pairs` and `n_saved` are the lengths before it was looked at.
    pub(crate) fn add(
        &mut self,
        step: Arc<Step>,
        action: Action,
        thread: usize,
        taken: Option<(usize, usize)>,
        (n_pairs, n_saved): (usize, usize),
    ) {
        let index = self.events.len() as u32;
        let n_touched = self.touched.len() as u32;
        for access in &step.footprint.accesses {
            let object = self.object_numbers[&access.object];
            self.objects[object as usize].push(Touch { event: index, mode: access.mode });
            self.touched.push(object);
        }
        let mut taken_event = NONE;
        if let Some((mailbox, arrival)) = taken {
            let arrival = &mut self.mailboxes[mailbox].arrivals[arrival];
            arrival.taken_by = index;
            taken_event = arrival.event;
        }
        if let Some(receive) = step.receive().filter(|receive| receive.message.is_none()) {
            let mailbox = self.mailbox_number(receive.mailbox);
            self.mailboxes[mailbox].timeouts.push(index);
        }
        for delivery in step.deliveries() {
            let mailbox = self.mailbox_numbers[&delivery.mailbox] as usize;
            let arrival = Arrival { event: index, message: delivery.message, taken_by: NONE };
            self.mailboxes[mailbox].arrivals.push(arrival);
        }
        let previous = std::mem::replace(&mut self.latest[thread], index);
        self.events.push(Event {
            step,
            action,
            thread: thread as u32,
            previous,
            taken: taken_event,
            n_touched,
            n_saved: n_saved as u32,
            n_pairs: n_pairs as u32,
        });
    }

    pub(crate) fn marks(&self) -> (usize, usize) {
        (self.pairs.len(), self.saved.len())
    }

    /// Undoes the latest event.
    pub(crate) fn pop(&mut self) -> Arc<Step> {
        let event = self.events.pop().expect("a run with events");
        let index = self.events.len() as u32;
        for object in self.touched.drain(event.n_touched as usize..) {
            self.objects[object as usize].pop();
        }
        for delivery in event.step.deliveries() {
            let mailbox = self.mailbox_numbers[&delivery.mailbox] as usize;
            self.mailboxes[mailbox].arrivals.pop();
        }
        if let Some(receive) = event.step.receive() {
            let mailbox = self.mailbox_numbers[&receive.mailbox] as usize;
            let mailbox = &mut self.mailboxes[mailbox];
            if receive.message.is_none() {
                mailbox.timeouts.pop();
            } else if let Some(arrival) =
                mailbox.arrivals.iter_mut().rev().find(|arrival| arrival.taken_by == index)
            {
                arrival.taken_by = NONE;
            }
        }
        self.latest[event.thread as usize] = event.previous;
        self.pairs.truncate(event.n_pairs as usize);
        self.clocks.truncate(index as usize);
        self.firm.truncate(index as usize);
        for saved in self.saved.drain(event.n_saved as usize..).rev() {
            self.clocks.restore(&saved);
        }
        event.step
    }
}

fn number<T: Default>(numbers: &mut FxHashMap<u64, u32>, things: &mut Vec<T>, key: u64) -> usize {
    let n = numbers.len() as u32;
    let number = *numbers.entry(key).or_insert(n) as usize;
    if number == things.len() {
        things.push(T::default());
    }
    number
}
