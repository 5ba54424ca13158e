//! The index: from a hash to the number of a state, in eight bytes an entry.
//! Open addressing with linear probing. An entry is 32 bits of hash (the *tag*) and the state's number plus one. The
//! home of an entry is `tag * capacity / 2^32`, so the capacity can be any number and homes are monotone in tags: the
//! table is nearly sorted, and growing it is one pass over memory in place, without looking at a single state.
//! Invariants: no wrapping round (the table may run over its end by a few entries); at most three quarters are full.

const CAPACITY_MIN: usize = 64;
/// Room for running over the end.
const OVERRUN: usize = 64;

#[derive(Default)]
pub(super) struct Index {
    entries: Vec<u64>,
    capacity: usize,
    len: usize,
}

/// A free place that [`Index::probe`] found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy(usize);

impl Index {
    #[inline]
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        self.probe(hash, is_same).ok()
    }

    /// The state with this hash that `is_same`, or the place where it belongs.
    #[inline]
    pub(super) fn probe(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        let tag = hash >> 32;
        let mut place = self.home(tag);
        while let Some(&entry) = self.entries.get(place) {
            if entry == 0 {
                break;
            }
            if let Some(state) = state_of(entry, hash)
                && is_same(state)
            {
                return Ok(state);
            }
            place += 1;
        }
        Err(Vacancy(place))
    }

    /// Fills a place that was just found for `hash`.
    #[inline]
    pub(super) fn occupy(&mut self, vacancy: Vacancy, hash: u64, state: u32) {
        self.put(vacancy.0, entry(hash, state));
        self.len += 1;
        if self.len * 4 > self.capacity * 3 {
            self.grow();
        }
    }

    /// The entry at home, whatever it is; for [`state_of`].
    #[inline]
    pub(super) fn first_entry(&self, hash: u64) -> u64 {
        self.entries.get(self.home(hash >> 32)).copied().unwrap_or(0)
    }

    /// Gives every state a new hash.
    pub(super) fn rebuild(&mut self, hash: impl Fn(u32) -> u64) {
        self.entries.clear();
        self.entries.resize(self.capacity, 0);
        for state in 0..self.len as u32 {
            self.insert(entry(hash(state), state));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }

    #[inline]
    fn home(&self, tag: u64) -> usize {
        ((tag * self.capacity as u64) >> 32) as usize
    }

    fn insert(&mut self, entry: u64) {
        let mut place = self.home(entry >> 32);
        while self.entries.get(place).is_some_and(|taken| *taken != 0) {
            place += 1;
        }
        self.put(place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: u64) {
        match self.entries.get_mut(place) {
            Some(free) => *free = entry,
            None => {
                self.entries.reserve_exact(OVERRUN);
                self.entries.push(entry);
            }
        }
    }

    /// Grows by a third, in place: all entries move to the end in order, then from there to their new homes. The
    /// entries still to be read stay ahead of those written because both are in order of tags, except for a few last
    /// ones, which are set aside.
    fn grow(&mut self) {
        foresee_stdx::halt::ask((self.capacity / 3 + OVERRUN) * size_of::<u64>());
        let n_old = self.entries.len();
        self.capacity = (self.capacity + self.capacity / 3).max(CAPACITY_MIN);
        let n_new = self.capacity.max(n_old);
        self.entries.reserve_exact(n_new - n_old + OVERRUN);
        self.entries.resize(n_new, 0);
        let start = self.gather_at_end(n_old);
        for read in start..n_new {
            let entry = std::mem::take(&mut self.entries[read]);
            let mut place = self.home(entry >> 32);
            while place < read && self.entries[place] != 0 {
                place += 1;
            }
            if place > read {
                let rest = self.entries[read + 1..].to_vec();
                self.entries[read + 1..].fill(0);
                self.insert(entry);
                rest.into_iter().for_each(|entry| self.insert(entry));
                return;
            }
            self.entries[place] = entry;
        }
    }

    /// Moves the entries among the first `n_old` places to the end, keeping their order; answers where they start.
    fn gather_at_end(&mut self, n_old: usize) -> usize {
        let mut write = self.entries.len();
        for read in (0..n_old).rev() {
            let entry = std::mem::take(&mut self.entries[read]);
            // Without a branch: an empty entry is overwritten by the next.
            self.entries[write - 1] = entry;
            write -= usize::from(entry != 0);
        }
        write
    }
}

/// The state in an entry, if the entry's tag is that of `hash`.
#[inline]
pub(super) fn state_of(entry: u64, hash: u64) -> Option<u32> {
    (entry != 0 && (entry ^ hash) >> 32 == 0).then(|| entry as u32 - 1)
}

#[inline]
fn entry(hash: u64, state: u32) -> u64 {
    (hash >> 32) << 32 | u64::from(state + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::mix;

    fn filled(n: u32, hash: impl Fn(u32) -> u64) -> Index {
        let mut index = Index::default();
        for state in 0..n {
            let vacancy = index.probe(hash(state), |known| known == state).expect_err("new");
            index.occupy(vacancy, hash(state), state);
        }
        index
    }

    #[test]
    fn everything_put_in_is_found_through_many_growths() {
        for n in [0, 1, 63, 64, 65, 1000, 100_000] {
            let index = filled(n, |state| mix(u64::from(state)));
            for state in 0..n {
                let found = index.find(mix(u64::from(state)), |known| known == state);
                assert_eq!(found, Some(state), "{n}");
            }
            assert_eq!(index.find(mix(1 << 40), |known| known > n), None);
            assert_eq!(index.entries.iter().filter(|e| **e != 0).count(), n as usize);
        }
    }

    #[test]
    fn one_tag_for_all_is_slow_but_right() {
        for tag in [0, u64::MAX << 32, 1 << 63] {
            let index = filled(500, |_| tag);
            assert!((0..500).all(|state| index.find(tag, |known| known == state) == Some(state)));
        }
    }

    #[test]
    fn a_rebuilt_index_finds_the_new_hashes() {
        let mut index = filled(5000, |state| mix(u64::from(state)));
        index.rebuild(|state| mix(u64::from(state) + 77));
        for state in 0..5000 {
            let hash = mix(u64::from(state) + 77);
            assert_eq!(index.find(hash, |known| known == state), Some(state));
        }
    }
}
