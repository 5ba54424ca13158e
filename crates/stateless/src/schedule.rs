//! Scheduling: which thread runs next where nothing says which must.

use crate::Scheduling;
use crate::run::Run;
use crate::stack::Enabled;

/// Chooses among the enabled threads that `is_awake`.
pub(crate) fn choose(
    scheduling: Scheduling,
    is_strict: bool,
    run: &Run,
    enabled: Enabled<'_>,
    is_awake: impl Fn(u64) -> bool,
) -> Option<u64> {
    let latest = run.events.last().map(|event| event.step.thread);
    let mut awake = enabled.actions.iter().zip(enabled.threads).filter(|it| is_awake(it.0.1));
    if !is_strict && latest.is_some_and(|latest| awake.clone().any(|it| it.0.1 == latest)) {
        return latest;
    }
    let chosen = match scheduling {
        Scheduling::Oldest => awake.next(),
        Scheduling::Newest => awake.last(),
        Scheduling::RoundRobin => awake.min_by_key(|it| run.latest_of(*it.1)),
    };
    chosen.map(|it| it.0.1)
}
