//! States in the order in which they were found, as memory has them: a segment that costs little more than a copy.
//! Why: a search whose states fit in memory pays for its files with every state. In this order, and as the store's own words, there is nothing to
//! sort, no key to compute and no number to look up.
//! After its words a state has its link: the parent from which it was found first, as the distance from the one before in the block, and flags. Parents come
//! in order, so that is a byte.
//! What a field of the words means is said by the first record; what an id means, by whoever has defined it (`foresee-stateful`, `disk/names.rs`).
//! Not here: how such a file is read ([`super::StateReader`] reads both kinds).

use super::{BlockWriter, DiskError, FileInfo, Varint, Volume, put_varint};
use foresee_lts::Field;

/// The first number of a file's first record.
pub(super) const KIND: u64 = 2;
const PAYLOAD_MAX: usize = 1 << 16;
/// Of a link.
const FLAG_BITS: u32 = 2;
const FLAGS: u64 = (1 << FLAG_BITS) - 1;

/// Where each slot is found in the words of a state.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Form {
    fields: Vec<Field>,
    n_words: usize,
}

impl Form {
    fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, KIND);
        put_varint(out, self.n_words as u64);
        put_varint(out, self.fields.len() as u64);
        for field in &self.fields {
            put_varint(out, u64::from(field.word));
            put_varint(out, u64::from(field.shift));
            put_varint(out, u64::from(field.mask.count_ones()));
        }
    }

    /// Reads what `put` wrote after the kind.
    pub(super) fn take(bytes: &[u8], at: &mut usize) -> Option<Form> {
        let n_words = Varint::take(bytes, at)? as usize;
        let n_fields = Varint::take(bytes, at)? as usize;
        let mut fields = Vec::new();
        for _ in 0..n_fields {
            let (word, shift) = (Varint::take(bytes, at)? as u32, Varint::take(bytes, at)? as u32);
            let width = Varint::take(bytes, at)?;
            if word as usize >= n_words || shift >= 64 || width > 32 {
                return None;
            }
            fields.push(Field { word, shift, mask: (1 << width) - 1 });
        }
        Some(Form { fields, n_words })
    }

    /// Reads a state: its link, and what stands in its fields. `last` is the parent of the state before in the block, or 0.
    pub(super) fn read(
        &self,
        payload: &[u8],
        at: &mut usize,
        words: &mut Vec<u64>,
        ids: &mut Vec<u32>,
        last: &mut u64,
    ) -> Option<u64> {
        let bytes = payload.get(*at..)?.get(..self.n_words * 8)?;
        *at += bytes.len();
        words.clear();
        words.extend(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
        ids.clear();
        ids.extend(self.fields.iter().map(|field| field.read(words)));
        let step = Varint::take(payload, at)?;
        *last = last.wrapping_add(step >> FLAG_BITS);
        Some(*last << FLAG_BITS | step & FLAGS)
    }
}

/// Writes a segment of states in the order in which they were found.
pub struct FoundWriter<'v, 'd> {
    blocks: BlockWriter<'v, 'd>,
    last: u64,
}

impl<'v, 'd> FoundWriter<'v, 'd> {
    /// States have so many words; `fields` are those of the slots on disk.
    pub fn new(
        volume: &'v Volume<'d>,
        name: String,
        fields: Vec<Field>,
        n_words: usize,
    ) -> Result<Self, DiskError> {
        let mut blocks = BlockWriter::new(volume, name, PAYLOAD_MAX);
        blocks.push(|out| Form { fields, n_words }.put(out))?;
        blocks.end_block()?;
        Ok(FoundWriter { blocks, last: 0 })
    }

    /// The lowest two bits of `link` are flags, the others the place of the parent, which is not before that of the last state.
    pub fn push(&mut self, words: &[u64], link: u64) -> Result<(), DiskError> {
        let parent = link >> FLAG_BITS;
        let last = if self.blocks.is_at_start_of_block() { 0 } else { self.last };
        debug_assert!(last <= parent, "parents come in order");
        self.last = parent;
        self.blocks.push(|out| {
            words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
            put_varint(out, (parent - last) << FLAG_BITS | link & FLAGS);
        })
    }

    pub fn finish(self) -> Result<FileInfo, DiskError> {
        self.blocks.finish()
    }
}
