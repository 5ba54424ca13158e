//! A directory of this machine, as a search on disk wants it.
//! The lock is one of the operating system on the file `lock`, so it ends with the process, however that ends.

use crate::args::DiskFlags;
use crate::cluster;
use foresee_session::{Disk, DiskError, DiskRequest, Folders, checksum};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// More files than this are not kept open.
const OPEN_MAX: usize = 200;
const LOCK: &str = "lock";

/// Where the states go, if the user wants them on disk.
pub(crate) fn request(flags: &DiskFlags) -> Option<DiskRequest> {
    let (path, resume) = match (&flags.disk, &flags.resume) {
        (Some(path), _) => (path, false),
        (None, path) => (path.as_ref()?, true),
    };
    Some(DiskRequest {
        disk: Arc::new(Folder { path: path.clone(), inner: Mutex::default() }),
        folders: Arc::new(Directory(path.clone())),
        directory: path.display().to_string(),
        resume,
        bytes_max: flags.disk_max,
        program: program(),
    })
}

/// A folder of its own for each worker, under the user's directory.
struct Directory(PathBuf);

impl Folders for Directory {
    fn of_worker(&self, worker: usize) -> Arc<dyn Disk> {
        let path = self.0.join(format!("worker-{worker:03}"));
        Arc::new(Folder { path, inner: Mutex::default() })
    }
}

/// The version and a digest of the program's file: a system in Rust is a part of it.
pub(crate) fn program() -> String {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    let read = || {
        // One that was started by another is the same program, which need not be read once more.
        if let (Some(_), Ok(program)) = (cluster::member(), std::env::var(cluster::PROGRAM)) {
            return program;
        }
        let digest = std::env::current_exe().ok().and_then(|path| digest(&path).ok());
        format!("{} {:016x}", env!("CARGO_PKG_VERSION"), digest.unwrap_or(0))
    };
    PROGRAM.get_or_init(read).clone()
}

fn digest(path: &Path) -> std::io::Result<u64> {
    let mut file = File::open(path)?;
    let (mut digest, mut buffer) = (0, Vec::new());
    loop {
        buffer.clear();
        (&mut file).take(1 << 20).read_to_end(&mut buffer)?;
        if buffer.is_empty() {
            return Ok(digest);
        }
        digest = checksum(&buffer, digest, 0);
    }
}

struct Folder {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    lock: Option<File>,
    open: HashMap<String, File>,
}

impl Folder {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nobody panics while it is locked")
    }

    /// Does something with an open file.
    fn with<T>(
        &self,
        name: &str,
        create: bool,
        work: impl FnOnce(&mut File) -> std::io::Result<T>,
    ) -> Result<T, DiskError> {
        let mut inner = self.inner();
        if !inner.open.contains_key(name) {
            if inner.open.len() >= OPEN_MAX {
                inner.open.clear();
            }
            let mut options = OpenOptions::new();
            let file = options.read(true).append(true).create(create).open(self.path.join(name));
            inner.open.insert(name.to_owned(), file.map_err(|error| refused(name, &error))?);
        }
        let file = inner.open.get_mut(name).expect("just opened");
        work(file).map_err(|error| refused(name, &error))
    }
}

fn refused(name: &str, error: &std::io::Error) -> DiskError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            DiskError::Full
        }
        ErrorKind::UnexpectedEof => {
            DiskError::Damaged { file: name.to_owned(), reason: "it is too short".to_owned() }
        }
        _ => DiskError::Failed { file: name.to_owned(), reason: error.to_string() },
    }
}

impl Disk for Folder {
    fn lock(&self) -> Result<(), DiskError> {
        std::fs::create_dir_all(&self.path).map_err(|error| refused(".", &error))?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(self.path.join(LOCK));
        let file = file.map_err(|error| refused(LOCK, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DiskError::InUse),
            Err(TryLockError::Error(error)) => return Err(refused(LOCK, &error)),
        }
        self.inner().lock = Some(file);
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>, DiskError> {
        let entries = std::fs::read_dir(&self.path).map_err(|error| refused(".", &error))?;
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        Ok(entries.filter_map(name).collect())
    }

    fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError> {
        self.with(name, true, |file| file.write_all(bytes))
    }

    fn size(&self, name: &str) -> Result<u64, DiskError> {
        self.with(name, false, |file| Ok(file.metadata()?.len()))
    }

    fn read(&self, name: &str, offset: u64, into: &mut [u8]) -> Result<(), DiskError> {
        self.with(name, false, |file| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(into)
        })
    }

    fn sync(&self, name: &str) -> Result<(), DiskError> {
        self.with(name, false, |file| file.sync_data())
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), DiskError> {
        let mut inner = self.inner();
        inner.open.remove(from);
        inner.open.remove(to);
        let renamed = std::fs::rename(self.path.join(from), self.path.join(to));
        renamed.map_err(|error| refused(from, &error))
    }

    fn remove(&self, name: &str) -> Result<(), DiskError> {
        self.inner().open.remove(name);
        std::fs::remove_file(self.path.join(name)).map_err(|error| refused(name, &error))
    }

    fn sync_names(&self) -> Result<(), DiskError> {
        // Where a directory cannot be opened as a file, its names need no sync.
        match File::open(&self.path) {
            Ok(directory) => directory.sync_all().map_err(|error| refused(".", &error)),
            Err(_) => Ok(()),
        }
    }
}
