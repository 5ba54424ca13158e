//! The loop of depth-first and best-first search: one state at a time, chosen by an agenda.
//! Under a limit on depth a state must be expanded again when it is reached by a shorter way, or states within the limit
//! would be missed; then depths are kept for all states, and states, transitions and verdict are those of
//! breadth-first search under the same limit. Transitions of a state count once.

use crate::engine::{Engine, Order};
use foresee_search::{StateIndex, StateStore};
use foresee_stdx::ChunkedVec;

/// Which state comes next.
pub(crate) trait Agenda {
    /// Adds a state; an error is the message of a panic in a score.
    fn add(&mut self, store: &StateStore, state: StateIndex, depth: u32) -> Result<(), String>;
    /// Called after each expansion, when all its successors were added.
    fn settle(&mut self) {}
    fn next(&mut self) -> Option<(StateIndex, u32)>;
    fn len(&self) -> usize;
}

/// Expands states in the order of the agenda until there are no more.
pub(crate) fn explore(engine: &mut Engine<'_>, agenda: impl Agenda) {
    if engine.config.threads > 1 {
        engine.warn("--threads has no effect: this strategy explores with one thread".to_owned());
    }
    let depth_max = engine.config.limits.depth_max;
    let depths = depth_max.map(|_| Depths::default());
    if depth_max.is_some() {
        engine.releases = false;
        engine.hears_again();
    }
    let mut ordered = Ordered { agenda, depths, depth_next: 0 };
    engine.start(&mut ordered);
    ordered.agenda.settle();
    let mut cut = Vec::new();
    while !engine.is_stopped() {
        let Some((state, mut depth)) = ordered.agenda.next() else { break };
        let mut counts = true;
        if let Some(depths) = &mut ordered.depths {
            depth = depths.depth(state);
            if Some(depth) == depth_max {
                cut.push(state);
                continue;
            }
            match depths.begin(state) {
                Visit::First => {}
                Visit::Shorter => counts = false,
                Visit::Done => continue,
            }
        }
        ordered.depth_next = depth + 1;
        let (transitions, states) = (engine.transitions, engine.store.len());
        engine.expand(&[state], &mut ordered);
        ordered.agenda.settle();
        if !counts {
            engine.transitions = transitions;
        }
        if engine.store.len() > states {
            engine.depth = engine.depth.max(depth + 1);
        }
        engine.frontier = ordered.agenda.len() as u64;
    }
    if let Some(depths) = &ordered.depths {
        cut.retain(|state| Some(depths.depth(*state)) == depth_max);
        engine.depth = depths.deepest();
        engine.close(&cut);
    }
}

struct Ordered<A> {
    agenda: A,
    /// Kept under a limit on depth only.
    depths: Option<Depths>,
    /// The depth of the states being found.
    depth_next: u32,
}

impl<A: Agenda> Order for Ordered<A> {
    fn found(
        &mut self,
        store: &StateStore,
        state: StateIndex,
        expandable: bool,
    ) -> Result<(), String> {
        if let Some(depths) = &mut self.depths {
            depths.push(self.depth_next, expandable);
        }
        if expandable { self.agenda.add(store, state, self.depth_next) } else { Ok(()) }
    }

    fn met_again(&mut self, store: &mut StateStore, state: StateIndex, parent: StateIndex) {
        let Some(depths) = &mut self.depths else { return };
        if depths.depth(state) <= self.depth_next {
            return;
        }
        store.set_parent(state, parent);
        if depths.lower(state, self.depth_next) {
            // The score of a state that was added before did not panic then.
            let _ = self.agenda.add(store, state, self.depth_next);
        }
    }
}

/// The shortest distance found so far for each state, and whether it was expanded at that distance.
#[derive(Default)]
struct Depths {
    entries: ChunkedVec<u32>,
}

const EXPANDED: u32 = 1 << 31;
const COUNTED: u32 = 1 << 30;
const LEAF: u32 = 1 << 29;
const DEPTH: u32 = LEAF - 1;

enum Visit {
    First,
    Shorter,
    Done,
}

impl Depths {
    fn push(&mut self, depth: u32, expandable: bool) {
        assert!(depth <= DEPTH, "no run is that long");
        self.entries.push(depth | if expandable { 0 } else { LEAF });
    }

    fn depth(&self, state: StateIndex) -> u32 {
        self.entries.get(state.0 as usize) & DEPTH
    }

    /// Notes a shorter way; false if the state is not to be expanded at all.
    fn lower(&mut self, state: StateIndex, depth: u32) -> bool {
        let entry = self.entries.get(state.0 as usize);
        self.entries.set(state.0 as usize, entry & (COUNTED | LEAF) | depth);
        entry & LEAF == 0
    }

    /// Notes that the state is expanded now.
    fn begin(&mut self, state: StateIndex) -> Visit {
        let entry = self.entries.get(state.0 as usize);
        self.entries.set(state.0 as usize, entry | EXPANDED | COUNTED);
        match (entry & EXPANDED != 0, entry & COUNTED != 0) {
            (true, _) => Visit::Done,
            (false, true) => Visit::Shorter,
            (false, false) => Visit::First,
        }
    }

    fn deepest(&self) -> u32 {
        (0..self.entries.len()).map(|i| self.entries.get(i) & DEPTH).max().unwrap_or(0)
    }
}
