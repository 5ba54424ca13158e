//! The inputs that everything starts from, and those that once found something.

use std::path::{Path, PathBuf};

/// Inputs of a target that were written by hand, in the order of their names.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    files(&folder("corpus").join(target))
}

/// Inputs that once found something.
pub fn regressions(target: &str) -> Vec<Vec<u8>> {
    files(&folder("regressions").join(target))
}

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a readable file")).collect()
}
