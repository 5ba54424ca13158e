//! A small hash table for the hottest look-ups: keys of 64 bits, plain values, one cache line a probe.
//! Why: an explorer asks several tables for every transition. A general map keeps keys and control bytes apart and so
//! touches two lines; here a key lies beside its value, and the table is never more than three quarters full: what is emptier waits for memory more
//! often than what is fuller looks twice.
//! Not here: removing single entries; a table is only ever emptied.

const EMPTY: u64 = u64::MAX;

/// Two ids as a key.
#[inline]
pub(crate) fn pair(first: u32, second: u32) -> u64 {
    (u64::from(first) << 32) | u64::from(second)
}

/// The ids in a key.
pub(crate) fn unpair(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

pub(crate) struct ProbeTable<V> {
    /// A power of two of entries, or none at all.
    entries: Vec<(u64, V)>,
    len: usize,
    shift: u32,
}

impl<V: Copy + Default> ProbeTable<V> {
    pub(crate) fn new() -> Self {
        ProbeTable { entries: Vec::new(), len: 0, shift: 63 }
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        debug_assert_ne!(key, EMPTY, "this key stands for an empty entry");
        let mask = self.entries.len().wrapping_sub(1);
        let mut position = self.home(key);
        loop {
            let (known, value) = self.entries.get(position)?;
            if *known == key {
                return Some(*value);
            }
            if *known == EMPTY {
                return None;
            }
            position = (position + 1) & mask;
        }
    }

    /// The entry in the first place where `key` may be: usually its own.
    #[inline]
    pub(crate) fn look(&self, key: u64) -> (u64, V) {
        self.entries.get(self.home(key)).copied().unwrap_or((EMPTY, V::default()))
    }

    /// Asks for the memory of that entry.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        if let Some(entry) = self.entries.get(self.home(key)) {
            foresee_stdx::prefetch(entry);
        }
    }

    /// Adds an entry for a key that has none.
    pub(crate) fn insert(&mut self, key: u64, value: V) {
        debug_assert!(self.get(key).is_none(), "a key is inserted once");
        if 4 * (self.len + 1) > 3 * self.entries.len() {
            self.grow();
        }
        self.place(key, value);
        self.len += 1;
    }

    pub(crate) fn clear(&mut self) {
        *self = ProbeTable::new();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(u64, V)>()
    }

    /// The high bits of a product: every bit of the key counts.
    #[inline]
    fn home(&self, key: u64) -> usize {
        ((key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    fn place(&mut self, key: u64, value: V) {
        let mask = self.entries.len() - 1;
        let mut position = self.home(key);
        while self.entries[position].0 != EMPTY {
            position = (position + 1) & mask;
        }
        self.entries[position] = (key, value);
    }

    #[cold]
    fn grow(&mut self) {
        let capacity = (2 * self.entries.len()).max(64);
        let old = std::mem::replace(&mut self.entries, vec![(EMPTY, V::default()); capacity]);
        self.shift = 64 - capacity.ilog2();
        old.into_iter()
            .filter(|(key, _)| *key != EMPTY)
            .for_each(|(key, value)| self.place(key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_agrees_with_a_map() {
        let (mut table, mut map) = (ProbeTable::new(), BTreeMap::new());
        assert_eq!(table.get(7), None);
        for n in 0..20_000u64 {
            // Pairs of small ids, many of them with equal halves: what an explorer asks for.
            let key = ((n % 141) << 32) | (n / 141);
            assert_eq!(table.get(key), map.get(&key).copied());
            table.insert(key, n);
            map.insert(key, n);
        }
        assert_eq!(table.len, map.len());
        assert!(map.iter().all(|(key, value)| table.get(*key) == Some(*value)));
        assert_eq!(table.get(1 << 60), None);
        table.clear();
        assert_eq!((table.get(0), table.len, table.memory_bytes()), (None, 0, 0));
    }
}
