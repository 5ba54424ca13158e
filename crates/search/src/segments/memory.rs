//! Files in memory: for searches that work level by level as on disk, and keep nothing.

use super::{Disk, DiskError};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files grow in pieces of this size, so that nothing is copied when they grow.
const PIECE: usize = 1 << 18;

/// A directory that is gone with the process.
#[derive(Debug, Default)]
pub struct MemoryDisk {
    files: Mutex<BTreeMap<String, Vec<Vec<u8>>>>,
}

impl MemoryDisk {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Vec<u8>>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Disk for MemoryDisk {
    fn lock(&self) -> Result<(), DiskError> {
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>, DiskError> {
        Ok(self.files().keys().cloned().collect())
    }

    fn append(&self, name: &str, mut bytes: &[u8]) -> Result<(), DiskError> {
        let mut files = self.files();
        let pieces = files.entry(name.to_owned()).or_default();
        while !bytes.is_empty() {
            if pieces.last().is_none_or(|piece| piece.len() == PIECE) {
                pieces.push(Vec::new());
            }
            let piece = pieces.last_mut().expect("there is one");
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - piece.len()));
            piece.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    fn size(&self, name: &str) -> Result<u64, DiskError> {
        let files = self.files();
        let pieces = files.get(name).ok_or_else(|| DiskError::damaged(name, "it is not there"))?;
        Ok(pieces.iter().map(|piece| piece.len() as u64).sum())
    }

    fn read(&self, name: &str, offset: u64, into: &mut [u8]) -> Result<(), DiskError> {
        let files = self.files();
        let pieces = files.get(name).ok_or_else(|| DiskError::damaged(name, "it is not there"))?;
        let (mut at, mut done) = (offset as usize, 0);
        while done < into.len() {
            let piece = pieces.get(at / PIECE).and_then(|piece| piece.get(at % PIECE..));
            let piece = piece.filter(|piece| !piece.is_empty());
            let piece = piece.ok_or_else(|| DiskError::damaged(name, "it is too short"))?;
            let n = piece.len().min(into.len() - done);
            into[done..done + n].copy_from_slice(&piece[..n]);
            (at, done) = (at + n, done + n);
        }
        Ok(())
    }

    fn sync(&self, _name: &str) -> Result<(), DiskError> {
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), DiskError> {
        let mut files = self.files();
        let pieces = files.remove(from);
        let pieces = pieces.ok_or_else(|| DiskError::damaged(from, "it is not there"))?;
        files.insert(to.to_owned(), pieces);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), DiskError> {
        self.files().remove(name);
        Ok(())
    }

    fn sync_names(&self) -> Result<(), DiskError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_read_from_any_place() {
        let disk = MemoryDisk::default();
        let whole: Vec<u8> = (0..3 * PIECE + 7).map(|n| (n % 251) as u8).collect();
        for part in whole.chunks(100_003) {
            disk.append("file", part).unwrap();
        }
        assert_eq!(disk.size("file"), Ok(whole.len() as u64));
        for (offset, n) in [(0, 10), (PIECE - 5, 10), (1, whole.len() - 1), (whole.len() - 1, 1)] {
            let mut read = vec![0; n];
            disk.read("file", offset as u64, &mut read).unwrap();
            assert_eq!(read, whole[offset..offset + n]);
        }
        assert!(disk.read("file", whole.len() as u64, &mut [0]).is_err());
    }
}
