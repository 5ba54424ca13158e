//! A 64-bit hash of a value's content that is the same everywhere.
//! Why: `DefaultHasher` may change between releases, and `FxHasher` depends on the width of `usize` and mixes its high
//! bits too little for states whose hashes are *added* together (`foresee-lts` sums one hash per slot).
//! Invariant: `stable_hash` depends only on what the value's `Hash` implementation writes; `usize` and `isize`
//! (lengths, enum discriminants) are written as 64 bits.

use std::hash::{Hash, Hasher};

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hasher whose result does not depend on the platform, the process or the thread.
///
/// ```
/// use foresee_stdx::stable_hash;
/// assert_eq!(stable_hash(&("ping", 7u32)), stable_hash(&("ping", 7u32)));
/// assert_ne!(stable_hash(&("ping", 7u32)), stable_hash(&("ping", 8u32)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct StableHasher {
    state: u64,
}

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        mix(self.state)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.write_u64(u64::from_le_bytes(chunk.try_into().expect("chunks of eight bytes")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.state = mix(self.state.rotate_left(23) ^ value).wrapping_add(MULTIPLIER);
    }
    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    fn write_i8(&mut self, value: i8) {
        self.write_u64(value as u64);
    }
    fn write_i16(&mut self, value: i16) {
        self.write_u64(value as u64);
    }
    fn write_i32(&mut self, value: i32) {
        self.write_u64(value as u64);
    }
    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }
    fn write_i128(&mut self, value: i128) {
        self.write_u128(value as u128);
    }
    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as i64 as u64);
    }
}

/// The stable hash of one value.
pub fn stable_hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = StableHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Spreads the bits of `word` over all 64 bits; a bijection (the finaliser of SplitMix64).
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_hash_is_pinned() {
        // Fingerprints are written to files; a change of these constants is a change of format.
        assert_eq!(stable_hash(&0u64), stable_hash(&0u8));
        assert_eq!(stable_hash("locker"), 13_881_352_983_488_707_906);
    }

    #[test]
    fn order_and_length_matter() {
        assert_ne!(stable_hash(&[1u8, 2][..]), stable_hash(&[2u8, 1][..]));
        assert_ne!(stable_hash(&vec![0u64]), stable_hash(&vec![0u64, 0]));
        assert_ne!(stable_hash(&(None::<u8>, Some(1u8))), stable_hash(&(Some(1u8), None::<u8>)));
    }

    #[test]
    fn mix_is_a_bijection_on_a_sample() {
        let mut seen: Vec<u64> = (0..10_000).map(mix).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10_000);
    }
}
