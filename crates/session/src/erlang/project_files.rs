//! A project's own files, as a module that our `file` asks for what is in them: what tests read from `priv`, from a suite's data
//! folder or from beside their modules.
//! Why a module: what a program may read is then part of its text, known before it runs, and a front end opens no files. Only text
//! is taken, and not too much of it; a file that is left out is not there.

use super::find::{folders_in, join};
use crate::Files;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How the module's text is called in messages.
pub(crate) const PATH: &str = "foresee_files.erl";

/// Larger files are left out, and all of them after so many bytes.
const FILE_MAX: usize = 64 << 10;
const TOTAL_MAX: usize = 512 << 10;
/// How deep folders are looked into.
const LEVELS_MAX: usize = 4;

/// The folders whose files tests read.
const FOLDERS: [&str; 3] = ["priv", "test", "config"];

/// The module's text, if the project has such files.
pub(crate) fn module(files: &dyn Files, root: &str) -> Option<String> {
    let mut found = BTreeMap::new();
    let mut total = 0;
    for folder in FOLDERS {
        collect(files, root, folder, LEVELS_MAX, &mut total, &mut found);
    }
    for name in files.list(root).unwrap_or_default() {
        let is_text =
            [".config", ".app", ".src", ".args", ".txt"].iter().any(|it| name.ends_with(it));
        if is_text {
            take(files, root, &name, &mut total, &mut found);
        }
    }
    let has_files = found.values().any(Option::is_some);
    has_files.then(|| text(&found))
}

/// Paths within the project; `None` is a folder.
type Found = BTreeMap<String, Option<String>>;

fn collect(
    files: &dyn Files,
    root: &str,
    folder: &str,
    levels: usize,
    total: &mut usize,
    found: &mut Found,
) {
    let place = join(root, folder);
    let Some(names) = files.list(&place) else { return };
    found.insert(folder.to_owned(), None);
    for name in names.iter().filter(|name| !name.ends_with(".erl") && !name.ends_with(".beam")) {
        take(files, root, &join(folder, name), total, found);
    }
    if levels > 0 {
        for inner in folders_in(files, &place) {
            let name = inner.rsplit('/').next().unwrap_or_default();
            collect(files, root, &join(folder, name), levels - 1, total, found);
        }
    }
}

fn take(files: &dyn Files, root: &str, path: &str, total: &mut usize, found: &mut Found) {
    let Ok(text) = files.read(&join(root, path)) else { return };
    if text.len() <= FILE_MAX && *total + text.len() <= TOTAL_MAX {
        *total += text.len();
        found.insert(path.to_owned(), Some(text));
    }
}

fn text(found: &Found) -> String {
    let mut text = "-module(foresee_files).\n-export([find/1, names/1]).\n".to_owned();
    for (path, content) in found {
        let value = content.as_deref().map_or_else(|| "directory".to_owned(), binary);
        let _ = writeln!(text, "find({}) -> {value};", binary(path));
    }
    text.push_str("find(_) -> none.\n");
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in found.keys() {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        folders.entry(folder).or_default().push(name);
    }
    for (folder, names) in folders {
        let names: Vec<String> = names.into_iter().map(binary).collect();
        let _ = writeln!(text, "names({}) -> [{}];", binary(folder), names.join(", "));
    }
    text.push_str("names(_) -> [].\n");
    text
}

/// As a binary of Erlang.
fn binary(content: &str) -> String {
    let mut text = String::from("<<\"");
    for character in content.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            ' '..='~' => text.push(character),
            other => {
                let _ = write!(text, "\\x{{{:x}}}", u32::from(other));
            }
        }
    }
    text.push_str("\"/utf8>>");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_clauses_and_folders_lists() {
        let files: BTreeMap<String, String> =
            [("p/priv/a.txt", "x \"y\"\n"), ("p/test/m.erl", "no"), ("p/src/m.erl", "no")]
                .map(|(path, text)| (path.to_owned(), text.to_owned()))
                .into();
        let text = module(&files, "p").expect("a module");
        assert!(
            text.contains("find(<<\"priv/a.txt\"/utf8>>) -> <<\"x \\\"y\\\"\\x{a}\"/utf8>>;"),
            "{text}"
        );
        assert!(text.contains("names(<<\"priv\"/utf8>>) -> [<<\"a.txt\"/utf8>>];"), "{text}");
        assert!(!text.contains("m.erl"), "{text}");
    }
}
