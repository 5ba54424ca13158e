//! Stable storage: what a node writes down to find again after a crash, and from when on it may rely on it.
//! Contract, the same in a search and on a machine. A node appends records and replaces them all by a snapshot
//! ([`crate::Context::append`], [`crate::Context::snapshot`]). Writes keep their order and are durable only when a sync that was asked for
//! after them is done ([`crate::Context::sync`]). What the node sends and reports after asking waits until then, whichever handler
//! it comes from; so nothing that depends on a write is seen before the write is safe. A crash finds a prefix of the writes: all
//! that were synced, and of the others usually none. A restart hands the node what was found ([`crate::Node::restore`]).
//! Why no read: a node has in its state what it has written; it reads once, after a crash.
//! Why timers do not wait: nobody else sees a timer, and what its handler sends stands behind the same sync.
//! Not here: where bytes go (`foresee-runtime`), and crashes as events of a search (`foresee-nodes`).

use crate::{Address, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One thing that was written down. Its type is forgotten, but as long as it has not been on a real disk it can be shown.
#[derive(Clone)]
pub struct Record {
    bytes: Arc<[u8]>,
    show: fn(&[u8]) -> String,
}

impl Record {
    /// # Panics
    /// If the value cannot be written down.
    pub fn of<R: Serialize + DeserializeOwned + Debug>(record: &R) -> Self {
        let bytes = postcard::to_stdvec(record).unwrap_or_else(|error| {
            panic!("a record cannot be written down ({error}): {record:?}")
        });
        let show = |bytes: &[u8]| match postcard::from_bytes::<R>(bytes) {
            Ok(record) => format!("{record:?}"),
            Err(_) => bytes_in_words(bytes),
        };
        Record { bytes: bytes.into(), show }
    }

    /// A record as it came from a disk.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Record { bytes: bytes.into(), show: bytes_in_words }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// # Panics
    /// If it is no `R`.
    fn read<R: DeserializeOwned>(&self) -> R {
        match postcard::take_from_bytes(&self.bytes) {
            Ok((record, [])) => record,
            _ => panic!(
                "{self:?} in stable storage is no {}: it was written by another version",
                std::any::type_name::<R>()
            ),
        }
    }
}

fn bytes_in_words(bytes: &[u8]) -> String {
    format!("{} bytes", bytes.len())
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Record {}

impl Hash for Record {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.show)(&self.bytes))
    }
}

/// Something that a node writes.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Write {
    Append(Record),
    /// In the place of everything written before.
    Snapshot(Record),
}

/// What stable storage holds: the last snapshot and the records after it.
///
/// ```
/// use foresee_node::{Record, Stored, Write};
/// let mut stored = Stored::default();
/// stored.apply(Write::Append(Record::of(&1u32)));
/// stored.apply(Write::Snapshot(Record::of(&"all so far".to_owned())));
/// stored.apply(Write::Append(Record::of(&2u32)));
/// assert_eq!(stored.snapshot::<String>().as_deref(), Some("all so far"));
/// assert_eq!(stored.records::<u32>().collect::<Vec<_>>(), [2]);
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Stored {
    snapshot: Option<Record>,
    records: Vec<Record>,
}

impl Stored {
    /// The last snapshot.
    ///
    /// # Panics
    /// If it is no `S`.
    pub fn snapshot<S: DeserializeOwned>(&self) -> Option<S> {
        self.snapshot.as_ref().map(Record::read)
    }

    /// The records after the last snapshot, in the order of writing.
    ///
    /// # Panics
    /// If one of them is no `R`.
    pub fn records<R: DeserializeOwned>(&self) -> impl Iterator<Item = R> {
        self.records.iter().map(Record::read)
    }

    pub fn is_empty(&self) -> bool {
        self.snapshot.is_none() && self.records.is_empty()
    }

    pub fn apply(&mut self, write: Write) {
        match write {
            Write::Append(record) => self.records.push(record),
            Write::Snapshot(record) => {
                self.snapshot = Some(record);
                self.records.clear();
            }
        }
    }

    /// The snapshot and the records as they were written.
    pub fn contents(&self) -> (Option<&Record>, &[Record]) {
        (self.snapshot.as_ref(), &self.records)
    }
}

/// A disk in memory: what is durable, and what was written after the last sync.
///
/// ```
/// use foresee_node::{Disk, Record, Write};
/// let mut disk = Disk::default();
/// disk.write(Write::Append(Record::of(&1u8)));
/// disk.sync(1);
/// disk.write(Write::Append(Record::of(&2u8)));
/// disk.crash(0);
/// assert_eq!(disk.stored().records::<u8>().collect::<Vec<_>>(), [1]);
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Disk {
    durable: Stored,
    unsynced: VecDeque<Write>,
}

impl Disk {
    pub fn write(&mut self, write: Write) {
        self.unsynced.push_back(write);
    }

    /// The first `n_writes` of those that were not durable are now.
    pub fn sync(&mut self, n_writes: usize) {
        for write in self.unsynced.drain(..n_writes) {
            self.durable.apply(write);
        }
    }

    /// Everything that is not durable is lost, except for the first `n_kept` writes.
    pub fn crash(&mut self, n_kept: usize) {
        self.sync(n_kept);
        self.unsynced.clear();
    }

    /// What is durable.
    pub fn stored(&self) -> &Stored {
        &self.durable
    }

    /// What is not durable yet.
    pub fn unsynced(&self) -> impl ExactSizeIterator<Item = &Write> {
        self.unsynced.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.durable.is_empty() && self.unsynced.is_empty()
    }
}

/// Something that others see, and that waits for a sync.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Visible<M> {
    Send { to: Address, message: M },
    Invoked(Value),
    Returned(Value),
}

/// What a node has asked for and what waits for its disk.
/// Invariant: every sync that is under way covers at least one write.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Gate<M> {
    /// Writes after the last sync that was asked for.
    n_uncovered: usize,
    /// Syncs under way: how many writes each covers, and what waits for it.
    syncs: VecDeque<(usize, Vec<Visible<M>>)>,
}

impl<M> Default for Gate<M> {
    fn default() -> Self {
        Gate { n_uncovered: 0, syncs: VecDeque::new() }
    }
}

impl<M> Gate<M> {
    pub fn wrote(&mut self) {
        self.n_uncovered += 1;
    }

    /// A sync was asked for; whether there is anything to sync.
    pub fn sync(&mut self) -> bool {
        let n_writes = std::mem::take(&mut self.n_uncovered);
        if n_writes > 0 {
            self.syncs.push_back((n_writes, Vec::new()));
        }
        n_writes > 0
    }

    /// Lets something pass, or holds it back until the syncs that were asked for before it are done.
    #[inline]
    pub fn pass(&mut self, visible: Visible<M>) -> Option<Visible<M>> {
        match self.syncs.back_mut() {
            None => Some(visible),
            Some((_, held)) => {
                held.push(visible);
                None
            }
        }
    }

    /// The first sync under way is done: how many writes it covers, and what waited for it.
    pub fn synced(&mut self) -> Option<(usize, Vec<Visible<M>>)> {
        self.syncs.pop_front()
    }

    /// What waits for the last sync that was asked for.
    pub fn held_last_mut(&mut self) -> Option<&mut Vec<Visible<M>>> {
        self.syncs.back_mut().map(|(_, held)| held)
    }

    /// How many syncs are under way.
    pub fn n_syncs(&self) -> usize {
        self.syncs.len()
    }

    /// Writes that no sync covers, syncs under way, and how much waits: it grows with everything that is written or held back.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.n_uncovered, self.syncs.len(), self.held().count())
    }

    /// What waits, the oldest first.
    pub fn held(&self) -> impl Iterator<Item = &Visible<M>> {
        self.syncs.iter().flat_map(|(_, held)| held)
    }

    pub fn is_empty(&self) -> bool {
        self.n_uncovered == 0 && self.syncs.is_empty()
    }

    /// Whether nothing is held back, so that whatever comes may pass.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.syncs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(n: u8) -> Write {
        Write::Append(Record::of(&n))
    }

    #[test]
    fn what_comes_after_a_sync_waits_for_it_and_for_those_before_it() {
        let mut gate: Gate<u8> = Gate::default();
        let say = |n| Visible::Returned(Value::new(n));
        assert!(gate.pass(say(0)).is_some(), "nothing was written");
        assert!(!gate.sync(), "nothing to sync");
        gate.wrote();
        assert!(gate.pass(say(1)).is_some(), "no sync was asked for");
        assert!(gate.sync() && gate.pass(say(2)).is_none());
        gate.wrote();
        gate.wrote();
        assert!(gate.pass(say(3)).is_none(), "it stands behind the first sync");
        assert!(gate.sync() && gate.pass(say(4)).is_none());
        assert!(!gate.sync(), "nothing new to sync");
        assert_eq!(gate.synced(), Some((1, vec![say(2), say(3)])));
        assert_eq!(gate.synced(), Some((2, vec![say(4)])));
        assert!(gate.is_empty() && gate.synced().is_none());
    }

    #[test]
    fn a_crash_keeps_a_prefix() {
        let written = |disk: &Disk| disk.stored().records::<u8>().collect::<Vec<_>>();
        let mut disk = Disk::default();
        (1..=4).for_each(|n| disk.write(append(n)));
        disk.sync(1);
        let mut torn = disk.clone();
        disk.crash(0);
        torn.crash(2);
        assert_eq!((written(&disk), written(&torn)), (vec![1], vec![1, 2, 3]));
        disk.write(Write::Snapshot(Record::of(&9u8)));
        disk.write(append(7));
        disk.sync(2);
        assert_eq!((disk.stored().snapshot::<u8>(), written(&disk)), (Some(9), vec![7]));
    }

    #[test]
    fn records_are_shown_while_their_type_is_known() {
        let record = Record::of(&Some(3u8));
        assert_eq!(format!("{record:?}"), "Some(3)");
        let read = Record::of_bytes(record.bytes());
        assert_eq!(format!("{read:?}"), "2 bytes");
        assert_eq!(read, record, "what it is shown as makes no difference");
    }
}
