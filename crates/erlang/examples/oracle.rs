//! Asks an installed Erlang what the corpus should print, and writes the expectations down.
//! Run it from anywhere: `cargo run -p foresee-erlang --example oracle`. Tests do not need it.

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let work = std::env::temp_dir().join("foresee-erlang-oracle");
    std::fs::create_dir_all(&work).expect("a folder to work in");
    for path in files(&corpus.join("expressions"), "txt") {
        let text = std::fs::read_to_string(&path).expect("readable");
        let cases = support::cases(&text);
        let output = ask(&work, "corpus", &support::module(&cases));
        let results = support::results(&output, cases.len());
        let paragraphs: Vec<String> = cases
            .iter()
            .zip(results)
            .map(|(case, result)| format!("{}\n> {result}\n", case.expression))
            .collect();
        std::fs::write(&path, paragraphs.join("\n")).expect("writable");
    }
    let behaviours = files(&corpus.join("../behaviours"), "erl")
        .into_iter()
        .filter(|path| !path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("race_")));
    for path in files(&corpus.join("programs"), "erl").into_iter().chain(behaviours) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let output = ask(&work, &module, &text);
        std::fs::write(path.with_extension("out"), output).expect("writable");
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}

/// Compiles a module with Erlang and runs its `main/0`.
fn ask(work: &Path, module: &str, text: &str) -> String {
    let file = work.join(format!("{module}.erl"));
    std::fs::write(&file, text).expect("writable");
    let compiled = Command::new("erlc")
        .args(["+nowarn_unused_vars", "-o"])
        .arg(work)
        .arg(&file)
        .output()
        .expect("erlc is installed");
    assert!(compiled.status.success(), "{module}: {}", String::from_utf8_lossy(&compiled.stdout));
    let run = format!(
        "logger:set_primary_config(level, none), io:setopts([{{encoding, unicode}}]), {module}:main(), halt()."
    );
    let output = Command::new("timeout")
        .args(["20", "erl", "-noshell", "-enable-feature", "maybe_expr", "-pa"])
        .arg(work)
        .args(["-eval", &run])
        .output()
        .expect("erl is installed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
