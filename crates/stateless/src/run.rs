//! The run so far: its events, and where each object and mailbox was last touched.
//! Why: whether two events are dependent is decided per object; looking only at the events that touched the same objects
//! keeps the cost of an event independent of the length of the run. Everything here is a stack and is undone event by
//! event, because the next run shares a prefix with this one.
//! Invariant: `clocks` is the happened-before of exactly the events in `events`; in particular, what a receive has made
//! dependent afterwards is forgotten when that receive is undone.
//! Not here: finding what depends on a new event (`race`, `observer`).

use crate::access_kinds::Kind;
use crate::clock::Clocks;
use crate::numbers::Access;
use crate::step::{NONE, Step};
use foresee_lts::{Action, Mode};
use foresee_stdx::mix;
use std::sync::Arc;

/// One event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) step: Arc<Step>,
    pub(crate) action: Action,
    /// The thread's number in this run's clocks.
    pub(crate) thread: u32,
    /// The thread's event before this one, or [`NONE`].
    pub(crate) previous: u32,
    /// The event that delivered what this one received, or [`NONE`].
    pub(crate) taken: u32,
    pub(crate) past: Past,
    n_touched: u32,
    n_saved: u32,
    n_pairs: u32,
}

/// What an event needs, whatever any receive takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// The event's thread and all that it needs, as a hash: the same for the same event in a run that puts other events in
    /// another order.
    pub(crate) hash: u64,
    /// One more than the latest event that it needs.
    pub(crate) end: u32,
}

/// No thread's hash is 0, of which sums would tell nothing.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

impl Past {
    /// Of a thread's event, before it needs anything.
    pub(crate) fn new(thread: u64) -> Self {
        Past { hash: mix(thread.wrapping_add(SEED)), end: 0 }
    }

    /// It needs `event`, of which that is the past.
    pub(crate) fn join(&mut self, event: usize, past: Past) {
        // A sum, so that it does not matter which of them came first.
        self.hash = self.hash.wrapping_add(mix(past.hash));
        self.end = self.end.max(event as u32 + 1);
    }
}

/// An access of an object. The touches of all objects stand in one stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) event: u32,
    object: u32,
    /// The object's touch before this one, or [`NONE`].
    previous: u32,
    /// Its latest touch before this one that is not in a row with it, or [`NONE`].
    other: u32,
    pub(crate) mode: Mode,
    kind: Kind,
}

/// The touches of an object that need not commute with an access, from the latest on.
pub(crate) struct Clashing<'r> {
    touches: &'r [Touch],
    at: u32,
    kind: Kind,
    mode: Mode,
}

/// Whether accesses commute by their kinds alone, or put the same value: touches that do stand in a row and are passed at once.
fn is_harmless((kind, mode): (Kind, Mode), (other, others): (Kind, Mode)) -> bool {
    let is_same_put = || matches!((mode, others), (Mode::Put(a), Mode::Put(b)) if a == b);
    kind == other && (kind != Kind::Rest || is_same_put())
}

impl<'r> Iterator for Clashing<'r> {
    type Item = &'r Touch;

    fn next(&mut self) -> Option<&'r Touch> {
        let mut touch = self.touches.get(self.at as usize)?;
        if is_harmless((touch.kind, touch.mode), (self.kind, self.mode)) {
            touch = self.touches.get(touch.other as usize)?;
        }
        self.at = touch.previous;
        Some(touch)
    }
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox {
    /// In the order of arrival, taken or not.
    pub(crate) arrivals: Vec<Arrival>,
    /// The receives that took something, in order, each with the place of what it took.
    pub(crate) takes: Vec<(u32, u32)>,
    /// Receives that gave up waiting.
    pub(crate) timeouts: Vec<u32>,
    /// Whether receives of several threads took from it: then what one of them knows says nothing about the others.
    pub(crate) has_several_takers: bool,
    /// The thread that receives from it, one more than its number; 0 if nobody has yet.
    taker: u32,
    /// All arrivals before this place are taken.
    n_closed: u32,
}

impl Mailbox {
    /// The oldest message of this kind that was not taken, by its place.
    pub(crate) fn oldest(&self, message: u64) -> Option<usize> {
        let first = self.n_closed as usize;
        let mut open = self.arrivals[first..].iter();
        let place = open.position(|it| it.taken_by == NONE && it.message == message)?;
        Some(first + place)
    }

    fn take(&mut self, place: usize, receive: u32) -> u32 {
        self.arrivals[place].taken_by = receive;
        self.takes.push((receive, place as u32));
        while self.arrivals.get(self.n_closed as usize).is_some_and(|it| it.taken_by != NONE) {
            self.n_closed += 1;
        }
        self.arrivals[place].event
    }

    /// Undoes the latest of the takes, if this receive has made it.
    fn give_back(&mut self, receive: u32) {
        if let Some((_, place)) = self.takes.pop_if(|it| it.0 == receive) {
            self.arrivals[place as usize].taken_by = NONE;
            self.n_closed = self.n_closed.min(place);
        }
    }

    fn is_received_from(&mut self, thread: u32) {
        self.has_several_takers |= self.taker != 0 && self.taker != thread + 1;
        self.taker = thread + 1;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) clocks: Clocks,
    /// The same without what only receives tell apart: it holds whether or not those receives happen.
    pub(crate) firm: Clocks,
    /// Per object, its latest touch or [`NONE`].
    objects: Vec<u32>,
    touches: Vec<Touch>,
    pub(crate) mailboxes: Vec<Mailbox>,
    /// Races of this run: the earlier and the later event.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Per thread, its latest event or [`NONE`].
    latest: Vec<u32>,
}

impl Run {
    pub(crate) fn new() -> Self {
        Run {
            events: Vec::new(),
            clocks: Clocks::new(),
            firm: Clocks::new(),
            objects: Vec::new(),
            touches: Vec::new(),
            mailboxes: Vec::new(),
            pairs: Vec::new(),
            latest: Vec::new(),
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

    /// Events as one hash, whatever their order.
    pub(crate) fn hash_of(&self, events: &[u32]) -> u64 {
        let hashes = events.iter().map(|event| mix(self.events[*event as usize].past.hash));
        hashes.fold(0, u64::wrapping_add)
    }

    /// Makes room for what a step touches.
    pub(crate) fn reserve(&mut self, step: &Step) {
        let numbered = &step.numbered;
        self.reserve_thread(numbered.thread as usize);
        if self.objects.len() < numbered.n_objects as usize {
            self.objects.resize(numbered.n_objects as usize, NONE);
        }
        if self.mailboxes.len() < numbered.n_mailboxes as usize {
            self.mailboxes.resize_with(numbered.n_mailboxes as usize, Mailbox::default);
        }
    }

    pub(crate) fn reserve_thread(&mut self, thread: usize) {
        if thread >= self.latest.len() {
            self.latest.resize(thread + 1, NONE);
            self.clocks.reserve(thread);
            self.firm.reserve(thread);
        }
    }

    /// What touched an object and need not commute with this, from the latest on.
    pub(crate) fn clashing(&self, access: &Access) -> Clashing<'_> {
        let at = self.objects.get(access.object as usize).copied().unwrap_or(NONE);
        Clashing { touches: &self.touches, at, kind: access.kind, mode: access.mode }
    }

    /// What has arrived in the mailbox from which a step receives.
    pub(crate) fn arrivals(&self, receive: &Step) -> &[Arrival] {
        let mailbox = self.mailboxes.get(receive.numbered.received_from as usize);
        mailbox.map_or(&[][..], |it| &it.arrivals)
    }

    /// The latest event of a thread, or [`NONE`].
    pub(crate) fn latest_of(&self, thread: usize) -> u32 {
        self.latest[thread]
    }

    /// From now on event `first` happened before the later events `seconds`, though all are already past: a receive has told
    /// them apart. Undone with the event that is added next.
    pub(crate) fn order(&mut self, first: u32, seconds: &[u32]) {
        debug_assert!(seconds.is_sorted(), "in the order of arrival");
        let Some(&start) = seconds.first() else { return };
        let mut next = seconds;
        for x in start..self.events.len() as u32 {
            let is_second = next.first() == Some(&x);
            // An event may have delivered more than once.
            while next.first() == Some(&x) {
                next = &next[1..];
            }
            if self.is_before(first as usize, x as usize) {
                continue;
            }
            let is_after =
                || seconds.iter().any(|second| self.is_before(*second as usize, x as usize));
            if is_second || is_after() {
                self.clocks.complete(x as usize, first as usize);
            }
        }
    }

    /// Adds an event, whose row the clocks already have, with its past; `n_pairs` and `n_saved` are the lengths before it was looked at.
    pub(crate) fn add(
        &mut self,
        step: Arc<Step>,
        action: Action,
        taken: Option<(usize, usize)>,
        past: Past,
        (n_pairs, n_saved): (usize, usize),
    ) {
        let index = self.events.len() as u32;
        let n_touched = self.touches.len() as u32;
        let numbered = &step.numbered;
        for access in &numbered.objects {
            self.touch(index, access);
        }
        let mut taken_event = NONE;
        if let Some((mailbox, arrival)) = taken {
            taken_event = self.mailboxes[mailbox].take(arrival, index);
        }
        if let Some(receive) = step.receive() {
            let mailbox = &mut self.mailboxes[numbered.received_from as usize];
            mailbox.is_received_from(numbered.thread);
            if receive.message.is_none() {
                mailbox.timeouts.push(index);
            }
        }
        for (delivery, &mailbox) in step.deliveries().iter().zip(&numbered.mailboxes) {
            let arrival = Arrival { event: index, message: delivery.message, taken_by: NONE };
            self.mailboxes[mailbox as usize].arrivals.push(arrival);
        }
        let thread = numbered.thread;
        let previous = std::mem::replace(&mut self.latest[thread as usize], index);
        self.events.push(Event {
            step,
            action,
            thread,
            previous,
            taken: taken_event,
            past,
            n_touched,
            n_saved: n_saved as u32,
            n_pairs: n_pairs as u32,
        });
    }

    fn touch(&mut self, event: u32, access: &Access) {
        let &Access { object, kind, mode } = access;
        let latest = &mut self.objects[object as usize];
        let previous = std::mem::replace(latest, self.touches.len() as u32);
        let other = match self.touches.get(previous as usize) {
            Some(touch) if is_harmless((touch.kind, touch.mode), (kind, mode)) => touch.other,
            _ => previous,
        };
        self.touches.push(Touch { event, object, previous, other, mode, kind });
    }

    pub(crate) fn marks(&self) -> (usize, usize) {
        (self.pairs.len(), self.clocks.n_saved())
    }

    /// Undoes the latest event.
    pub(crate) fn pop(&mut self) -> Arc<Step> {
        let event = self.events.pop().expect("a run with events");
        let index = self.events.len() as u32;
        // From the latest on: an event may touch an object more than once.
        for touch in self.touches[event.n_touched as usize..].iter().rev() {
            self.objects[touch.object as usize] = touch.previous;
        }
        self.touches.truncate(event.n_touched as usize);
        let numbered = &event.step.numbered;
        for &mailbox in &numbered.mailboxes {
            self.mailboxes[mailbox as usize].arrivals.pop();
        }
        if let Some(receive) = event.step.receive() {
            let mailbox = &mut self.mailboxes[numbered.received_from as usize];
            if receive.message.is_none() {
                mailbox.timeouts.pop();
            } else {
                mailbox.give_back(index);
            }
        }
        self.latest[event.thread as usize] = event.previous;
        self.pairs.truncate(event.n_pairs as usize);
        self.clocks.truncate(index as usize);
        self.firm.truncate(index as usize);
        self.clocks.restore(event.n_saved as usize);
        event.step
    }
}
