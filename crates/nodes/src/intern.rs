//! Interning: equal contents, one id, for the life of a world.
//! Why: a state is a slice of ids, and looking behind an id happens on every thread all the time. So what has been stored
//! never moves and is read without a lock; only storing something new takes one.
//! Invariant: ids are dense from 0 in the order of first storing; that order may differ between runs, so nothing a user
//! sees may depend on it.

use hashbrown::HashTable;
use parking_lot::Mutex;
use std::sync::OnceLock;

const FIRST_CHUNK_BITS: u32 = 5;
const N_CHUNKS: usize = 27;

/// Values by id; append only, so that a reference to a value lives as long as the arena.
/// Chunk `k` holds `2^(k + 5)` values: growing never moves anything.
pub(crate) struct Arena<T> {
    chunks: [OnceLock<Box<[OnceLock<T>]>>; N_CHUNKS],
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Arena { chunks: [const { OnceLock::new() }; N_CHUNKS] }
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        self.find(id).expect("an id that was handed out")
    }

    pub(crate) fn find(&self, id: u32) -> Option<&T> {
        let (chunk, offset) = place(id);
        self.chunks[chunk].get()?[offset].get()
    }

    /// Stores `value` under `id`, which nobody else may be storing.
    pub(crate) fn set(&self, id: u32, value: T) {
        let (chunk, offset) = place(id);
        let chunk = self.chunks[chunk].get_or_init(|| {
            let len = 1usize << (chunk as u32 + FIRST_CHUNK_BITS);
            (0..len).map(|_| OnceLock::new()).collect()
        });
        assert!(chunk[offset].set(value).is_ok(), "an id is handed out once");
    }
}

fn place(id: u32) -> (usize, usize) {
    let n = id + (1 << FIRST_CHUNK_BITS);
    let bits = n.ilog2();
    ((bits - FIRST_CHUNK_BITS) as usize, (n - (1 << bits)) as usize)
}

/// Contents by id and ids by content.
pub(crate) struct Interner<T> {
    entries: Arena<Entry<T>>,
    ids: Mutex<HashTable<u32>>,
}

struct Entry<T> {
    value: T,
    hash: u64,
}

impl<T> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner { entries: Arena::new(), ids: Mutex::new(HashTable::new()) }
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        &self.entries.get(id).value
    }

    /// The content hash given when the value was stored.
    pub(crate) fn hash(&self, id: u32) -> u64 {
        self.entries.get(id).hash
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.lock().len()
    }

    /// The id of the content that `is_equal` recognises, if it is stored.
    pub(crate) fn find(&self, hash: u64, is_equal: impl Fn(&T) -> bool) -> Option<u32> {
        let ids = self.ids.lock();
        let found = ids.find(hash, |id| {
            let entry = self.entries.get(*id);
            entry.hash == hash && is_equal(&entry.value)
        });
        found.copied()
    }

    /// The id of the content that `is_equal` recognises, or of what `make` returns. Equal contents must come with equal
    /// hashes.
    pub(crate) fn intern_with(
        &self,
        hash: u64,
        is_equal: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> u32 {
        let mut ids = self.ids.lock();
        let found = ids.find(hash, |id| {
            let entry = self.entries.get(*id);
            entry.hash == hash && is_equal(&entry.value)
        });
        if let Some(id) = found {
            return *id;
        }
        let id = ids.len() as u32;
        self.entries.set(id, Entry { value: make(), hash });
        ids.insert_unique(hash, id, |id| self.entries.get(*id).hash);
        id
    }

    /// About how many bytes the table needs, `heap` being what one value owns elsewhere.
    pub(crate) fn memory_bytes(&self, heap: usize) -> usize {
        let capacity = self.ids.lock().capacity();
        self.len() * (size_of::<OnceLock<Entry<T>>>() + heap) + capacity * 8
    }
}

impl<T: Eq> Interner<T> {
    pub(crate) fn intern(&self, hash: u64, value: T) -> u32 {
        // The value is moved into whichever closure needs it; only one of them does.
        let slot = std::cell::RefCell::new(Some(value));
        self.intern_with(
            hash,
            |known| slot.borrow().as_ref() == Some(known),
            || slot.take().expect("made once"),
        )
    }
}

impl Interner<Box<[u32]>> {
    pub(crate) fn intern_slice(&self, hash: u64, slice: &[u32]) -> u32 {
        self.intern_with(hash, |known| **known == *slice, || slice.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::stable_hash;

    #[test]
    fn ids_are_dense_and_contents_stay() {
        let interner = Interner::new();
        for round in 0..2 {
            for n in 0..5_000u64 {
                assert_eq!(interner.intern(stable_hash(&n), n), n as u32, "round {round}");
            }
        }
        assert_eq!(interner.len(), 5_000);
        assert_eq!((*interner.get(4_321), interner.hash(77)), (4_321, stable_hash(&77u64)));
    }

    #[test]
    fn equal_hashes_do_not_make_contents_equal() {
        let interner = Interner::new();
        let (a, b) = (interner.intern(7, "a"), interner.intern(7, "b"));
        assert_ne!(a, b);
        assert_eq!((interner.intern(7, "a"), interner.intern(7, "b")), (a, b));
    }

    #[test]
    fn two_threads_agree_on_ids() {
        let interner = Interner::new();
        let ids = |offset: u64| -> Vec<u32> {
            let id = |n: u64| interner.intern(stable_hash(&n), n);
            let mut ids: Vec<_> = (0..2_000).map(|n| ((n * 7 + offset) % 2_000, 0)).collect();
            ids.iter_mut().for_each(|(n, found)| *found = id(*n));
            ids.sort_unstable();
            ids.into_iter().map(|(_, found)| found).collect()
        };
        let (a, b) = std::thread::scope(|scope| {
            let other = scope.spawn(|| ids(1_000));
            (ids(0), other.join().expect("no panic"))
        });
        assert_eq!(a, b);
    }
}
