//! What an exploration found.

use crate::watch::Broken;
use foresee_lts::{Action, Path, StoppedBy, Verdict, Violation};

/// The result of one exploration.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// The limit that ended the exploration, also of one that had found something wrong before.
    pub stopped_by: Option<StoppedBy>,
    /// Runs explored, those given up as repetitions included.
    pub interleavings: u64,
    /// Runs known to be owed when the exploration ended.
    pub planned: u64,
    /// Runs given up because all that could happen had been explored elsewhere.
    pub sleep_set_blocked: u64,
    pub erroneous_interleavings: u64,
    /// The errors of the first erroneous run; with `keep_going`, the first run with each distinct error.
    pub findings: Vec<Finding>,
    /// For each watch that is a reachable property and was seen, after how many events.
    pub reached: Vec<Option<usize>>,
    /// A closure of the user that panicked; then nothing else can be believed.
    pub broken: Option<Broken>,
    /// The length of the longest run.
    pub depth: u32,
    /// Events of all runs, what they share counted each time.
    pub events: u64,
    /// Races seen.
    pub races: u64,
    /// Runs that reached the limit of depth.
    pub cut_short: u64,
    /// How many runs, from the first on, were erroneous before one was not.
    pub erroneous_at_first: u64,
    /// Bytes of the engine and the system at the end, about.
    pub memory_bytes: u64,
    /// The first runs as a tree, if asked for.
    pub tree: Vec<Run>,
    pub warnings: Vec<String>,
}

/// An error, the run in which it was found, and what raced in that run.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its path ends where the error shows.
    pub violation: Violation,
    /// The number of the run, from 1.
    pub interleaving: u64,
    /// The whole run, to its end.
    pub run: Path,
    /// Pairs of events of the run, by their places in it, that raced.
    pub races: Vec<(usize, usize)>,
}

/// One explored run as a branch of the exploration tree.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Run {
    /// From 1.
    pub interleaving: u64,
    /// How many events it shares with the run before it.
    pub shares: usize,
    /// Its events after those.
    pub actions: Vec<Action>,
    pub end: RunEnd,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RunEnd {
    Complete,
    Erroneous,
    /// Given up as a repetition.
    SleepSetBlocked,
    DepthLimit,
}
