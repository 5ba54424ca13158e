//! Weak initials: whether a thread's next event could as well come first.
//! Paper: Abdulla et al., JACM 2017. Its `p ∈ WI_[E](w)` is [`standing`] of the next step of `p` after `E` among the steps
//! `w`: first in its thread with nothing in `w` before it on which it depends, or not in `w` and independent of all of it.
//! With observers (TACAS 2018) a delivery depends on an earlier one only through a receive that took the earlier and would
//! have taken it; so the whole of `w` is looked at, also past the thread's own step.
//! Not here: where `w` comes from (`race`), what follows from the answer (`plan`, `wakeup_tree`, `sleep_set`).

use crate::index::{EventIdx, Idx, StepIdx};
use crate::race::Rules;
use crate::run::Run;
use crate::sequence::{Index, Pending, Sequence};
use crate::step::Step;
use foresee_lts::Relation;

/// How a thread's next step stands to a sequence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standing {
    /// It cannot come first.
    Behind,
    /// It is in the sequence, there, and can come first.
    Within(StepIdx),
    /// It is not in the sequence, and independent of it.
    Beside,
}

/// How `step`, possible before `sequence`, stands to it. `since`: deliveries from that event on count as after the moment
/// at which `step` was possible, even if they are not in the sequence.
pub(crate) fn standing(
    rules: Rules<'_>,
    step: &Step,
    since: Option<EventIdx>,
    sequence: &Sequence<'_>,
) -> Standing {
    let thread = step.numbered.thread;
    let is_quiet = step.deliveries().is_empty() || !rules.has_observers;
    if is_quiet && sequence.steps.first().is_some_and(|it| it.thread == thread) {
        return Standing::Within(StepIdx::default());
    }
    let (may_clash, may_meet) = (sequence.may_clash(step), sequence.may_meet(rules, step));
    if rules.has_observers
        && !step.gives_up()
        && let Some((run, index)) = sequence.indexed()
    {
        let long = Long { rules, step, since, steps: &sequence.steps, run, index };
        let standing = long.standing(may_clash, may_meet);
        debug_assert_eq!(standing, plain_standing(rules, step, since, sequence));
        return standing;
    }
    // What a receive of the sequence takes was delivered before it.
    let is_recent = |taken| is_since(taken, since) || sequence.has(taken);
    let sequence = &sequence.steps[..];
    let rivals = step.bits.rivals();
    for (at, other) in sequence.iter().enumerate() {
        if other.thread == thread {
            let at = StepIdx::new(at);
            let is_free = !may_meet || is_quiet || !is_told_apart(rules, step, since, at, sequence);
            return if is_free { Standing::Within(at) } else { Standing::Behind };
        }
        debug_assert!(
            other.taken.is_none_or(|taken| {
                let mut earlier = sequence[..at].iter();
                is_recent(taken)
                    == (is_since(taken, since) || earlier.any(|it| it.event == Some(taken)))
            }),
            "a message is delivered before it is taken"
        );
        let is_dependent =
            may_clash && rivals.may_clash(&other.step.bits) && step.clashes_with(rules, other.step)
                || may_meet && meets(rules, step, other, is_recent);
        if is_dependent {
            return Standing::Behind;
        }
    }
    Standing::Beside
}

/// Whether a delivery came at a moment or after it, if there is one.
fn is_since(taken: EventIdx, since: Option<EventIdx>) -> bool {
    since.is_some_and(|since| taken >= since)
}

/// The same without an index.
fn plain_standing(
    rules: Rules<'_>,
    step: &Step,
    since: Option<EventIdx>,
    sequence: &Sequence<'_>,
) -> Standing {
    let mut plain = Sequence::default();
    sequence.steps.iter().for_each(|it| plain.push(*it));
    standing(rules, step, since, &plain)
}

/// The question of [`standing`] about a long sequence of events of a run.
/// Why: a run in which n processes race for one mailbox leads to n² pending sequences, each of them held against the n others from its
/// state. Going through a sequence step by step makes that n⁴; here the run is asked who touched the step's few objects, and
/// only receives are gone through.
struct Long<'l> {
    rules: Rules<'l>,
    step: &'l Step,
    since: Option<EventIdx>,
    steps: &'l [Pending<'l>],
    run: &'l Run,
    index: &'l Index,
}

impl Long<'_> {
    fn standing(&self, may_clash: bool, may_meet: bool) -> Standing {
        let own = self.index.first_of(self.step.numbered.thread);
        let end = own.unwrap_or(StepIdx::new(self.steps.len()));
        if may_clash && self.clashes_before(end) || may_meet && self.meets_before(end) {
            return Standing::Behind;
        }
        match own {
            None => Standing::Beside,
            Some(at)
                if may_meet && !self.step.deliveries().is_empty() && self.is_told_apart(at) =>
            {
                Standing::Behind
            }
            Some(at) => Standing::Within(at),
        }
    }

    /// Whether something before `end` touches what the step touches.
    fn clashes_before(&self, end: StepIdx) -> bool {
        let last = StepIdx::new(self.steps.len() - 1);
        // The last step may do something else than in the run.
        if last < end && self.step.clashes_with(self.rules, self.at(last).step) {
            return true;
        }
        let is_before = |event| self.index.place_of(event).is_some_and(|at| at < end.min(last));
        let objects = &self.step.numbered.objects;
        objects.iter().any(|access| {
            let touches = self.run.clashing(access);
            let mut touches = touches.take_while(|it| it.event >= self.index.least);
            touches.any(|touch| {
                is_before(touch.event)
                    && self.rules.relation(access.mode, touch.mode) != Relation::Independent
            })
        })
    }

    /// Whether a receive before `end` would have taken what the step delivers.
    fn meets_before(&self, end: StepIdx) -> bool {
        let is_recent = |taken| is_since(taken, self.since) || self.index.place_of(taken).is_some();
        let mut before = self.index.receives.iter().take_while(|at| **at < end);
        before.any(|at| disturbs(self.rules, self.step, self.at(*at), is_recent))
    }

    /// As [`is_told_apart`].
    fn is_told_apart(&self, at: StepIdx) -> bool {
        let own = self.at(at).event;
        let is_earlier = |taken| self.index.place_of(taken).map(|place| place < at);
        let came_before = |taken| is_earlier(taken).unwrap_or_else(|| is_since(taken, self.since));
        let receives = self.index.receives.iter().filter(|it| **it > at);
        let rest = receives.map(|it| self.at(*it));
        observes(self.rules, self.step, own, came_before, rest)
    }

    fn at(&self, at: StepIdx) -> &Pending<'_> {
        &self.steps[at.get()]
    }
}

/// Whether the order of `step` and a later event matters. `is_recent` says of a delivery whether it came after the moment
/// at which `step` was possible.
pub(crate) fn is_dependent(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(EventIdx) -> bool,
) -> bool {
    step.clashes_with(rules, other.step) || meets(rules, step, other, is_recent)
}

/// Whether a mailbox makes their order matter.
fn meets(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(EventIdx) -> bool,
) -> bool {
    disturbs(rules, step, other, is_recent)
        || (step.gives_up() && is_awaited(rules, step, other.step))
        || (!rules.has_observers && step.delivers_beside(other.step))
}

/// Whether the receive `other` would have taken what `step` delivers, had that come first.
fn disturbs(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(EventIdx) -> bool,
) -> bool {
    let Some(mailbox) = other.received_from else { return false };
    let mut here = step.delivered_to(mailbox).peekable();
    if here.peek().is_none() {
        return false;
    }
    let is_open = match other.message {
        None => true,
        Some(_) => rules.has_observers && other.taken.is_some_and(is_recent),
    };
    is_open && here.any(|message| other.step.would_take(rules.threads, message))
}

/// Whether `other` delivers what `step`, which gives up waiting, waits for.
fn is_awaited(rules: Rules<'_>, step: &Step, other: &Step) -> bool {
    let Some(mailbox) = step.numbered.received_from else { return false };
    other.delivered_to(mailbox).any(|message| step.would_take(rules.threads, message))
}

/// Whether a receive after `at`, where `step` stands in the sequence, takes what came before it (in the sequence, or from
/// `since` on) though it would have taken what `step` delivers.
pub(crate) fn is_told_apart(
    rules: Rules<'_>,
    step: &Step,
    since: Option<EventIdx>,
    at: StepIdx,
    sequence: &[Pending<'_>],
) -> bool {
    let (earlier, later) = sequence.split_at(at.get());
    let has = |part: &[Pending<'_>], event| part.iter().any(|it| it.event == Some(event));
    let came_before = |taken| {
        let is_later = || is_since(taken, since) && !has(later, taken);
        is_later() || has(earlier, taken)
    };
    observes(rules, step, later[0].event, came_before, later[1..].iter())
}

/// Whether a receive in `rest` takes a message of which `came_before` is true though it would have taken what `step`, the
/// event `own`, delivers.
pub(crate) fn observes<'p>(
    rules: Rules<'_>,
    step: &Step,
    own: Option<EventIdx>,
    came_before: impl Fn(EventIdx) -> bool,
    rest: impl Iterator<Item = &'p Pending<'p>> + Clone,
) -> bool {
    let deliveries = step.deliveries().iter().zip(&step.numbered.mailboxes);
    for (delivery, &mailbox) in deliveries {
        for other in rest.clone().filter(|it| it.received_from == Some(mailbox)) {
            let (Some(message), Some(taken)) = (other.message, other.taken) else { continue };
            if Some(taken) == own && message == delivery.message {
                break;
            }
            if came_before(taken) && other.step.would_take(rules.threads, delivery.message) {
                return true;
            }
        }
    }
    false
}
