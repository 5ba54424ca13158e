//! Components that another process has named: found here again by taking the step that led to them.

use super::Names;
use foresee_lts::State;
use foresee_search::{DiskError, Varint, put_varint};

impl Names<'_> {
    /// Takes in a definition of an earlier process.
    pub(in crate::disk) fn import(
        &mut self,
        file: &str,
        definition: &[u8],
    ) -> Result<(), DiskError> {
        let damaged = || DiskError::Damaged {
            file: file.to_owned(),
            reason: "a record defines no component".to_owned(),
        };
        let mut at = 0;
        let number = Varint::take(definition, &mut at).ok_or_else(damaged)?;
        let candidates = match number.checked_sub(1) {
            None => self.system.initial(),
            Some(action) => {
                let n = Varint::take(definition, &mut at).ok_or_else(damaged)?;
                let numbers = (0..n).map(|_| Varint::take(definition, &mut at).map(|it| it as u32));
                let numbers = numbers.collect::<Option<Vec<u32>>>().ok_or_else(damaged)?;
                vec![self.step_again(&numbers, action).ok_or_else(different)?]
            }
        };
        let mut told = self.origins.is_some().then(|| definition[..at].to_vec());
        let n_new = Varint::take(definition, &mut at).ok_or_else(damaged)?;
        if let Some(told) = &mut told {
            put_varint(told, n_new);
        }
        let mut numbers = Vec::new();
        for _ in 0..n_new {
            let on_disk = Varint::take(definition, &mut at).ok_or_else(damaged)? as usize;
            let key = definition.get(at..).and_then(|rest| rest.first_chunk::<16>());
            let key = u128::from_le_bytes(*key.ok_or_else(damaged)?);
            at += 16;
            let (slot, id) = self.find(&candidates, key, on_disk).ok_or_else(different)?;
            let entry = self.entry(slot, id);
            if entry.is_named() || on_disk > self.named.len() {
                return Err(damaged());
            }
            self.number(on_disk, slot, id, entry);
            numbers.push((on_disk, self.named[on_disk].1.len() as u32));
            if let Some(told) = &mut told {
                put_varint(told, on_disk as u64);
                put_varint(told, self.named[on_disk].1.len() as u64);
                told.extend_from_slice(&key.to_le_bytes());
            }
        }
        self.add_origin(told);
        let then = self.then.get_or_insert_default();
        then.resize_with(self.named.len().max(then.len()), Default::default);
        for (on_disk, number) in numbers {
            let id = Varint::take(definition, &mut at).ok_or_else(damaged)?;
            if let Some(id) = id.checked_sub(1) {
                then[on_disk].insert(id as u32, number);
                self.bytes += 2 * size_of::<u32>() + 4;
            }
        }
        Ok(())
    }

    /// Where the component with this key stands in these states.
    pub(in crate::disk) fn locate(&mut self, states: &[State], key: u128) -> Option<(usize, u32)> {
        for state in states {
            for (slot, id) in state.iter().enumerate() {
                if self.entry(slot, *id).key() == key {
                    return Some((slot, *id));
                }
            }
        }
        None
    }

    /// The state after the action at a place among those enabled, with at least as many slots as `before`.
    pub(in crate::disk) fn step(&mut self, before: &[u32], place: u64) -> Option<State> {
        self.actions.clear();
        self.system.enabled(before, &mut self.actions);
        let action = *self.actions.get(place as usize)?;
        let mut next = self.system.step(before, action);
        next.resize(next.len().max(self.n_slots_min).max(before.len()), 0);
        Some(next)
    }

    fn step_again(&mut self, numbers: &[u32], action: u64) -> Option<State> {
        let n_slots = self.system.initial().first().map_or(0, Vec::len);
        let mut state = Vec::new();
        self.state_of(numbers, n_slots, &mut state)?;
        self.step(&state, action)
    }

    /// Where the component with this key stands in these states; all of a slot on disk stand in one slot here.
    fn find(&mut self, states: &[State], key: u128, on_disk: usize) -> Option<(usize, u32)> {
        let wanted = self.named.get(on_disk).map(|(slot, _)| *slot);
        for state in states {
            for (slot, id) in state.iter().enumerate() {
                let is_place = match wanted {
                    Some(wanted) => slot == wanted,
                    None => self.slots.get(slot).is_none_or(|slot| slot.on_disk.is_none()),
                };
                if is_place && self.entry(slot, *id).key() == key {
                    return Some((slot, *id));
                }
            }
        }
        None
    }
}

/// A step leads somewhere else than it did.
pub(in crate::disk) fn different() -> DiskError {
    DiskError::Other {
        what: "behaviour".to_owned(),
        then: "the component that a step led to".to_owned(),
        now: "another one, from the same step".to_owned(),
    }
}
