//! Workers: several explorers on one exploration tree.
//! Why the counts do not depend on who does what: see `shared_branches`. Which runs stand for the traces does depend on it, and so
//! would everything told of a single run; so workers only count. As soon as one meets something to tell (an error, a run that
//! is too long), all that the workers have done is forgotten, and one explorer goes on from where they began.
//! Not here: when workers begin, and what becomes of their counts (`engine`).

use crate::explore::{End, Explorer};
use crate::findings::errors;
use foresee_lts::System;
use foresee_stdx::halt::{self, Halted};
use foresee_stdx::stack;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the thread that waits for the workers sleeps before it looks at the meter.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What workers have counted.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) interleavings: AtomicU64,
    pub(crate) events: AtomicU64,
    pub(crate) races: AtomicU64,
    pub(crate) depth: AtomicU32,
    /// A worker has found something that a report must show.
    pub(crate) has_news: AtomicBool,
}

struct Pool<'a> {
    tally: &'a Tally,
    n_workers: usize,
    work: Mutex<Work<'a>>,
    changed: Condvar,
    /// Workers that wait, less what is there for them.
    n_wanting: AtomicUsize,
    is_stopped: AtomicBool,
    /// A limit has struck in the middle of a worker's run.
    halted: Mutex<Option<Halted>>,
}

struct Work<'a> {
    jobs: Vec<Explorer<'a>>,
    n_idle: usize,
}

/// Explores all that is pending in `explorer` with `n_workers` workers; `look` is called every now and then and says whether to stop.
pub(crate) fn explore<'a>(
    explorer: Explorer<'a>,
    n_workers: usize,
    tally: &'a Tally,
    mut look: impl FnMut() -> bool,
) -> Option<Halted> {
    let common = explorer.setup().rules.system;
    let systems: Vec<Option<Box<dyn System + '_>>> =
        (0..n_workers).map(|_| common.for_thread()).collect();
    let work = Work { jobs: vec![explorer], n_idle: 0 };
    let pool = Pool {
        tally,
        n_workers,
        work: Mutex::new(work),
        changed: Condvar::new(),
        n_wanting: AtomicUsize::new(0),
        is_stopped: AtomicBool::new(false),
        halted: Mutex::new(None),
    };
    std::thread::scope(|scope| {
        for system in &systems {
            stack::spawn(scope, || pool.serve(system.as_deref().unwrap_or(common)));
        }
        let mut work = pool.lock();
        while work.n_idle < n_workers && !pool.is_stopped.load(Relaxed) {
            let waited = pool.changed.wait_timeout(work, LOOK_EVERY);
            work = waited.unwrap_or_else(PoisonError::into_inner).0;
            if look() {
                pool.is_stopped.store(true, Relaxed);
            }
        }
        pool.is_stopped.store(true, Relaxed);
        drop(work);
        pool.changed.notify_all();
    });
    pool.halted.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Pool<'a> {
    fn lock(&self) -> MutexGuard<'_, Work<'a>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works off jobs, with the system as this worker knows it.
    fn serve(&self, system: &'a dyn System) {
        let _alarm = Alarm(self);
        if let Err(halted) = halt::until_halted(|| self.work_off(system)) {
            let mut first = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(halted);
        }
    }

    fn work_off(&self, system: &'a dyn System) {
        while let Some(mut explorer) = self.next_job() {
            explorer.use_system(system);
            while let Some(end) = explorer.next_run() {
                if self.count(&mut explorer, end) {
                    self.tally.has_news.store(true, Relaxed);
                    self.is_stopped.store(true, Relaxed);
                }
                if self.is_stopped.load(Relaxed) {
                    return;
                }
                if self.n_wanting.load(Relaxed) > 0 {
                    self.give(&mut explorer);
                }
            }
        }
    }

    /// Counts a run; true if a report must show it.
    fn count(&self, explorer: &mut Explorer<'_>, end: End) -> bool {
        let length = explorer.run().len();
        self.tally.interleavings.fetch_add(1, Relaxed);
        self.tally.events.fetch_add(length as u64, Relaxed);
        self.tally.races.fetch_add(explorer.take_n_races(), Relaxed);
        self.tally.depth.fetch_max(length as u32, Relaxed);
        end != End::Complete || explorer.is_confused() || !errors(explorer, end).is_empty()
    }

    fn give(&self, explorer: &mut Explorer<'a>) {
        let Some(job) = explorer.fork() else { return };
        let mut work = self.lock();
        work.jobs.push(job);
        self.update(&work);
        drop(work);
        self.changed.notify_all();
    }

    fn update(&self, work: &Work<'_>) {
        self.n_wanting.store(work.n_idle.saturating_sub(work.jobs.len()), Relaxed);
    }

    /// Waits for a job; `None` when there will be none.
    fn next_job(&self) -> Option<Explorer<'a>> {
        let mut work = self.lock();
        work.n_idle += 1;
        loop {
            if self.is_stopped.load(Relaxed) {
                return None;
            }
            if let Some(job) = work.jobs.pop() {
                work.n_idle -= 1;
                self.update(&work);
                return Some(job);
            }
            if work.n_idle == self.n_workers {
                drop(work);
                self.changed.notify_all();
                return None;
            }
            self.update(&work);
            work = self.changed.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops everybody when a worker ends, also by a panic; it wakes the waiting thread.
struct Alarm<'p, 'a>(&'p Pool<'a>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        self.0.is_stopped.store(true, Relaxed);
        self.0.changed.notify_all();
    }
}
