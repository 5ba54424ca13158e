//! What is seen of clients: how long operations take, and the history for judging.
//! Why a prefix of the history is enough: if some order explains a history, it explains every beginning of it. So when the list is
//! full, what was kept is still judged, and what comes later is only measured.

use foresee_node::{Address, Observed, Operation, Value};
use hdrhistogram::Histogram;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Which operations are kept for judging.
pub type Wants = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// Events kept at most.
pub(crate) const HISTORY_MAX: usize = 1_000_000;

pub(crate) struct ClientLog {
    latency: Histogram<u64>,
    addresses: Vec<Address>,
    pending: Vec<Pending>,
    pub(crate) history: Vec<Observed>,
    keeps: bool,
    wants: Option<Wants>,
    /// Operations that were begun and not kept, because the list was full.
    pub(crate) n_not_kept: u64,
}

#[derive(Clone, Copy, Default)]
struct Pending {
    since: Option<Duration>,
    is_kept: bool,
}

impl fmt::Debug for ClientLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientLog").field("n", &self.latency.len()).finish_non_exhaustive()
    }
}

impl ClientLog {
    pub(crate) fn new(addresses: &[Address], keeps: bool, wants: Option<Wants>) -> Self {
        // One nanosecond to one hour, to three digits.
        let latency = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("sound bounds");
        let pending = vec![Pending::default(); addresses.len()];
        ClientLog {
            latency,
            addresses: addresses.to_vec(),
            pending,
            history: Vec::new(),
            keeps,
            wants,
            n_not_kept: 0,
        }
    }

    pub(crate) fn invoked(&mut self, now: Duration, member: u32, operation: Value) {
        let wanted = self.keeps && self.wants.as_ref().is_none_or(|wants| wants(&operation));
        let has_room = self.history.len() < HISTORY_MAX;
        self.pending[member as usize] = Pending { since: Some(now), is_kept: wanted && has_room };
        if wanted && has_room {
            let what = Operation::Invoked(operation);
            let client = self.addresses[member as usize];
            self.history.push(Observed { client, at: now, what });
        } else if wanted {
            self.n_not_kept += 1;
        }
    }

    /// Whether an operation was waiting for this result.
    pub(crate) fn returned(&mut self, now: Duration, member: u32, result: Value) -> bool {
        let pending = std::mem::take(&mut self.pending[member as usize]);
        if pending.is_kept {
            let what = Operation::Returned(result);
            let client = self.addresses[member as usize];
            self.history.push(Observed { client, at: now, what });
        }
        let Some(since) = pending.since else { return false };
        let taken = u64::try_from((now - since).as_nanos()).unwrap_or(u64::MAX);
        self.latency.saturating_record(taken.max(1));
        true
    }

    pub(crate) fn latency(&self) -> crate::Latency {
        let at = |quantile| self.latency.value_at_quantile(quantile) as f64 / 1_000.0;
        if self.latency.is_empty() {
            return crate::Latency::default();
        }
        let max = self.latency.max() as f64 / 1_000.0;
        crate::Latency { p50: at(0.5), p99: at(0.99), p999: at(0.999), max }
    }
}
