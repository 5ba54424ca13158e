//! Sleep sets: threads whose next step was explored at an earlier state, and has met nothing since that depends on it.
//! Running such a thread would only repeat, in another order, what was explored when it ran then.
//! Paper: Godefroid 1996; with observers, Aronis et al. (TACAS 2018), whose check of the *done sets of all earlier states*
//! is the check of this set: an entry knows since when it sleeps, because a delivery that sleeps is woken by a receive
//! that took a message delivered after that moment and would have taken the sleeper's.
//! A wakeup tree may run a sleeping delivery on purpose, on its way to such a receive: then the entry stays and remembers
//! where it ran, because until that receive has happened the run is a repetition.
//! Entries of all frames stand in one vector; a frame's begin where its parent's end.

use crate::index::{DoneIdx, EventIdx};
use crate::initial::{Standing, is_dependent, observes, standing};
use crate::race::Rules;
use crate::sequence::{Pending, Sequence};
use crate::step::Step;

/// A step explored from the frame `since`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeper {
    pub(crate) since: EventIdx,
    pub(crate) step: DoneIdx,
    /// The event by which it ran all the same.
    pub(crate) ran: Option<EventIdx>,
}

/// What becomes of a sleeper when `event` happens.
pub(crate) fn after(
    rules: Rules<'_>,
    is_patient: bool,
    sleeper: Sleeper,
    step: &Step,
    event: &Pending<'_>,
) -> Option<Sleeper> {
    if let Some(ran) = sleeper.ran {
        let came_before = |taken| taken >= sleeper.since && taken < ran;
        let rest = std::iter::once(event);
        return (!observes(rules, step, sleeper.ran, came_before, rest)).then_some(sleeper);
    }
    if event.step.thread == step.thread {
        let is_kept = is_patient && !step.deliveries().is_empty();
        return is_kept.then_some(Sleeper { ran: event.event, ..sleeper });
    }
    let is_woken = is_dependent(rules, step, event, |taken| taken >= sleeper.since)
        || (!is_patient && step.delivers_beside(event.step));
    (!is_woken).then_some(sleeper)
}

/// How a run that goes on with `sequence` repeats what was explored when the sleeper ran: [`Standing::Behind`] if it does
/// not, [`Standing::Beside`] if it only does so as long as nothing that depends on the sleeper joins the sequence.
pub(crate) fn coverage(
    rules: Rules<'_>,
    sleeper: Sleeper,
    step: &Step,
    sequence: &Sequence<'_>,
) -> Standing {
    let Some(ran) = sleeper.ran else {
        return standing(rules, step, Some(sleeper.since), sequence);
    };
    let came_before = |taken| taken >= sleeper.since && taken < ran;
    match observes(rules, step, sleeper.ran, came_before, sequence.steps.iter()) {
        true => Standing::Behind,
        false => Standing::Beside,
    }
}
