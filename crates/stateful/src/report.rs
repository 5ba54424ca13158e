//! What a search found.

use foresee_lts::{BrokenProperty, Path, StoppedBy, Verdict, Violation, ViolationKind};
use foresee_search::{Explored, FoundError};

/// The result of one search.
///
/// The verdict is about the properties and faults. When a goal ended the search it is `Holds`, in the sense of "nothing
/// wrong until then": whether reaching the goal is good news or not is for the caller to say.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// The limit that ended the search, also of one that had found something wrong before.
    pub stopped_by: Option<StoppedBy>,
    /// Distinct states, those where the search starts included.
    pub states: u64,
    /// Every arrow explored: to known states and loops too.
    pub transitions: u64,
    /// The greatest number of steps from the start to a state found.
    pub depth: u32,
    /// One unless `keep_going`; then the first of each property and each distinct fault.
    pub violations: Vec<Violation>,
    /// The first goal state found: the goal's name and the way to it.
    pub goal: Option<(String, Path)>,
    /// All goal states found, up to `goals_max`, in the order found.
    pub goals: Vec<(String, Path)>,
    /// Reachable properties that were reached, with the way there (a shortest one in breadth-first search; which of them may
    /// depend on how it was searched, and only its length is told).
    pub reached: Vec<(String, Path)>,
    /// Random walks finished.
    pub walks: u64,
    /// Bytes of the engine and the system at the end.
    pub memory_bytes: u64,
    /// Bytes of the visited store at the end: states, parent links, index.
    pub store_bytes: u64,
    pub warnings: Vec<String>,
    /// The probability that a state was overlooked, for fingerprints.
    pub collision_probability: Option<f64>,
    /// How many steps were taken at once because nothing else can get in their way; `None` if that was not done.
    pub at_once: Option<u64>,
    /// A property, goal, prune, score or filter that panicked; the verdict is then [`Verdict::Error`],
    /// and violations found before it are still listed.
    pub broken_property: Option<BrokenProperty>,
}

impl Report {
    /// What does not depend on the engine.
    pub fn explored(&self) -> Explored {
        let error =
            |violation: &Violation| FoundError { violation: violation.clone(), interleaving: 0 };
        let reached = |(name, path): &(String, Path)| (name.clone(), path.actions.len());
        Explored {
            verdict: self.verdict,
            stopped_by: self.stopped_by,
            errors: self.violations.iter().map(error).collect(),
            broken: self.broken_property.clone(),
            reached: self.reached.iter().map(reached).collect(),
            warnings: self.warnings.clone(),
            transitions: self.transitions,
            depth: self.depth,
            runs: self.walks,
            memory_bytes: self.memory_bytes,
        }
    }

    /// Whether the only violations are of reachable properties that were not reached.
    pub fn is_unreached_only(&self) -> bool {
        self.violations.iter().all(|violation| violation.kind == ViolationKind::Property)
    }
}
