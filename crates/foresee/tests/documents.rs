//! Every `console` block in the README and the guide is a session: its commands are run, and what they print is compared.
//! `UPDATE_EXPECT=1 cargo test -p foresee --test documents` writes what is printed now into the documents; read the diff.
//! A block's commands run in one directory, one after the other; the repository's examples are there. Times and sizes are not compared; a line `…` stands for
//! any lines.

mod common;

use common::{Place, without_measurements};
use std::path::{Path, PathBuf};

const START: &str = "```console\n";
const END: &str = "```\n";

#[test]
fn sessions_in_documents_are_true() {
    let mut n_commands = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("readable");
        let mut rewritten = String::new();
        let mut rest = text.as_str();
        while let Some(start) = rest.find(START) {
            let (before, block) = rest.split_at(start + START.len());
            let end = block
                .find(END)
                .unwrap_or_else(|| panic!("{}: a block without end", document.display()));
            rewritten.push_str(before);
            rewritten.push_str(&run_session(&document, &block[..end], &mut n_commands));
            rest = &block[end..];
        }
        rewritten.push_str(rest);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&document, rewritten).expect("written");
        }
    }
    assert!(n_commands >= 5, "the documents have lost their sessions");
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = std::fs::read_dir(root.join("docs/guide")).expect("there is a guide");
    let pages = guide.map(|entry| entry.expect("readable").path());
    let mut documents: Vec<_> =
        pages.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    documents.push(root.join("README.md"));
    documents.sort();
    documents
}

/// Runs a block's commands; answers the block as it should read.
fn run_session(document: &Path, block: &str, n_commands: &mut usize) -> String {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    copy_folder(&examples, &place.path().join("examples"));
    let mut rewritten = String::new();
    for part in
        block.split_inclusive('\n').collect::<Vec<_>>().chunk_by(|_, next| !next.starts_with("$ "))
    {
        let (command, expected) = part.split_first().expect("chunks are not empty");
        let line = command
            .strip_prefix("$ ")
            .unwrap_or_else(|| panic!("{}: no command: {command}", document.display()));
        let words = line
            .strip_prefix("cargo run --release --bin foresee -- ")
            .or(line.strip_prefix("foresee "));
        let words = words.unwrap_or_else(|| panic!("{}: cannot run {line}", document.display()));
        let said = place.foresee(words);
        let actual = format!("{}{}", said.out, said.err);
        let expected = expected.concat();
        *n_commands += 1;
        rewritten.push_str(command);
        let update = std::env::var_os("UPDATE_EXPECT").is_some();
        if is_like(&without_measurements(&expected), &without_measurements(&actual)) {
            rewritten.push_str(&expected);
        } else {
            assert!(update, "{}: {line}prints now:\n{actual}", document.display());
            rewritten.push_str(&actual);
        }
    }
    rewritten
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("readable") {
        let path = entry.expect("readable").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}

/// Whether `actual` is `expected`, in which a line `…` stands for any lines.
fn is_like(expected: &str, actual: &str) -> bool {
    let (expected, actual): (Vec<_>, Vec<_>) =
        (expected.lines().collect(), actual.lines().collect());
    let mut parts = expected.split(|line| *line == "…");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = actual.strip_prefix(first) else { return false };
    let mut is_open = false;
    for part in parts {
        is_open = part.is_empty();
        let Some(at) = (0..=rest.len()).find(|at| rest[*at..].starts_with(part)) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    is_open || rest.is_empty()
}

#[test]
fn an_ellipsis_stands_for_lines_and_nothing_else_does() {
    assert!(is_like("a\nb\n", "a\nb\n") && !is_like("", "a\n") && !is_like("a\n", "a\nb\n"));
    assert!(is_like("a\n…\nd\n", "a\nb\nc\nd\n") && is_like("a\n…\n", "a\nb\n"));
    assert!(!is_like("a\n…\nd\n", "a\nb\n") && !is_like("a …\n", "a b\n"));
}
