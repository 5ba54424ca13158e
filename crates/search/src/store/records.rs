//! Records: the packed words of all states, in chunks.
//! Why chunks: growth never copies or doubles memory, re-encoding needs one chunk of room at a time, and in a
//! fingerprint store a chunk is given back as soon as all its states were expanded.

/// States per chunk when they are kept for ever.
const KEPT_BITS: u32 = 14;
/// States per chunk when they are given back: small, because one state holds its whole chunk.
const RELEASED_BITS: u32 = 8;

pub(super) struct Records {
    width: usize,
    bits: u32,
    len: usize,
    chunks: Vec<Chunk>,
}

struct Chunk {
    words: Vec<u64>,
    /// States not yet released.
    live: u32,
}

impl Records {
    pub(super) fn new(width: usize, kept: bool) -> Self {
        Records {
            width,
            bits: if kept { KEPT_BITS } else { RELEASED_BITS },
            len: 0,
            chunks: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn get(&self, record: usize) -> &[u64] {
        let chunk = &self.chunks[record >> self.bits].words;
        let start = (record & self.mask()) * self.width;
        &chunk[start..start + self.width]
    }

    /// Asks for the memory of a record.
    #[inline]
    pub(super) fn prefetch(&self, record: usize) {
        let chunk = &self.chunks[record >> self.bits].words;
        if let Some(first) = chunk.get((record & self.mask()) * self.width) {
            foresee_stdx::prefetch(first);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, words: &[u64]) {
        debug_assert_eq!(words.len(), self.width);
        if self.len & self.mask() == 0 {
            self.add_chunk();
        }
        let chunk = &mut self.chunks[self.len >> self.bits];
        // States are short: a call to copy memory would cost more.
        match words {
            [one] => chunk.words.push(*one),
            [one, two] => chunk.words.extend_from_slice(&[*one, *two]),
            _ => chunk.words.extend_from_slice(words),
        }
        chunk.live += 1;
        self.len += 1;
    }

    /// Adds the words of several records, one after the other.
    pub(super) fn extend(&mut self, mut words: &[u64]) {
        debug_assert_eq!(words.len() % self.width, 0);
        while !words.is_empty() {
            if self.len & self.mask() == 0 {
                self.add_chunk();
            }
            let n_free = self.mask() + 1 - (self.len & self.mask());
            let (now, later) = words.split_at(words.len().min(n_free * self.width));
            let chunk = &mut self.chunks[self.len >> self.bits];
            chunk.words.extend_from_slice(now);
            let n = now.len() / self.width;
            chunk.live += n as u32;
            self.len += n;
            words = later;
        }
    }

    /// Gives a record back; the memory of a chunk is freed with its last record.
    pub(super) fn release(&mut self, record: usize) {
        let is_full = (record >> self.bits) < (self.len >> self.bits);
        let chunk = &mut self.chunks[record >> self.bits];
        chunk.live -= 1;
        if chunk.live == 0 && is_full {
            chunk.words = Vec::new();
        }
    }

    /// Rewrites every record to `width` words, chunk by chunk.
    pub(super) fn transcode(&mut self, width: usize, mut rewrite: impl FnMut(&[u64], &mut [u64])) {
        let capacity = (self.mask() + 1) * width;
        for (number, chunk) in self.chunks.iter_mut().enumerate() {
            if chunk.words.is_empty() {
                continue;
            }
            let n_records = chunk.words.len() / self.width;
            let mut words = Vec::with_capacity(if number == 0 { 0 } else { capacity });
            words.resize(n_records * width, 0);
            let pairs = chunk.words.chunks_exact(self.width).zip(words.chunks_exact_mut(width));
            pairs.for_each(|(from, into)| rewrite(from, into));
            chunk.words = words;
        }
        self.width = width;
    }

    pub(super) fn bytes(&self) -> usize {
        let words: usize = self.chunks.iter().map(|chunk| chunk.words.capacity()).sum();
        words * size_of::<u64>() + self.chunks.capacity() * size_of::<Chunk>()
    }

    fn add_chunk(&mut self) {
        // The first chunk grows with its content, so that a small search stays small.
        let capacity = if self.chunks.is_empty() { 0 } else { (self.mask() + 1) * self.width };
        let words = Vec::with_capacity(capacity);
        self.chunks.push(Chunk { words, live: 0 });
    }

    #[inline]
    fn mask(&self) -> usize {
        (1 << self.bits) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_records_at_once_are_those_records_one_by_one() {
        for kept in [false, true] {
            for width in 1..4 {
                let (mut one_by_one, mut at_once) =
                    (Records::new(width, kept), Records::new(width, kept));
                let words: Vec<u64> = (0..40_000 * width as u64).collect();
                words.chunks_exact(width).for_each(|words| one_by_one.push(words));
                let mut rest = words.as_slice();
                for n in [0, 1, 255, 256, 16_384, 300].map(|n| n * width) {
                    let (now, later) = rest.split_at(n);
                    at_once.extend(now);
                    rest = later;
                }
                at_once.extend(rest);
                assert_eq!(at_once.len, one_by_one.len);
                assert!((0..40_000).all(|n| at_once.get(n) == one_by_one.get(n)));
                let live = |records: &Records| -> Vec<u32> {
                    records.chunks.iter().map(|chunk| chunk.live).collect()
                };
                assert_eq!(live(&at_once), live(&one_by_one));
            }
        }
    }

    #[test]
    fn records_survive_a_change_of_width() {
        let mut records = Records::new(1, false);
        (0..1000).for_each(|n| records.push(&[n]));
        records.transcode(3, |from, into| into.copy_from_slice(&[from[0], 0, from[0] + 1]));
        records.push(&[1000, 0, 1001]);
        assert!((0..=1000).all(|n| records.get(n) == [n as u64, 0, n as u64 + 1]));
    }

    #[test]
    fn a_released_chunk_is_given_back() {
        let mut records = Records::new(2, false);
        (0..10_000).for_each(|n| records.push(&[n, n]));
        let full = records.bytes();
        (0..9_000).for_each(|n| records.release(n));
        assert!(records.bytes() < full / 5, "{} of {full}", records.bytes());
        assert_eq!(records.get(9_500), [9_500, 9_500]);
        records.transcode(3, |from, into| into[..2].copy_from_slice(from));
        assert_eq!(records.get(9_500), [9_500, 9_500, 0]);
    }
}
