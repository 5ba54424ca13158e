//! While memory holds all states: the search goes as it does in memory, and its files are a copy of what the store has.
//! Why: keys, their order and the least parents cost as much as the search itself, and nobody asks for them before memory is over or a run is to be
//! told. So a level is written as the words of its states in the order in which they were found (`foresee_search::FoundWriter`); `order.rs` makes keys and
//! their order of such files when they are wanted, and `chain.rs` looks for the least parent by expanding the level before once more.
//! What is done for each new state: whether all its components have numbers, so that whoever resumes finds them again, and whether there is anything to tell
//! of it. A look at the bits that differ from its parent answers both.
//! When memory gets scarce the states found from the level under way are *set down* in a file of candidates, and from there the search goes on in the order of
//! keys. The same file is written when the search is stopped, or a level takes long: then it goes on in memory.
//! Invariant: `settled` states are those of completely expanded parents, and their components have numbers. What comes after them is found again.
//! Not here: the search when memory does not hold all states (`expand.rs`, `merge.rs`), and searches by several workers.

use super::buffer::{PRUNED, REMARKABLE, link};
use super::merge::Find;
use super::{Names, Search};
use crate::engine::Engine;
use crate::expander::{Batch, Expander};
use foresee_lts::{Field, Successor};
use foresee_search::{
    DiskError, FileInfo, FoundWriter, Inserted, Layout, LevelInfo, StateIndex, StateStore,
    VisitedKind,
};
use foresee_stdx::halt;
use std::ops::Range;

/// States expanded between two looks at the limits, at most.
const BATCH: usize = 64;
/// States that are expanded together.
const GROUP: usize = 16;
/// States that are looked at between two looks at the limits.
const LOOK_EVERY: usize = 64;
/// So many parents are listed at once.
const LIST: usize = 4096;
/// A store with so many states is left, whatever memory there is.
const STATES_MAX: usize = 1 << 31;
/// Components with larger ids are looked up.
const ID_MAX: u32 = 1 << 22;

/// All states, and where the search stands among them.
pub(super) struct Held {
    store: StateStore,
    /// The last level; what comes after it was found from it.
    level: Range<u32>,
    /// The state that is expanded next.
    next: u32,
    /// The states before this one are settled.
    settled: u32,
    /// States of the last level that are not expanded, in order.
    pruned: Vec<u32>,
    /// States found from the last level of which there may be something to tell, in order.
    remarkable: Vec<u32>,
    /// States with components that may have no numbers yet.
    unnamed: Vec<StateIndex>,
    named: Named,
    bytes_max: u64,
    /// Buffers.
    parents: Vec<StateIndex>,
    batch: Batch,
    state: Vec<u32>,
}

/// Which components have numbers: bits by slot and id, and which slot each bit of a packed state belongs to.
#[derive(Default)]
struct Named {
    bits: Vec<Vec<u64>>,
    slots: Vec<u32>,
    layout_version: Option<u32>,
}

impl Named {
    fn follow(&mut self, layout: &Layout) {
        if self.layout_version == Some(layout.version()) {
            return;
        }
        self.layout_version = Some(layout.version());
        self.bits.resize_with(layout.n_slots().max(self.bits.len()), Vec::new);
        self.slots.clear();
        self.slots.resize(64 * layout.n_words(), 0);
        for (slot, field) in (0u32..).zip(layout.fields()) {
            let first = 64 * field.word as usize + field.shift as usize;
            self.slots[first..first + field.mask.count_ones() as usize].fill(slot);
        }
    }

    /// Whether all components that a state has and its parent has not are known to have numbers.
    #[inline]
    fn has_all(&self, fields: &[Field], words: &[u64], parent: &[u64]) -> bool {
        for (at, (word, before)) in words.iter().zip(parent).enumerate() {
            let mut rest = word ^ before;
            while rest != 0 {
                let slot = self.slots[64 * at + rest.trailing_zeros() as usize] as usize;
                let field = fields[slot];
                let id = field.read(words) as usize;
                if self.bits[slot].get(id / 64).is_none_or(|bits| bits >> (id % 64) & 1 == 0) {
                    return false;
                }
                rest &= !(field.mask << field.shift);
            }
        }
        true
    }

    fn add(&mut self, slot: usize, id: u32) {
        if id < ID_MAX {
            let bits = &mut self.bits[slot];
            bits.resize(bits.len().max(id as usize / 64 + 1), 0);
            bits[id as usize / 64] |= 1 << (id % 64);
        }
    }

    fn bytes(&self) -> usize {
        self.bits.iter().map(|bits| bits.capacity() * size_of::<u64>()).sum()
    }
}

impl Held {
    pub(super) fn new(bytes_max: u64) -> Self {
        Held {
            store: StateStore::new(VisitedKind::Exact, None),
            level: 0..0,
            next: 0,
            settled: 0,
            pruned: Vec::new(),
            remarkable: Vec::new(),
            unnamed: Vec::new(),
            named: Named::default(),
            bytes_max,
            parents: Vec::new(),
            batch: Batch::default(),
            state: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = self.pruned.capacity() + self.remarkable.capacity();
        self.store.bytes() + self.named.bytes() + lists * size_of::<u32>()
    }

    /// Whether it has more than its share of memory.
    fn is_over(&self) -> bool {
        self.bytes() as u64 > self.bytes_max || self.store.len() > STATES_MAX
    }

    fn len(&self) -> u32 {
        self.store.len() as u32
    }

    /// Takes in a state where the search starts.
    pub(super) fn add_start(&mut self, state: &[u32], expandable: bool) {
        let state = super::insert(&mut self.store, state, StateIndex::NONE);
        if !expandable {
            self.pruned.push(state.0);
        }
        self.level.end = self.len();
        self.settled = self.len();
    }

    /// Makes the next states that are to be expanded, at most `n`, the parents; where they end.
    fn take(&mut self, n: usize) -> u32 {
        self.parents.clear();
        let mut next = self.next;
        let mut pruned = &self.pruned[self.pruned.partition_point(|it| *it < next)..];
        while self.parents.len() < n && next < self.level.end {
            match pruned.split_first() {
                Some((first, rest)) if *first == next => pruned = rest,
                _ => self.parents.push(StateIndex(next)),
            }
            next += 1;
        }
        next
    }

    /// Expands the parents that were taken, and takes in what they lead to.
    fn expand(&mut self, engine: &mut Engine<'_>, names: &mut Names<'_>) {
        let mut batch = std::mem::take(&mut self.batch);
        loop {
            engine.expander.expand(&self.store, &self.parents, &mut batch);
            if batch.candidates.misfits().is_empty() {
                break;
            }
            self.store.widen_for(&batch.candidates);
        }
        batch.candidates.sift(&self.store);
        engine.monitor.follow(self.store.layout());
        self.named.follow(self.store.layout());
        self.insert(engine, &batch);
        self.batch = batch;
        self.name_new(engine, names);
    }

    fn insert(&mut self, engine: &mut Engine<'_>, batch: &Batch) {
        let candidates = &batch.candidates;
        for position in 0..candidates.len() {
            let head = candidates.head(position);
            if !head.known.is_none() {
                continue;
            }
            let words = candidates.words(position);
            match self.store.insert(words, head.identity, head.parent) {
                Inserted::Known(_) => {}
                Inserted::New(state) => {
                    let before = self.store.words(head.parent);
                    if !self.named.has_all(self.store.layout().fields(), words, before) {
                        self.unnamed.push(state);
                    }
                    if head.faulty || engine.monitor.is_concerned(words, before) {
                        // Where that is cut short it is looked at again.
                        self.remarkable.push(state.0);
                        if !head.faulty && !self.is_remarkable(engine, words, head.parent) {
                            self.remarkable.pop();
                        }
                    }
                }
                Inserted::Full => unreachable!("it is left before"),
            }
        }
    }

    /// Whether a property has something to say of a state that was just found.
    fn is_remarkable(&self, engine: &mut Engine<'_>, words: &[u64], parent: StateIndex) -> bool {
        let mut hits = Vec::new();
        let before = Some(self.store.words(parent));
        engine.monitor.examine(self.store.layout(), words, before, &mut hits);
        !hits.is_empty()
    }

    /// Gives numbers to the components of new states that have none.
    fn name_new(&mut self, engine: &mut Engine<'_>, names: &mut Names<'_>) {
        let mut done = 0;
        while let Some(state) = self.unnamed.get(done).copied() {
            self.name(engine, names, state);
            done += 1;
        }
        self.unnamed.clear();
    }

    /// The same for one state; one step leads there from its parent.
    #[cold]
    fn name(&mut self, engine: &mut Engine<'_>, names: &mut Names<'_>, state: StateIndex) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.store.decode(self.store.parent(state), &mut before);
        self.store.decode(state, &mut after);
        let differs = |slot: &usize| before[*slot] != after[*slot];
        let changed: Vec<usize> = (0..after.len()).filter(differs).collect();
        if !changed.iter().all(|slot| names.entry(*slot, after[*slot]).is_named()) {
            let successors = engine.expander.changes_from(&before);
            let leads_there = |successor: &&Successor| {
                let mut next = before.clone();
                successors.apply(successor, &mut next);
                next == after
            };
            let step = successors.iter().find(leads_there).expect("a successor of its parent");
            names.name_changed(&before, step.action, successors.changes(step));
        }
        changed.iter().for_each(|slot| self.named.add(*slot, after[*slot]));
    }
}

impl Search<'_, '_> {
    /// Whether all states are held, and the level can be expanded in the order of finding; if it cannot, they are not held any more.
    pub(super) fn begin_held_level(&mut self) -> Result<bool, DiskError> {
        if self.held.as_ref().is_some_and(Held::is_over) {
            self.leave_held()?;
        }
        if self.held.is_some() {
            self.engine.monitor.forget_layout();
        }
        Ok(self.held.is_some())
    }

    /// Expands the last level; false if the rest of it is to be expanded otherwise, because memory gets scarce.
    pub(super) fn expand_held(&mut self, is_kept: bool) -> Result<bool, DiskError> {
        while !self.engine.is_stopped() {
            let n = self.engine.allowance(BATCH);
            let expanded = halt::until_halted(|| self.expand_some_held(n));
            let n_expanded = match expanded {
                Ok(n_expanded) => n_expanded,
                Err(halted) => {
                    self.engine.halt(halted);
                    return Ok(true);
                }
            };
            if n_expanded == 0 {
                return Ok(true);
            }
            self.expanded_since_save += n_expanded as u64;
            self.note_figures();
            self.engine.poll(n_expanded);
            if self.engine.is_stopped() {
                return Ok(true);
            }
            if self.held.as_ref().is_some_and(Held::is_over) {
                self.leave_held()?;
                return Ok(false);
            }
            if is_kept && self.is_save_in_between_due() {
                self.set_down()?;
                self.save()?;
            }
        }
        Ok(true)
    }

    fn expand_some_held(&mut self, n: usize) -> usize {
        let mut n_expanded = 0;
        while n_expanded < n {
            let held = self.held.as_mut().expect("all states are held");
            let next = held.take(GROUP.min(n - n_expanded));
            held.expand(self.engine, &mut self.names);
            // From here on nothing is cut short.
            (held.next, held.settled) = (next, held.len());
            self.position = u64::from(next - held.level.start);
            let n_parents = held.parents.len();
            self.engine.transitions += u64::from(held.batch.candidates.n_transitions());
            self.note_terminals();
            n_expanded += n_parents;
            if n_parents == 0 {
                break;
            }
        }
        n_expanded
    }

    /// Notes in which of the states that were just expanded nothing can happen.
    fn note_terminals(&mut self) {
        let held = self.held.as_mut().expect("all states are held");
        let mut terminals = Vec::new();
        for terminal in held.batch.candidates.terminals() {
            held.store.decode(terminal.state, &mut held.state);
            let key = self.names.key_of(&held.state);
            terminals.push((u64::from(terminal.state.0 - held.level.start), key));
        }
        for (position, key) in terminals {
            self.note_stuck_at(position, key);
        }
    }

    /// Writes the states that were found from the level under way as candidates.
    pub(super) fn set_down(&mut self) -> Result<(), DiskError> {
        let Some(held) = self.held.take() else { return Ok(()) };
        self.rubbish.extend(self.candidates.drain(..).map(|file| file.name));
        let found = held.level.end..held.settled;
        if !found.is_empty() {
            let remarkable = held.remarkable.iter().filter(|it| found.contains(it));
            let flagged: Vec<(u32, u64)> = remarkable.map(|it| (*it, REMARKABLE)).collect();
            let written = self.write_found(&held, "candidates", found, &flagged);
            self.candidates.push(written?);
        }
        self.held = Some(held);
        Ok(())
    }

    /// Memory does not hold all states any more: from now on their keys are in files.
    fn leave_held(&mut self) -> Result<(), DiskError> {
        self.set_down()?;
        self.held = None;
        // Another explorer goes on, which remembers things of its own.
        self.engine.expander = Expander::new(self.engine.system, self.engine.config);
        self.engine.monitor.forget_layout();
        self.order_files()
    }

    /// Makes what was found the next level; `None` if it was stopped, and then nothing has changed.
    pub(super) fn merge_held(&mut self) -> Result<Option<Vec<Find>>, DiskError> {
        let mut held = self.held.take().expect("all states are held");
        let done = self.end_held_level(&mut held);
        self.held = Some(held);
        done
    }

    fn end_held_level(&mut self, held: &mut Held) -> Result<Option<Vec<Find>>, DiskError> {
        let Some((finds, flagged)) = self.look_at_found(held)? else { return Ok(None) };
        let found = held.level.end..held.len();
        let states = found.len() as u64;
        let file = self.write_found(held, "level", found.clone(), &flagged)?;
        self.rubbish.extend(self.candidates.drain(..).map(|file| file.name));
        self.levels.push(LevelInfo { states, file });
        self.states += states;
        self.position = 0;
        held.pruned = flagged.iter().map(|(state, _)| *state).collect();
        held.remarkable.clear();
        (held.next, held.level) = (found.start, found);
        Ok(Some(finds))
    }

    /// What there is to tell of the states that were found, in the order of keys, and which of them are pruned.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn look_at_found(
        &mut self,
        held: &Held,
    ) -> Result<Option<(Vec<Find>, Vec<(u32, u64)>)>, DiskError> {
        let mut state = Vec::new();
        let mut by_key = Vec::new();
        for found in &held.remarkable {
            held.store.decode(StateIndex(*found), &mut state);
            by_key.push((self.names.key_of(&state), *found));
        }
        by_key.sort_unstable();
        let (mut finds, mut flagged) = (self.finds(), Vec::new());
        for (n, (_, found)) in by_key.iter().enumerate() {
            if (n + 1).is_multiple_of(LOOK_EVERY) && self.is_to_stop() {
                return Ok(None);
            }
            held.store.decode(StateIndex(*found), &mut state);
            let flags = self.look_at(&mut finds, u64::from(*found - held.level.end), &state);
            if flags & PRUNED != 0 {
                flagged.push((*found, PRUNED));
            }
        }
        flagged.sort_unstable();
        Ok(Some((finds.into_list(), flagged)))
    }

    /// Writes the states where the search starts.
    pub(super) fn write_starts(&mut self) -> Result<FileInfo, DiskError> {
        let held = self.held.take().expect("all states are held");
        let flagged: Vec<(u32, u64)> = held.pruned.iter().map(|it| (*it, PRUNED)).collect();
        let file = self.write_found(&held, "level", held.level.clone(), &flagged);
        self.held = Some(held);
        file
    }

    /// Writes states in the order of finding; those that have flags are named in order.
    fn write_found(
        &mut self,
        held: &Held,
        kind: &str,
        found: Range<u32>,
        flagged: &[(u32, u64)],
    ) -> Result<FileInfo, DiskError> {
        let (name, layout) = (self.new_name(kind), held.store.layout());
        let fields = self.names.fields(layout);
        let mut writer = FoundWriter::new(self.volume, name, fields, layout.n_words())?;
        let mut flagged = flagged.iter().peekable();
        let mut parents = Vec::new();
        for first in found.clone().step_by(LIST) {
            let some = first..found.end.min(first + LIST as u32);
            parents.clear();
            held.store.list_parents(some.start as usize..some.end as usize, &mut parents);
            for (state, parent) in some.zip(&parents) {
                let flags = flagged.next_if(|it| it.0 == state).map_or(0, |it| it.1);
                let place = if parent.is_none() { 0 } else { parent.0 - held.level.start };
                let words = held.store.words(StateIndex(state));
                writer.push(words, link(u64::from(place), flags))?;
            }
        }
        writer.finish()
    }

    /// Whether a state was found in the level that was expanded last.
    pub(super) fn has_found_held(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.settled > held.level.end)
    }
}
