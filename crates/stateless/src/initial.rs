//! Weak initials: whether a thread's next event could as well come first.
//! Paper: Abdulla et al., JACM 2017. Its `p ∈ WI_[E](w)` is [`standing`] of the next step of `p` after `E` among the steps
//! `w`: first in its thread with nothing in `w` before it on which it depends, or not in `w` and independent of all of it.
//! With observers (TACAS 2018) a delivery depends on an earlier one only through a receive that took the earlier and would
//! have taken it; so the whole of `w` is looked at, also past the thread's own step.
//! Not here: where `w` comes from (`race`), what follows from the answer (`plan`, `wakeup_tree`, `sleep_set`).

use crate::race::Rules;
use crate::sequence::{Pending, Sequence};
use crate::step::{NONE, Step};

/// How a thread's next step stands to a sequence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standing {
    /// It cannot come first.
    Behind,
    /// It is in the sequence, there, and can come first.
    Within(usize),
    /// It is not in the sequence, and independent of it.
    Beside,
}

/// How `step`, possible before `sequence`, stands to it. `since`: deliveries from that number on count as after the moment
/// at which `step` was possible, even if they are not in the sequence.
pub(crate) fn standing(
    rules: Rules<'_>,
    step: &Step,
    since: u32,
    sequence: &Sequence<'_>,
) -> Standing {
    let (may_clash, may_meet) = (sequence.may_clash(step), sequence.may_meet(rules, step));
    let thread = step.numbered.thread;
    // What a receive of the sequence takes was delivered before it.
    let is_recent = |taken| taken >= since || sequence.has(taken);
    let sequence = &sequence.steps[..];
    for (at, other) in sequence.iter().enumerate() {
        if other.thread == thread {
            let is_free = !may_meet
                || step.deliveries().is_empty()
                || !rules.has_observers
                || !is_told_apart(rules, step, since, at, sequence);
            return if is_free { Standing::Within(at) } else { Standing::Behind };
        }
        debug_assert!(
            other.taken == NONE
                || is_recent(other.taken)
                    == (other.taken >= since
                        || sequence[..at].iter().any(|it| it.event == other.taken)),
            "a message is delivered before it is taken"
        );
        let is_dependent = may_clash && step.clashes_with(rules, other.step)
            || may_meet && meets(rules, step, other, is_recent);
        if is_dependent {
            return Standing::Behind;
        }
    }
    Standing::Beside
}

/// Whether the order of `step` and a later event matters. `is_recent` says of a delivery whether it came after the moment
/// at which `step` was possible.
pub(crate) fn is_dependent(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(u32) -> bool,
) -> bool {
    step.clashes_with(rules, other.step) || meets(rules, step, other, is_recent)
}

/// Whether a mailbox makes their order matter.
fn meets(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(u32) -> bool,
) -> bool {
    (other.received_from != NONE && disturbs(rules, step, other, is_recent))
        || (step.gives_up() && is_awaited(rules, step, other.step))
        || (!rules.has_observers && step.delivers_beside(other.step))
}

/// Whether the receive `other` would have taken what `step` delivers, had that come first.
fn disturbs(
    rules: Rules<'_>,
    step: &Step,
    other: &Pending<'_>,
    is_recent: impl Fn(u32) -> bool,
) -> bool {
    let mut here = step.delivered_to(other.received_from).peekable();
    if here.peek().is_none() {
        return false;
    }
    let is_open = match other.message {
        None => true,
        Some(_) => rules.has_observers && other.taken != NONE && is_recent(other.taken),
    };
    is_open && here.any(|message| other.step.would_take(rules.system, message))
}

/// Whether `other` delivers what `step`, which gives up waiting, waits for.
fn is_awaited(rules: Rules<'_>, step: &Step, other: &Step) -> bool {
    let mut here = other.delivered_to(step.numbered.received_from);
    here.any(|message| step.would_take(rules.system, message))
}

/// Whether a receive after `at`, where `step` stands in the sequence, takes what came before it (in the sequence, or from
/// `since` on) though it would have taken what `step` delivers.
pub(crate) fn is_told_apart(
    rules: Rules<'_>,
    step: &Step,
    since: u32,
    at: usize,
    sequence: &[Pending<'_>],
) -> bool {
    let own = sequence[at].event;
    let came_before = |taken: u32| {
        taken != NONE && (taken >= since && !sequence[at..].iter().any(|it| it.event == taken))
            || sequence[..at].iter().any(|it| it.event == taken)
    };
    observes(rules, step, own, came_before, &sequence[at + 1..])
}

/// Whether a receive in `rest` takes a message of which `came_before` is true though it would have taken what `step`, the
/// event `own`, delivers.
pub(crate) fn observes(
    rules: Rules<'_>,
    step: &Step,
    own: u32,
    came_before: impl Fn(u32) -> bool,
    rest: &[Pending<'_>],
) -> bool {
    let deliveries = step.deliveries().iter().zip(&step.numbered.mailboxes);
    for (delivery, &mailbox) in deliveries {
        for other in rest.iter().filter(|it| it.received_from == mailbox) {
            let Some(message) = other.message else { continue };
            if other.taken == own && message == delivery.message {
                break;
            }
            if came_before(other.taken) && other.step.would_take(rules.system, delivery.message) {
                return true;
            }
        }
    }
    false
}
