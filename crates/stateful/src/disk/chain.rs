//! From a state on disk back to the run that leads to it: parents are followed from level to level, and the states on the way are
//! put into the engine's own store, which then finds the actions, replays the run and reports it as in any other search.
//! To a level in the order of finding links are those from which a state was found first, which is good enough where only the length of a run is told. Else
//! the states of that level are expanded once more, and of those that lead to the child the one with the least key is its parent.

use super::buffer::PRUNED;
use super::merge::{DEADLOCK, FAULT, WATCH};
use super::{Search, insert};
use crate::findings::Cause;
use crate::monitor::{Hit, Role, quietly};
use foresee_lts::State;
use foresee_search::{DiskError, Noted, StateIndex, StateReader};

impl Search<'_, '_> {
    /// Tells what was found. Candidates must not be in memory: room may have to be made in the layout.
    pub(super) fn tell(&mut self, noted: Noted) -> Result<(), DiskError> {
        if self.is_told_already(noted)? {
            return Ok(());
        }
        let watch = noted.what.checked_sub(WATCH).map(|watch| watch as usize);
        let monitor = &self.engine.monitor;
        let is_shown = watch.is_none_or(|watch| monitor.role(watch) != Role::Reachable);
        let state = self.insert_run(noted.level, noted.position, is_shown)?;
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

    /// Whether the same was told of another state: a run to this one would not be shown.
    fn is_told_already(&self, noted: Noted) -> Result<bool, DiskError> {
        match noted.what {
            DEADLOCK => Ok(self.engine.findings.has_deadlock()),
            FAULT => {
                let (state, _) = self.state_at(noted.level, noted.position)?;
                Ok(self.engine.has_fault_of(&state))
            }
            watch => Ok(!self.engine.monitor.is_active((watch - WATCH) as usize)),
        }
    }

    /// Puts the states from the start to this one into the engine's store.
    pub(super) fn insert_chain(
        &mut self,
        level: u32,
        position: u64,
    ) -> Result<StateIndex, DiskError> {
        self.insert_run(level, position, true)
    }

    /// The same; if the run is not shown, any of those with so many steps.
    fn insert_run(
        &mut self,
        level: u32,
        position: u64,
        is_shown: bool,
    ) -> Result<StateIndex, DiskError> {
        let (state, mut link) = self.state_at(level, position)?;
        let mut states = vec![state];
        for level in (0..level).rev() {
            let child = states.last().expect("there is one");
            let mut parent = self.state_at(level, link >> 2)?;
            if is_shown && self.is_as_found(level)? {
                parent = self.least_parent(level, child, parent)?;
            }
            link = parent.1;
            states.push(parent.0);
        }
        let mut last = StateIndex::NONE;
        for state in states.iter().rev() {
            last = insert(&mut self.engine.store, state, last);
        }
        Ok(last)
    }

    /// Whether the states of a level are in the order of finding; then those of the next one have no links.
    fn is_as_found(&self, level: u32) -> Result<bool, DiskError> {
        Ok(StateReader::new(self.volume, &self.levels[level as usize].file)?.is_as_found())
    }

    /// A state in ids of this process, and its link.
    fn state_at(&self, level: u32, position: u64) -> Result<(State, u64), DiskError> {
        let file = &self.levels[level as usize].file;
        let mut reader = StateReader::new(self.volume, file)?;
        reader.skip(position)?;
        if !reader.advance()? {
            let reason = "a parent is not there".to_owned();
            return Err(DiskError::Damaged { file: file.name.clone(), reason });
        }
        let mut state = Vec::new();
        self.load_from(&reader, self.engine.store.layout().n_slots(), &mut state)?;
        Ok((state, reader.link()))
    }

    /// What decides which of several states of a level in which nothing can happen comes first.
    pub(super) fn order_at(&mut self, level: u32, position: u64) -> Result<u128, DiskError> {
        if !self.is_as_found(level)? {
            return Ok(u128::from(position));
        }
        let (state, _) = self.state_at(level, position)?;
        Ok(self.names.key_of(&state))
    }

    /// Of the states of a level in the order of finding that lead to `child` the one with the least key, and its link; `some` is one of them. All whose key is less than
    /// that of those that were found are expanded once more.
    fn least_parent(
        &mut self,
        level: u32,
        child: &[u32],
        (some, link): (State, u64),
    ) -> Result<(State, u64), DiskError> {
        let file = self.levels[level as usize].file.clone();
        let mut reader = StateReader::new(self.volume, &file)?;
        let (mut least_key, mut least) = (self.names.key_of(&some), (some, link));
        let mut state = Vec::new();
        while reader.advance()? {
            if reader.link() & PRUNED != 0 {
                continue;
            }
            self.load_from(&reader, child.len(), &mut state)?;
            let key = self.names.key_of(&state);
            if key < least_key && self.leads_to(&state, child) {
                least_key = key;
                least = (state.clone(), reader.link());
            }
        }
        Ok(least)
    }

    /// Whether a step from `state`, which has as many slots as `child` or more, leads there.
    fn leads_to(&mut self, state: &[u32], child: &[u32]) -> bool {
        let id = |slot: usize| child.get(slot).copied().unwrap_or(0);
        let n_different = (0..state.len()).filter(|slot| state[*slot] != id(*slot)).count();
        let before = |slot: usize| state.get(slot).copied().unwrap_or(0);
        let successors = self.engine.expander.changes_from(state);
        n_different > 0
            && successors.iter().any(|successor| {
                let changes = successors.changes(successor);
                let n_real = changes.iter().filter(|it| before(it.slot as usize) != it.id).count();
                n_real == n_different && changes.iter().all(|it| id(it.slot as usize) == it.id)
            })
    }
}
