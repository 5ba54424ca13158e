//! The corpus: every file under `cases/` is a test of its own, a program with its expected answers.
//! Dropping a file in adds a test; `UPDATE_EXPECT=1 cargo test --package foresee-tests` rewrites the expectations of all,
//! and then you read the difference. A case without expectations fails.
//! Start with `runner/case.rs` and `runner/erlang.rs` for the forms of a case, and `runner/referee.rs` for how engines check each other.
#![allow(
    clippy::disallowed_methods,
    reason = "an edge: it reads and writes files and the environment"
)]

mod runner;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let trials = cases_under(&folder).into_iter().map(|path| {
        let name = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
        let name = name.display().to_string().replace('\\', "/");
        Trial::test(name, move || runner::run_file(&path).map_err(Into::into))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Every `.case` and `.erl` file below `folder`, in a stable order.
fn cases_under(folder: &Path) -> Vec<PathBuf> {
    let mut cases = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "case" || ending == "erl") {
                cases.push(path);
            }
        }
    }
    cases.sort();
    cases
}
