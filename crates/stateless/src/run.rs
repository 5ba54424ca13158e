//! The run so far: its events, and where each object and mailbox was last touched.
//! Why: whether two events are dependent is decided per object; looking only at the events that touched the same objects
//! keeps the cost of an event independent of the length of the run. Everything here is a stack and is undone event by
//! event, because the next run shares a prefix with this one.
//! Invariant: `clocks` is the happened-before of exactly the events in `events`; in particular, what a receive has made
//! dependent afterwards is forgotten when that receive is undone.
//! Not here: finding what depends on a new event (`race`, `observer`).

use crate::access_kinds::Kind;
use crate::clock::Clocks;
use crate::index::{ArrivalIdx, EventIdx, Idx, MailboxIdx, ObjectIdx, Table, ThreadIdx, TouchIdx};
use crate::numbers::Access;
use crate::step::Step;
use foresee_lts::{Action, Mode};
use foresee_stdx::mix;
use std::sync::Arc;

/// One event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) step: Arc<Step>,
    pub(crate) action: Action,
    pub(crate) thread: ThreadIdx,
    /// The thread's event before this one.
    pub(crate) previous: Option<EventIdx>,
    /// The event that delivered what this one received.
    pub(crate) taken: Option<EventIdx>,
    pub(crate) past: Past,
    marks: Marks,
}

/// How far the stacks of a run went before an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    touches: TouchIdx,
    n_saved: usize,
    n_pairs: usize,
}

/// What an event needs, whatever any receive takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// The event's thread and all that it needs, as a hash: the same for the same event in a run that puts other events in
    /// another order.
    pub(crate) hash: u64,
    /// The latest event that it needs.
    pub(crate) latest: Option<EventIdx>,
}

/// No thread's hash is 0, of which sums would tell nothing.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

impl Past {
    /// Of a thread's event, before it needs anything.
    pub(crate) fn new(thread: u64) -> Self {
        Past { hash: mix(thread.wrapping_add(SEED)), latest: None }
    }

    /// It needs `event`, of which that is the past.
    pub(crate) fn join(&mut self, event: EventIdx, past: Past) {
        // A sum, so that it does not matter which of them came first.
        self.hash = self.hash.wrapping_add(mix(past.hash));
        self.latest = self.latest.max(Some(event));
    }
}

/// An access of an object. The touches of all objects stand in one stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) event: EventIdx,
    object: ObjectIdx,
    /// The object's touch before this one.
    previous: Option<TouchIdx>,
    /// Its latest touch before this one that is not in a row with it.
    other: Option<TouchIdx>,
    pub(crate) mode: Mode,
    kind: Kind,
}

/// The touches of an object that need not commute with an access, from the latest on.
pub(crate) struct Clashing<'r> {
    touches: &'r Table<TouchIdx, Touch>,
    at: Option<TouchIdx>,
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
        let mut touch = &self.touches[self.at?];
        if is_harmless((touch.kind, touch.mode), (self.kind, self.mode)) {
            touch = &self.touches[touch.other?];
        }
        self.at = touch.previous;
        Some(touch)
    }
}

/// A message that reached a mailbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) event: EventIdx,
    pub(crate) message: u64,
    /// The receive that took it.
    pub(crate) taken_by: Option<EventIdx>,
}

/// What happened to a mailbox.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox {
    /// In the order of arrival, taken or not.
    pub(crate) arrivals: Table<ArrivalIdx, Arrival>,
    /// The receives that took something, in order, each with what it took.
    pub(crate) takes: Vec<(EventIdx, ArrivalIdx)>,
    /// Receives that gave up waiting.
    pub(crate) timeouts: Vec<EventIdx>,
    /// Whether receives of several threads took from it: then what one of them knows says nothing about the others.
    pub(crate) has_several_takers: bool,
    /// The thread that received from it last.
    taker: Option<ThreadIdx>,
    /// All arrivals before this one are taken.
    first_open: ArrivalIdx,
}

impl Mailbox {
    /// The oldest message of this kind that was not taken.
    pub(crate) fn oldest(&self, message: u64) -> Option<ArrivalIdx> {
        let mut open = self.first_open.until(self.arrivals.end());
        open.find(|at| {
            let it = &self.arrivals[*at];
            it.taken_by.is_none() && it.message == message
        })
    }

    /// A receive takes a message; gives the event that delivered it.
    fn take(&mut self, arrival: ArrivalIdx, receive: EventIdx) -> EventIdx {
        self.arrivals[arrival].taken_by = Some(receive);
        self.takes.push((receive, arrival));
        while self.arrivals.get(self.first_open).is_some_and(|it| it.taken_by.is_some()) {
            self.first_open = self.first_open.next();
        }
        self.arrivals[arrival].event
    }

    /// Undoes the latest of the takes, if this receive has made it.
    fn give_back(&mut self, receive: EventIdx) {
        if let Some((_, arrival)) = self.takes.pop_if(|it| it.0 == receive) {
            self.arrivals[arrival].taken_by = None;
            self.first_open = self.first_open.min(arrival);
        }
    }

    fn is_received_from(&mut self, thread: ThreadIdx) {
        let before = self.taker.replace(thread);
        self.has_several_takers |= before.is_some_and(|it| it != thread);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) events: Table<EventIdx, Event>,
    pub(crate) clocks: Clocks,
    /// The same without what only receives tell apart: it holds whether or not those receives happen.
    pub(crate) firm: Clocks,
    /// The latest touch of each object.
    objects: Table<ObjectIdx, Option<TouchIdx>>,
    touches: Table<TouchIdx, Touch>,
    pub(crate) mailboxes: Table<MailboxIdx, Mailbox>,
    /// Races of this run: the earlier and the later event.
    pub(crate) pairs: Vec<(EventIdx, EventIdx)>,
    /// The latest event of each thread.
    latest: Table<ThreadIdx, Option<EventIdx>>,
}

impl Run {
    pub(crate) fn new() -> Self {
        Run {
            events: Table::default(),
            clocks: Clocks::new(),
            firm: Clocks::new(),
            objects: Table::default(),
            touches: Table::default(),
            mailboxes: Table::default(),
            pairs: Vec::new(),
            latest: Table::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// The event to come.
    pub(crate) fn end(&self) -> EventIdx {
        self.events.end()
    }

    /// The step of an event.
    pub(crate) fn step(&self, event: EventIdx) -> &Arc<Step> {
        &self.events[event].step
    }

    /// Whether event `e` happened before event `x`, or is it.
    pub(crate) fn is_before(&self, e: EventIdx, x: EventIdx) -> bool {
        self.clocks.knows(x, self.events[e].thread, e)
    }

    /// Whether `x` needs `e`, or is it, whatever any receive takes.
    pub(crate) fn is_firmly_before(&self, e: EventIdx, x: EventIdx) -> bool {
        self.firm.knows(x, self.events[e].thread, e)
    }

    /// The later events that do not need `e`.
    pub(crate) fn without(&self, e: EventIdx) -> impl Iterator<Item = EventIdx> + '_ {
        e.next().until(self.end()).filter(move |x| !self.is_firmly_before(e, *x))
    }

    /// Events as one hash, whatever their order.
    pub(crate) fn hash_of(&self, events: &[EventIdx]) -> u64 {
        let hashes = events.iter().map(|event| mix(self.events[*event].past.hash));
        hashes.fold(0, u64::wrapping_add)
    }

    /// Makes room for what a step touches.
    pub(crate) fn reserve(&mut self, step: &Step) {
        let numbered = &step.numbered;
        self.reserve_thread(numbered.thread);
        self.objects.reserve(numbered.objects_end, || None);
        self.mailboxes.reserve(numbered.mailboxes_end, Mailbox::default);
    }

    pub(crate) fn reserve_thread(&mut self, thread: ThreadIdx) {
        if thread >= self.latest.end() {
            self.latest.reserve(thread.next(), || None);
            self.clocks.reserve(thread);
            self.firm.reserve(thread);
        }
    }

    /// What touched an object and need not commute with this, from the latest on.
    pub(crate) fn clashing(&self, access: &Access) -> Clashing<'_> {
        let at = self.objects.get(access.object).copied().flatten();
        Clashing { touches: &self.touches, at, kind: access.kind, mode: access.mode }
    }

    /// What has arrived in the mailbox from which a step receives.
    pub(crate) fn arrivals(&self, receive: &Step) -> &[Arrival] {
        let mailbox = receive.numbered.received_from.and_then(|it| self.mailboxes.get(it));
        mailbox.map_or(&[][..], |it| it.arrivals.from(ArrivalIdx::default()))
    }

    /// The latest event of a thread.
    pub(crate) fn latest_of(&self, thread: ThreadIdx) -> Option<EventIdx> {
        self.latest[thread]
    }

    /// From now on event `first` happened before the later events `seconds`, though all are already past: a receive has told
    /// them apart. Undone with the event that is added next.
    pub(crate) fn order(&mut self, first: EventIdx, seconds: &[EventIdx]) {
        debug_assert!(seconds.is_sorted(), "in the order of arrival");
        let Some(&start) = seconds.first() else { return };
        let mut next = seconds;
        for x in start.until(self.end()) {
            let is_second = next.first() == Some(&x);
            // An event may have delivered more than once.
            while next.first() == Some(&x) {
                next = &next[1..];
            }
            if self.is_before(first, x) {
                continue;
            }
            let is_after = || seconds.iter().any(|second| self.is_before(*second, x));
            if is_second || is_after() {
                self.clocks.complete(x, first);
            }
        }
    }

    /// Adds an event, whose row the clocks already have, with its past; `marks` are from before it was looked at.
    pub(crate) fn add(
        &mut self,
        step: Arc<Step>,
        action: Action,
        taken: Option<(MailboxIdx, ArrivalIdx)>,
        past: Past,
        marks: Marks,
    ) {
        let index = self.end();
        let numbered = &step.numbered;
        for access in &numbered.objects {
            self.touch(index, access);
        }
        let taken = taken.map(|(mailbox, arrival)| self.mailboxes[mailbox].take(arrival, index));
        if let Some(mailbox) = numbered.received_from {
            let mailbox = &mut self.mailboxes[mailbox];
            mailbox.is_received_from(numbered.thread);
            if step.gives_up() {
                mailbox.timeouts.push(index);
            }
        }
        for (delivery, &mailbox) in step.deliveries().iter().zip(&numbered.mailboxes) {
            let arrival = Arrival { event: index, message: delivery.message, taken_by: None };
            self.mailboxes[mailbox].arrivals.push(arrival);
        }
        let thread = numbered.thread;
        let previous = self.latest[thread].replace(index);
        self.events.push(Event { step, action, thread, previous, taken, past, marks });
    }

    fn touch(&mut self, event: EventIdx, access: &Access) {
        let &Access { object, kind, mode } = access;
        let previous = self.objects[object].replace(self.touches.end());
        let other = match previous.map(|it| &self.touches[it]) {
            Some(touch) if is_harmless((touch.kind, touch.mode), (kind, mode)) => touch.other,
            _ => previous,
        };
        self.touches.push(Touch { event, object, previous, other, mode, kind });
    }

    pub(crate) fn marks(&self) -> Marks {
        Marks {
            touches: self.touches.end(),
            n_saved: self.clocks.n_saved(),
            n_pairs: self.pairs.len(),
        }
    }

    /// Undoes the latest event.
    pub(crate) fn pop(&mut self) -> Arc<Step> {
        let event = self.events.pop().expect("a run with events");
        let (index, marks) = (self.end(), event.marks);
        // From the latest on: an event may touch an object more than once.
        for touch in self.touches.from(marks.touches).iter().rev() {
            self.objects[touch.object] = touch.previous;
        }
        self.touches.truncate(marks.touches);
        let numbered = &event.step.numbered;
        for &mailbox in &numbered.mailboxes {
            self.mailboxes[mailbox].arrivals.pop();
        }
        if let Some(mailbox) = numbered.received_from {
            let mailbox = &mut self.mailboxes[mailbox];
            if event.step.gives_up() {
                mailbox.timeouts.pop();
            } else {
                mailbox.give_back(index);
            }
        }
        self.latest[event.thread] = event.previous;
        self.pairs.truncate(marks.n_pairs);
        self.clocks.truncate(index);
        self.firm.truncate(index);
        self.clocks.restore(marks.n_saved);
        event.step
    }
}
