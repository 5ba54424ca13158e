//! All tests: every executable that cargo builds, as many at once as there are cores, those that wait beside them, and the examples in the
//! documentation.
//! Why not `cargo test` itself: it runs one executable after the other, and most have one test that lasts, so half of the
//! machine would wait. Many tests start processes, sockets and clocks beside each other on whatever machine this is, so an
//! executable that fails is tried once more by itself: what fails again is broken, what passes then is named as unsteady.

use crate::executables::{self, Executable};
use crate::{cargo, cargo_command};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Their tests wait for sockets, processes and clocks: at most a third of their time is processor time, of most a tenth. They run one after the other
/// beside the others and keep no core from them.
const WAITING: [&str; 5] = [
    "-p foresee --test run",
    "-p foresee-runtime --test sites",
    "-p raft --test storage",
    "-p raft --test cluster",
    "-p foresee --test cluster",
];

/// Builds all tests, with the compiler's own words as it goes.
pub(crate) fn build(root: &Path) -> Result<Vec<Executable>> {
    let arguments = ["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"];
    let output = cargo_command(root, &arguments)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    if !output.status.success() {
        bail!("`cargo {}` failed", arguments.join(" "));
    }
    let mut found = executables::told_of(&String::from_utf8_lossy(&output.stdout))?;
    if found.is_empty() {
        bail!("cargo has built no tests");
    }
    // The largest first: what links the whole product is what takes long, and nothing long must be left for the end.
    let size = |it: &Executable| std::fs::metadata(&it.path).map_or(0, |it| it.len());
    found.sort_by_cached_key(|it| (std::cmp::Reverse(size(it)), it.name.clone()));
    Ok(found)
}

pub(crate) fn run(root: &Path, executables: &[Executable]) -> Result<()> {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (waiting, working) = divided(executables)?;
    let (next, ended) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let try_and_note = |it| {
        let tried = tried(it, 1);
        ended.lock().expect("nobody panics with it").push((it, tried));
    };
    std::thread::scope(|scope| {
        scope.spawn(|| waiting.iter().copied().for_each(try_and_note));
        for _ in 0..n_cores.min(working.len()) {
            scope.spawn(|| {
                while let Some(it) = working.get(next.fetch_add(1, Ordering::Relaxed)) {
                    try_and_note(it);
                }
            });
        }
    });
    let mut ended = ended.into_inner().expect("nobody panics with it");
    ended.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    let (mut n_passed, mut unsteady) = (0, Vec::new());
    for (executable, tried) in ended {
        let mut tried = tried?;
        if !tried.is_success {
            println!("ci: tests: `{}` failed; once more, by itself …", executable.name);
            tried = self::tried(executable, n_cores)?;
            if !tried.is_success {
                bail!("`cargo test {}` failed twice", executable.name);
            }
            unsteady.push(executable.name.as_str());
        }
        n_passed += tried.n_passed;
    }
    cargo(root, &["test", "--workspace", "--doc", "--quiet"])?;
    if !unsteady.is_empty() {
        println!("ci: tests: UNSTEADY, passed only when tried again: {}", unsteady.join(", "));
    }
    println!("{n_passed} passed, 0 failed");
    Ok(())
}

/// Those that wait most of the time, and the others, each in the order given.
fn divided(executables: &[Executable]) -> Result<(Vec<&Executable>, Vec<&Executable>)> {
    let (waiting, working): (Vec<_>, Vec<_>) =
        executables.iter().partition(|it| WAITING.contains(&it.name.as_str()));
    let is_there = |name: &&str| waiting.iter().any(|it| it.name == *name);
    match WAITING.iter().find(|name| !is_there(name)) {
        Some(name) => bail!("`{name}` is listed as waiting and is no test any more"),
        None => Ok((waiting, working)),
    }
}

struct Tried {
    is_success: bool,
    n_passed: usize,
    /// All it said, if it failed.
    told: String,
}

fn tried(executable: &Executable, n_threads: usize) -> Result<Tried> {
    let started = Instant::now();
    let mut command = Command::new(&executable.path);
    command.args(["--quiet", "--test-threads"]).arg(n_threads.to_string());
    command.current_dir(&executable.folder).env("CARGO_MANIFEST_DIR", &executable.folder);
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("`{}` does not start", executable.name))?;
    let tried = judged(&output);
    let (name, seconds) = (&executable.name, started.elapsed().as_secs_f64());
    let word = if tried.is_success { "passed" } else { "passed, but it FAILED" };
    println!("{}ci: tests: {name}: {} {word}, {seconds:.1} s", tried.told, tried.n_passed);
    Ok(tried)
}

fn judged(output: &Output) -> Tried {
    let [text, errors] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let is_success = output.status.success();
    let told = if is_success { String::new() } else { format!("{text}{errors}") };
    Tried { is_success, n_passed: n_passed(&text), told }
}

/// From the line that a test executable closes with: `test result: ok. 12 passed; 0 failed; …`.
fn n_passed(text: &str) -> usize {
    let lines = text.lines().filter_map(|line| line.strip_prefix("test result: "));
    let counts = lines.filter_map(|line| {
        line.split_once(" passed;")?.0.rsplit(' ').next()?.parse::<usize>().ok()
    });
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Tried {
        judged(&Command::new("sh").args(["-c", text]).output().expect("there is a shell"))
    }

    #[test]
    fn what_passed_is_counted_and_what_failed_is_told_whole() {
        let good = shell("echo 'test result: ok. 12 passed; 0 failed; 1 ignored'");
        assert!(good.is_success && good.told.is_empty());
        assert_eq!(good.n_passed, 12);
        let bad = shell("echo some words; echo others >&2; exit 101");
        assert!(!bad.is_success);
        assert_eq!(bad.told, "some words\nothers\n");
    }

    #[test]
    fn only_closing_lines_are_counted() {
        assert_eq!(n_passed("test result: ok. 3 passed; 0 failed\n5 passed; x\n"), 3);
        assert_eq!(n_passed("nothing"), 0);
    }
}
