//! Running the binary in a directory of its own, and comparing what it prints with files.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory that goes away with the test.
pub(crate) struct Place {
    directory: tempfile::TempDir,
}

/// What a command said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Place { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Runs the stock binary here; words are separated by spaces, quotes keep them together as in a shell.
    pub(crate) fn foresee(&self, line: &str) -> Said {
        self.run(Command::new(env!("CARGO_BIN_EXE_foresee")).args(words(line)))
    }

    pub(crate) fn run(&self, command: &mut Command) -> Said {
        Said::from(
            command
                .env_remove("COLUMNS")
                .current_dir(self.path())
                .output()
                .expect("the binary runs"),
        )
    }

    /// Makes a folder, with those above it.
    pub(crate) fn folder(&self, name: &str) {
        std::fs::create_dir_all(self.path().join(name)).expect("made");
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let file = self.path().join(name);
        std::fs::write(&file, content).expect("written");
        file
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// The names of the files here, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("readable");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Said {
    /// Standard output as JSON: one object and nothing else.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    #[track_caller]
    pub(crate) fn expect(&self, code: i32, in_out: &[&str], in_err: &[&str]) {
        let Said { code: actual, out, err } = self;
        assert_eq!(*actual, code, "exit code\n--- out\n{out}\n--- err\n{err}");
        for part in in_out {
            assert!(
                out.contains(part),
                "`{part}` is not in standard output:\n{out}\n--- err\n{err}"
            );
        }
        for part in in_err {
            assert!(
                err.contains(part),
                "`{part}` is not in standard error:\n{err}\n--- out\n{out}"
            );
        }
    }
}

/// The words of a line; what stands in single or double quotes belongs to one word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Compares with a file in `tests/expect`; `UPDATE_EXPECT=1 cargo test -p foresee` rewrites the files.
#[track_caller]
pub(crate) fn compare_with_file(name: &str, actual: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expect").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, actual).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        actual,
        expected,
        "{} differs; if the new text is right: UPDATE_EXPECT=1 cargo test -p foresee",
        file.display()
    );
}

/// Times and sizes replaced, so that a report can be compared whole.
pub(crate) fn without_measurements(text: &str) -> String {
    let is_summary = |line: &str| {
        (line.contains(" transition") && line.contains(" in "))
            || (line.contains(" interleaving")
                && line.contains(" longest ")
                && line.contains(" in "))
            || line.contains(" of virtual time in ")
    };
    let lines = text.lines().map(|line| match (is_summary(line), line.split_once(" in ")) {
        (true, Some((counts, _))) => format!("{counts} in TIME (RATE), MEMORY"),
        _ => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}
