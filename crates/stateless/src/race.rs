//! Races: two events of a run whose order could have been the other one, and the sequence that makes it so.
//! An event that is added to a run depends directly on some earlier ones. Taken from the latest to the earliest, those
//! that did not happen before it through another are its races (unless the order is the only possible one).
//! Paper: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets" (JACM 2017). Its reversible race `e ≲ e'` is a [`Reversal`] with
//! `first` = `e` and `second` = `e'`; its `pre(E, e)` is the prefix of length `first`; its `notdep(e, E)·e'` is
//! [`Reversals::order`], where only a firm happened-before counts: what a receive has told apart is forgotten if the receive
//! is not in the sequence. A race is found when `e'` is added and reversed when the run has ended, because `notdep(e, E)` goes
//! to the end of the run: a shorter sequence would be taken for a repetition where it is none, if what `e'` does depends on
//! what came before it.
//! Invariant: an order is closed under happened-before within the events after the prefix, so it can run.
//! Not here: mailboxes (`observer`), and what becomes of a reversal (`plan`).

use crate::observer;
use crate::run::Run;
use crate::step::{NONE, Step};
use foresee_lts::{Action, Mode, Relation, System};
use std::ops::Range;
use std::sync::Arc;

/// What decides whether events are dependent.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) system: &'a dyn System,
    /// Two deliveries to one mailbox are dependent only if a receive tells them apart.
    pub(crate) has_observers: bool,
    /// Reversing sequences go to the end of the run.
    pub(crate) is_whole: bool,
}

impl Rules<'_> {
    /// What two accesses of one object mean.
    pub(crate) fn relation(self, a: Mode, b: Mode) -> Relation {
        match (a, b) {
            (Mode::Look(look), Mode::Change(change)) | (Mode::Change(change), Mode::Look(look))
                if !self.system.notices(look, change) =>
            {
                Relation::Independent
            }
            (a, b) => a.relation(b),
        }
    }
}

/// How an earlier event bears on a new one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Tie {
    Ordered,
    /// Both deliver to one mailbox, and this receive took the earlier message though it would have taken the later.
    Observed(u32),
    /// The new event received what the earlier one delivered, and could have given up waiting instead.
    Taken,
    Race,
}

/// The end of a reversing sequence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Last {
    /// The later event, which may turn out differently.
    Again,
    /// A receive that gives up waiting.
    TimedOut,
    /// A receive that takes this message.
    Taking(u64),
}

/// A race, and what must stand in the sequence that reverses it after the prefix of length `first`.
#[derive(Clone, Debug)]
pub(crate) struct Reversal {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) last: Last,
    /// The event with which it was found.
    found: u32,
    /// Events that must come before the end, in order.
    needed: Range<u32>,
    /// How the sequence ends.
    end: Range<u32>,
}

/// The reversals of the races that a run has added; kept to be filled again.
#[derive(Debug, Default)]
pub(crate) struct Reversals {
    pub(crate) list: Vec<Reversal>,
    events: Vec<u32>,
    candidates: Vec<(u32, Tie)>,
}

impl Reversals {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.events.clear();
        self.candidates.clear();
    }

    /// Forgets what was found with events that are undone: all but the first so many.
    pub(crate) fn forget(&mut self, n_events: u32) {
        self.list.retain(|reversal| reversal.found < n_events);
    }

    pub(crate) fn candidate(&mut self, event: u32, tie: Tie) {
        self.candidates.push((event, tie));
    }

    pub(crate) fn push(
        &mut self,
        (first, second, found): (u32, u32, u32),
        last: Last,
        needed: impl Iterator<Item = u32>,
        end: impl Iterator<Item = u32>,
    ) {
        let start = self.events.len() as u32;
        self.events.extend(needed);
        let middle = self.events.len() as u32;
        self.events.extend(end);
        let (needed, end) = (start..middle, middle..self.events.len() as u32);
        self.list.push(Reversal { first, second, last, found, needed, end });
    }

    /// How a whole sequence begins, where that does not depend on how the run ends.
    pub(crate) fn beginning(&self, run: &Run, reversal: &Reversal) -> Option<u32> {
        let at = |range: &Range<u32>| &self.events[range.start as usize..range.end as usize];
        match reversal.last {
            Last::Again => run.without(reversal.first).next().filter(|x| *x < reversal.second),
            Last::TimedOut => None,
            Last::Taking(_) => Some(*at(&reversal.needed).first().unwrap_or(&reversal.second)),
        }
    }

    /// The sequence of a reversal, by the numbers of its events. Only what is needed, or the whole: then also everything else
    /// in the run that needs neither the earlier event nor, if the race is observed, the receive that observes it.
    pub(crate) fn order(
        &self,
        rules: Rules<'_>,
        run: &Run,
        reversal: &Reversal,
        order: &mut Vec<u32>,
    ) {
        let at = |range: &Range<u32>| &self.events[range.start as usize..range.end as usize];
        let (needed, end) = (at(&reversal.needed), at(&reversal.end));
        let first = reversal.first;
        order.clear();
        match (rules.is_whole, end) {
            (false, _) => {
                order.extend_from_slice(needed);
                order.extend_from_slice(end);
            }
            (true, [second]) => {
                match reversal.last {
                    Last::TimedOut => observer::without_takers(rules, run, first, *second, order),
                    _ => order.extend(run.without(first)),
                }
                order.push(*second);
            }
            (true, [second, receive]) => {
                order.extend_from_slice(needed);
                order.extend([*second, first]);
                observer::extend_to_receive(rules, run, first, *receive, order);
                order.push(*receive);
            }
            _ => {
                unreachable!(
                    "a whole sequence ends with an event, or with a delivery and a receive"
                )
            }
        }
    }
}

/// Adds an event to the run and finds the reversals of its races.
pub(crate) fn extend(
    run: &mut Run,
    rules: Rules<'_>,
    step: &Arc<Step>,
    action: Action,
    reversals: &mut Reversals,
) {
    reversals.candidates.clear();
    run.reserve(step);
    let (index, marks) = (run.len(), run.marks());
    let thread = step.numbered.thread as usize;
    let previous = run.latest_of(thread);
    let previous = (previous != NONE).then_some(previous as usize);
    collect_accesses(run, rules, step, reversals);
    let taken = observer::taken_arrival(run, step);
    if let Some(taken) = taken.filter(|_| rules.has_observers) {
        observer::tell_apart(run, rules, step, taken, reversals);
    }
    run.clocks.push(previous);
    run.firm.push(previous);
    observer::collect_mailboxes(run, rules, step, taken, reversals);
    settle(run, rules, index, step, reversals);
    run.clocks.mark(index, thread);
    run.firm.mark(index, thread);
    run.add(Arc::clone(step), action, taken, marks);
}

/// The accesses of the same objects that do not commute with the new event's. A plain write commutes with nothing, so
/// whatever touched the object earlier happened before it.
fn collect_accesses(run: &Run, rules: Rules<'_>, step: &Step, reversals: &mut Reversals) {
    for access in &step.numbered.objects {
        for touch in run.clashing(access) {
            match rules.relation(touch.mode, access.mode) {
                Relation::Independent => {}
                Relation::Ordered => reversals.candidate(touch.event, Tie::Ordered),
                Relation::Race => reversals.candidate(touch.event, Tie::Race),
            }
            if touch.mode == Mode::Write {
                break;
            }
        }
    }
}

/// Goes through the candidates from the latest on: completes the new event's clock and keeps the immediate races.
fn settle(run: &mut Run, rules: Rules<'_>, index: usize, step: &Step, reversals: &mut Reversals) {
    let mut candidates = std::mem::take(&mut reversals.candidates);
    candidates.sort_unstable_by(|a, b| b.cmp(a));
    for &(first, tie) in &candidates {
        let e = first as usize;
        let thread = run.events[e].thread as usize;
        if !matches!(tie, Tie::Observed(_)) && !run.firm.knows(index, thread, e) {
            run.firm.join(index, e);
        }
        if run.clocks.knows(index, thread, e) {
            continue;
        }
        let may_race = match tie {
            Tie::Ordered => false,
            Tie::Observed(receive) => {
                let mailbox = run.events[receive as usize].step.receive().map(|it| it.mailbox);
                mailbox.is_none_or(|it| step.races_in(it) && run.events[e].step.races_in(it))
            }
            Tie::Taken | Tie::Race => step.is_racing && run.events[e].step.is_racing,
        };
        if may_race {
            run.pairs.push((first, index as u32));
            reverse(run, rules, index, step, (first, tie), reversals);
        }
        run.clocks.join(index, e);
    }
    candidates.clear();
    reversals.candidates = candidates;
}

fn reverse(
    run: &Run,
    rules: Rules<'_>,
    index: usize,
    step: &Step,
    (first, tie): (u32, Tie),
    reversals: &mut Reversals,
) {
    let second = index as u32;
    let free = |x: &u32| !run.is_before(first as usize, *x as usize);
    // A whole sequence is found when the run has ended.
    let needed = (first + 1..second).filter(free).filter(|_| !rules.is_whole);
    match tie {
        Tie::Ordered => {}
        Tie::Race => {
            reversals.push((first, second, second), Last::Again, needed, [second].into_iter())
        }
        Tie::Taken => {
            reversals.push((first, second, second), Last::TimedOut, needed, [second].into_iter())
        }
        Tie::Observed(receive) => {
            let mailbox = run.events[receive as usize].step.numbered.received_from;
            let place = step.numbered.mailboxes.iter().position(|it| *it == mailbox);
            let message = step.deliveries()[place.expect("it delivers there")].message;
            let needed = (first + 1..second).filter(free).filter(|&x| {
                run.clocks.knows(index, run.events[x as usize].thread as usize, x as usize)
            });
            let end = [second, receive].into_iter();
            reversals.push((first, second, second), Last::Taking(message), needed, end);
        }
    }
}
