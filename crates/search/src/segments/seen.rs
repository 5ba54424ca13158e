//! Keys seen a while ago, in two tables: a small one close to the processor and a large one.
//! Why: most successors were seen before, and most of those lately. Each one recognised here is one fewer to be sorted.
//! The large table grows with what is put into it, up to a limit: a table larger than needed is a wait for memory each time.
//! Who asks for several keys glances at all of them first ([`Seen::glance`]), so that these waits overlap.
//! Invariant: a key that is answered "seen" is that of a state which is visited, or a candidate already. The tables
//! forget; they never guess.

const NEAR: usize = 1 << 12;
const FAR_MIN: usize = 1 << 14;

/// The last key that fell on each place, in full. The key 0 is never recognised.
pub struct Seen {
    near: Vec<u128>,
    far: Vec<u128>,
    /// Places of the large table that were empty when they were taken.
    n_taken: usize,
    places_max: usize,
}

impl Seen {
    /// The large table has about this many bytes at most.
    pub fn new(bytes: usize) -> Self {
        let places = (bytes / 16).max(1);
        let places_max =
            if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
        let far = vec![0; places_max.min(FAR_MIN)];
        Seen { near: vec![0; NEAR], far, n_taken: 0, places_max }
    }

    /// Whether this key was seen; from now on it was.
    #[inline]
    pub fn has_seen(&mut self, key: u128) -> bool {
        self.has_seen_lately(key) || self.has_seen_before(key)
    }

    /// Whether this key was seen a very short while ago; from now on it was. Who is told that it was not asks further.
    #[inline]
    pub fn has_seen_lately(&mut self, key: u128) -> bool {
        std::mem::replace(&mut self.near[(key >> 96) as usize % NEAR], key) == key && key != 0
    }

    /// Whether the large table has this key. Nothing changes.
    #[inline]
    pub fn glance(&self, key: u128) -> bool {
        self.far[self.place(key)] == key && key != 0
    }

    /// Whether the large table has this key; from now on it does.
    #[inline]
    pub fn has_seen_before(&mut self, key: u128) -> bool {
        let place = self.place(key);
        let last = std::mem::replace(&mut self.far[place], key);
        if last == 0 {
            self.n_taken += 1;
            if self.n_taken > self.far.len() / 2 && self.far.len() < self.places_max {
                self.grow();
            }
        }
        last == key && key != 0
    }

    #[inline]
    fn place(&self, key: u128) -> usize {
        (key >> 32) as usize & (self.far.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let places = (4 * self.far.len()).min(self.places_max);
        let old = std::mem::replace(&mut self.far, vec![0; places]);
        self.n_taken = 0;
        for key in old.into_iter().filter(|key| *key != 0) {
            let place = self.place(key);
            self.n_taken += usize::from(self.far[place] == 0);
            self.far[place] = key;
        }
    }

    pub fn bytes(&self) -> usize {
        (self.near.len() + self.far.len()) * 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::Random;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_answered_seen_was_shown_before() {
        for bytes in [0, 100, 1 << 20, 1 << 24] {
            let (mut seen, mut shown) = (Seen::new(bytes), BTreeSet::new());
            let (mut random, mut n_seen) = (Random::new(3), 0);
            assert!(!seen.has_seen(0) && !seen.has_seen(0), "the key 0 is never recognised");
            for _ in 0..200_000 {
                let key = u128::from(random.below(50_000)).wrapping_mul(u128::MAX / 77_777) + 1;
                let glanced = seen.glance(key);
                let is_seen = seen.has_seen(key);
                let is_new = shown.insert(key);
                assert!(!(glanced || is_seen) || !is_new);
                assert!(seen.has_seen(key), "asked for twice in a row");
                n_seen += u32::from(is_seen);
            }
            // A table that is large enough forgets little.
            assert!(bytes < 1 << 20 || n_seen > 130_000, "{n_seen} with {bytes}");
            assert!(seen.bytes() <= bytes.max(16) + NEAR * 16);
        }
    }
}
