//! Keys seen a while ago, in two tables of fixed size: a small one close to the processor and a large one.
//! Why: most successors were seen before, and most of those lately. Each one recognised here is one fewer to be sorted.
//! Invariant: a key that is answered "seen" is that of a state which is visited, or a candidate already. The tables
//! forget; they never guess.

const NEAR: usize = 1 << 12;

/// The last key that fell on each place, in full. The key 0 is never recognised.
pub struct Seen {
    near: Vec<u128>,
    far: Vec<u128>,
}

impl Seen {
    /// The large table has about this many bytes.
    pub fn new(bytes: usize) -> Self {
        let places = (bytes / 16).max(1);
        let places = if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
        Seen { near: vec![0; NEAR], far: vec![0; places] }
    }

    /// Whether this key was seen; from now on it was.
    #[inline]
    pub fn has_seen(&mut self, key: u128) -> bool {
        if key == 0 {
            return false;
        }
        let near = &mut self.near[(key >> 96) as usize % NEAR];
        if *near == key {
            return true;
        }
        *near = key;
        let place = (key >> 32) as usize & (self.far.len() - 1);
        std::mem::replace(&mut self.far[place], key) == key
    }

    pub fn bytes(&self) -> usize {
        (self.near.len() + self.far.len()) * 16
    }
}
