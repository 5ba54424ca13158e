//! A disk in memory whose power can be cut: what was not synced is lost, or a part of it.
//! For tests of searches that stop at any moment. What a power cut leaves of unsynced bytes and names is drawn from a seed.

use super::{Disk, DiskError};
use foresee_stdx::Random;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// Files as they are seen, and as they would be after a power cut.
#[derive(Debug, Default)]
pub struct SimulatedDisk {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    is_locked: bool,
    /// By name, the number of the file.
    names: BTreeMap<String, usize>,
    synced_names: BTreeMap<String, usize>,
    files: Vec<Contents>,
    /// Calls that change something, from now on, until the power is cut; `None` for never.
    calls_left: Option<u64>,
    calls: u64,
    bytes_max: Option<u64>,
}

#[derive(Debug, Default)]
struct Contents {
    bytes: Vec<u8>,
    n_synced: usize,
}

impl SimulatedDisk {
    /// A disk that is full when its files have so many bytes.
    pub fn with_room(bytes_max: u64) -> Self {
        let disk = SimulatedDisk::default();
        disk.give_room(Some(bytes_max));
        disk
    }

    pub fn give_room(&self, bytes_max: Option<u64>) {
        self.lock_inner().bytes_max = bytes_max;
    }

    /// From now on the disk fails after so many calls that change something.
    pub fn fail_after(&self, calls: u64) {
        self.lock_inner().calls_left = Some(calls);
    }

    /// The calls so far that changed something.
    pub fn calls(&self) -> u64 {
        self.lock_inner().calls
    }

    /// The process is gone: files are as they were left, nobody has the directory.
    pub fn release(&self) {
        let mut inner = self.lock_inner();
        inner.is_locked = false;
        inner.calls_left = None;
    }

    /// The machine is gone: unsynced names are lost or not, and of unsynced bytes any number from the end.
    pub fn cut_power(&self, random: &mut Random) {
        let mut inner = self.lock_inner();
        let Inner { names, synced_names, files, .. } = &mut *inner;
        let mut kept = synced_names.clone();
        for (name, file) in names.iter() {
            // A file that was renamed has its old name or its new one: one coin for both.
            let old = synced_names.iter().find(|it| it.1 == file && names.get(it.0) != Some(file));
            if random.below(2) == 0 {
                kept.insert(name.clone(), *file);
                old.map(|(old, _)| kept.remove(old));
            }
        }
        let is_renamed = |file: &usize| names.values().any(|it| it == file);
        for (name, file) in synced_names.iter() {
            if !names.contains_key(name) && !is_renamed(file) && random.below(2) == 0 {
                kept.remove(name);
            }
        }
        for contents in files.iter_mut() {
            let unsynced = (contents.bytes.len() - contents.n_synced) as u64;
            let n = contents.n_synced + random.below(unsynced + 1) as usize;
            contents.bytes.truncate(n);
        }
        *names = kept.clone();
        *synced_names = kept;
        inner.is_locked = false;
        inner.calls_left = None;
    }

    /// Changes one bit of a file.
    pub fn flip(&self, name: &str, bit: u64) {
        let mut inner = self.lock_inner();
        let file = inner.names[name];
        inner.files[file].bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    }

    fn lock_inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nobody panics while it is locked")
    }

    /// For a call that changes something.
    fn changing(&self, name: &str) -> Result<MutexGuard<'_, Inner>, DiskError> {
        let mut inner = self.lock_inner();
        inner.calls += 1;
        match &mut inner.calls_left {
            Some(0) => return Err(failed(name, "the power is gone")),
            Some(left) => *left -= 1,
            None => {}
        }
        Ok(inner)
    }
}

impl Inner {
    fn file(&mut self, name: &str) -> Result<&mut Contents, DiskError> {
        let file = self.names.get(name).ok_or_else(|| failed(name, "there is no such file"))?;
        Ok(&mut self.files[*file])
    }
}

fn failed(name: &str, reason: &str) -> DiskError {
    DiskError::Failed { file: name.to_owned(), reason: reason.to_owned() }
}

impl Disk for SimulatedDisk {
    fn lock(&self) -> Result<(), DiskError> {
        let mut inner = self.lock_inner();
        if std::mem::replace(&mut inner.is_locked, true) {
            return Err(DiskError::InUse);
        }
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>, DiskError> {
        Ok(self.lock_inner().names.keys().cloned().collect())
    }

    fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError> {
        let mut inner = self.changing(name)?;
        let used: usize = inner.names.values().map(|file| inner.files[*file].bytes.len()).sum();
        if inner.bytes_max.is_some_and(|max| (used + bytes.len()) as u64 > max) {
            return Err(DiskError::Full);
        }
        if !inner.names.contains_key(name) {
            let number = inner.files.len();
            inner.files.push(Contents::default());
            inner.names.insert(name.to_owned(), number);
        }
        inner.file(name)?.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn size(&self, name: &str) -> Result<u64, DiskError> {
        Ok(self.lock_inner().file(name)?.bytes.len() as u64)
    }

    fn read(&self, name: &str, offset: u64, into: &mut [u8]) -> Result<(), DiskError> {
        let mut inner = self.lock_inner();
        let bytes = &inner.file(name)?.bytes;
        let start = offset as usize;
        let wanted = bytes.get(start..start + into.len());
        into.copy_from_slice(wanted.ok_or_else(|| DiskError::damaged(name, "it is too short"))?);
        Ok(())
    }

    fn sync(&self, name: &str) -> Result<(), DiskError> {
        let mut inner = self.changing(name)?;
        let file = inner.file(name)?;
        file.n_synced = file.bytes.len();
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), DiskError> {
        let mut inner = self.changing(from)?;
        let file = inner.names.remove(from).ok_or_else(|| failed(from, "there is no such file"))?;
        inner.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), DiskError> {
        let mut inner = self.changing(name)?;
        inner.names.remove(name).ok_or_else(|| failed(name, "there is no such file"))?;
        Ok(())
    }

    fn sync_names(&self) -> Result<(), DiskError> {
        let mut inner = self.changing("the directory")?;
        inner.synced_names = inner.names.clone();
        Ok(())
    }
}
