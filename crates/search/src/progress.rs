//! Progress: what an engine tells whoever watches it.

use foresee_lts::Violation;
use std::time::Duration;

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    /// States found and not yet expanded.
    pub frontier: u64,
    /// The greatest distance from the start so far.
    pub depth: u32,
    /// Bytes held by the engine and the system.
    pub memory_bytes: u64,
    pub elapsed: Duration,
    /// Random walks finished.
    pub walks: u64,
}

/// Watches a search. Engines call it from the thread that called them, a few times a second and once at the end.
pub trait Observer {
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
    fn violation(&mut self, violation: &Violation) {
        let _ = violation;
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
