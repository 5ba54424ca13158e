//! What speaks against delivering a message at once.
//! A delivery commutes with whatever its receiver does, since what comes last into a mailbox is looked at last, but for two things: a
//! receive that gives up waiting would have taken it, and a receive would take it as well as a message of somebody else, so that it
//! makes a difference which of the two is there first. Both are seen at the receive, in whichever order the two messages came: it is
//! asked what else it would take ([`Interleaved::would_take`]).

use super::learned::Event;
use foresee_lts::{Action, Delivery, Interleaved, Receive, State};
use rustc_hash::FxHashMap;

/// More receives or messages than these in one mailbox, and nothing is delivered there at once: comparing all of them would take too long.
const TAKERS_MAX: usize = 4096;
const DELIVERIES_MAX: usize = 16_384;

#[derive(Default)]
pub(super) struct Mailboxes {
    by_number: FxHashMap<u64, Mailbox>,
}

#[derive(Default)]
struct Mailbox {
    /// Who delivers which message, each once.
    deliveries: Vec<(u64, u64)>,
    takers: Vec<Taker>,
    /// Deliveries that were taken to be local.
    relied: Vec<(u64, u64)>,
    is_crowded: bool,
}

/// A receive that could happen.
#[derive(Clone)]
pub(super) struct Taker {
    mailbox: u64,
    may_give_up: bool,
    /// Whom to ask what it would take; anything if nobody can be asked again.
    asked: Option<(State, Action)>,
}

impl Taker {
    pub(super) fn of(event: &Event<'_>, receive: Receive) -> Taker {
        let asked = event.happened.comes_again.then(|| (event.state.to_vec(), event.action));
        let may_give_up = receive.may_time_out || receive.message.is_none();
        Taker { mailbox: receive.mailbox, may_give_up, asked }
    }

    fn takes(&self, threads: &dyn Interleaved, message: u64) -> bool {
        self.asked
            .as_ref()
            .is_none_or(|(state, action)| threads.would_take(state, *action, message))
    }

    /// Whether the receive tells early from late, or this message of `thread` from one of somebody else.
    fn tells(
        &self,
        threads: &dyn Interleaved,
        (thread, message): (u64, u64),
        deliveries: &[(u64, u64)],
    ) -> bool {
        let is_rival = |(other, its): &(u64, u64)| {
            *other != thread && *its != message && self.takes(threads, *its)
        };
        self.takes(threads, message) && (self.may_give_up || deliveries.iter().any(is_rival))
    }
}

impl Mailboxes {
    pub(super) fn forget_relied(&mut self) {
        self.by_number.values_mut().for_each(|mailbox| mailbox.relied.clear());
    }

    /// Takes note of a delivery; whether it speaks against one that was relied upon.
    pub(super) fn learn_delivery(
        &mut self,
        threads: &dyn Interleaved,
        thread: u64,
        delivery: Delivery,
    ) -> bool {
        let mailbox = self.by_number.entry(delivery.mailbox).or_default();
        let new = (thread, delivery.message);
        if mailbox.is_crowded || mailbox.deliveries.contains(&new) {
            return false;
        }
        mailbox.deliveries.push(new);
        mailbox.is_crowded = mailbox.deliveries.len() > DELIVERIES_MAX;
        let is_told = |own: &(u64, u64)| {
            mailbox.takers.iter().any(|taker| taker.tells(threads, *own, &[new]))
        };
        let is_crowded = mailbox.is_crowded;
        mailbox.relied.iter().any(|own| is_crowded || is_told(own))
    }

    /// Takes note of a receive; whether it speaks against a delivery that was relied upon.
    pub(super) fn learn_taker(&mut self, threads: &dyn Interleaved, taker: &Taker) -> bool {
        let mailbox = self.by_number.entry(taker.mailbox).or_default();
        if mailbox.is_crowded {
            return false;
        }
        mailbox.takers.push(taker.clone());
        mailbox.is_crowded = mailbox.takers.len() > TAKERS_MAX;
        let is_told = |own: &(u64, u64)| taker.tells(threads, *own, &mailbox.deliveries);
        mailbox.relied.iter().any(|own| mailbox.is_crowded || is_told(own))
    }

    /// Whether something known speaks against delivering a message at once.
    pub(super) fn opposes(
        &self,
        threads: &dyn Interleaved,
        thread: u64,
        delivery: Delivery,
    ) -> bool {
        self.by_number.get(&delivery.mailbox).is_some_and(|mailbox| {
            let own = (thread, delivery.message);
            let tells = |taker: &Taker| taker.tells(threads, own, &mailbox.deliveries);
            !mailbox.relied.contains(&own)
                && (mailbox.is_crowded || mailbox.takers.iter().any(tells))
        })
    }

    pub(super) fn rely_on(&mut self, thread: u64, delivery: Delivery) {
        let mailbox = self.by_number.entry(delivery.mailbox).or_default();
        let own = (thread, delivery.message);
        if !mailbox.relied.contains(&own) {
            mailbox.relied.push(own);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let of = |mailbox: &Mailbox| {
            let width = mailbox.takers.first().and_then(|it| it.asked.as_ref());
            let taker = 64 + width.map_or(0, |(state, _)| state.len() * 4);
            mailbox.takers.len() * taker + (mailbox.deliveries.len() + mailbox.relied.len()) * 16
        };
        self.by_number.values().map(of).sum()
    }
}
