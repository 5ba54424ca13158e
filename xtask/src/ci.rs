//! `cargo xtask ci`: everything that must pass, cheapest first, saying what it does and how long it took.

use crate::{all_tests, cargo, tidy, web};
use anyhow::Result;
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
    let executables = step("building the tests", || all_tests::build(root))?;
    step("tests", || all_tests::run(root, &executables))?;
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

fn step<T>(name: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("ci: {name} …");
    let started = Instant::now();
    let made = run()?;
    println!("ci: {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    Ok(made)
}

fn has_cargo_deny() -> bool {
    let mut version = Command::new("cargo-deny");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
