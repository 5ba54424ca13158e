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

use crate::race::{Ending, Race, Reversals, Rules, Tie};
use crate::run::{Arrival, Run};
use crate::step::{NONE, Step};
use foresee_lts::Delivery;
use smallvec::SmallVec;

/// The mailbox and the place in it of what the receive takes: of equal messages the oldest. `None` if it takes nothing, or
/// something that was there before the run began.
pub(crate) fn taken_arrival(run: &Run, step: &Step) -> Option<(usize, usize)> {
    let message = step.receive()?.message?;
    let mailbox = step.numbered.received_from as usize;
    Some((mailbox, run.mailboxes[mailbox].oldest(message)?))
}

/// What an event has put into the mailbox from which a receive takes.
pub(crate) fn delivered(run: &Run, receive: &Step, event: u32) -> Option<u64> {
    run.arrivals(receive).iter().find(|it| it.event == event).map(|it| it.message)
}

/// The event that delivers the message that a receive takes if after the first `n_events` events of the run those of `order`
/// happen; [`NONE`] if it takes nothing.
pub(crate) fn delivery_taken(
    run: &Run,
    step: &Step,
    message: Option<u64>,
    n_events: usize,
    order: &[u32],
) -> u32 {
    if step.receive().is_none() || message.is_none() {
        return NONE;
    }
    let is_there = |e: u32| (e as usize) < n_events || order.contains(&e);
    let arrivals = run.arrivals(step);
    let is_left = |arrival: &&Arrival| {
        Some(arrival.message) == message
            && is_there(arrival.event)
            && (arrival.taken_by == NONE || !is_there(arrival.taken_by))
    };
    let left = arrivals.iter().filter(is_left).map(|arrival| arrival.event);
    let place = |e: &u32| order.iter().position(|x| x == e).map_or(0, |at| at + 1);
    left.min_by_key(place).unwrap_or(NONE)
}

/// The events after `first`, which delivers what `receive` takes, that need neither `first` nor anything else the receive
/// would take: after them it gives up waiting.
pub(crate) fn without_takers(
    rules: Rules<'_>,
    run: &Run,
    first: u32,
    receive: u32,
    order: &mut Vec<u32>,
) {
    let step = &run.events[receive as usize].step;
    let arrivals = run.arrivals(step);
    let is_taker = |it: &&Arrival| {
        it.event > first
            && (it.taken_by == NONE || it.taken_by > receive)
            && step.would_take(rules.threads, it.message)
    };
    let takers: Vec<u32> = arrivals.iter().filter(is_taker).map(|it| it.event).collect();
    let is_free =
        |x: &u32| !takers.iter().any(|taker| run.is_firmly_before(*taker as usize, *x as usize));
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
    receive: u32,
    order: &mut Vec<u32>,
) -> bool {
    let mut open: SmallVec<[u32; 16]> = SmallVec::from_slice(&[second]);
    while let Some(event) = open.pop() {
        let is_firm = |x: &u32| run.is_firmly_before(*x as usize, event as usize);
        let told = told_before(rules, run, event, receive);
        for x in (first..event).filter(is_firm).chain(told).filter(|x| *x >= first) {
            let is_between = run.is_firmly_before(first as usize, x as usize)
                || is_disturbed(rules, run, receive, x);
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
fn told_before(rules: Rules<'_>, run: &Run, event: u32, receive: u32) -> SmallVec<[u32; 16]> {
    let mut told = SmallVec::new();
    for &mailbox in &run.events[event as usize].step.numbered.mailboxes {
        let arrivals = &run.mailboxes[mailbox as usize].arrivals;
        let Some(own) = arrivals.iter().find(|it| it.event == event) else { continue };
        for earlier in arrivals.iter().take_while(|it| it.event != event) {
            let by = earlier.taken_by;
            let is_telling = by != NONE
                && (own.taken_by == NONE || own.taken_by > by)
                && !run.is_firmly_before(receive as usize, by as usize)
                && run.events[by as usize].step.would_take(rules.threads, own.message);
            if is_telling {
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
    first: u32,
    receive: u32,
    order: &mut Vec<u32>,
) {
    let n_moved = order.len() - 1;
    let thread = |r: u32| run.events[r as usize].thread as usize;
    let mut without: SmallVec<[(u32, usize); 4]> =
        SmallVec::from_slice(&[(receive, thread(receive))]);
    // What was moved stands in its old order.
    let mut next_moved = 0;
    for x in first + 1..run.len() as u32 {
        if next_moved < n_moved && order[next_moved] == x {
            next_moved += 1;
            continue;
        }
        if without.iter().any(|&(r, thread)| run.firm.knows(x as usize, thread, r as usize)) {
            continue;
        }
        // What it took was passed over by what was moved.
        let taken = run.events[x as usize].taken;
        let moved = &order[..n_moved];
        let is_passed = taken != NONE && taken >= first && !moved.contains(&taken);
        if is_passed && moved.iter().any(|moved| is_disturbed(rules, run, x, *moved)) {
            without.push((x, thread(x)));
        } else {
            order.push(x);
        }
    }
}

/// Whether receive `x` would take something that `moved` delivers, if that came before what `x` took.
fn is_disturbed(rules: Rules<'_>, run: &Run, x: u32, moved: u32) -> bool {
    let event = &run.events[x as usize];
    let delivers = run.events[moved as usize].step.bits.may_meet(&event.step.bits, true);
    if !delivers || event.step.receive().is_none() || event.taken >= moved {
        return false;
    }
    let mut here = run.arrivals(&event.step).iter().filter(|it| it.event == moved);
    here.any(|it| {
        (it.taken_by == NONE || it.taken_by > x) && event.step.would_take(rules.threads, it.message)
    })
}

/// The receive takes one message and leaves others that it would have taken: their deliveries are now ordered after the
/// one taken, and those that need not have been give reversals.
pub(crate) fn tell_apart(
    run: &mut Run,
    rules: Rules<'_>,
    step: &Step,
    (mailbox, taken): (usize, usize),
    reversals: &mut Reversals,
) {
    let arrivals = &run.mailboxes[mailbox].arrivals;
    let first = arrivals[taken].event;
    let mut apart: SmallVec<[u32; 16]> = SmallVec::new();
    for arrival in &arrivals[taken + 1..] {
        let second = arrival.event;
        let is_free = arrival.taken_by == NONE
            && !run.is_before(first as usize, second as usize)
            && step.would_take(rules.threads, arrival.message);
        if is_free {
            let is_behind = apart.iter().any(|it| run.is_before(*it as usize, second as usize));
            if !is_behind && races(run, step, first, second) {
                // The event about to be added observes it.
                let receive = run.len() as u32;
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
fn races(run: &Run, receive: &Step, first: u32, second: u32) -> bool {
    let is_racing = |event: u32| {
        let step = &run.events[event as usize].step;
        receive.receive().is_none_or(|it| step.races_in(it.mailbox))
    };
    is_racing(first) && is_racing(second)
}

/// The earlier events on which the new one depends because of a mailbox. Its clock already has what its thread knows.
pub(crate) fn collect_mailboxes(
    run: &Run,
    rules: Rules<'_>,
    step: &Step,
    taken: Option<(usize, usize)>,
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
    (Delivery { mailbox: name, message }, mailbox): (Delivery, u32),
    reversals: &mut Reversals,
) {
    let index = run.len();
    let is_open =
        |e: u32| !run.clocks.knows(index, run.events[e as usize].thread as usize, e as usize);
    let would_take = |r: u32| run.events[r as usize].step.would_take(rules.threads, message);
    let mailbox = &run.mailboxes[mailbox as usize];
    let is_firmly_open =
        |e: u32| !run.firm.knows(index, run.events[e as usize].thread as usize, e as usize);
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
            let is_quiet =
                !step.races_in(name) || !run.events[arrival.event as usize].step.races_in(name);
            reversals.candidate(arrival.event, if is_quiet { Tie::Ordered } else { Tie::Race });
        }
        return;
    }
    for &(r, place) in mailbox.takes.iter().rev().take_while(|it| !is_over(is_open(it.0))) {
        let taken = mailbox.arrivals[place as usize].event;
        if is_open(taken) && would_take(r) {
            reversals.candidate(taken, Tie::Observed(r));
        }
    }
}
