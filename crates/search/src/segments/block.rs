//! Files in checksummed blocks: records are collected, framed with their number and a checksum, and appended.
//! Why: a flipped bit, a file cut short, or blocks in another order must be noticed where they are read, and a reader that only
//! wants the middle of a file should not have to read all of it.
//! A frame: bytes of the payload (4), records (4), checksum (8), payload; numbers are little-endian. The checksum covers the
//! place of the block in its file, so that no block can stand for another.

use super::{DiskError, FileInfo, Volume};

const FRAME: usize = 16;
/// A payload larger than this was not written by us.
const PAYLOAD_MAX: usize = 1 << 26;

/// Collects records and appends them block by block.
pub struct BlockWriter<'v, 'd> {
    volume: &'v Volume<'d>,
    info: FileInfo,
    payload_max: usize,
    /// With room for the frame in front.
    block: Vec<u8>,
    n_records: u32,
    n_blocks: u64,
}

impl<'v, 'd> BlockWriter<'v, 'd> {
    pub fn new(volume: &'v Volume<'d>, name: String, payload_max: usize) -> Self {
        let info = FileInfo { name, bytes: 0, records: 0, digest: 0 };
        let block = vec![0; FRAME];
        BlockWriter { volume, info, payload_max, block, n_records: 0, n_blocks: 0 }
    }

    /// Adds one record; true if a block was appended before it, so that it is the first of the next one.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), DiskError> {
        write(&mut self.block);
        self.n_records += 1;
        if self.block.len() >= self.payload_max + FRAME {
            self.end_block()?;
        }
        Ok(())
    }

    /// Ends the block under way, if anything is in it.
    pub fn end_block(&mut self) -> Result<(), DiskError> {
        if self.n_records == 0 {
            return Ok(());
        }
        let payload = self.block.len() - FRAME;
        let sum = checksum(&self.block[FRAME..], self.n_blocks, self.n_records);
        self.block[..4].copy_from_slice(&(payload as u32).to_le_bytes());
        self.block[4..8].copy_from_slice(&self.n_records.to_le_bytes());
        self.block[8..16].copy_from_slice(&sum.to_le_bytes());
        self.volume.append(&self.info.name, &self.block)?;
        self.info.bytes += self.block.len() as u64;
        self.info.records += u64::from(self.n_records);
        self.info.digest = fold(self.info.digest ^ sum, self.n_blocks ^ KEYS[2]);
        self.n_blocks += 1;
        self.n_records = 0;
        self.block.truncate(FRAME);
        Ok(())
    }

    /// Records so far, those of the block under way included.
    pub fn n_records(&self) -> u64 {
        self.info.records + u64::from(self.n_records)
    }

    pub fn n_blocks(&self) -> u64 {
        self.n_blocks
    }

    pub fn is_at_start_of_block(&self) -> bool {
        self.n_records == 0
    }

    pub fn bytes(&self) -> u64 {
        self.info.bytes
    }

    pub fn finish(mut self) -> Result<FileInfo, DiskError> {
        self.end_block()?;
        Ok(self.info)
    }
}

/// Reads the blocks of a file, one after the other or from a given place.
pub struct BlockReader<'v, 'd> {
    volume: &'v Volume<'d>,
    info: FileInfo,
    offset: u64,
    ordinal: u64,
    n_records: u32,
    payload: Vec<u8>,
    digest: u64,
}

impl<'v, 'd> BlockReader<'v, 'd> {
    pub fn new(volume: &'v Volume<'d>, info: &FileInfo) -> Self {
        BlockReader {
            volume,
            info: info.clone(),
            offset: 0,
            ordinal: 0,
            n_records: 0,
            payload: Vec::new(),
            digest: 0,
        }
    }

    /// Goes to the block with this number, which begins at this offset.
    pub fn seek(&mut self, offset: u64, ordinal: u64) {
        (self.offset, self.ordinal) = (offset, ordinal);
    }

    /// Reads the next block; false at the end.
    pub fn next_block(&mut self) -> Result<bool, DiskError> {
        let Some((payload, n_records, sum)) = self.next_frame()? else { return Ok(false) };
        self.payload.resize(payload, 0);
        self.volume.read(&self.info.name, self.offset + FRAME as u64, &mut self.payload)?;
        if checksum(&self.payload, self.ordinal, n_records) != sum {
            let reason = format!("the checksum of block {} is wrong", self.ordinal + 1);
            return Err(DiskError::damaged(&self.info.name, reason));
        }
        self.digest = fold(self.digest ^ sum, self.ordinal ^ KEYS[2]);
        self.n_records = n_records;
        self.step(payload);
        Ok(true)
    }

    /// Passes over the next block without reading it if it has no more than `n` records; gives their number.
    pub fn skip_block(&mut self, n: u64) -> Result<Option<u32>, DiskError> {
        let Some((payload, n_records, _)) = self.next_frame()? else { return Ok(None) };
        if u64::from(n_records) > n {
            return Ok(None);
        }
        self.step(payload);
        Ok(Some(n_records))
    }

    fn next_frame(&self) -> Result<Option<(usize, u32, u64)>, DiskError> {
        if self.offset >= self.info.bytes {
            return Ok(None);
        }
        let mut frame = [0; FRAME];
        self.volume.read(&self.info.name, self.offset, &mut frame)?;
        let word = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().expect("4 bytes"));
        let (payload, n_records) = (word(0) as usize, word(4));
        let left = self.info.bytes - self.offset;
        if payload > PAYLOAD_MAX || (payload + FRAME) as u64 > left {
            let reason = format!("block {} has no sensible length", self.ordinal + 1);
            return Err(DiskError::damaged(&self.info.name, reason));
        }
        let sum = u64::from_le_bytes(frame[8..16].try_into().expect("8 bytes"));
        Ok(Some((payload, n_records, sum)))
    }

    fn step(&mut self, payload: usize) {
        self.offset += (FRAME + payload) as u64;
        self.ordinal += 1;
    }

    /// The block that was read.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    pub fn n_records(&self) -> u32 {
        self.n_records
    }

    /// Where the next block begins, and its number.
    pub fn place(&self) -> (u64, u64) {
        (self.offset, self.ordinal)
    }

    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Reads the whole file and compares it with what was written.
    pub fn verify(volume: &'v Volume<'d>, info: &FileInfo) -> Result<(), DiskError> {
        let mut reader = BlockReader::new(volume, info);
        let mut records = 0;
        while reader.next_block()? {
            records += u64::from(reader.n_records);
        }
        reader.confirm(records)
    }

    /// After all blocks were read: whether they are those that were written.
    pub fn confirm(&self, records: u64) -> Result<(), DiskError> {
        if (records, self.digest) != (self.info.records, self.info.digest) {
            return Err(DiskError::damaged(&self.info.name, "it is not the file that was written"));
        }
        Ok(())
    }
}

/// Reads numbers written by [`put_varint`] from the front of a slice.
pub struct Varint;

impl Varint {
    /// The number at `at`, which moves past it; `None` if there is none.
    #[inline]
    pub fn take(bytes: &[u8], at: &mut usize) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.get(*at)?;
            *at += 1;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

/// Writes a number in as many groups of seven bits as it needs.
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

const KEYS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93, 0xC2B2_AE3D_27D4_EB4F];

/// A checksum of a block in its place, the `ordinal`th with so many records; equal on every machine.
pub fn checksum(bytes: &[u8], ordinal: u64, n_records: u32) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sum =
        fold(ordinal ^ KEYS[0], (u64::from(n_records) << 32 | bytes.len() as u64) ^ KEYS[1]);
    for word in words {
        sum = fold(sum ^ u64::from_le_bytes(*word), KEYS[1]) ^ sum.rotate_left(23);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(sum ^ u64::from_le_bytes(last), KEYS[2])
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
