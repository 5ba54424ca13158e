//! `cargo xtask ci`: everything that must pass, cheapest first, saying what it does and how long it took.

use crate::{cargo, tidy, web};
use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

pub(crate) fn run(root: &Path) -> Result<()> {
    let started = Instant::now();
    step("format", || cargo(root, &["fmt", "--all", "--check"]))?;
    step("tidy", || tidy::run(root))?;
    // Building takes minutes when it starts cold, so cargo names each crate as it gets there.
    step("lints", || {
        cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
    })?;
    step("building the tests", || cargo(root, &["test", "--workspace", "--no-run"]))?;
    step("tests", || tests(root))?;
    // What is no default: certificates, and those who are not let in.
    step("TLS", || {
        cargo(
            root,
            &["test", "--quiet", "-p", "foresee-runtime", "--features", "tls", "--test", "tls"],
        )
    })?;
    step("web", || web::test(root))?;
    if has_cargo_deny() {
        step("licences", || cargo(root, &["deny", "--offline", "check", "licenses", "bans"]))?;
    } else {
        println!("ci: licences: skipped, cargo-deny is not installed");
    }
    println!("ci: all passed in {} s", started.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("ci: {name} …");
    let started = Instant::now();
    run()?;
    println!("ci: {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// All tests. Many of them start processes, sockets and clocks beside each other on whatever machine this is, so a target
/// that fails is tried once more by itself: what fails again is broken, what passes then is named as unsteady.
fn tests(root: &Path) -> Result<()> {
    let failed = failed_targets(root)?;
    for target in &failed {
        println!("ci: tests: `{target}` failed; once more, by itself …");
        cargo(root, &once_more(target))?;
    }
    if !failed.is_empty() {
        println!("ci: tests: UNSTEADY, passed only when tried again: {}", failed.join(", "));
    }
    Ok(())
}

/// How one target is tested again. A test file goes by its name in the whole workspace: with `-p` alone cargo would build
/// what the package leans on anew, with other features.
fn once_more(target: &str) -> Vec<&str> {
    let words = target.split(' ');
    match target.split_once(" --test ") {
        Some((_, file)) => vec!["test", "--workspace", "--test", file],
        None => ["test"].into_iter().chain(words).collect(),
    }
}

/// Runs all tests and gives the targets that failed, as the words that name them to cargo.
fn failed_targets(root: &Path) -> Result<Vec<String>> {
    let arguments = ["test", "--workspace", "--quiet", "--no-fail-fast"];
    let mut child = crate::cargo_command(root, &arguments)
        .stderr(Stdio::piped())
        .spawn()
        .context("cargo does not start")?;
    let mut failed = Vec::new();
    for line in BufReader::new(child.stderr.take().context("it is piped")?).lines() {
        let line = line?;
        eprintln!("{line}");
        failed.extend(target_of(&line).map(str::to_owned));
    }
    if !child.wait()?.success() && failed.is_empty() {
        bail!("`cargo {}` failed", arguments.join(" "));
    }
    Ok(failed)
}

/// The target that a line of cargo's last list of failures names: "    `-p foresee --test run`".
fn target_of(line: &str) -> Option<&str> {
    line.strip_prefix("    `")?.strip_suffix('`').filter(|words| words.starts_with("-p "))
}

fn has_cargo_deny() -> bool {
    let mut version = Command::new("cargo-deny");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{once_more, target_of};

    #[test]
    fn targets_are_read_from_the_list_alone() {
        assert_eq!(target_of("    `-p foresee --test run`"), Some("-p foresee --test run"));
        assert_eq!(target_of("    `-p foresee-lts --lib`"), Some("-p foresee-lts --lib"));
        assert_eq!(target_of("error: test failed, to rerun pass `-p foresee --test run`"), None);
        assert_eq!(target_of("error: 2 targets failed:"), None);
    }

    #[test]
    fn test_files_are_tried_again_as_they_were_built() {
        let files = once_more("-p foresee --test run");
        assert_eq!(files, ["test", "--workspace", "--test", "run"]);
        assert_eq!(once_more("-p foresee-lts --lib"), ["test", "-p", "foresee-lts", "--lib"]);
    }
}
