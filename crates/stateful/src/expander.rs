//! The expander: one worker's way from states in the store to candidates for it.

use crate::habit::{Habit, Offers};
use crate::local::{Collapse, Collapsed};
use crate::monitor::{Hit, Monitor, quietly};
use crate::quotient::{self, Quotient};
use crate::{Allow, Config};
use foresee_lts::{Action, Explorer, PackedSuccessors, Successors, System};
use foresee_search::{Candidates, Misfit, Recent, StateIndex, StateStore, VisitedKind};

/// One worker's explorer and buffers.
pub(crate) struct Expander<'a> {
    system: &'a dyn System,
    explorer: Box<dyn Explorer + 'a>,
    allow: Option<&'a Allow>,
    reports_terminals: bool,
    /// Successors seen a short while ago are left out.
    pub(crate) remembers: bool,
    recent: Recent,
    state: Vec<u32>,
    successors: Successors,
    /// Of a state from which one action is drawn: those that are enabled, and those that were not tried.
    actions: Vec<Action>,
    offers: Offers,
    /// The words of the states being expanded, and their successors, where the explorer packs them.
    words: Vec<u64>,
    packed: PackedSuccessors,
}

/// The successors of a few states, with what is known of them before they enter the store.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) candidates: Candidates,
    /// The filter panicked on this state, with this message; nothing of it or after it is in the batch.
    pub(crate) broken: Option<(StateIndex, String)>,
    /// What the monitor says of the candidates, by position; `None` if it was not asked yet.
    pub(crate) hits: Option<Vec<(usize, Hit)>>,
}

impl Batch {
    pub(crate) fn reset(&mut self, store: &StateStore) {
        self.candidates.reset(store);
        self.broken = None;
        self.hits = None;
    }
}

impl<'a> Expander<'a> {
    pub(crate) fn new(system: &'a dyn System, config: &'a Config) -> Self {
        let mut expander = Expander::of_runs(system, config);
        if let Some(symmetry) = quotient::symmetry(system, config) {
            expander.explorer = Box::new(Quotient::new(system, expander.explorer, symmetry));
        }
        expander
    }

    /// From now on local steps are taken at once.
    pub(crate) fn collapse(&mut self, collapse: Collapse<'a>) {
        self.explorer = Box::new(Collapsed::new(collapse));
    }

    /// One that computes real successors, whatever the reduction.
    pub(crate) fn of_runs(system: &'a dyn System, config: &'a Config) -> Self {
        Expander {
            system,
            explorer: system.explorer(),
            allow: config.allow.as_ref(),
            reports_terminals: config.deadlock,
            remembers: true,
            recent: Recent::default(),
            state: Vec::new(),
            successors: Successors::default(),
            actions: Vec::new(),
            offers: Offers::default(),
            words: Vec::new(),
            packed: PackedSuccessors::default(),
        }
    }

    /// Fills `batch` with the successors of `parents`, in order.
    pub(crate) fn expand(&mut self, store: &StateStore, parents: &[StateIndex], batch: &mut Batch) {
        batch.reset(store);
        if self.remembers {
            self.recent.follow(store);
        }
        if self.expand_packed(store, parents, &mut batch.candidates) {
            return;
        }
        for &parent in parents {
            if let Err(message) = self.load(store, parent, &mut batch.candidates) {
                batch.broken = Some((parent, message));
                return;
            }
            batch.candidates.extend(store, parent, &self.successors, &mut self.recent);
        }
    }

    /// Fills `candidates` with successors that the explorer has packed; false if it does not, or if more must be known of them.
    fn expand_packed(
        &mut self,
        store: &StateStore,
        parents: &[StateIndex],
        candidates: &mut Candidates,
    ) -> bool {
        // A filter must see every action, a fingerprint needs the difference of hashes.
        if self.allow.is_some() || store.kind() != VisitedKind::Exact {
            return false;
        }
        let layout = store.layout();
        self.words.clear();
        parents.iter().for_each(|parent| self.words.extend_from_slice(store.words(*parent)));
        let (words, packed) = (&self.words, &mut self.packed);
        if !self.explorer.expand_packed(layout.fields(), layout.n_words(), words, packed) {
            return false;
        }
        for change in packed.misfits() {
            candidates.push_misfit(Misfit { slot: change.slot, id: change.id });
        }
        for (&parent, (range, n_transitions)) in parents.iter().zip(self.packed.states()) {
            if n_transitions == 0 && self.reports_terminals {
                store.decode(parent, &mut self.state);
                if !self.system.is_final(&self.state) {
                    candidates.push_terminal(parent);
                }
            }
            candidates.extend_packed(store, parent, &self.packed, range, &mut self.recent);
            candidates.add_transitions(n_transitions);
        }
        if cfg!(debug_assertions) && candidates.misfits().is_empty() {
            self.assert_packed(store, parents);
        }
        true
    }

    /// Panics unless packed successors are those that the explorer lists.
    fn assert_packed(&mut self, store: &StateStore, parents: &[StateIndex]) {
        let width = store.layout().n_words();
        let states = parents.iter().zip(self.packed.states());
        for (&parent, (mut range, n_transitions)) in states.filter(|(it, _)| it.0 % 8 == 0) {
            store.decode(parent, &mut self.state);
            self.successors.set_counts_loops(true);
            self.explorer.expand(&self.state, &mut self.successors);
            self.successors.assert_consistent(self.system, &self.state);
            assert_eq!(self.successors.n_transitions(), n_transitions, "transitions of {parent:?}");
            let changes = |it: &&_| !self.successors.changes(it).is_empty();
            for successor in self.successors.iter().filter(changes) {
                let position = range.next().expect("listed, so packed, too");
                let packed = self.packed.get(position);
                let expected = (successor.ordinal, successor.faulty);
                assert_eq!((packed.ordinal, packed.faulty), expected, "{parent:?}");
                let mut next = self.state.clone();
                self.successors.apply(successor, &mut next);
                let mut words = vec![0; width];
                assert!(store.layout().encode(&next, &mut words), "misfits are noted");
                assert_eq!(self.packed.words(position, width), words, "{parent:?}");
            }
            assert!(range.is_empty(), "packed, so listed, too");
        }
    }

    /// The successors of a state that are other states, whatever is allowed.
    pub(crate) fn changes_from(&mut self, state: &[u32]) -> &Successors {
        self.state.clear();
        self.state.extend_from_slice(state);
        // As when successors are packed, so that the explorer forgets nothing.
        self.successors.set_counts_loops(true);
        self.explorer.expand(&self.state, &mut self.successors);
        &self.successors
    }

    /// Must be called when successors were handed out that did not all go into the store.
    pub(crate) fn forget(&mut self) {
        self.recent.forget();
    }

    /// Fills `batch` with one successor of `parent` that is another state, drawn by the habit; none if there is none.
    pub(crate) fn choose(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        habit: &mut Habit,
        batch: &mut Batch,
    ) {
        batch.reset(store);
        store.decode(parent, &mut self.state);
        match self.draw(habit) {
            Ok(is_terminal) => {
                if is_terminal {
                    batch.candidates.push_terminal(parent);
                }
                if let Some(successor) = self.successors.iter().next() {
                    batch.candidates.push(store, parent, &self.successors, successor);
                }
            }
            Err(message) => batch.broken = Some((parent, message)),
        }
    }

    /// The same for a state that is not in the store.
    pub(crate) fn draw_from(&mut self, state: &[u32], habit: &mut Habit) -> Result<bool, String> {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.draw(habit)
    }

    /// Computes one random allowed successor of the state that is another state, as the walk's habit says; true if nothing can
    /// happen at all and that is to be reported. Actions are tried one after the other: a walk seldom comes back to a state, so
    /// computing all its successors would be in vain.
    fn draw(&mut self, habit: &mut Habit) -> Result<bool, String> {
        let (system, state, offers) = (self.system, &self.state, &mut self.offers);
        self.successors.clear();
        self.actions.clear();
        system.enabled(state, &mut self.actions);
        let is_terminal =
            self.reports_terminals && self.actions.is_empty() && !system.is_final(state);
        habit.begin(system, state, &self.actions, offers);
        while let Some(action) = habit.next(offers) {
            if let Some(allow) = self.allow
                && !quietly(|| allow(state, action))?
            {
                continue;
            }
            let next = system.step(state, action);
            if is_other(state, &next) {
                self.successors.push_step(system, state, action, &next);
                break;
            }
        }
        Ok(is_terminal)
    }

    /// The allowed successors of a state that is not in the store, with the state as the explorer wants it.
    pub(crate) fn successors_of(&mut self, state: &[u32]) -> Result<&Successors, String> {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.successors.set_counts_loops(false);
        self.explorer.expand(&self.state, &mut self.successors);
        self.filter()?;
        Ok(&self.successors)
    }

    /// What was computed last.
    pub(crate) fn successors(&self) -> &Successors {
        &self.successors
    }

    /// Asks the monitor about every candidate.
    pub(crate) fn judge(store: &StateStore, monitor: &mut Monitor, batch: &mut Batch) {
        monitor.follow(store.layout());
        let mut found = Vec::new();
        let mut hits = Vec::new();
        for position in 0..batch.candidates.len() {
            let (words, head) = (batch.candidates.words(position), batch.candidates.head(position));
            let parent = store.words(head.parent);
            if !monitor.is_concerned(words, parent) {
                continue;
            }
            monitor.examine(store.layout(), words, Some(parent), &mut hits);
            found.extend(hits.drain(..).map(|hit| (position, hit)));
        }
        batch.hits = Some(found);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.explorer.memory_bytes() + self.recent.bytes()
    }

    fn load(
        &mut self,
        store: &StateStore,
        parent: StateIndex,
        candidates: &mut Candidates,
    ) -> Result<(), String> {
        store.decode(parent, &mut self.state);
        // A filter must see every action.
        self.successors.set_counts_loops(self.allow.is_none());
        self.explorer.expand(&self.state, &mut self.successors);
        if cfg!(debug_assertions) && parent.0.is_multiple_of(64) {
            self.successors.assert_consistent(self.system, &self.state);
        }
        if self.reports_terminals
            && self.successors.is_empty()
            && !self.system.is_final(&self.state)
        {
            candidates.push_terminal(parent);
        }
        self.filter()
    }

    fn filter(&mut self) -> Result<(), String> {
        let Some(allow) = self.allow else { return Ok(()) };
        let (state, successors) = (&self.state, &mut self.successors);
        quietly(|| successors.retain(|successor| allow(state, successor.action)))
    }
}

/// Whether two states differ; a slot that is missing counts as id 0.
fn is_other(state: &[u32], next: &[u32]) -> bool {
    let n = state.len().max(next.len());
    let id = |state: &[u32], slot: usize| state.get(slot).copied().unwrap_or(0);
    (0..n).any(|slot| id(state, slot) != id(next, slot))
}
