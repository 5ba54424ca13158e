//! Every file under `cases/` is a test: `forms/*.erl` with the forms Erlang's own parser gives (stored, so no Erlang is
//! needed here), `errors/*.erl` with the diagnostics we give.
//!
//! Run with `BLESS=1` to rewrite the expectations, then read the diff.
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and rewrites them when asked"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use foresee_erlang_syntax::*;

#[test]
fn forms_are_those_of_erlang() {
    let files = cases("forms");
    assert!(files.len() >= 20);
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        let otp = if name.starts_with("otp27") { 27 } else { 25 };
        let text = std::fs::read_to_string(&path).unwrap();
        let options = Options { otp, ..Options::default() };
        let parse = parse_file(&format!("{name}.erl"), &text, &options, &mut no_includes);
        assert!(parse.diagnostics.is_empty(), "{name}: {:#?}", parse.diagnostics);
        let forms = abstract_forms(&parse).join("\n") + "\n";
        compare(&path.with_extension("forms"), &forms);
    }
}

#[test]
fn mistakes_are_all_reported() {
    for path in cases("errors") {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parse = parse_file(&name, &text, &Options::default(), &mut no_includes);
        parse.diagnostics.extend(lint(&parse));
        let shown: String =
            parse.diagnostics.iter().map(|diagnostic| show(diagnostic, &parse.sources)).collect();
        compare(&path.with_extension("expected"), &shown);
    }
}

#[test]
fn every_code_is_produced_by_its_own_example() {
    for entry in ALL_CODES.iter().filter(|entry| !entry.example.is_empty()) {
        let mut parse = parse_file("m.erl", entry.example, &Options::default(), &mut no_includes);
        parse.diagnostics.extend(lint(&parse));
        let found: Vec<&str> = parse.diagnostics.iter().map(|d| d.code.0).collect();
        assert!(found.contains(&entry.code.0), "{} gives {found:?}", entry.code);
        assert_eq!(explain(entry.code.0).unwrap().title, entry.title);
    }
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    files.sort();
    files
}

fn compare(expected: &Path, found: &str) {
    if std::env::var("BLESS").is_ok() {
        std::fs::write(expected, found).unwrap();
    }
    let stored = std::fs::read_to_string(expected).unwrap_or_default();
    assert!(
        stored == found,
        "{} differs; expected:\n{stored}\nfound:\n{found}",
        expected.display()
    );
}

fn show(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let Diagnostic { code, span, message, label, secondary, help, .. } = diagnostic;
    let mut out = format!("{} {code} {message}\n", sources.place(*span));
    if !label.is_empty() {
        writeln!(out, "    here: {label}").unwrap();
    }
    for other in secondary {
        writeln!(out, "    {}: {}", sources.place(other.span), other.message).unwrap();
    }
    for line in help {
        writeln!(out, "    help: {line}").unwrap();
    }
    out
}

#[test]
fn every_code_has_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    for entry in ALL_CODES {
        compare(&folder.join(format!("{}.md", entry.code)), &page(entry));
    }
}

/// The page of a code: its words, an example, and what we say about the example.
fn page(entry: &Explanation) -> String {
    let mut out =
        format!("# {}: {}\n\n## What happened\n{}\n", entry.code, entry.title, entry.text);
    if entry.example.is_empty() {
        return out;
    }
    let mut parse = parse_file("m.erl", entry.example, &Options::default(), &mut no_includes);
    parse.diagnostics.extend(lint(&parse));
    let shown = parse.diagnostics.iter().find(|diagnostic| diagnostic.code == entry.code);
    write!(out, "\n## For example\n```erlang\n{}```\n", entry.example).unwrap();
    let shown = show(shown.expect("the example produces its code"), &parse.sources);
    write!(out, "\n```\n{shown}```\n").unwrap();
    out
}
