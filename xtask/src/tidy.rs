//! `cargo xtask tidy`: the habits that a compiler does not check.
//! Every rule is a function that adds sentences to a list of problems, each with the file and what to do; all rules run
//! before anything fails, so that one run shows everything.

use crate::{layers, mutants, once, waist, web};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const BLOB_BYTES_MAX: u64 = 300 * 1024;

/// Folders that are not ours to read.
const SKIPPED: [&str; 4] = [".git", "target", "node_modules", ".library"];

pub(crate) fn run(root: &Path) -> Result<()> {
    let files = files_under(root)?;
    let mut problems = Vec::new();
    let mutations =
        mutants::check_list(root).map_err(|error| problems.push(format!("{error:#}"))).unwrap_or(0);
    layers::check(root, &mut problems)?;
    for file in &files {
        let path = relative(root, file);
        if fs::metadata(file)?.len() > BLOB_BYTES_MAX && !path.ends_with("Cargo.lock") {
            problems.push(format!(
                "{path}: larger than {BLOB_BYTES_MAX} bytes; big data does not live here"
            ));
        }
        let Ok(text) = fs::read_to_string(file) else { continue };
        check_paths(&path, &text, &mut problems);
        if path.ends_with(".rs") {
            check_header(&path, &text, &mut problems);
            check_leftovers(&path, &text, &mut problems);
            check_quiet_rooms(&path, &text, &mut problems);
            check_prose(&path, &text, &mut problems);
        }
        if path.ends_with(".md") {
            check_links(file, &path, &text, &mut problems);
            check_handout(&path, &text, &mut problems);
        }
    }
    check_architecture(root, &mut problems)?;
    once::check(root, &files, &mut problems)?;
    waist::check(root, &files, &mut problems)?;
    check_named_code(root, &mut problems)?;
    check_walks(root, &mut problems)?;
    check_diagnostics(root, &files, &mut problems)?;
    check_changelog(root, &mut problems)?;
    web::check_stamp(root, &mut problems)?;
    for problem in &problems {
        println!("tidy: {problem}");
    }
    if !problems.is_empty() {
        bail!("{} untidy places", problems.len());
    }
    println!("tidy: {} files, {mutations} seeded bugs listed, nothing out of place", files.len());
    Ok(())
}

/// A lab's handout has at most four pages of 500 words.
fn check_handout(path: &str, text: &str, problems: &mut Vec<String>) {
    let n_words = text.split_whitespace().count();
    if path.starts_with("labs/lab") && path.ends_with("/README.md") && n_words > 2_000 {
        problems.push(format!("{path}: {n_words} words, and a handout has at most 2,000"));
    }
}

/// What the pages about extending and the map name exists: `FILE` is there, and in `FILE::WORD` the word stands in the file.
fn check_named_code(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    const FOLDERS: [&str; 7] = ["crates/", "docs/", "tests/", "xtask/", "fuzz/", "bench/", "labs/"];
    let mut pages = vec![root.join("docs/ARCHITECTURE.md")];
    for entry in fs::read_dir(root.join("docs/extend")).context("docs/extend")? {
        pages.push(entry?.path());
    }
    for page in pages {
        let text = fs::read_to_string(&page)?;
        // Every second part between backticks is code.
        for code in text.split('`').skip(1).step_by(2) {
            if !FOLDERS.iter().any(|folder| code.starts_with(folder)) {
                continue;
            }
            let (file, word) = code.split_once("::").unwrap_or((code, ""));
            let target = root.join(file);
            let has_word = || fs::read_to_string(&target).is_ok_and(|text| has_word(&text, word));
            if !target.exists() || !(word.is_empty() || has_word()) {
                problems.push(format!("{}: `{code}` does not exist", relative(root, &page)));
            }
        }
    }
    Ok(())
}

/// A walk through the code, `## … end to end`, has at most so many stations.
const STATIONS_MAX: usize = 12;

/// Walks stay short: a station more is a seam more that somebody has to know.
fn check_walks(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let text = fs::read_to_string(root.join("docs/ARCHITECTURE.md"))?;
    let walks = text.split("\n## ").filter(|section| {
        section.lines().next().is_some_and(|title| title.ends_with("end to end"))
    });
    for walk in walks {
        let title = walk.lines().next().unwrap_or_default();
        let n_stations = stations(walk);
        if n_stations == 0 || n_stations > STATIONS_MAX {
            problems.push(format!(
                "docs/ARCHITECTURE.md: `{title}` has {n_stations} stations, not 1 to {STATIONS_MAX}"
            ));
        }
    }
    Ok(())
}

/// The largest number that a station of a walk has.
fn stations(walk: &str) -> usize {
    let numbers = walk.split_whitespace().filter_map(|word| word.strip_suffix('.'));
    numbers.filter_map(|word| word.parse().ok()).max().unwrap_or(0)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|own| own == word)
}

/// Every module says what it is before it says how; what our own exporters have written need not.
fn check_header(path: &str, text: &str, problems: &mut Vec<String>) {
    if path.contains("/emitted/") {
        return;
    }
    let first =
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("#!["));
    if !first.is_some_and(|line| line.starts_with("//!") && line.len() > 10) {
        problems.push(format!(
            "{path}: starts without a header; say in `//!` what the file holds and why"
        ));
    }
}

/// What is left over from debugging or waits to be done belongs in no commit.
fn check_leftovers(path: &str, text: &str, problems: &mut Vec<String>) {
    // Put together here so that this file does not find itself.
    let words =
        [concat!("dbg", "!("), concat!("todo", "!("), concat!("FIX", "ME"), concat!("XX", "X:")];
    if path.starts_with("labs/") && path.contains("/skeleton/") {
        return;
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(word) = words.iter().find(|word| line.contains(**word)) {
            problems.push(format!("{path}:{}: `{word}` is left over", number + 1));
        }
    }
}

/// Files, sockets and the environment live at the edges; the rooms below get text and settings handed to them.
fn check_quiet_rooms(path: &str, text: &str, problems: &mut Vec<String>) {
    const EDGES: [&str; 6] = ["cli", "cluster", "debugger", "foresee", "grade", "runtime"];
    let words = [concat!("std::", "fs"), concat!("std::", "net"), concat!("std::", "env")];
    let Some((room, rest)) = path.strip_prefix("crates/").and_then(|path| path.split_once('/'))
    else {
        return;
    };
    if EDGES.contains(&room) || !rest.starts_with("src/") {
        return;
    }
    for (number, line) in
        text.lines().enumerate().take_while(|(_, line)| !line.contains("#[cfg(test)]"))
    {
        if let Some(word) = words.iter().find(|word| line.contains(**word)) {
            problems.push(format!(
                "{path}:{}: `{word}` belongs to the edges, not to {room}",
                number + 1
            ));
        }
    }
}

/// Text made for people is reworded; code that searches it would change its behaviour with the wording.
fn check_prose(path: &str, text: &str, problems: &mut Vec<String>) {
    const ROOMS: [&str; 7] = ["lts", "search", "stateful", "stateless", "trace", "session", "cli"];
    let is_room = |room: &&str| path.starts_with(&format!("crates/{room}/src/"));
    if !ROOMS.iter().any(is_room) {
        return;
    }
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    for (number, line) in code.lines().enumerate() {
        let line = line.trim_start();
        if !line.starts_with("//") && looks_into_words(line) {
            problems.push(format!(
                "{path}:{}: code looks into words made for people; carry what it must know as data",
                number + 1
            ));
        }
    }
}

/// Whether a line searches a text for a literal that is words: letters and a blank.
fn looks_into_words(line: &str) -> bool {
    const SEARCHES: [&str; 7] = [
        ".contains(",
        ".starts_with(",
        ".ends_with(",
        ".strip_prefix(",
        ".strip_suffix(",
        "split_once(",
        ".find(",
    ];
    SEARCHES.iter().any(|search| {
        line.match_indices(search).any(|(at, _)| {
            let literal = line[at + search.len()..].strip_prefix('"');
            let literal = literal.and_then(|rest| rest.split_once('"')).map_or("", |it| it.0);
            literal.contains(' ') && literal.contains(|c: char| c.is_ascii_alphabetic())
        })
    })
}

/// Paths of one machine mean nothing on another.
fn check_paths(path: &str, text: &str, problems: &mut Vec<String>) {
    let words = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
        concat!("/wo", "rk/"),
    ];
    for (number, line) in text.lines().enumerate() {
        if let Some(word) = words.iter().find(|word| line.contains(**word)) {
            problems.push(format!("{path}:{}: `{word}…` is a path of one machine", number + 1));
        }
    }
}

/// A relative link in a document leads somewhere.
fn check_links(file: &Path, path: &str, text: &str, problems: &mut Vec<String>) {
    let folder = file.parent().unwrap_or(file);
    for part in text.split("](").skip(1) {
        let Some(target) = part.split(')').next() else { continue };
        let target = target.split('#').next().unwrap_or_default();
        let is_outside =
            target.contains("://") || target.starts_with("mailto:") || target.contains(' ');
        if !target.is_empty() && !is_outside && !folder.join(target).exists() {
            problems.push(format!("{path}: the link to `{target}` leads nowhere"));
        }
    }
}

/// The map names every crate.
fn check_architecture(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let map =
        fs::read_to_string(root.join("docs/ARCHITECTURE.md")).context("docs/ARCHITECTURE.md")?;
    for entry in fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !map.contains(&format!("`crates/{name}`")) {
            problems.push(format!("docs/ARCHITECTURE.md: does not name `crates/{name}`"));
        }
    }
    Ok(())
}

/// Each diagnostic code in the sources has a page, and each page a code.
fn check_diagnostics(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) -> Result<()> {
    let mut used = BTreeSet::new();
    for file in files {
        let path = relative(root, file);
        if path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs") {
            used.extend(codes_in(&fs::read_to_string(file)?));
        }
    }
    let pages: BTreeSet<String> = fs::read_dir(root.join("docs/diagnostics"))?
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .filter(|stem| is_code(stem))
        .collect();
    for code in used.difference(&pages) {
        problems.push(format!(
            "docs/diagnostics/{code}.md: missing, though the code is in the sources"
        ));
    }
    for code in pages.difference(&used) {
        problems.push(format!("docs/diagnostics/{code}.md: no source has this code"));
    }
    Ok(())
}

/// The string literals that are codes, as in `"E0107"`; what comments quote as an example is no use of a code.
fn codes_in(text: &str) -> impl Iterator<Item = String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"')).filter(|part| is_code(part)).map(str::to_owned)
}

fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('E') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// What changed for the user is written down as it changes.
fn check_changelog(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    let text = fs::read_to_string(root.join("CHANGELOG.md")).context("CHANGELOG.md")?;
    if !text.contains("Unreleased") {
        problems.push("CHANGELOG.md: has no `Unreleased` section on top".to_owned());
    }
    Ok(())
}

/// Every file below `root`, in a stable order, without what is built or fetched.
fn files_under(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                folders.push(path);
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The path as it is written in the repository.
fn relative(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(check: impl FnOnce(&mut Vec<String>)) -> usize {
        let mut problems = Vec::new();
        check(&mut problems);
        problems.len()
    }

    #[test]
    fn a_header_comes_before_code_and_after_attributes() {
        let count = |text: &str| problems(|list| check_header("a.rs", text, list));
        assert_eq!(count("//! What this holds.\nfn f() {}"), 0);
        assert_eq!(count("#![allow(x)]\n\n//! What this holds."), 0);
        assert_eq!(count("use std::fmt;\n//! Too late."), 1);
        assert_eq!(count(""), 1);
    }

    #[test]
    fn leftovers_and_machine_paths_are_found() {
        let left = concat!("fn f() { dbg", "!(1) }");
        assert_eq!(problems(|list| check_leftovers("a.rs", left, list)), 1);
        assert_eq!(problems(|list| check_leftovers("labs/lab0/skeleton/a.rs", left, list)), 0);
        assert_eq!(problems(|list| check_paths("a.md", concat!("see /ro", "ot/x"), list)), 1);
        assert_eq!(problems(|list| check_paths("a.md", "see docs/x", list)), 0);
    }

    #[test]
    fn code_that_searches_words_is_found() {
        let line = concat!("if what.starts_with(", "\"receive call \") {");
        let count = |path: &str| problems(|it| check_prose(path, line, it));
        assert_eq!((count("crates/cli/src/a.rs"), count("crates/erlang/src/a.rs")), (1, 0));
        for fine in ["name.ends_with(\".erl\")", "text.split_once(\": \")", "set.contains(&it)"] {
            assert!(!looks_into_words(fine), "{fine}");
        }
    }

    #[test]
    fn files_are_for_edges_and_tests() {
        let text = concat!("use std::", "fs;");
        let count = |path: &str| problems(|list| check_quiet_rooms(path, text, list));
        assert_eq!(count("crates/nodes/src/world.rs"), 1);
        assert_eq!(count("crates/nodes/tests/world.rs"), 0);
        assert_eq!(count("crates/cli/src/main.rs"), 0);
        let in_test = format!("#[cfg(test)]\n{text}");
        assert_eq!(problems(|list| check_quiet_rooms("crates/nodes/src/a.rs", &in_test, list)), 0);
    }

    #[test]
    fn long_handouts_are_found() {
        let count = |path: &str, n_words| {
            problems(|list| check_handout(path, &"word ".repeat(n_words), list))
        };
        let handout = "labs/lab1-exactly-once/README.md";
        assert_eq!((count(handout, 2_000), count(handout, 2_001)), (0, 1));
        assert_eq!(count("docs/guide/labs.md", 5_000), 0);
    }

    #[test]
    fn codes_are_read_from_literals_only() {
        let text = "code(\"E0107\"), E0108, \"E01\" \"F0107\" \"E0109\"\n/// as in \"E0110\"";
        let codes: Vec<_> = codes_in(text).collect();
        assert_eq!(codes, ["E0107", "E0109"]);
    }
}
