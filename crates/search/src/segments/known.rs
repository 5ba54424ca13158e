//! The keys of all visited states in memory, as long as there is room: what is met again is recognised at once and never sorted.
//! Why beside the runs: with memory to spare, finding duplicates by sorting costs more than looking them up. The runs are written all the same, and
//! take over when this table may not grow any more.
//! The lowest bits of an entry say in which level the key was met and whether another worker has sent it. Of a candidate of the
//! level under way, another worker's link may be the lesser one, so that one must be kept; a state of an earlier level needs no second look.
//! Invariant: as long as the table is not over, whatever is let through is new in this level; it may be let through twice.

const MARK_BITS: u32 = 6;
const MARKS: u128 = (1 << MARK_BITS) - 1;
const ARRIVED: u128 = 1;
/// Levels before all marks are made those of earlier levels.
const LEVELS: u128 = 1 << (MARK_BITS - 1);
const PLACES_MIN: usize = 1 << 12;

/// A set of keys that grows up to a limit. Of a key all but six bits are compared.
pub struct Known {
    /// Open addressing; 0 is an empty place.
    places: Vec<u128>,
    len: usize,
    places_max: usize,
    /// The level under way, in entries: from 1, times two.
    mark: u128,
    is_over: bool,
}

impl Known {
    /// The table has about so many bytes at most.
    pub fn new(bytes_max: u64) -> Self {
        // With fewer places none would be empty when the table is over.
        let places = (bytes_max / 16).max(16) as usize;
        let places_max =
            if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
        let places = vec![0; places_max.min(PLACES_MIN)];
        Known { places, len: 0, places_max, mark: 2, is_over: false }
    }

    /// Whether a table of so many bytes has room for so many keys.
    pub fn has_room(bytes_max: u64, keys: u64) -> bool {
        keys < bytes_max / 16 / 4
    }

    /// Whether there was no room for a key: the table is of no use any more.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether a key stands at the first place where it may be, and need not be looked at again. Nothing changes.
    #[inline]
    pub fn glance(&self, key: u128) -> bool {
        let entry = self.places[self.first_place(key)];
        entry & !MARKS == identity(key) && entry & MARKS != self.mark | ARRIVED
    }

    /// Whether a key of an earlier level stands at the first place where it may be. Nothing changes.
    #[inline]
    pub fn is_old(&self, key: u128) -> bool {
        let entry = self.places[self.first_place(key)];
        entry & !MARKS == identity(key) && entry & MARKS & !ARRIVED != self.mark
    }

    /// Takes in a key that this worker has met; false if it need not be looked at. Links of its own come in ascending order.
    #[inline]
    pub fn meet(&mut self, key: u128) -> bool {
        let mark = self.mark;
        self.take_in(key, mark, |entry| {
            let is_arrived = *entry & MARKS == mark | ARRIVED;
            if is_arrived {
                *entry &= !ARRIVED;
            }
            is_arrived
        })
    }

    /// Takes in a key that another worker has sent; false if it need not be looked at.
    #[inline]
    pub fn meet_arrived(&mut self, key: u128) -> bool {
        let mark = self.mark;
        self.take_in(key, mark | ARRIVED, |entry| *entry & MARKS & !ARRIVED == mark)
    }

    /// Takes in a key of an earlier level.
    pub fn add_old(&mut self, key: u128) {
        self.take_in(key, 0, |_| false);
    }

    /// What is met from now on is of the next level.
    pub fn next_level(&mut self) {
        self.mark += 2;
        if self.mark >> 1 == LEVELS {
            self.places.iter_mut().for_each(|entry| *entry &= !MARKS);
            self.mark = 2;
        }
    }

    #[inline]
    fn take_in(&mut self, key: u128, marks: u128, again: impl FnOnce(&mut u128) -> bool) -> bool {
        let own = identity(key);
        let mut place = self.first_place(key);
        loop {
            let entry = self.places[place];
            if entry == 0 {
                break;
            }
            if entry & !MARKS == own {
                return again(&mut self.places[place]);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        if self.is_over {
            return true;
        }
        self.places[place] = own | marks;
        self.len += 1;
        if self.len * 4 > self.places.len() * 3 {
            self.grow();
        }
        true
    }

    #[inline]
    fn first_place(&self, key: u128) -> usize {
        (key >> 32) as usize & (self.places.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        if self.places.len() >= self.places_max {
            self.is_over = true;
            return;
        }
        let n = (2 * self.places.len()).min(self.places_max);
        let old = std::mem::replace(&mut self.places, vec![0; n]);
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut place = self.first_place(entry);
            while self.places[place] != 0 {
                place = (place + 1) & (n - 1);
            }
            self.places[place] = entry;
        }
    }

    pub fn bytes(&self) -> usize {
        self.places.len() * 16
    }
}

/// What is compared of a key; never 0.
#[inline]
fn identity(key: u128) -> u128 {
    let identity = key & !MARKS;
    if identity == 0 { 1 << MARK_BITS } else { identity }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::Random;
    use std::collections::BTreeMap;

    /// Random keys over many levels, against a map.
    #[test]
    fn states_of_earlier_levels_are_recognised_and_the_lesser_link_is_let_through() {
        let mut random = Random::new(9);
        let mut known = Known::new(1 << 22);
        let mut model: BTreeMap<u128, (u32, bool)> = BTreeMap::new();
        for level in 0..200u32 {
            for _ in 0..random.below(400) {
                let key = u128::from(random.below(30_000)).wrapping_mul(u128::MAX / 44_444);
                let is_sent = random.below(3) == 0;
                let glanced = if is_sent { known.is_old(key) } else { known.glance(key) };
                let passed = if is_sent { known.meet_arrived(key) } else { known.meet(key) };
                let before = model.get(&key).copied();
                let expected = match before {
                    None => true,
                    Some((then, _)) if then < level => false,
                    Some((_, was_sent)) => is_sent || was_sent,
                };
                assert_eq!(passed, expected, "level {level}, {before:?}, sent: {is_sent}");
                assert!(!glanced || !expected, "a glance says less");
                let is_sent_only = before.map_or(is_sent, |it| it.1 && is_sent);
                let level = before.map_or(level, |it| it.0);
                model.insert(key, (level, is_sent_only));
            }
            known.next_level();
        }
        assert!(!known.is_over() && model.len() > 20_000);
    }

    #[test]
    fn a_table_that_may_not_grow_is_over_and_lets_everything_new_through() {
        let mut known = Known::new(1 << 16);
        let key = |n: u64| u128::from(n).wrapping_mul(u128::MAX / 99_991);
        assert!((0..10_000).all(|n| known.meet(key(n))));
        assert!(known.is_over() && !known.meet(key(0)) && known.meet(key(9_999)));
        assert!(known.bytes() <= 1 << 16);
        assert!(Known::has_room(1 << 16, 1_000) && !Known::has_room(1 << 16, 1_024));
    }
}
