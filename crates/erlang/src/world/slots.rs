//! Which slot of a state holds what.
//! Slot 0 is what is shared, slot 1 the timers; a process takes two slots and a table or channel one when they first
//! appear anywhere in the search. So the number of a slot depends on the order of exploration, and nothing a user sees
//! may depend on it: hashes are of contents, and lists of actions are sorted by pid.

use crate::term::{Pid, Reference};
use crate::world::intern::AppendVec;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a slot holds.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum SlotKey {
    Shared,
    Timers,
    Process(Pid),
    Inbox(Pid),
    Table(Reference),
    Channel(Pid, Pid),
}

pub(crate) const SHARED: u32 = 0;
pub(crate) const TIMERS: u32 = 1;

#[derive(Default)]
pub(crate) struct Slots {
    keys: AppendVec<SlotKey>,
    n: AtomicU32,
    numbers: RwLock<FxHashMap<SlotKey, u32>>,
}

impl Slots {
    pub(crate) fn new() -> Slots {
        let slots = Slots::default();
        slots.of(SlotKey::Shared);
        slots.of(SlotKey::Timers);
        slots
    }

    pub(crate) fn key(&self, slot: u32) -> SlotKey {
        *self.keys.get(slot as usize).expect("a slot that was handed out")
    }

    /// How many slots there are.
    pub(crate) fn len(&self) -> u32 {
        self.n.load(Ordering::Acquire)
    }

    /// The place of a slot among those that hold processes and channels: in the order of pids.
    pub(crate) fn rank(&self, slot: u32) -> Option<(u8, Pid, Option<Pid>)> {
        match self.key(slot) {
            SlotKey::Process(pid) => Some((0, pid, None)),
            SlotKey::Channel(from, to) => Some((1, from, Some(to))),
            _ => None,
        }
    }

    /// The slot of the process or channel to which what is in a slot belongs.
    pub(crate) fn owner(&self, slot: u32) -> Option<u32> {
        match self.key(slot) {
            SlotKey::Process(_) | SlotKey::Channel(..) => Some(slot),
            SlotKey::Inbox(_) => Some(slot - 1),
            _ => None,
        }
    }

    /// The slot of a key, if it has one.
    pub(crate) fn find(&self, key: SlotKey) -> Option<u32> {
        self.numbers.read().get(&key).copied()
    }

    /// The slot of a key, a new one if need be.
    pub(crate) fn of(&self, key: SlotKey) -> u32 {
        if let Some(slot) = self.find(key) {
            return slot;
        }
        let mut numbers = self.numbers.write();
        if let Some(slot) = numbers.get(&key) {
            return *slot;
        }
        let slot = numbers.len() as u32;
        self.keys.set(slot as usize, key);
        numbers.insert(key, slot);
        // A process's inbox is the slot after it.
        if let SlotKey::Process(pid) = key {
            self.keys.set(slot as usize + 1, SlotKey::Inbox(pid));
            numbers.insert(SlotKey::Inbox(pid), slot + 1);
        }
        self.n.store(numbers.len() as u32, Ordering::Release);
        slot
    }
}
