//! Properties of states, looked at along every run.
//! Why it is not enough to look: a trace has more states than the one run that stands for it. Two events of different nodes
//! commute, and a property of both nodes may fail only between them, in the order that is not run. So events that change what
//! one property reads are made dependent on each other: then whatever the property reads goes through the same values in every
//! order of a trace, and the order that is run shows them all.
//! A property that fails for good once it fails, whatever the order (`Predicate::is_lasting`), needs none of that.
//! After a pruned state nothing is looked at; so what prunes read belongs to what each property reads. The run goes on all the
//! same, because its races may lead to runs that avoid the pruned state.
//! Invariant: `changed` is asked with the states before and after an event, and answers one object for each property.

use foresee_lts::{Fault, Predicate, Property, PropertyKind, Reads, System};
use foresee_stdx::panic_text;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first of the objects that stand for what properties read; front ends number theirs by hashes.
const FIRST_OBJECT: u64 = 0x7761_7463_6865_6400;

/// A property to look at.
#[derive(Clone, Debug)]
pub struct Watch {
    pub property: Property,
    /// Events that change what it reads are dependent. Without this a property may be missed, never wrongly seen.
    pub is_ordering: bool,
}

impl Watch {
    /// As it is needed to miss nothing: all invariants that do not last order events, and so do those that do if states are
    /// pruned. Reachable properties do not: most are seen soon, and one that is not can be looked for again with this set.
    pub fn new(property: Property, has_prunes: bool) -> Watch {
        let is_invariant = property.kind == PropertyKind::Invariant;
        let is_ordering = is_invariant && (has_prunes || !property.predicate.is_lasting());
        Watch { property, is_ordering }
    }
}

/// What is looked at.
#[derive(Debug)]
pub(crate) struct Watches<'a> {
    watches: &'a [Watch],
    prunes: &'a [Predicate],
    /// What each watch reads, prunes included.
    reads: Vec<Reads>,
    of_prunes: Reads,
}

impl<'a> Watches<'a> {
    pub(crate) fn new(watches: &'a [Watch], prunes: &'a [Predicate]) -> Self {
        let of_prunes = prunes.iter().map(Predicate::reads);
        let of_prunes = of_prunes.fold(Reads::slots([]), |all, reads| all.union(reads));
        let reads = watches.iter().map(|it| it.property.predicate.reads().union(&of_prunes));
        Watches { watches, prunes, reads: reads.collect(), of_prunes }
    }

    pub(crate) fn is_ordering(&self) -> bool {
        !self.prunes.is_empty() || self.watches.iter().any(|watch| watch.is_ordering)
    }

    /// The objects of the properties that order events and notice a step. Where states are pruned, a step into a faulty
    /// state is also treated as dependent on the prunes.
    pub(crate) fn changed(
        &self,
        before: &[u32],
        after: &[u32],
        is_broken: impl FnOnce() -> bool,
    ) -> impl Iterator<Item = u64> {
        let watches = self.watches.iter().zip(&self.reads).enumerate();
        let changed = watches.filter_map(move |(number, (watch, reads))| {
            let is_noticed = watch.is_ordering && differs(reads, before, after);
            is_noticed.then_some(FIRST_OBJECT + 1 + number as u64)
        });
        let is_pruning =
            !self.prunes.is_empty() && (differs(&self.of_prunes, before, after) || is_broken());
        changed.chain(is_pruning.then_some(FIRST_OBJECT))
    }

    fn is_empty(&self) -> bool {
        self.watches.is_empty() && self.prunes.is_empty()
    }
}

/// What has been seen in the run so far.
#[derive(Debug)]
pub(crate) struct Watcher<'a> {
    /// Faults of the run, each with the number of events before it showed.
    faults: Vec<(usize, Fault)>,
    /// Invariants that failed in this run, with the number of events before.
    failed: Vec<(usize, &'a Property)>,
    /// Where the run came to a pruned state.
    pruned: Option<usize>,
    /// For each watch that is a reachable property and was seen, in any run, after how many events.
    reached: Vec<Option<usize>>,
    /// A closure that panicked: its name, what it said, the number of events before.
    broken: Option<(String, String, usize)>,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(watches: &Watches<'a>) -> Self {
        Watcher {
            faults: Vec::new(),
            failed: Vec::new(),
            pruned: None,
            reached: vec![None; watches.watches.len()],
            broken: None,
        }
    }

    /// For an explorer that goes on where this one is, and watches nothing but faults.
    pub(crate) fn with_faults_of(watches: &Watches<'a>, other: &Watcher<'_>) -> Self {
        Watcher { faults: other.faults.clone(), ..Watcher::new(watches) }
    }

    pub(crate) fn faults(&self) -> &[(usize, Fault)] {
        &self.faults
    }

    pub(crate) fn failed(&self) -> &[(usize, &'a Property)] {
        &self.failed
    }

    pub(crate) fn reached(&self) -> &[Option<usize>] {
        &self.reached
    }

    pub(crate) fn broken(&self) -> Option<&(String, String, usize)> {
        self.broken.as_ref()
    }

    /// Notes what is wrong with the state that the run has come to after `n_events`, unless it has come to a pruned state:
    /// what is wrong later does not count.
    pub(crate) fn note_fault(&mut self, system: &dyn System, state: &[u32], n_events: usize) {
        if self.pruned.is_some() {
            return;
        }
        if let Some(fault) = system.fault(state)
            && !self.faults.iter().any(|(_, known)| *known == fault)
        {
            self.faults.push((n_events, fault));
        }
    }

    /// Looks at the state that the run has come to after `n_events`.
    pub(crate) fn look(
        &mut self,
        watches: &Watches<'a>,
        before: Option<&[u32]>,
        state: &[u32],
        n_events: usize,
    ) {
        if watches.is_empty() || self.pruned.is_some() || self.broken.is_some() {
            return;
        }
        for (number, watch) in watches.watches.iter().enumerate() {
            let property = &watch.property;
            let is_noticed = before.is_none_or(|it| differs(&watches.reads[number], it, state));
            let is_known = self.reached[number].is_some()
                || self.failed.iter().any(|it| std::ptr::eq(it.1, property));
            if is_noticed && !is_known {
                match (property.kind, self.holds(&property.predicate, state, n_events)) {
                    (PropertyKind::Invariant, Some(false)) => {
                        self.failed.push((n_events, property))
                    }
                    (PropertyKind::Reachable, Some(true)) => self.reached[number] = Some(n_events),
                    _ => {}
                }
            }
        }
        let mut prunes = watches.prunes.iter();
        let is_pruned = prunes.any(|prune| self.holds(prune, state, n_events).unwrap_or(false));
        self.pruned = is_pruned.then_some(n_events);
    }

    /// `None` if it panics, which is noted.
    fn holds(&mut self, predicate: &Predicate, state: &[u32], n_events: usize) -> Option<bool> {
        match catch_unwind(AssertUnwindSafe(|| predicate.holds(state))) {
            Ok(answer) => Some(answer),
            Err(payload) => {
                let message = panic_text(&*payload);
                self.broken.get_or_insert((predicate.name().to_owned(), message, n_events));
                None
            }
        }
    }

    /// The run has been taken back to `n_events`.
    pub(crate) fn undo(&mut self, n_events: usize) {
        while self.faults.pop_if(|it| it.0 > n_events).is_some() {}
        self.failed.retain(|it| it.0 <= n_events);
        self.pruned = self.pruned.filter(|at| *at <= n_events);
    }

    /// The run has been taken back altogether, its initial state too.
    pub(crate) fn undo_all(&mut self) {
        self.undo(0);
        self.faults.clear();
        self.failed.clear();
        self.pruned = None;
    }
}

fn differs(reads: &Reads, before: &[u32], after: &[u32]) -> bool {
    match reads {
        Reads::All => before != after,
        Reads::Slots(slots) => slots.iter().any(|slot| before.get(*slot) != after.get(*slot)),
    }
}
