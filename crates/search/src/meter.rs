//! The meter: how an engine learns of the clock, the process's memory and Ctrl-C without touching any of them.
//! Why: below the edges nothing reads a clock, so that a run follows from its input alone; the edge passes a meter in.

use foresee_stdx::halt::Probe;
use std::sync::Arc;
use std::time::Duration;

/// What the edge knows of the outside world. Called from several threads, often; it should be cheap.
pub trait Meter: Sync {
    /// Time since some fixed moment.
    fn elapsed(&self) -> Duration;
    /// The bytes the process holds, if that can be known.
    fn memory_bytes(&self) -> Option<u64> {
        None
    }
    /// Whether somebody wants the search to end now.
    fn interrupted(&self) -> bool {
        false
    }
    /// So many events have been explored, all in all. Whoever has several searches advance together lets one wait here.
    fn reached(&self, events: u64) {
        let _ = events;
    }
    /// From now on what is done is being saved, or no longer: a limit that has struck waits for it.
    fn saving(&self, is_saving: bool) {
        let _ = is_saving;
    }
    /// What halts the work inside one event; without it limits are looked at between events only.
    fn probe(&self) -> Option<Arc<dyn Probe>> {
        None
    }
}

/// A meter on which time stands still: it never stops anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMeter;

impl Meter for NoMeter {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
