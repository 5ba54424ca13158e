//! The oracle: what our evaluator prints for every case under `tests/oracle`, compared with what real Erlang printed.
//! Every expression file and every program is a test of its own; a failing one names its cases. `tests/oracle/not_yet.txt`
//! lists what is known to differ: a listed case that passes fails the test, so the list can only shrink. `BLESS=1`
//! strikes such entries off. No Erlang is needed: expectations are files (see `tests/oracle/README.md`).
#![allow(
    clippy::disallowed_methods,
    reason = "an edge: it reads and writes files and the environment"
)]

mod runner;

use libtest_mimic::{Arguments, Trial};
use runner::{expressions, folder, not_yet::NotYet, programs};
use std::path::PathBuf;
use std::sync::Arc;

fn main() {
    let arguments = Arguments::from_args();
    let known = Arc::new(NotYet::read());
    let mut trials = Vec::new();
    for path in files("expressions", "txt") {
        trials.push(trial("expressions", path, &known, expressions::check));
    }
    for path in files("programs", "erl") {
        trials.push(trial("programs", path, &known, programs::check));
    }
    let (listed, all) = (Arc::clone(&known), names());
    trials.push(Trial::test("not_yet", move || listed.only_names(&all).map_err(Into::into)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(kind: &str, path: PathBuf, known: &Arc<NotYet>, check: fn(&PathBuf) -> Findings) -> Trial {
    let name = format!("{kind}/{}", path.file_stem().expect("a name").to_string_lossy());
    let known = Arc::clone(known);
    Trial::test(name.clone(), move || known.judge(&name, &check(&path)).map_err(Into::into))
}

/// The cases of one file, each with what is wrong about it.
type Findings = Vec<(String, Option<String>)>;

/// Every file of the corpus by its name in the list.
fn names() -> Vec<String> {
    let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let texts = files("expressions", "txt").into_iter().map(|p| format!("expressions/{}", stem(p)));
    let programs = files("programs", "erl").into_iter().map(|p| format!("programs/{}", stem(p)));
    texts.chain(programs).collect()
}

fn files(kind: &str, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder().join(kind))
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}
