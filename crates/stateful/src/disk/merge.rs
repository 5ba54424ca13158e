//! Merging: the candidates of a level, sorted, against the keys of all visited states. What is left is the next level.

use super::Search;
use super::buffer::{Buffer, Head, PRUNED, REMARKABLE};
use super::crew::link_from_file;
use super::names::Names;
use crate::monitor::{Role, quietly};
use foresee_lts::Fault;
use foresee_search::{
    DiskError, FileInfo, Known, Layout, LevelInfo, Run, RunCursor, RunWriter, StateReader,
    StateWriter, Volume, merge_runs,
};

/// What was found, as a number: one of these, or the number of a watch and two.
pub(super) const DEADLOCK: u64 = 0;
pub(super) const FAULT: u64 = 1;
pub(super) const WATCH: u64 = 2;

/// Candidates looked at between two looks at the limits.
const LOOK_EVERY: u64 = 4096;
/// Runs that are left as they are while their keys are in memory.
const RUNS_MAX: usize = 32;

/// Something to tell of a new state, by its place in the new level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Find {
    pub(super) what: u64,
    pub(super) position: u64,
}

/// What new states have to say, in order.
pub(super) struct Finds {
    watches: Vec<(usize, Role)>,
    keep_going: bool,
    faults: Vec<Fault>,
    list: Vec<Find>,
}

impl Search<'_, '_> {
    /// Makes the candidates that are new the next level; `None` if it was stopped, and then nothing has changed.
    pub(super) fn merge_level(&mut self) -> Result<Option<Vec<Find>>, DiskError> {
        if self.held.is_some() {
            return self.merge_held();
        }
        self.leave_known_if_over()?;
        let n_max = self.n_candidates();
        let bits = self.bits_per_key(self.states + n_max);
        let names = [self.new_name("level"), self.new_name("run")];
        let [level_name, run_name] = names.clone();
        let mut level = StateWriter::new(self.volume, level_name, self.names.shape(), false)?;
        let mut keys = RunWriter::new(self.volume, run_name, n_max, bits);
        let mut finds = self.finds();
        self.buffer.sort();
        let workers = self.workers();
        let mut candidates = Candidates::new(self.volume, &self.candidates, &self.buffer, workers)?;
        let runs = std::mem::take(&mut self.runs);
        let mut visited = Visited::new(self.volume, &runs);
        let mut numbers = Vec::new();
        let mut n_looked = 0;
        // A level that leaves room for many more candidates stays in memory.
        let has_room = self.buffer.bytes() as u64 <= self.share.candidate_bytes / 4;
        let (has_files, is_new) = (!self.candidates.is_empty(), self.has_new_candidates_only());
        let mut stay = (!has_files && has_room).then(Vec::new);
        while let Some((key, mut link, source)) = candidates.least() {
            n_looked += 1;
            if n_looked % LOOK_EVERY == 0 && self.crew.is_none() && self.is_to_stop() {
                break;
            }
            if is_new || !visited.has(key)? {
                let layout = self.engine.store.layout();
                candidates.numbers(source, &self.buffer, layout, &mut self.names, &mut numbers);
                if link & REMARKABLE != 0 {
                    link |= self.look(&mut finds, level.len(), &numbers)?;
                }
                level.push(key, self.link_in_file(link), &numbers)?;
                keys.push(key)?;
                if let (Some(known), true) = (&mut self.known, has_files) {
                    // A candidate of before the search was taken up may not have been met since.
                    known.meet(key);
                }
                if let Some(stay) = &mut stay {
                    stay.push(candidates.head(&self.buffer, link));
                }
            }
            candidates.pass(key, &self.buffer)?;
        }
        drop(visited);
        self.runs = runs;
        if self.engine.is_stopped() {
            self.rubbish.extend(names);
            return Ok(None);
        }
        self.resident.clear();
        match stay {
            Some(stay) => {
                std::mem::swap(&mut self.resident, &mut self.buffer);
                self.resident.keep(stay, self.engine.store.layout());
            }
            // Memory is scarce: the room that it had is given back.
            None => self.resident = Buffer::with_room(self.share.candidate_bytes),
        }
        self.known.iter_mut().for_each(Known::next_level);
        self.forget_candidates();
        self.finish_level(level, keys)?;
        Ok(Some(finds.list))
    }

    /// What was written is the last level now.
    pub(super) fn finish_level(
        &mut self,
        level: StateWriter<'_, '_>,
        keys: RunWriter<'_, '_>,
    ) -> Result<(), DiskError> {
        let states = level.len();
        let (file, run) = (level.finish()?, keys.finish()?);
        self.levels.push(LevelInfo { states, file });
        self.states += states;
        self.position = 0;
        if states > 0 {
            self.runs.push(run);
            self.merge_runs()?;
        }
        Ok(())
    }

    /// Whether a candidate is new; they are forgotten.
    pub(super) fn has_new(&mut self) -> Result<bool, DiskError> {
        if self.held.is_some() {
            return Ok(self.has_found_held());
        }
        self.leave_known_if_over()?;
        self.buffer.sort();
        let mut candidates =
            Candidates::new(self.volume, &self.candidates, &self.buffer, self.workers())?;
        let mut visited = Visited::new(self.volume, &self.runs);
        let mut is_new = false;
        while !is_new && let Some((key, ..)) = candidates.least() {
            is_new = self.has_new_candidates_only() || !visited.has(key)?;
            candidates.pass(key, &self.buffer)?;
        }
        drop(visited);
        self.forget_candidates();
        Ok(is_new)
    }

    /// What is known in memory is no candidate.
    fn has_new_candidates_only(&self) -> bool {
        self.known.is_some() && !self.has_old_candidates
    }

    pub(super) fn is_to_stop(&mut self) -> bool {
        self.note_figures();
        // As long as some expansions.
        self.engine.poll(64);
        self.engine.is_stopped()
    }

    fn forget_candidates(&mut self) {
        self.rubbish.extend(self.candidates.drain(..).map(|file| file.name));
        self.has_old_candidates = false;
        self.buffer.clear();
        self.share.adapt(self.meter.memory_bytes());
    }

    fn n_candidates(&self) -> u64 {
        let written: u64 = self.candidates.iter().map(|file| file.records).sum();
        written + self.buffer.len() as u64
    }

    /// Merges the newest runs while the one before them is not more than twice as large.
    pub(super) fn merge_runs(&mut self) -> Result<(), DiskError> {
        if self.has_all_in_memory() && self.runs.len() <= RUNS_MAX {
            // Nobody looks into them.
            return Ok(());
        }
        let mut first = self.runs.len() - 1;
        let mut records = self.runs[first].info.records;
        while first > 0 && self.runs[first - 1].info.records <= 2 * records {
            first -= 1;
            records += self.runs[first].info.records;
        }
        if first + 1 < self.runs.len() { self.merge_from(first) } else { Ok(()) }
    }

    /// Makes these runs and those after them one.
    pub(super) fn merge_from(&mut self, first: usize) -> Result<(), DiskError> {
        if first < self.runs.len() {
            let name = self.new_name("run");
            let bits = self.bits_per_key(self.states);
            // It takes long, and the level that was just found is saved only afterwards.
            self.meter.saving(true);
            let merged = merge_runs(self.volume, &self.runs[first..], name, bits)?;
            self.rubbish.extend(self.runs.drain(first..).map(|run| run.info.name));
            self.runs.push(merged);
        }
        Ok(())
    }

    /// Bits of filter for each key of a run.
    pub(super) fn bits_per_key(&self, keys: u64) -> u64 {
        if self.has_all_in_memory() { 0 } else { self.share.bits_per_key(keys) }
    }

    /// When memory no longer holds all keys, the runs get their filters.
    fn leave_known_if_over(&mut self) -> Result<(), DiskError> {
        if self.known.as_ref().is_some_and(Known::is_over) {
            self.known = None;
            self.merge_from(0)?;
        }
        Ok(())
    }

    /// Whether what is visited is known without the files.
    fn has_all_in_memory(&self) -> bool {
        self.known.is_some() || self.held.is_some()
    }

    pub(super) fn finds(&self) -> Finds {
        let monitor = &self.engine.monitor;
        let roles = [Role::Invariant, Role::Reachable, Role::Goal, Role::Prune];
        let of_role = |role: Role| monitor.active(role).map(move |watch| (watch, role));
        let mut watches: Vec<(usize, Role)> = roles.into_iter().flat_map(of_role).collect();
        watches.sort_unstable_by_key(|(watch, _)| *watch);
        let keep_going = self.engine.config.keep_going;
        Finds { watches, keep_going, faults: Vec::new(), list: Vec::new() }
    }

    /// What is to be told of a new state; the flags that it gets.
    pub(super) fn look(
        &mut self,
        finds: &mut Finds,
        position: u64,
        numbers: &[u32],
    ) -> Result<u64, DiskError> {
        let mut state = Vec::new();
        self.load(numbers, self.engine.store.layout().n_slots(), &mut state)?;
        Ok(self.look_at(finds, position, &state))
    }

    /// The same of a state in ids of this process.
    pub(super) fn look_at(&mut self, finds: &mut Finds, position: u64, state: &[u32]) -> u64 {
        if let Some(fault) = self.engine.system.fault(state) {
            finds.add_fault(fault, position);
        }
        let mut flags = 0;
        for n in 0..finds.watches.len() {
            let (watch, role) = finds.watches[n];
            let predicate = self.engine.monitor.predicate(watch);
            match quietly(|| predicate.holds(state)) {
                Ok(holds) if holds == (role == Role::Invariant) => continue,
                Ok(_) if role == Role::Prune => flags |= PRUNED,
                Ok(_) if role == Role::Goal => {
                    flags |= PRUNED;
                    finds.list.push(Find { what: WATCH + watch as u64, position });
                }
                _ => finds.add_watch(watch, position),
            }
        }
        flags
    }
}

impl Finds {
    pub(super) fn into_list(self) -> Vec<Find> {
        self.list
    }

    /// Of all faults that say the same, the first.
    fn add_fault(&mut self, fault: Fault, position: u64) {
        let is_wanted = self.keep_going || self.faults.is_empty();
        if is_wanted && !self.faults.contains(&fault) {
            self.faults.push(fault);
            self.list.push(Find { what: FAULT, position });
        }
    }

    /// Of all states of which a watch has something to say, the first.
    fn add_watch(&mut self, watch: usize, position: u64) {
        let what = WATCH + watch as u64;
        if self.list.iter().all(|find| find.what != what) {
            self.list.push(Find { what, position });
        }
    }
}

/// The keys of all visited states.
struct Visited<'v, 'd> {
    cursors: Vec<RunCursor<'v, 'd>>,
}

impl<'v, 'd> Visited<'v, 'd> {
    fn new(volume: &'v Volume<'d>, runs: &'v [Run]) -> Self {
        Visited { cursors: runs.iter().map(|run| RunCursor::new(volume, run)).collect() }
    }

    /// Keys are asked for in ascending order.
    fn has(&mut self, key: u128) -> Result<bool, DiskError> {
        for cursor in &mut self.cursors {
            if cursor.has(key)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Sorted candidates: those in memory, by the number of the next, or a file of them.
enum Source<'v, 'd> {
    Memory(usize),
    File(Box<StateReader<'v, 'd>>),
}

/// All candidates in the order of keys; of each source the key and link of the next.
struct Candidates<'v, 'd> {
    sources: Vec<Source<'v, 'd>>,
    heads: Vec<Option<(u128, u64)>>,
    scratch: Vec<u32>,
    workers: usize,
}

impl<'v, 'd> Candidates<'v, 'd> {
    /// The candidates in memory must be sorted.
    fn new(
        volume: &'v Volume<'d>,
        files: &[FileInfo],
        buffer: &Buffer,
        workers: usize,
    ) -> Result<Self, DiskError> {
        let (sources, heads, scratch) = (vec![Source::Memory(0)], Vec::new(), Vec::new());
        let mut own = Candidates { sources, heads, scratch, workers };
        for file in files {
            own.sources.push(Source::File(Box::new(StateReader::new(volume, file)?)));
        }
        own.heads.push(buffer.get(0).map(|head| (head.key(), head.link)));
        for n in 1..own.sources.len() {
            let head = own.sources[n].advance(buffer, workers)?;
            own.heads.push(head);
        }
        Ok(own)
    }

    /// The least key, its least link, and who has it.
    fn least(&self) -> Option<(u128, u64, usize)> {
        let heads = self.heads.iter().enumerate();
        heads.filter_map(|(source, head)| head.map(|(key, link)| (key, link, source))).min()
    }

    /// The next candidate in memory, with another link.
    fn head(&self, buffer: &Buffer, link: u64) -> Head {
        let Some(Source::Memory(n)) = self.sources.first() else {
            unreachable!("memory comes first")
        };
        let mut head = *buffer.get(*n).expect("there is a next one");
        head.link = link;
        head
    }

    /// What the candidate that a source has next is made of.
    fn numbers(
        &mut self,
        source: usize,
        buffer: &Buffer,
        layout: &Layout,
        names: &mut Names<'_>,
        numbers: &mut Vec<u32>,
    ) {
        match &self.sources[source] {
            Source::Memory(n) => {
                let head = buffer.get(*n).expect("there is a next one");
                layout.decode(buffer.words(head), &mut self.scratch);
                names.numbers_of(&self.scratch, numbers);
            }
            Source::File(reader) => {
                numbers.clear();
                numbers.extend_from_slice(reader.numbers());
            }
        }
    }

    /// Goes on to the next key.
    fn pass(&mut self, key: u128, buffer: &Buffer) -> Result<(), DiskError> {
        for (source, head) in self.sources.iter_mut().zip(&mut self.heads) {
            while head.is_some_and(|(own, _)| own == key) {
                *head = source.advance(buffer, self.workers)?;
            }
        }
        Ok(())
    }
}

impl Source<'_, '_> {
    fn advance(
        &mut self,
        buffer: &Buffer,
        workers: usize,
    ) -> Result<Option<(u128, u64)>, DiskError> {
        match self {
            Source::Memory(n) => {
                *n += 1;
                Ok(buffer.get(*n).map(|head| (head.key(), head.link)))
            }
            Source::File(reader) => {
                let link = |link: u64| link_from_file(link, workers);
                Ok(reader.advance()?.then(|| (reader.key(), link(reader.link()))))
            }
        }
    }
}
