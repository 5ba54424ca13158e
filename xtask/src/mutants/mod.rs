//! Seeded bugs: `cargo xtask mutants` plants each one in a copy of the tree and sees that the tests catch it.
//! Why: a checker is only as good as the tests that would notice it being wrong. Two kinds: bugs that a person thought of
//! (`list`, data in `xtask/mutations.txt`) and bugs drawn by a seed from all the places where a token can be changed
//! (`mechanical`). The first must all be caught; of the second, each survivor is explained (`xtask/survivors.txt`).
//! Invariants: tests count only after they have passed on the tree without a bug (`baseline`); a bug that hangs or eats
//! memory is caught by a limit and never takes the machine down (`command`); results are kept under `target/mutants`, so
//! that a run that was stopped goes on with `--resume` (`results`).
//! Start with `run`; one bug's life is `trial::attempt`.

mod baseline;
mod binaries;
mod command;
mod list;
mod mechanical;
mod options;
mod results;
mod scan;
mod survivors;
mod table;
mod tree;
mod trial;
mod work;

pub(crate) use list::check_list;

use anyhow::{Result, ensure};
use options::Options;
use std::path::Path;

/// One bug to be planted.
#[derive(Clone, Debug)]
struct Mutant {
    name: String,
    /// What stays the same when other lines of the file change.
    id: String,
    file: String,
    /// The bytes of the file that are replaced, what they are, and by what.
    at: usize,
    find: String,
    replace: String,
    /// What goes wrong, for the table.
    breaks: String,
    /// Arguments of `cargo test`, from near the cause to far away: the first that fails catches the bug.
    tests: Vec<String>,
}

impl Mutant {
    /// The crate it stands in.
    fn room(&self) -> &str {
        self.file.split('/').nth(1).unwrap_or_default()
    }
}

/// Plants bugs as the words of the command line say, and fails if a listed one is missed.
pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let options = Options::read(words)?;
    let groups = work::groups(root, &options)?;
    ensure!(!groups.is_empty(), "no seeded bug has such a name");
    let outcome = work::run(root, &options, groups)?;
    table::print(root, &options, &outcome)?;
    if options.write {
        table::write(root, &options, &outcome)?;
    }
    let broken: Vec<&str> =
        outcome.listed.iter().filter(|it| it.is_wrong()).map(|it| it.name()).collect();
    ensure!(broken.is_empty(), "missed, or not to be planted: {}", broken.join(", "));
    ensure!(outcome.n_left == 0, "{} are still to be tried: go on with --resume", outcome.n_left);
    Ok(())
}
