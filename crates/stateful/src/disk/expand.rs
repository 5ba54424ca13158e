//! Expanding a level: its states are read in order, and what they lead to becomes candidates for the next one.

use super::buffer::{PRUNED, REMARKABLE, link};
use super::{Names, Search, Trouble};
use crate::engine::Stop;
use crate::monitor::{Hit, quietly};
use foresee_lts::{Change, Explorer, StoppedBy, Successor, Successors, System};
use foresee_search::{DiskError, Misfit, StateReader, StateWriter};
use foresee_stdx::halt::{self, Halted};

/// States expanded between two looks at the limits, at most.
const BATCH: usize = 64;

/// One worker's explorer and buffers.
pub(super) struct Worker<'a> {
    explorer: Box<dyn Explorer + 'a>,
    successors: Successors,
    state: Vec<u32>,
    words: Vec<u64>,
    child: Vec<u64>,
    hits: Vec<Hit>,
    /// The bitwise or of all ids met in each slot: what the layout must have room for.
    used: Vec<u32>,
    /// The state that is expanded, in numbers, and a successor of it that belongs to another worker.
    numbers: Vec<u32>,
    others: Vec<u32>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(system: &'a dyn System) -> Self {
        Worker {
            explorer: system.explorer(),
            successors: Successors::default(),
            state: Vec::new(),
            words: Vec::new(),
            child: Vec::new(),
            hits: Vec::new(),
            used: Vec::new(),
            numbers: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.explorer.memory_bytes()
    }

    pub(super) fn use_ids(&mut self, changes: impl IntoIterator<Item = (usize, u32)>) {
        for (slot, id) in changes {
            if slot >= self.used.len() {
                self.used.resize(slot + 1, 0);
            }
            self.used[slot] |= id;
        }
    }
}

impl Search<'_, '_> {
    /// Expands what is left of the last level. Where nothing is to be kept (`is_kept`), nothing is saved on the way either.
    pub(super) fn expand_level(&mut self, is_kept: bool) -> Result<(), Trouble> {
        let (volume, info) = (self.volume, self.last_level().file.clone());
        let mut reader = StateReader::new(volume, &info)?;
        reader.skip(self.position)?;
        // A limit that struck while the last level was merged and saved has waited for that.
        match halt::struck() {
            Some(cause) => self.engine.halt(Halted { cause, place: None }),
            None => self.meter.saving(false),
        }
        while !self.engine.is_stopped() && !self.is_interrupted_by_crew() {
            let n = self.engine.allowance(BATCH);
            // What a halt leaves undone is the state at `position`; candidates of it that came in before are met again.
            let expanded = halt::until_halted(|| self.expand_some(&mut reader, n));
            let n_expanded = match expanded {
                Ok(expanded) => expanded?,
                Err(halted) => {
                    self.engine.halt(halted);
                    return Ok(());
                }
            };
            if n_expanded == 0 {
                return Ok(());
            }
            self.expanded_since_save += n_expanded as u64;
            self.trade(n_expanded)?;
            self.note_figures();
            self.engine.poll(n_expanded);
            if self.buffer.bytes() as u64 >= self.share.candidate_bytes {
                self.spill_or_stop()?;
            }
            if is_kept && self.crew.is_none() {
                self.save_in_between()?;
            }
        }
        Ok(())
    }

    fn expand_some(
        &mut self,
        reader: &mut StateReader<'_, '_>,
        n: usize,
    ) -> Result<usize, DiskError> {
        for done in 0..n {
            if self.engine.is_stopped() || self.is_interrupted_by_crew() || !reader.advance()? {
                return Ok(done);
            }
            if reader.link() & PRUNED == 0 {
                self.expand(reader.numbers())?;
            }
            self.position += 1;
        }
        Ok(n)
    }

    /// Expands the state at `position`.
    fn expand(&mut self, numbers: &[u32]) -> Result<(), DiskError> {
        let mut worker = std::mem::take(&mut self.worker).expect("it is put back");
        if self.crew.is_some() {
            worker.numbers.clear();
            worker.numbers.extend_from_slice(numbers);
        }
        let done = self.expand_with(&mut worker, numbers);
        self.worker = Some(worker);
        done
    }

    fn expand_with(&mut self, worker: &mut Worker<'_>, numbers: &[u32]) -> Result<(), DiskError> {
        let n_slots = self.engine.store.layout().n_slots();
        self.load(numbers, n_slots, &mut worker.state)?;
        worker.use_ids_of_state();
        self.encode(worker);
        self.engine.monitor.follow(self.engine.store.layout());
        let key = self.names.key_of(&worker.state);
        let (config, system) = (self.engine.config, self.engine.system);
        // A filter must see every action.
        worker.successors.set_counts_loops(config.allow.is_none());
        worker.explorer.expand(&worker.state, &mut worker.successors);
        if cfg!(debug_assertions) && self.position.is_multiple_of(64) {
            worker.successors.assert_consistent(system, &worker.state);
        }
        if config.deadlock && worker.successors.is_empty() && !system.is_final(&worker.state) {
            self.stuck.get_or_insert(self.position);
        }
        if let Some(allow) = &config.allow {
            let (state, successors) = (&worker.state, &mut worker.successors);
            let kept = quietly(|| successors.retain(|successor| allow(state, successor.action)));
            if let Err(message) = kept {
                if let Some(crew) = &mut self.crew {
                    crew.note_broken(self.position, message);
                    return Ok(());
                }
                let state = self.insert_chain(self.depth(), self.position)?;
                self.engine.report_broken(state, "allow", message);
                return Ok(());
            }
        }
        let successors = std::mem::take(&mut worker.successors);
        for successor in successors.iter() {
            self.consider(worker, key, successor, successors.changes(successor));
        }
        self.engine.transitions += u64::from(successors.n_transitions());
        worker.successors = successors;
        Ok(())
    }

    /// Makes one successor a candidate, unless it was seen lately.
    fn consider(
        &mut self,
        worker: &mut Worker<'_>,
        parent_key: u128,
        successor: &Successor,
        changes: &[Change],
    ) {
        if changes.is_empty() {
            return;
        }
        let (key, is_named) = changed_key(&mut self.names, &worker.state, parent_key, changes);
        if !is_named {
            self.names.name_changed(&worker.state, successor.action, changes);
        }
        if self.seen.has_seen(key) && is_named {
            return;
        }
        worker.use_ids(changes.iter().map(|change| (change.slot as usize, change.id)));
        while !self.patch(worker, changes) {
            self.widen(worker);
            self.encode(worker);
            self.engine.monitor.follow(self.engine.store.layout());
        }
        let layout = self.engine.store.layout();
        let mut flags = if successor.faulty { REMARKABLE } else { 0 };
        if !self.engine.monitor.is_empty() {
            worker.hits.clear();
            let (child, parent) = (&worker.child, Some(&*worker.words));
            self.engine.monitor.examine(layout, child, parent, &mut worker.hits);
            flags |= if worker.hits.is_empty() { 0 } else { REMARKABLE };
        }
        match &mut self.crew {
            None => self.buffer.push(key, link(self.position, flags), &worker.child),
            Some(crew) => match crew.elsewhere(key) {
                None => self.buffer.push(key, crew.link(self.position, flags), &worker.child),
                Some(owner) => {
                    worker.others.clone_from(&worker.numbers);
                    self.names.change_numbers(&mut worker.others, changes);
                    crew.hand_over(owner, &self.names, &worker.others, link(self.position, flags));
                }
            },
        }
    }

    /// The child's words from the parent's; false if an id does not fit.
    fn patch(&self, worker: &mut Worker<'_>, changes: &[Change]) -> bool {
        let layout = self.engine.store.layout();
        worker.child.clear();
        worker.child.extend_from_slice(&worker.words);
        changes.iter().all(|change| layout.patch(&mut worker.child, change.slot, change.id))
    }

    /// Packs the state that is expanded.
    fn encode(&mut self, worker: &mut Worker<'_>) {
        loop {
            let layout = self.engine.store.layout();
            worker.words.resize(layout.n_words(), 0);
            if layout.encode(&worker.state, &mut worker.words) {
                return;
            }
            self.widen(worker);
        }
    }

    /// Makes room for all ids that were met.
    pub(super) fn widen(&mut self, worker: &Worker<'_>) {
        let misfits = (0u32..).zip(&worker.used).map(|(slot, id)| Misfit { slot, id: *id });
        let misfits: Vec<Misfit> = misfits.collect();
        let old = self.engine.store.layout().clone();
        self.engine.store.widen(&misfits);
        self.buffer.widen(&old, self.engine.store.layout());
    }

    /// A state in ids of this process.
    pub(super) fn load(
        &self,
        numbers: &[u32],
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Result<(), DiskError> {
        let known = self.names.state_of(numbers, n_slots, state);
        known.ok_or_else(|| DiskError::Damaged {
            file: self.last_level().file.name.clone(),
            reason: "a state has a component that was not defined".to_owned(),
        })
    }

    /// The same; of several workers, one whose disk is full has all of them stop.
    pub(super) fn spill_or_stop(&mut self) -> Result<(), DiskError> {
        match self.spill() {
            Err(DiskError::Full) if self.crew.is_some() => {
                self.buffer.clear();
                self.engine.stop(Stop::Limit(StoppedBy::Disk));
                Ok(())
            }
            done => done,
        }
    }

    /// Sorts the candidates in memory and writes them to disk.
    pub(super) fn spill(&mut self) -> Result<(), DiskError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.buffer.sort();
        let name = self.new_name("candidates");
        let mut writer = StateWriter::new(self.volume, name, self.names.shape(), true)?;
        let (mut state, mut numbers) = (Vec::new(), Vec::new());
        for n in 0..self.buffer.len() {
            let head = *self.buffer.get(n).expect("within the length");
            self.engine.store.layout().decode(self.buffer.words(&head), &mut state);
            self.names.numbers_of(&state, &mut numbers);
            writer.push(head.key(), self.link_in_file(head.link), &numbers)?;
        }
        self.candidates.push(writer.finish()?);
        self.buffer.clear();
        self.share.adapt(self.meter.memory_bytes());
        Ok(())
    }
}

impl Worker<'_> {
    fn use_ids_of_state(&mut self) {
        let n = self.state.len().max(self.used.len());
        self.used.resize(n, 0);
        for (used, id) in self.used.iter_mut().zip(&self.state) {
            *used |= id;
        }
    }
}

/// The key after some changes, and whether all components that are there then have a number.
fn changed_key(
    names: &mut Names<'_>,
    before: &[u32],
    mut key: u128,
    changes: &[Change],
) -> (u128, bool) {
    let mut is_named = true;
    for change in changes {
        let slot = change.slot as usize;
        let old = names.entry(slot, before.get(slot).copied().unwrap_or(0));
        let new = names.entry(slot, change.id);
        key = key.wrapping_sub(old.key()).wrapping_add(new.key());
        is_named &= new.is_named();
    }
    (key, is_named)
}
