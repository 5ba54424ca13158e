//! From a state on disk back to the run that leads to it: parents are followed from level to level, and the states on the way are
//! put into the engine's own store, which then finds the actions, replays the run and reports it as in any other search.

use super::merge::{DEADLOCK, FAULT, WATCH};
use super::{Search, insert};
use crate::findings::Cause;
use crate::monitor::{Hit, quietly};
use foresee_search::{DiskError, Noted, StateIndex, StateReader};

impl Search<'_, '_> {
    /// Tells what was found. Candidates must not be in memory: room may have to be made in the layout.
    pub(super) fn tell(&mut self, noted: Noted) -> Result<(), DiskError> {
        let state = self.insert_chain(noted.level, noted.position)?;
        self.tell_of(state, noted.what);
        Ok(())
    }

    /// Tells what is the matter with a state of the engine's store.
    pub(super) fn tell_of(&mut self, state: StateIndex, what: u64) {
        match what {
            DEADLOCK => self.engine.report_deadlock(state),
            FAULT => self.engine.report_violation(state, Cause::Fault),
            what => {
                let watch = (what - WATCH) as usize;
                let mut slots = Vec::new();
                self.engine.store.decode(state, &mut slots);
                let predicate = self.engine.monitor.predicate(watch);
                let panic = quietly(|| predicate.holds(&slots)).err();
                self.engine.heed(state, Hit { watch, panic });
            }
        }
    }

    /// Puts the states from the start to this one into the engine's store.
    pub(super) fn insert_chain(
        &mut self,
        level: u32,
        position: u64,
    ) -> Result<StateIndex, DiskError> {
        let mut states = Vec::new();
        let mut position = position;
        for level in (0..=level as usize).rev() {
            let mut reader = StateReader::new(self.volume, &self.levels[level].file)?;
            reader.skip(position)?;
            if !reader.advance()? {
                return Err(DiskError::Damaged {
                    file: self.levels[level].file.name.clone(),
                    reason: "a parent is not there".to_owned(),
                });
            }
            let mut state = Vec::new();
            self.load(reader.numbers(), self.engine.store.layout().n_slots(), &mut state)?;
            states.push(state);
            position = reader.link() >> 2;
        }
        let mut last = StateIndex::NONE;
        for state in states.iter().rev() {
            last = insert(&mut self.engine.store, state, last);
        }
        Ok(last)
    }
}
