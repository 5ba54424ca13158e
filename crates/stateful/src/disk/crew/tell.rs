//! Runs across workers: from a state back to the start, each parent at the worker that has it. The states come to the first worker, whose
//! engine finds the actions, replays the run and reports it as in any other search; the others hear what became of it.

use super::super::merge::WATCH;
use super::super::{Search, insert};
use super::{PLACE_BITS, STATE, Trouble};
use crate::engine::Stop;
use foresee_search::{DiskError, Noted, StateIndex, StateReader};

/// How a search has ended, as the others are told; limits are known to all.
const STOPS: [Stop; 4] = [Stop::Violation, Stop::Goal, Stop::Broken, Stop::Void];

impl Search<'_, '_> {
    /// Tells what was found, each by its worker, in order, until there is a reason to stop.
    pub(super) fn tell_together(
        &mut self,
        finds: &[(usize, Noted)],
        is_kept: bool,
    ) -> Result<(), Trouble> {
        for (worker, noted) in finds {
            let is_retired = noted.what >= WATCH
                && !self.engine.monitor.is_active((noted.what - WATCH) as usize);
            if self.engine.is_stopped() || is_retired {
                continue;
            }
            if let Some(state) = self.bring_run(*worker, noted.level, noted.position)? {
                self.tell_of(state, noted.what);
            }
            let is_own = self.crew.as_ref().is_some_and(|crew| crew.index == *worker);
            if is_kept && is_own {
                self.found.push(*noted);
            }
            self.share_decision()?;
        }
        Ok(())
    }

    /// A filter has panicked.
    pub(super) fn tell_broken_together(
        &mut self,
        worker: usize,
        position: u64,
        message: &str,
    ) -> Result<(), Trouble> {
        if let Some(state) = self.bring_run(worker, self.depth(), position)? {
            self.engine.report_broken(state, "allow", message.to_owned());
        }
        self.share_decision()
    }

    /// What the first worker has decided: whether to stop, and what is still watched.
    fn share_decision(&mut self) -> Result<(), Trouble> {
        let stop = self.engine.stop.and_then(|stop| STOPS.iter().position(|it| *it == stop));
        let mut own = vec![stop.map_or(0, |stop| stop as u64 + 1)];
        own.extend(self.engine.monitor.are_active().map(u64::from));
        let said = self.gather(&own)?;
        let (stop, active) = said[0].split_first().expect("it has said something");
        if let Some(stop) = (*stop as usize).checked_sub(1).and_then(|stop| STOPS.get(stop)) {
            self.engine.stop(*stop);
        }
        let active: Vec<bool> = active.iter().map(|it| *it == 1).collect();
        self.engine.monitor.retire_but(&active);
        Ok(())
    }

    /// Brings the states from the start to this one to the first worker, and there puts them into the engine's store.
    fn bring_run(
        &mut self,
        worker: usize,
        level: u32,
        position: u64,
    ) -> Result<Option<StateIndex>, Trouble> {
        let (mut worker, mut position) = (worker, position);
        for level in (0..=level as usize).rev() {
            let own = self.crew.as_ref().map_or(0, |crew| crew.index);
            let link = if worker == own { self.send_state(level, position)? } else { 0 };
            let said = self.gather(&[link])?;
            let parent = said[worker][0] >> 2;
            (worker, position) =
                ((parent >> PLACE_BITS) as usize, parent & ((1 << PLACE_BITS) - 1));
        }
        let crew = self.crew.as_mut().expect("only a crew brings runs together");
        if crew.index != 0 {
            return Ok(None);
        }
        let mut last = StateIndex::NONE;
        for state in std::mem::take(&mut crew.run).iter().rev() {
            last = insert(&mut self.engine.store, state, last);
        }
        Ok(Some(last))
    }

    /// Sends a state of this worker to the first one, and gives its link.
    fn send_state(&mut self, level: usize, position: u64) -> Result<u64, Trouble> {
        let mut reader = StateReader::new(self.volume, &self.levels[level].file)?;
        reader.skip(position)?;
        if !reader.advance()? {
            let file = self.levels[level].file.name.clone();
            return Err(
                DiskError::Damaged { file, reason: "a parent is not there".to_owned() }.into()
            );
        }
        let link = self.link_from_file(reader.link());
        let mut state = Vec::new();
        self.load(reader.numbers(), self.engine.store.layout().n_slots(), &mut state)?;
        let crew = self.crew.as_mut().expect("only a crew brings runs together");
        if crew.index == 0 {
            crew.run.push(state);
        } else {
            // Nothing waits to be sent between two levels, so the parcel has this state alone.
            let outgoing = &mut crew.outgoing[0];
            let full = outgoing.push(&self.names, reader.numbers(), 0);
            debug_assert!(full.is_none(), "candidates are sent before a run is told");
            if let Some(parcel) = outgoing.take(STATE) {
                crew.send(0, parcel);
            }
        }
        Ok(link)
    }
}
