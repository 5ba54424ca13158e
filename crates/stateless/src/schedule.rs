//! Scheduling: which thread runs next where nothing says which must.

use crate::Scheduling;
use crate::run::Run;
use crate::step::NONE;
use foresee_lts::Action;

/// Chooses among the enabled threads that `is_awake`.
pub(crate) fn choose(
    scheduling: Scheduling,
    is_strict: bool,
    run: &mut Run,
    enabled: &[(u64, Action)],
    is_awake: impl Fn(u64) -> bool,
) -> Option<u64> {
    let latest = run.events.last().map(|event| event.step.thread);
    let mut awake = enabled.iter().map(|(thread, _)| *thread).filter(|thread| is_awake(*thread));
    if let Some(latest) = latest.filter(|_| !is_strict)
        && awake.clone().any(|thread| thread == latest)
    {
        return Some(latest);
    }
    match scheduling {
        Scheduling::Oldest => awake.next(),
        Scheduling::Newest => awake.last(),
        Scheduling::RoundRobin => awake.min_by_key(|thread| {
            let number = run.thread_number(*thread);
            match run.latest_of(number) {
                NONE => 0,
                event => event + 1,
            }
        }),
    }
}
