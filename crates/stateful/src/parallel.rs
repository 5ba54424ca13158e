//! A crew of threads for breadth-first search, with results equal to those of one thread.
//! A stretch of the frontier is cut into chunks. Workers expand chunks against the store as it was when the round began
//! (nobody writes), leave out what is known or was just seen and ask their monitors about the rest. Then one thread takes the chunks in
//! the order of the frontier through the same `Engine::absorb` that a single thread uses. So numbers of states, counts
//! and the first violation are those of one thread; only known successors and predicates are dealt with in parallel,
//! and they are most of the work.
//! Invariant: a round is absorbed as a prefix of its chunks; the rest is expanded again in the next round.

use crate::bfs::Frontier;
use crate::engine::Engine;
use crate::expander::{Batch, Expander};
use crate::monitor::Monitor;
use foresee_search::{Pace, StateIndex, StateStore};
use foresee_stdx::{halt, stack};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

const CHUNK_MAX: usize = 32;
const ROUND_MAX_PER_THREAD: usize = 4096;
/// A round should take about this long, so that limits and progress are looked at often enough.
const ROUND_TIME: Duration = Duration::from_millis(20);

/// The threads and what they share.
pub(crate) struct Crew<'s> {
    shared: &'s Shared,
    orders: Vec<Sender<Arc<Round>>>,
    results: Receiver<News>,
    /// States taken from the frontier and not yet expanded.
    pending: Vec<StateIndex>,
    round_len: usize,
}

/// What all threads see.
struct Shared {
    store: RwLock<StateStore>,
    /// Batches to be filled again.
    spare: Mutex<Vec<Batch>>,
}

/// One stretch of the frontier.
struct Round {
    parents: Vec<StateIndex>,
    chunk_len: usize,
    next: AtomicUsize,
    is_over: AtomicBool,
}

/// What workers send back.
#[expect(clippy::large_enum_variant, reason = "nearly all news are chunks")]
enum News {
    Chunk(usize, Batch),
    Done { bytes: usize },
    Failed(Box<dyn Any + Send>),
}

impl Round {
    fn n_chunks(&self) -> usize {
        self.parents.len().div_ceil(self.chunk_len)
    }

    fn chunk(&self, number: usize) -> &[StateIndex] {
        let start = number * self.chunk_len;
        &self.parents[start..self.parents.len().min(start + self.chunk_len)]
    }
}

impl Crew<'_> {
    /// A frontier shorter than this is left to one thread.
    pub(crate) const WORTHWHILE: usize = 256;

    /// Runs `explore` with as many workers as the search has threads.
    pub(crate) fn with<'a>(
        engine: &mut Engine<'a>,
        explore: impl FnOnce(&mut Engine<'a>, &mut Crew<'_>),
    ) {
        let store = RwLock::new(StateStore::new(engine.config.visited, None));
        let shared = &Shared { store, spare: Mutex::default() };
        let (system, config) = (engine.system, engine.config);
        let is_over = &engine.budget.watch();
        std::thread::scope(|scope| {
            let (news, results) = channel();
            let mut orders = Vec::new();
            for _ in 0..config.threads {
                let (order, rounds) = channel::<Arc<Round>>();
                let news = news.clone();
                orders.push(order);
                stack::spawn(scope, move || {
                    let expander = Expander::new(system, config);
                    let monitor = Monitor::new(config);
                    let worker = Worker { expander, monitor, shared, news };
                    worker.serve(&rounds, is_over);
                });
            }
            let round_len = config.threads * CHUNK_MAX;
            let mut crew = Crew { shared, orders, results, pending: Vec::new(), round_len };
            explore(engine, &mut crew);
            // The senders of orders end with the crew, and with them the workers.
        });
    }

    /// Whether there are states left over from earlier rounds.
    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Expands a stretch of the frontier before `end`.
    pub(crate) fn expand_some(
        &mut self,
        engine: &mut Engine<'_>,
        frontier: &mut Frontier,
        end: usize,
    ) {
        let started = engine.budget.elapsed();
        let round = Arc::new(self.next_round(frontier, end));
        let batches = self.carry_out(engine, &round);
        let n_absorbed = self.absorb(engine, frontier, &round, batches);
        let absorbed = (n_absorbed * round.chunk_len).min(round.parents.len());
        self.pending = round.parents[absorbed..].to_vec();
        engine.finish(&round.parents[..absorbed]);
        self.adapt(engine.budget.elapsed().saturating_sub(started));
    }

    fn next_round(&mut self, frontier: &mut Frontier, end: usize) -> Round {
        let mut parents = std::mem::take(&mut self.pending);
        if parents.is_empty() {
            frontier.take(end, self.round_len, &mut parents);
        }
        let chunk_len = (parents.len() / (4 * self.orders.len())).clamp(1, CHUNK_MAX);
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        Round { parents, chunk_len, next, is_over }
    }

    /// Lets the workers expand a round; the batches by chunk, `None` where nobody got to.
    fn carry_out(&mut self, engine: &mut Engine<'_>, round: &Arc<Round>) -> Vec<Option<Batch>> {
        self.swap_store(engine);
        for order in &self.orders {
            order.send(Arc::clone(round)).expect("workers live as long as the crew");
        }
        let mut batches: Vec<Option<Batch>> = (0..round.n_chunks()).map(|_| None).collect();
        let mut n_done = 0;
        engine.crew_bytes = 0;
        while n_done < self.orders.len() {
            match self.results.recv().expect("workers live as long as the crew") {
                News::Chunk(number, batch) => batches[number] = Some(batch),
                News::Done { bytes } => {
                    engine.crew_bytes += bytes;
                    n_done += 1;
                }
                News::Failed(panic) => {
                    round.is_over.store(true, Ordering::Relaxed);
                    engine.halt(halt::halted(panic));
                    n_done += 1;
                }
            }
        }
        self.swap_store(engine);
        batches
    }

    /// Takes in the first chunks of a round that fit the store's layout; answers how many.
    fn absorb(
        &mut self,
        engine: &mut Engine<'_>,
        frontier: &mut Frontier,
        round: &Round,
        batches: Vec<Option<Batch>>,
    ) -> usize {
        for (number, batch) in batches.into_iter().enumerate() {
            let Some(mut batch) = batch else { return number };
            let misfits = batch.candidates.misfits();
            if !misfits.is_empty() {
                engine.store.widen(misfits);
                return number;
            }
            batch.candidates.sift(&engine.store);
            engine.absorb(&batch, frontier);
            if engine.is_stopped() {
                return number;
            }
            self.shared.spare.lock().expect("no panic while held").push(batch);
        }
        round.n_chunks()
    }

    /// Exchanges the engine's store and the one the workers see.
    fn swap_store(&self, engine: &mut Engine<'_>) {
        let mut shared = self.shared.store.write().expect("no worker writes");
        std::mem::swap(&mut *shared, &mut engine.store);
    }

    fn adapt(&mut self, took: Duration) {
        let n_threads = self.orders.len();
        if took > ROUND_TIME * 2 {
            self.round_len = (self.round_len / 2).max(n_threads);
        } else if took < ROUND_TIME / 2 {
            self.round_len = (self.round_len * 2).min(n_threads * ROUND_MAX_PER_THREAD);
        }
    }
}

/// One thread of the crew.
struct Worker<'a> {
    expander: Expander<'a>,
    monitor: Monitor,
    shared: &'a Shared,
    news: Sender<News>,
}

impl Worker<'_> {
    fn serve(
        mut self,
        rounds: &Receiver<Arc<Round>>,
        is_over: &(impl Fn(&mut Pace, usize) -> bool + Sync),
    ) {
        let mut pace = Pace::new(Duration::ZERO);
        for round in rounds {
            let store = self.shared.store.read().expect("no worker writes");
            let work = || self.work(&round, &store, |n| is_over(&mut pace, n));
            let outcome = catch_unwind(AssertUnwindSafe(work));
            drop(store);
            let bytes = self.expander.bytes() + self.monitor.bytes();
            let news = outcome.map_or_else(News::Failed, |()| News::Done { bytes });
            if self.news.send(news).is_err() {
                return; // the search is over
            }
        }
    }

    fn work(&mut self, round: &Round, store: &StateStore, mut is_over: impl FnMut(usize) -> bool) {
        self.expander.forget();
        while !round.is_over.load(Ordering::Relaxed) {
            let number = round.next.fetch_add(1, Ordering::Relaxed);
            if number >= round.n_chunks() {
                return;
            }
            let parents = round.chunk(number);
            let spare = self.shared.spare.lock().expect("no panic while held").pop();
            let mut batch = spare.unwrap_or_default();
            self.expander.expand(store, parents, &mut batch);
            if batch.candidates.misfits().is_empty() {
                batch.candidates.drop_known(store);
                Expander::judge(store, &mut self.monitor, &mut batch);
            }
            if self.news.send(News::Chunk(number, batch)).is_err() {
                return;
            }
            if is_over(parents.len()) {
                round.is_over.store(true, Ordering::Relaxed);
            }
        }
    }
}
