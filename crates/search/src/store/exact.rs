//! Exact identity: two states are the same when their packed words are.
//! Why a hash of the words and not the content hash: it needs nothing carried along with a state, costs one
//! multiplication per two words, and a front end's mistake in a hash difference cannot split or merge states.

const KEYS: [u64; 2] = [0x2D35_8DCC_AA6C_78A5, 0x8BB8_4B93_962E_ACC9];

/// A hash of packed words, for this process and layout only.
#[inline]
pub(super) fn hash(words: &[u64]) -> u64 {
    let mut pairs = words.chunks_exact(2);
    let mut sum = KEYS[1];
    for pair in &mut pairs {
        sum = fold(pair[0] ^ KEYS[0] ^ sum, pair[1] ^ KEYS[1]);
    }
    if let [last] = pairs.remainder() {
        sum = fold(last ^ KEYS[0], sum);
    }
    fold(sum ^ KEYS[0], KEYS[1])
}

/// Whether two states of equal width are the same. States are short: a call to compare memory would cost more.
#[inline]
pub(super) fn same(a: &[u64], b: &[u64]) -> bool {
    match (a, b) {
        ([a0], [b0]) => a0 == b0,
        ([a0, a1], [b0, b1]) => (a0 ^ b0) | (a1 ^ b1) == 0,
        ([a0, a1, a2], [b0, b1, b2]) => (a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) == 0,
        ([a0, a1, a2, a3], [b0, b1, b2, b3]) => (a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3) == 0,
        _ => a == b,
    }
}

/// Both halves of the product, folded into one.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn close_words_have_distant_hashes() {
        let mut tags: Vec<u64> =
            (0..1u64 << 16).map(|n| hash(&[n & 0xFF, n >> 8, 7]) >> 40).collect();
        tags.sort_unstable();
        tags.dedup();
        // 2^16 draws from 2^24: about 128 pairs are expected to meet.
        assert!(tags.len() > (1 << 16) - 300, "{}", tags.len());
    }

    #[test]
    fn every_word_counts() {
        assert_ne!(hash(&[1, 0]), hash(&[0, 1]));
        assert_ne!(hash(&[1, 0, 0]), hash(&[1, 0]));
        assert_ne!(hash(&[0, 0, 1]), hash(&[0, 0, 2]));
    }
}
