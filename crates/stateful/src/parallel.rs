//! A crew of threads for breadth-first search, with results equal to those of one thread.
//! A stretch of the frontier, a *round*, is cut into chunks and goes through four phases, each shared by all threads:
//! 1. *expand*, by chunk: successors against the store as it is; known ones are dropped, the others are routed to the shards of the index;
//! 2. *claim*, by shard: of equal candidates the first in the order of the frontier wins (`foresee_search::Shard::claim`);
//! 3. *keep*, by chunk: losers are dropped, the monitor judges the winners;
//! 4. *settle*, by shard: how many winners each chunk has says what their numbers are, and the index learns them, while the first thread
//!    appends them to the store and acts on what the monitor said.
//!
//! The first of equals wins and numbers follow the frontier, so numbers of states, parents, counts and the first violation are those of
//! one thread, whoever worked on what and when.
//! Why nobody can be left waiting: there is no barrier inside a phase. A thread that sees a limit ends the round for all by
//! lowering the number of chunks; one that unwinds is caught and counts as done. The first thread waits for the others at the end of each
//! phase, and for nothing else.
//! Invariant: a round is absorbed as a prefix of its chunks; the rest is expanded again in the next round.

use crate::bfs::Frontier;
use crate::engine::{Engine, Stop};
use crate::expander::{Batch, Expander};
use crate::monitor::Monitor;
use foresee_lts::StoppedBy;
use foresee_search::{Candidates, Pace, Shard, StateIndex, StateStore};
use foresee_stdx::{halt, stack};
use std::any::Any;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, LockResult, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

const CHUNK_MAX: usize = 256;
const ROUND_MIN_PER_THREAD: usize = 32;
const ROUND_MAX_PER_THREAD: usize = 16 * 1024;
/// A round should take about this long, so that limits and progress are looked at often enough.
const ROUND_TIME: Duration = Duration::from_millis(20);
/// Numbers that are left for claims; a store so full is filled by one thread.
const NUMBERS_LEFT_MIN: usize = 1 << 26;

/// The threads and what they share.
pub(crate) struct Crew<'s> {
    shared: &'s Shared,
    is_over: &'s IsOver<'s>,
    n_threads: usize,
    /// States taken from the frontier and not yet expanded.
    pending: Vec<StateIndex>,
    round_len: usize,
    pace: Pace,
}

/// Whether a limit was reached, for a thread that has done so many expansions.
type IsOver<'s> = dyn Fn(&mut Pace, usize) -> bool + Sync + 's;

/// What all threads see.
struct Shared {
    store: RwLock<StateStore>,
    round: RwLock<Round>,
    /// The shards of the store's index, while there are claims.
    shards: Vec<Mutex<Shard>>,
    desk: Mutex<Desk>,
    /// There is something on the desk.
    called: Condvar,
    /// Nobody works any more.
    finished: Condvar,
}

/// One stretch of the frontier.
#[derive(Default)]
struct Round {
    parents: Vec<StateIndex>,
    chunk_len: usize,
    /// One for each chunk, and some for later.
    chunks: Vec<RwLock<Batch>>,
    /// Chunks from here on do not belong to the round: a limit was reached, or an id did not fit.
    n_chunks: AtomicUsize,
    /// The next chunk or shard to work on.
    next: AtomicUsize,
    /// The number of each chunk's first winner.
    bases: Vec<u32>,
    /// Watches that still matter.
    is_active: Vec<bool>,
    /// Candidates of the last round went nowhere.
    forgets: bool,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Expand,
    Claim,
    Keep,
    Settle,
}

/// Where threads are told what to do and say that it is done.
#[derive(Default)]
struct Desk {
    phase: Option<Phase>,
    /// How many phases there were.
    serial: u64,
    n_working: usize,
    failure: Option<Box<dyn Any + Send>>,
    is_closed: bool,
    /// Held by all threads but the first.
    bytes: usize,
}

/// Nothing under a lock is left half done that anybody reads after a panic.
fn open<T>(lock: LockResult<T>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}

impl Crew<'_> {
    /// A frontier shorter than this is left to one thread; in tests the crew is to have its share of small searches, too.
    pub(crate) const WORTHWHILE: usize = if cfg!(debug_assertions) { 8 } else { 256 };

    /// Runs `explore` with as many threads as the search has, this one included.
    pub(crate) fn with<'a>(
        engine: &mut Engine<'a>,
        explore: impl FnOnce(&mut Engine<'a>, &mut Crew<'_>),
    ) {
        let shared = &Shared {
            store: RwLock::new(StateStore::new(engine.config.visited, None)),
            round: RwLock::default(),
            shards: StateStore::new(engine.config.visited, None)
                .take_shards()
                .into_iter()
                .map(Mutex::new)
                .collect(),
            desk: Mutex::default(),
            called: Condvar::new(),
            finished: Condvar::new(),
        };
        let (system, config) = (engine.system, engine.config);
        let is_over = &engine.budget.watch();
        std::thread::scope(|scope| {
            // Also when what follows unwinds.
            let _closing = Closing(shared);
            for _ in 1..config.threads {
                stack::spawn(scope, move || {
                    let expander = Expander::new(system, config);
                    let monitor = Monitor::new(config);
                    Worker { expander, monitor, pace: Pace::new(Duration::ZERO) }
                        .serve(shared, is_over);
                });
            }
            let mut crew = Crew {
                shared,
                is_over,
                n_threads: config.threads,
                pending: Vec::new(),
                round_len: config.threads * ROUND_MIN_PER_THREAD,
                pace: Pace::new(Duration::ZERO),
            };
            explore(engine, &mut crew);
        });
    }

    /// Whether the crew can work on a store of this size.
    pub(crate) fn can_serve(store: &StateStore) -> bool {
        store.len() < u32::MAX as usize - NUMBERS_LEFT_MIN
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
        self.begin(engine, frontier, end);
        self.swap_store(engine);
        let expanded = self.share(Phase::Expand, engine);
        let n_chunks = open(self.shared.round.read()).n_chunks.load(Relaxed);
        let claimed = expanded && self.claim(engine);
        self.swap_store(engine);
        if claimed {
            self.absorb(engine, frontier);
        }
        self.finish(engine, n_chunks);
        self.adapt(engine.budget.elapsed().saturating_sub(started));
    }

    /// Cuts the next round from the frontier.
    fn begin(&mut self, engine: &Engine<'_>, frontier: &mut Frontier, end: usize) {
        let mut round = open(self.shared.round.write());
        round.parents = std::mem::take(&mut self.pending);
        if round.parents.is_empty() {
            frontier.take(end, self.round_len, &mut round.parents);
        }
        let n_parents = round.parents.len();
        round.chunk_len = (n_parents / (4 * self.n_threads)).clamp(1, CHUNK_MAX);
        let n_chunks = n_parents.div_ceil(round.chunk_len);
        if round.chunks.len() < n_chunks {
            round.chunks.resize_with(n_chunks, RwLock::default);
        }
        *round.n_chunks.get_mut() = n_chunks;
        round.is_active.clear();
        round.is_active.extend(engine.monitor.are_active());
    }

    /// Has all threads do a phase, this one too; false if it failed.
    fn share(&mut self, phase: Phase, engine: &mut Engine<'_>) -> bool {
        self.call(phase);
        let (expander, monitor) = (&mut engine.expander, &mut engine.monitor);
        let is_over = |n| (self.is_over)(&mut self.pace, n);
        let work = || work(self.shared, phase, expander, monitor, is_over);
        let outcome = catch_unwind(AssertUnwindSafe(work));
        self.wait(outcome, engine)
    }

    fn call(&self, phase: Phase) {
        open(self.shared.round.read()).next.store(0, Relaxed);
        let mut desk = open(self.shared.desk.lock());
        desk.phase = Some(phase);
        desk.serial += 1;
        desk.n_working = self.n_threads - 1;
        desk.bytes = 0;
        self.shared.called.notify_all();
    }

    /// Waits until nobody works; false if anybody, or this thread with `outcome`, has failed.
    fn wait(&self, outcome: Result<(), Box<dyn Any + Send>>, engine: &mut Engine<'_>) -> bool {
        let mut desk = open(self.shared.desk.lock());
        while desk.n_working > 0 {
            desk = open(self.shared.finished.wait(desk));
        }
        engine.crew_bytes = desk.bytes;
        let failure = desk.failure.take().or(outcome.err());
        drop(desk);
        match failure {
            None => true,
            Some(panic) => {
                engine.halt(halt::halted(panic));
                false
            }
        }
    }

    /// Decides which candidates are new; false if that failed.
    fn claim(&mut self, engine: &mut Engine<'_>) -> bool {
        let shards = open(self.shared.store.write()).take_shards();
        for (place, shard) in self.shared.shards.iter().zip(shards) {
            *open(place.lock()) = shard;
        }
        let is_done = self.share(Phase::Claim, engine) && self.share(Phase::Keep, engine);
        if !is_done {
            let mut store = open(self.shared.store.write());
            self.put_shards(&mut store);
        }
        is_done
    }

    fn put_shards(&self, store: &mut StateStore) {
        let shards = self.shared.shards.iter();
        store.put_shards(shards.map(|shard| std::mem::take(&mut *open(shard.lock()))).collect());
    }

    /// Appends the winners to the store, while the other threads settle their numbers.
    fn absorb(&mut self, engine: &mut Engine<'_>, frontier: &mut Frontier) {
        self.number(engine.store.len());
        self.call(Phase::Settle);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let round = open(self.shared.round.read());
            for chunk in &round.chunks[..round.n_chunks.load(Relaxed)] {
                if !engine.is_stopped() {
                    let batch = open(chunk.read());
                    engine.append(&batch, frontier);
                }
            }
            drop(round);
            settle(self.shared);
        }));
        self.wait(outcome, engine);
        self.put_shards(&mut engine.store);
    }

    /// Gives each chunk the number of its first winner; `n_known` is that of the first of all.
    fn number(&self, n_known: usize) {
        let mut round = open(self.shared.round.write());
        let round = &mut *round;
        let mut next = n_known as u32;
        round.bases.clear();
        for chunk in &mut round.chunks[..*round.n_chunks.get_mut()] {
            round.bases.push(next);
            next += open(chunk.get_mut()).candidates.len() as u32;
        }
    }

    /// Notes what is left of the round, and makes room for what did not fit.
    fn finish(&mut self, engine: &mut Engine<'_>, n_chunks: usize) {
        let mut round = open(self.shared.round.write());
        let n_absorbed = (n_chunks * round.chunk_len).min(round.parents.len());
        self.pending = round.parents[n_absorbed..].to_vec();
        round.forgets = !self.pending.is_empty();
        if round.forgets && n_chunks < round.chunks.len() {
            let chunk = &mut round.chunks[n_chunks];
            let candidates = &mut open(chunk.get_mut()).candidates;
            if !candidates.misfits().is_empty() {
                engine.store.widen_for(candidates);
                candidates.take_misfits();
            }
        }
        let buffers: usize =
            round.chunks.iter_mut().map(|it| open(it.get_mut()).candidates.bytes()).sum();
        engine.crew_bytes += buffers;
        engine.finish(&round.parents[..n_absorbed]);
    }

    /// Exchanges the engine's store and the one that all threads see.
    fn swap_store(&self, engine: &mut Engine<'_>) {
        std::mem::swap(&mut *open(self.shared.store.write()), &mut engine.store);
    }

    fn adapt(&mut self, took: Duration) {
        let n = self.n_threads;
        if took > ROUND_TIME * 2 {
            self.round_len = (self.round_len / 2).max(n);
        } else if took < ROUND_TIME / 2 {
            self.round_len = (self.round_len * 2).min(n * ROUND_MAX_PER_THREAD);
        }
    }
}

/// Sends the threads home.
struct Closing<'s>(&'s Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        open(self.0.desk.lock()).is_closed = true;
        self.0.called.notify_all();
    }
}

/// One more thread.
struct Worker<'a> {
    expander: Expander<'a>,
    monitor: Monitor,
    pace: Pace,
}

impl Worker<'_> {
    fn serve(mut self, shared: &Shared, is_over: &IsOver<'_>) {
        let mut serial = 0;
        while let Some(phase) = next_phase(shared, &mut serial) {
            let (expander, monitor, pace) = (&mut self.expander, &mut self.monitor, &mut self.pace);
            let work = || work(shared, phase, expander, monitor, |n| is_over(pace, n));
            let outcome = catch_unwind(AssertUnwindSafe(work));
            let bytes = self.expander.bytes() + self.monitor.bytes();
            let mut desk = open(shared.desk.lock());
            desk.bytes += bytes;
            if let Err(panic) = outcome {
                desk.failure.get_or_insert(panic);
            }
            desk.n_working -= 1;
            if desk.n_working == 0 {
                shared.finished.notify_all();
            }
        }
    }
}

/// Waits for the phase after number `serial`; `None` when there are no more.
fn next_phase(shared: &Shared, serial: &mut u64) -> Option<Phase> {
    let mut desk = open(shared.desk.lock());
    while desk.serial == *serial && !desk.is_closed {
        desk = open(shared.called.wait(desk));
    }
    *serial = desk.serial;
    if desk.is_closed { None } else { desk.phase }
}

/// One thread's part of a phase.
fn work(
    shared: &Shared,
    phase: Phase,
    expander: &mut Expander<'_>,
    monitor: &mut Monitor,
    is_over: impl FnMut(usize) -> bool,
) {
    match phase {
        Phase::Expand => expand(shared, expander, is_over),
        Phase::Claim => claim(shared),
        Phase::Keep => keep(shared, monitor),
        Phase::Settle => settle(shared),
    }
}

fn expand(shared: &Shared, expander: &mut Expander<'_>, mut is_over: impl FnMut(usize) -> bool) {
    let (store, round) = (open(shared.store.read()), open(shared.round.read()));
    if round.forgets {
        expander.forget();
    }
    loop {
        let number = round.next.fetch_add(1, Relaxed);
        if number >= round.n_chunks.load(Relaxed) {
            return;
        }
        let start = number * round.chunk_len;
        let parents = &round.parents[start..round.parents.len().min(start + round.chunk_len)];
        let mut batch = open(round.chunks[number].write());
        expander.expand(&store, parents, &mut batch);
        if !batch.candidates.misfits().is_empty() {
            round.n_chunks.fetch_min(number, Relaxed);
            return;
        }
        batch.candidates.drop_known(&store);
        batch.candidates.route(&store);
        if is_over(parents.len()) {
            round.n_chunks.fetch_min(number + 1, Relaxed);
        }
    }
}

/// The candidates of a chunk, for reading.
struct Read<'r>(RwLockReadGuard<'r, Batch>);

impl Deref for Read<'_> {
    type Target = Candidates;

    fn deref(&self) -> &Candidates {
        &self.0.candidates
    }
}

fn read_chunks(round: &Round) -> Vec<Read<'_>> {
    let chunks = &round.chunks[..round.n_chunks.load(Relaxed)];
    chunks.iter().map(|chunk| Read(open(chunk.read()))).collect()
}

fn claim(shared: &Shared) {
    let (store, round) = (open(shared.store.read()), open(shared.round.read()));
    let chunks = read_chunks(&round);
    for_each(&round.next, shared.shards.len(), |number| {
        open(shared.shards[number].lock()).claim(number, &store, &chunks);
    });
}

fn keep(shared: &Shared, monitor: &mut Monitor) {
    let (store, round) = (open(shared.store.read()), open(shared.round.read()));
    monitor.retire_but(&round.is_active);
    for_each(&round.next, round.n_chunks.load(Relaxed), |number| {
        let mut batch = open(round.chunks[number].write());
        batch.candidates.keep_winners();
        Expander::judge(&store, monitor, &mut batch);
    });
}

fn settle(shared: &Shared) {
    let round = open(shared.round.read());
    let chunks = read_chunks(&round);
    for_each(&round.next, shared.shards.len(), |number| {
        let number_of = |chunk: usize, position| round.bases[chunk] + chunks[chunk].rank(position);
        open(shared.shards[number].lock()).settle(number_of);
    });
}

/// Takes numbers below `end`, one after the other, that no other thread takes.
fn for_each(next: &AtomicUsize, end: usize, mut work: impl FnMut(usize)) {
    loop {
        let number = next.fetch_add(1, Relaxed);
        if number >= end {
            return;
        }
        work(number);
    }
}

impl Engine<'_> {
    /// Appends winners to the store, in order, until there is a reason to stop. The counterpart of `absorb` for candidates that have their
    /// places in the index; between those of which there is something to say they go in all together.
    fn append(&mut self, batch: &Batch, frontier: &mut Frontier) {
        let transitions_before = self.transitions;
        let winners = &batch.candidates;
        let mut terminals = winners.terminals().iter().peekable();
        let mut hits = batch.hits.as_deref().unwrap_or_default();
        let mut position = 0;
        while !self.is_stopped() {
            while let Some(terminal) = terminals.next_if(|it| it.position <= position) {
                self.transitions = transitions_before + u64::from(terminal.ordinal);
                self.report_deadlock(terminal.state);
                if self.is_stopped() {
                    return;
                }
            }
            if position == winners.len() {
                break;
            }
            let next_terminal = terminals.peek().map_or(usize::MAX, |it| it.position);
            let next_hit = hits.first().map_or(usize::MAX, |(at, _)| *at);
            let plain_end = (position..winners.len().min(next_terminal).min(next_hit))
                .find(|at| winners.head(*at).faulty)
                .unwrap_or(winners.len().min(next_terminal).min(next_hit));
            let is_plain = plain_end > position;
            let end = if is_plain { plain_end } else { position + 1 };
            let n_before = self.store.len();
            if !self.store.append_all(winners, position..end) {
                let full_at = position + self.store.len() - n_before;
                self.transitions = transitions_before + u64::from(winners.head(full_at).ordinal);
                self.stop(Stop::Limit(StoppedBy::States));
                return;
            }
            if !is_plain {
                let head = winners.head(position);
                self.transitions = transitions_before + u64::from(head.ordinal) + 1;
                let n_hits = hits.iter().take_while(|(at, _)| *at == position).count();
                let state = StateIndex(n_before as u32);
                self.take_in(state, head.parent, head.faulty, Some(&hits[..n_hits]), frontier);
                hits = &hits[n_hits..];
            }
            position = end;
        }
        if self.is_stopped() {
            return;
        }
        self.transitions = transitions_before + u64::from(winners.n_transitions());
        if let Some((state, message)) = &batch.broken {
            self.report_broken(*state, "allow", message.clone());
        }
    }
}
