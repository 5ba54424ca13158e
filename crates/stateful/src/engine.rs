//! The engine: the part that all strategies share.
//! A strategy decides which states to expand next ([`Order`] hears what is found); the engine expands them, puts what is
//! new into the store, asks the monitor about it, keeps the counts, and stops when there is a reason to.
//! Invariant: candidates enter in the order in which they were generated, so counts, the first violation and parent links
//! do not depend on how expansions were grouped or who did them.

use crate::expander::{Batch, Expander};
use crate::findings::{Cause, Findings};
use crate::local;
use crate::monitor::{Hit, Monitor, Role};
use crate::start::Start;
use crate::{BrokenProperty, Config};
use foresee_lts::{StoppedBy, System};
use foresee_search::{Budget, Inserted, Meter, Observer, StateIndex, StateStore};
use foresee_stdx::halt::Halted;
use std::sync::Arc;

/// What a strategy wants to hear.
pub(crate) trait Order {
    /// A new state; `expandable` unless it is pruned or a goal. An error is the message of a panic in a score.
    fn found(
        &mut self,
        store: &StateStore,
        state: StateIndex,
        expandable: bool,
    ) -> Result<(), String>;

    /// A known state was reached again, from `parent`. Not every time, unless the engine is told to (`hears_again`).
    fn met_again(&mut self, store: &mut StateStore, state: StateIndex, parent: StateIndex) {
        let _ = (store, state, parent);
    }
}

/// Why a search ended before everything was explored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Stop {
    Limit(StoppedBy),
    Violation,
    Goal,
    Broken,
    /// What was taken for granted has turned out to be wrong.
    Void,
}

/// What is known of workers that are not this engine's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    pub(crate) transitions: u64,
    pub(crate) memory: u64,
    pub(crate) workers: usize,
    pub(crate) exchanged: u64,
    pub(crate) skew: f64,
}

/// One search under way.
pub(crate) struct Engine<'a> {
    pub(crate) system: &'a dyn System,
    pub(crate) config: &'a Config,
    pub(crate) store: StateStore,
    pub(crate) monitor: Monitor,
    pub(crate) budget: Budget<'a>,
    pub(crate) findings: Findings,
    /// Where the search starts: the first states of the store.
    pub(crate) starts: Vec<Start>,
    pub(crate) depth: u32,
    pub(crate) transitions: u64,
    /// States found and not yet expanded, for progress.
    pub(crate) frontier: u64,
    pub(crate) walks: u64,
    /// Words of expanded states may be given back.
    pub(crate) releases: bool,
    /// Bytes held by workers other than this one.
    pub(crate) crew_bytes: usize,
    /// Where states are on disk: how many, and in how many bytes.
    pub(crate) on_disk: Option<(u64, u64)>,
    /// What other workers of the same search have done.
    pub(crate) elsewhere: Option<Elsewhere>,
    pub(crate) expander: Expander<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    /// A buffer.
    pub(crate) batch: Batch,
    pub(crate) stop: Option<Stop>,
    pub(crate) warnings: Vec<String>,
    hits: Vec<Hit>,
    /// Who touches what, if local steps are taken at once.
    pub(crate) shared: Option<Arc<local::Shared>>,
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
            store: StateStore::new(config.visited, config.limits.states_max),
            monitor: Monitor::new(config),
            budget: Budget::new(meter, &config.limits),
            findings: Findings::default(),
            starts: Vec::new(),
            depth: 0,
            transitions: 0,
            frontier: 0,
            walks: 0,
            releases: true,
            crew_bytes: 0,
            on_disk: None,
            elsewhere: None,
            expander: Expander::new(system, config),
            observer,
            batch: Batch::default(),
            hits: Vec::new(),
            stop: None,
            warnings: Vec::new(),
            shared: None,
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    pub(crate) fn stop(&mut self, stop: Stop) {
        self.stop.get_or_insert(stop);
    }

    /// A limit has struck in the middle of an event.
    pub(crate) fn halt(&mut self, halted: Halted) {
        self.stop(Stop::Limit(halted.cause.into()));
        self.warnings.extend(halted.place.map(|place| format!("it was stopped while {place}")));
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Expands `parents`, in order, and takes in what is new.
    pub(crate) fn expand(&mut self, parents: &[StateIndex], order: &mut impl Order) {
        let mut batch = std::mem::take(&mut self.batch);
        loop {
            self.shared.iter().for_each(|shared| shared.begin());
            self.expander.expand(&self.store, parents, &mut batch);
            if batch.candidates.misfits().is_empty() {
                break;
            }
            self.store.widen_for(&batch.candidates);
        }
        self.shared.iter().for_each(|shared| shared.end());
        batch.candidates.sift(&self.store);
        self.absorb(&batch, order);
        self.batch = batch;
        self.finish(parents);
    }

    /// Gives back what expanded states held, and looks at the limits.
    pub(crate) fn finish(&mut self, expanded: &[StateIndex]) {
        if self.releases {
            expanded.iter().for_each(|state| self.store.release(*state));
        }
        self.poll(expanded.len());
    }

    /// Puts the candidates of a batch into the store, in order, until there is a reason to stop.
    pub(crate) fn absorb(&mut self, batch: &Batch, order: &mut impl Order) {
        let transitions_before = self.transitions;
        let candidates = &batch.candidates;
        self.monitor.follow(self.store.layout());
        let mut terminals = candidates.terminals().iter().peekable();
        let mut judged = batch.hits.as_deref();
        for position in 0..candidates.len() {
            while let Some(terminal) = terminals.next_if(|t| t.position <= position) {
                self.transitions = transitions_before + u64::from(terminal.ordinal);
                self.report_deadlock(terminal.state);
                if self.is_stopped() {
                    return;
                }
            }
            let head = candidates.head(position);
            if !head.known.is_none() {
                order.met_again(&mut self.store, head.known, head.parent);
                continue;
            }
            match self.store.insert(candidates.words(position), head.identity, head.parent) {
                Inserted::Known(state) => order.met_again(&mut self.store, state, head.parent),
                Inserted::New(state) => {
                    self.transitions = transitions_before + u64::from(head.ordinal) + 1;
                    let is_plain = !head.faulty && judged.is_none() && {
                        let parent = self.store.words(head.parent);
                        !self.monitor.is_concerned(candidates.words(position), parent)
                    };
                    if is_plain {
                        self.tell_found(state, true, order);
                    } else {
                        let hits = hits_at(&mut judged, position);
                        self.take_in(state, head.parent, head.faulty, hits, order);
                    }
                }
                Inserted::Full => {
                    self.transitions = transitions_before + u64::from(head.ordinal);
                    if self.config.limits.states_max.is_none() {
                        self.warn("a store holds at most 2^32 - 3 states".to_owned());
                    }
                    self.stop(Stop::Limit(StoppedBy::States));
                }
            }
            if self.is_stopped() {
                return;
            }
        }
        for terminal in terminals {
            // Not those of states after it in the batch, which may be larger or smaller.
            self.transitions = transitions_before + u64::from(terminal.ordinal);
            self.report_deadlock(terminal.state);
            if self.is_stopped() {
                return;
            }
        }
        self.transitions = transitions_before + u64::from(candidates.n_transitions());
        if let (Some((state, message)), false) = (&batch.broken, self.is_stopped()) {
            self.report_broken(*state, "allow", message.clone());
        }
    }

    /// Looks at a state that was just inserted, after `parent`. `hits` is what the monitor said, if it was asked before.
    pub(crate) fn take_in(
        &mut self,
        state: StateIndex,
        parent: StateIndex,
        faulty: bool,
        hits: Option<&[(usize, Hit)]>,
        order: &mut impl Order,
    ) {
        if faulty {
            self.report_violation(state, Cause::Fault);
            if self.is_stopped() {
                return;
            }
        }
        let mut expandable = true;
        if !self.monitor.is_empty() {
            let mut own = std::mem::take(&mut self.hits);
            match hits {
                Some(hits) => own.extend(hits.iter().map(|(_, hit)| hit.clone())),
                None => self.examine(state, parent, &mut own),
            }
            for hit in own.drain(..) {
                expandable &= self.heed(state, hit);
            }
            self.hits = own;
        }
        if self.is_stopped() {
            return;
        }
        self.tell_found(state, expandable, order);
        if !expandable && self.releases {
            self.store.release(state);
        }
    }

    #[inline]
    fn tell_found(&mut self, state: StateIndex, expandable: bool, order: &mut impl Order) {
        if let Err(message) = order.found(&self.store, state, expandable) {
            self.report_broken(state, "score", message);
        }
    }

    /// From now on the order hears of every state that is reached again.
    pub(crate) fn hears_again(&mut self) {
        self.expander.remembers = false;
    }

    /// How many states to expand in one go.
    pub(crate) fn allowance(&self, batch_max: usize) -> usize {
        self.budget.allowance().min(batch_max)
    }

    /// The states found so far.
    pub(crate) fn n_states(&self) -> u64 {
        self.on_disk.map_or(self.store.len() as u64, |(states, _)| states)
    }

    /// Bytes of the engine and the system.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.own_bytes() + self.crew_bytes as u64 + self.elsewhere.map_or(0, |it| it.memory)
    }

    /// The same without what workers hold.
    pub(crate) fn own_bytes(&self) -> u64 {
        let engine = self.store.bytes() + self.monitor.bytes() + self.expander.bytes();
        (engine + self.system.memory_bytes()) as u64
    }

    /// Looks at the limits after some expansions, and tells the observer now and then.
    pub(crate) fn poll(&mut self, expansions: usize) {
        let (store, system) = (&self.store, self.system);
        let memory = || (store.bytes() + system.memory_bytes()) as u64;
        if let Some(limit) = self.budget.spend(expansions, memory) {
            self.stop(Stop::Limit(limit));
        }
        let besides = self.shared.as_deref().map_or(0, local::Shared::n_events);
        self.budget.reached(self.transitions + besides);
        if self.budget.progress_due() {
            self.tell_progress();
        }
        if self.shared.as_deref().is_some_and(local::Shared::is_void) {
            self.stop(Stop::Void);
        }
    }

    fn examine(&mut self, state: StateIndex, parent: StateIndex, hits: &mut Vec<Hit>) {
        let parent_words = (!parent.is_none()).then(|| self.store.words(parent));
        self.monitor.follow(self.store.layout());
        self.monitor.examine(self.store.layout(), self.store.words(state), parent_words, hits);
    }

    /// Acts on what a watch said of a state; false if the state is not to be expanded.
    pub(crate) fn heed(&mut self, state: StateIndex, hit: Hit) -> bool {
        if self.is_stopped() || !self.monitor.is_active(hit.watch) {
            return true;
        }
        if let Some(message) = hit.panic {
            let name = self.monitor.predicate(hit.watch).name().to_owned();
            self.report_broken(state, &name, message);
            return true;
        }
        match self.monitor.role(hit.watch) {
            Role::Invariant => {
                self.report_violation(state, Cause::Watch(hit.watch));
                true
            }
            Role::Reachable => {
                self.report_reached(state, hit.watch);
                true
            }
            Role::Goal => {
                self.report_goal(state, hit.watch);
                false
            }
            Role::Prune => false,
        }
    }

    pub(crate) fn report_broken(&mut self, state: StateIndex, property: &str, message: String) {
        let path = self.path_to(state).unwrap_or_else(|lost| lost.path);
        let property = property.to_owned();
        self.findings.broken.get_or_insert(BrokenProperty { property, message, path });
        self.stop(Stop::Broken);
    }

    pub(crate) fn tell_violation(&mut self) {
        let violation = self.findings.violations.last().expect("just found");
        self.observer.violation(violation);
    }
}

/// The hits of the candidate at `position`, which are next in `judged`; `None` if nothing was judged.
fn hits_at<'h>(
    judged: &mut Option<&'h [(usize, Hit)]>,
    position: usize,
) -> Option<&'h [(usize, Hit)]> {
    let rest = (*judged)?;
    let start = rest.partition_point(|(at, _)| *at < position);
    let end = start + rest[start..].iter().take_while(|(at, _)| *at == position).count();
    *judged = Some(&rest[end..]);
    Some(&rest[start..end])
}
