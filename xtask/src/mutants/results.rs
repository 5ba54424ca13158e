//! What came of each bug, kept under `target/mutants` so that a run that was stopped can go on.
//! A result is valid as long as the crate of the bug and the packages whose tests were asked are as they were: that is all
//! of its tests for a bug that was missed, and those that caught it for one that was caught. What these crates are built
//! upon is not looked at: a run that is to be written down starts without `--resume`.

use super::Mutant;
use super::tree::tracked;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// How a trial ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Verdict {
    /// By the tests of this binary, and the first that failed, if it has a name.
    Caught {
        by: String,
        test: Option<String>,
    },
    /// The tests did not end in their time.
    Late {
        by: String,
    },
    Missed,
    /// The compiler says so.
    Broken(String),
}

/// What came of a bug.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    /// Which of the commands was the last to be asked.
    pub(super) n_asked: usize,
    /// Of the clock, and of the processor.
    pub(super) seconds: f64,
    pub(super) work_seconds: f64,
}

/// What is known, and the file where more is noted.
pub(super) struct Results {
    known: HashMap<String, Value>,
    file: Mutex<File>,
    /// What the folders of the packages hold.
    digests: HashMap<String, String>,
}

impl Results {
    /// Opens what earlier runs have noted, or begins anew.
    pub(super) fn open(root: &Path, is_kept: bool) -> Result<Results> {
        let path = root.join("target/mutants/results.jsonl");
        fs::create_dir_all(path.parent().context("below target")?)?;
        let text =
            if is_kept { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let known = lines.filter_map(|it| Some((it["id"].as_str()?.to_owned(), it))).collect();
        let file = OpenOptions::new()
            .create(true)
            .append(is_kept)
            .write(true)
            .truncate(!is_kept)
            .open(path)?;
        Ok(Results { known, file: Mutex::new(file), digests: digests(root)? })
    }

    /// What is known of a bug, if that is still valid; of one that was caught it always is if `is_lenient`.
    pub(super) fn of(&self, mutant: &Mutant, is_lenient: bool) -> Option<Outcome> {
        let line = self.known.get(&mutant.id)?;
        let outcome = outcome(line)?;
        let is_valid = line["scope"] == self.scope(mutant, &outcome);
        let is_caught = matches!(outcome.verdict, Verdict::Caught { .. } | Verdict::Late { .. });
        (is_valid || is_lenient && is_caught).then_some(outcome)
    }

    pub(super) fn note(&self, mutant: &Mutant, outcome: &Outcome) -> Result<()> {
        let (verdict, by, test) = match &outcome.verdict {
            Verdict::Caught { by, test } => ("caught", Some(by), test.as_ref()),
            Verdict::Late { by } => ("late", Some(by), None),
            Verdict::Missed => ("missed", None, None),
            Verdict::Broken(message) => ("broken", Some(message), None),
        };
        let line = json!({
            "id": mutant.id, "name": mutant.name, "verdict": verdict, "by": by, "test": test,
            "n_asked": outcome.n_asked, "seconds": outcome.seconds, "work_seconds": outcome.work_seconds,
            "scope": self.scope(mutant, outcome),
        });
        let mut file = self.file.lock().expect("nobody panics with it");
        writeln!(file, "{line}")?;
        Ok(())
    }

    /// The folders whose contents decide, with what they hold.
    fn scope(&self, mutant: &Mutant, outcome: &Outcome) -> Value {
        let mut folders = vec![format!("crates/{}", mutant.room())];
        for command in mutant.tests.iter().take(outcome.n_asked) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let packages = words.windows(2).filter(|it| it[0] == "-p").map(|it| folder_of(it[1]));
            folders.extend(packages);
        }
        folders.sort();
        folders.dedup();
        let digest = |folder: &String| self.digests.get(folder).cloned().unwrap_or_default();
        folders.iter().map(|it| json!([it, digest(it)])).collect()
    }
}

fn outcome(line: &Value) -> Option<Outcome> {
    let by = line["by"].as_str().unwrap_or_default().to_owned();
    let test = line["test"].as_str().map(str::to_owned);
    let verdict = match line["verdict"].as_str()? {
        "caught" => Verdict::Caught { by, test },
        "late" => Verdict::Late { by },
        "missed" => Verdict::Missed,
        _ => Verdict::Broken(by),
    };
    Some(Outcome {
        verdict,
        n_asked: line["n_asked"].as_u64()? as usize,
        seconds: line["seconds"].as_f64()?,
        work_seconds: line["work_seconds"].as_f64()?,
    })
}

/// The folder of a package.
fn folder_of(package: &str) -> String {
    match package.strip_prefix("foresee-") {
        Some("tests") => "tests".to_owned(),
        Some(room) => format!("crates/{room}"),
        None => package.to_owned(),
    }
}

/// What the folders of the packages hold, each as a number.
fn digests(root: &Path) -> Result<HashMap<String, String>> {
    let mut found: HashMap<String, u64> = HashMap::new();
    for file in tracked(root)? {
        let folder = match file.split('/').collect::<Vec<_>>()[..] {
            ["crates", room, _, ..] => format!("crates/{room}"),
            ["tests", _, ..] => "tests".to_owned(),
            _ => continue,
        };
        let bytes = fs::read(root.join(&file))?;
        let so_far = found.entry(folder).or_default();
        let text = String::from_utf8_lossy(&bytes);
        *so_far = digest([so_far.to_string().as_str(), file.as_str(), &text]);
    }
    Ok(found.into_iter().map(|(folder, digest)| (folder, format!("{digest:016x}"))).collect())
}

/// Everything that tests are built from, as a number.
pub(super) fn digest_of_all(root: &Path) -> Result<String> {
    let mut all: Vec<_> = digests(root)?.into_iter().collect();
    all.sort();
    let lines: Vec<String> =
        all.iter().map(|(folder, digest)| format!("{folder}{digest}")).collect();
    Ok(format!("{:016x}", digest(lines.iter().map(String::as_str))))
}

/// A number made of texts: FNV-1a, mixed so that near texts give far numbers.
pub(super) fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ hash >> 33
}
