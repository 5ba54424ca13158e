//! The index: from a hash to the number of a state, in about eight bytes an entry, free places included.
//! Entries stand in groups of twelve that fill one cache line: a byte of hash each (the *tag*, 0 where nothing is), then their
//! numbers. A look-up reads one line, seldom a second: a full group runs over into the next one. Tags say nothing of where an
//! entry belongs in a larger table, so growing asks for the hashes of the states again; only the table grows, and what is old is
//! given back before its successor is filled.
//! The index is cut into shards by the first bits of the hash. Each grows by itself, and their sizes are spread evenly over one
//! step of growth: the memory for a state hardly depends on how many there are, no growth is large beside what is held, and threads
//! can fill shards side by side (`claim.rs`).
//! Invariants: no group is full before the ones in which its entries would be looked for first are; five sixths of a shard are
//! full at most.

/// The first bits of a hash say which shard.
pub(super) const SHARD_BITS: u32 = 5;
pub(crate) const N_SHARDS: usize = 1 << SHARD_BITS;
/// So many places are asked for ahead where entries are moved.
const SOME: usize = 32;
/// Entries in a group.
const PLACES: usize = 12;
/// Entries in a group on average, at most.
const FILLED_MAX: usize = 10;
/// From so many groups on a shard grows by seven tenths; below it doubles.
const GROUPS_MANY: usize = 20;

pub(super) struct Index {
    shards: Vec<Shard>,
}

/// All entries whose hashes begin with the same bits.
#[derive(Clone, Debug, Default)]
pub struct Shard {
    groups: Vec<Group>,
    len: usize,
    /// So many entries, and it must grow.
    room: usize,
    /// Added since numbers were given last: which candidate, and where its entry is (`claim.rs`).
    pub(super) pending: Vec<super::claim::Pending>,
}

/// One cache line: the tags of the entries in the order of their numbers, the first eight and the other four.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Group {
    tags_low: u64,
    tags_high: u32,
    numbers: [u32; PLACES],
}

/// A free place that [`Index::probe`] found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy {
    pub(super) group: u32,
    pub(super) place: u32,
}

impl Default for Index {
    fn default() -> Self {
        Index { shards: vec![Shard::default(); N_SHARDS] }
    }
}

impl Index {
    #[inline]
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        self.shards[shard_of(hash)].probe(hash, is_same).ok()
    }

    /// The state with this hash that `is_same`, or the place where it belongs.
    #[inline]
    pub(super) fn probe(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        self.shards[shard_of(hash)].probe(hash, is_same)
    }

    /// Fills a place that was just found for `hash`; `hash_of` tells the hashes of all states, this one included, and `ask` hears which it will be
    /// asked about next.
    #[inline]
    pub(super) fn occupy(
        &mut self,
        vacancy: Vacancy,
        hash: u64,
        state: u32,
        hash_of: impl Fn(u32) -> u64,
        ask: impl Fn(u32),
    ) {
        let shard = &mut self.shards[shard_of(hash)];
        shard.occupy(vacancy, hash, state);
        if shard.len > shard.room {
            shard.grow(shard_of(hash), 0, hash_of, ask);
        }
    }

    /// Asks for the memory of the group where `hash` belongs.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        self.shards[shard_of(hash)].prefetch(hash);
    }

    /// The first state in the group where `hash` belongs that has its tag; `u32::MAX` if there is none.
    #[inline]
    pub(super) fn first_match(&self, hash: u64) -> u32 {
        let shard = &self.shards[shard_of(hash)];
        let Some(group) = shard.groups.get(shard.home(hash)) else { return u32::MAX };
        group.matches(tag_of(hash)).next().map_or(u32::MAX, |place| group.numbers[place as usize])
    }

    /// Gives every state a new hash.
    pub(super) fn rebuild(&mut self, n_states: usize, hash_of: impl Fn(u32) -> u64) {
        let mut n = [0; N_SHARDS];
        (0..n_states as u32).for_each(|state| n[shard_of(hash_of(state))] += 1);
        for (number, shard) in self.shards.iter_mut().enumerate() {
            shard.clear();
            shard.resize_for(number, n[number]);
        }
        let mut hashes = [0; SOME];
        for first in (0..n_states as u32).step_by(SOME) {
            for (hash, state) in hashes.iter_mut().zip(first..n_states as u32) {
                *hash = hash_of(state);
                self.prefetch(*hash);
            }
            for (hash, state) in hashes.iter().zip(first..n_states as u32) {
                self.shards[shard_of(*hash)].insert(*hash, state);
            }
        }
    }

    pub(super) fn shards_mut(&mut self) -> &mut Vec<Shard> {
        &mut self.shards
    }

    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }
}

impl Shard {
    #[inline]
    pub(super) fn probe(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        let tag = tag_of(hash);
        let mut at = self.home(hash);
        loop {
            let Some(group) = self.groups.get(at) else {
                if self.groups.is_empty() {
                    return Err(Vacancy { group: 0, place: 0 });
                }
                at = 0;
                continue;
            };
            for place in group.matches(tag) {
                let state = group.numbers[place as usize];
                if is_same(state) {
                    return Ok(state);
                }
            }
            if let Some(place) = group.first_free() {
                return Err(Vacancy { group: at as u32, place });
            }
            at += 1;
        }
    }

    /// 1 if the group where `hash` belongs has an entry; for the sake of having looked.
    #[inline]
    pub(super) fn is_home_taken(&self, hash: u64) -> u32 {
        self.groups.get(self.home(hash)).map_or(0, |group| u32::from(group.tags_low != 0))
    }

    /// Fills a place that was just found; the caller sees to it that there is one left.
    #[inline]
    pub(super) fn occupy(&mut self, vacancy: Vacancy, hash: u64, state: u32) {
        if self.groups.is_empty() {
            self.resize(1);
        }
        self.groups[vacancy.group as usize].put(vacancy.place, tag_of(hash), state);
        self.len += 1;
    }

    /// Gives the entry at a place that was filled another number.
    #[inline]
    pub(super) fn renumber(&mut self, vacancy: Vacancy, state: u32) {
        self.groups[vacancy.group as usize].numbers[vacancy.place as usize] = state;
    }

    /// Makes room for `n` more entries; `number` is its own among all shards.
    pub(super) fn make_room(
        &mut self,
        number: usize,
        n: usize,
        hash_of: impl Fn(u32) -> u64,
        ask: impl Fn(u32),
    ) {
        if self.len + n > self.room {
            self.grow(number, n, hash_of, ask);
        }
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        if let Some(group) = self.groups.get(self.home(hash)) {
            foresee_stdx::prefetch(group);
        }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash << SHARD_BITS >> 32) * self.groups.len() as u64) >> 32) as usize
    }

    fn insert(&mut self, hash: u64, state: u32) {
        let mut at = self.home(hash);
        let place = loop {
            match self.groups[at].first_free() {
                Some(place) => break place,
                None => at = if at + 1 == self.groups.len() { 0 } else { at + 1 },
            }
        };
        self.groups[at].put(place, tag_of(hash), state);
        self.len += 1;
    }

    /// Makes room for at least `n` more entries and one.
    #[cold]
    fn grow(&mut self, number: usize, n: usize, hash_of: impl Fn(u32) -> u64, ask: impl Fn(u32)) {
        let n_groups = groups_for(number, self.groups.len(), self.len + n + 1);
        foresee_stdx::halt::ask((n_groups - self.groups.len()) * size_of::<Group>());
        let states = self.states();
        self.clear();
        self.resize(n_groups);
        // Asked for ahead: states that are neighbours here are far from each other in memory, and so are their new places.
        let mut hashes = [0; SOME];
        states.iter().take(SOME).for_each(|state| ask(*state));
        let mut rest = states.as_slice();
        while !rest.is_empty() {
            let (some, later) = rest.split_at(rest.len().min(SOME));
            later.iter().take(SOME).for_each(|state| ask(*state));
            for (hash, state) in hashes.iter_mut().zip(some) {
                *hash = hash_of(*state);
                self.prefetch(*hash);
            }
            hashes.iter().zip(some).for_each(|(hash, state)| self.insert(*hash, *state));
            rest = later;
        }
    }

    fn states(&self) -> Vec<u32> {
        let mut states = Vec::with_capacity(self.len);
        for group in &self.groups {
            states.extend_from_slice(&group.numbers[..group.len()]);
        }
        states
    }

    /// Empties it and gives its memory back.
    fn clear(&mut self) {
        (self.groups, self.len, self.room) = (Vec::new(), 0, 0);
    }

    fn resize_for(&mut self, number: usize, len: usize) {
        if len > 0 {
            self.resize(groups_for(number, 0, len));
        }
    }

    fn resize(&mut self, n_groups: usize) {
        self.groups = vec![Group::default(); n_groups];
        self.room = n_groups * FILLED_MAX;
    }

    fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Group>()
            + self.pending.capacity() * size_of::<super::claim::Pending>()
    }
}

/// The size of shard `number` that has room for `len` entries, after `n_groups`.
fn groups_for(number: usize, n_groups: usize, len: usize) -> usize {
    let mut n_groups = n_groups.max(1);
    while n_groups * FILLED_MAX < len {
        n_groups = match n_groups {
            few if few < GROUPS_MANY / 2 => 2 * few,
            // Spread over one step of growth.
            few if few < GROUPS_MANY => GROUPS_MANY + number * GROUPS_MANY * 7 / 10 / N_SHARDS,
            many => many + many * 7 / 10,
        };
    }
    n_groups
}

impl Group {
    /// The places with this tag, lowest first; perhaps some others.
    #[inline]
    fn matches(&self, tag: u8) -> Places {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
        let wanted = ONES * u64::from(tag);
        let low = zeros(self.tags_low ^ wanted);
        let high = zeros(u64::from(self.tags_high) ^ wanted) & 0xFFFF_FFFF;
        Places { low, high }
    }

    #[inline]
    fn first_free(&self) -> Option<u32> {
        let place = self.len() as u32;
        (place < PLACES as u32).then_some(place)
    }

    /// Places are filled in order, so they are filled up to the highest tag.
    #[inline]
    fn len(&self) -> usize {
        let bits = match self.tags_high {
            0 => 64 - self.tags_low.leading_zeros(),
            high => 64 + 32 - high.leading_zeros(),
        };
        bits.div_ceil(8) as usize
    }

    #[inline]
    fn put(&mut self, place: u32, tag: u8, number: u32) {
        match place {
            0..8 => self.tags_low |= u64::from(tag) << (8 * place),
            _ => self.tags_high |= u32::from(tag) << (8 * (place - 8)),
        }
        self.numbers[place as usize] = number;
    }
}

/// Places in a group.
struct Places {
    low: u64,
    high: u64,
}

impl Iterator for Places {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.low != 0 {
            let place = self.low.trailing_zeros() / 8;
            self.low &= self.low - 1;
            return Some(place);
        }
        if self.high != 0 {
            let place = 8 + self.high.trailing_zeros() / 8;
            self.high &= self.high - 1;
            return Some(place);
        }
        None
    }
}

#[inline]
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// The last bits of a hash, which choose neither shard nor group; never 0.
#[inline]
fn tag_of(hash: u64) -> u8 {
    (hash as u8).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::mix;

    fn filled(n: u32, hash: impl Fn(u32) -> u64) -> Index {
        let mut index = Index::default();
        for state in 0..n {
            let vacancy = index.probe(hash(state), |known| known == state).expect_err("new");
            index.occupy(vacancy, hash(state), state, &hash, |_| ());
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
            let mut states: Vec<u32> = index.shards.iter().flat_map(Shard::states).collect();
            states.sort_unstable();
            assert_eq!(states, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_entry_takes_about_eight_bytes_whatever_their_number() {
        let mut index = Index::default();
        let hash = |state: u32| mix(u64::from(state));
        for state in 0..300_000u32 {
            let vacancy = index.probe(hash(state), |known| known == state).expect_err("new");
            index.occupy(vacancy, hash(state), state, hash, |_| ());
            if state > 20_000 && state.is_multiple_of(997) {
                let per_entry = index.bytes() as f64 / f64::from(state);
                assert!((7.4..9.2).contains(&per_entry), "{state}: {per_entry}");
            }
        }
    }

    #[test]
    fn one_hash_for_all_is_slow_but_right() {
        for hash in [0, u64::MAX, 1 << 63, u64::MAX << 59] {
            let index = filled(500, |_| hash);
            assert!((0..500).all(|state| index.find(hash, |known| known == state) == Some(state)));
        }
    }

    #[test]
    fn tags_that_differ_in_one_bit_are_told_apart_or_compared() {
        for n in 1..=PLACES {
            let mut group = Group::default();
            (0..n).for_each(|i| group.put(i as u32, (2 * i + 2) as u8, i as u32));
            assert_eq!(group.len(), n);
            assert_eq!(group.first_free(), (n < PLACES).then_some(n as u32));
            for i in 0..n {
                assert!(group.matches((2 * i + 2) as u8).any(|place| place == i as u32));
                let first = group.matches((2 * i + 3) as u8).next();
                assert_eq!(first, None, "a lowest match is never wrong");
            }
        }
    }

    #[test]
    fn a_rebuilt_index_finds_the_new_hashes() {
        let mut index = filled(5000, |state| mix(u64::from(state)));
        index.rebuild(5000, |state| mix(u64::from(state) + 77));
        for state in 0..5000 {
            let hash = mix(u64::from(state) + 77);
            assert_eq!(index.find(hash, |known| known == state), Some(state));
        }
    }
}
