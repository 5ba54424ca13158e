//! Races: two events of a run whose order could have been the other one, and the sequence that makes it so.
//! An event that is added to a run depends directly on some earlier ones. Taken from the latest to the earliest, those
//! that did not happen before it through another are its races (unless the order is the only possible one).
//! Paper: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets" (JACM 2017). Its reversible race `e ≲ e'` is a [`Race`] with
//! `first` = `e` and `second` = `e'`; its `pre(E, e)` is the prefix of length `first`; its `notdep(e, E)·e'` is
//! [`Reversals::order`], where only a firm happened-before counts: what a receive has told apart is forgotten if the receive
//! is not in the sequence. A race is found when `e'` is added and reversed when the run has ended, because `notdep(e, E)` goes
//! to the end of the run: a shorter sequence would be taken for a repetition where it is none, if what `e'` does depends on
//! what came before it.
//! Invariant: an order is closed under happened-before within the events after the prefix, so it can run.
//! Not here: mailboxes (`observer`), and what becomes of a reversal (`plan`).

use crate::index::{EventIdx, Idx};
use crate::observer;
use crate::run::{Past, Run};
use crate::step::Step;
use foresee_lts::{Action, Interleaved, Mode, Relation, System};
use std::ops::Range;
use std::sync::Arc;

/// What decides whether events are dependent.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) system: &'a dyn System,
    /// The same system's word on threads; a wrapper may lend that of what is inside.
    pub(crate) threads: &'a dyn Interleaved,
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
                if !self.threads.notices(look, change) =>
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
    Observed(EventIdx),
    /// The new event received what the earlier one delivered, and could have given up waiting instead.
    Taken,
    Race,
}

/// How a reversing sequence ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ending {
    /// With the later event, which may turn out differently.
    Again,
    /// With the later event, a receive, which gives up waiting.
    TimedOut,
    /// With this receive, which takes what the later event delivers.
    Taking(EventIdx),
}

/// Two events of a run whose order could have been the other one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Race {
    pub(crate) first: EventIdx,
    pub(crate) second: EventIdx,
    pub(crate) ending: Ending,
}

impl Race {
    /// The last event of the reversing sequence.
    pub(crate) fn last(&self) -> EventIdx {
        match self.ending {
            Ending::Again | Ending::TimedOut => self.second,
            Ending::Taking(receive) => receive,
        }
    }

    /// What the later event needs, if the race is observed: so the whole sequence begins. False if there is nothing to reverse.
    pub(crate) fn prepare(self, rules: Rules<'_>, run: &Run, order: &mut Vec<EventIdx>) -> bool {
        order.clear();
        match self.ending {
            Ending::Again | Ending::TimedOut => true,
            Ending::Taking(receive) => observer::needed(rules, run, self, receive, order),
        }
    }

    /// How the whole sequence that has been prepared begins, if that is easily known.
    pub(crate) fn beginning(self, run: &Run, order: &[EventIdx]) -> Option<EventIdx> {
        match self.ending {
            Ending::Again => Some(run.without(self.first).next().unwrap_or(self.second)),
            Ending::TimedOut => None,
            Ending::Taking(_) => Some(order.first().copied().unwrap_or(self.second)),
        }
    }

    /// Whether that depends neither on how the run ends nor on what the last event does then.
    pub(crate) fn is_firm(self, rules: Rules<'_>, run: &Run, beginning: EventIdx) -> bool {
        match self.ending {
            Ending::Again => beginning < self.second,
            Ending::TimedOut => false,
            Ending::Taking(receive) => run.step(receive).only_receives(rules.threads),
        }
    }

    /// Completes what has been prepared to the whole reversing sequence after the prefix of length `first`, without its last
    /// event: everything in the run that needs neither the earlier event nor, if the race is observed, the receive that
    /// observes it.
    pub(crate) fn complete(self, rules: Rules<'_>, run: &Run, order: &mut Vec<EventIdx>) {
        match self.ending {
            Ending::Again => order.extend(run.without(self.first)),
            Ending::TimedOut => {
                observer::without_takers(rules, run, self.first, self.second, order);
            }
            Ending::Taking(receive) => {
                order.extend([self.second, self.first]);
                observer::extend_to_receive(rules, run, self.first, receive, order);
            }
        }
    }
}

/// A race and when it was found.
#[derive(Clone, Debug)]
pub(crate) struct Reversal {
    pub(crate) race: Race,
    /// The event with which it was found.
    found: EventIdx,
    /// Events that must come before the end, in order, where sequences are not whole.
    needed: Range<usize>,
}

/// The reversals of the races that a run has added; kept to be filled again.
#[derive(Debug, Default)]
pub(crate) struct Reversals {
    pub(crate) list: Vec<Reversal>,
    events: Vec<EventIdx>,
    candidates: Vec<(EventIdx, Tie)>,
}

impl Reversals {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.events.clear();
        self.candidates.clear();
    }

    /// Forgets what was found with events that are undone: those from `end` on.
    pub(crate) fn forget(&mut self, end: EventIdx) {
        self.list.retain(|reversal| reversal.found < end);
    }

    pub(crate) fn candidate(&mut self, event: EventIdx, tie: Tie) {
        self.candidates.push((event, tie));
    }

    pub(crate) fn push(
        &mut self,
        race: Race,
        found: EventIdx,
        needed: impl Iterator<Item = EventIdx>,
    ) {
        let start = self.events.len();
        self.events.extend(needed);
        let needed = start..self.events.len();
        self.list.push(Reversal { race, found, needed });
    }

    /// The events of the sequence of a reversal, where it is not whole; without the last.
    pub(crate) fn needed(&self, reversal: &Reversal) -> &[EventIdx] {
        &self.events[reversal.needed.clone()]
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
    let (index, marks) = (run.end(), run.marks());
    let thread = step.numbered.thread;
    let previous = run.latest_of(thread);
    collect_accesses(run, rules, step, reversals);
    let taken = observer::taken_arrival(run, step);
    if let Some(taken) = taken.filter(|_| rules.has_observers) {
        observer::tell_apart(run, rules, step, taken, reversals);
    }
    run.clocks.push(previous);
    run.firm.push(previous);
    observer::collect_mailboxes(run, rules, step, taken, reversals);
    let mut past = Past::new(step.thread);
    if let Some(previous) = previous {
        past.join(previous, run.events[previous].past);
    }
    settle(run, rules, (index, &mut past), step, reversals);
    run.clocks.mark(index, thread);
    run.firm.mark(index, thread);
    run.add(Arc::clone(step), action, taken, past, marks);
}

/// The accesses of the same objects that do not commute with the new event's. A plain write commutes with nothing, so
/// whatever touched the object earlier happened before it; so it is with two that put different values, the later of which
/// happened before the new event.
fn collect_accesses(run: &Run, rules: Rules<'_>, step: &Step, reversals: &mut Reversals) {
    for access in &step.numbered.objects {
        let mut put = None;
        for touch in run.clashing(access) {
            let relation = rules.relation(touch.mode, access.mode);
            match relation {
                Relation::Independent => {}
                Relation::Ordered => reversals.candidate(touch.event, Tie::Ordered),
                Relation::Race => reversals.candidate(touch.event, Tie::Race),
            }
            match (touch.mode, put) {
                (Mode::Write | Mode::Create, _) => break,
                (Mode::Put(value), Some(later)) if value != later => break,
                (Mode::Put(value), None) if relation != Relation::Independent => put = Some(value),
                _ => {}
            }
        }
    }
}

/// Goes through the candidates from the latest on: completes the new event's clock and past and keeps the immediate races.
fn settle(
    run: &mut Run,
    rules: Rules<'_>,
    (index, past): (EventIdx, &mut Past),
    step: &Step,
    reversals: &mut Reversals,
) {
    let mut candidates = std::mem::take(&mut reversals.candidates);
    if candidates.len() > 1 {
        candidates.sort_unstable_by(|a, b| b.cmp(a));
    }
    for &(e, tie) in &candidates {
        let thread = run.events[e].thread;
        if !matches!(tie, Tie::Observed(_)) && !run.firm.knows(index, thread, e) {
            run.firm.join(index, e);
            past.join(e, run.events[e].past);
        }
        if run.clocks.knows(index, thread, e) {
            continue;
        }
        let may_race = match tie {
            Tie::Ordered => false,
            Tie::Observed(receive) => {
                let mailbox = run.step(receive).receive().map(|it| it.mailbox);
                mailbox.is_none_or(|it| step.races_in(it) && run.step(e).races_in(it))
            }
            Tie::Taken | Tie::Race => step.is_racing && run.step(e).is_racing,
        };
        if may_race {
            run.pairs.push((e, index));
            reverse(run, rules, index, (e, tie), reversals);
        }
        run.clocks.join(index, e);
    }
    candidates.clear();
    reversals.candidates = candidates;
}

fn reverse(
    run: &Run,
    rules: Rules<'_>,
    second: EventIdx,
    (first, tie): (EventIdx, Tie),
    reversals: &mut Reversals,
) {
    let ending = match tie {
        Tie::Ordered => return,
        Tie::Race => Ending::Again,
        Tie::Taken => Ending::TimedOut,
        Tie::Observed(receive) => Ending::Taking(receive),
    };
    // A whole sequence is found when the run has ended.
    let free = |x: &EventIdx| !rules.is_whole && !run.is_before(first, *x);
    let needed = first.next().until(second).filter(free);
    reversals.push(Race { first, second, ending }, second, needed);
}
