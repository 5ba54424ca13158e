//! Receives as observers: what mailboxes make dependent.
//! Why: that two messages reached a process in one order or the other matters only if some receive could have taken
//! either. Most receives are selective, so most deliveries commute: a test that needs 8 runs with this needs thousands
//! without.
//! Paper: Aronis, Jonsson, Lång, Sagonas, "Optimal Dynamic Partial Order Reduction with Observers" (TACAS 2018).
//!
//! The rules, for a mailbox, with `d` a delivery and `r` a receive:
//! - `r` took what `d` delivered: ordered, and a race if `r` could have given up waiting;
//! - `r` gave up waiting, then `d` delivers what it would have taken: a race;
//! - `d` before `d'`, and `r` took `d` though it would have taken `d'`, which no earlier receive had: a race *observed* by
//!   `r`. If `d'` came before `r`, it is known only when `r` happens, and the clocks of `d'` and after are completed then.
//!
//! So a run is determined, up to the order of independent events, by which receive took which message.
//! The reversal of an observed race runs all the way to the observing receive: the events after `d` that `d'` needs, then
//! `d'`, then `d`, then all others that do not need the receive, then the receive, which now takes `d'`.
//! Equal messages have one number: which of them was taken is decided by the order of arrival.

use crate::index::{ArrivalIdx, EventIdx, Idx, MailboxIdx};
use crate::race::{Ending, Race, Reversals, Rules, Tie};
use crate::run::{Arrival, Run};
use crate::step::Step;
use foresee_lts::Delivery;
use smallvec::SmallVec;

/// The mailbox and the arrival there that the receive takes: of equal messages the oldest. `None` if it takes nothing, or
/// something that was there before the run began.
pub(crate) fn taken_arrival(run: &Run, step: &Step) -> Option<(MailboxIdx, ArrivalIdx)> {
    let message = step.receive()?.message?;
    let mailbox = step.numbered.received_from?;
    Some((mailbox, run.mailboxes[mailbox].oldest(message)?))
}

/// What an event has put into the mailbox from which a receive takes.
pub(crate) fn delivered(run: &Run, receive: &Step, event: EventIdx) -> Option<u64> {
    run.arrivals(receive).iter().find(|it| it.event == event).map(|it| it.message)
}

/// The event that delivers the message that a receive takes if after the events of the run before `end` those of `order`
/// happen; `None` if it takes nothing.
pub(crate) fn delivery_taken(
    run: &Run,
    step: &Step,
    message: Option<u64>,
    end: EventIdx,
    order: &[EventIdx],
) -> Option<EventIdx> {
    step.receive()?;
    let message = message?;
    let is_there = |e: EventIdx| e < end || order.contains(&e);
    let arrivals = run.arrivals(step);
    let is_left = |arrival: &&Arrival| {
        arrival.message == message
            && is_there(arrival.event)
            && arrival.taken_by.is_none_or(|by| !is_there(by))
    };
    let left = arrivals.iter().filter(is_left).map(|arrival| arrival.event);
    let place = |e: &EventIdx| order.iter().position(|x| x == e);
    left.min_by_key(place)
}

/// The events after `first`, which delivers what `receive` takes, that need neither `first` nor anything else the receive
/// would take: after them it gives up waiting.
pub(crate) fn without_takers(
    rules: Rules<'_>,
    run: &Run,
    first: EventIdx,
    receive: EventIdx,
    order: &mut Vec<EventIdx>,
) {
    let step = run.step(receive);
    let arrivals = run.arrivals(step);
    let is_taker = |it: &&Arrival| {
        it.event > first
            && it.taken_by.is_none_or(|by| by > receive)
            && step.would_take(rules.threads, it.message)
    };
    let takers: Vec<EventIdx> = arrivals.iter().filter(is_taker).map(|it| it.event).collect();
    let is_free = |x: &EventIdx| !takers.iter().any(|taker| run.is_firmly_before(*taker, *x));
    order.extend(run.without(first).filter(is_free));
}

/// The events between those of a race, observed by `receive`, on which the later one depends if all receives happen that do
/// not need that one: what those tell apart must stay so. False if the earlier event is among them, or one that `receive` has
/// told apart from it: then it happened before the later one through others too, with which it races. Only known when the run
/// has ended.
pub(crate) fn needed(
    rules: Rules<'_>,
    run: &Run,
    Race { first, second, .. }: Race,
    receive: EventIdx,
    order: &mut Vec<EventIdx>,
) -> bool {
    let mut open: SmallVec<[EventIdx; 16]> = SmallVec::from_slice(&[second]);
    while let Some(event) = open.pop() {
        let is_firm = |x: &EventIdx| run.is_firmly_before(*x, event);
        let told = told_before(rules, run, event, receive);
        for x in first.until(event).filter(is_firm).chain(told).filter(|x| *x >= first) {
            let is_between = run.is_firmly_before(first, x) || is_disturbed(rules, run, receive, x);
            if is_between {
                return false;
            }
            if !order.contains(&x) {
                order.push(x);
                open.push(x);
            }
        }
    }
    order.sort_unstable();
    true
}

/// The deliveries that a receive, other than `receive` and what needs it, has told to come before what `event` delivers.
fn told_before(
    rules: Rules<'_>,
    run: &Run,
    event: EventIdx,
    receive: EventIdx,
) -> SmallVec<[EventIdx; 16]> {
    let mut told = SmallVec::new();
    for &mailbox in &run.step(event).numbered.mailboxes {
        let arrivals = &run.mailboxes[mailbox].arrivals;
        let Some(own) = arrivals.iter().find(|it| it.event == event) else { continue };
        for earlier in arrivals.iter().take_while(|it| it.event != event) {
            let is_telling = |by: EventIdx| {
                own.taken_by.is_none_or(|own| own > by)
                    && !run.is_firmly_before(receive, by)
                    && run.step(by).would_take(rules.threads, own.message)
            };
            if earlier.taken_by.is_some_and(is_telling) {
                told.push(earlier.event);
            }
        }
    }
    told
}

/// Completes a reversing sequence, which so far has what was moved before `first` and then `first`, by all other events that
/// need neither `receive` nor a receive that would now take something that was moved.
pub(crate) fn extend_to_receive(
    rules: Rules<'_>,
    run: &Run,
    first: EventIdx,
    receive: EventIdx,
    order: &mut Vec<EventIdx>,
) {
    let n_moved = order.len() - 1;
    let mut without: SmallVec<[EventIdx; 4]> = SmallVec::from_slice(&[receive]);
    // What was moved stands in its old order.
    let mut next_moved = 0;
    for x in first.next().until(run.end()) {
        if next_moved < n_moved && order[next_moved] == x {
            next_moved += 1;
            continue;
        }
        if without.iter().any(|receive| run.is_firmly_before(*receive, x)) {
            continue;
        }
        // What it took was passed over by what was moved.
        let moved = &order[..n_moved];
        let taken = run.events[x].taken;
        let is_passed = taken.is_some_and(|it| it >= first && !moved.contains(&it));
        if is_passed && moved.iter().any(|moved| is_disturbed(rules, run, x, *moved)) {
            without.push(x);
        } else {
            order.push(x);
        }
    }
}

/// Whether receive `x` would take something that `moved` delivers, if that came before what `x` took.
fn is_disturbed(rules: Rules<'_>, run: &Run, x: EventIdx, moved: EventIdx) -> bool {
    let event = &run.events[x];
    let delivers = run.step(moved).bits.may_meet(&event.step.bits, true);
    let is_later = event.taken.is_some_and(|taken| taken < moved);
    if !delivers || event.step.receive().is_none() || !is_later {
        return false;
    }
    let mut here = run.arrivals(&event.step).iter().filter(|it| it.event == moved);
    here.any(|it| {
        it.taken_by.is_none_or(|by| by > x) && event.step.would_take(rules.threads, it.message)
    })
}

/// The receive takes one message and leaves others that it would have taken: their deliveries are now ordered after the
/// one taken, and those that need not have been give reversals.
pub(crate) fn tell_apart(
    run: &mut Run,
    rules: Rules<'_>,
    step: &Step,
    (mailbox, taken): (MailboxIdx, ArrivalIdx),
    reversals: &mut Reversals,
) {
    let arrivals = &run.mailboxes[mailbox].arrivals;
    let first = arrivals[taken].event;
    let mut apart: SmallVec<[EventIdx; 16]> = SmallVec::new();
    for arrival in arrivals.from(taken.next()) {
        let second = arrival.event;
        let is_free = arrival.taken_by.is_none()
            && !run.is_before(first, second)
            && step.would_take(rules.threads, arrival.message);
        if is_free {
            let is_behind = apart.iter().any(|it| run.is_before(*it, second));
            if !is_behind && races(run, step, first, second) {
                // The event about to be added observes it.
                let receive = run.end();
                let race = Race { first, second, ending: Ending::Taking(receive) };
                reversals.push(race, receive, std::iter::empty());
            }
            apart.push(second);
        }
    }
    run.pairs.extend(apart.iter().map(|second| (first, *second)));
    run.order(first, &apart);
}

/// Whether the order of two deliveries, told apart by `receive`, may be the other one.
fn races(run: &Run, receive: &Step, first: EventIdx, second: EventIdx) -> bool {
    let is_racing = |event: EventIdx| {
        let step = run.step(event);
        receive.receive().is_none_or(|it| step.races_in(it.mailbox))
    };
    is_racing(first) && is_racing(second)
}

/// The earlier events on which the new one depends because of a mailbox. Its clock already has what its thread knows.
pub(crate) fn collect_mailboxes(
    run: &Run,
    rules: Rules<'_>,
    step: &Step,
    taken: Option<(MailboxIdx, ArrivalIdx)>,
    reversals: &mut Reversals,
) {
    if let Some((mailbox, arrival)) = taken {
        let may_time_out = step.receive().is_some_and(|receive| receive.may_time_out);
        let tie = if may_time_out { Tie::Taken } else { Tie::Ordered };
        reversals.candidate(run.mailboxes[mailbox].arrivals[arrival].event, tie);
    }
    for (delivery, &mailbox) in step.deliveries().iter().zip(&step.numbered.mailboxes) {
        collect_deliveries(run, rules, step, (*delivery, mailbox), reversals);
    }
}

fn collect_deliveries(
    run: &Run,
    rules: Rules<'_>,
    step: &Step,
    (Delivery { mailbox: name, message }, mailbox): (Delivery, MailboxIdx),
    reversals: &mut Reversals,
) {
    let index = run.end();
    let is_open = |e: EventIdx| !run.is_before(e, index);
    let is_firmly_open = |e: EventIdx| !run.is_firmly_before(e, index);
    let would_take = |r: EventIdx| run.step(r).would_take(rules.threads, message);
    let mailbox = &run.mailboxes[mailbox];
    // What a receive knows its thread's later ones know: those before one that is known are known too.
    let is_over = |is_open: bool| !is_open && !mailbox.has_several_takers;
    for &r in mailbox.timeouts.iter().rev().take_while(|&&r| !is_over(is_firmly_open(r))) {
        if is_firmly_open(r) && would_take(r) {
            reversals.candidate(r, Tie::Race);
        }
    }
    if !rules.has_observers {
        // Every delivery here depends on the one before.
        if let Some(arrival) = mailbox.arrivals.last() {
            let is_quiet = !step.races_in(name) || !run.step(arrival.event).races_in(name);
            reversals.candidate(arrival.event, if is_quiet { Tie::Ordered } else { Tie::Race });
        }
        return;
    }
    for &(r, arrival) in mailbox.takes.iter().rev().take_while(|it| !is_over(is_open(it.0))) {
        let taken = mailbox.arrivals[arrival].event;
        if is_open(taken) && would_take(r) {
            reversals.candidate(taken, Tie::Observed(r));
        }
    }
}
