//! Every file under `tests/corpus` is a test: expressions with what they print, programs with what they write.
//! The expectations were written by Erlang itself (`cargo run -p foresee-erlang --example oracle`).

mod support;

use foresee_erlang::{
    Entry, Erlang, Event, Limits, News, Options, Outcome, SourceText, load, simulate,
};
use foresee_erlang_syntax::no_includes;
use std::path::{Path, PathBuf};

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}

/// What a program writes, and how it ends.
fn run(path: &str, text: &str, module: &str, seed: u64) -> (String, Outcome) {
    let loaded = load(&[SourceText { path, text }], &Default::default(), &mut no_includes);
    let said: Vec<String> = loaded
        .problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|p| format!("{}: {}", p.sources.place(p.diagnostic.span), p.diagnostic.message))
        .collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{path}: {}", said.join("\n")));
    let system = Erlang::new(program, Entry::new(module, "main"), Options::default());
    let mut output = String::new();
    let run = simulate(&system, seed, Limits::default(), |news| {
        if let News::Event { event: Event::Output { text, .. }, .. } = news {
            output.push_str(text);
        }
    });
    (output, run.outcome)
}

#[test]
fn expressions_print_what_erlang_prints() {
    let mut wrong = Vec::new();
    let mut n_cases = 0;
    for path in files("expressions", "txt") {
        let text = std::fs::read_to_string(&path).expect("readable");
        let cases = support::cases(&text);
        let module = support::module(&cases);
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let (output, outcome) = run(&name, &module, "corpus", 0);
        let results = support::results(&output, cases.len());
        n_cases += cases.len();
        for (case, result) in cases.iter().zip(results) {
            if case.expected != result {
                wrong.push(format!(
                    "{name}:{}\n  {}\n  expected {}\n  got      {result}",
                    case.line, case.expression, case.expected
                ));
            }
        }
        if !matches!(outcome, Outcome::Finished | Outcome::Deadlock(_)) {
            wrong.push(format!("{name}: {outcome:?}"));
        }
    }
    assert!(n_cases > 300, "only {n_cases} cases");
    assert!(wrong.is_empty(), "{} of {n_cases}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn programs_write_what_erlang_writes_under_every_seed() {
    let mut wrong = Vec::new();
    for path in files("programs", "erl") {
        let text = std::fs::read_to_string(&path).expect("readable");
        let expected = std::fs::read_to_string(path.with_extension("out")).expect("an expectation");
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        for seed in 0..8 {
            let (output, outcome) = run(&name, &text, &module, seed);
            if output != expected {
                wrong.push(format!(
                    "{name}, seed {seed}, {outcome:?}\nexpected\n{expected}got\n{output}"
                ));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}
