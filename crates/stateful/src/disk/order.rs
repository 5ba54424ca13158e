//! From the order of finding to that of keys: what a search needs when memory does not hold all states any more, made of the files that it has written
//! until then. A search that is taken up does the same.
//! The keys of all levels become runs. Levels stay as they are, and so do the places of their states; the candidates of the level under way are taken in as if
//! they had just been found. A link leads to some parent until then, and not to the least: `chain.rs` looks for that one when a run is to be told.
//! Not here: how such files are written (`held.rs`).

use super::Search;
use foresee_search::{DiskError, Run, RunWriter, StateReader};

/// Keys that are sorted together at least.
const KEYS_MIN: usize = 1 << 12;

impl Search<'_, '_> {
    /// Makes runs of the keys of levels that have none, and sorted candidates of those that are not.
    pub(super) fn order_files(&mut self) -> Result<(), DiskError> {
        // It takes long, and what is in the files is not lost.
        self.meter.saving(true);
        if self.runs.is_empty() {
            self.order_levels()?;
        }
        self.order_candidates()
    }

    fn order_levels(&mut self) -> Result<(), DiskError> {
        let n_max = (self.share.candidate_bytes as usize / 4 / size_of::<u128>()).max(KEYS_MIN);
        let n_keys = self.levels.iter().map(|level| level.states as usize).sum();
        let (mut keys, mut state) = (Vec::with_capacity(n_max.min(n_keys)), Vec::new());
        let n_slots = self.engine.store.layout().n_slots();
        for level in 0..self.levels.len() {
            let info = self.levels[level].file.clone();
            let mut reader = StateReader::new(self.volume, &info)?;
            while reader.advance()? {
                self.load_from(&reader, n_slots, &mut state)?;
                keys.push(self.names.key_of(&state));
                if keys.len() == n_max {
                    let run = self.run_of(&mut keys, 0)?;
                    self.runs.push(run);
                }
            }
        }
        if self.runs.is_empty() {
            let bits = self.bits_per_key(self.states);
            let run = self.run_of(&mut keys, bits)?;
            self.runs.push(run);
            return Ok(());
        }
        let run = self.run_of(&mut keys, 0)?;
        self.runs.push(run);
        drop(keys);
        self.merge_from(0)
    }

    fn run_of(&mut self, keys: &mut Vec<u128>, bits: u64) -> Result<Run, DiskError> {
        keys.sort_unstable();
        let name = self.new_name("run");
        let mut writer = RunWriter::new(self.volume, name, keys.len() as u64, bits);
        for key in keys.drain(..) {
            writer.push(key)?;
            self.known.iter_mut().for_each(|known| known.add_old(key));
        }
        writer.finish()
    }

    fn order_candidates(&mut self) -> Result<(), DiskError> {
        let mut files = Vec::new();
        for info in std::mem::take(&mut self.candidates) {
            let reader = StateReader::new(self.volume, &info)?;
            if reader.is_as_found() {
                self.take_in_found(reader)?;
                self.rubbish.push(info.name);
            } else {
                files.push(info);
            }
        }
        self.candidates.append(&mut files);
        Ok(())
    }

    /// Makes states that were found before candidates in memory.
    fn take_in_found(&mut self, mut reader: StateReader<'_, '_>) -> Result<(), DiskError> {
        let mut worker = std::mem::take(&mut self.worker).expect("it is put back");
        let n_slots = self.engine.store.layout().n_slots();
        while reader.advance()? {
            self.load_from(&reader, n_slots, worker.state_mut())?;
            let key = self.take_loaded(&mut worker);
            self.known.iter_mut().for_each(|known| _ = known.meet(key));
            self.buffer.push(key, reader.link(), worker.words());
            self.spill_if_full()?;
        }
        self.worker = Some(worker);
        Ok(())
    }
}
