//! The tests of a command: building them and running them one binary after the other.
//! Why not `cargo test` itself: the limits are for the tests and not for the compiler, and the first binary that fails is
//! enough. Examples in documents are not run: each is a program of its own to be linked.

use super::command::{self, Bounds, Ended, TEST_MEMORY_KIB};
use super::tree::Tree;
use crate::executables::{self, Executable};
use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::time::Duration;

/// Building takes minutes at most; this is for a compiler that does not end.
const BUILD_TIME_MAX: Duration = Duration::from_secs(1200);

/// A binary of tests.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    pub(super) executable: Executable,
    pub(super) filters: Vec<String>,
}

/// The binaries of a command, and the time it took to build them, or what the compiler says.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) binaries: Result<Vec<Binary>, String>,
    pub(super) work_seconds: f64,
}

/// Builds the tests of a command, with so many threads.
pub(super) fn build(tree: &Tree, command: &str, n_threads: usize) -> Result<Built> {
    let (arguments, filters) = command.split_once(" -- ").unwrap_or((command, ""));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut words = vec![cargo, "test".to_owned()];
    words.extend(arguments.split_whitespace().map(str::to_owned));
    words.extend(["--no-run", "--message-format=json", "--jobs"].map(str::to_owned));
    words.push(n_threads.to_string());
    let mut environment = vec![("CARGO_TARGET_DIR".to_owned(), text(&tree.target)?)];
    for (name, value) in [("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_INCREMENTAL", "1")] {
        environment.push((name.to_owned(), value.to_owned()));
    }
    let bounds = Bounds { time: BUILD_TIME_MAX, memory_kib: 0, enough: None };
    let ended = command::run(&words, &tree.folder, &tree.scratch, &environment, bounds)?;
    let work_seconds = ended.work_seconds;
    ensure!(!ended.is_late, "building `{command}` does not end");
    if !ended.is_success {
        return Ok(Built { binaries: Err(problem(&ended)), work_seconds });
    }
    let filters: Vec<String> = filters.split_whitespace().map(str::to_owned).collect();
    let binaries = binaries(&ended.stdout, arguments, &filters)?;
    ensure!(!binaries.is_empty(), "`{command}` has no tests");
    Ok(Built { binaries: Ok(binaries), work_seconds })
}

/// Runs a binary of tests, within a time.
pub(super) fn run(tree: &Tree, binary: &Binary, time: Duration, n_threads: usize) -> Result<Ended> {
    let folder = &binary.executable.folder;
    let mut words = vec![text(&binary.executable.path)?];
    words.extend(binary.filters.iter().cloned());
    words.push(format!("--test-threads={n_threads}"));
    let environment = [("CARGO_MANIFEST_DIR".to_owned(), text(folder)?)];
    let bounds = Bounds { time, memory_kib: TEST_MEMORY_KIB, enough: Some("... FAILED") };
    command::run(&words, folder, &tree.scratch, &environment, bounds)
}

/// The test that failed first, if the binary says so.
pub(super) fn failed(ended: &Ended) -> Option<&str> {
    let of_line =
        |line: &'_ str| -> Option<usize> { line.trim_end().strip_suffix("FAILED").map(str::len) };
    ended.stdout.lines().find_map(|line| {
        let line = line.strip_prefix("test ")?;
        let end = of_line(line)?;
        Some(line[..end].trim_end_matches([' ', '.']))
    })
}

/// The first error of the compiler.
fn problem(ended: &Ended) -> String {
    let messages = ended.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter(|it| it["message"]["level"] == "error");
    let first = errors.filter_map(|it| it["message"]["message"].as_str().map(str::to_owned)).next();
    first.unwrap_or_else(|| ended.stderr.lines().last().unwrap_or_default().to_owned())
}

/// What cargo has built, in an order of its own: packages as they are asked for, then units before integration.
fn binaries(output: &str, arguments: &str, filters: &[String]) -> Result<Vec<Binary>> {
    let asked: Vec<&str> = arguments.split_whitespace().collect();
    let mut found = executables::told_of(output)?;
    found.sort_by_cached_key(|it| {
        let place = asked.iter().position(|word| *word == it.package).unwrap_or(asked.len());
        (place, it.is_file_of_tests, it.name.clone())
    });
    let of = |executable| Binary { executable, filters: filters.to_vec() };
    Ok(found.into_iter().map(of).collect())
}

fn text(path: &std::path::Path) -> Result<String> {
    Ok(path.to_str().context("a path that is not text")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_stand_in_the_order_in_which_they_are_asked_for() {
        let artifact = |package: &str, kind: &str, name: &str| {
            format!(
                r#"{{"executable":"/x/{name}","package_id":"x#foresee-{package}@0.1.0","profile":{{"test":true}},"manifest_path":"/t/crates/{package}/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}}}}"#
            )
        };
        let lines = [
            artifact("trace", "test", "it"),
            artifact("session", "test", "workers"),
            artifact("session", "lib", "foresee_session"),
            r#"{"executable":null,"profile":{"test":false}}"#.to_owned(),
        ];
        let found =
            binaries(&lines.join("\n"), "-p foresee-session -p foresee-trace", &[]).unwrap();
        let names: Vec<&str> = found.iter().map(|it| it.executable.name.as_str()).collect();
        let (session, trace) = ("-p foresee-session", "-p foresee-trace --test it");
        assert_eq!(
            names,
            [format!("{session} --lib"), format!("{session} --test workers"), trace.into()]
        );
    }

    #[test]
    fn the_first_failure_has_a_name() {
        let stdout = "running 2 tests\ntest a::b ... ok\ntest c::d ... FAILED\n".to_owned();
        let ended = Ended {
            is_success: false,
            is_late: false,
            stdout,
            stderr: String::new(),
            work_seconds: 0.0,
        };
        assert_eq!(failed(&ended), Some("c::d"));
    }
}
