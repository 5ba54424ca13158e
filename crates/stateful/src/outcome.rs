//! How a search tells where it stands and, at the end, what came of it.

use crate::Report;
use crate::engine::{Engine, Stop};
use crate::local;
use foresee_lts::Verdict;
use foresee_search::Progress;

impl Engine<'_> {
    /// The report of a search that has ended.
    pub(crate) fn into_report(mut self) -> Report {
        self.tell_progress();
        if self.stop.is_none() {
            self.report_unreached();
        }
        let verdict = match (self.findings.violations.is_empty(), self.stop) {
            (_, Some(Stop::Broken)) => Verdict::Error,
            (false, _) => Verdict::Violated,
            (true, Some(Stop::Limit(limit))) => Verdict::Inconclusive(limit),
            (true, _) => Verdict::Holds,
        };
        let stopped_by = match self.stop {
            Some(Stop::Limit(limit)) => Some(limit),
            _ => None,
        };
        Report {
            verdict,
            stopped_by,
            states: self.n_states(),
            transitions: self.transitions,
            depth: self.depth,
            walks: self.walks,
            memory_bytes: self.memory_bytes(),
            store_bytes: self.store.bytes() as u64,
            collision_probability: self.store.collision_probability(),
            goal: self.findings.goals.first().cloned(),
            goals: self.findings.goals,
            violations: self.findings.violations,
            reached: self.findings.reached,
            warnings: self.warnings,
            at_once: self.shared.as_deref().map(local::Shared::n_taken),
            broken_property: self.findings.broken,
        }
    }

    pub(crate) fn tell_progress(&mut self) {
        let progress = Progress {
            states: self.n_states(),
            transitions: self.transitions + self.elsewhere.map_or(0, |it| it.transitions),
            frontier: self.frontier,
            depth: self.depth,
            memory_bytes: self.memory_bytes(),
            elapsed: self.budget.elapsed(),
            walks: self.walks,
        };
        if let Some((_, bytes)) = self.on_disk {
            self.observer.disk(bytes);
        }
        if let Some(elsewhere) = self.elsewhere {
            self.observer.crew(elsewhere.workers, elsewhere.exchanged, elsewhere.skew);
        }
        self.observer.progress(&progress);
    }
}
