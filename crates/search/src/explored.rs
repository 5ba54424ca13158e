//! What every engine reports, whatever it explores and however: the part of its report that does not depend on the engine.
//! Why: who tells the user what was found needs only this, and is written once.
//! Not here: figures of one engine (states, sleep sets, trees of runs), which its own report has.

use foresee_lts::{BrokenProperty, StoppedBy, Verdict, Violation};

/// The outcome of an exploration.
#[derive(Clone, Debug)]
pub struct Explored {
    pub verdict: Verdict,
    /// The limit that ended it, also if something wrong had been found before.
    pub stopped_by: Option<StoppedBy>,
    /// In the order found.
    pub errors: Vec<FoundError>,
    /// A closure of the user that panicked; then nothing else can be believed.
    pub broken: Option<BrokenProperty>,
    /// Reachable properties that were reached, and after how many events.
    pub reached: Vec<(String, usize)>,
    pub warnings: Vec<String>,
    /// Every event explored.
    pub transitions: u64,
    /// The length of the longest run, or the greatest distance of a state.
    pub depth: u32,
    /// Runs, where runs are explored.
    pub runs: u64,
    /// Bytes of the engine and the system at the end, about.
    pub memory_bytes: u64,
}

/// An error, and the number of the run that showed it.
#[derive(Clone, Debug)]
pub struct FoundError {
    pub violation: Violation,
    /// From 1; 0 where runs are not counted.
    pub interleaving: u64,
}
