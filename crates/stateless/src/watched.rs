//! Properties of states, looked at along every run.
//! Why it is not enough to look: a trace has more states than the one run that stands for it. Two events of different nodes
//! commute, and a property of both nodes may fail only between them, in the order that is not run. So events that change what
//! one property reads are made dependent on each other: then whatever the property reads goes through the same values in every
//! order of a trace, and the order that is run shows them all.
//! A property that fails for good once it fails, whatever the order (`Predicate::is_lasting`), needs none of that.
//! After a pruned state nothing is looked at; so what prunes read belongs to what each property reads. The run goes on all the
//! same, because its races may lead to runs that avoid the pruned state.
//! Invariant: `changed` is asked with the states before and after an event, and answers one object for each property.

use foresee_lts::{Predicate, Property, PropertyKind, Reads, State};
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

/// What is looked at, and what has been seen in the run so far.
#[derive(Debug)]
pub(crate) struct Watcher<'a> {
    watches: &'a [Watch],
    prunes: &'a [Predicate],
    /// What each watch reads, prunes included.
    reads: Vec<Reads>,
    of_prunes: Reads,
    /// Invariants that failed in this run, with the number of events before.
    pub(crate) failed: Vec<(usize, usize)>,
    /// Where the run came to a pruned state.
    pruned: Option<usize>,
    /// For each watch that is a reachable property and was seen, in any run, after how many events.
    pub(crate) reached: Vec<Option<usize>>,
    /// A closure that panicked: its name, what it said, the number of events before.
    pub(crate) broken: Option<(String, String, usize)>,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(watches: &'a [Watch], prunes: &'a [Predicate]) -> Self {
        let of_prunes = prunes.iter().map(Predicate::reads);
        let of_prunes = of_prunes.fold(Reads::slots([]), |all, reads| all.union(reads));
        let reads = watches.iter().map(|it| it.property.predicate.reads().union(&of_prunes));
        Watcher {
            watches,
            prunes,
            reads: reads.collect(),
            of_prunes,
            failed: Vec::new(),
            pruned: None,
            reached: vec![None; watches.len()],
            broken: None,
        }
    }

    pub(crate) fn is_ordering(&self) -> bool {
        !self.prunes.is_empty() || self.watches.iter().any(|watch| watch.is_ordering)
    }

    /// Whether the run has come to a pruned state: what is wrong later does not count.
    pub(crate) fn is_pruned(&self) -> bool {
        self.pruned.is_some()
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

    /// Looks at the state that the run has come to after `n_events`.
    pub(crate) fn look(&mut self, before: Option<&[u32]>, state: &State, n_events: usize) {
        let has_nothing = self.watches.is_empty() && self.prunes.is_empty();
        if has_nothing || self.pruned.is_some() || self.broken.is_some() {
            return;
        }
        for number in 0..self.watches.len() {
            let is_noticed = before.is_none_or(|it| differs(&self.reads[number], it, state));
            let is_known =
                self.reached[number].is_some() || self.failed.iter().any(|it| it.1 == number);
            if is_noticed && !is_known {
                self.look_at(number, state, n_events);
            }
        }
        let prunes = self.prunes;
        let is_pruned =
            prunes.iter().any(|prune| self.holds(prune, state, n_events).unwrap_or(false));
        self.pruned = is_pruned.then_some(n_events);
    }

    fn look_at(&mut self, number: usize, state: &State, n_events: usize) {
        let Property { kind, predicate } = &self.watches[number].property;
        match (kind, self.holds(predicate, state, n_events)) {
            (PropertyKind::Invariant, Some(false)) => self.failed.push((n_events, number)),
            (PropertyKind::Reachable, Some(true)) => self.reached[number] = Some(n_events),
            _ => {}
        }
    }

    /// `None` if it panics, which is noted.
    fn holds(&mut self, predicate: &Predicate, state: &State, n_events: usize) -> Option<bool> {
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
        self.failed.retain(|it| it.0 <= n_events);
        self.pruned = self.pruned.filter(|at| *at <= n_events);
    }

    pub(crate) fn property(&self, number: usize) -> &'a Property {
        &self.watches[number].property
    }
}

fn differs(reads: &Reads, before: &[u32], after: &[u32]) -> bool {
    match reads {
        Reads::All => before != after,
        Reads::Slots(slots) => slots.iter().any(|slot| before.get(*slot) != after.get(*slot)),
    }
}
