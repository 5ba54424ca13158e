//! States on their way from one worker to another.
//! A state travels as the numbers of its components, which are those of the sender, packed in as few bits as the sender needs. What a
//! number means is told once for each receiver, before the first state that has it: how the component came to be (the state before, in
//! numbers of the sender, and the place of the action), and its key. The receiver takes that step itself.
//! A parcel: definitions, the shape, states. All counts are varints.
//! Invariant: a definition comes after the definitions of what the state before is made of, since parcels of one sender keep their order.

use super::super::names::Names;
use foresee_search::{Shape, Varint, put_varint};

/// What one worker has told another, and what it is about to.
#[derive(Default)]
pub(in super::super) struct Outgoing {
    /// By slot and number: whether it was told.
    known: Vec<Vec<bool>>,
    /// By origin.
    told: Vec<bool>,
    definitions: Vec<u8>,
    n_definitions: u64,
    shape: Shape,
    states: Vec<u8>,
    n_states: u64,
}

impl Outgoing {
    /// Adds a state; gives a parcel that must be sent before, if this state needs wider numbers than the ones in it.
    pub(super) fn push(
        &mut self,
        names: &Names<'_>,
        numbers: &[u32],
        link: u64,
    ) -> Option<Vec<u8>> {
        let full = if self.shape.fits(numbers) { None } else { self.take(super::CANDIDATES) };
        if self.n_states == 0 {
            self.shape = names.shape();
        }
        for (slot, number) in numbers.iter().enumerate() {
            if *number != 0 && !self.knows(slot, *number) {
                self.define(names, names.origin_of(slot, *number));
            }
        }
        put_varint(&mut self.states, link);
        self.shape.pack(numbers, &mut self.states);
        self.n_states += 1;
        full
    }

    /// Bytes that wait to be sent.
    pub(super) fn len(&self) -> usize {
        self.definitions.len() + self.states.len()
    }

    /// The parcel that waits to be sent, if there is anything in it.
    pub(super) fn take(&mut self, kind: u8) -> Option<Vec<u8>> {
        if self.n_states == 0 {
            return None;
        }
        let mut parcel = Vec::with_capacity(self.len() + self.shape.n_slots() + 32);
        parcel.push(kind);
        put_varint(&mut parcel, self.n_definitions);
        parcel.append(&mut self.definitions);
        self.shape.put(&mut parcel);
        put_varint(&mut parcel, self.n_states);
        parcel.append(&mut self.states);
        (self.n_definitions, self.n_states) = (0, 0);
        Some(parcel)
    }

    #[inline]
    fn knows(&self, slot: usize, number: u32) -> bool {
        self.known.get(slot).and_then(|it| it.get(number as usize)).copied().unwrap_or(false)
    }

    /// Tells of an origin, and before that of those it is made of.
    #[cold]
    fn define(&mut self, names: &Names<'_>, origin: u32) {
        let mut owed = vec![origin];
        while let Some(origin) = owed.last().copied() {
            let is_told = self.told.get(origin as usize).copied().unwrap_or(false);
            let n_before = owed.len();
            if !is_told {
                let before = Origin::read(names.origin(origin)).expect("we wrote it");
                for (slot, number) in before.before.iter().enumerate() {
                    if *number != 0 && !self.knows(slot, *number) {
                        owed.push(names.origin_of(slot, *number));
                    }
                }
                if owed.len() == n_before {
                    self.tell(origin, names.origin(origin), &before.new);
                }
            }
            if owed.len() == n_before {
                owed.pop();
            }
        }
    }

    fn tell(&mut self, origin: u32, bytes: &[u8], new: &[(usize, u32, u128)]) {
        self.definitions.extend_from_slice(bytes);
        self.n_definitions += 1;
        if self.told.len() <= origin as usize {
            self.told.resize(origin as usize + 1, false);
        }
        self.told[origin as usize] = true;
        for (slot, number, _) in new {
            if self.known.len() <= *slot {
                self.known.resize_with(slot + 1, Vec::new);
            }
            let known = &mut self.known[*slot];
            if known.len() <= *number as usize {
                known.resize((*number as usize + 1).next_power_of_two(), false);
            }
            known[*number as usize] = true;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let known: usize = self.known.iter().map(Vec::capacity).sum();
        known + self.told.capacity() + self.definitions.capacity() + self.states.capacity()
    }
}

/// How components came to be, as told by their sender.
pub(super) struct Origin {
    /// The place of the action and the state before, in the sender's numbers; `None` for initial states.
    pub(super) place: Option<u64>,
    pub(super) before: Vec<u32>,
    /// Slot and number at the sender, and the key.
    pub(super) new: Vec<(usize, u32, u128)>,
}

/// Why a component that was told of is not known here.
pub(super) enum Unlearned {
    /// What was told cannot be.
    Senseless,
    /// The step leads somewhere else here.
    Different,
}

impl Origin {
    /// What a file of components says; numbers are counted in each slot.
    pub(super) fn of_definition(definition: &[u8], counts: &mut Vec<u32>) -> Option<Origin> {
        let mut at = 0;
        let place = Varint::take(definition, &mut at)?.checked_sub(1);
        let n_before = if place.is_some() { Varint::take(definition, &mut at)? } else { 0 };
        let before = (0..n_before).map(|_| Varint::take(definition, &mut at).map(|it| it as u32));
        let before = before.collect::<Option<Vec<u32>>>()?;
        let mut new = Vec::new();
        for _ in 0..Varint::take(definition, &mut at)? {
            let slot = Varint::take(definition, &mut at)? as usize;
            let key = u128::from_le_bytes(*definition.get(at..)?.first_chunk::<16>()?);
            at += 16;
            if slot > counts.len() {
                return None;
            }
            counts.resize(counts.len().max(slot + 1), 0);
            counts[slot] += 1;
            new.push((slot, counts[slot], key));
        }
        Some(Origin { place, before, new })
    }

    fn read(bytes: &[u8]) -> Option<Origin> {
        Origin::take(bytes, &mut 0)
    }

    pub(super) fn take(bytes: &[u8], at: &mut usize) -> Option<Origin> {
        let place = Varint::take(bytes, at)?.checked_sub(1);
        let n_before = if place.is_some() { Varint::take(bytes, at)? } else { 0 };
        let before = (0..n_before).map(|_| Varint::take(bytes, at).map(|number| number as u32));
        let before = before.collect::<Option<Vec<u32>>>()?;
        let n_new = Varint::take(bytes, at)?;
        let mut new = Vec::new();
        for _ in 0..n_new {
            let slot = Varint::take(bytes, at)? as usize;
            let number = Varint::take(bytes, at)? as u32;
            let key = u128::from_le_bytes(*bytes.get(*at..)?.first_chunk::<16>()?);
            *at += 16;
            new.push((slot, number, key));
        }
        Some(Origin { place, before, new })
    }
}

/// What the numbers of a sender mean here.
#[derive(Default)]
pub(in super::super) struct Mirror {
    /// By slot of the sender: the slot here, and by number what is known of the component.
    slots: Vec<(usize, Vec<Told>)>,
}

/// A component of a sender: the id here and one (0 for what was not told), and its key.
#[derive(Clone, Copy, Default)]
struct Told {
    low: u64,
    high: u64,
    id: u32,
}

/// Not a slot of this process.
const NOWHERE: usize = usize::MAX;

impl Mirror {
    /// Takes note of a component; `None` if components of one slot would stand in two.
    pub(super) fn learn(
        &mut self,
        (slot, number): (usize, u32),
        here: (usize, u32),
        key: u128,
    ) -> Option<()> {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || (NOWHERE, Vec::new()));
        }
        let (slot_here, ids) = &mut self.slots[slot];
        if *slot_here != NOWHERE && *slot_here != here.0 {
            return None;
        }
        *slot_here = here.0;
        if ids.len() <= number as usize {
            ids.resize((number as usize + 1).next_power_of_two(), Told::default());
        }
        ids[number as usize] = Told { low: key as u64, high: (key >> 64) as u64, id: here.1 + 1 };
        Some(())
    }

    /// The key of a state, from the sender's numbers; `None` if one was not told.
    #[inline]
    pub(super) fn key_of(&self, numbers: &[u32]) -> Option<u128> {
        let mut key = 0u128;
        for (number, slot) in numbers.iter().zip(0..) {
            if *number != 0 {
                let told = self.slots.get(slot)?.1.get(*number as usize)?;
                if told.id == 0 {
                    return None;
                }
                key = key.wrapping_add(u128::from(told.high) << 64 | u128::from(told.low));
            }
        }
        Some(key)
    }

    /// A state in ids of this process, with at least `n_slots` slots; `None` if a number was not told.
    pub(super) fn state_of(
        &self,
        numbers: &[u32],
        n_slots: usize,
        state: &mut Vec<u32>,
    ) -> Option<()> {
        state.clear();
        state.resize(n_slots, 0);
        for (number, slot) in numbers.iter().zip(0..) {
            if *number != 0 {
                let (here, ids) = self.slots.get(slot)?;
                let id = ids.get(*number as usize)?.id.checked_sub(1)?;
                if *here >= state.len() {
                    state.resize(here + 1, 0);
                }
                state[*here] = id;
            }
        }
        Some(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.iter().map(|(_, ids)| ids.capacity() * size_of::<Told>()).sum()
    }
}
