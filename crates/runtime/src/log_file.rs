//! One node's stable storage as a file: a snapshot, if there is one, and the records after it.
//! Format: a header (magic and generation), then frames of length, CRC-32C of length and content, kind and bytes. The file only grows; a snapshot is a
//! new file, written, synced, renamed over the old one, with the folder synced after it. So a crash finds the old or the new.
//! Reading: what is cut or torn at the end was never synced and is cut off. A *mark* says how much of the file was durable when it was
//! written; it begins every batch after a sync. A bad frame before something that a later mark calls durable is damage, not a torn write,
//! and the file is refused: nothing that was acknowledged is left out silently.
//! Known limit: damage to the very last batch cannot be told from a torn write.

use foresee_node::{Record, Stored, Write};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 16] = *b"foresee store 1\n";
/// Magic and generation.
const HEADER: usize = MAGIC.len() + 8;
/// Length and checksum.
const FRAME: usize = 8;
const RECORD: u8 = 1;
const SNAPSHOT: u8 = 2;
const MARK: u8 = 3;

/// What is wrong with a node's stable storage.
#[derive(Debug)]
#[non_exhaustive]
pub enum StorageProblem {
    /// The file system says no: the disk is full, the folder cannot be written.
    Failed { doing: &'static str, reason: io::Error },
    /// Another process has it.
    InUse,
    /// The file is none of ours.
    NotStorage,
    /// Something that was durable is damaged, at this byte.
    Damaged { at: u64 },
}

impl fmt::Display for StorageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageProblem::Failed { doing, reason } => write!(f, "{doing}: {reason}"),
            StorageProblem::InUse => f.write_str("another process has it"),
            StorageProblem::NotStorage => f.write_str("it is no stable storage of a node"),
            StorageProblem::Damaged { at } => write!(
                f,
                "it is damaged at byte {at}, before records that were durable; nothing was changed"
            ),
        }
    }
}

fn failed(doing: &'static str) -> impl FnOnce(io::Error) -> StorageProblem {
    move |reason| StorageProblem::Failed { doing, reason }
}

/// What a node finds when it starts.
#[derive(Debug)]
pub(crate) struct Found {
    /// What its storage holds; `None` if there was none.
    pub(crate) stored: Option<Stored>,
    /// What people should know.
    pub(crate) note: Option<String>,
}

#[derive(Debug)]
pub(crate) struct LogFile {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    generation: u64,
    /// How long the file is, how much of that is durable, and how much the last mark says is.
    length: u64,
    durable: u64,
    marked: u64,
    syncs: bool,
    /// Where the durable length is kept, for tests that discard everything else at a kill.
    durable_length: Option<File>,
}

/// How a file is treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Treatment {
    /// Whether the device is made to write.
    pub(crate) syncs: bool,
    /// Whether what was not synced is cut off when the file is opened again.
    pub(crate) discards_unsynced: bool,
}

impl LogFile {
    /// Opens the storage of a node, or begins one.
    pub(crate) fn open(
        folder: &Path,
        node: &str,
        treatment: Treatment,
    ) -> Result<(LogFile, Found), StorageProblem> {
        std::fs::create_dir_all(folder).map_err(failed("the folder cannot be made"))?;
        let name = file_name(node);
        let path = folder.join(format!("{name}.store"));
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(failed("the file cannot be opened"))?;
        lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("the file cannot be read"))?;
        let is_new = bytes.is_empty();
        let durable_length = treatment.discards_unsynced.then(|| {
            let path = folder.join(format!("{name}.durable"));
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
        });
        let durable_length =
            durable_length.transpose().map_err(failed("the file cannot be opened"))?;
        let mut log = LogFile {
            folder: folder.to_owned(),
            path,
            file,
            generation: 0,
            length: 0,
            durable: 0,
            marked: 0,
            syncs: treatment.syncs,
            durable_length,
        };
        let (stored, note) = if is_new {
            log.begin()?;
            (None, None)
        } else {
            log.recover(bytes).map(|(stored, note)| (Some(stored), note))?
        };
        Ok((log, Found { stored, note }))
    }

    fn begin(&mut self) -> Result<(), StorageProblem> {
        self.file.write_all(&header(0)).map_err(failed("it cannot be written"))?;
        self.length = HEADER as u64;
        self.sync_file()?;
        self.sync_folder()?;
        self.is_durable()
    }

    /// Reads what is there and cuts off what was never durable.
    fn recover(&mut self, mut bytes: Vec<u8>) -> Result<(Stored, Option<String>), StorageProblem> {
        // A process that was killed while it began the file has promised nothing.
        if bytes.len() < HEADER && header(0).starts_with(&bytes) {
            self.file.seek(SeekFrom::Start(0)).map_err(failed("it cannot be written"))?;
            self.begin()?;
            return Ok((Stored::default(), None));
        }
        if bytes.len() < HEADER || !bytes.starts_with(&MAGIC) {
            return Err(StorageProblem::NotStorage);
        }
        self.generation = number(&bytes[MAGIC.len()..HEADER]);
        if let Some(file) = &mut self.durable_length
            && let Some((generation, length)) = read_durable_length(file)
            && generation == self.generation
            && (length as usize) < bytes.len()
        {
            bytes.truncate(length as usize);
        }
        let (stored, end) = read(&bytes)?;
        let n_cut = bytes.len() - end;
        let file_length = self.file.metadata().map_err(failed("it cannot be read"))?.len();
        if file_length > end as u64 {
            self.file.set_len(end as u64).map_err(failed("it cannot be cut"))?;
        }
        self.file.seek(SeekFrom::Start(end as u64)).map_err(failed("it cannot be read"))?;
        self.length = end as u64;
        self.sync_file()?;
        self.is_durable()?;
        let note = (n_cut > 0).then(|| {
            format!(
                "{}: the last {n_cut} bytes were no whole record; they were never synced and are cut off",
                self.path.display()
            )
        });
        Ok((stored, note))
    }

    /// Appends writes and makes them durable. A snapshot makes everything before it superfluous.
    pub(crate) fn commit(&mut self, writes: &[Write]) -> Result<(), StorageProblem> {
        self.append(writes)?;
        if self.durable < self.length {
            self.sync_file()?;
            self.is_durable()?;
        }
        Ok(())
    }

    /// Appends writes; they are durable when something is committed.
    pub(crate) fn append(&mut self, writes: &[Write]) -> Result<(), StorageProblem> {
        let snapshot = writes.iter().rposition(|write| matches!(write, Write::Snapshot(_)));
        if let Some(at) = snapshot {
            return self.replace(&writes[at..]);
        }
        let mut bytes = Vec::new();
        if self.marked < self.durable && !writes.is_empty() {
            put(&mut bytes, MARK, &self.durable.to_le_bytes());
            self.marked = self.durable;
        }
        writes.iter().for_each(|write| put_write(&mut bytes, write));
        self.file.write_all(&bytes).map_err(failed("it cannot be written"))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// A new file that begins with a snapshot, in the place of the old one.
    fn replace(&mut self, writes: &[Write]) -> Result<(), StorageProblem> {
        let generation = self.generation + 1;
        let mut bytes = header(generation).to_vec();
        writes.iter().for_each(|write| put_write(&mut bytes, write));
        let new = self.path.with_extension("new");
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&new);
        let mut file = opened.map_err(failed("a new file cannot be made"))?;
        lock(&file)?;
        file.write_all(&bytes).map_err(failed("a snapshot cannot be written"))?;
        if self.syncs {
            file.sync_data().map_err(failed("a snapshot cannot be synced"))?;
        }
        std::fs::rename(&new, &self.path).map_err(failed("a snapshot cannot be renamed"))?;
        self.sync_folder()?;
        (self.file, self.generation, self.length) = (file, generation, bytes.len() as u64);
        self.marked = 0;
        self.is_durable()
    }

    fn sync_file(&self) -> Result<(), StorageProblem> {
        if self.syncs {
            self.file.sync_data().map_err(failed("it cannot be synced"))?;
        }
        Ok(())
    }

    fn sync_folder(&self) -> Result<(), StorageProblem> {
        if self.syncs {
            let folder = File::open(&self.folder).map_err(failed("the folder cannot be opened"))?;
            folder.sync_all().map_err(failed("the folder cannot be synced"))?;
        }
        Ok(())
    }

    /// Everything in the file is durable now.
    fn is_durable(&mut self) -> Result<(), StorageProblem> {
        self.durable = self.length;
        if let Some(file) = &mut self.durable_length {
            let bytes = [self.generation.to_le_bytes(), self.durable.to_le_bytes()].concat();
            let written = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&bytes));
            written.map_err(failed("the durable length cannot be written"))?;
        }
        Ok(())
    }
}

fn lock(file: &File) -> Result<(), StorageProblem> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StorageProblem::InUse),
        Err(TryLockError::Error(reason)) => {
            Err(StorageProblem::Failed { doing: "the file cannot be locked", reason })
        }
    }
}

fn header(generation: u64) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..].copy_from_slice(&generation.to_le_bytes());
    bytes
}

/// A node's name as a file's: letters, digits, `-`, `_` and `.` stay.
fn file_name(node: &str) -> String {
    let mut name = String::new();
    for byte in node.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        match is_plain {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("%{byte:02x}")),
        }
    }
    name
}

fn put_write(bytes: &mut Vec<u8>, write: &Write) {
    match write {
        Write::Append(record) => put(bytes, RECORD, record.bytes()),
        Write::Snapshot(record) => put(bytes, SNAPSHOT, record.bytes()),
    }
}

fn put(bytes: &mut Vec<u8>, kind: u8, content: &[u8]) {
    let length = u32::try_from(content.len() + 1).expect("a record is smaller than four gigabytes");
    let length = length.to_le_bytes();
    let sum = crc32c::crc32c_append(crc32c::crc32c(&length), &[kind]);
    let sum = crc32c::crc32c_append(sum, content);
    bytes.extend_from_slice(&length);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.push(kind);
    bytes.extend_from_slice(content);
}

/// The kind, the content and the end of the frame that begins at a place, if it is whole.
fn frame(bytes: &[u8], at: usize) -> Option<(u8, &[u8], usize)> {
    let head = bytes.get(at..at.checked_add(FRAME)?)?;
    let (length, sum) = (&head[..4], u32::from_le_bytes(head[4..].try_into().ok()?));
    let n = u32::from_le_bytes(length.try_into().ok()?) as usize;
    let end = at.checked_add(FRAME)?.checked_add(n)?;
    let content = bytes.get(at + FRAME..end)?;
    let is_whole = crc32c::crc32c_append(crc32c::crc32c(length), content) == sum;
    let (kind, content) = content.split_first().filter(|_| is_whole)?;
    Some((*kind, content, end))
}

/// What a file holds, and where its last whole frame ends.
fn read(bytes: &[u8]) -> Result<(Stored, usize), StorageProblem> {
    let (mut stored, mut at) = (Stored::default(), HEADER);
    while let Some((kind, content, end)) = frame(bytes, at) {
        match kind {
            RECORD => stored.apply(Write::Append(Record::of_bytes(content))),
            SNAPSHOT => stored.apply(Write::Snapshot(Record::of_bytes(content))),
            MARK => {}
            _ => return Err(StorageProblem::Damaged { at: at as u64 }),
        }
        at = end;
    }
    let rest = at + 1..bytes.len();
    let is_durable = rest.filter(|later| bytes[*later..].starts_with(&9u32.to_le_bytes())).any(
        |later| matches!(frame(bytes, later), Some((MARK, mark, _)) if number(mark) > at as u64),
    );
    match is_durable {
        true => Err(StorageProblem::Damaged { at: at as u64 }),
        false => Ok((stored, at)),
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn read_durable_length(file: &mut File) -> Option<(u64, u64)> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let (generation, length) = bytes.split_at_checked(8)?;
    (length.len() == 8).then(|| (number(generation), number(length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Treatment = Treatment { syncs: true, discards_unsynced: false };

    fn append(n: u32) -> Write {
        Write::Append(Record::of(&n))
    }

    fn open(folder: &Path) -> (LogFile, Found) {
        LogFile::open(folder, "server/1", USUAL).unwrap()
    }

    fn records(found: &Found) -> Vec<u32> {
        found.stored.as_ref().map_or_else(Vec::new, |stored| stored.records().collect())
    }

    #[test]
    fn what_is_committed_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let (mut log, found) = open(folder.path());
        assert!(found.stored.is_none(), "there was nothing");
        log.commit(&[append(1), append(2)]).unwrap();
        log.commit(&[append(3)]).unwrap();
        drop(log);
        let (mut log, found) = open(folder.path());
        assert_eq!((records(&found), found.note), (vec![1, 2, 3], None));
        log.commit(&[append(4), Write::Snapshot(Record::of(&"ten".to_owned())), append(5)])
            .unwrap();
        log.commit(&[append(6)]).unwrap();
        drop(log);
        let (_, found) = open(folder.path());
        assert_eq!(found.stored.as_ref().unwrap().snapshot::<String>().as_deref(), Some("ten"));
        assert_eq!(records(&found), [5, 6]);
        assert!(folder.path().join("server%2f1.store").exists());
        assert!(!folder.path().join("server%2f1.new").exists());
    }

    #[test]
    fn two_processes_cannot_have_one_storage() {
        let folder = tempfile::tempdir().unwrap();
        let (_log, _) = open(folder.path());
        let second = LogFile::open(folder.path(), "server/1", USUAL);
        assert!(matches!(second, Err(StorageProblem::InUse)), "{second:?}");
    }

    #[test]
    fn a_file_cut_anywhere_is_recovered_to_its_last_whole_record() {
        let folder = tempfile::tempdir().unwrap();
        let (mut log, _) = open(folder.path());
        (0..5).for_each(|n| log.commit(&[append(n)]).unwrap());
        drop(log);
        let path = folder.path().join("server%2f1.store");
        let whole = std::fs::read(&path).unwrap();
        let mut before = 0;
        for end in HEADER..=whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let (mut log, found) = open(folder.path());
            let kept = records(&found);
            assert_eq!(kept, (0..kept.len() as u32).collect::<Vec<_>>(), "cut at {end}");
            assert!(kept.len() >= before, "cut at {end}");
            before = kept.len();
            log.commit(&[append(99)]).unwrap();
            drop(log);
            let (_, again) = open(folder.path());
            assert_eq!(again.note, None, "it was mended");
            assert_eq!(records(&again), [kept, vec![99]].concat(), "cut at {end}");
        }
        assert_eq!(before, 5);
    }

    #[test]
    fn damage_before_what_was_durable_is_refused_and_a_torn_end_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (mut log, _) = open(folder.path());
        (0..5).for_each(|n| log.commit(&[append(n)]).unwrap());
        drop(log);
        let path = folder.path().join("server%2f1.store");
        let whole = std::fs::read(&path).unwrap();
        // The last batch begins with the mark of what was durable before it.
        let last_mark = whole.len() - (FRAME + 2) - (FRAME + 9);
        for at in HEADER..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let opened = LogFile::open(folder.path(), "server/1", USUAL);
            match opened {
                Err(StorageProblem::Damaged { .. }) => {
                    assert!(at < last_mark, "byte {at}");
                    assert_eq!(std::fs::read(&path).unwrap(), bytes, "nothing was changed");
                }
                Ok((_, found)) => {
                    assert!(at >= last_mark, "byte {at}");
                    assert!(found.note.is_some());
                    assert_eq!(records(&found), [0, 1, 2, 3]);
                }
                Err(other) => panic!("byte {at}: {other}"),
            }
        }
        std::fs::write(&path, b"something else entirely, of another program").unwrap();
        let opened = LogFile::open(folder.path(), "server/1", USUAL);
        assert!(matches!(opened, Err(StorageProblem::NotStorage)));
    }

    #[test]
    fn what_was_not_synced_is_discarded_where_that_is_asked_for() {
        let treatment = Treatment { syncs: true, discards_unsynced: true };
        let folder = tempfile::tempdir().unwrap();
        let (mut log, _) = LogFile::open(folder.path(), "a", treatment).unwrap();
        log.commit(&[append(1)]).unwrap();
        log.append(&[append(2), append(3)]).unwrap();
        drop(log);
        let (mut log, found) = LogFile::open(folder.path(), "a", treatment).unwrap();
        assert_eq!((records(&found), found.note), (vec![1], None));
        log.commit(&[append(4), Write::Snapshot(Record::of(&7u8))]).unwrap();
        log.commit(&[append(5)]).unwrap();
        log.append(&[append(6)]).unwrap();
        drop(log);
        let (_, found) = LogFile::open(folder.path(), "a", treatment).unwrap();
        assert_eq!(records(&found), [5]);
        assert_eq!(found.stored.unwrap().snapshot::<u8>(), Some(7));
    }
}
