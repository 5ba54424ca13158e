//! Random numbers that are a function of a seed.
//! Why: below the edges every random draw comes from a seed that the user can type again; the stream must not change
//! with a release of somebody else's crate. SplitMix64 is small, fast and good enough for choosing schedules.

use crate::mix;

const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// A stream of random numbers.
///
/// ```
/// use foresee_stdx::Random;
/// let mut random = Random::new(7);
/// let drawn: Vec<u64> = (0..3).map(|_| random.below(100)).collect();
/// let mut again = Random::new(7);
/// assert_eq!(drawn, (0..3).map(|_| again.below(100)).collect::<Vec<_>>());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { state: mix(seed) }
    }

    /// Any 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        mix(self.state)
    }

    /// A number less than `bound`, each about equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `min` to `max`, both included.
    pub fn between(&mut self, min: u64, max: u64) -> u64 {
        assert!(min <= max, "nothing lies between {min} and {max}");
        match (max - min).checked_add(1) {
            Some(width) => min + self.below(width),
            None => self.next_u64(),
        }
    }

    /// True with this probability (at or below 0 never, at or above 1 always).
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_pinned() {
        // Seeds are printed for people to type again: a change here is a change of format.
        let mut random = Random::new(1);
        assert_eq!(random.next_u64(), 13_830_413_928_045_401_970);
    }

    #[test]
    fn draws_stay_in_bounds_and_reach_both_ends() {
        let mut random = Random::new(3);
        let drawn: Vec<u64> = (0..1000).map(|_| random.between(5, 7)).collect();
        assert!(drawn.iter().all(|n| (5..=7).contains(n)));
        assert!((5..=7).all(|n| drawn.contains(&n)));
        assert!((0..1000).all(|_| !random.chance(0.0)) && (0..1000).all(|_| random.chance(1.0)));
        assert_eq!(random.between(9, 9), 9);
        random.between(0, u64::MAX);
    }

    #[test]
    fn chances_are_about_right() {
        let mut random = Random::new(11);
        let n = (0..10_000).filter(|_| random.chance(0.25)).count();
        assert!((2300..2700).contains(&n), "{n}");
    }
}
