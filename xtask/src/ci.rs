//! `cargo xtask ci`: everything that must pass, cheapest first, saying what it does and how long it took.

use crate::{cargo, tidy};
use anyhow::Result;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

pub(crate) fn run(root: &Path) -> Result<()> {
    let started = Instant::now();
    step("format", || cargo(root, &["fmt", "--all", "--check"]))?;
    step("tidy", || tidy::run(root))?;
    step("lints", || {
        let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        cargo(root, &lints)
    })?;
    step("tests", || cargo(root, &["test", "--workspace", "--quiet"]))?;
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

fn has_cargo_deny() -> bool {
    let mut version = Command::new("cargo-deny");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
