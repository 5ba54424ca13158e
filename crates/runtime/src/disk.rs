//! The stable storage of a process's nodes: files written by a thread of their own, so that no handler waits for a device.
//! Group commit: whatever has been asked for while the device was busy is written and synced at once, one sync for each node's file.
//! What was written and not yet asked to be synced stays in memory: a process that is killed loses it, as the contract says.
//! Invariant: a sync is reported done only when everything written before it is durable; after a failure nothing is.

use crate::RunError;
use crate::log_file::{Found, LogFile, StorageProblem, Treatment};
use foresee_node::{Address, Stored, Write};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::Notify;

/// Where nodes keep what they write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StorageConfig {
    /// A file for each node.
    pub folder: PathBuf,
    /// Whether the device is made to write at each sync; without it only a crash of the process is survived.
    pub syncs: bool,
    /// For tests: at the next start everything is discarded that was not synced, also what the operating system has kept.
    pub discards_unsynced: bool,
}

impl StorageConfig {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        StorageConfig { folder: folder.into(), syncs: true, discards_unsynced: false }
    }
}

/// Writes that wait for a sync in memory, at most so many bytes; beyond that they go to the file, unsynced.
const WAITING_MAX: usize = 1 << 20;

/// The files of a process.
pub(crate) struct Disks {
    pub(crate) folder: PathBuf,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    done: Arc<Done>,
    /// For each member what was written since its last sync, and how many bytes that is.
    waiting: Vec<(Vec<Write>, usize)>,
}

/// The files, and what was in them.
pub(crate) struct Opened {
    pub(crate) disks: Disks,
    /// What each node finds; `None` if it has no file yet.
    pub(crate) stored: Vec<Option<Stored>>,
    /// What people should know.
    pub(crate) notes: Vec<String>,
}

struct Job {
    member: u32,
    writes: Vec<Write>,
    syncs: bool,
}

/// What the thread reports.
#[derive(Default)]
struct Done {
    news: Notify,
    reports: Mutex<Vec<Result<u32, (u32, StorageProblem)>>>,
}

impl Disks {
    /// Opens the files of these nodes.
    pub(crate) fn open(config: &StorageConfig, nodes: &[Address]) -> Result<Opened, RunError> {
        let (mut files, mut stored, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let treatment =
            Treatment { syncs: config.syncs, discards_unsynced: config.discards_unsynced };
        for node in nodes {
            let opened = LogFile::open(&config.folder, node.name(), treatment);
            let (file, found): (LogFile, Found) = opened.map_err(|problem| RunError::Storage {
                node: *node,
                folder: config.folder.clone(),
                problem,
            })?;
            files.push(file);
            stored.push(found.stored);
            notes.extend(found.note);
        }
        let (jobs, work) = channel();
        let done = Arc::new(Done::default());
        let reports = Arc::clone(&done);
        let thread = std::thread::Builder::new().name("disk".to_owned());
        let thread = thread.spawn(move || serve(&work, files, &reports));
        let thread = thread.map_err(|reason| RunError::NoLoop { reason })?;
        let waiting = nodes.iter().map(|_| (Vec::new(), 0)).collect();
        let folder = config.folder.clone();
        let disks = Disks { folder, jobs: Some(jobs), thread: Some(thread), done, waiting };
        Ok(Opened { disks, stored, notes })
    }

    pub(crate) fn write(&mut self, member: u32, write: Write) {
        let (writes, n_bytes) = &mut self.waiting[member as usize];
        let (Write::Append(record) | Write::Snapshot(record)) = &write;
        *n_bytes += record.bytes().len();
        writes.push(write);
        if *n_bytes > WAITING_MAX {
            self.hand_over(member, false);
        }
    }

    pub(crate) fn sync(&mut self, member: u32) {
        self.hand_over(member, true);
    }

    fn hand_over(&mut self, member: u32, syncs: bool) {
        let (writes, n_bytes) = &mut self.waiting[member as usize];
        *n_bytes = 0;
        let writes = std::mem::take(writes);
        if let Some(jobs) = &self.jobs {
            // A thread that has ended has reported why.
            let _ = jobs.send(Job { member, writes, syncs });
        }
    }

    /// Syncs that are done: the member of each. `Err` is the end of the member's storage.
    pub(crate) fn take_done(&self) -> Vec<Result<u32, (u32, StorageProblem)>> {
        std::mem::take(&mut *self.done.reports.lock().expect("nobody panics with it"))
    }

    pub(crate) async fn is_done(&self) {
        self.done.news.notified().await;
    }

    /// Writes what is still in memory, without promising anything, and ends the thread.
    fn close(&mut self) {
        for member in 0..self.waiting.len() as u32 {
            self.hand_over(member, false);
        }
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Disks {
    fn drop(&mut self) {
        self.close();
    }
}

/// Writes and syncs until nobody asks any more.
fn serve(work: &Receiver<Job>, mut files: Vec<LogFile>, done: &Done) {
    while let Ok(first) = work.recv() {
        let mut batch: BTreeMap<u32, (Vec<Write>, usize)> = BTreeMap::new();
        for job in std::iter::once(first).chain(work.try_iter()) {
            let (writes, n_syncs) = batch.entry(job.member).or_default();
            writes.extend(job.writes);
            *n_syncs += usize::from(job.syncs);
        }
        for (member, (writes, n_syncs)) in batch {
            let file = &mut files[member as usize];
            let result = if n_syncs > 0 { file.commit(&writes) } else { file.append(&writes) };
            let mut reports = done.reports.lock().expect("nobody panics with it");
            match result {
                Ok(()) => reports.extend(std::iter::repeat_with(|| Ok(member)).take(n_syncs)),
                Err(problem) => {
                    reports.push(Err((member, problem)));
                    drop(reports);
                    done.news.notify_one();
                    return;
                }
            }
        }
        done.news.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_node::Record;

    fn wait_for(disks: &Disks, n: usize) -> Vec<u32> {
        let mut done = Vec::new();
        while done.len() < n {
            done.extend(disks.take_done().into_iter().map(|it| it.expect("it can be written")));
            std::thread::yield_now();
        }
        done
    }

    #[test]
    fn each_sync_is_reported_once_and_keeps_what_was_written_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let config = StorageConfig { discards_unsynced: true, ..StorageConfig::new(folder.path()) };
        let nodes = [Address::new("a"), Address::new("b")];
        let Opened { mut disks, stored, .. } = Disks::open(&config, &nodes).unwrap();
        assert_eq!(stored, [None, None]);
        for n in 0..100u32 {
            disks.write(n % 2, Write::Append(Record::of(&n)));
            disks.sync(n % 2);
        }
        disks.write(0, Write::Append(Record::of(&1000u32)));
        let done = wait_for(&disks, 100);
        assert_eq!(done.iter().filter(|member| **member == 0).count(), 50);
        drop(disks);
        let Opened { stored, notes, .. } = Disks::open(&config, &nodes).unwrap();
        let read = |member: usize| stored[member].as_ref().unwrap().records().collect::<Vec<u32>>();
        assert_eq!(read(0), (0..100).step_by(2).collect::<Vec<_>>(), "the last was not synced");
        assert_eq!(read(1), (1..100).step_by(2).collect::<Vec<_>>());
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").unwrap();
        let refused = Disks::open(&StorageConfig::new(file), &[Address::new("a")]);
        assert!(matches!(refused.err(), Some(RunError::Storage { .. })));
    }
}
