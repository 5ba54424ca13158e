//! Breadth-first search on disk: for state spaces that memory does not hold, and for searches that are stopped and resumed.
//! How: level by level. The states of a level are read from their segment in the order of their keys and expanded; their successors are
//! candidates, sorted in memory and on disk. When the level is done the candidates are merged and held against the keys of all visited
//! states (delayed duplicate detection); what is new is the next level, again in the order of keys. So memory holds buffers,
//! components and what the system remembers, whatever the number of states.
//! Order: everything follows from keys, which follow from contents. A state's parent is the one with the least key; the violation
//! shown is that of the fewest steps, then of the least key; counts are those at the end of the level in which it was found.
//! Nothing depends on ids, on threads, on when memory was full or on how often the search was resumed.
//! While memory holds all states they are in the order of finding instead (`held.rs`), and keys are made when they are wanted (`order.rs`).
//! Invariants: `Place::save` names only files that are complete; what is not named by a manifest may be lost at any moment.
//! Reading order: this file (the loop), `expand.rs`, `merge.rs`, `held.rs` (the same while memory holds all states), `order.rs` (from there to keys), `names.rs` (components), `chain.rs` (from a state back to
//! its run), `checkpoint.rs` (save and resume). Not here: the files' formats (`foresee_search`, `segments/`).

mod buffer;
mod chain;
mod checkpoint;
mod crew;
mod expand;
mod held;
mod merge;
mod names;
mod order;
mod share;
mod trouble;

use crate::engine::{Engine, Stop};
use crate::{Config, Report, Strategy};
use buffer::Buffer;
use crew::Crew;
pub use crew::{CrewError, CrewReport, WORKERS_MAX, search_in_crew};
use expand::Worker;
use foresee_lts::{StoppedBy, System};
use foresee_search::{
    Disk, DiskError, FileInfo, Inserted, Known, LevelInfo, Limits, Meter, Misfit, Noted, Observer,
    Run, Seen, StateIndex, StateStore, VisitedKind, Volume,
};
use held::Held;
use merge::Find;
use names::Names;
use share::Share;
use std::sync::Arc;
use std::time::Duration;
use trouble::Trouble;

/// Where a search keeps its states.
#[derive(Clone, Copy)]
pub struct OnDisk<'a> {
    pub disk: &'a dyn Disk,
    /// Go on with the search that is there, instead of beginning one.
    pub resume: bool,
    /// Bytes of all files together.
    pub bytes_max: Option<u64>,
    /// What is searched, and by which program: whoever resumes must have the same.
    pub identity: &'a [(String, String)],
    /// Of a search by several workers, the directory of each of them, by number: another number of workers takes it up from there.
    pub of_worker: Option<OfWorker<'a>>,
}

/// The directory of a worker.
pub type OfWorker<'a> = &'a dyn Fn(usize) -> Arc<dyn Disk>;

/// What became of a search on disk.
#[derive(Clone, Debug)]
pub struct DiskReport {
    pub report: Report,
    /// Bytes of its files at the end.
    pub disk_bytes: u64,
    /// Components that have a number on disk.
    pub components: u64,
    /// Levels that were there when the search was resumed.
    pub resumed_at: Option<u32>,
}

/// Searches breadth-first with the states on disk. Of the settings, those that say what is explored and reported are heeded;
/// the strategy, and whether states are told apart by fingerprints, are not: keys have 128 bits.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent, SimulatedDisk};
/// use foresee_stateful::{Config, OnDisk, search_on_disk};
/// let disk = SimulatedDisk::default();
/// let place = OnDisk { disk: &disk, resume: false, bytes_max: None, identity: &[], of_worker: None };
/// let found = search_on_disk(&Counters::new(3, 2), &Config::default(), &place, &NoMeter, &mut Silent).unwrap();
/// let report = found.report;
/// assert_eq!(report.verdict, Verdict::Holds);
/// assert_eq!((report.states, report.transitions, report.depth), (27, 54, 6));
/// ```
///
/// # Errors
/// When there is nothing to resume, another search in the way, or files that cannot be read or written. A disk that is full is a
/// limit like others.
pub fn search_on_disk(
    system: &dyn System,
    config: &Config,
    place: &OnDisk<'_>,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<DiskReport, DiskError> {
    let states_max = config.limits.states_max;
    let config = by_levels(config);
    let mut engine = Engine::new(system, &config, meter, observer);
    let volume = Volume::new(place.disk, place.bytes_max);
    let mut search = Search::new(&mut engine, &volume, place, meter);
    search.states_max = states_max;
    search.hold_all();
    let ended = search.prepare().and_then(|()| search.tell_found());
    let ended = ended.map_err(Trouble::Disk).and_then(|()| search.run());
    match ended {
        Ok(()) => {}
        Err(Trouble::Disk(DiskError::Full)) => search.engine.stop(Stop::Limit(StoppedBy::Disk)),
        Err(Trouble::Disk(error)) => return Err(error),
        Err(Trouble::Cluster(_)) => unreachable!("one worker alone is no crew"),
    }
    search.note_figures();
    let (disk_bytes, components) = (volume.bytes(), search.names.len() as u64);
    let resumed_at = search.resumed_at;
    drop(search);
    Ok(DiskReport { report: engine.into_report(), disk_bytes, components, resumed_at })
}

/// What the engine is asked for when states are kept in segments: every state, breadth first. Its own store holds the runs
/// that are reported, and no limit is on them.
fn by_levels(config: &Config) -> Config {
    Config {
        strategy: Strategy::BreadthFirst,
        visited: VisitedKind::Exact,
        limits: Limits { states_max: None, ..config.limits.clone() },
        from: None,
        symmetry: false,
        por: false,
        ..config.clone()
    }
}

/// One search under way.
struct Search<'e, 'a> {
    engine: &'e mut Engine<'a>,
    volume: &'e Volume<'e>,
    place: &'e OnDisk<'e>,
    meter: &'e dyn Meter,
    names: Names<'a>,
    levels: Vec<LevelInfo>,
    components: Vec<FileInfo>,
    runs: Vec<Run>,
    /// Sorted candidates for the next level that memory did not hold.
    candidates: Vec<FileInfo>,
    /// Some of them are those of an earlier process, which may not have known all keys: there may be visited states among them.
    has_old_candidates: bool,
    buffer: Buffer,
    /// The last level, if there was room for it, so that it need not be read again.
    resident: Buffer,
    seen: Seen,
    /// The keys of all states of this worker, while memory holds them.
    known: Option<Known>,
    /// All states, while memory holds them and this worker is alone.
    held: Option<Held>,
    share: Share,
    /// `None` only while it works.
    worker: Option<Worker<'a>>,
    states_max: Option<u64>,
    /// States of the last level that are expanded.
    position: u64,
    states: u64,
    /// The first state of the last level in which nothing can happen, in the order of keys; and its key, or its place where the level is in that order.
    stuck: Option<u64>,
    stuck_order: u128,
    /// What was found in earlier levels.
    found: Vec<Noted>,
    next_file: u64,
    /// Files that count no longer; removed once a manifest says so.
    rubbish: Vec<String>,
    expanded_since_save: u64,
    saved_at: Duration,
    resumed_at: Option<u32>,
    /// The other workers, if there are any.
    crew: Option<Crew<'e>>,
}

impl<'e, 'a> Search<'e, 'a> {
    fn new(
        engine: &'e mut Engine<'a>,
        volume: &'e Volume<'e>,
        place: &'e OnDisk<'e>,
        meter: &'e dyn Meter,
    ) -> Self {
        let share = Share::of(engine.config.limits.memory_max, meter.memory_bytes());
        let names = Names::new(engine.system);
        let worker = Some(Worker::new(engine.system));
        Search {
            engine,
            volume,
            place,
            meter,
            names,
            levels: Vec::new(),
            components: Vec::new(),
            runs: Vec::new(),
            candidates: Vec::new(),
            has_old_candidates: false,
            buffer: Buffer::with_room(share.candidate_bytes),
            resident: Buffer::with_room(share.candidate_bytes),
            seen: Seen::new(share.seen_bytes),
            known: Some(Known::new(share.known_bytes)),
            held: None,
            share,
            worker,
            states_max: None,
            position: 0,
            states: 0,
            stuck: None,
            stuck_order: 0,
            found: Vec::new(),
            next_file: 0,
            rubbish: Vec::new(),
            expanded_since_save: 0,
            saved_at: meter.elapsed(),
            resumed_at: None,
            crew: None,
        }
    }

    /// From the start on, holds all states in memory, until there are too many. Whoever resumes has not met them; and of states on which a filter panics
    /// the first in the order of keys is told.
    fn hold_all(&mut self) {
        if !self.place.resume && self.engine.config.allow.is_none() {
            self.held = Some(Held::new(self.share.held_bytes));
            self.known = None;
        }
    }

    /// Explores level after level until nothing is new or there is a reason to stop.
    fn run(&mut self) -> Result<(), Trouble> {
        while !self.engine.is_stopped() && self.last_level().states > 0 {
            if self.engine.config.limits.depth_max == Some(self.depth()) {
                return self.close();
            }
            self.expand_level(true)?;
            if self.engine.is_stopped() {
                return Ok(self.save_at_stop()?);
            }
            let Some(finds) = self.merge_level()? else { return Ok(self.save_at_stop()?) };
            self.report(finds)?;
            if self.states_max.is_some_and(|max| self.states > max) {
                self.engine.stop(Stop::Limit(StoppedBy::States));
            }
            self.note_figures();
            self.save_if_due()?;
        }
        Ok(self.save()?)
    }

    /// At the limit on depth: whether it cuts anything off. Nothing is counted or kept.
    fn close(&mut self) -> Result<(), Trouble> {
        self.save()?;
        let (transitions, position) = (self.engine.transitions, self.position);
        self.expand_level(false)?;
        self.engine.transitions = transitions;
        if self.engine.is_stopped() {
            return Ok(());
        }
        let is_cut = self.has_new()?;
        if let Some(position) = self.stuck.take() {
            let level = self.depth();
            let state = self.insert_chain(level, position)?;
            self.engine.report_deadlock(state);
        }
        if is_cut {
            self.engine.stop(Stop::Limit(StoppedBy::Depth));
        }
        self.position = position;
        Ok(())
    }

    /// Nothing can happen in a state of the last level; of several the first is kept.
    fn note_stuck_at(&mut self, position: u64, order: u128) {
        if self.stuck.is_none() || order < self.stuck_order {
            (self.stuck, self.stuck_order) = (Some(position), order);
        }
    }

    /// Takes note of what a level has brought, and tells it.
    fn report(&mut self, finds: Vec<Find>) -> Result<(), DiskError> {
        let level = self.depth();
        let stuck = self.stuck.take().map(|position| Noted {
            what: merge::DEADLOCK,
            level: level - 1,
            position,
        });
        let finds =
            finds.into_iter().map(|find| Noted { what: find.what, level, position: find.position });
        for noted in stuck.into_iter().chain(finds) {
            if !self.engine.is_stopped() {
                self.tell(noted)?;
                self.found.push(noted);
            }
        }
        if self.last_level().states > 0 {
            self.engine.depth = self.depth();
        }
        Ok(())
    }

    /// The number of the last level; what is found next is one step further.
    fn depth(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    fn last_level(&self) -> &LevelInfo {
        self.levels.last().expect("a search starts somewhere")
    }

    /// Whether a state belongs to this worker.
    fn is_own(&self, key: u128) -> bool {
        self.crew.as_ref().is_none_or(|crew| crew.elsewhere(key).is_none())
    }

    fn workers(&self) -> usize {
        self.crew.as_ref().map_or(1, Crew::workers)
    }

    fn link_in_file(&self, link: u64) -> u64 {
        crew::link_in_file(link, self.workers())
    }

    fn link_from_file(&self, link: u64) -> u64 {
        crew::link_from_file(link, self.workers())
    }

    /// Whether the level is left for now because of what others do, or a filter that panicked.
    fn is_interrupted_by_crew(&self) -> bool {
        self.crew.as_ref().is_some_and(|crew| crew.is_pausing() || crew.is_broken())
    }

    /// Of memory that is used without a limit, this worker takes one of so many parts.
    fn share(&mut self, parts: usize) {
        let memory = self.engine.config.limits.memory_max;
        self.share = Share::of_part(memory, self.meter.memory_bytes(), parts);
        self.seen = Seen::new(self.share.seen_bytes);
        self.known = Some(Known::new(self.share.known_bytes));
    }

    fn new_name(&mut self, kind: &str) -> String {
        self.next_file += 1;
        format!("{kind}-{:06}", self.next_file)
    }

    /// Bytes that the search itself holds.
    fn bytes(&self) -> usize {
        let runs: usize = self.runs.iter().map(Run::bytes).sum();
        let worker = self.worker.as_ref().map_or(0, Worker::bytes);
        let crew = self.crew.as_ref().map_or(0, Crew::bytes);
        let states = self.buffer.bytes() + self.resident.bytes();
        let keys = self.seen.bytes() + self.known.as_ref().map_or(0, Known::bytes);
        let held = self.held.as_ref().map_or(0, Held::bytes);
        self.names.bytes() + states + keys + runs + worker + crew + held
    }

    /// Tells the engine what it says of the search to those who watch it.
    fn note_figures(&mut self) {
        if self.crew.is_some() {
            // A crew does it when it looks at what has arrived.
            return;
        }
        self.engine.on_disk = Some((self.states, self.volume.bytes()));
        self.engine.frontier = self.last_level().states.saturating_sub(self.position);
        self.engine.crew_bytes = self.bytes();
    }
}

/// Puts a state into the engine's own store, which holds only the runs that are reported.
fn insert(store: &mut StateStore, state: &[u32], parent: StateIndex) -> StateIndex {
    if !store.layout().misfits(state).is_empty() {
        // All ids are asked for: those that fit now only because there was room to spare may not fit later.
        let ids = (0u32..).zip(state).map(|(slot, id)| Misfit { slot, id: *id });
        store.widen(&ids.collect::<Vec<_>>());
    }
    let mut words = vec![0; store.layout().n_words()];
    let fits = store.layout().encode(state, &mut words);
    assert!(fits, "room was made");
    let identity = store.identity(&words, 0);
    match store.insert(&words, identity, parent) {
        Inserted::New(state) | Inserted::Known(state) => state,
        Inserted::Full => unreachable!("a run is shorter than any limit on states"),
    }
}
