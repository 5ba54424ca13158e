//! Steps: what one event touches, kept as long as anything remembers the event.
//! Why: an event is asked about long after the run has moved on: by the sleep set of a sibling, by a wakeup tree. Its
//! footprint is computed once, when it happens, and shared from then on. A receive also keeps the state in which it waited,
//! because only there can the system say which other messages it would have taken.
//! Not here: where the event stands in a run (`run`).

use crate::access_kinds::{Bits, bit};
use crate::config::{NonRacing, Party};
use crate::index::MailboxIdx;
use crate::numbers::Numbered;
use crate::race::Rules;
use foresee_lts::{Action, Delivery, Footprint, Interleaved, Receive, Relation, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One event as far as others can notice it.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) thread: u64,
    /// Whether its order with others may matter; false for actors that are declared not to race.
    pub(crate) is_racing: bool,
    /// Mailboxes it delivers to whose messages are declared not to race with each other.
    quiet: Vec<u64>,
    pub(crate) footprint: Arc<Footprint>,
    pub(crate) numbered: Numbered,
    pub(crate) bits: Bits,
    waiting: Option<Arc<Waiting>>,
}

/// A receive that waits: `action` in `state`.
#[derive(Debug)]
struct Waiting {
    state: State,
    action: Action,
    /// Some of the messages asked about, each with the answer in its lowest bit; the same question comes again and again.
    answers: [AtomicU64; 8],
}

impl Waiting {
    fn would_take(&self, system: &dyn Interleaved, message: u64) -> bool {
        // Scattered first, because numbers of messages may be neighbours, and the lowest bit is the answer's.
        let scattered = message.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let cell = &self.answers[(scattered >> 61) as usize];
        let known = cell.load(Relaxed);
        if known >> 1 == scattered >> 1 && known != 0 {
            return known & 1 == 1;
        }
        let would_take = system.would_take(&self.state, self.action, message);
        cell.store(scattered >> 1 << 1 | u64::from(would_take), Relaxed);
        would_take
    }
}

impl Step {
    pub(crate) fn new(
        footprint: Arc<Footprint>,
        numbered: Numbered,
        state: &[u32],
        action: Action,
        non_racing: Option<&NonRacing>,
    ) -> Arc<Step> {
        let thread = footprint.thread_key();
        let (mut is_racing, mut quiet) = (true, Vec::new());
        if let Some(is_declared) = non_racing {
            is_racing = !footprint.actor.is_some_and(|it| is_declared(state, Party::Actor(it)));
            let mailboxes = footprint.deliveries.iter().map(|delivery| delivery.mailbox);
            quiet.extend(mailboxes.filter(|it| is_declared(state, Party::Mailbox(*it))));
        }
        let waiting = footprint.receive.map(|_| {
            let answers = std::array::from_fn(|_| AtomicU64::new(0));
            Arc::new(Waiting { state: state.to_vec(), action, answers })
        });
        let bits = Bits::of(&footprint, &numbered);
        Arc::new(Step { thread, is_racing, quiet, footprint, numbered, bits, waiting })
    }

    /// A step of which only the thread is known.
    pub(crate) fn of_thread(thread: u64) -> Arc<Step> {
        Arc::new(Step {
            thread,
            is_racing: true,
            quiet: Vec::new(),
            footprint: Arc::default(),
            numbered: Numbered::default(),
            bits: Bits::default(),
            waiting: None,
        })
    }

    /// The same receive when it takes another message, or none.
    pub(crate) fn taking(&self, message: Option<u64>) -> Arc<Step> {
        let receive = self.footprint.receive.map(|receive| Receive { message, ..receive });
        let footprint = Footprint { receive, ..Footprint::clone(&self.footprint) };
        Arc::new(Step {
            thread: self.thread,
            is_racing: self.is_racing,
            quiet: self.quiet.clone(),
            footprint: Arc::new(footprint),
            numbered: self.numbered.clone(),
            bits: self.bits.taking(message),
            waiting: self.waiting.clone(),
        })
    }

    /// Whether this is `other` with this message taken.
    pub(crate) fn is_taking(&self, other: &Step, message: Option<u64>) -> bool {
        let (own, its) = (&self.footprint, &other.footprint);
        own.accesses == its.accesses
            && own.deliveries == its.deliveries
            && own.receive == its.receive.map(|receive| Receive { message, ..receive })
    }

    /// Whether this receive touches the same things whichever message it takes, or none.
    pub(crate) fn only_receives(&self, system: &dyn Interleaved) -> bool {
        let waiting = self.waiting.as_ref().expect("only asked of receives");
        system.only_receives(&waiting.state, waiting.action)
    }

    /// Whether this receive would also take `message`.
    pub(crate) fn would_take(&self, system: &dyn Interleaved, message: u64) -> bool {
        let waiting = self.waiting.as_ref().expect("only asked of receives");
        waiting.would_take(system, message)
    }

    /// Whether the order of its message among others of a mailbox may matter.
    pub(crate) fn races_in(&self, mailbox: u64) -> bool {
        self.is_racing && !self.quiet.contains(&mailbox)
    }

    /// Whether it is a receive that has given up waiting.
    pub(crate) fn gives_up(&self) -> bool {
        self.bits.has_given_up()
    }

    pub(crate) fn deliveries(&self) -> &[Delivery] {
        &self.footprint.deliveries
    }

    /// What it delivers to a mailbox.
    pub(crate) fn delivered_to(&self, mailbox: MailboxIdx) -> impl Iterator<Item = u64> + '_ {
        let deliveries = self.deliveries().iter().zip(&self.numbered.mailboxes);
        deliveries.filter(move |it| *it.1 == mailbox).map(|it| it.0.message)
    }

    pub(crate) fn receive(&self) -> Option<Receive> {
        self.footprint.receive
    }

    /// Whether the accesses alone make the order of the two matter.
    pub(crate) fn clashes_with(&self, rules: Rules<'_>, other: &Step) -> bool {
        let clashing = self.bits.clashing(&other.bits);
        if clashing == 0 {
            return false;
        }
        let others = &other.numbered.objects;
        let mut own = self.numbered.objects.iter().filter(|it| bit(it.object) & clashing != 0);
        own.any(|own| {
            let mut same = others.iter().filter(|it| it.object == own.object);
            same.any(|its| {
                !own.kind.commutes_with(its.kind)
                    && rules.relation(own.mode, its.mode) != Relation::Independent
            })
        })
    }

    pub(crate) fn delivers_beside(&self, other: &Step) -> bool {
        self.deliveries()
            .iter()
            .any(|own| other.deliveries().iter().any(|its| own.mailbox == its.mailbox))
    }
}
