//! Fingerprint identity: two states are taken for the same when their content hashes are.
//! Content hashes do not depend on ids, so fingerprints are the same in every run and on every machine.

/// The hash by which a fingerprint is found. Sums of slot hashes are spread already if the front end mixes them well;
/// one multiplication makes the index independent of that.
#[inline]
pub(super) fn spread(fingerprint: u64) -> u64 {
    let product = u128::from(fingerprint ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03_u128;
    (product >> 64) as u64 ^ product as u64
}

/// The probability that `n` random fingerprints of 64 bits are not all different (the birthday bound).
pub(super) fn collision_probability(n: f64) -> f64 {
    let pairs = n * (n - 1.0).max(0.0) / 2.0;
    -(-pairs / 2f64.powi(64)).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::collision_probability;

    #[test]
    fn the_birthday_bound() {
        assert_eq!(collision_probability(1.0), 0.0);
        assert!(collision_probability(1e6) < 1e-7);
        let half = collision_probability(5.06e9);
        assert!((0.49..0.51).contains(&half), "{half}");
    }
}
