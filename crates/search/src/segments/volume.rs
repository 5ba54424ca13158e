//! A disk with a budget: knows how much the search has written, and what is not synced yet.

use super::{Disk, DiskError};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The files of one search.
pub struct Volume<'a> {
    disk: &'a dyn Disk,
    bytes_max: Option<u64>,
    used: Cell<u64>,
    sizes: RefCell<BTreeMap<String, u64>>,
    unsynced: RefCell<BTreeSet<String>>,
}

impl<'a> Volume<'a> {
    pub fn new(disk: &'a dyn Disk, bytes_max: Option<u64>) -> Self {
        let (sizes, unsynced) = (RefCell::default(), RefCell::default());
        Volume { disk, bytes_max, used: Cell::new(0), sizes, unsynced }
    }

    /// Counts a file that was there before.
    pub fn adopt(&self, name: &str, bytes: u64) {
        self.sizes.borrow_mut().insert(name.to_owned(), bytes);
        self.used.set(self.used.get() + bytes);
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.used.get()
    }

    pub fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError> {
        let used = self.used.get() + bytes.len() as u64;
        if self.bytes_max.is_some_and(|max| used > max) {
            return Err(DiskError::Full);
        }
        self.disk.append(name, bytes)?;
        self.used.set(used);
        *self.sizes.borrow_mut().entry(name.to_owned()).or_default() += bytes.len() as u64;
        self.unsynced.borrow_mut().insert(name.to_owned());
        Ok(())
    }

    pub fn read(&self, name: &str, offset: u64, into: &mut [u8]) -> Result<(), DiskError> {
        self.disk.read(name, offset, into)
    }

    pub fn size(&self, name: &str) -> Result<u64, DiskError> {
        self.disk.size(name)
    }

    /// Everything written so far outlasts a power cut.
    pub fn sync(&self) -> Result<(), DiskError> {
        for name in std::mem::take(&mut *self.unsynced.borrow_mut()) {
            self.disk.sync(&name)?;
        }
        self.disk.sync_names()
    }

    /// Puts `bytes` in the place of the file `name`, in one step that outlasts a power cut.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError> {
        let new = format!("{name}.new");
        if self.disk.list()?.contains(&new) {
            self.disk.remove(&new)?;
        }
        self.disk.append(&new, bytes)?;
        self.disk.sync(&new)?;
        self.disk.rename(&new, name)?;
        self.disk.sync_names()
    }

    pub fn remove(&self, name: &str) -> Result<(), DiskError> {
        self.unsynced.borrow_mut().remove(name);
        self.disk.remove(name)?;
        let freed = self.sizes.borrow_mut().remove(name).unwrap_or(0);
        self.used.set(self.used.get() - freed);
        Ok(())
    }
}
