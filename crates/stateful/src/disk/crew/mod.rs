//! A search by several workers, in one process or on several machines: each owns the states whose keys fall into its range.
//! How: every worker is a search on disk (or with its files in memory) over the states that it owns. While a level is expanded, successors that
//! belong to others are handed over (`channel.rs`), in rounds that bound what is on its way; at the end of the level each worker
//! merges its own candidates. What is decided is decided from figures that all workers have of all (`gather`), so all decide alike.
//! Why ranges of keys and not a hash of them: the first range belongs to the first worker, and so on, so that "worker, place in its level" is
//! the order of keys, and least parents and first violations are those of a search on disk by one worker.
//! Invariants: all workers go through the same phases; only the first worker reports; a limit ends a level early at all workers, never a merge.
//! Reading order: this file, `channel.rs` (states that travel), `arrive.rs` (what is done with them), `level.rs` (the loop), `tell.rs` (runs across workers),
//! `keep.rs` (manifests of all workers), `deal.rs` (taken up by another number of workers). Not here: sockets and threads (`foresee-cluster`).

mod arrive;
mod channel;
mod deal;
mod keep;
mod level;
mod links;
mod numbers;
mod tell;

pub(super) use channel::{Mirror, Outgoing};
pub use links::WORKERS_MAX;
pub(super) use links::{link_from_file, link_in_file};

use super::names::Names;
use super::{OnDisk, Search, Trouble, by_levels};
use crate::engine::Engine;
use crate::{Config, Report};
use foresee_lts::{StoppedBy, System};
use foresee_search::{
    ClusterError, DiskError, Exchange, MemoryDisk, Meter, Observer, Parcel, Volume,
};
use links::{PLACE_BITS, owner, parent};
use numbers::{Figures, limit_of, number_of, put_numbers, take_numbers};
use std::time::Duration;

/// Kinds of parcels: the first byte.
const CANDIDATES: u8 = 0;
/// Numbers for everybody, at the end of a phase.
const SAID: u8 = 1;
/// How far a worker is, for the first one.
const FIGURES: u8 = 2;
/// A limit has struck somewhere.
const STOP: u8 = 3;
/// The first worker wants to save what is done.
const PAUSE: u8 = 4;
/// A state of a run that is told.
const STATE: u8 = 5;

/// What became of a search by several workers.
#[derive(Clone, Debug)]
pub struct CrewReport {
    /// Of the whole search, at the first worker; what it says of verdict and limits is so at all.
    pub report: Report,
    /// Bytes of the files of all workers, if there are any.
    pub disk_bytes: Option<u64>,
    /// Bytes that workers have sent each other.
    pub bytes_exchanged: u64,
    /// States of the worker that has most of them, over the average.
    pub skew: f64,
    /// Levels that were there when the search was resumed.
    pub resumed_at: Option<u32>,
    /// The last level that can be taken up again, if states are kept.
    pub saved_at: Option<u32>,
}

/// Why a search by several workers could not go on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CrewError {
    Disk(DiskError),
    /// With the last level that is saved, if states are kept.
    Cluster(ClusterError, Option<u32>),
}

/// Takes part in a search by several workers: each calls this with the same system, settings and kind of place.
/// Without a place states are kept in memory. The report is that of [`crate::search_on_disk`], byte for byte, at the first worker.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{LocalExchange, NoMeter, Silent};
/// use foresee_stateful::{Config, search_in_crew};
/// let workers = LocalExchange::group(3);
/// let found = std::thread::scope(|scope| {
///     let work = |mut exchange: LocalExchange| {
///         search_in_crew(&Counters::new(3, 2), &Config::default(), &mut exchange, None, &NoMeter, &mut Silent)
///     };
///     let all: Vec<_> = workers.into_iter().map(|own| scope.spawn(move || work(own))).collect();
///     all.into_iter().map(|thread| thread.join().unwrap().unwrap()).next().unwrap()
/// });
/// assert_eq!(found.report.verdict, Verdict::Holds);
/// assert_eq!((found.report.states, found.report.transitions, found.report.depth), (27, 54, 6));
/// ```
///
/// # Errors
/// When a worker is lost or gives up, and when files cannot be read or written.
pub fn search_in_crew(
    system: &dyn System,
    config: &Config,
    exchange: &mut dyn Exchange,
    place: Option<&OnDisk<'_>>,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<CrewReport, CrewError> {
    assert!(exchange.workers() <= WORKERS_MAX, "a worker without a shard");
    let states_max = config.limits.states_max;
    let config = by_levels(config);
    let memory = MemoryDisk::default();
    let in_memory =
        OnDisk { disk: &memory, resume: false, bytes_max: None, identity: &[], of_worker: None };
    let (place, is_kept) = (place.unwrap_or(&in_memory), place.is_some());
    let mut engine = Engine::new(system, &config, meter, observer);
    let volume = Volume::new(place.disk, place.bytes_max);
    let mut search = Search::new(&mut engine, &volume, place, meter);
    search.states_max = states_max;
    search.names.keep_origins();
    search.share(exchange.workers_here());
    search.crew = Some(Crew::new(exchange, is_kept));
    let ended = search.work_together();
    let crew = search.crew.take().expect("nobody took it");
    let resumed_at = search.resumed_at;
    if let Err(trouble) = ended {
        return Err(crew.give_up(trouble));
    }
    let (figures, skew, saved_at) = (crew.total(), crew.skew(), crew.saved_at);
    drop(search);
    let mut report = engine.into_report();
    report.memory_bytes = figures.memory;
    Ok(CrewReport {
        report,
        disk_bytes: is_kept.then_some(figures.disk),
        bytes_exchanged: figures.sent,
        skew,
        resumed_at,
        saved_at,
    })
}

/// One worker's part in the crew.
pub(super) struct Crew<'e> {
    exchange: &'e mut dyn Exchange,
    index: usize,
    workers: usize,
    /// States are kept when the search ends.
    is_kept: bool,
    outgoing: Vec<Outgoing>,
    mirrors: Vec<Mirror>,
    /// What each worker said in this phase.
    said: Vec<Vec<u64>>,
    /// States of the run that is being told, the last first; at the first worker.
    run: Vec<Vec<u32>>,
    /// The limit that has struck elsewhere.
    stop: Option<StoppedBy>,
    is_pausing: bool,
    /// A filter has panicked at this place of the level, with this message.
    broken: Option<(u64, String)>,
    figures: Vec<Figures>,
    sent: u64,
    /// Bytes handed to the exchange in this round, and expansions.
    round_bytes: usize,
    round_expansions: usize,
    expansions_since_poll: usize,
    polled_at: Duration,
    /// States of the last level, of all workers.
    level_states: u64,
    saved_at: Option<u32>,
    epoch: u64,
}

impl<'e> Crew<'e> {
    fn new(exchange: &'e mut dyn Exchange, is_kept: bool) -> Self {
        let (index, workers) = (exchange.index(), exchange.workers());
        Crew {
            exchange,
            index,
            workers,
            is_kept,
            outgoing: (0..workers).map(|_| Outgoing::default()).collect(),
            mirrors: (0..workers).map(|_| Mirror::default()).collect(),
            said: vec![Vec::new(); workers],
            run: Vec::new(),
            stop: None,
            is_pausing: false,
            broken: None,
            figures: vec![Figures::default(); workers],
            sent: 0,
            round_bytes: 0,
            round_expansions: 0,
            expansions_since_poll: 0,
            polled_at: Duration::ZERO,
            level_states: 0,
            saved_at: None,
            epoch: 0,
        }
    }

    /// The worker to which a state belongs, if it is another one.
    #[inline]
    pub(super) fn elsewhere(&self, key: u128) -> Option<usize> {
        let owner = owner(key, self.workers);
        (owner != self.index).then_some(owner)
    }

    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A link to a parent of this worker's.
    pub(super) fn link(&self, position: u64, flags: u64) -> u64 {
        parent(self.index, position) << 2 | flags
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.is_pausing
    }

    /// Makes a successor that belongs to another worker a candidate there.
    pub(super) fn hand_over(&mut self, to: usize, names: &Names<'_>, numbers: &[u32], link: u64) {
        let before = self.outgoing[to].len();
        let full = self.outgoing[to].push(names, numbers, link);
        self.round_bytes += self.outgoing[to].len().saturating_sub(before);
        if let Some(parcel) = full {
            self.send(to, parcel);
        }
    }

    fn send(&mut self, to: usize, parcel: Vec<u8>) {
        self.sent += parcel.len() as u64;
        self.exchange.send(to, parcel);
    }

    fn send_all(&mut self, parcel: &[u8]) {
        for to in (0..self.workers).filter(|to| *to != self.index).collect::<Vec<_>>() {
            self.send(to, parcel.to_vec());
        }
    }

    fn send_waiting(&mut self) {
        for to in 0..self.workers {
            if let Some(parcel) = self.outgoing[to].take(CANDIDATES) {
                self.send(to, parcel);
            }
        }
        (self.round_bytes, self.round_expansions) = (0, 0);
    }

    pub(super) fn note_broken(&mut self, position: u64, message: String) {
        self.broken.get_or_insert((position, message));
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        let outgoing: usize = self.outgoing.iter().map(Outgoing::bytes).sum();
        outgoing + self.mirrors.iter().map(Mirror::bytes).sum::<usize>()
    }

    fn total(&self) -> Figures {
        let add = |a: Figures, b: &Figures| Figures {
            states: a.states + b.states,
            transitions: a.transitions + b.transitions,
            frontier: a.frontier + b.frontier,
            memory: a.memory + b.memory,
            disk: a.disk + b.disk,
            sent: a.sent + b.sent,
        };
        self.figures.iter().fold(Figures::default(), add)
    }

    fn skew(&self) -> f64 {
        let most = self.figures.iter().map(|it| it.states).max().unwrap_or(0);
        let average = self.total().states as f64 / self.workers as f64;
        if average > 0.0 { most as f64 / average } else { 1.0 }
    }

    /// Tells the others that this worker cannot go on, unless it is because of them.
    fn give_up(self, trouble: Trouble) -> CrewError {
        match trouble {
            Trouble::Cluster(error) => {
                self.exchange.give_up(&error.to_string());
                CrewError::Cluster(error, self.saved_at)
            }
            Trouble::Disk(error) => {
                self.exchange.give_up(&error.to_string());
                CrewError::Disk(error)
            }
        }
    }
}

/// A parcel that no worker of ours has sent.
fn senseless(parcel_from: usize) -> Trouble {
    let reason = format!("what worker {parcel_from} sent makes no sense");
    Trouble::Cluster(ClusterError::GaveUp { process: parcel_from, reason })
}
