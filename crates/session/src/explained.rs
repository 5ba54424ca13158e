//! What is wrong at the end of a run, explained by the run: the exception with the calls that led to it, or who waits in vain
//! and how it came there.
//! Why by the run: stack traces and calls in tail position are no part of a state. The data go to the edges ([`Details`]); the
//! message gets the first line of it, for those who show no more.

use crate::front_end::Waits;
use crate::{Details, Loaded};
use foresee_lts::{Raised, ViolationKind};
use foresee_trace::{Story, raised_at};

/// A reason or a call in a message is not longer.
const CHARS_MAX: usize = 160;

/// The exception that ended the member whose end is what is wrong.
pub(crate) fn failure(loaded: &Loaded, state: &[u32], story: &Story) -> Option<Raised> {
    let member = loaded.front().failed(state)?;
    story.ends.iter().find(|end| end.member == member)?.failure.clone()
}

/// The message with what the run can add to it.
pub(crate) fn elaborated(
    message: String,
    kind: ViolationKind,
    loaded: &Loaded,
    state: &[u32],
    story: &Story,
) -> String {
    if kind == ViolationKind::Deadlock {
        let waits = loaded.front().waits(state, &story.ends);
        let stuck: Vec<&Waits> = waits.iter().filter(|waits| waits.is_stuck).collect();
        let Some(first) = message.lines().next().filter(|_| !stuck.is_empty()) else {
            return message;
        };
        let lines = stuck.iter().map(|waits| format!("\n{} {}", waits.member, waits.words));
        let circle = loaded.front().circle(state).map(|circle| format!("\n{circle}"));
        return format!("{first}{}{}", lines.collect::<String>(), circle.unwrap_or_default());
    }
    if !matches!(kind, ViolationKind::AbnormalExit | ViolationKind::Assertion) {
        return message;
    }
    let Some(failure) = failure(loaded, state, story) else { return message };
    let Some(at) = raised_at(&failure) else { return message };
    let cause = failure.cause.as_ref().map_or(String::new(), |cause| format!(": {cause}"));
    let line: String = format!("in {at}{cause}").chars().take(CHARS_MAX).collect();
    format!("{message}\n{line}")
}

/// What is wrong, as data, beside what else a run shows.
pub(crate) fn explain(details: &mut Details, loaded: &Loaded, state: &[u32], story: &Story) {
    details.failure = failure(loaded, state, story);
    let waits = loaded.front().waits(state, &story.ends);
    for Waits { member, words, .. } in &waits {
        let mut lives = details.lives.iter_mut();
        if let Some(life) = lives.find(|life| life.name == *member && life.is_waiting) {
            life.end = words.as_str().into();
            life.end_tells_inbox = true;
        }
    }
    details.stuck = waits.into_iter().filter(|waits| waits.is_stuck).collect();
    details.circle = loaded.front().circle(state);
}
