//! The tests without any bug: they must pass, and their time is what the time with a bug is measured by.
//! Why: tests that fail anyway would catch every bug.

use super::binaries::{self, Binary};
use super::results::digest_of_all;
use super::tree::Tree;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// No binary of tests takes more processor time than this without a bug.
const TIME_MAX: Duration = Duration::from_secs(1200);

/// What is known of the tests without a bug.
pub(super) struct Baseline {
    digest: String,
    file: Mutex<File>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    commands: HashSet<String>,
    /// The most processor time of each binary.
    seconds: HashMap<String, f64>,
}

impl Baseline {
    /// Opens what earlier runs have noted; only what was noted of the same tree counts.
    pub(super) fn open(root: &Path, is_kept: bool) -> Result<Baseline> {
        let path = root.join("target/mutants/baseline.jsonl");
        let text =
            if is_kept { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let digest = digest_of_all(root)?;
        let mut known = Known::default();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            if line["digest"] == digest.as_str() {
                known.note(&line);
            }
        }
        let file = OpenOptions::new()
            .create(true)
            .append(is_kept)
            .write(true)
            .truncate(!is_kept)
            .open(path)?;
        Ok(Baseline { digest, file: Mutex::new(file), known: Mutex::new(known) })
    }

    pub(super) fn has(&self, command: &str) -> bool {
        self.known.lock().expect("nobody panics with it").commands.contains(command)
    }

    /// Runs the tests of a command in a tree without a bug.
    pub(super) fn establish(&self, tree: &Tree, command: &str, n_threads: usize) -> Result<()> {
        let binaries = match binaries::build(tree, command, n_threads)?.binaries {
            Ok(binaries) => binaries,
            Err(message) => bail!("`{command}` is not to be built: {message}"),
        };
        for binary in &binaries {
            let ended = binaries::run(tree, binary, TIME_MAX, n_threads)?;
            if !ended.is_success {
                let test = binaries::failed(&ended).unwrap_or("it ends badly").to_owned();
                bail!(
                    "without any bug `{}` fails: {test}\n{}",
                    binary.executable.name,
                    ended.stderr
                );
            }
            self.note(
                json!({"digest": self.digest, "binary": key(binary), "seconds": ended.work_seconds}),
            )?;
        }
        self.note(json!({"digest": self.digest, "command": command}))
    }

    /// The processor time that a binary may take with a bug: several times as much as without one, and some more if the machine is busy.
    pub(super) fn time_max(&self, binary: &Binary) -> Duration {
        Duration::from_secs_f64(20.0 + 4.0 * self.seconds(binary))
    }

    /// The processor time that a binary takes without a bug.
    pub(super) fn seconds(&self, binary: &Binary) -> f64 {
        let known = self.known.lock().expect("nobody panics with it");
        known.seconds.get(&key(binary)).copied().unwrap_or(60.0)
    }

    fn note(&self, line: Value) -> Result<()> {
        writeln!(self.file.lock().expect("nobody panics with it"), "{line}")?;
        self.known.lock().expect("nobody panics with it").note(&line);
        Ok(())
    }
}

impl Known {
    fn note(&mut self, line: &Value) {
        if let Some(command) = line["command"].as_str() {
            self.commands.insert(command.to_owned());
        }
        if let (Some(binary), Some(seconds)) = (line["binary"].as_str(), line["seconds"].as_f64()) {
            let longest = self.seconds.entry(binary.to_owned()).or_default();
            *longest = longest.max(seconds);
        }
    }
}

fn key(binary: &Binary) -> String {
    format!("{} -- {}", binary.executable.name, binary.filters.join(" "))
}
