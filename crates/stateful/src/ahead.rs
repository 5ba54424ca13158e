//! Walks ahead of their turn: threads take random walks on their own and note the steps; the engine's thread has the store learn of
//! them in the order of the walks' numbers.
//! Why this is the same as one thread: which steps a walk takes follows from its own random numbers and the states on its way, not from
//! the store. What does depend on the store (which states are new, what is found first, when to stop) is decided in turn.
//! Walks that come after the one at which the search stops were taken in vain; no more than a few for each thread.

use crate::engine::Engine;
use crate::expander::{Batch, Expander};
use crate::monitor::quietly;
use crate::walk::{Beginning, Extent, Steps};
use foresee_lts::{Action, Change, State, Successors};
use foresee_search::{StateIndex, StateStore};
use foresee_stdx::{halt, stack};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Walks that a thread may be ahead.
const AHEAD_MAX: u64 = 16;

/// Whoever waits for a walk looks at the limits this often.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// As if so much had been done that a look is due.
const LOOK_NOW: usize = 1 << 16;

/// A walk that was taken.
#[derive(Default)]
struct Recorded {
    steps: Vec<Step>,
    changes: Vec<Change>,
    end: End,
}

struct Step {
    action: Action,
    faulty: bool,
    /// Where its changes end.
    end: usize,
}

/// What comes after the last step.
#[derive(Default)]
enum End {
    /// Nothing: the walk was long enough, or leads on from here in no way.
    #[default]
    Quiet,
    /// Nothing can happen, and that is to be reported.
    Terminal,
    /// The filter panicked.
    Broken(String),
}

/// Where walks are handed over.
struct Desk {
    /// The next walk that nobody takes.
    next: u64,
    /// The walk whose turn it is.
    turn: u64,
    taken: BTreeMap<u64, Result<Recorded, Box<dyn Any + Send>>>,
    is_closed: bool,
}

struct Shared {
    desk: Mutex<Desk>,
    /// The search is over; whoever is on a walk ends it here.
    is_over: AtomicBool,
    /// The desk has changed.
    changed: Condvar,
}

impl Shared {
    fn desk(&self) -> std::sync::MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, desk: std::sync::MutexGuard<'d, Desk>) -> std::sync::MutexGuard<'d, Desk> {
        self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls `walk_all` with the steps of walks that threads take meanwhile.
pub(crate) fn with<'a>(
    engine: &mut Engine<'a>,
    extent: Extent,
    walk_all: impl FnOnce(&mut Engine<'a>, &mut InTurn<'_>),
) {
    let desk = Desk { next: 0, turn: 0, taken: BTreeMap::new(), is_closed: false };
    let shared = &Shared {
        desk: Mutex::new(desk),
        is_over: AtomicBool::new(false),
        changed: Condvar::new(),
    };
    let starts: &Vec<State> = &engine.starts.iter().map(|start| start.state.clone()).collect();
    let (system, config) = (engine.system, engine.config);
    std::thread::scope(|scope| {
        let _closing = Closing(shared);
        for _ in 0..config.threads {
            stack::spawn(scope, move || {
                let mut expander = Expander::new(system, config);
                let is_end = |state: &[u32]| {
                    let ends = config.goals.iter().chain(&config.prunes);
                    let holds = |end: &foresee_lts::Predicate| quietly(|| end.holds(state));
                    shared.is_over.load(Ordering::Relaxed)
                        || ends.map(holds).any(|it| it != Ok(false))
                };
                while let Some(walk) = next_walk(shared, extent, config.threads as u64) {
                    let beginning = extent.begin(walk);
                    let start = &starts[beginning.start];
                    let work = || record(&mut expander, beginning, start, is_end);
                    let recorded = catch_unwind(AssertUnwindSafe(work));
                    shared.desk().taken.insert(walk, recorded);
                    shared.changed.notify_all();
                }
            });
        }
        let mut steps =
            InTurn { shared, recorded: Recorded::default(), at: 0, one: Successors::default() };
        walk_all(engine, &mut steps);
    });
}

/// Waits for the next walk to take; `None` when there are no more.
fn next_walk(shared: &Shared, extent: Extent, n_threads: u64) -> Option<u64> {
    let mut desk = shared.desk();
    while !desk.is_closed && desk.next >= desk.turn + n_threads * AHEAD_MAX {
        desk = shared.wait(desk);
    }
    if desk.is_closed || desk.next >= extent.n_walks {
        return None;
    }
    desk.next += 1;
    Some(desk.next - 1)
}

/// Takes a walk.
fn record(
    expander: &mut Expander<'_>,
    mut beginning: Beginning,
    start: &[u32],
    is_end: impl Fn(&[u32]) -> bool,
) -> Recorded {
    let mut recorded = Recorded::default();
    let mut state = start.to_vec();
    for _ in 0..beginning.n_steps {
        if is_end(&state) {
            break;
        }
        let is_terminal = match expander.draw_from(&state, &mut beginning.habit) {
            Ok(is_terminal) => is_terminal,
            Err(message) => {
                recorded.end = End::Broken(message);
                break;
            }
        };
        let successors = expander.successors();
        let Some(successor) = successors.iter().next() else {
            recorded.end = if is_terminal { End::Terminal } else { End::Quiet };
            break;
        };
        recorded.changes.extend_from_slice(successors.changes(successor));
        let (action, faulty, end) = (successor.action, successor.faulty, recorded.changes.len());
        recorded.steps.push(Step { action, faulty, end });
        successors.apply(successor, &mut state);
    }
    recorded
}

/// Sends the threads home.
struct Closing<'s>(&'s Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.desk().is_closed = true;
        self.0.changed.notify_all();
    }
}

/// Walks that were taken, in turn.
pub(crate) struct InTurn<'s> {
    shared: &'s Shared,
    recorded: Recorded,
    /// The next step.
    at: usize,
    /// A buffer.
    one: Successors,
}

impl InTurn<'_> {
    /// Fills `batch` with step `at`, or with what comes after the last.
    fn fill(&mut self, at: usize, store: &StateStore, parent: StateIndex, batch: &mut Batch) {
        batch.reset(store);
        let Some(step) = self.recorded.steps.get(at) else {
            match &self.recorded.end {
                End::Quiet => {}
                End::Terminal => batch.candidates.push_terminal(parent),
                End::Broken(message) => batch.broken = Some((parent, message.clone())),
            }
            return;
        };
        let start = at.checked_sub(1).map_or(0, |before| self.recorded.steps[before].end);
        self.one.clear();
        self.one.push(step.action, 0, step.faulty, &self.recorded.changes[start..step.end]);
        let successor = *self.one.iter().next().expect("just pushed");
        batch.candidates.push(store, parent, &self.one, &successor);
    }
}

impl Steps for InTurn<'_> {
    fn begin(&mut self, engine: &mut Engine<'_>, walk: u64) -> bool {
        let mut desk = self.shared.desk();
        desk.turn = walk;
        self.shared.changed.notify_all();
        let taken = loop {
            if let Some(taken) = desk.taken.remove(&walk) {
                break taken;
            }
            // Limits are looked at however long a walk takes.
            let waited = self.shared.changed.wait_timeout(desk, LOOK_EVERY);
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
            engine.poll(LOOK_NOW);
            if engine.is_stopped() {
                return false;
            }
        };
        drop(desk);
        self.at = 0;
        match taken {
            Ok(recorded) => {
                self.recorded = recorded;
                true
            }
            Err(panic) => {
                engine.halt(halt::halted(panic));
                false
            }
        }
    }

    fn next(
        &mut self,
        _expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    ) {
        self.fill(self.at, store, parent, batch);
        self.at += 1;
    }

    fn again(
        &mut self,
        _expander: &mut Expander<'_>,
        store: &StateStore,
        parent: StateIndex,
        batch: &mut Batch,
    ) {
        self.fill(self.at - 1, store, parent, batch);
    }
}
