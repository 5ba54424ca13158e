//! The bugs that a person thought of, read from `xtask/mutations.txt`.
//! Invariant: `check_list` (part of tidy) keeps every entry applicable: its text stands in its file exactly once, and its
//! name is its own.

use super::Mutant;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Sees that every bug can still be planted; returns how many there are.
pub(crate) fn check_list(root: &Path) -> Result<usize> {
    let entries = read_entries(root)?;
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for entry in &entries {
        if !names.insert(&entry.name) {
            problems.push(format!("{}: another has this name", entry.name));
        }
        if let Err(error) = entry.place(root) {
            problems.push(format!("{}: {error:#}", entry.name));
        }
    }
    ensure!(problems.is_empty(), "xtask/mutations.txt: {}", problems.join("; "));
    Ok(entries.len())
}

/// The listed bugs, each with its place in its file.
pub(super) fn read(root: &Path) -> Result<Vec<Mutant>> {
    read_entries(root)?.into_iter().map(|entry| entry.place(root)).collect()
}

/// A paragraph of the list.
#[derive(Debug)]
struct Entry {
    name: String,
    file: String,
    find: String,
    replace: String,
    breaks: Option<String>,
    tests: Vec<String>,
}

impl Entry {
    fn place(&self, root: &Path) -> Result<Mutant> {
        let text = fs::read_to_string(root.join(&self.file))
            .with_context(|| format!("no file {}", self.file))?;
        let places: Vec<usize> = text.match_indices(&self.find).map(|it| it.0).collect();
        let n = places.len();
        ensure!(n == 1, "its text stands {n} times in {}, not once", self.file);
        Ok(Mutant {
            name: self.name.clone(),
            id: format!("{}|{}|{}", self.name, self.find, self.replace),
            file: self.file.clone(),
            at: places[0],
            find: self.find.clone(),
            replace: self.replace.clone(),
            breaks: self.breaks.clone().unwrap_or_else(|| self.name.replace('-', " ")),
            tests: self.tests.clone(),
        })
    }
}

fn read_entries(root: &Path) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(root.join("xtask/mutations.txt"))?;
    paragraphs(&text)?.iter().map(entry).collect()
}

fn entry(fields: &Fields) -> Result<Entry> {
    let tests: Vec<String> = all(fields, "test").map(str::to_owned).collect();
    let name = one(fields, "name")?;
    ensure!(!tests.is_empty(), "no `test:` in {name}");
    Ok(Entry {
        file: one(fields, "file")?,
        find: one(fields, "find")?,
        replace: one(fields, "replace")?,
        breaks: one(fields, "breaks").ok(),
        tests,
        name,
    })
}

/// The fields of a paragraph: names and values.
pub(super) type Fields = Vec<(String, String)>;

/// Paragraphs of `key: value` lines; a line that starts with `|` goes on with the value above it, one with `#` is a remark.
pub(super) fn paragraphs(text: &str) -> Result<Vec<Fields>> {
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = lines.split(|line| line.trim().is_empty()).filter(|p| !p.is_empty());
    paragraphs.map(fields).collect()
}

fn fields(paragraph: &[&str]) -> Result<Fields> {
    let mut fields = Fields::new();
    for line in paragraph {
        if let Some(more) = line.strip_prefix('|') {
            let (_, value) = fields.last_mut().context("a paragraph starts with `|`")?;
            value.push('\n');
            value.push_str(more);
        } else {
            let found =
                line.split_once(": ").or_else(|| line.strip_suffix(':').map(|key| (key, "")));
            let (key, value) = found.with_context(|| format!("no key: {line}"))?;
            fields.push((key.to_owned(), value.to_owned()));
        }
    }
    Ok(fields)
}

fn all<'f>(fields: &'f Fields, key: &str) -> impl Iterator<Item = &'f str> {
    let key = key.to_owned();
    fields.iter().filter(move |it| it.0 == key).map(|it| it.1.as_str())
}

/// The value of a field that must be there.
pub(super) fn one(fields: &Fields, key: &str) -> Result<String> {
    let value = all(fields, key).next().map(str::to_owned);
    value.with_context(|| format!("no `{key}:` in {fields:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_on_over_lines_and_tests_are_several() {
        let text = "# remark\nname: a\nfile: f\nfind: x\n|y\nreplace:\ntest: -p one\ntest: -p two\n\n\nname: b\n";
        let read = paragraphs(text).unwrap();
        let entry = entry(&read[0]).unwrap();
        assert_eq!((entry.find.as_str(), entry.replace.as_str()), ("x\ny", ""));
        assert_eq!(entry.tests, ["-p one", "-p two"]);
        assert!(super::entry(&read[1]).is_err());
    }
}
