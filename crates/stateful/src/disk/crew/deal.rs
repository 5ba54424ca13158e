//! A search that another number of workers has saved is dealt anew: each worker reads the files of all, takes the states that are its own now, and
//! writes them as its own files. Only then do all save together, and what was there before counts no longer.
//! How: the old workers one after the other have every level in the order of keys, and so have the new ones. So a state's place among all of its
//! level stays, and a link to a parent is moved by counting. Components are learned from the old workers' definitions, as if they had
//! told them.
//! A level that is half expanded: what is expanded is written as not to be expanded, and its candidates are dealt too.

use super::super::buffer::PRUNED;
use super::super::merge::DEADLOCK;
use super::super::names::different;
use super::channel::{Mirror, Origin, Unlearned};
use super::keep::another_number;
use super::links::{PLACE_BITS, link_from_file, link_in_file, owner, parent};
use super::{Search, Trouble};
use crate::disk::checkpoint::{NEXT, is_ours};
use foresee_search::{
    BlockReader, Disk, DiskError, FileInfo, LevelInfo, Manifest, Noted, RunWriter, StateReader,
    StateWriter, Volume,
};
use std::sync::Arc;

/// The files of one worker of those that have saved the search.
struct Old {
    disk: Arc<dyn Disk>,
    manifest: Manifest,
    mirror: Mirror,
}

/// Where the states of each level are, among the old workers and the new: for each worker how many states are before its own.
#[derive(Default)]
struct Places {
    old: Vec<Vec<u64>>,
    new: Vec<Vec<u64>>,
}

impl Places {
    /// The new worker and place of a state.
    fn moved(&self, level: usize, worker: usize, position: u64) -> Option<(usize, u64)> {
        let place = self.old.get(level)?.get(worker)? + position;
        let new = self.new.get(level)?;
        let worker = new.partition_point(|before| *before <= place).checked_sub(1)?;
        Some((worker, place - new[worker]))
    }

    /// A link in a file of an old worker, to a parent in `level`, as it is in files of the new ones.
    fn link(&self, link: u64, level: usize) -> Option<u64> {
        let link = link_from_file(link, self.old.get(level)?.len());
        let (flags, old) = (link & 3, link >> 2);
        let (worker, position) = (old >> PLACE_BITS, old & ((1 << PLACE_BITS) - 1));
        let (worker, position) = self.moved(level, worker as usize, position)?;
        Some(link_in_file(parent(worker, position) << 2 | flags, self.new[level].len()))
    }
}

fn sums(counts: &[u64]) -> Vec<u64> {
    let mut sum = 0;
    let mut before = |count: &u64| {
        sum += count;
        sum - count
    };
    counts.iter().map(&mut before).collect()
}

impl Search<'_, '_> {
    /// The newest search in the directory that all of its workers have saved: its epoch and their number.
    pub(super) fn newest_saved(&self) -> Result<Option<(u64, u64)>, DiskError> {
        let Some(of_worker) = self.place.of_worker else { return Ok(None) };
        let mut newest = None;
        for (_, first) in self.manifests_at(&*of_worker(0))? {
            let (epoch, workers) = (first.epoch, first.workers);
            let mut is_whole = first.worker == 0 && workers > 0;
            for worker in 1..workers {
                let disk = of_worker(worker as usize);
                is_whole = is_whole && self.saved_part(&*disk, epoch, workers, worker)?.is_some();
            }
            if is_whole {
                newest = newest.max(Some((epoch, workers)));
            }
        }
        Ok(newest)
    }

    /// The manifests in a worker's directory: the one that counts, and one that was about to. None if there is no such directory.
    pub(super) fn manifests_at(
        &self,
        disk: &dyn Disk,
    ) -> Result<Vec<(&'static str, Manifest)>, DiskError> {
        let files = disk.list().unwrap_or_default();
        let mut there = Vec::new();
        for name in [Manifest::NAME, NEXT] {
            if files.iter().any(|it| it == name) {
                there.push((name, self.read_manifest(disk, name)?));
            }
        }
        Ok(there)
    }

    /// What one of so many workers has saved in an epoch, if it is there.
    fn saved_part(
        &self,
        disk: &dyn Disk,
        epoch: u64,
        workers: u64,
        worker: u64,
    ) -> Result<Option<Manifest>, DiskError> {
        let is_it = |it: &Manifest| (it.epoch, it.workers, it.worker) == (epoch, workers, worker);
        Ok(self.manifests_at(disk)?.into_iter().map(|(_, manifest)| manifest).find(is_it))
    }

    /// Makes what so many workers have saved in an epoch the search of the workers that there are now.
    pub(super) fn deal_anew(&mut self, (epoch, workers): (u64, u64)) -> Result<(), Trouble> {
        let mut old = self.read_old(epoch, workers)?;
        // Nobody changes anything before all have read which files there are.
        self.gather(&[])?;
        self.clean_own(&old, epoch)?;
        let starts: Vec<Vec<u32>> =
            self.engine.starts.iter().map(|start| start.state.clone()).collect();
        self.names.name_initial(&starts);
        for old in &mut old {
            self.learn_all(old)?;
        }
        let places = self.deal_levels(&old)?;
        self.deal_candidates(&old, &places)?;
        self.deal_findings(&old, &places)?;
        let last = self.depth();
        self.resumed_at = Some(last);
        if let Some(crew) = &mut self.crew {
            (crew.epoch, crew.saved_at) = (epoch, Some(last));
        }
        self.save_together()?;
        self.remove_old(&old)
    }

    fn index(&self) -> usize {
        self.crew.as_ref().map_or(0, |crew| crew.index)
    }

    fn read_old(&self, epoch: u64, workers: u64) -> Result<Vec<Old>, DiskError> {
        let of_worker = self.place.of_worker.ok_or(DiskError::Nothing)?;
        let mut old = Vec::new();
        for worker in 0..workers {
            let disk = of_worker(worker as usize);
            let found = self.saved_part(&*disk, epoch, workers, worker)?;
            let manifest = found.ok_or_else(|| another_number(workers, self.workers() as u64))?;
            old.push(Old { disk, manifest, mirror: Mirror::default() });
        }
        Ok(old)
    }

    /// Removes what does not count from this worker's own directory, whose files may be those of an old worker.
    fn clean_own(&mut self, old: &[Old], epoch: u64) -> Result<(), DiskError> {
        let own = old.get(self.index()).map(|old| old.manifest.clone());
        let is_next = |(name, it): &(&str, Manifest)| *name == NEXT && it.epoch == epoch;
        if own.is_some() && self.manifests_at(self.place.disk)?.iter().any(is_next) {
            self.place.disk.rename(NEXT, Manifest::NAME)?;
            self.place.disk.sync_names()?;
        }
        self.remove_rubbish(&self.place.disk.list()?, own.as_ref())?;
        self.next_file = old.iter().map(|old| old.manifest.next_file).max().unwrap_or(0);
        for file in own.iter().flat_map(Manifest::files) {
            self.volume.adopt(&file.name, file.bytes);
            self.rubbish.push(file.name.clone());
        }
        Ok(())
    }

    /// Learns the components of an old worker.
    fn learn_all(&mut self, old: &mut Old) -> Result<(), DiskError> {
        let volume = Volume::new(&*old.disk, None);
        let mut counts = Vec::new();
        for file in &old.manifest.components {
            let no_record = || damaged(file, "a record defines no component");
            let mut reader = BlockReader::new(&volume, file);
            let mut records = 0;
            while reader.next_block()? {
                let mut rest = reader.payload();
                for _ in 0..reader.n_records() {
                    let (length, tail) = rest.split_first_chunk::<4>().ok_or_else(no_record)?;
                    let length = u32::from_le_bytes(*length) as usize;
                    let (definition, tail) = tail.split_at_checked(length).ok_or_else(no_record)?;
                    rest = tail;
                    let origin = Origin::of_definition(definition, &mut counts);
                    let origin = origin.ok_or_else(no_record)?;
                    let learned = self.learn_into(&mut old.mirror, &origin);
                    learned.map_err(|it| match it {
                        Unlearned::Senseless => no_record(),
                        Unlearned::Different => different(),
                    })?;
                }
                records += u64::from(reader.n_records());
            }
            reader.confirm(records)?;
        }
        Ok(())
    }

    /// Takes this worker's states of all levels.
    fn deal_levels(&mut self, old: &[Old]) -> Result<Places, DiskError> {
        let mut places = Places::default();
        let n_levels = old[0].manifest.levels.len();
        if old.iter().any(|old| old.manifest.levels.len() != n_levels) || n_levels == 0 {
            return Err(DiskError::Damaged {
                file: Manifest::NAME.to_owned(),
                reason: "workers have different levels".to_owned(),
            });
        }
        for level in 0..n_levels {
            let states: Vec<u64> = old.iter().map(|it| it.manifest.levels[level].states).collect();
            let counts = self.deal_level(old, level, n_levels, &places)?;
            places.old.push(sums(&states));
            places.new.push(sums(&counts));
        }
        self.states = self.levels.iter().map(|level| level.states).sum();
        self.position = 0;
        Ok(places)
    }

    /// Takes this worker's states of a level; how many each of the new workers has.
    fn deal_level(
        &mut self,
        old: &[Old],
        level: usize,
        n_levels: usize,
        places: &Places,
    ) -> Result<Vec<u64>, DiskError> {
        let (own, workers) = (self.index(), self.workers());
        let all: u64 = old.iter().map(|it| it.manifest.levels[level].states).sum();
        let bits = self.bits_per_key(all / workers as u64 + 1);
        let names = [self.new_name("level"), self.new_name("run")];
        let [level_name, run_name] = names;
        let mut writer = StateWriter::new(self.volume, level_name, self.names.shape(), false)?;
        let mut keys = RunWriter::new(self.volume, run_name, all / workers as u64 + 1, bits);
        let mut counts = vec![0; workers];
        let (mut state, mut numbers) = (Vec::new(), Vec::new());
        for old in old {
            let (volume, file) = (Volume::new(&*old.disk, None), &old.manifest.levels[level].file);
            BlockReader::verify(&volume, file)?;
            let mut reader = StateReader::new(&volume, file)?;
            for position in 0.. {
                if !reader.advance()? {
                    break;
                }
                let broken =
                    || damaged(file, "a state has a component or parent that is not there");
                let key = old.mirror.key_of(reader.numbers()).ok_or_else(broken)?;
                counts[owner(key, workers)] += 1;
                if owner(key, workers) != own {
                    continue;
                }
                old.mirror.state_of(reader.numbers(), 0, &mut state).ok_or_else(broken)?;
                self.names.numbers_of(&state, &mut numbers);
                let mut link = reader.link();
                if level > 0 {
                    link = places.link(link, level - 1).ok_or_else(broken)?;
                }
                if level + 1 == n_levels && position < old.manifest.position {
                    link |= PRUNED;
                }
                writer.push(key, link, &numbers)?;
                keys.push(key)?;
                self.known.iter_mut().for_each(|known| known.add_old(key));
            }
        }
        let states = writer.len();
        self.levels.push(LevelInfo { states, file: writer.finish()? });
        let run = keys.finish()?;
        self.states += states;
        if states > 0 {
            self.runs.push(run);
            self.merge_runs()?;
        }
        Ok(counts)
    }

    fn deal_candidates(&mut self, old: &[Old], places: &Places) -> Result<(), DiskError> {
        let (own, workers, last) = (self.index(), self.workers(), self.levels.len() - 1);
        let (mut state, mut numbers) = (Vec::new(), Vec::new());
        for (old, file) in
            old.iter().flat_map(|old| old.manifest.candidates.iter().map(move |it| (old, it)))
        {
            let volume = Volume::new(&*old.disk, None);
            BlockReader::verify(&volume, file)?;
            let mut reader = StateReader::new(&volume, file)?;
            let name = self.new_name("candidates");
            let mut writer = StateWriter::new(self.volume, name, self.names.shape(), true)?;
            while reader.advance()? {
                if owner(reader.key(), workers) != own {
                    continue;
                }
                let broken =
                    || damaged(file, "a candidate has a component or parent that is not there");
                old.mirror.state_of(reader.numbers(), 0, &mut state).ok_or_else(broken)?;
                self.names.numbers_of(&state, &mut numbers);
                let link = places.link(reader.link(), last).ok_or_else(broken)?;
                writer.push(reader.key(), link, &numbers)?;
            }
            let is_empty = writer.is_empty();
            let file = writer.finish()?;
            if is_empty {
                self.rubbish.push(file.name);
            } else {
                self.candidates.push(file);
            }
        }
        self.has_old_candidates = !self.candidates.is_empty();
        Ok(())
    }

    /// The first worker goes on with the counts; what was found belongs to whoever has the state.
    fn deal_findings(&mut self, old: &[Old], places: &Places) -> Result<(), DiskError> {
        let own = self.index();
        if own == 0 {
            self.engine.transitions = old.iter().map(|old| old.manifest.transitions).sum();
        }
        let last = self.depth();
        for (worker, old) in old.iter().enumerate() {
            for noted in &old.manifest.found {
                let moved = places.moved(noted.level as usize, worker, noted.position);
                let (worker, position) = moved.ok_or_else(|| DiskError::Damaged {
                    file: Manifest::NAME.to_owned(),
                    reason: "what was found is not there".to_owned(),
                })?;
                match (noted.what, noted.level == last) {
                    _ if worker != own => {}
                    (DEADLOCK, true) => self.note_stuck_at(position, u128::from(position)),
                    _ => self.found.push(Noted { position, ..*noted }),
                }
            }
        }
        Ok(())
    }

    /// Removes the files of workers that there are no more.
    fn remove_old(&self, old: &[Old]) -> Result<(), Trouble> {
        if self.index() != 0 {
            return Ok(());
        }
        for old in old.iter().skip(self.workers()) {
            // The manifest goes first: without it the rest is nothing.
            let files = old.disk.list()?;
            let (manifests, others): (Vec<&String>, Vec<&String>) =
                files.iter().partition(|name| *name == Manifest::NAME);
            for name in manifests.into_iter().chain(others.into_iter().filter(|it| is_ours(it))) {
                old.disk.remove(name)?;
            }
        }
        Ok(())
    }
}

fn damaged(file: &FileInfo, reason: &str) -> DiskError {
    DiskError::Damaged { file: file.name.clone(), reason: reason.to_owned() }
}
