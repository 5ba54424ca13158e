//! Copies of the tree in which bugs are planted, each with a target directory of its own.
//! Why contents are compared before a file is written: cargo goes by the time of change, and a crate whose files are left
//! alone is not built again.
//! Invariant: between two trials a copy says what the tree says; a bug is taken out even if its trial fails.

use super::Mutant;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the tracked files.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) folder: PathBuf,
    /// For the output of commands.
    pub(super) scratch: PathBuf,
    pub(super) target: PathBuf,
}

impl Tree {
    /// The copy of that number, brought in step with the tree.
    pub(super) fn prepare(root: &Path, number: usize) -> Result<Tree> {
        let home = root.join(format!("target/mutants/{number}"));
        let path = |name: &str| home.join(name);
        let tree = Tree { folder: path("tree"), scratch: path("scratch"), target: path("build") };
        fs::create_dir_all(&tree.scratch)?;
        let files = tracked(root)?;
        for file in &files {
            let to = tree.folder.join(file);
            let wanted =
                fs::read(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            if fs::read(&to).ok().as_ref() != Some(&wanted) {
                fs::create_dir_all(to.parent().context("below the tree")?)?;
                fs::write(to, wanted)?;
            }
        }
        remove_others(&tree.folder, &tree.folder, &files)?;
        Ok(tree)
    }

    /// Does something while a bug is planted.
    pub(super) fn with<T>(&self, mutant: &Mutant, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let path = self.folder.join(&mutant.file);
        let original = fs::read_to_string(&path)?;
        let end = mutant.at + mutant.find.len();
        ensure!(original.get(mutant.at..end) == Some(&mutant.find), "its text is not there");
        let (before, after) = (&original[..mutant.at], &original[end..]);
        fs::write(&path, format!("{before}{}{after}", mutant.replace))?;
        let done = act();
        fs::write(&path, original)?;
        done
    }
}

/// The files that are part of the project and stand in the tree.
pub(super) fn tracked(root: &Path) -> Result<BTreeSet<String>> {
    let listed = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()?;
    let files = String::from_utf8(listed.stdout)?;
    Ok(files.lines().filter(|it| root.join(it).is_file()).map(str::to_owned).collect())
}

/// Removes what is in a copy and not tracked; tests leave such files behind.
fn remove_others(top: &Path, folder: &Path, files: &BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(top, &path, files)?;
        } else if !path.strip_prefix(top)?.to_str().is_some_and(|it| files.contains(it)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
