//! `Sends`: the event that sent each message of a run, found step by step.
//! Why the sends must be found: a label tells that a message arrives, not when it was sent. The sending event is the one
//! after which the message was first in the receiver's inbox, as the system describes it; where descriptions do not help,
//! it is the sender's latest event that the delivery depends on by its footprint. Where a receive is an event of its own, as
//! in an Erlang process, footprints say which event put the message into the mailbox.
//! Why step by step: a run that is stepped by hand grows, and what is known of its beginning does not change.

use crate::Sent;
use foresee_lts::{Description, Footprint, Label, Pending, Verb, Words};
use std::collections::{BTreeMap, VecDeque};

/// What is in flight after some steps of a run, and which step sent it.
#[derive(Clone, Debug, Default)]
pub struct Sends {
    n_steps: usize,
    waiting: BTreeMap<Sent, VecDeque<usize>>,
    /// By mailbox and message, as footprints number them.
    mailboxes: BTreeMap<(u64, u64), VecDeque<usize>>,
}

/// Where the message of an event comes from, as steps of the run; 0 is the start.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Origin {
    /// The event that sent the message that the label names.
    pub sent_at: Option<usize>,
    /// The event that put the message that is received into the mailbox.
    pub put_at: Option<usize>,
}

impl Sends {
    /// At the start of a run, with what is in flight there.
    pub fn new(in_flight: &[Sent]) -> Self {
        let mut sends = Sends::default();
        sends.update(in_flight);
        sends
    }

    /// Goes on by one event: its label, its footprint, and what is in flight after it. `earlier` gives the events before,
    /// from 1; it is asked only about a message that was not seen in flight.
    pub fn step<'e>(
        &mut self,
        label: &Label,
        footprint: &Footprint,
        in_flight: &[Sent],
        earlier: &dyn Fn(usize) -> Option<(&'e Label, &'e Footprint)>,
    ) -> Origin {
        let sent_at = message_of(label).and_then(|message| {
            let seen = self.waiting.get(&message).and_then(|steps| steps.front().copied());
            seen.or_else(|| self.latest_cause(footprint, &message.from, earlier))
        });
        let taken = footprint.receive.and_then(|it| Some((it.mailbox, it.message?)));
        let put_at = taken.and_then(|key| self.mailboxes.get_mut(&key)?.pop_front());
        self.n_steps += 1;
        for put in &footprint.deliveries {
            let waiting = self.mailboxes.entry((put.mailbox, put.message)).or_default();
            waiting.push_back(self.n_steps);
        }
        self.update(in_flight);
        Origin { sent_at, put_at }
    }

    /// The steps that sent the copies of a message in flight, in the order in which they will be taken up.
    pub fn steps_of(&self, message: &Sent) -> impl Iterator<Item = usize> + '_ {
        self.waiting.get(message).into_iter().flatten().copied()
    }

    /// The step of each message that was put into a mailbox and not taken out.
    pub(crate) fn never_received(&self) -> impl Iterator<Item = usize> + '_ {
        self.mailboxes.values().flatten().copied()
    }

    /// Brings the queues of waiting copies in line with what is in flight. Several copies are taken up in the order in which
    /// they were sent.
    fn update(&mut self, in_flight: &[Sent]) {
        let mut copies: BTreeMap<&Sent, usize> = BTreeMap::new();
        for message in in_flight {
            *copies.entry(message).or_default() += 1;
        }
        self.waiting.retain(|message, _| copies.contains_key(message));
        for (message, n_copies) in copies {
            let steps = self.waiting.entry(message.clone()).or_default();
            while steps.len() > n_copies {
                steps.pop_front();
            }
            while steps.len() < n_copies {
                steps.push_back(self.n_steps);
            }
        }
    }

    fn latest_cause<'e>(
        &self,
        delivery: &Footprint,
        sender: &str,
        earlier: &dyn Fn(usize) -> Option<(&'e Label, &'e Footprint)>,
    ) -> Option<usize> {
        let is_cause = |step: &usize| {
            earlier(*step).is_some_and(|(label, footprint)| {
                label.to.as_deref() == Some(sender) && delivery.depends_on(footprint)
            })
        };
        (1..=self.n_steps).rev().find(is_cause)
    }
}

/// The message that an event is about.
pub(crate) fn message_of(label: &Label) -> Option<Sent> {
    let (from, to) = (label.from.clone()?, label.to.clone()?);
    Some(Sent { from, to, payload: label.payload.clone() })
}

/// What labels call something pending, if its own label says so.
pub(crate) fn own_words(item: &Pending) -> Option<&Words> {
    let label = item.label.as_ref().filter(|it| matches!(it.verb, Verb::Deliver | Verb::Timer))?;
    Some(&label.payload)
}

/// Everything in flight in a state, in the words of labels where something pending knows its label.
pub fn in_flight(state: &Description) -> Vec<Sent> {
    let of_member = |member: &foresee_lts::Member| -> Vec<Sent> {
        member.inbox.iter().map(|item| sent(&member.name, item)).collect()
    };
    state.members.iter().flat_map(of_member).collect()
}

/// Something in the inbox of `to`, as [`in_flight`] has it.
pub fn sent(to: &str, item: &Pending) -> Sent {
    let payload = own_words(item).cloned();
    let payload = payload.unwrap_or_else(|| Words::from(item.content.one_line()));
    Sent { from: item.from.clone(), to: to.to_owned(), payload }
}
