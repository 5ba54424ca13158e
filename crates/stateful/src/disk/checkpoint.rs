//! Saving where a search stands, and taking it up again.
//! What is saved is a manifest, which names files that are complete and synced. It replaces the one before in one step, and only then
//! are files removed that the one before had named. So there is a whole search on disk at every moment.

use super::Search;
use super::buffer::{PRUNED, link};
use super::merge::DEADLOCK;
use crate::engine::{Order, Stop};
use foresee_search::{
    BlockReader, BlockWriter, Disk, DiskError, FileInfo, Known, LevelInfo, Manifest, Noted, Run,
    RunWriter, StateIndex, StateStore, StateWriter,
};
use std::time::Duration;

/// A level's end is saved if at least so many states were expanded since the last time, or so much time has passed: less is
/// sooner done again than saved.
const EXPANSIONS_MIN: u64 = 4096;
const EVERY: Duration = Duration::from_secs(1);
/// In the middle of a level.
pub(super) const IN_BETWEEN: Duration = Duration::from_secs(120);
/// The manifest of a worker that is about to count.
pub(super) const NEXT: &str = "manifest.next";
const PAYLOAD_MAX: usize = 1 << 16;

impl Search<'_, '_> {
    /// Begins the search, or takes up the one that is there.
    pub(super) fn prepare(&mut self) -> Result<(), DiskError> {
        self.place.disk.lock()?;
        self.meter.saving(true);
        let files = self.place.disk.list()?;
        let is_there = files.iter().any(|name| name == Manifest::NAME);
        match (self.place.resume, is_there) {
            (true, false) => return Err(DiskError::Nothing),
            (false, true) => return Err(DiskError::Taken),
            _ => {}
        }
        let manifest = if is_there {
            Some(self.read_manifest(self.place.disk, Manifest::NAME)?)
        } else {
            None
        };
        self.remove_rubbish(&files, manifest.as_ref())?;
        let mut starts = Starts::default();
        self.engine.start(&mut starts);
        match manifest {
            None if self.crew.is_some() => self.begin(&starts),
            None => {
                self.begin(&starts)?;
                self.save()
            }
            Some(manifest) => self.take_up(manifest),
        }
    }

    /// Removes files of ours that do not count.
    pub(super) fn remove_rubbish(
        &self,
        files: &[String],
        manifest: Option<&Manifest>,
    ) -> Result<(), DiskError> {
        let counts =
            |name: &str| manifest.is_some_and(|it| it.files().any(|file| file.name == name));
        for name in files.iter().filter(|name| is_ours(name) && !counts(name)) {
            // One that was renamed since is not there any more.
            if self.place.disk.list()?.contains(name) {
                self.place.disk.remove(name)?;
            }
        }
        Ok(())
    }

    pub(super) fn read_manifest(&self, disk: &dyn Disk, name: &str) -> Result<Manifest, DiskError> {
        let mut bytes = vec![0; disk.size(name)? as usize];
        disk.read(name, 0, &mut bytes)?;
        let manifest = Manifest::of_text(&String::from_utf8_lossy(&bytes))?;
        manifest.require(self.place.identity)?;
        Ok(manifest)
    }

    /// Writes the states where the search starts as its first level.
    pub(super) fn begin(&mut self, starts: &Starts) -> Result<(), DiskError> {
        let states: Vec<Vec<u32>> =
            self.engine.starts.iter().map(|start| start.state.clone()).collect();
        self.names.name_initial(&states);
        let mut sorted = Vec::new();
        for (state, expandable) in states.iter().zip(starts.expandable(states.len())) {
            let mut numbers = Vec::new();
            self.names.numbers_of(state, &mut numbers);
            let flags = if expandable { 0 } else { PRUNED };
            let key = self.names.key_of(state);
            if self.is_own(key) {
                sorted.push((key, link(0, flags), numbers));
            }
        }
        sorted.sort();
        sorted.dedup_by_key(|it| it.0);
        if let Some(held) = &mut self.held {
            let mut state = Vec::new();
            for (_, link, numbers) in &sorted {
                let known = self.names.state_of(numbers, 0, &mut state);
                known.expect("just named");
                held.add_start(&state, link & PRUNED == 0);
            }
            let file = self.write_starts()?;
            self.states = sorted.len() as u64;
            self.levels.push(LevelInfo { states: self.states, file });
            return Ok(());
        }
        let (name, run) = (self.new_name("level"), self.new_name("run"));
        let mut level = StateWriter::new(self.volume, name, self.names.shape(), false)?;
        let mut keys = RunWriter::new(self.volume, run, sorted.len() as u64, 10);
        for (key, link, numbers) in sorted {
            level.push(key, link, &numbers)?;
            keys.push(key)?;
            self.known.iter_mut().for_each(|known| known.add_old(key));
        }
        let states = level.len();
        self.levels.push(LevelInfo { states, file: level.finish()? });
        let run = keys.finish()?;
        if states > 0 {
            self.runs.push(run);
        }
        self.states = states;
        Ok(())
    }

    /// Goes on where a manifest says.
    pub(super) fn take_up(&mut self, manifest: Manifest) -> Result<(), DiskError> {
        for file in manifest.files() {
            let bytes = self.volume.size(&file.name).map_err(|_| missing(file))?;
            if bytes != file.bytes {
                let reason = format!("it has {bytes} bytes, not {}", file.bytes);
                return Err(DiskError::Damaged { file: file.name.clone(), reason });
            }
            self.volume.adopt(&file.name, bytes);
        }
        self.names.forget_ids();
        for file in &manifest.components {
            self.import(file)?;
        }
        self.states = manifest.levels.iter().map(|level| level.states).sum();
        let levels = manifest.levels.iter().map(|level| &level.file);
        for file in levels.chain(&manifest.candidates) {
            BlockReader::verify(self.volume, file)?;
        }
        if !Known::has_room(self.share.known_bytes, self.states) {
            self.known = None;
        }
        let bits = if self.known.is_some() { 0 } else { self.share.bits_per_key(self.states) };
        for file in &manifest.runs {
            let known = &mut self.known;
            let heard = |key: u128| known.iter_mut().for_each(|known| known.add_old(key));
            self.runs.push(Run::open(self.volume, file, bits, heard)?);
        }
        self.levels = manifest.levels;
        if self.levels.is_empty() {
            return Err(damaged("it names no level"));
        }
        self.components = manifest.components;
        self.candidates = manifest.candidates;
        self.has_old_candidates = !self.candidates.is_empty();
        self.position = manifest.position;
        self.next_file = manifest.next_file;
        self.engine.transitions = manifest.transitions;
        let last = self.depth();
        self.engine.depth =
            if self.last_level().states > 0 { last } else { last.saturating_sub(1) };
        self.resumed_at = Some(self.engine.depth);
        for noted in manifest.found {
            // One of the level under way is told when the level is done.
            match (noted.what, noted.level == last) {
                (DEADLOCK, true) => {
                    let order = self.order_at(last, noted.position)?;
                    self.note_stuck_at(noted.position, order);
                }
                _ => self.found.push(noted),
            }
        }
        self.order_files()
    }

    fn import(&mut self, file: &FileInfo) -> Result<(), DiskError> {
        let mut reader = BlockReader::new(self.volume, file);
        let mut records = 0;
        while reader.next_block()? {
            let mut rest = reader.payload();
            for _ in 0..reader.n_records() {
                let length = rest.split_first_chunk::<4>();
                let (length, tail) = length.ok_or_else(|| missing(file))?;
                let length = u32::from_le_bytes(*length) as usize;
                let (definition, tail) =
                    tail.split_at_checked(length).ok_or_else(|| missing(file))?;
                self.names.import(&file.name, definition)?;
                rest = tail;
            }
            records += u64::from(reader.n_records());
        }
        reader.confirm(records)
    }

    /// Tells what was found before the search was taken up.
    pub(super) fn tell_found(&mut self) -> Result<(), DiskError> {
        for noted in self.found.clone() {
            if !self.engine.is_stopped() {
                self.tell(noted)?;
            }
        }
        Ok(())
    }

    pub(super) fn save_if_due(&mut self) -> Result<(), DiskError> {
        if self.is_manifest_due() { self.save() } else { Ok(()) }
    }

    pub(super) fn is_manifest_due(&self) -> bool {
        let passed = self.meter.elapsed().saturating_sub(self.saved_at);
        self.expanded_since_save >= EXPANSIONS_MIN || passed >= EVERY
    }

    /// Whether the last manifest was so long ago that one is written in the middle of a level.
    pub(super) fn is_save_in_between_due(&self) -> bool {
        self.meter.elapsed().saturating_sub(self.saved_at) >= IN_BETWEEN
    }

    pub(super) fn save_in_between(&mut self) -> Result<(), DiskError> {
        if !self.is_save_in_between_due() {
            return Ok(());
        }
        self.spill()?;
        self.save()
    }

    /// A limit has struck in the middle of a level: what is done is kept.
    pub(super) fn save_at_stop(&mut self) -> Result<(), DiskError> {
        if !matches!(self.engine.stop, Some(Stop::Limit(_))) {
            return Ok(());
        }
        self.meter.saving(true);
        self.set_down()?;
        self.spill()?;
        self.save()
    }

    /// Makes all that is done outlast this process, and the machine. No candidates are in memory.
    pub(super) fn save(&mut self) -> Result<(), DiskError> {
        self.save_manifest(Manifest::NAME)?;
        self.clear_rubbish()
    }

    /// The first half, where several workers save together: nothing counts yet.
    pub(super) fn save_as_next(&mut self) -> Result<(), DiskError> {
        self.save_manifest(NEXT)
    }

    /// The second half.
    pub(super) fn make_next_count(&mut self) -> Result<(), DiskError> {
        self.place.disk.rename(NEXT, Manifest::NAME)?;
        self.place.disk.sync_names()?;
        self.clear_rubbish()
    }

    fn save_manifest(&mut self, name: &str) -> Result<(), DiskError> {
        debug_assert!(self.buffer.is_empty(), "candidates would be lost");
        self.write_definitions()?;
        self.volume.sync()?;
        let text = self.manifest().to_text();
        self.volume.replace(name, text.as_bytes())
    }

    fn clear_rubbish(&mut self) -> Result<(), DiskError> {
        let files = self.place.disk.list()?;
        for name in std::mem::take(&mut self.rubbish) {
            if files.contains(&name) {
                self.volume.remove(&name)?;
            }
        }
        (self.expanded_since_save, self.saved_at) = (0, self.meter.elapsed());
        Ok(())
    }

    fn write_definitions(&mut self) -> Result<(), DiskError> {
        let definitions = self.names.take_definitions();
        if definitions.is_empty() {
            return Ok(());
        }
        let mut writer = BlockWriter::new(self.volume, self.new_name("components"), PAYLOAD_MAX);
        for definition in definitions {
            writer.push(|out| {
                out.extend_from_slice(&(definition.len() as u32).to_le_bytes());
                out.extend_from_slice(&definition);
            })?;
        }
        self.components.push(writer.finish()?);
        Ok(())
    }

    fn manifest(&self) -> Manifest {
        let stuck = self.stuck.map(|position| {
            let level = self.depth();
            Noted { what: DEADLOCK, level, position }
        });
        Manifest {
            identity: self.place.identity.to_vec(),
            transitions: self.engine.transitions,
            position: self.position,
            levels: self.levels.clone(),
            components: self.components.clone(),
            runs: self.runs.iter().map(|run| run.info.clone()).collect(),
            candidates: self.candidates.clone(),
            found: self.found.iter().copied().chain(stuck).collect(),
            next_file: self.next_file,
            epoch: self.crew.as_ref().map_or(0, |crew| crew.epoch()),
            worker: self.crew.as_ref().map_or(0, |crew| crew.index() as u64),
            workers: self.crew.as_ref().map_or(0, |crew| crew.workers() as u64),
        }
    }
}

/// Whether a file is one of a search's own; others are left alone.
pub(super) fn is_ours(name: &str) -> bool {
    let kinds = ["level-", "run-", "candidates-", "components-"];
    let rest = kinds.iter().find_map(|kind| name.strip_prefix(kind));
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        || name == NEXT
        || name == "manifest.new"
        || name == "manifest.next.new"
}

fn missing(file: &FileInfo) -> DiskError {
    let reason = "it is not there, or not what was written".to_owned();
    DiskError::Damaged { file: file.name.clone(), reason }
}

fn damaged(reason: &str) -> DiskError {
    DiskError::Damaged { file: Manifest::NAME.to_owned(), reason: reason.to_owned() }
}

/// Hears which of the states where the search starts are to be expanded.
#[derive(Default)]
pub(super) struct Starts {
    found: Vec<bool>,
}

impl Starts {
    /// Of the first `n` states; those that a stop has kept from being looked at are not.
    fn expandable(&self, n: usize) -> impl Iterator<Item = bool> + '_ {
        (0..n).map(|at| self.found.get(at).copied().unwrap_or(false))
    }
}

impl Order for Starts {
    fn found(
        &mut self,
        _store: &StateStore,
        _state: StateIndex,
        expandable: bool,
    ) -> Result<(), String> {
        self.found.push(expandable);
        Ok(())
    }
}
