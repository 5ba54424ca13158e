//! Forward exploration from some states, nearest first, for whoever wants to see each step.
//! Why beside the engines of `stateful`: they keep no transitions, stop at violations and start at the beginning. What is
//! asked here is about the part of the space that lies before one place, and it must be possible to go on later.
//! Invariants: states are numbered in the order in which they are found and expanded in that order; all before `next` have
//! been expanded or are closed; a state whose expansion was cut off is as if it had never begun, so it can begin again.

use crate::{
    Budget, Inserted, Limits, Meter, Observer, Progress, StateIndex, StateStore, VisitedKind,
};
use foresee_lts::{Action, Explorer, StoppedBy, Successors, System};
use foresee_stdx::halt;

/// What a visitor wants done with a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Found {
    Expand,
    /// It is not to be expanded.
    Close,
    /// Nothing more is wanted.
    Stop,
}

/// Sees what is found.
pub(super) trait Visitor {
    /// A new state.
    fn found(&mut self, state: &[u32]) -> Found;

    /// A step to a state, known or new; comes before `found` for what is new. False: nothing more is wanted.
    fn step(&mut self, before: &[u32], action: Action) -> bool {
        let _ = (before, action);
        true
    }

    /// All successors of the next state in line, in the order of its actions; none if it is at its end. False: nothing
    /// more is wanted.
    fn expanded(&mut self, state: &[u32], successors: &[StateIndex]) -> bool {
        let _ = (state, successors);
        true
    }

    /// The next state in line is not expanded.
    fn passed(&mut self) {}
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ended {
    /// All that can be reached was seen, but for what lies beyond the depth that was allowed.
    Explored,
    Limit(StoppedBy),
    /// The visitor wants no more: the state, and the action taken there if it was a step that ended it.
    Visitor(StateIndex, Option<Action>),
}

/// What was found so far.
pub(super) struct Forward {
    pub(super) store: StateStore,
    depths: Vec<u32>,
    closed: Vec<bool>,
    next: usize,
    /// Something lay too deep to be expanded.
    is_cut: bool,
    words: Vec<u64>,
}

impl Forward {
    pub(super) fn new() -> Self {
        let store = StateStore::new(VisitedKind::Exact, None);
        Forward {
            store,
            depths: Vec::new(),
            closed: Vec::new(),
            next: 0,
            is_cut: false,
            words: Vec::new(),
        }
    }

    /// The number of a state, if it was found.
    pub(super) fn find(&self, state: &[u32]) -> Option<StateIndex> {
        let mut words = vec![0; self.store.layout().n_words()];
        let fits = self.store.layout().encode(state, &mut words);
        fits.then(|| self.store.find(&words, self.store.identity(&words, 0)))?
    }

    /// Everything that can be reached was found.
    pub(super) fn is_complete(&self) -> bool {
        self.next == self.store.len() && !self.is_cut
    }

    /// A state from which to explore, at depth 0.
    pub(super) fn add_start(&mut self, state: &[u32], visitor: &mut dyn Visitor) -> Ended {
        match self.insert(state, StateIndex::NONE, 0) {
            (index, true) => match self.judge(index, state, visitor) {
                Some(ended) => ended,
                None => Ended::Explored,
            },
            _ => Ended::Explored,
        }
    }

    /// Explores until everything is found, a limit is reached or the visitor wants no more.
    pub(super) fn explore(
        &mut self,
        system: &dyn System,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
        visitor: &mut dyn Visitor,
    ) -> Ended {
        let _watching = halt::watch(meter.probe());
        let mut budget = Budget::new(meter, limits);
        let mut work = Work::new(system, limits);
        while self.next < self.store.len() {
            if let Some(ended) = self.advance(&mut work, visitor) {
                return ended;
            }
            let memory = || (self.store.bytes() + system.memory_bytes()) as u64;
            if let Some(limit) = budget.spend(1, memory) {
                return Ended::Limit(limit);
            }
            if budget.progress_due() {
                observer.progress(&self.progress(&budget, &work));
            }
        }
        Ended::Explored
    }

    /// The actions from the start of a state's first way to it.
    pub(super) fn actions_to(&self, system: &dyn System, state: StateIndex) -> Vec<Action> {
        let mut line = vec![state];
        let mut parent = self.store.parent(state);
        while !parent.is_none() {
            line.push(parent);
            parent = self.store.parent(parent);
        }
        line.reverse();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let limits = Limits::none();
        let mut work = Work::new(system, &limits);
        let mut actions = Vec::new();
        for pair in line.windows(2) {
            self.store.decode(pair[0], &mut before);
            self.store.decode(pair[1], &mut after);
            actions.push(work.action_between(&before, &after));
        }
        actions
    }

    /// Expands the next state in line.
    fn advance(&mut self, work: &mut Work<'_>, visitor: &mut dyn Visitor) -> Option<Ended> {
        let from = StateIndex(self.next as u32);
        let depth = self.depths[self.next];
        let is_deep = work.limits.depth_max.is_some_and(|max| depth >= max);
        if self.closed[self.next] || is_deep {
            self.is_cut |= !self.closed[self.next];
            visitor.passed();
            self.next += 1;
            return None;
        }
        self.store.decode(from, &mut work.state);
        if let Err(halted) = halt::until_halted(|| work.expand()) {
            return Some(Ended::Limit(halted.cause.into()));
        }
        work.targets.clear();
        for at in 0..work.successors.len() {
            let action = work.build(at);
            if !visitor.step(&work.state, action) {
                return Some(Ended::Visitor(from, Some(action)));
            }
            let room = work.limits.states_max.is_none_or(|max| (self.store.len() as u64) < max);
            if !room && self.find(&work.target).is_none() {
                return Some(Ended::Limit(StoppedBy::States));
            }
            let (index, is_new) = self.insert(&work.target, from, depth + 1);
            work.targets.push(index);
            if is_new && let Some(ended) = self.judge(index, &work.target, visitor) {
                return Some(ended);
            }
        }
        work.n_transitions += work.targets.len() as u64;
        self.next += 1;
        let wants_more = visitor.expanded(&work.state, &work.targets);
        (!wants_more).then_some(Ended::Visitor(from, None))
    }

    /// Asks the visitor about a state that was just put in.
    fn judge(
        &mut self,
        index: StateIndex,
        state: &[u32],
        visitor: &mut dyn Visitor,
    ) -> Option<Ended> {
        match halt::until_halted(|| visitor.found(state)) {
            Ok(Found::Expand) => None,
            Ok(Found::Close) => {
                self.closed[index.0 as usize] = true;
                None
            }
            Ok(Found::Stop) => Some(Ended::Visitor(index, None)),
            Err(halted) => Some(Ended::Limit(halted.cause.into())),
        }
    }

    fn insert(&mut self, state: &[u32], parent: StateIndex, depth: u32) -> (StateIndex, bool) {
        self.words.resize(self.store.layout().n_words(), 0);
        while !self.store.layout().encode(state, &mut self.words) {
            let misfits = self.store.layout().misfits(state);
            self.store.widen(&misfits);
            self.words.resize(self.store.layout().n_words(), 0);
        }
        let identity = self.store.identity(&self.words, 0);
        match self.store.insert(&self.words, identity, parent) {
            Inserted::New(index) => {
                self.depths.push(depth);
                self.closed.push(false);
                (index, true)
            }
            Inserted::Known(index) => (index, false),
            Inserted::Full => panic!("a store holds at most 2^32 - 3 states"),
        }
    }

    fn progress(&self, budget: &Budget<'_>, work: &Work<'_>) -> Progress {
        Progress {
            states: self.store.len() as u64,
            transitions: work.n_transitions,
            frontier: (self.store.len() - self.next) as u64,
            depth: self.depths[self.next.min(self.depths.len() - 1)],
            memory_bytes: (self.store.bytes() + work.system.memory_bytes()) as u64,
            elapsed: budget.elapsed(),
            walks: 0,
        }
    }
}

/// What one exploration needs while it runs.
struct Work<'a> {
    system: &'a dyn System,
    limits: &'a Limits,
    explorer: Box<dyn Explorer + 'a>,
    successors: Successors,
    state: Vec<u32>,
    target: Vec<u32>,
    targets: Vec<StateIndex>,
    n_transitions: u64,
}

impl<'a> Work<'a> {
    fn new(system: &'a dyn System, limits: &'a Limits) -> Self {
        Work {
            system,
            limits,
            explorer: system.explorer(),
            successors: Successors::default(),
            state: Vec::new(),
            target: Vec::new(),
            targets: Vec::new(),
            n_transitions: 0,
        }
    }

    fn expand(&mut self) {
        self.explorer.expand(&self.state, &mut self.successors);
    }

    /// Builds the successor at a position into `target`; its action.
    fn build(&mut self, at: usize) -> Action {
        let successor = *self.successors.iter().nth(at).expect("within the length");
        self.target.clone_from(&self.state);
        self.successors.apply(&successor, &mut self.target);
        successor.action
    }

    /// The first action that leads from one state to the other, which is a successor of it.
    fn action_between(&mut self, before: &[u32], after: &[u32]) -> Action {
        self.state.clear();
        self.state.extend_from_slice(before);
        self.expand();
        for at in 0..self.successors.len() {
            let action = self.build(at);
            if is_same(&self.target, after) {
                return action;
            }
        }
        panic!("a state that was found from another is a successor of it")
    }
}

/// Whether two states are equal; a missing slot counts as id 0.
fn is_same(one: &[u32], other: &[u32]) -> bool {
    let n = one.len().max(other.len());
    (0..n).all(|slot| one.get(slot).unwrap_or(&0) == other.get(slot).unwrap_or(&0))
}
