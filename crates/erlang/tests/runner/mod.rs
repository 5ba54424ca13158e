//! Runs the oracle's cases: expressions, programs, and the list of what is not there yet.

pub(crate) mod expressions;
pub(crate) mod not_yet;
pub(crate) mod programs;

use foresee_erlang::{
    Entry, Erlang, Event, Limits, Loaded, News, Options, Outcome, Program, SourceText, load,
    simulate,
};
use foresee_erlang_syntax::no_includes;
use std::path::{Path, PathBuf};

/// Where the corpus is.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle")
}

pub(crate) fn loaded(path: &str, text: &str) -> Loaded {
    load(&[SourceText { path, text }], &Default::default(), &mut no_includes)
}

/// What the program's `main/0` writes under a seed, and how it ends.
pub(crate) fn output(system: &Erlang, seed: u64) -> (String, Outcome) {
    let mut output = String::new();
    let run = simulate(system, seed, Limits::default(), |news| {
        if let News::Event { event: Event::Output { text, .. }, .. } = news {
            output.push_str(text);
        }
    });
    (output, run.outcome)
}

pub(crate) fn system(program: Program, module: &str) -> Erlang {
    Erlang::new(program, Entry::new(module, "main"), Options::default())
}
