//! Runs: sorted files of the keys of visited states.
//! Why: whether a state is new is asked for all candidates of a level at once, in the order of their keys; one pass over each run
//! answers it (delayed duplicate detection). Runs are merged when the newer is no smaller than half the older, as in a
//! log-structured merge tree, so that n states have about log n runs.
//! In memory a run has one key in a thousand (its *fences*, by which a level with few candidates reads few blocks) and a filter, some
//! bits a key, which says of most keys that are not in the run that they are not.

use super::{BlockReader, BlockWriter, DiskError, FileInfo, Volume};

const KEYS_PER_BLOCK: usize = 1 << 10;
const PAYLOAD_MAX: usize = KEYS_PER_BLOCK * 16;
/// What a full block takes in its file.
const BLOCK_BYTES: u64 = PAYLOAD_MAX as u64 + 16;

/// A sorted file of keys, with what is remembered of it.
#[derive(Clone, Debug)]
pub struct Run {
    pub info: FileInfo,
    fences: Vec<u128>,
    filter: Filter,
}

impl Run {
    /// Reads a run that was written before; its keys must be in order. `heard` is told of each.
    pub fn open(
        volume: &Volume<'_>,
        info: &FileInfo,
        bits_per_key: u64,
        mut heard: impl FnMut(u128),
    ) -> Result<Run, DiskError> {
        let mut run = Run {
            info: info.clone(),
            fences: Vec::new(),
            filter: Filter::new(info.records, bits_per_key),
        };
        let mut reader = BlockReader::new(volume, info);
        let (mut last, mut records) = (None, 0);
        while reader.next_block()? {
            let (keys, _) = reader.payload().as_chunks::<16>();
            for (n, key) in keys.iter().enumerate() {
                let key = u128::from_le_bytes(*key);
                if Some(key) <= last {
                    return Err(DiskError::damaged(&info.name, "its keys are not in order"));
                }
                last = Some(key);
                run.note(key, n == 0);
                heard(key);
            }
            records += keys.len() as u64;
        }
        reader.confirm(records)?;
        Ok(run)
    }

    fn note(&mut self, key: u128, is_first: bool) {
        if is_first {
            self.fences.push(key);
        }
        self.filter.add(key);
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.fences.capacity() * 16 + self.filter.words.capacity() * 8
    }
}

/// Writes a run; keys come in order.
pub struct RunWriter<'v, 'd> {
    blocks: BlockWriter<'v, 'd>,
    run: Run,
}

impl<'v, 'd> RunWriter<'v, 'd> {
    /// `n_max` is the most keys that may come.
    pub fn new(volume: &'v Volume<'d>, name: String, n_max: u64, bits_per_key: u64) -> Self {
        let info = FileInfo { name: name.clone(), bytes: 0, records: 0, digest: 0 };
        let blocks = BlockWriter::new(volume, name, PAYLOAD_MAX);
        let run = Run { info, fences: Vec::new(), filter: Filter::new(n_max, bits_per_key) };
        RunWriter { blocks, run }
    }

    pub fn push(&mut self, key: u128) -> Result<(), DiskError> {
        self.run.note(key, self.blocks.is_at_start_of_block());
        self.blocks.push(|out| out.extend_from_slice(&key.to_le_bytes()))
    }

    pub fn finish(mut self) -> Result<Run, DiskError> {
        self.run.info = self.blocks.finish()?;
        Ok(self.run)
    }
}

/// Looks for keys in a run, in ascending order.
pub struct RunCursor<'v, 'd> {
    run: &'v Run,
    reader: BlockReader<'v, 'd>,
    /// The block that was read last; `None` before the first.
    block: Option<usize>,
    /// The next key in it.
    at: usize,
}

impl<'v, 'd> RunCursor<'v, 'd> {
    pub fn new(volume: &'v Volume<'d>, run: &'v Run) -> Self {
        RunCursor { run, reader: BlockReader::new(volume, &run.info), block: None, at: 0 }
    }

    /// Whether the run has `key`, which must not be smaller than the one asked for before.
    pub fn has(&mut self, key: u128) -> Result<bool, DiskError> {
        if !self.run.filter.may_have(key) {
            return Ok(false);
        }
        let from = self.block.unwrap_or(0);
        let later = self.run.fences[from..].partition_point(|fence| *fence <= key);
        let Some(block) = (from + later).checked_sub(1).filter(|_| later > 0) else {
            return Ok(false);
        };
        if self.block != Some(block) {
            self.reader.seek(block as u64 * BLOCK_BYTES, block as u64);
            if !self.reader.next_block()? {
                return Err(DiskError::damaged(&self.run.info.name, "it is shorter than it was"));
            }
            (self.block, self.at) = (Some(block), 0);
        }
        let (keys, _) = self.reader.payload().as_chunks::<16>();
        let key_at = |at: usize| keys.get(at).map(|key| u128::from_le_bytes(*key));
        while key_at(self.at).is_some_and(|own| own < key) {
            self.at += 1;
        }
        Ok(key_at(self.at) == Some(key))
    }
}

/// Reads the keys of a run in order.
struct RunReader<'v, 'd> {
    reader: BlockReader<'v, 'd>,
    at: usize,
    head: Option<u128>,
}

impl<'v, 'd> RunReader<'v, 'd> {
    fn new(volume: &'v Volume<'d>, run: &Run) -> Result<Self, DiskError> {
        let reader = BlockReader::new(volume, &run.info);
        let mut own = RunReader { reader, at: 0, head: None };
        own.advance()?;
        Ok(own)
    }

    fn advance(&mut self) -> Result<(), DiskError> {
        loop {
            let (keys, _) = self.reader.payload().as_chunks::<16>();
            if let Some(key) = keys.get(self.at) {
                self.head = Some(u128::from_le_bytes(*key));
                self.at += 1;
                return Ok(());
            }
            self.at = 0;
            if !self.reader.next_block()? {
                self.head = None;
                return Ok(());
            }
        }
    }
}

/// One run of the keys of all these, no two of which have a key in common.
pub fn merge_runs(
    volume: &Volume<'_>,
    runs: &[Run],
    name: String,
    bits_per_key: u64,
) -> Result<Run, DiskError> {
    let n = runs.iter().map(|run| run.info.records).sum();
    let mut writer = RunWriter::new(volume, name, n, bits_per_key);
    let readers = runs.iter().map(|run| RunReader::new(volume, run));
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    loop {
        let heads = readers.iter().enumerate().filter_map(|(n, it)| Some((it.head?, n)));
        let Some((key, least)) = heads.min() else { return writer.finish() };
        writer.push(key)?;
        readers[least].advance()?;
    }
}

/// Bits by which most keys that are not there are recognised: each key sets four bits of one word.
#[derive(Clone, Debug)]
struct Filter {
    words: Vec<u64>,
}

impl Filter {
    fn new(n: u64, bits_per_key: u64) -> Self {
        Filter { words: vec![0; (n * bits_per_key).div_ceil(64) as usize] }
    }

    /// The word and the bits of a key; keys are as good as random.
    #[inline]
    fn place(&self, key: u128) -> (usize, u64) {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let word = (u128::from(low) * self.words.len() as u128) >> 64;
        let bits = (0..4).fold(0, |bits, n| bits | 1 << (high >> (6 * n) & 63));
        (word as usize, bits)
    }

    #[inline]
    fn add(&mut self, key: u128) {
        if !self.words.is_empty() {
            let (word, bits) = self.place(key);
            self.words[word] |= bits;
        }
    }

    #[inline]
    fn may_have(&self, key: u128) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulatedDisk;
    use foresee_stdx::Random;
    use std::collections::BTreeSet;

    fn written(volume: &Volume<'_>, name: &str, keys: &BTreeSet<u128>, bits: u64) -> Run {
        let mut writer = RunWriter::new(volume, name.to_owned(), keys.len() as u64, bits);
        keys.iter().for_each(|key| writer.push(*key).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn merged_runs_have_exactly_the_keys_of_their_parts() {
        let disk = SimulatedDisk::default();
        let volume = Volume::new(&disk, None);
        let mut random = Random::new(11);
        let mut draw = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let sets: Vec<BTreeSet<u128>> =
            [9_000, 1, 0, 1024].map(|n| (0..n).map(|_| draw()).collect()).into();
        let others: Vec<u128> = (0..5_000).map(|_| draw()).collect();
        for bits in [0, 1, 10] {
            let name = |n: usize| format!("run-{bits}-{n}");
            let runs: Vec<Run> = sets
                .iter()
                .enumerate()
                .map(|(n, set)| written(&volume, &name(n), set, bits))
                .collect();
            let merged = merge_runs(&volume, &runs, name(9), bits).unwrap();
            let again = Run::open(&volume, &merged.info, bits, |_| {}).unwrap();
            let all: BTreeSet<u128> = sets.iter().flatten().copied().collect();
            let mut asked: Vec<u128> = all.iter().chain(&others).copied().collect();
            asked.sort_unstable();
            for run in [&merged, &again] {
                let mut cursor = RunCursor::new(&volume, run);
                for key in &asked {
                    assert_eq!(cursor.has(*key).unwrap(), all.contains(key));
                }
                for key in asked.iter().step_by(997) {
                    let found = RunCursor::new(&volume, run).has(*key).unwrap();
                    assert_eq!(found, all.contains(key));
                }
            }
        }
    }

    #[test]
    fn a_filter_says_of_most_others_that_they_are_not_there() {
        let mut random = Random::new(2);
        let mut draw = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let mut filter = Filter::new(10_000, 10);
        let own: Vec<u128> = (0..10_000).map(|_| draw()).collect();
        own.iter().for_each(|key| filter.add(*key));
        assert!(own.iter().all(|key| filter.may_have(*key)));
        let wrong = (0..10_000).filter(|_| filter.may_have(draw())).count();
        assert!(wrong < 800, "{wrong} of 10,000");
    }
}
