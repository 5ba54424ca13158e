//! While memory holds all states: a level is expanded in the order in which its states were found, against an exact store.
//! Why: neighbours in that order have most of their successors in common, neighbours in the order of keys hardly any. So the search goes as it does
//! in memory, and only what is new gets a key, is sorted and written: the files are those that the search in the order of keys writes.
//! How the least parent is found all the same: each state of the level has a *rank*, its place in the order of keys. A successor that was found in this
//! level keeps the least rank that leads to it, and one that was seen a short while ago is looked at again if it comes from a lesser rank.
//! Where the search is stopped in the middle of a level, or memory gets scarce, the level is *set down*: written anew with what is expanded marked as not
//! to be expanded, and what was found as candidates. From there the search goes on in the order of keys.
//! Not here: the search when memory does not hold all states (`expand.rs`, `merge.rs`), and searches by several workers.

use super::buffer::{Head, PRUNED, REMARKABLE, link};
use super::merge::Find;
use super::{Names, Search};
use crate::engine::Engine;
use crate::expander::Batch;
use foresee_lts::Successor;
use foresee_search::{
    DiskError, Inserted, RunWriter, StateIndex, StateReader, StateStore, StateWriter, VisitedKind,
};
use foresee_stdx::halt;
use std::sync::Arc;

/// States expanded between two looks at the limits, at most.
const BATCH: usize = 64;
/// States that are expanded together.
const GROUP: usize = 16;
/// Stands for the rank of a state that is not expanded.
const NEVER: u32 = u32::MAX;
/// New states written between two looks at the limits.
const LOOK_EVERY: u32 = 4096;
/// So many states are asked for ahead when they are written.
const AHEAD: usize = 16;

/// A level and its keys, to be finished, and what there is to tell of it.
type Written<'e> = (StateWriter<'e, 'e>, RunWriter<'e, 'e>, Vec<Find>);

/// All states, and what is known of those of the last two levels.
pub(super) struct Held {
    store: StateStore,
    /// The first state of the last level.
    first: u32,
    /// Of each state of the last level its place in the order of keys, and its key.
    ranks: Arc<Vec<u32>>,
    keys: Vec<u128>,
    /// The state that is expanded next.
    next: u32,
    /// The states found from the last level, in the order of finding, and their keys, which stay in it.
    found: Vec<Head>,
    keys_found: Vec<u128>,
    bytes_max: u64,
    /// Buffers.
    parents: Vec<StateIndex>,
    batch: Batch,
    state: Vec<u32>,
    numbers: Vec<u32>,
}

impl Held {
    pub(super) fn new(bytes_max: u64) -> Self {
        Held {
            store: StateStore::new(VisitedKind::Exact, None),
            first: 0,
            ranks: Arc::default(),
            keys: Vec::new(),
            next: 0,
            found: Vec::new(),
            keys_found: Vec::new(),
            bytes_max,
            parents: Vec::new(),
            batch: Batch::default(),
            state: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let keys = (self.keys.capacity() + self.keys_found.capacity()) * size_of::<u128>();
        let level = self.ranks.capacity() * size_of::<u32>() + keys;
        self.store.bytes() + level + self.found.capacity() * size_of::<Head>()
    }

    /// Whether it has more than its share of memory.
    fn is_over(&self) -> bool {
        self.bytes() as u64 > self.bytes_max
    }

    /// The states of the last level end here.
    fn end(&self) -> u32 {
        self.first + self.ranks.len() as u32
    }

    /// Takes in a state where the search starts, in the order of keys.
    pub(super) fn add_start(&mut self, key: u128, state: &[u32], expandable: bool) {
        super::insert(&mut self.store, state, StateIndex::NONE);
        let rank = if expandable { self.keys.len() as u32 } else { NEVER };
        Arc::make_mut(&mut self.ranks).push(rank);
        self.keys.push(key);
    }

    /// Makes the next states that are to be expanded, at most `n`, the parents; where they end.
    fn take(&mut self, n: usize) -> u32 {
        self.parents.clear();
        let mut next = self.next;
        while self.parents.len() < n && next < self.end() {
            if self.ranks[(next - self.first) as usize] != NEVER {
                self.parents.push(StateIndex(next));
            }
            next += 1;
        }
        next
    }

    /// For each place in the order of keys whether the state there is expanded.
    fn expanded(&self) -> Vec<bool> {
        let mut expanded = vec![false; self.ranks.len()];
        for rank in
            self.ranks[..(self.next - self.first) as usize].iter().filter(|it| **it != NEVER)
        {
            expanded[*rank as usize] = true;
        }
        expanded
    }

    /// The key of a state that was just found, from that of its parent, and whether all its components have numbers.
    fn key_of(&self, names: &mut Names<'_>, words: &[u64], parent: StateIndex) -> (u128, bool) {
        let mut key = self.keys[(parent.0 - self.first) as usize];
        let (before, mut is_named) = (self.store.words(parent), true);
        for (slot, field) in self.store.layout().fields().iter().enumerate() {
            let at = field.word as usize;
            if (words[at] ^ before[at]) >> field.shift & field.mask != 0 {
                let new = names.entry(slot, field.read(words));
                let old = names.entry(slot, field.read(before));
                key = key.wrapping_sub(old.key()).wrapping_add(new.key());
                is_named &= new.is_named();
            }
        }
        (key, is_named)
    }

    /// Gives numbers to those components of a state that have none; one step leads there from its parent.
    #[cold]
    fn name(
        &self,
        engine: &mut Engine<'_>,
        names: &mut Names<'_>,
        words: &[u64],
        parent: StateIndex,
    ) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.store.decode(parent, &mut before);
        self.store.layout().decode(words, &mut after);
        let successors = engine.expander.changes_from(&before);
        let leads_there = |successor: &&Successor| {
            let mut next = before.clone();
            successors.apply(successor, &mut next);
            next == after
        };
        let step = successors.iter().find(leads_there).expect("a successor of its parent");
        names.name_changed(&before, step.action, successors.changes(step));
    }

    /// Expands the parents that were taken, and takes in what they lead to; the least rank of those in which nothing can happen.
    fn expand(&mut self, engine: &mut Engine<'_>, names: &mut Names<'_>) -> Option<u32> {
        let mut batch = std::mem::take(&mut self.batch);
        loop {
            engine.expander.expand(&self.store, &self.parents, &mut batch);
            if batch.candidates.misfits().is_empty() {
                break;
            }
            self.store.widen_for(&batch.candidates);
        }
        let candidates = &mut batch.candidates;
        candidates.sift(&self.store);
        engine.monitor.follow(self.store.layout());
        let (first, end) = (self.first, self.end());
        for position in 0..candidates.len() {
            let (words, head) = (candidates.words(position), candidates.head(position));
            let rank = self.ranks[(head.parent.0 - first) as usize];
            let inserted = match head.known.is_none() {
                true => self.store.insert(words, head.identity, head.parent),
                false => Inserted::Known(head.known),
            };
            match inserted {
                Inserted::Known(state) => {
                    if let Some(at) = state.0.checked_sub(end) {
                        let found = &mut self.found[at as usize];
                        let flags = found.link & (PRUNED | REMARKABLE);
                        found.link = found.link.min(link(u64::from(rank), flags));
                    }
                }
                Inserted::New(state) => {
                    let (mut key, is_named) = self.key_of(names, words, head.parent);
                    if !is_named {
                        self.name(engine, names, words, head.parent);
                        key = self.key_of(names, words, head.parent).0;
                    }
                    let is_remarkable =
                        head.faulty || self.is_remarkable(engine, words, head.parent);
                    let flags = if is_remarkable { REMARKABLE } else { 0 };
                    self.found.push(Head::new(key, link(u64::from(rank), flags), state.0 - end));
                    self.keys_found.push(key);
                }
                Inserted::Full => unreachable!("memory ends before"),
            }
        }
        // A halt on the way leaves the parents unexpanded.
        engine.transitions += u64::from(candidates.n_transitions());
        let stuck = candidates.terminals().iter();
        let stuck = stuck.map(|it| self.ranks[(it.state.0 - first) as usize]).min();
        self.batch = batch;
        stuck
    }

    /// Whether a property has something to say of a state that was just found.
    fn is_remarkable(&self, engine: &mut Engine<'_>, words: &[u64], parent: StateIndex) -> bool {
        let before = self.store.words(parent);
        if engine.monitor.is_empty() || !engine.monitor.is_concerned(words, before) {
            return false;
        }
        let mut hits = Vec::new();
        engine.monitor.examine(self.store.layout(), words, Some(before), &mut hits);
        !hits.is_empty()
    }
}

impl<'e> Search<'e, '_> {
    /// Whether all states are held, and the level can be expanded in the order of finding; if it cannot, they are not held any more.
    pub(super) fn begin_held_level(&mut self) -> Result<bool, DiskError> {
        if self.held.as_ref().is_some_and(Held::is_over) {
            self.leave_held()?;
        }
        let Some(held) = &mut self.held else { return Ok(false) };
        held.next = held.first;
        self.engine.expander.rank_parents(held.first, &held.ranks);
        self.engine.monitor.forget_layout();
        Ok(true)
    }

    /// Expands the last level; false if the rest of it is to be expanded in the order of keys, because memory gets scarce or the level takes long.
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
            let is_over = self.held.as_ref().is_some_and(Held::is_over);
            if !self.engine.is_stopped() && (is_over || (is_kept && self.is_save_in_between_due()))
            {
                self.set_down()?;
                self.leave_held()?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn expand_some_held(&mut self, n: usize) -> usize {
        let held = self.held.as_mut().expect("all states are held");
        let mut n_expanded = 0;
        while n_expanded < n {
            let next = held.take(GROUP.min(n - n_expanded));
            let stuck = held.expand(self.engine, &mut self.names).map(u64::from);
            self.stuck = self.stuck.into_iter().chain(stuck).min();
            n_expanded += held.parents.len();
            held.next = next;
            if held.parents.is_empty() {
                break;
            }
        }
        self.position = u64::from(held.next - held.first);
        n_expanded
    }

    /// Writes how far the level is. What was found is no longer in memory, and the rest of the level is expanded in the order of keys.
    pub(super) fn set_down(&mut self) -> Result<(), DiskError> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let old = self.last_level().file.clone();
        let name = self.new_name("level");
        let mut reader = StateReader::new(self.volume, &old)?;
        let mut level = StateWriter::new(self.volume, name, self.names.shape(), false)?;
        for is_expanded in held.expanded() {
            if !reader.advance()? {
                let reason = "it is shorter than it was".to_owned();
                return Err(DiskError::Damaged { file: old.name, reason });
            }
            let flags = if is_expanded { PRUNED } else { 0 };
            level.push(0, reader.link() | flags, reader.numbers())?;
        }
        held.found.sort_unstable_by_key(Head::key);
        let name = self.new_name("candidates");
        let mut candidates = StateWriter::new(self.volume, name, self.names.shape(), true)?;
        for head in &held.found {
            held.store.decode(StateIndex(held.end() + head.at), &mut held.state);
            self.names.numbers_of(&held.state, &mut held.numbers);
            candidates.push(head.key(), head.link, &held.numbers)?;
        }
        self.rubbish.push(old.name);
        self.levels.last_mut().expect("there is a level").file = level.finish()?;
        self.candidates.push(candidates.finish()?);
        self.position = 0;
        Ok(())
    }

    /// Memory does not hold all states any more: they are in the files, whose runs get their filters.
    fn leave_held(&mut self) -> Result<(), DiskError> {
        self.held = None;
        self.engine.monitor.forget_layout();
        self.engine.expander.rank_parents(0, &Arc::default());
        if self.runs.is_empty() { Ok(()) } else { self.merge_from(0) }
    }

    /// Makes what was found the next level; `None` if it was stopped, and then nothing has changed.
    pub(super) fn merge_held(&mut self) -> Result<Option<Vec<Find>>, DiskError> {
        let mut held = self.held.take().expect("all states are held");
        let written = self.write_held(&mut held);
        self.held = Some(held);
        let Some((level, keys, finds)) = written? else { return Ok(None) };
        self.finish_level(level, keys)?;
        Ok(Some(finds))
    }

    /// Writes what was found, in the order of keys.
    fn write_held(&mut self, held: &mut Held) -> Result<Option<Written<'e>>, DiskError> {
        let names = [self.new_name("level"), self.new_name("run")];
        let [level_name, run_name] = names.clone();
        let mut level = StateWriter::new(self.volume, level_name, self.names.shape(), false)?;
        let mut keys = RunWriter::new(self.volume, run_name, held.found.len() as u64, 0);
        let mut finds = self.finds();
        held.found.sort_unstable_by_key(Head::key);
        let (end, n) = (held.end(), held.found.len());
        let mut ranks = vec![NEVER; n];
        for (rank, head) in (0u32..).zip(&held.found) {
            if (rank + 1).is_multiple_of(LOOK_EVERY) && self.is_to_stop() {
                self.rubbish.extend(names);
                return Ok(None);
            }
            // In the order of keys states are far from each other in memory.
            if let Some(later) = held.found.get(rank as usize + AHEAD) {
                held.store.prefetch_words(StateIndex(end + later.at));
            }
            held.store.decode(StateIndex(end + head.at), &mut held.state);
            self.names.numbers_of(&held.state, &mut held.numbers);
            let mut link = head.link;
            if link & REMARKABLE != 0 {
                link |= self.look(&mut finds, level.len(), &held.numbers)?;
            }
            level.push(head.key(), link, &held.numbers)?;
            keys.push(head.key())?;
            ranks[head.at as usize] = if link & PRUNED == 0 { rank } else { NEVER };
        }
        (held.first, held.ranks) = (end, Arc::new(ranks));
        std::mem::swap(&mut held.keys, &mut held.keys_found);
        held.keys_found.clear();
        held.found.clear();
        Ok(Some((level, keys, finds.into_list())))
    }

    /// Whether a state was found in the level that was expanded last; it is forgotten.
    pub(super) fn has_found_held(&mut self) -> bool {
        self.held.as_mut().is_some_and(|held| !std::mem::take(&mut held.found).is_empty())
    }
}
