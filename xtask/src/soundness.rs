//! `cargo xtask soundness`: every two shapes of visible operations meet in a program, and every engine is held against every
//! other on it (`crates/session/tests/soundness.rs`).
//! The programs are judged in pieces by two processes. Each piece that is done goes into a file under `target/`, so a run that was
//! stopped goes on with `--resume`; nothing of a piece that was not finished counts.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PIECE: usize = 50;
const N_WORKERS: usize = 2;
const USAGE: &str =
    "usage: cargo xtask soundness [--programs N] [--erlang N] [--time-max 60m] [--resume]";

struct Wanted {
    programs: usize,
    erlang: usize,
    time_max: Duration,
    resume: bool,
}

/// What is known, by the first program of each piece.
#[derive(Default)]
struct Known {
    judged: BTreeMap<usize, String>,
    compared: BTreeMap<usize, String>,
}

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let wanted = wanted(words)?;
    let folder = root.join("target/soundness");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("progress.txt");
    if !wanted.resume {
        let _ = std::fs::remove_file(&file);
    }
    let known = read(&file);
    let test = build(root)?;
    let end = Instant::now() + wanted.time_max;
    let total = total(&test)?;
    let programs = wanted.programs.min(total);
    let log = Mutex::new(OpenOptions::new().create(true).append(true).open(&file)?);
    let pieces = (0..programs).step_by(PIECE);
    let judging: Vec<_> = pieces
        .clone()
        .filter(|it| !known.judged.contains_key(it))
        .map(|it| ("judged", "these_programs", it, (it + PIECE).min(programs)))
        .collect();
    // About one program in three can be compared with a real Erlang; the line after says how many were.
    let last = (wanted.erlang * 3).min(programs);
    let comparing: Vec<_> = (0..last)
        .step_by(PIECE)
        .filter(|it| !known.compared.contains_key(it))
        .map(|it| ("compared", "these_programs_on_erlang", it, (it + PIECE).min(last)))
        .collect();
    let queue = Mutex::new([judging, comparing].concat());
    queue.lock().expect("nobody panics").reverse();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..N_WORKERS).map(|_| scope.spawn(|| work(&test, &queue, &log, end))).collect();
        workers.into_iter().try_for_each(|it| it.join().expect("nobody panics"))
    })?;
    let left = queue.into_inner().expect("nobody panics").len();
    table(&read(&file), left)
}

fn wanted(words: &[String]) -> Result<Wanted> {
    let mut wanted = Wanted {
        programs: usize::MAX,
        erlang: 2_000,
        time_max: Duration::from_secs(3_600),
        resume: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} wants a value\n{USAGE}"));
        match word.as_str() {
            "--programs" => wanted.programs = value()?.parse().context(USAGE)?,
            "--erlang" => wanted.erlang = value()?.parse().context(USAGE)?,
            "--time-max" => wanted.time_max = duration(value()?)?,
            "--resume" => wanted.resume = true,
            _ => bail!("there is no option `{word}`\n{USAGE}"),
        }
    }
    Ok(wanted)
}

fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = text.split_at(text.len().saturating_sub(1));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => bail!("`{text}` is no time; write 60m\n{USAGE}"),
    };
    Ok(Duration::from_secs(number.parse::<u64>().context(USAGE)? * seconds))
}

/// Builds the test; gives its executable.
fn build(root: &Path) -> Result<PathBuf> {
    let output = Command::new("cargo")
        .args(["test", "--release", "--package", "foresee-session", "--test", "soundness"])
        .args(["--no-run", "--message-format", "json"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "soundness")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    executable.context("the tests of foresee-session could not be built")
}

/// How many programs there are.
fn total(test: &Path) -> Result<usize> {
    let said = ask(test, "these_programs", 0, 0)?;
    let line = said.lines().find_map(|line| line.split("programs ").nth(1));
    let number = line.and_then(|line| line.split(' ').next()?.parse().ok());
    number.context("the test did not say how many programs there are")
}

fn ask(test: &Path, which: &str, first: usize, last: usize) -> Result<String> {
    let output = Command::new(test)
        .args(["--ignored", "--exact", which, "--nocapture", "--test-threads", "1"])
        .env("FORESEE_SOUNDNESS", format!("{first}..{last}"))
        .stderr(Stdio::null())
        .output()?;
    if !output.status.success() {
        bail!("programs {first}..{last}: {which} did not come to an end");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

type Piece = (&'static str, &'static str, usize, usize);

fn work(test: &Path, queue: &Mutex<Vec<Piece>>, log: &Mutex<File>, end: Instant) -> Result<()> {
    while Instant::now() < end {
        let Some((kind, which, first, last)) = queue.lock().expect("nobody panics").pop() else {
            break;
        };
        let said = ask(test, which, first, last)?;
        let mut log = log.lock().expect("nobody panics");
        write!(log, "PIECE {kind} {first}\n{said}")?;
        log.flush()?;
        for line in said.lines().filter(|line| line.contains("DIFFERENCE")) {
            eprintln!("{line}");
        }
    }
    Ok(())
}

fn read(file: &Path) -> Known {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut known = Known::default();
    for piece in text.split("PIECE ").skip(1) {
        let (head, said) = piece.split_once('\n').unwrap_or((piece, ""));
        let Some((kind, first)) = head.split_once(' ') else { continue };
        let Ok(first) = first.parse() else { continue };
        let pieces = if kind == "judged" { &mut known.judged } else { &mut known.compared };
        pieces.insert(first, said.to_owned());
    }
    known
}

fn table(known: &Known, left: usize) -> Result<()> {
    let mut pairs = BTreeSet::new();
    let (mut n_programs, mut n_large, mut n_independent, mut n_exhausted) =
        (0u64, 0u64, 0u64, 0u64);
    let mut differences = Vec::new();
    for said in known.judged.values() {
        for line in said.lines() {
            let line = line.trim_start_matches("test these_programs ... ");
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                [at, "ok", a, b, n, _, _, exhausted] if at.parse::<u64>().is_ok() => {
                    n_programs += 1;
                    pairs.insert((a.to_owned(), b.to_owned()));
                    n_independent += n.parse().unwrap_or(0);
                    n_exhausted += u64::from(exhausted == "1");
                }
                [at, "too_large", n] if at.parse::<u64>().is_ok() => {
                    n_programs += 1;
                    n_large += 1;
                    n_independent += n.parse().unwrap_or(0);
                }
                [_, "DIFFERENCE", _] => n_programs += 1,
                _ => {}
            }
        }
        differences.extend(found_in(said, "these_programs"));
    }
    let mut n_compared = 0u64;
    for said in known.compared.values() {
        n_compared += said.lines().filter(|line| line.contains(" ok ")).count() as u64;
        differences.extend(found_in(said, "these_programs_on_erlang"));
    }
    for difference in &differences {
        println!("{difference}\n");
    }
    println!("| what | how many |\n|---|---|");
    println!("| programs | {n_programs} |");
    println!("| pairs of shapes met | {} |", pairs.len());
    println!("| independent pairs of events checked | {n_independent} |");
    println!("| programs with every interleaving run | {n_exhausted} |");
    println!("| programs too large to go through | {n_large} |");
    println!("| programs compared with an installed Erlang | {n_compared} |");
    println!("| differences | {} |", differences.len());
    println!("| pieces not begun | {left} |");
    if left > 0 {
        println!("\ngo on: cargo xtask soundness --resume");
    }
    if differences.is_empty() { Ok(()) } else { bail!("{} differences", differences.len()) }
}

/// The differences that a piece tells of, each with the command that shows it again.
fn found_in(said: &str, which: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in said.lines() {
        if let Some(text) = &mut open {
            if line == "END" {
                found.extend(open.take());
            } else {
                *text += &format!("{line}\n");
            }
        } else if let Some((before, kind)) = line.split_once(" DIFFERENCE ") {
            let at: usize = before.rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
            open = Some(format!(
                "program {at}: {kind}\nFORESEE_SOUNDNESS={at}..{} cargo test --release -p foresee-session --test soundness {which} -- --ignored --exact --nocapture\n",
                at + 1
            ));
        }
    }
    found
}
