//! `cargo xtask corfu`: the tables of the chapter on CORFU, measured now, beside those of the paper.
//! Why a command: numbers in a document grow old. Counts of runs and states are the same on every machine, so `--check` holds the
//! chapter against them; times and memory are of the machine and the minute, and `--write` puts new ones into the chapter.
//! The paper: Aronis, Fritchie, Sagonas, "Testing and Verifying Chain Repair Methods for CORFU Using Stateless Model Checking"
//! (iFM 2017), Tables 1 and 2 and the text of section 6.
//! Not here: drawing (`picture`), the model (`examples/corfu/`) and the story (`docs/guide/corfu.md`).

mod picture;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const CHAPTER: &str = "docs/guide/corfu.md";
const BEGIN: &str = "<!-- what `cargo xtask corfu` prints begins here -->\n";
const END: &str = "<!-- and ends here -->\n";

/// One method of Table 1: the experiment, what the paper's bounded and unbounded searches needed, and how ours searches
/// everything.
struct Method {
    name: &'static str,
    experiment: &'static str,
    bounded: &'static str,
    unbounded: &'static str,
    /// All interleavings of the initial model are too many even here; all states are not.
    by_states: bool,
}

const TABLE_1: [Method; 3] = [
    Method {
        name: "1 (tail)",
        experiment: "tail",
        bounded: "error, 638 in 57 s",
        unbounded: "error, 3,542,431 in 144 h",
        by_states: false,
    },
    Method {
        name: "2 (head)",
        experiment: "head",
        bounded: "error, 65 in 7 s",
        unbounded: "error, 389 in 26 s",
        by_states: false,
    },
    Method {
        name: "3 (middle)",
        experiment: "middle",
        bounded: "no error, 1,257 in 68 s",
        unbounded: "not finished: more than 30,000,000 in 750 h",
        by_states: true,
    },
];

/// Table 2: receive patterns, conditional read, layout in a table; the paper's figures.
const TABLE_2: [(bool, bool, bool, &str); 8] = [
    (false, false, false, "3,542,431 in 144 h"),
    (true, false, false, "151,923 in 5 h 30 min"),
    (false, true, false, "3,787 in 6 min 20 s"),
    (true, true, false, "212 in 19 s"),
    (false, false, true, "1,059,043 in 29 h 40 min"),
    (true, false, true, "47,148 in 1 h 5 min"),
    (false, true, true, "5,239 in 5 min 20 s"),
    (true, true, true, "289 in 18 s"),
];

/// Method 3 without a bound: the experiment, whether all of its interleavings are explored too, and the paper's figures.
const VERIFICATION: [(&str, bool, &str); 4] = [
    ("middle_refined", true, "3,931,413 interleavings in 48 h"),
    ("middle_of_two_refined", true, ""),
    ("middle", false, "not finished: more than 30,000,000 in 750 h"),
    ("middle_of_two", false, ""),
];

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let chapter = root.join(CHAPTER);
    match words[..] {
        [] => {
            measured(root)?;
        }
        ["--write"] => {
            let text = std::fs::read_to_string(&chapter)?;
            let (before, _, after) = parts(&text)?;
            let tables = measured(root)?;
            std::fs::write(&chapter, format!("{before}{tables}{after}"))?;
            for story in &picture::STORIES {
                let trace = std::fs::read_to_string(root.join(story.trace))?;
                std::fs::write(root.join(story.picture), picture::draw(story, &trace))?;
            }
        }
        ["--check"] => {
            let text = std::fs::read_to_string(&chapter)?;
            let (_, known, _) = parts(&text)?;
            let tables = measured(root)?;
            if counts(known) != counts(&tables) {
                bail!("the counts in {CHAPTER} are others; look, then `cargo xtask corfu --write`");
            }
        }
        _ => bail!("usage: cargo xtask corfu [--write | --check]"),
    }
    Ok(())
}

/// The chapter before the tables, the tables, and the chapter after them.
fn parts(text: &str) -> Result<(&str, &str, &str)> {
    let missing = || format!("{CHAPTER} has no place for the tables: `{}`", BEGIN.trim());
    let begin = text.find(BEGIN).with_context(missing)? + BEGIN.len();
    let end = text.find(END).with_context(missing)?;
    Ok((&text[..begin], &text[begin..end], &text[end..]))
}

/// The tables without what depends on the machine: everything after a count's ` in ` in our own columns, and memory.
fn counts(tables: &str) -> Vec<String> {
    let cell = |cell: &str| cell.split(" in ").next().unwrap_or_default().trim().to_owned();
    let rows = tables.lines().filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|').map(cell)).collect()
}

/// The tables; each row is printed as soon as it is known.
fn measured(root: &Path) -> Result<String> {
    let mut text = Told::default();
    let observers = ["--observers", "false"];

    text.add(
        "Table 1, the initial model: interleavings to the first error, or all of them. The paper's tool did not look at receive patterns then, so neither does ours\n\
         here (`--observers false`). Bounded is `--bound 4`. All interleavings of Method 3 are too many even here, so every state stands for them (`--engine stateful`).\n\n\
         | method | paper, bounded | ours, bounded | paper, unbounded | ours, unbounded |\n|---|---|---|---|---|\n",
    );
    for method in &TABLE_1 {
        let bounded = check(root, method.experiment, &["--observers", "false", "--bound", "4"])?;
        let unbounded = match method.by_states {
            true => check(root, method.experiment, &["--engine", "stateful"])?,
            false => check(root, method.experiment, &observers)?,
        };
        let Method { name, bounded: theirs, unbounded: theirs_too, .. } = method;
        let (bounded, unbounded) = (bounded.told(), unbounded.told());
        text.add(&format!("| {name} | {theirs} | {bounded} | {theirs_too} | {unbounded} |\n"));
    }

    text.add(
        "\nTable 2, Method 1 without a bound: what receive patterns in the engine and the two refinements of the model are worth, in interleavings to the first error.\n\n\
         | receive patterns | conditional read | layout in a table | paper | ours |\n|---|---|---|---|---|\n",
    );
    for (patterns, conditional, table, theirs) in TABLE_2 {
        let experiment = match (conditional, table) {
            (false, false) => "tail",
            (true, false) => "tail_conditional",
            (false, true) => "tail_table",
            (true, true) => "tail_refined",
        };
        let flags = if patterns { ["--engine", "stateless"] } else { observers };
        let ours = check(root, experiment, &flags)?;
        let word = |it: bool| if it { "yes" } else { "no" };
        let ours = ours.told().replacen("error, ", "", 1);
        let [patterns, conditional, table] = [patterns, conditional, table].map(word);
        text.add(&format!("| {patterns} | {conditional} | {table} | {theirs} | {ours} |\n"));
    }

    text.add(
        "\nMethod 3 verified without a bound, by both engines.\n\n\
         | experiment | paper | `--engine stateless` | `--engine stateful` |\n|---|---|---|---|\n",
    );
    for (experiment, all_interleavings, theirs) in VERIFICATION {
        let stateless = match all_interleavings {
            true => check(root, experiment, &["--engine", "stateless"])?.told_with_memory(),
            false => String::new(),
        };
        let stateful = check(root, experiment, &["--engine", "stateful"])?.told_with_memory();
        text.add(&format!("| `{experiment}` | {theirs} | {stateless} | {stateful} |\n"));
    }
    Ok(text.all)
}

/// What has been printed.
#[derive(Default)]
struct Told {
    all: String,
}

impl Told {
    fn add(&mut self, text: &str) {
        print!("{text}");
        let _ = std::io::stdout().flush();
        self.all.push_str(text);
    }
}

/// What one run of the tool said.
struct Checked {
    verdict: String,
    stopped_by: Option<String>,
    n: u64,
    what: &'static str,
    seconds: f64,
    bytes: u64,
}

impl Checked {
    /// `error, 429 in 0.2 s`.
    fn told(&self) -> String {
        let verdict = match (self.verdict.as_str(), self.stopped_by.as_deref()) {
            ("violated", _) => "error",
            ("holds", _) => "holds",
            ("inconclusive", Some("bound")) => "no error",
            _ => "not finished",
        };
        let what = if self.what == "states" { " states" } else { "" };
        format!("{verdict}, {}{what} in {}", grouped(self.n), time(self.seconds))
    }

    fn told_with_memory(&self) -> String {
        let Checked { verdict, n, what, seconds, bytes, .. } = self;
        format!("{verdict}: {} {what} in {}, {} MiB", grouped(*n), time(*seconds), bytes >> 20)
    }
}

/// One check of an experiment, in an optimised build.
fn check(root: &Path, experiment: &str, flags: &[&str]) -> Result<Checked> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let trace = std::env::temp_dir().join(format!("foresee-corfu-{}.trace", std::process::id()));
    let output = Command::new(cargo)
        .args(["run", "--release", "--quiet", "--package", "foresee", "--bin", "foresee", "--"])
        .args([
            "check",
            "examples/corfu/corfu.erl",
            "-t",
            experiment,
            "--format",
            "json",
            "--trace",
        ])
        .arg(&trace)
        .args(flags)
        .current_dir(root)
        .output()
        .context("cargo does not start")?;
    let _ = std::fs::remove_file(&trace);
    let report: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("no report: {}", String::from_utf8_lossy(&output.stderr)))?;
    let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
    if verdict == "error" {
        bail!("{experiment} {flags:?}: {}", report["error"]);
    }
    let is_stateful = report["engine"] == "stateful";
    let (what, key) =
        if is_stateful { ("states", "states") } else { ("interleavings", "interleavings") };
    Ok(Checked {
        verdict,
        stopped_by: report["stopped_by"].as_str().map(str::to_owned),
        n: report[key].as_u64().context("a report has counts")?,
        what,
        seconds: report["seconds"].as_f64().context("a report has its time")?,
        bytes: report["peak_memory_bytes"].as_u64().unwrap_or(0),
    })
}

/// `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 10.0 => format!("{seconds:.1} s"),
        _ if seconds < 120.0 => format!("{seconds:.0} s"),
        _ => format!("{} min {:.0} s", (seconds / 60.0) as u64, seconds % 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_told_as_people_write_them() {
        assert_eq!([7, 1234, 1234567].map(grouped), ["7", "1,234", "1,234,567"]);
        assert_eq!([0.04, 9.94, 57.2, 150.0].map(time), ["0.0 s", "9.9 s", "57 s", "2 min 30 s"]);
    }

    #[test]
    fn what_depends_on_the_machine_is_not_compared() {
        let row = |time: &str, n: &str| {
            format!("| 1 | {n} in {time} | holds: {n} states in {time}, 9 MiB |\n")
        };
        assert_eq!(counts(&row("3 s", "12")), counts(&row("4 s", "12")));
        assert_ne!(counts(&row("3 s", "12")), counts(&row("3 s", "13")));
    }

    #[test]
    fn the_chapter_has_a_place_for_the_tables() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("in the workspace");
        let text = std::fs::read_to_string(root.join(CHAPTER)).expect("the chapter");
        let (_, tables, _) = parts(&text).expect("marked");
        assert!(tables.contains("| 3 (middle) |") && tables.contains("`middle_of_two_refined`"));
    }
}
