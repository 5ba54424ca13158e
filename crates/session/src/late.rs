//! A second look with messages that take their time.
//! Why: that a message is in the mailbox as soon as it is sent is an assumption which most programs do not notice, and which
//! keeps searches small. Where the search was small anyway, it costs little to do without it.
//! The verdict and the counts of the report stay those of the first search (decision 0128).

use crate::report::AlsoChecked;
use crate::{CheckRequest, Engine, Loaded, Outcome, Report, check};
use foresee_search::{Limits, Meter, Silent};

/// A first search of more interleavings is not small; the second gets no more than this.
const INTERLEAVINGS_MAX: u64 = 1_000;

/// Adds to a report what the second search finds, if there is to be one.
pub(crate) fn look(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    report: &mut Report,
) {
    let is_small = report.interleavings <= INTERLEAVINGS_MAX;
    if report.verdict != Outcome::Holds || !is_small {
        return;
    }
    let Some(late) = loaded.with_late_messages() else { return };
    let spent = meter.elapsed();
    let limits = &request.limits;
    let most = limits.interleavings_max.map_or(INTERLEAVINGS_MAX, |max| max.min(INTERLEAVINGS_MAX));
    let request = CheckRequest {
        engine: Some(Engine::Stateless),
        also_late: false,
        graph_max: 0,
        limits: Limits {
            interleavings_max: Some(most),
            time_max: limits.time_max.map(|max| max.saturating_sub(spent)),
            ..limits.clone()
        },
        ..request.clone()
    };
    let second = check(&late, &request, meter, &mut Silent);
    report.seconds += second.seconds;
    report.peak_memory_bytes = report.peak_memory_bytes.max(second.peak_memory_bytes);
    report.also_checked = Some(Box::new(AlsoChecked {
        instant_delivery: false,
        verdict: second.verdict,
        stopped_by: second.stopped_by,
        depth: second.depth,
        interleavings: second.interleavings,
        erroneous_interleavings: second.erroneous_interleavings,
        violations: second.violations,
    }));
}
