//! Every Erlang program that the tests have, for tests of all of them.

use foresee_erlang::{Entry, Erlang, Options, SourceText, load};
use foresee_erlang_syntax::no_includes;
use std::path::Path;

pub(crate) struct Program {
    pub(crate) name: String,
    text: String,
    function: &'static str,
    may_wait: bool,
}

impl Program {
    /// The program as a system; `None` for one of the oracle's that waits for something to be modelled.
    pub(crate) fn system(&self, options: Options) -> Option<Erlang> {
        let path = format!("{}.erl", self.name);
        let file = SourceText { path: &path, text: &self.text };
        let loaded = load(&[file], &Default::default(), &mut no_includes);
        let said: Vec<&str> =
            loaded.problems.iter().map(|problem| problem.diagnostic.message.as_str()).collect();
        assert!(self.may_wait || loaded.program.is_some(), "{}: {said:?}", self.name);
        Some(Erlang::new(loaded.program?, Entry::new(&self.name, self.function), options))
    }
}

/// In the order of names.
pub(crate) fn all() -> Vec<Program> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut programs = Vec::new();
    for folder in ["behaviours", "oracle/programs", "races"] {
        let Ok(entries) = std::fs::read_dir(tests.join(folder)) else { continue };
        for path in entries.map(|entry| entry.expect("readable").path()) {
            if path.extension().is_none_or(|own| own != "erl") {
                continue;
            }
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).expect("readable");
            let function = if name.starts_with("race_") { "behaviour" } else { "main" };
            let may_wait = folder.starts_with("oracle");
            programs.push(Program { name, text, function, may_wait });
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(programs.len() > 150, "only {} programs", programs.len());
    programs
}
