//! Interned components: equal ones get one number, for ever.
//! Reading by number takes no lock: items live in segments that never move, each twice as long as the one before.
//! Invariant: number 0 is never handed out; it stands for "nothing there".

use hashbrown::HashTable;
use parking_lot::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A vector that only grows and can be read while it does.
pub(crate) struct AppendVec<T> {
    segments: [OnceLock<Box<[OnceLock<T>]>>; 27],
}

const FIRST: usize = 64;

impl<T> Default for AppendVec<T> {
    fn default() -> Self {
        AppendVec { segments: std::array::from_fn(|_| OnceLock::new()) }
    }
}

impl<T> AppendVec<T> {
    fn place(index: usize) -> (usize, usize) {
        let shifted = index + FIRST;
        let segment = (usize::BITS - 1 - shifted.leading_zeros()) as usize - 6;
        (segment, shifted - (FIRST << segment))
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        let (segment, at) = Self::place(index);
        self.segments[segment].get()?[at].get()
    }

    /// Fills a place that is still empty.
    pub(crate) fn set(&self, index: usize, value: T) {
        let (segment, at) = Self::place(index);
        let cells = self.segments[segment]
            .get_or_init(|| (0..FIRST << segment).map(|_| OnceLock::new()).collect());
        assert!(cells[at].set(value).is_ok(), "a place is filled once");
    }
}

struct Entry<T> {
    hash: u64,
    value: T,
}

/// Numbers for values, the same number for equal values.
pub(crate) struct Interner<T> {
    entries: AppendVec<Entry<T>>,
    shards: Vec<Mutex<HashTable<u32>>>,
    n: AtomicUsize,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            entries: AppendVec::default(),
            shards: (0..16).map(|_| Mutex::new(HashTable::new())).collect(),
            n: AtomicUsize::new(1),
        }
    }
}

impl<T: Eq> Interner<T> {
    /// The number of `value`, whose content has this hash.
    pub(crate) fn intern(&self, hash: u64, value: T) -> u32 {
        let mut shard = self.shards[(hash >> 60) as usize].lock();
        let same = |id: &u32| {
            let entry = self.entry(*id);
            entry.hash == hash && entry.value == value
        };
        if let Some(id) = shard.find(hash, same) {
            return *id;
        }
        let id = self.n.fetch_add(1, Ordering::Relaxed) as u32;
        self.entries.set(id as usize, Entry { hash, value });
        shard.insert_unique(hash, id, |id| self.entry(*id).hash);
        id
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        &self.entry(id).value
    }

    pub(crate) fn hash(&self, id: u32) -> u64 {
        if id == 0 { 0 } else { self.entry(id).hash }
    }

    pub(crate) fn len(&self) -> usize {
        self.n.load(Ordering::Relaxed) - 1
    }

    fn entry(&self, id: u32) -> &Entry<T> {
        self.entries.get(id as usize).expect("a number that was handed out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_number_and_stay_readable() {
        let interner = Interner::default();
        let ids: Vec<u32> = (0..10_000u64).map(|n| interner.intern(n << 40, n)).collect();
        assert!(ids.iter().all(|id| *id != 0));
        for n in 0..10_000u64 {
            assert_eq!(interner.intern(n << 40, n), ids[n as usize]);
            assert_eq!(*interner.get(ids[n as usize]), n);
        }
        assert_eq!(interner.len(), 10_000);
    }
}
