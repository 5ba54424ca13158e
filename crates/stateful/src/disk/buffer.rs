//! Candidates for the next level in memory: keys, links to parents, and packed words, until they are sorted and written.

use foresee_search::Layout;

/// A candidate, and where its words are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    low: u64,
    high: u64,
    /// Its parent and flags; see [`link`].
    pub(super) link: u64,
    pub(super) at: u32,
}

impl Head {
    pub(super) fn new(key: u128, link: u64, at: u32) -> Self {
        Head { low: key as u64, high: (key >> 64) as u64, link, at }
    }

    pub(super) fn key(&self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

/// A parent's place in its level and what is to be done with the child.
pub(super) fn link(parent: u64, flags: u64) -> u64 {
    parent << 2 | flags
}

/// The state must be looked at: a property has something to say of it, or it is broken in itself.
pub(super) const REMARKABLE: u64 = 1;
/// The state is not to be expanded.
pub(super) const PRUNED: u64 = 2;

/// Candidates in the order in which they were found, or sorted; or what is left of them, the next level.
#[derive(Default)]
pub(super) struct Buffer {
    heads: Vec<Head>,
    words: Vec<u64>,
    width: usize,
    /// The layout of the words, once it is known.
    pub(super) layout_version: u32,
    /// Bytes that it may come to have.
    room: usize,
}

/// What has grown beyond this part of its room takes the whole.
const PART: usize = 8;

impl Buffer {
    pub(super) fn with_room(room: u64) -> Self {
        Buffer { room: usize::try_from(room).unwrap_or(usize::MAX), ..Buffer::default() }
    }

    pub(super) fn push(&mut self, key: u128, link: u64, words: &[u64]) {
        debug_assert!(self.heads.is_empty() || self.width == words.len());
        self.width = words.len();
        if self.heads.len() == self.heads.capacity() {
            self.take_room();
        }
        let at = self.heads.len() as u32;
        self.heads.push(Head::new(key, link, at));
        self.words.extend_from_slice(words);
    }

    /// Takes all its room once it has a good part of it: what is not used costs nothing, and to double what there is takes three times as much meanwhile, which
    /// stays with the process.
    fn take_room(&mut self) {
        let n_most = self.room / (size_of::<Head>() + self.width * size_of::<u64>());
        let n = self.heads.len();
        // Whether it is full is asked when a group of states has been expanded.
        let n_more = if n < n_most { n_most + n_most / PART - n } else { n / PART };
        if n >= n_most / PART {
            self.heads.reserve_exact(n_more);
            self.words.reserve_exact(n_more * self.width);
        }
    }

    /// In the order of keys, each once, with the least parent.
    pub(super) fn sort(&mut self) {
        self.heads.sort_unstable_by_key(|head| (head.key(), head.link));
        self.heads.dedup_by_key(|head| head.key());
    }

    /// The candidate with this number, in the present order.
    pub(super) fn get(&self, n: usize) -> Option<&Head> {
        self.heads.get(n)
    }

    pub(super) fn words(&self, head: &Head) -> &[u64] {
        &self.words[head.at as usize * self.width..(head.at as usize + 1) * self.width]
    }

    /// Moves everything to another layout.
    pub(super) fn widen(&mut self, old: &Layout, new: &Layout) {
        if self.heads.is_empty() {
            return;
        }
        let mut slots = Vec::new();
        let mut words = vec![0; self.words.len() / self.width * new.n_words()];
        for (from, into) in
            self.words.chunks_exact(self.width).zip(words.chunks_exact_mut(new.n_words()))
        {
            old.decode(from, &mut slots);
            let fits = new.encode(&slots, into);
            assert!(fits, "a wider layout takes every state of the narrower one");
        }
        (self.words, self.width) = (words, new.n_words());
        self.layout_version = new.version();
    }

    /// Of the sorted candidates only these are left.
    pub(super) fn keep(&mut self, heads: Vec<Head>, layout: &Layout) {
        debug_assert!(heads.is_sorted_by_key(Head::key));
        (self.heads, self.layout_version) = (heads, layout.version());
    }

    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.words.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Bytes in use; the room that is kept for later is not counted.
    pub(super) fn bytes(&self) -> usize {
        self.heads.len() * size_of::<Head>() + self.words.len() * size_of::<u64>()
    }
}
