//! The clock of a check in a test: limits on time and memory, and nothing that would end the process of the other tests.

use foresee_cli::memory_bytes;
use foresee_session::{Cause, Limits, Meter, Probe};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct TestMeter {
    gauge: Arc<Gauge>,
}

struct Gauge {
    start: Instant,
    limits: Limits,
}

impl TestMeter {
    pub(super) fn start(limits: &Limits) -> Self {
        TestMeter { gauge: Arc::new(Gauge { start: Instant::now(), limits: limits.clone() }) }
    }
}

impl Meter for TestMeter {
    fn elapsed(&self) -> Duration {
        self.gauge.start.elapsed()
    }

    /// Other tests run in the same process; its memory is still what the machine runs out of.
    fn memory_bytes(&self) -> Option<u64> {
        memory_bytes()
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn probe(&self) -> Option<Arc<dyn Probe>> {
        Some(Arc::<Gauge>::clone(&self.gauge))
    }
}

impl Probe for Gauge {
    fn struck(&self) -> Option<Cause> {
        let is_over = self.limits.time_max.is_some_and(|max| self.start.elapsed() >= max);
        is_over.then_some(Cause::Time)
    }

    fn grants(&self, bytes: u64) -> bool {
        match (self.limits.memory_max, memory_bytes()) {
            (Some(max), Some(used)) => used.saturating_add(bytes) <= max,
            _ => true,
        }
    }

    fn limits_time(&self) -> bool {
        self.limits.time_max.is_some()
    }

    fn limits_memory(&self) -> bool {
        self.limits.memory_max.is_some()
    }
}
