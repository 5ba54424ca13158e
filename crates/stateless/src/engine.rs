//! The engine: counts runs, keeps limits, collects errors, tells the observer.
//! Not here: which run comes next (`explore`), what is wrong with a run (`findings`).

use crate::Config;
use crate::explore::{End, Explorer};
use crate::findings::{errors, finding};
use crate::index::{EventIdx, Idx};
use crate::pool::{self, Tally};
use crate::report::{ErrorInRun, Report, Run, RunEnd};
use foresee_lts::{BrokenProperty, Path, State, StoppedBy, System, Verdict};
use foresee_search::{Budget, Interleavings, Meter, Observer, Progress};
use foresee_stdx::halt::{self, Halted};
use std::sync::atomic::Ordering::Relaxed;

pub(crate) struct Engine<'a> {
    system: &'a dyn System,
    config: &'a Config,
    budget: Budget<'a>,
    observer: &'a mut dyn Observer,
    explorer: Explorer<'a>,
    initial: State,
    counts: Counts,
    findings: Vec<ErrorInRun>,
    tree: Vec<Run>,
    /// A worker has found an error, so a single explorer repeats the work: the report must not depend on timing.
    is_alone: bool,
    /// What ended the exploration.
    stop: Option<Stop>,
    warnings: Vec<String>,
}

/// More than may pass unseen.
const RUNS_BETWEEN_LOOKS: usize = 1 << 16;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    interleavings: u64,
    blocked: u64,
    erroneous: u64,
    erroneous_at_first: u64,
    cut_short: u64,
    depth: u32,
    events: u64,
    /// By workers.
    races: u64,
}

impl Counts {
    /// These and what workers have counted since.
    fn and(mut self, tally: &Tally) -> Counts {
        self.interleavings += tally.interleavings.load(Relaxed);
        self.events += tally.events.load(Relaxed);
        self.races += tally.races.load(Relaxed);
        self.depth = self.depth.max(tally.depth.load(Relaxed));
        self
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stop {
    Violation,
    Limit(StoppedBy),
    Confused,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(
        system: &'a dyn System,
        config: &'a Config,
        meter: &'a dyn Meter,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Engine {
            system,
            config,
            budget: Budget::new(meter, &config.limits),
            observer,
            explorer: Explorer::new(system, config),
            initial: State::new(),
            counts: Counts::default(),
            findings: Vec::new(),
            tree: Vec::new(),
            is_alone: false,
            stop: None,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn explore(&mut self) {
        for initial in self.system.initial() {
            self.initial = initial;
            self.explorer.start(&self.initial);
            while let Some(end) = self.explorer.next_run() {
                self.finish_run(end);
                if self.stop.is_some() {
                    return;
                }
                if self.is_time_for_workers() {
                    self.explore_with_workers();
                    if self.stop.is_some() {
                        return;
                    }
                }
                let is_enough = |max| self.counts.interleavings >= max;
                if self.config.limits.interleavings_max.is_some_and(is_enough)
                    && self.explorer.is_owing()
                {
                    self.stop = Some(Stop::Limit(StoppedBy::Interleavings));
                    return;
                }
            }
        }
    }

    fn is_time_for_workers(&self) -> bool {
        self.config.threads > 1
            && self.config.is_shareable()
            && !self.is_alone
            && self.counts.erroneous + self.counts.cut_short == 0
            && self.counts.interleavings >= self.config.runs_alone
            && self.tree.len() >= self.config.tree_max
    }

    /// Explores what is left with several workers. If a worker finds an error, its results are discarded and a single explorer
    /// repeats the work, so that the report does not depend on timing.
    fn explore_with_workers(&mut self) {
        let tally = Tally::default();
        let twin = self.explorer.twin();
        let before = self.counts;
        let halted = pool::explore(twin, self.config.threads, &tally, || {
            self.counts = before.and(&tally);
            self.poll(RUNS_BETWEEN_LOOKS);
            self.stop.is_some()
        });
        if let Some(halted) = halted {
            self.counts = before.and(&tally);
            return self.halt(halted);
        }
        if tally.has_news.load(Relaxed) && self.stop.is_none() {
            (self.counts, self.is_alone) = (before, true);
            return;
        }
        self.counts = before.and(&tally);
        if self.stop.is_none() {
            self.explorer.abandon();
        }
    }

    fn finish_run(&mut self, end: End) {
        self.counts.interleavings += 1;
        self.counts.depth = self.counts.depth.max(self.explorer.run().len() as u32);
        self.counts.events += self.explorer.run().len() as u64;
        let errors = errors(&self.explorer, end);
        let run_end = match end {
            _ if !errors.is_empty() => RunEnd::Erroneous,
            End::Complete => RunEnd::Complete,
            End::Blocked => RunEnd::SleepSetBlocked,
            End::Depth | End::Halted => RunEnd::DepthLimit,
        };
        self.counts.blocked += u64::from(end == End::Blocked);
        self.counts.cut_short += u64::from(end == End::Depth);
        self.keep_branch(run_end);
        if !errors.is_empty() {
            self.counts.erroneous += 1;
            if self.counts.erroneous == self.counts.interleavings {
                self.counts.erroneous_at_first += 1;
            }
            for wrong in errors {
                let number = self.counts.interleavings;
                self.report_finding(finding(&self.explorer, &self.initial, wrong, number));
            }
            if !self.config.keep_going {
                self.stop = Some(Stop::Violation);
            }
        }
        if self.explorer.is_confused() || self.explorer.watcher().broken().is_some() {
            self.stop = Some(Stop::Confused);
        }
        self.poll(1);
    }

    fn report_finding(&mut self, finding: ErrorInRun) {
        let it = &finding.violation;
        let is_same = |known: &ErrorInRun| {
            let known = &known.violation;
            let is_same_message = it.property.is_some() || known.message == it.message;
            known.kind == it.kind && known.property == it.property && is_same_message
        };
        if !self.findings.iter().any(is_same) {
            self.observer.violation(it);
            self.findings.push(finding);
        }
    }

    fn keep_branch(&mut self, end: RunEnd) {
        if self.tree.len() < self.config.tree_max {
            let shares =
                if self.tree.is_empty() { EventIdx::default() } else { self.explorer.shared() };
            let (interleaving, actions) =
                (self.counts.interleavings, self.explorer.actions_from(shares));
            self.tree.push(Run { interleaving, shares: shares.get(), actions, end });
        }
    }

    fn poll(&mut self, n_runs: usize) {
        let (explorer, system) = (&self.explorer, self.system);
        let memory = || (explorer.memory_bytes() + system.memory_bytes()) as u64;
        if let Some(limit) = self.budget.spend(n_runs, memory) {
            self.stop.get_or_insert(Stop::Limit(limit));
        }
        self.budget.reached(self.counts.events);
        if self.budget.progress_due() {
            self.tell_progress();
        }
    }

    fn tell_progress(&mut self) {
        let progress = Progress {
            transitions: self.counts.events,
            frontier: self.planned(),
            depth: self.counts.depth,
            memory_bytes: self.memory_bytes(),
            elapsed: self.budget.elapsed(),
            walks: self.counts.interleavings,
            ..Progress::default()
        };
        self.observer.progress(&progress);
        self.observer.interleavings(&Interleavings {
            explored: self.counts.interleavings,
            planned: progress.frontier,
            erroneous: self.counts.erroneous,
            estimated: self.estimated(),
            elapsed: progress.elapsed,
        });
    }

    fn planned(&self) -> u64 {
        self.explorer.n_planned()
    }

    fn estimated(&self) -> f64 {
        let known = (self.counts.interleavings + self.planned()) as f64;
        self.explorer.n_estimated().max(known)
    }

    fn memory_bytes(&self) -> u64 {
        (self.explorer.memory_bytes() + self.system.memory_bytes()) as u64
    }

    pub(crate) fn into_report(mut self) -> Report {
        self.tell_progress();
        if self.explorer.is_confused() {
            self.warnings.push(
                "the system offers two actions of one thread in one state, which this engine cannot order".to_owned(),
            );
        }
        Report {
            verdict: self.verdict(),
            stopped_by: self.stopped_by(),
            interleavings: self.counts.interleavings,
            planned: self.planned(),
            sleep_set_blocked: self.counts.blocked,
            erroneous_interleavings: self.counts.erroneous,
            findings: std::mem::take(&mut self.findings),
            reached: self.explorer.watcher().reached().to_vec(),
            broken: self.broken(),
            depth: self.counts.depth,
            events: self.counts.events,
            races: self.explorer.n_races() + self.counts.races,
            cut_short: self.counts.cut_short,
            erroneous_at_first: self.counts.erroneous_at_first,
            memory_bytes: self.memory_bytes(),
            tree: std::mem::take(&mut self.tree),
            warnings: std::mem::take(&mut self.warnings),
        }
    }

    /// The closure that panicked, and the run to the state on which it did.
    fn broken(&self) -> Option<BrokenProperty> {
        let (property, message, n_events) = self.explorer.watcher().broken()?.clone();
        let mut path = Path {
            initial: self.initial.clone(),
            actions: self.explorer.actions_from(EventIdx::default()),
        };
        path.actions.truncate(n_events);
        Some(BrokenProperty { property, message, path })
    }

    fn verdict(&self) -> Verdict {
        if self.stop == Some(Stop::Confused) {
            return Verdict::Error;
        }
        if !self.findings.is_empty() {
            return Verdict::Violated;
        }
        self.stopped_by().map_or(Verdict::Holds, Verdict::Inconclusive)
    }

    /// What kept the exploration from being complete; an error that ended it is none.
    fn stopped_by(&self) -> Option<StoppedBy> {
        match self.stop {
            Some(Stop::Limit(limit)) => Some(limit),
            Some(Stop::Violation | Stop::Confused) => None,
            None if self.counts.cut_short > 0 && !self.config.ignores_depth => {
                Some(StoppedBy::Depth)
            }
            None => self.explorer.is_cut().then_some(StoppedBy::Bound),
        }
    }

    /// A limit has struck in the middle of a run, or of what is made of one. What went wrong in it stays wrong.
    pub(crate) fn halt(&mut self, halted: Halted) {
        self.counts.depth = self.counts.depth.max(self.explorer.run().len() as u32);
        self.counts.events += self.explorer.run().len() as u64;
        let _undisturbed = halt::undisturbed();
        let number = self.counts.interleavings + 1;
        let end = self.explorer.ended().unwrap_or(End::Halted);
        for wrong in errors(&self.explorer, end) {
            self.report_finding(finding(&self.explorer, &self.initial, wrong, number));
        }
        self.stop.get_or_insert(Stop::Limit(halted.cause.into()));
        self.warnings.extend(halted.place.map(|place| format!("it was stopped while {place}")));
    }
}
