//! `cargo xtask soundness`: every two shapes of visible operations meet in a program, and every engine is held against every
//! other on it (`crates/session/tests/soundness.rs`); the same for generated systems of Rust nodes
//! (`crates/session/tests/generated_nodes.rs`).
//! The programs are judged in pieces by two processes, or as many as `--jobs` says. Each piece that is done goes into a file under `target/`, so a run that was
//! stopped goes on with `--resume`; nothing of a piece that was not finished counts, and a piece that told of a difference is judged
//! again, since its cause may have been mended.
//! The three kinds of pieces advance together: however early a run is stopped, each has had its share.
//! The tests' executables are copied first, so the workspace can be changed and built while they run.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PIECE: usize = 50;
const USAGE: &str = "usage: cargo xtask soundness [--programs N] [--erlang N] [--nodes N] [--time-max 60m] [--jobs 2] [--resume]";

struct Wanted {
    programs: usize,
    erlang: usize,
    nodes: usize,
    time_max: Duration,
    jobs: usize,
    resume: bool,
}

/// What is known, by the first program of each piece.
#[derive(Default)]
struct Known {
    judged: BTreeMap<usize, String>,
    compared: BTreeMap<usize, String>,
    nodes: BTreeMap<usize, String>,
}

/// A part of the work: programs or systems `first..last`, given to one test of one executable.
#[derive(Clone)]
struct Piece {
    kind: &'static str,
    executable: PathBuf,
    which: &'static str,
    variable: &'static str,
    first: usize,
    last: usize,
}

pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let wanted = wanted(words)?;
    let folder = root.join("target/soundness");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("progress.txt");
    if !wanted.resume {
        let _ = std::fs::remove_file(&file);
    }
    let mut known = read(&file);
    known.forget_differences();
    let [programs, nodes] = build(root, &folder)?;
    let end = Instant::now() + wanted.time_max;
    let n_programs = wanted.programs.min(total(&programs)?);
    let log = Mutex::new(OpenOptions::new().create(true).append(true).open(&file)?);
    let pieces = |kind, executable: &PathBuf, which, variable, n: usize, known: &BTreeMap<_, _>| {
        let firsts = (0..n).step_by(PIECE).filter(|it| !known.contains_key(it));
        let executable = executable.clone();
        let piece = move |first: usize| {
            let (executable, last) = (executable.clone(), (first + PIECE).min(n));
            Piece { kind, executable, which, variable, first, last }
        };
        firsts.map(piece).collect::<Vec<_>>()
    };
    let variable = "FORESEE_SOUNDNESS";
    let judging =
        pieces("judged", &programs, "these_programs", variable, n_programs, &known.judged);
    let exploring =
        pieces("nodes", &nodes, "these_systems", "FORESEE_NODES", wanted.nodes, &known.nodes);
    // About one program in three can be compared with a real Erlang; the line after says how many were.
    let n_compared = (wanted.erlang * 3).min(n_programs);
    let which = "these_programs_on_erlang";
    let comparing = pieces("compared", &programs, which, variable, n_compared, &known.compared);
    let queue = Mutex::new(in_turn([judging, exploring, comparing]));
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..wanted.jobs).map(|_| scope.spawn(|| work(&queue, &log, end))).collect();
        workers.into_iter().try_for_each(|it| it.join().expect("nobody panics"))
    })?;
    let left = queue.into_inner().expect("nobody panics").len();
    table(&read(&file), left)
}

fn wanted(words: &[String]) -> Result<Wanted> {
    let mut wanted = Wanted {
        programs: usize::MAX,
        erlang: 2_000,
        nodes: 20_000,
        time_max: Duration::from_secs(3_600),
        jobs: 2,
        resume: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} wants a value\n{USAGE}"));
        match word.as_str() {
            "--programs" => wanted.programs = value()?.parse().context(USAGE)?,
            "--erlang" => wanted.erlang = value()?.parse().context(USAGE)?,
            "--nodes" => wanted.nodes = value()?.parse().context(USAGE)?,
            "--time-max" => wanted.time_max = duration(value()?)?,
            "--jobs" => wanted.jobs = value()?.parse().context(USAGE)?,
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

/// All pieces, the next one last: of each kind as large a share as of the others.
fn in_turn(kinds: [Vec<Piece>; 3]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for kind in kinds {
        let n = kind.len();
        pieces.extend(kind.into_iter().enumerate().map(|(at, it)| (at as f64 / n as f64, it)));
    }
    pieces.sort_by(|a, b| b.0.total_cmp(&a.0));
    pieces.into_iter().map(|it| it.1).collect()
}

/// Builds both tests; gives copies of their executables.
fn build(root: &Path, folder: &Path) -> Result<[PathBuf; 2]> {
    let output = Command::new("cargo")
        .args(["test", "--release", "--package", "foresee-session", "--test", "soundness"])
        .args(["--test", "generated_nodes", "--no-run", "--message-format", "json"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = |name: &str| {
        let built = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == name)
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .context("the tests of foresee-session could not be built")?;
        let copy = folder.join(name);
        // A running executable cannot be written to, but its name can be given to another.
        let _ = std::fs::remove_file(&copy);
        std::fs::copy(built, &copy)?;
        anyhow::Ok(copy)
    };
    Ok([executable("soundness")?, executable("generated_nodes")?])
}

/// How many programs there are.
fn total(test: &Path) -> Result<usize> {
    let none = Piece {
        kind: "judged",
        executable: test.to_path_buf(),
        which: "these_programs",
        variable: "FORESEE_SOUNDNESS",
        first: 0,
        last: 0,
    };
    let said = ask(&none)?;
    let line = said.lines().find_map(|line| line.split(" ... programs ").nth(1));
    let number = line.and_then(|line| line.split(' ').next()?.parse().ok());
    number.context("the test did not say how many programs there are")
}

fn ask(piece: &Piece) -> Result<String> {
    let Piece { which, first, last, .. } = piece;
    let output = Command::new(&piece.executable)
        .args(["--ignored", "--exact", which, "--nocapture", "--test-threads", "1"])
        .env(piece.variable, format!("{first}..{last}"))
        .stderr(Stdio::null())
        .output()?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        said += &format!(
            "\n{first} DIFFERENCE ended\n{which} {first}..{last}: {}\nEND\n",
            output.status
        );
    }
    Ok(said)
}

fn work(queue: &Mutex<Vec<Piece>>, log: &Mutex<File>, end: Instant) -> Result<()> {
    while Instant::now() < end {
        let Some(piece) = queue.lock().expect("nobody panics").pop() else { break };
        let said = ask(&piece)?;
        let mut log = log.lock().expect("nobody panics");
        write!(log, "PIECE {} {}\n{said}", piece.kind, piece.first)?;
        log.flush()?;
        for line in said.lines().filter(|line| line.contains("DIFFERENCE")) {
            eprintln!("{line}");
        }
    }
    Ok(())
}

impl Known {
    /// Forgets the pieces that told of a difference, so that they are judged again.
    fn forget_differences(&mut self) {
        for pieces in [&mut self.judged, &mut self.compared, &mut self.nodes] {
            pieces.retain(|_, said| !said.contains(" DIFFERENCE "));
        }
    }
}

fn read(file: &Path) -> Known {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut known = Known::default();
    for piece in text.split("PIECE ").skip(1) {
        let (head, said) = piece.split_once('\n').unwrap_or((piece, ""));
        let Some((kind, first)) = head.split_once(' ') else { continue };
        let Ok(first) = first.parse() else { continue };
        let pieces = match kind {
            "judged" => &mut known.judged,
            "nodes" => &mut known.nodes,
            _ => &mut known.compared,
        };
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
    let (mut n_compared, mut n_delayed) = (0u64, 0u64);
    for said in known.compared.values() {
        let count = |word: &str| said.lines().filter(|line| line.contains(word)).count() as u64;
        n_compared += count(" ok ") + count(" delayed ");
        n_delayed += count(" delayed ");
        differences.extend(found_in(said, "these_programs_on_erlang"));
    }
    let (mut n_systems, mut n_node_pairs, mut n_large_systems) = (0u64, 0u64, 0u64);
    for said in known.nodes.values() {
        for line in said.lines() {
            let line = line.trim_start_matches("test these_systems ... ");
            match line.split(' ').collect::<Vec<_>>()[..] {
                [seed, "ok", pairs] if seed.parse::<u64>().is_ok() => {
                    n_systems += 1;
                    n_node_pairs += pairs.parse().unwrap_or(0);
                }
                [seed, "too_large"] if seed.parse::<u64>().is_ok() => {
                    n_systems += 1;
                    n_large_systems += 1;
                }
                [_, "DIFFERENCE", _] => n_systems += 1,
                _ => {}
            }
        }
        differences.extend(found_in(said, "these_systems"));
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
    println!("| of these with outcomes that only delayed signals lead to | {n_delayed} |");
    println!("| systems of Rust nodes | {n_systems} |");
    println!("| their independent pairs of events checked | {n_node_pairs} |");
    println!("| systems of Rust nodes too large to go through | {n_large_systems} |");
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
            let (variable, test) = match which {
                "these_systems" => ("FORESEE_NODES", "generated_nodes"),
                _ => ("FORESEE_SOUNDNESS", "soundness"),
            };
            open = Some(format!(
                "{which} {at}: {kind}\n{variable}={at}..{} cargo test --release -p foresee-session --test {test} {which} -- --ignored --exact --nocapture\n",
                at + 1
            ));
        }
    }
    found
}
