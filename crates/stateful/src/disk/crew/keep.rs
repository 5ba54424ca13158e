//! Beginning a search together, and saving it together so that it can be taken up.

use super::{PAUSE, Search, Trouble};
use crate::disk::checkpoint::{IN_BETWEEN, NEXT, Starts};
use crate::engine::Stop;
use foresee_lts::StoppedBy;
use foresee_search::{DiskError, Manifest, Noted};

impl Search<'_, '_> {
    /// Begins the search, or takes up the one that is there.
    pub(super) fn prepare_together(&mut self) -> Result<(), Trouble> {
        self.take_place()?;
        let said = self.gather(&[self.last_level().states])?;
        let level_states: u64 = said.iter().map(|it| it[0]).sum();
        if let Some(crew) = &mut self.crew {
            crew.level_states = level_states;
        }
        // One worker alone does not know whether the last level is empty.
        let last = self.depth();
        self.engine.depth = if level_states > 0 { last } else { last.saturating_sub(1) };
        self.note_total();
        if self.resumed_at.is_none() { self.save_together() } else { Ok(()) }
    }

    /// Takes the directory, and begins there or takes up what all workers have saved together.
    fn take_place(&mut self) -> Result<(), Trouble> {
        if !self.crew.as_ref().is_some_and(|crew| crew.is_kept) {
            return Ok(self.prepare()?);
        }
        self.place.disk.lock()?;
        self.meter.saving(true);
        let files = self.place.disk.list()?;
        let there = self.saved_manifests(&files)?;
        let own = self.crew.as_ref().map_or((0, 0), |it| (it.index as u64, it.workers as u64));
        let is_own = |it: &Manifest| (it.worker, it.workers) == own;
        let epochs: Vec<u64> =
            there.iter().filter(|it| is_own(&it.1)).map(|(_, manifest)| manifest.epoch).collect();
        let said = self.gather(&epochs)?;
        let common = |epoch: &u64| said.iter().all(|it| it.contains(epoch));
        let epoch = said[0].iter().copied().filter(common).max();
        let others = self.saved_by_others(epoch)?;
        let mut starts = Starts::default();
        self.engine.start(&mut starts);
        if let Some(others) = others {
            return self.deal_anew(others);
        }
        let is_chosen = |it: &Manifest| is_own(it) && Some(it.epoch) == epoch;
        // Who finds nothing hears from the others what it is about, so that all say the same.
        let numbers = there.iter().map(|(_, it)| it.workers).filter(|workers| *workers != own.1);
        let numbers = self.gather(&numbers.collect::<Vec<u64>>())?;
        let number = numbers.iter().flatten().copied().max();
        let chosen = there.into_iter().find(|(_, manifest)| is_chosen(manifest));
        match chosen {
            None if self.place.resume => Err(match number {
                Some(workers) => another_number(workers, own.1).into(),
                None => DiskError::Nothing.into(),
            }),
            None => {
                self.remove_rubbish(&files, None)?;
                Ok(self.begin(&starts)?)
            }
            Some((name, manifest)) => {
                if name == NEXT {
                    self.place.disk.rename(NEXT, Manifest::NAME)?;
                    self.place.disk.sync_names()?;
                }
                self.remove_rubbish(&files, Some(&manifest))?;
                if let Some(crew) = &mut self.crew {
                    crew.epoch = manifest.epoch;
                    crew.saved_at = Some(manifest.levels.len().saturating_sub(1) as u32);
                }
                Ok(self.take_up(manifest)?)
            }
        }
    }

    /// Manifests in the directory, if they are to be taken up: the one that counts, and one that was about to.
    fn saved_manifests(&self, files: &[String]) -> Result<Vec<(&'static str, Manifest)>, Trouble> {
        if self.place.resume {
            return Ok(self.manifests_at(self.place.disk)?);
        }
        if files.iter().any(|it| it == Manifest::NAME) {
            return Err(DiskError::Taken.into());
        }
        Ok(Vec::new())
    }

    /// What another number of workers has saved, epoch and number, if it is newer than what so many have. The first worker looks.
    fn saved_by_others(&mut self, epoch: Option<u64>) -> Result<Option<(u64, u64)>, Trouble> {
        let is_first = self.crew.as_ref().is_some_and(|crew| crew.index == 0);
        let newest = if is_first && self.place.resume { self.newest_saved()? } else { None };
        let newest = newest.filter(|(of_others, _)| Some(*of_others) > epoch);
        let own: Vec<u64> = newest.iter().flat_map(|(epoch, workers)| [*epoch, *workers]).collect();
        let said = self.gather(&own)?;
        Ok(said[0].first_chunk::<2>().map(|[epoch, workers]| (*epoch, *workers)))
    }

    /// Tells what was found before the search was taken up.
    pub(super) fn tell_found_together(&mut self) -> Result<(), Trouble> {
        let found = std::mem::take(&mut self.found);
        let own: Vec<u64> =
            found.iter().flat_map(|it| [it.what, u64::from(it.level), it.position]).collect();
        let said = self.gather(&own)?;
        let finds = said.iter().enumerate().flat_map(|(worker, numbers)| {
            let (triples, _) = numbers.as_chunks::<3>();
            triples.iter().map(move |[what, level, position]| {
                (worker, Noted { what: *what, level: *level as u32, position: *position })
            })
        });
        let mut finds: Vec<(usize, Noted)> = finds.collect();
        let is_deadlock = |it: &Noted| it.what == super::super::merge::DEADLOCK;
        finds.sort_by_key(|(worker, it)| {
            (it.level + u32::from(is_deadlock(it)), !is_deadlock(it), *worker)
        });
        self.tell_together(&finds, true)
    }

    /// The first worker asks for a pause when there was no manifest for long.
    pub(super) fn pause_if_due(&mut self) {
        let passed = self.meter.elapsed().saturating_sub(self.saved_at);
        let Some(crew) = &mut self.crew else { return };
        if crew.index == 0 && crew.is_kept && !crew.is_pausing && passed >= IN_BETWEEN {
            crew.is_pausing = true;
            crew.send_all(&[PAUSE]);
        }
    }

    pub(super) fn is_save_due(&self) -> bool {
        self.crew.as_ref().is_some_and(|crew| crew.is_kept) && self.is_manifest_due()
    }

    /// In the middle of a level: candidates are saved too.
    pub(super) fn save_candidates(&mut self) -> Result<(), Trouble> {
        if self.crew.as_ref().is_some_and(|crew| crew.is_kept) {
            match self.spill() {
                Ok(()) => {}
                // The manifest before counts.
                Err(DiskError::Full) => self.engine.stop(Stop::Limit(StoppedBy::Disk)),
                Err(error) => return Err(error.into()),
            }
            self.save_together()?;
        }
        Ok(())
    }

    /// Makes what all workers have done outlast them: first all write where they stand, then all make it count.
    pub(super) fn save_together(&mut self) -> Result<(), Trouble> {
        if !self.crew.as_ref().is_some_and(|crew| crew.is_kept) {
            return Ok(());
        }
        if let Some(crew) = &mut self.crew {
            crew.epoch += 1;
        }
        let is_full = match self.save_as_next() {
            Ok(()) => false,
            Err(DiskError::Full) => true,
            Err(error) => return Err(error.into()),
        };
        let said = self.gather(&[u64::from(is_full)])?;
        if said.iter().any(|it| it[0] == 1) {
            self.engine.stop(Stop::Limit(StoppedBy::Disk));
            return Ok(());
        }
        self.make_next_count()?;
        let depth = self.depth();
        if let Some(crew) = &mut self.crew {
            crew.saved_at = Some(depth);
        }
        Ok(())
    }
}

/// The files of some workers are not here, so that so many others cannot go on.
pub(super) fn another_number(then: u64, now: u64) -> DiskError {
    DiskError::Other {
        what: "number of workers, and the files of all of them are not here".to_owned(),
        then: then.to_string(),
        now: now.to_string(),
    }
}
