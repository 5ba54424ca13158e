//! The same programs on a real Erlang, where one is installed: no run may come to an outcome that the engines do not have.
//! Pids, references and funs are written as names; processes that only we can name are left out on both sides.

use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

const HARNESS: &str = include_str!("harness.erl");

/// Whether there is an Erlang to ask.
pub(crate) fn is_installed() -> bool {
    let mut version = Command::new("erl");
    version.arg("-version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|it| it.success())
}

/// The outcomes of so many runs of each program, by its number.
pub(crate) fn outcomes(
    folder: &Path,
    programs: &[(usize, Program)],
    times: usize,
) -> std::io::Result<BTreeMap<usize, BTreeSet<String>>> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("harness.erl"), HARNESS)?;
    let mut numbers = Vec::new();
    for (number, program) in programs {
        std::fs::write(folder.join(format!("m_{number}.erl")), program.module("m"))?;
        numbers.push(format!("{{{number},{}}}", if program.waits() { 12 } else { 0 }));
    }
    let started = Command::new("erlc").arg("harness.erl").current_dir(folder).status()?;
    assert!(started.success(), "the harness compiles");
    let call = format!("harness:main(\".\", [{}], {times}).", numbers.join(","));
    let output = Command::new("erl")
        .args(["-noshell", "-pa", ".", "+S", "4:4", "+sbwt", "none", "-eval", &call])
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()?;
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((number, text)) = line.split_once(' ') else { continue };
        let Ok(number) = number.parse() else { continue };
        found.entry(number).or_default().insert(text.replace("\\n", "\n"));
    }
    Ok(found)
}
