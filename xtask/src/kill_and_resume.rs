//! `kill-and-resume`: a search on disk is killed at random moments and taken up again; the answer must be that of a search that ran through.
//! With `--processes N` it is one by several processes: one of them is killed, or all, and another number of them goes on.
//! Why a chore and no test: it waits for real processes, and a kill that comes too early or too late tries nothing. Power cuts,
//! full disks and lost workers are tests of `foresee-stateful`, on disks in memory.

use anyhow::{Context, Result, bail, ensure};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const USUAL: [&str; 2] = ["two-phase-commit", "rms=6"];
/// How long the others may take to end when one process is gone.
const END_MAX: Duration = Duration::from_secs(20);

/// What is killed and taken up.
struct Trial {
    binary: PathBuf,
    what: Vec<String>,
    /// 0 for a search by one process on disk.
    processes: u64,
    draw: u64,
    n_kills: u32,
    n_losses: u32,
}

/// `[--times N] [--seed N] [--processes N] [--binary PATH] [WHAT …]`
pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let (options, mut what) =
        command_line(words, &["--times", "--seed", "--processes", "--binary"])?;
    let option = |name: &str| options.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    let number = |name: &str, usual: u64| -> Result<u64> {
        option(name).map_or(Ok(usual), |it| it.parse().with_context(|| format!("{name} {it}")))
    };
    let (times, seed, processes) =
        (number("--times", 20)?, number("--seed", 1)?, number("--processes", 0)?);
    if what.is_empty() {
        what = USUAL.map(str::to_owned).into();
    }
    let binary = binary(root, option("--binary"))?;
    let place = std::env::temp_dir().join(format!("foresee-kill-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let mut trial = Trial { binary, what, processes, draw: seed, n_kills: 0, n_losses: 0 };
    let started = Instant::now();
    let expected =
        trial.run_through("--disk", &place.join("whole"))?.context("it did not begin")?;
    let whole = started.elapsed();
    println!("{}: {} in {whole:.1?}", trial.what.join(" "), expected.0);
    for time in 1..=times {
        let directory = place.join(time.to_string());
        let mut flag = "--disk";
        // Two kills, one after the other; what is left of the second run may be short.
        for part in [1, 2] {
            let after = whole.mul_f64(trial.random() / f64::from(part));
            trial.kill_after(after, flag, &directory)?;
            flag = "--resume";
        }
        let found = match trial.run_through("--resume", &directory)? {
            Some(found) => found,
            // Nothing was saved before the first kill.
            None => {
                std::fs::remove_dir_all(&directory)?;
                trial.run_through("--disk", &directory)?.context("it did not begin")?
            }
        };
        ensure!(
            found == expected,
            "time {time}: {} after a kill, {} without; see {}",
            found.0,
            expected.0,
            directory.display()
        );
        println!("{time}: the same");
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::remove_dir_all(&place)?;
    let (kills, losses) = (trial.n_kills, trial.n_losses);
    println!(
        "{times} searches, {kills} kills ({losses} of one process among several): the same answer every time"
    );
    Ok(())
}

impl Trial {
    /// From 0 to 1.
    fn random(&mut self) -> f64 {
        self.draw = self
            .draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.draw >> 33) as f64 / f64::from(u32::MAX >> 1)
    }

    fn command(&mut self, flag: &str, directory: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("check").args(&self.what).arg(flag).arg(directory);
        if self.processes > 0 {
            // Others than before go on: from one to as many as were asked for and one.
            let processes = match flag {
                "--disk" => self.processes,
                _ => 1 + (self.random() * self.processes as f64) as u64,
            };
            command.args(["--threads", "1", "--processes", &processes.to_string()]);
        }
        command.args(["--format", "json", "--quiet", "--trace"]);
        command.arg(directory.with_extension("trace"));
        command.stderr(Stdio::null()).process_group(0);
        command
    }

    /// Begins a search and kills it, or one of its processes.
    fn kill_after(&mut self, after: Duration, flag: &str, directory: &Path) -> Result<()> {
        let mut child = self.command(flag, directory).stdout(Stdio::null()).spawn()?;
        std::thread::sleep(after);
        if child.try_wait()?.is_none() {
            self.n_kills += 1;
            let members = members(child.id());
            let chosen = (self.random() * (members.len() + 2) as f64) as usize;
            match members.get(chosen) {
                Some(member) => {
                    self.n_losses += 1;
                    kill(&member.to_string())?;
                    let code = end(&mut child)?;
                    ensure!(
                        matches!(code, Some(0..=2)),
                        "a process was killed, and the first ends with {code:?}"
                    );
                }
                // The first alone, and the others must notice; or all at once.
                None if chosen == members.len() && !members.is_empty() => {
                    self.n_losses += 1;
                    child.kill()?;
                    child.wait()?;
                    let started = Instant::now();
                    while members.iter().any(|it| is_there(*it)) {
                        ensure!(started.elapsed() < END_MAX, "processes outlive the first one");
                        std::thread::sleep(Duration::from_millis(20));
                    }
                }
                None => {
                    kill(&format!("-{}", child.id()))?;
                    child.wait()?;
                }
            }
        }
        child.wait()?;
        Ok(())
    }

    /// Lets a search come to its end: its answer and the trace, or nothing if there was none to take up.
    fn run_through(&mut self, flag: &str, directory: &Path) -> Result<Option<(String, Vec<u8>)>> {
        let told = self.command(flag, directory).stderr(Stdio::piped()).output()?;
        let text = String::from_utf8(told.stdout)?;
        let errors = String::from_utf8_lossy(&told.stderr);
        if flag == "--resume" && (text.contains("E0052") || errors.contains("E0052")) {
            return Ok(None);
        }
        if !matches!(told.status.code(), Some(0 | 1)) {
            bail!("{flag} {}: {text}{errors}", directory.display());
        }
        let trace = std::fs::read(directory.with_extension("trace")).unwrap_or_default();
        Ok(Some((answer(&text)?, trace)))
    }
}

/// The processes that a process has started.
fn members(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn is_there(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // One that has ended and is not waited for is gone, too.
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn kill(whom: &str) -> Result<()> {
    // One that has just ended by itself is no mistake.
    Command::new("kill").args(["-9", "--", whom]).stderr(Stdio::null()).status()?;
    Ok(())
}

fn end(child: &mut Child) -> Result<Option<i32>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if started.elapsed() > END_MAX {
            kill(&format!("-{}", child.id()))?;
            bail!("a process was killed, and the first does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Options, each with its value.
type Options = Vec<(String, String)>;

/// Options with a value each, and the other words.
pub(crate) fn command_line(words: &[String], known: &[&str]) -> Result<(Options, Vec<String>)> {
    let (mut options, mut others, mut words) = (Vec::new(), Vec::new(), words.iter());
    while let Some(word) = words.next() {
        if known.contains(&word.as_str()) {
            let value = words.next().with_context(|| format!("{word} needs a value"))?;
            options.push((word.clone(), value.clone()));
        } else {
            others.push(word.clone());
        }
    }
    Ok((options, others))
}

/// The program that is tried: the one that was named, or the stock binary, built.
pub(crate) fn binary(root: &Path, named: Option<String>) -> Result<PathBuf> {
    if let Some(path) = named {
        return Ok(path.into());
    }
    let built = Command::new("cargo")
        .args(["build", "--release", "-p", "foresee", "--bin", "foresee"])
        .current_dir(root)
        .status()?;
    ensure!(built.success(), "the build failed");
    Ok(root.join("target/release/foresee"))
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
