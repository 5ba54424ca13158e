//! Names of components: what a state on disk is made of, and how a later process finds the same components again.
//! Why: ids are those of one instance of a system. On disk a component is a number, counted in each slot from 1 in the order in
//! which components were first met; 0 is a slot that is not there. The dictionary defines each number once, by the key of the component
//! and how it came to be: the state before, in numbers, and which of its enabled actions was taken. Whoever resumes takes that
//! step and has the component; a step that gives another key is a system that differs, or is not a function.
//! Slots on disk are those of the first process. An instance that gives a slot to each process as it meets it may have
//! others, so slots have names too.
//! States in the order of finding are written with the ids of the first process. So its definitions say which ids these were, and whoever resumes
//! finds by them what such a state is made of.
//! Decision: `docs/decisions/0121-components-travel-by-origin.md`. Not here: `foresee_search::Components`, which does the same
//! for a receiver that asks for what it needs.

mod import;

pub(super) use import::different;

use foresee_lts::{Action, Change, Field, State, System};
use foresee_search::{Layout, Shape, put_varint};
use rustc_hash::FxHashMap;

/// A component that has no number yet.
const UNNAMED: u32 = u32::MAX;

/// What is known of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    low: u64,
    high: u64,
    number: u32,
}

impl Entry {
    pub(super) fn key(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    pub(super) fn is_named(self) -> bool {
        self.number != UNNAMED
    }
}

/// Keys and numbers of all components that were met.
pub(super) struct Names<'a> {
    system: &'a dyn System,
    /// From this slot on, id 0 is a slot that is not there.
    n_slots_min: usize,
    /// By slot of this process.
    slots: Vec<Slot>,
    /// By slot on disk: the slot of this process, and ids by number (from 1).
    named: Vec<(usize, Vec<u32>)>,
    /// Definitions that are not on disk yet.
    definitions: Vec<Vec<u8>>,
    /// How every component came to be, for those who may have to tell others.
    origins: Option<Origins>,
    actions: Vec<Action>,
    /// Of a search that was taken up: by slot on disk, the numbers of the ids of the first process. None in that process itself.
    then: Option<Vec<FxHashMap<u32, u32>>>,
    bytes: usize,
}

/// How components came to be, as other workers are told (`crew/channel.rs`).
#[derive(Default)]
struct Origins {
    /// The action's place and one, or 0 for initial states; the state before, in numbers; then of each new component slot, number, key.
    told: Vec<Box<[u8]>>,
    /// By slot on disk and number (from 1): which of these tells of the component.
    of: Vec<Vec<u32>>,
}

/// The components of one slot, by id: in a row while ids are dense, else in a map.
#[derive(Default)]
struct Slot {
    on_disk: Option<usize>,
    row: Vec<Option<Entry>>,
    map: FxHashMap<u32, Entry>,
}

impl Slot {
    fn get(&self, id: u32) -> Option<Entry> {
        match self.row.get(id as usize) {
            Some(entry) => *entry,
            None => self.map.get(&id).copied(),
        }
    }

    fn set(&mut self, id: u32, entry: Entry, n_known: usize) {
        let at = id as usize;
        if at >= self.row.len() && at <= 4 * n_known + 1024 && self.map.is_empty() {
            self.row.resize((at + 1).next_power_of_two(), None);
        }
        match self.row.get_mut(at) {
            Some(place) => *place = Some(entry),
            None => _ = self.map.insert(id, entry),
        }
    }

    fn bytes(&self) -> usize {
        self.row.capacity() * size_of::<Option<Entry>>() + self.map.capacity() * 40
    }
}

impl<'a> Names<'a> {
    pub(super) fn new(system: &'a dyn System) -> Self {
        let n_slots_min = system.initial().iter().map(Vec::len).min().unwrap_or(0);
        Names {
            system,
            n_slots_min,
            slots: Vec::new(),
            named: Vec::new(),
            definitions: Vec::new(),
            origins: None,
            actions: Vec::new(),
            then: None,
            bytes: 0,
        }
    }

    /// What is in files was written by another process: ids there are not those of this one.
    pub(super) fn forget_ids(&mut self) {
        self.then = Some(Vec::new());
    }

    /// From the start: remember how every component came to be.
    pub(super) fn keep_origins(&mut self) {
        self.origins = Some(Origins::default());
    }

    /// The number of the origin of a component that has a number.
    #[inline]
    pub(super) fn origin_of(&self, on_disk: usize, number: u32) -> u32 {
        self.origins.as_ref().map_or(0, |it| it.of[on_disk][number as usize - 1])
    }

    /// An origin, as others are told.
    pub(super) fn origin(&self, origin: u32) -> &[u8] {
        self.origins.as_ref().map_or(&[], |it| &it.told[origin as usize])
    }

    /// What is known of a component; it is known from now on.
    #[inline]
    pub(super) fn entry(&mut self, slot: usize, id: u32) -> Entry {
        if let Some(entry) = self.slots.get(slot).and_then(|slot| slot.get(id)) {
            return entry;
        }
        self.meet(slot, id)
    }

    #[cold]
    fn meet(&mut self, slot: usize, id: u32) -> Entry {
        let is_absent =
            id == 0 && (slot >= self.n_slots_min || self.system.content_hash(slot, id) == 0);
        let (key, number) =
            if is_absent { (0, 0) } else { (self.system.content_key(slot, id), UNNAMED) };
        let entry = Entry { low: key as u64, high: (key >> 64) as u64, number };
        self.put(slot, id, entry);
        entry
    }

    fn put(&mut self, slot: usize, id: u32, entry: Entry) {
        if slot >= self.slots.len() {
            self.slots.resize_with(slot + 1, Slot::default);
        }
        let n_known = self.slots[slot].on_disk.map_or(0, |on_disk| self.named[on_disk].1.len());
        let before = self.slots[slot].bytes();
        self.slots[slot].set(id, entry, n_known);
        self.bytes += self.slots[slot].bytes() - before;
    }

    /// The key of a state: the sum of those of its components.
    pub(super) fn key_of(&mut self, state: &[u32]) -> u128 {
        let keys = state.iter().enumerate().map(|(slot, id)| self.entry(slot, *id).key());
        keys.fold(0, u128::wrapping_add)
    }

    /// Gives numbers to the components of the initial states.
    pub(super) fn name_initial(&mut self, states: &[State]) {
        let mut new = Vec::new();
        for state in states {
            for (slot, id) in state.iter().enumerate() {
                let change = Change { slot: slot as u32, id: *id };
                if !self.entry(slot, *id).is_named() && !new.contains(&change) {
                    new.push(change);
                }
            }
        }
        let mut definition = Vec::new();
        put_varint(&mut definition, 0);
        self.name_all(&new, definition);
    }

    /// Gives numbers to those components among `changes` that have none; `action` led there from `before`.
    pub(super) fn name_changed(&mut self, before: &[u32], action: Action, changes: &[Change]) {
        self.actions.clear();
        self.system.enabled(before, &mut self.actions);
        let place = self.actions.iter().position(|it| *it == action);
        self.name_stepped(before, place.expect("an action that was taken is enabled"), changes);
    }

    /// The same, where the action is known by its place among those enabled in `before`.
    pub(super) fn name_stepped(&mut self, before: &[u32], place: usize, changes: &[Change]) {
        let is_new = |own: &mut Self, it: &Change| !own.entry(it.slot as usize, it.id).is_named();
        let new: Vec<Change> = changes.iter().copied().filter(|it| is_new(self, it)).collect();
        if new.is_empty() {
            return;
        }
        let mut definition = Vec::new();
        put_varint(&mut definition, place as u64 + 1);
        let mut numbers = Vec::new();
        self.numbers_of(before, &mut numbers);
        put_varint(&mut definition, numbers.len() as u64);
        numbers.iter().for_each(|number| put_varint(&mut definition, u64::from(*number)));
        self.name_all(&new, definition);
    }

    fn name_all(&mut self, new: &[Change], mut definition: Vec<u8>) {
        let mut told = self.origins.is_some().then(|| definition.clone());
        put_varint(&mut definition, new.len() as u64);
        if let Some(told) = &mut told {
            put_varint(told, new.len() as u64);
        }
        for Change { slot, id } in new {
            let slot = *slot as usize;
            let entry = self.entry(slot, *id);
            let on_disk = self.slots[slot].on_disk.unwrap_or(self.named.len());
            put_varint(&mut definition, on_disk as u64);
            definition.extend_from_slice(&entry.key().to_le_bytes());
            self.number(on_disk, slot, *id, entry);
            if let Some(told) = &mut told {
                put_varint(told, on_disk as u64);
                put_varint(told, self.named[on_disk].1.len() as u64);
                told.extend_from_slice(&entry.key().to_le_bytes());
            }
        }
        let is_first = self.then.is_none();
        for Change { id, .. } in new {
            // Only the ids of the first process stand in files.
            put_varint(&mut definition, if is_first { u64::from(*id) + 1 } else { 0 });
        }
        self.definitions.push(definition);
        self.add_origin(told);
    }

    fn add_origin(&mut self, told: Option<Vec<u8>>) {
        if let (Some(origins), Some(told)) = (&mut self.origins, told) {
            self.bytes += told.len() + size_of::<Box<[u8]>>();
            origins.told.push(told.into());
        }
    }

    /// Gives the next number of a slot on disk.
    fn number(&mut self, on_disk: usize, slot: usize, id: u32, entry: Entry) {
        if on_disk == self.named.len() {
            self.named.push((slot, Vec::new()));
            self.slots[slot].on_disk = Some(on_disk);
        }
        self.named[on_disk].1.push(id);
        self.bytes += size_of::<u32>();
        if let Some(origins) = &mut self.origins {
            origins.of.resize_with(self.named.len(), Vec::new);
            origins.of[on_disk].push(origins.told.len() as u32);
            self.bytes += size_of::<u32>();
        }
        let number = self.named[on_disk].1.len() as u32;
        self.put(slot, id, Entry { number, ..entry });
    }

    /// A state in numbers, by slot on disk; all its components have some.
    pub(super) fn numbers_of(&mut self, state: &[u32], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.resize(self.named.len(), 0);
        for (slot, id) in state.iter().enumerate() {
            let entry = self.entry(slot, *id);
            debug_assert!(entry.is_named(), "slot {slot}, id {id}");
            if entry.number != 0 {
                let on_disk = self.slots[slot].on_disk.expect("a slot with a number has a name");
                numbers[on_disk] = entry.number;
            }
        }
    }

    /// The numbers of a state after some changes, all of which have numbers.
    pub(super) fn change_numbers(&mut self, numbers: &mut Vec<u32>, changes: &[Change]) {
        numbers.resize(self.named.len(), 0);
        for Change { slot, id } in changes {
            let entry = self.entry(*slot as usize, *id);
            if let Some(on_disk) = self.slots[*slot as usize].on_disk {
                numbers[on_disk] = entry.number;
            }
        }
    }

    /// A state in ids of this process, with at least `n_slots` slots; `None` if a number means nothing.
    pub(super) fn state_of(
        &self,
        numbers: &[u32],
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Option<()> {
        state.clear();
        state.resize(n_slots, 0);
        for (on_disk, number) in numbers.iter().enumerate() {
            if *number != 0 {
                let (slot, ids) = self.named.get(on_disk)?;
                if *slot >= state.len() {
                    state.resize(slot + 1, 0);
                }
                state[*slot] = *ids.get(*number as usize - 1)?;
            }
        }
        Some(())
    }

    /// The state that was written in the order of finding, with at least `n_slots` slots, in ids of this process; `None` if an id means nothing.
    pub(super) fn state_as_found(
        &self,
        ids: &[u32],
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Option<()> {
        state.clear();
        state.resize(n_slots, 0);
        for (on_disk, id) in ids.iter().enumerate() {
            let (slot, own) = self.named.get(on_disk)?;
            let id = match &self.then {
                None => *id,
                Some(then) => match then.get(on_disk).and_then(|it| it.get(id)) {
                    Some(number) => *own.get(*number as usize - 1)?,
                    // A slot that is not there has no number.
                    None if *id == 0 => 0,
                    None => return None,
                },
            };
            if *slot >= state.len() {
                state.resize(slot + 1, 0);
            }
            state[*slot] = id;
        }
        Some(())
    }

    /// Where the slots on disk are found in states that are packed so.
    pub(super) fn fields(&self, layout: &Layout) -> Vec<Field> {
        let field = |(slot, _): &(usize, _)| layout.field(*slot).unwrap_or_default();
        self.named.iter().map(field).collect()
    }

    /// Room for every number there is.
    pub(super) fn shape(&self) -> Shape {
        Shape::for_numbers(self.named.iter().map(|(_, ids)| ids.len() as u32))
    }

    /// How many components have a number.
    pub(super) fn len(&self) -> usize {
        self.named.iter().map(|(_, ids)| ids.len()).sum()
    }

    /// The definitions that were made since this was asked last.
    pub(super) fn take_definitions(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.definitions)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
