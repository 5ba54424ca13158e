//! What a search needs of a disk: one directory of files that are appended to, read, renamed and removed.
//! Why a trait: below the edges nothing opens files. The edge lends a directory; tests lend one that forgets what was not synced.

use std::fmt;

/// One directory, by the names of its files. Called by one thread at a time.
pub trait Disk: Send + Sync {
    /// Makes the directory if it is not there, and takes it for this process until it ends.
    fn lock(&self) -> Result<(), DiskError>;
    /// The names of all files, in any order.
    fn list(&self) -> Result<Vec<String>, DiskError>;
    /// Adds to the end of a file, which begins to exist with its first bytes.
    fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DiskError>;
    fn size(&self, name: &str) -> Result<u64, DiskError>;
    /// Fills `into` from this offset; fewer bytes are an error.
    fn read(&self, name: &str, offset: u64, into: &mut [u8]) -> Result<(), DiskError>;
    /// What was appended so far outlasts a power cut, once the file's name does.
    fn sync(&self, name: &str) -> Result<(), DiskError>;
    /// In one step; a file that had the new name before is gone.
    fn rename(&self, from: &str, to: &str) -> Result<(), DiskError>;
    fn remove(&self, name: &str) -> Result<(), DiskError>;
    /// The names of files, made, changed or removed so far, outlast a power cut.
    fn sync_names(&self) -> Result<(), DiskError>;
}

/// Why a search cannot go on with its files, or not begin.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum DiskError {
    /// There is no room left, or the budget is spent: the one case that is a limit and no mistake.
    Full,
    /// Another run has the directory.
    InUse,
    /// There is no search in the directory.
    Nothing,
    /// There is one already, and a new one was asked for.
    Taken,
    /// The search in the directory is one of something else.
    Other { what: String, then: String, now: String },
    /// A file is not what was written.
    Damaged { file: String, reason: String },
    /// The operating system refuses.
    Failed { file: String, reason: String },
}

impl DiskError {
    pub(crate) fn damaged(file: &str, reason: impl Into<String>) -> Self {
        DiskError::Damaged { file: file.to_owned(), reason: reason.into() }
    }
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiskError::Full => f.write_str("the disk is full, or its budget is spent"),
            DiskError::InUse => f.write_str("another run is using the directory"),
            DiskError::Nothing => f.write_str("there is no search in the directory"),
            DiskError::Taken => f.write_str("there is a search in the directory already"),
            DiskError::Other { what, then, now } => {
                write!(f, "the search in the directory has another {what}: `{then}`, not `{now}`")
            }
            DiskError::Damaged { file, reason } => write!(f, "{file} is damaged: {reason}"),
            DiskError::Failed { file, reason } => write!(f, "{file}: {reason}"),
        }
    }
}

impl std::error::Error for DiskError {}
