//! `kill-and-resume`: a search on disk is killed at random moments and taken up again; the answer must be that of a search that ran through.
//! Why a chore and no test: it waits for real processes, and a kill that comes too early or too late tries nothing. Power cuts and
//! full disks are tests of `foresee-stateful`, on a disk in memory.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const USUAL: [&str; 2] = ["two-phase-commit", "rms=6"];

/// `[--times N] [--seed N] [--binary PATH] [WHAT …]`
pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let (mut times, mut seed, mut binary) = (20u64, 1u64, None);
    let mut what: Vec<String> = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--times" => times = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--binary" => binary = Some(value()?.into()),
            _ => what.push(word.clone()),
        }
    }
    if what.is_empty() {
        what = USUAL.map(str::to_owned).into();
    }
    let binary = match binary {
        Some(binary) => binary,
        None => {
            let built = Command::new("cargo")
                .args(["build", "--release", "-p", "foresee", "--bin", "foresee"])
                .current_dir(root)
                .status()?;
            ensure!(built.success(), "the build failed");
            root.join("target/release/foresee")
        }
    };
    let place = std::env::temp_dir().join(format!("foresee-kill-{}", std::process::id()));
    let started = Instant::now();
    let expected = answer(&run_through(&binary, &what, "--disk", &place.join("whole"))?)?;
    let whole = started.elapsed();
    println!("{}: {expected} in {whole:.1?}", what.join(" "));
    let (mut n_kills, mut draw) = (0, seed);
    for time in 1..=times {
        let directory = place.join(time.to_string());
        let mut flag = "--disk";
        // Two kills, one after the other; what is left of the second run may be short.
        for part in [1, 2] {
            draw = draw
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let after =
                whole.mul_f64((draw >> 33) as f64 / f64::from(u32::MAX >> 1) / f64::from(part));
            let mut child =
                command(&binary, &what, flag, &directory).stdout(Stdio::null()).spawn()?;
            std::thread::sleep(after);
            if child.try_wait()?.is_none() {
                child.kill()?;
                n_kills += 1;
            }
            child.wait()?;
            flag = if directory.join("manifest").exists() { "--resume" } else { "--disk" };
        }
        let found = answer(&run_through(&binary, &what, flag, &directory)?)?;
        ensure!(
            found == expected,
            "time {time}: {found} after a kill, {expected} without; see {}",
            directory.display()
        );
        println!("{time}: the same");
    }
    std::fs::remove_dir_all(&place)?;
    println!("{times} searches, {n_kills} kills: the same answer every time");
    Ok(())
}

fn command(binary: &Path, what: &[String], flag: &str, directory: &Path) -> Command {
    let mut command = Command::new(binary);
    command.arg("check").args(what).arg(flag).arg(directory);
    command.args(["--format", "json", "--quiet", "--trace"]).arg(directory.with_extension("trace"));
    command.stderr(Stdio::null());
    command
}

fn run_through(binary: &Path, what: &[String], flag: &str, directory: &Path) -> Result<String> {
    let told = command(binary, what, flag, directory).output()?;
    let text = String::from_utf8(told.stdout)?;
    if !matches!(told.status.code(), Some(0 | 1)) {
        bail!("{flag} {}: {text}", directory.display());
    }
    Ok(text)
}

/// What must be the same: verdict, counts, and what was found in how many steps.
fn answer(text: &str) -> Result<String> {
    let report: serde_json::Value = serde_json::from_str(text)?;
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let violations =
        violations.iter().map(|it| format!("{} {} {}", it["kind"], it["property"], it["steps"]));
    let violations: Vec<String> = violations.collect();
    let [verdict, states, transitions, depth] =
        ["verdict", "states", "transitions", "depth"].map(|field| report[field].to_string());
    Ok(format!(
        "{verdict}, {states} states, {transitions} transitions, depth {depth} [{}]",
        violations.join(", ")
    ))
}
