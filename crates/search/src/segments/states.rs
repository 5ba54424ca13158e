//! States in few bits: a segment of states, each a row of numbers with a link to its parent.
//! Every slot gets as many bits as the numbers in use there need when the file is begun (its *shape*, the first record). A state's
//! link and flags come first, and its key where the order of the file is not the order in which states are named.
//! States in the order in which they were found are written otherwise (`found.rs`), and read here all the same.

use super::found::{self, Form};
use super::{BlockReader, BlockWriter, DiskError, FileInfo, Varint, Volume, put_varint};

const PAYLOAD_MAX: usize = 1 << 16;

/// How many bits each slot has.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Shape {
    widths: Vec<u8>,
    n_bytes: usize,
}

impl Shape {
    /// Room for numbers up to these.
    pub fn for_numbers(most: impl IntoIterator<Item = u32>) -> Self {
        let width = |most: u32| (u32::BITS - most.leading_zeros()) as u8;
        Shape::of(most.into_iter().map(width).collect())
    }

    fn of(widths: Vec<u8>) -> Self {
        let bits: usize = widths.iter().map(|width| usize::from(*width)).sum();
        Shape { widths, n_bytes: bits.div_ceil(8) }
    }

    pub fn n_slots(&self) -> usize {
        self.widths.len()
    }

    /// Whether there is room for these numbers.
    #[inline]
    pub fn fits(&self, numbers: &[u32]) -> bool {
        let room = |width: &u8| (1u64 << width) - 1;
        let extra = numbers.get(self.widths.len()..).unwrap_or_default();
        let has_room = |(number, width): (&u32, &u8)| u64::from(*number) <= room(width);
        numbers.iter().zip(&self.widths).all(has_room) && extra.iter().all(|number| *number == 0)
    }

    /// Writes the shape itself.
    pub fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, self.widths.len() as u64);
        out.extend_from_slice(&self.widths);
    }

    /// Reads what `put` wrote.
    pub fn take(bytes: &[u8], at: &mut usize) -> Option<Shape> {
        let n_slots = Varint::take(bytes, at)? as usize;
        let widths = bytes.get(*at..at.checked_add(n_slots)?)?.to_vec();
        *at += n_slots;
        widths.iter().all(|width| *width <= 32).then(|| Shape::of(widths))
    }

    /// Slots that `numbers` does not have hold 0; those that the shape does not have must.
    pub fn pack(&self, numbers: &[u32], out: &mut Vec<u8>) {
        debug_assert!(numbers.iter().skip(self.widths.len()).all(|number| *number == 0));
        let start = out.len();
        let (mut word, mut n_bits) = (0u64, 0u32);
        for (number, width) in numbers.iter().zip(&self.widths) {
            debug_assert!(u64::from(*number) >> width == 0, "a number without room");
            word |= u64::from(*number) << n_bits;
            n_bits += u32::from(*width);
            if n_bits >= 32 {
                out.extend_from_slice(&(word as u32).to_le_bytes());
                word >>= 32;
                n_bits -= 32;
            }
        }
        out.extend_from_slice(&(word as u32).to_le_bytes());
        out.resize(start + self.n_bytes, 0);
    }

    /// Reads what `pack` wrote and adds it to `numbers`; `None` if there is less.
    pub fn unpack(&self, bytes: &[u8], at: &mut usize, numbers: &mut Vec<u32>) -> Option<()> {
        let packed = bytes.get(*at..*at + self.n_bytes)?;
        *at += self.n_bytes;
        numbers.reserve(self.widths.len());
        let (mut word, mut n_bits, mut next) = (0u64, 0u32, 0);
        for width in &self.widths {
            let width = u32::from(*width);
            while n_bits < width {
                if let Some(chunk) = packed[next..].first_chunk::<4>() {
                    word |= u64::from(u32::from_le_bytes(*chunk)) << n_bits;
                    (next, n_bits) = (next + 4, n_bits + 32);
                } else {
                    word |= u64::from(packed[next]) << n_bits;
                    (next, n_bits) = (next + 1, n_bits + 8);
                }
            }
            numbers.push((word & ((1 << width) - 1)) as u32);
            word >>= width;
            n_bits -= width;
        }
        Some(())
    }
}

/// Writes a segment of states.
pub struct StateWriter<'v, 'd> {
    blocks: BlockWriter<'v, 'd>,
    shape: Shape,
    has_keys: bool,
}

impl<'v, 'd> StateWriter<'v, 'd> {
    pub fn new(
        volume: &'v Volume<'d>,
        name: String,
        shape: Shape,
        has_keys: bool,
    ) -> Result<Self, DiskError> {
        let mut blocks = BlockWriter::new(volume, name, PAYLOAD_MAX);
        blocks.push(|out| {
            put_varint(out, u64::from(has_keys));
            shape.put(out);
        })?;
        blocks.end_block()?;
        Ok(StateWriter { blocks, shape, has_keys })
    }

    /// `link` is whatever the search wants to know of the state: its parent and flags.
    pub fn push(&mut self, key: u128, link: u64, numbers: &[u32]) -> Result<(), DiskError> {
        let (shape, has_keys) = (&self.shape, self.has_keys);
        self.blocks.push(|out| {
            if has_keys {
                out.extend_from_slice(&key.to_le_bytes());
            }
            put_varint(out, link);
            shape.pack(numbers, out);
        })
    }

    /// States so far.
    pub fn len(&self) -> u64 {
        self.blocks.n_records() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn finish(self) -> Result<FileInfo, DiskError> {
        self.blocks.finish()
    }
}

/// Reads a segment of states from its beginning, or from a state on.
pub struct StateReader<'v, 'd> {
    blocks: BlockReader<'v, 'd>,
    kind: Kind,
    at: usize,
    left: u32,
    key: u128,
    link: u64,
    numbers: Vec<u32>,
    words: Vec<u64>,
    last_parent: u64,
}

/// How the states of a file are written.
enum Kind {
    Numbers { shape: Shape, has_keys: bool },
    Found(Form),
}

impl<'v, 'd> StateReader<'v, 'd> {
    pub fn new(volume: &'v Volume<'d>, info: &FileInfo) -> Result<Self, DiskError> {
        let mut blocks = BlockReader::new(volume, info);
        blocks.next_block()?;
        let kind = read_kind(blocks.payload()).ok_or_else(|| no_record(blocks.name()))?;
        let (at, left, key, link, last_parent) = (0, 0, 0, 0, 0);
        let (numbers, words) = (Vec::new(), Vec::new());
        Ok(StateReader { blocks, kind, at, left, key, link, numbers, words, last_parent })
    }

    /// Passes over so many states; to be called before anything is read.
    pub fn skip(&mut self, n: u64) -> Result<(), DiskError> {
        let mut left = n;
        while left > 0
            && let Some(passed) = self.blocks.skip_block(left)?
        {
            left -= u64::from(passed);
        }
        for _ in 0..left {
            self.advance()?;
        }
        Ok(())
    }

    /// Reads the next state; false at the end.
    pub fn advance(&mut self) -> Result<bool, DiskError> {
        while self.left == 0 {
            if !self.blocks.next_block()? {
                return Ok(false);
            }
            (self.at, self.left, self.last_parent) = (0, self.blocks.n_records(), 0);
        }
        self.left -= 1;
        self.read().ok_or_else(|| no_record(self.blocks.name()))?;
        Ok(true)
    }

    fn read(&mut self) -> Option<()> {
        let payload = self.blocks.payload();
        match &self.kind {
            Kind::Numbers { shape, has_keys } => {
                if *has_keys {
                    let key = payload.get(self.at..)?.first_chunk::<16>()?;
                    self.key = u128::from_le_bytes(*key);
                    self.at += 16;
                }
                self.link = Varint::take(payload, &mut self.at)?;
                self.numbers.clear();
                shape.unpack(payload, &mut self.at, &mut self.numbers)
            }
            Kind::Found(form) => {
                let (at, last) = (&mut self.at, &mut self.last_parent);
                self.link = form.read(payload, at, &mut self.words, &mut self.numbers, last)?;
                Some(())
            }
        }
    }

    /// Of the state that was read; 0 if the file has no keys.
    pub fn key(&self) -> u128 {
        self.key
    }

    pub fn link(&self) -> u64 {
        self.link
    }

    /// Whether the states are in the order in which they were found, without keys, and their ids in the place of numbers.
    pub fn is_as_found(&self) -> bool {
        matches!(self.kind, Kind::Found(_))
    }

    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }
}

fn read_kind(payload: &[u8]) -> Option<Kind> {
    let mut at = 0;
    match Varint::take(payload, &mut at)? {
        found::KIND => Some(Kind::Found(Form::take(payload, &mut at)?)),
        kind => {
            let shape = Shape::take(payload, &mut at)?;
            Some(Kind::Numbers { shape, has_keys: kind == 1 })
        }
    }
}

fn no_record(file: &str) -> DiskError {
    DiskError::damaged(file, "a record is not one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FoundWriter, SimulatedDisk};
    use foresee_lts::Field;
    use foresee_stdx::Random;

    #[test]
    fn states_as_found_come_back_with_their_links() {
        let disk = SimulatedDisk::default();
        let volume = Volume::new(&disk, None);
        let field = |word, shift, width: u32| Field { word, shift, mask: (1 << width) - 1 };
        let fields = vec![field(0, 0, 32), field(1, 7, 13), field(0, 32, 0), field(1, 50, 14)];
        let mut random = Random::new(5);
        let mut parent = 0;
        let mut states = Vec::new();
        for _ in 0..20_000 {
            let step_max = 1 << random.below(12);
            parent += random.below(step_max);
            states.push(([random.next_u64(), random.next_u64()], parent << 2 | random.below(4)));
        }
        let mut writer = FoundWriter::new(&volume, "found".to_owned(), fields.clone(), 2).unwrap();
        states.iter().for_each(|(words, link)| writer.push(words, *link).unwrap());
        let info = writer.finish().unwrap();
        for skipped in [0, 1, 9_999, 20_000] {
            let mut reader = StateReader::new(&volume, &info).unwrap();
            assert!(reader.is_as_found());
            reader.skip(skipped).unwrap();
            for (words, link) in &states[skipped as usize..] {
                assert!(reader.advance().unwrap());
                let ids: Vec<u32> = fields.iter().map(|field| field.read(words)).collect();
                assert_eq!((reader.numbers(), reader.link()), (&*ids, *link));
            }
            assert!(!reader.advance().unwrap());
        }
    }

    #[test]
    fn random_states_come_back_from_any_place() {
        let disk = SimulatedDisk::default();
        let volume = Volume::new(&disk, None);
        let mut random = Random::new(5);
        let most: Vec<u32> =
            (0..30).map(|_| (random.next_u64() as u32) >> random.below(33).min(31)).collect();
        let number = |random: &mut Random, most: &u32| random.below(u64::from(*most) + 1) as u32;
        let shape = Shape::for_numbers(most.iter().copied());
        let mut writer = StateWriter::new(&volume, "states".to_owned(), shape, true).unwrap();
        let mut states = Vec::new();
        for n in 0..5_000u64 {
            let numbers: Vec<u32> = most.iter().map(|most| number(&mut random, most)).collect();
            let key = u128::from(random.next_u64()) << 64 | u128::from(n);
            writer.push(key, n * n, &numbers).unwrap();
            states.push((key, n * n, numbers));
        }
        assert_eq!(writer.len(), 5_000);
        let info = writer.finish().unwrap();
        BlockReader::verify(&volume, &info).unwrap();
        for first in [0, 1, 777, 4_999, 5_000] {
            let mut reader = StateReader::new(&volume, &info).unwrap();
            reader.skip(first).unwrap();
            for (key, link, numbers) in &states[first as usize..] {
                assert!(reader.advance().unwrap());
                assert_eq!(
                    (reader.key(), reader.link(), reader.numbers()),
                    (*key, *link, &**numbers)
                );
            }
            assert!(!reader.advance().unwrap());
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let disk = SimulatedDisk::default();
        let volume = Volume::new(&disk, None);
        let shape = Shape::for_numbers([3, 200]);
        let mut writer = StateWriter::new(&volume, "states".to_owned(), shape, false).unwrap();
        for n in 0..20 {
            writer.push(0, n, &[1, n as u32]).unwrap();
        }
        let info = writer.finish().unwrap();
        for bit in 0..info.bytes * 8 {
            disk.flip("states", bit);
            let found = BlockReader::verify(&volume, &info);
            assert!(matches!(found, Err(DiskError::Damaged { .. })), "bit {bit}");
            disk.flip("states", bit);
        }
        BlockReader::verify(&volume, &info).unwrap();
    }
}
