//! Expanding a level: its states are read in order, and what they lead to becomes candidates for the next one.

use super::buffer::{Buffer, PRUNED, REMARKABLE, link};
use super::{Names, Search, Trouble};
use crate::engine::Stop;
use crate::monitor::{Hit, quietly};
use foresee_lts::{Change, Explorer, StoppedBy, Successors, System};
use foresee_search::{DiskError, Misfit, StateReader, StateWriter};
use foresee_stdx::halt::{self, Halted};

/// States expanded between two looks at the limits, at most.
const BATCH: usize = 64;
/// States that are expanded together.
const GROUP: usize = 16;

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
    /// The state that is expanded, in numbers (none until they are asked for), and a successor of it that belongs to another worker.
    numbers: Vec<u32>,
    others: Vec<u32>,
    group: Group,
}

/// States that are expanded together, and those of their successors that were not seen a very short while ago.
#[derive(Default)]
struct Group {
    parents: Vec<Parent>,
    /// Of all parents, one after the other.
    states: Vec<u32>,
    words: Vec<u64>,
    heads: Vec<Glance>,
    changes: Vec<Change>,
}

/// A state that is expanded: its place in its level, where its slots and words end, and the layout of the words.
#[derive(Clone, Copy, Default)]
struct Parent {
    position: u64,
    states_end: usize,
    words_end: usize,
    layout_version: u32,
}

/// A successor, and what a glance at the tables has said of it.
#[derive(Clone, Copy)]
struct Glance {
    key: u128,
    /// Which of the states it is a successor of, and where its changes end.
    parent: usize,
    end: usize,
    /// The worker to which it belongs, if it is another one.
    owner: Option<usize>,
    is_seen: bool,
    faulty: bool,
}

impl Group {
    fn clear(&mut self) {
        self.parents.clear();
        self.states.clear();
        self.words.clear();
        self.heads.clear();
        self.changes.clear();
    }

    fn begin(&mut self, position: u64, layout_version: u32, state: &[u32], words: &[u64]) {
        self.states.extend_from_slice(state);
        self.words.extend_from_slice(words);
        let (states_end, words_end) = (self.states.len(), self.words.len());
        self.parents.push(Parent { position, states_end, words_end, layout_version });
    }

    fn push(&mut self, key: u128, faulty: bool, changes: &[Change]) {
        self.changes.extend_from_slice(changes);
        let (parent, end) = (self.parents.len() - 1, self.changes.len());
        self.heads.push(Glance { key, parent, end, owner: None, is_seen: false, faulty });
    }

    fn changes(&self, n: usize) -> &[Change] {
        let start = n.checked_sub(1).map_or(0, |before| self.heads[before].end);
        &self.changes[start..self.heads[n].end]
    }

    /// Makes a state the one that is expanded.
    fn load(&self, parent: usize, worker: &mut Worker<'_>) {
        let start = parent.checked_sub(1).map_or(Parent::default(), |before| self.parents[before]);
        let end = self.parents[parent];
        worker.state.clear();
        worker.state.extend_from_slice(&self.states[start.states_end..end.states_end]);
        worker.words.clear();
        worker.words.extend_from_slice(&self.words[start.words_end..end.words_end]);
        worker.numbers.clear();
    }
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
            group: Group::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.explorer.memory_bytes()
    }

    pub(super) fn state_mut(&mut self) -> &mut Vec<u32> {
        &mut self.state
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
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
        // A limit that struck while the last level was merged and saved has waited for that.
        self.stop_saving();
        if self.begin_held_level()? && self.expand_held(is_kept)? {
            return Ok(());
        }
        self.stop_saving();
        let (volume, info) = (self.volume, self.last_level().file.clone());
        let mut reader = None;
        if !self.has_resident_level() {
            self.resident = Buffer::with_room(self.share.candidate_bytes);
            let reader = reader.insert(StateReader::new(volume, &info)?);
            reader.skip(self.position)?;
        }
        while !self.engine.is_stopped() && !self.is_interrupted_by_crew() {
            let n = self.engine.allowance(BATCH);
            // What a halt leaves undone are the states from `position` on; candidates of them that came in before are met again.
            let expanded = halt::until_halted(|| self.expand_some(reader.as_mut(), n));
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
            self.spill_if_full()?;
            if is_kept && self.crew.is_none() {
                self.save_in_between()?;
            }
        }
        Ok(())
    }

    fn stop_saving(&mut self) {
        match halt::struck() {
            Some(cause) => self.engine.halt(Halted { cause, place: None }),
            None => self.meter.saving(false),
        }
    }

    /// Expands up to `n` states, some at a time: their successors are looked up together.
    fn expand_some(
        &mut self,
        mut reader: Option<&mut StateReader<'_, '_>>,
        n: usize,
    ) -> Result<usize, DiskError> {
        let mut done = 0;
        while done < n && !self.engine.is_stopped() && !self.is_interrupted_by_crew() {
            let mut worker = std::mem::take(&mut self.worker).expect("it is put back");
            let n_taken =
                self.expand_group(&mut worker, reader.as_deref_mut(), GROUP.min(n - done));
            self.worker = Some(worker);
            match n_taken? {
                0 => break,
                taken => done += taken,
            }
        }
        Ok(done)
    }

    /// Expands up to `n` states; what a halt leaves undone is all of them.
    fn expand_group(
        &mut self,
        worker: &mut Worker<'_>,
        mut reader: Option<&mut StateReader<'_, '_>>,
        n: usize,
    ) -> Result<usize, DiskError> {
        worker.group.clear();
        let (first, mut n_taken, mut transitions) = (self.position, 0, 0);
        while n_taken < n && !self.engine.is_stopped() && !self.is_interrupted_by_crew() {
            let position = first + n_taken as u64;
            let link = match &mut reader {
                Some(reader) => reader.advance()?.then(|| reader.link()),
                None => self.resident.get(position as usize).map(|head| head.link),
            };
            let Some(link) = link else { break };
            n_taken += 1;
            if link & PRUNED == 0 {
                let key = match &reader {
                    Some(reader) => self.take_read(worker, reader)?,
                    None => self.take_resident(worker, position),
                };
                let is_as_found = reader.as_ref().is_some_and(|it| it.is_as_found());
                let order = if is_as_found { key } else { u128::from(position) };
                transitions += self.expand_one(worker, key, (position, order))?;
            }
        }
        self.look_up(worker);
        self.engine.transitions += transitions;
        self.position = first + n_taken as u64;
        Ok(n_taken)
    }

    /// Whether the last level is in memory, as it was merged.
    fn has_resident_level(&self) -> bool {
        self.resident.len() as u64 == self.last_level().states
            && self.resident.layout_version == self.engine.store.layout().version()
    }

    /// Makes the state that was read the one that is expanded; its key.
    fn take_read(
        &mut self,
        worker: &mut Worker<'_>,
        reader: &StateReader<'_, '_>,
    ) -> Result<u128, DiskError> {
        let n_slots = self.engine.store.layout().n_slots();
        self.load_from(reader, n_slots, &mut worker.state)?;
        Ok(self.take_loaded(worker))
    }

    /// The same for one that was loaded.
    pub(super) fn take_loaded(&mut self, worker: &mut Worker<'_>) -> u128 {
        worker.use_ids_of_state();
        self.encode(worker);
        self.names.key_of(&worker.state)
    }

    /// The same for a state of a level that is in memory.
    fn take_resident(&mut self, worker: &mut Worker<'_>, position: u64) -> u128 {
        let head = *self.resident.get(position as usize).expect("just looked at");
        worker.words.clear();
        worker.words.extend_from_slice(self.resident.words(&head));
        self.engine.store.layout().decode(&worker.words, &mut worker.state);
        head.key()
    }

    /// Computes the successors of a state and puts those that were not seen a very short while ago into the group; its transitions.
    fn expand_one(
        &mut self,
        worker: &mut Worker<'_>,
        key: u128,
        (position, order): (u64, u128),
    ) -> Result<u64, DiskError> {
        let (config, system) = (self.engine.config, self.engine.system);
        // A filter must see every action.
        worker.successors.set_counts_loops(config.allow.is_none());
        worker.explorer.expand(&worker.state, &mut worker.successors);
        if cfg!(debug_assertions) && position.is_multiple_of(64) {
            worker.successors.assert_consistent(system, &worker.state);
        }
        if config.deadlock && worker.successors.is_empty() && !system.is_final(&worker.state) {
            self.note_stuck_at(position, order);
        }
        if let Some(allow) = &config.allow {
            let (state, successors) = (&worker.state, &mut worker.successors);
            let kept = quietly(|| successors.retain(|successor| allow(state, successor.action)));
            if let Err(message) = kept {
                if let Some(crew) = &mut self.crew {
                    crew.note_broken(position, message);
                    return Ok(0);
                }
                let state = self.insert_chain(self.depth(), position)?;
                self.engine.report_broken(state, "allow", message);
                return Ok(0);
            }
        }
        let successors = std::mem::take(&mut worker.successors);
        let layout_version = self.engine.store.layout().version();
        worker.group.begin(position, layout_version, &worker.state, &worker.words);
        for successor in successors.iter() {
            let changes = successors.changes(successor);
            if changes.is_empty() {
                continue;
            }
            let (key, is_named) = changed_key(&mut self.names, &worker.state, key, changes);
            if !is_named {
                self.names.name_changed(&worker.state, successor.action, changes);
            }
            if !self.seen.has_seen_lately(key) || !is_named {
                worker.group.push(key, successor.faulty, changes);
            }
        }
        let transitions = u64::from(successors.n_transitions());
        worker.successors = successors;
        Ok(transitions)
    }

    /// Makes those successors of a group candidates that are not known. Tables are first looked at for all of them in a row, so that the waits
    /// for memory overlap.
    fn look_up(&mut self, worker: &mut Worker<'_>) {
        let mut group = std::mem::take(&mut worker.group);
        for head in &mut group.heads {
            head.owner = self.crew.as_ref().and_then(|crew| crew.elsewhere(head.key));
            head.is_seen = match &self.known {
                Some(known) if head.owner.is_none() => known.glance(head.key),
                _ => self.seen.glance(head.key),
            };
        }
        let mut loaded = usize::MAX;
        for n in 0..group.heads.len() {
            let head = group.heads[n];
            if head.is_seen || !self.is_candidate(&head) {
                continue;
            }
            let parent = group.parents[head.parent];
            if std::mem::replace(&mut loaded, head.parent) != head.parent {
                group.load(head.parent, worker);
                if parent.layout_version != self.engine.store.layout().version() {
                    self.encode(worker);
                }
                self.engine.monitor.follow(self.engine.store.layout());
            }
            self.consider(worker, &head, group.changes(n), parent.position);
        }
        worker.group = group;
    }

    /// Whether a successor at which was glanced without success is to be a candidate.
    #[inline]
    fn is_candidate(&mut self, head: &Glance) -> bool {
        match &mut self.known {
            Some(known) if head.owner.is_none() => known.meet(head.key),
            _ => !self.seen.has_seen_before(head.key),
        }
    }

    /// Makes one successor a candidate.
    fn consider(
        &mut self,
        worker: &mut Worker<'_>,
        head: &Glance,
        changes: &[Change],
        position: u64,
    ) {
        worker.use_ids(changes.iter().map(|change| (change.slot as usize, change.id)));
        while !self.patch(worker, changes) {
            self.widen(worker);
            self.encode(worker);
            self.engine.monitor.follow(self.engine.store.layout());
        }
        let layout = self.engine.store.layout();
        let mut flags = if head.faulty { REMARKABLE } else { 0 };
        if !self.engine.monitor.is_empty() {
            worker.hits.clear();
            let (child, parent) = (&worker.child, Some(&*worker.words));
            self.engine.monitor.examine(layout, child, parent, &mut worker.hits);
            flags |= if worker.hits.is_empty() { 0 } else { REMARKABLE };
        }
        match &mut self.crew {
            None => self.buffer.push(head.key, link(position, flags), &worker.child),
            Some(crew) => match head.owner {
                None => self.buffer.push(head.key, crew.link(position, flags), &worker.child),
                Some(owner) => {
                    if worker.numbers.is_empty() {
                        self.names.numbers_of(&worker.state, &mut worker.numbers);
                    }
                    worker.others.clone_from(&worker.numbers);
                    self.names.change_numbers(&mut worker.others, changes);
                    crew.hand_over(owner, &self.names, &worker.others, link(position, flags));
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
        let new = self.engine.store.layout();
        self.buffer.widen(&old, new);
        self.resident.widen(&old, new);
    }

    /// A state in ids of this process.
    pub(super) fn load(
        &self,
        numbers: &[u32],
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Result<(), DiskError> {
        let known = self.names.state_of(numbers, n_slots, state);
        known.ok_or_else(|| self.undefined())
    }

    /// The state that was read last, in ids of this process.
    pub(super) fn load_from(
        &self,
        reader: &StateReader<'_, '_>,
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Result<(), DiskError> {
        if !reader.is_as_found() {
            return self.load(reader.numbers(), n_slots, state);
        }
        let known = self.names.state_as_found(reader.numbers(), n_slots, state);
        known.ok_or_else(|| self.undefined())
    }

    fn undefined(&self) -> DiskError {
        DiskError::Damaged {
            file: self.last_level().file.name.clone(),
            reason: "a state has a component that was not defined".to_owned(),
        }
    }

    /// Writes candidates to disk when there are too many; of several workers, one whose disk is full has all of them stop.
    pub(super) fn spill_if_full(&mut self) -> Result<(), DiskError> {
        let resident = self.resident.bytes() as u64;
        if self.buffer.bytes() as u64 + resident < self.share.candidate_bytes.max(2 * resident) {
            return Ok(());
        }
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
