//! What an exploration found.

use crate::Config;
use foresee_lts::{Action, BrokenProperty, Path, StoppedBy, Verdict, Violation};
use foresee_search::{Explored, FoundError};

/// The result of one exploration.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// The limit that ended the exploration, also of one that had found something wrong before.
    pub stopped_by: Option<StoppedBy>,
    /// Runs explored, those given up as repetitions included.
    pub interleavings: u64,
    /// Runs known to be pending when the exploration ended.
    pub planned: u64,
    /// Runs given up because all that could happen had been explored elsewhere.
    pub sleep_set_blocked: u64,
    pub erroneous_interleavings: u64,
    /// The errors of the first erroneous run; with `keep_going`, the first run with each distinct error.
    pub findings: Vec<ErrorInRun>,
    /// For each watch that is a reachable property and was seen, after how many events.
    pub reached: Vec<Option<usize>>,
    /// A closure of the user that panicked; then nothing else can be believed.
    pub broken: Option<BrokenProperty>,
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

impl Report {
    /// Of a system whose events cannot be told apart by who acts.
    pub(crate) fn without_threads() -> Report {
        let warning = "the system does not say who acts in an event, so its events cannot be put in another order";
        Report {
            verdict: Verdict::Error,
            stopped_by: None,
            interleavings: 0,
            planned: 0,
            sleep_set_blocked: 0,
            erroneous_interleavings: 0,
            findings: Vec::new(),
            reached: Vec::new(),
            broken: None,
            depth: 0,
            events: 0,
            races: 0,
            cut_short: 0,
            erroneous_at_first: 0,
            memory_bytes: 0,
            tree: Vec::new(),
            warnings: vec![warning.to_owned()],
        }
    }

    /// What does not depend on the engine; `config` is that of the exploration.
    pub fn explored(&self, config: &Config) -> Explored {
        let error = |found: &ErrorInRun| FoundError {
            violation: found.violation.clone(),
            interleaving: found.interleaving,
        };
        let watched = config.watches.iter().zip(&self.reached);
        let reached = watched
            .filter_map(|(it, n_events)| Some((it.property.name().to_owned(), (*n_events)?)));
        Explored {
            verdict: self.verdict,
            stopped_by: self.stopped_by,
            errors: self.findings.iter().map(error).collect(),
            broken: self.broken.clone(),
            reached: reached.collect(),
            warnings: self.warnings.clone(),
            transitions: self.events,
            depth: self.depth,
            runs: self.interleavings,
            memory_bytes: self.memory_bytes,
        }
    }
}

/// An error, the run in which it was found, and what raced in that run.
#[derive(Clone, Debug)]
pub struct ErrorInRun {
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
