//! A vector in chunks: it grows without copying what it holds and without ever holding it twice.
//! Why: a plain `Vec` doubles, so for a moment a search would need three times the memory of its states, and the
//! reported bytes per state would depend on how long ago it last doubled.

const CHUNK_BITS: usize = 14;
const CHUNK_LEN: usize = 1 << CHUNK_BITS;

/// A growing sequence of plain values.
///
/// ```
/// use foresee_stdx::ChunkedVec;
/// let mut squares = ChunkedVec::default();
/// for i in 0..100_000u64 {
///     squares.push(i * i);
/// }
/// assert_eq!(squares.get(70_000), 4_900_000_000);
/// ```
#[derive(Clone, Debug)]
pub struct ChunkedVec<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        ChunkedVec { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> ChunkedVec<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK_LEN) {
            // The first chunk grows with its content, so that a small search stays small.
            let capacity = if self.len == 0 { 0 } else { CHUNK_LEN };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks[self.len >> CHUNK_BITS].push(value);
        self.len += 1;
    }

    /// The value at `index`; panics when there is none.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.chunks[index >> CHUNK_BITS][index & (CHUNK_LEN - 1)]
    }

    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        self.chunks[index >> CHUNK_BITS][index & (CHUNK_LEN - 1)] = value;
    }

    /// The number of bytes allocated.
    pub fn bytes(&self) -> usize {
        let values: usize = self.chunks.iter().map(Vec::capacity).sum();
        values * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}
