//! Seeded bugs: `cargo xtask mutants` plants each one in a copy of the tree and sees that the tests catch it.
//! Why: a checker is only as good as the tests that would notice it being wrong. The list is data
//! (`xtask/mutations.txt`), so adding a bug is adding a paragraph.
//! Invariant: `check_list` (part of tidy) keeps every entry applicable: its text stands in its file exactly once.
//! A mutant that does not compile is an error of the list, not a catch.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One seeded bug.
#[derive(Debug)]
struct Mutation {
    name: String,
    file: String,
    find: String,
    replace: String,
    /// Arguments of `cargo test` that must fail.
    test: String,
}

/// Plants the bugs whose names contain one of `filters` (all, if there are none) and runs their tests.
pub fn run(root: &Path, filters: &[String]) -> Result<()> {
    let mutations: Vec<_> = read_list(root)?
        .into_iter()
        .filter(|m| filters.is_empty() || filters.iter().any(|f| m.name.contains(f.as_str())))
        .collect();
    ensure!(!mutations.is_empty(), "no mutation has such a name");
    let tree = copy_tree(root)?;
    let mut missed = Vec::new();
    for (i, mutation) in mutations.iter().enumerate() {
        let caught = try_mutation(&tree, mutation).with_context(|| mutation.name.clone())?;
        let word = if caught { "caught" } else { "MISSED" };
        println!("{:>3}/{} {word}  {}  ({})", i + 1, mutations.len(), mutation.name, mutation.file);
        if !caught {
            missed.push(mutation.name.as_str());
        }
    }
    println!("{} of {} seeded bugs caught", mutations.len() - missed.len(), mutations.len());
    ensure!(missed.is_empty(), "missed: {}", missed.join(", "));
    Ok(())
}

/// Sees that every mutation can still be planted; returns how many there are.
pub fn check_list(root: &Path) -> Result<usize> {
    let mutations = read_list(root)?;
    for mutation in &mutations {
        let text = fs::read_to_string(root.join(&mutation.file))
            .with_context(|| format!("{}: no file {}", mutation.name, mutation.file))?;
        let n = text.matches(&mutation.find).count();
        ensure!(
            n == 1,
            "xtask/mutations.txt: {}: its text stands {n} times in {}, not once",
            mutation.name,
            mutation.file
        );
    }
    Ok(mutations.len())
}

fn try_mutation(tree: &Path, mutation: &Mutation) -> Result<bool> {
    let path = tree.join(&mutation.file);
    let original = fs::read_to_string(&path)?;
    ensure!(original.matches(&mutation.find).count() == 1, "its text does not stand there once");
    fs::write(&path, original.replace(&mutation.find, &mutation.replace))?;
    let outcome = (|| {
        if !cargo_test(tree, &mutation.test, true)? {
            bail!("does not compile: mend the entry in xtask/mutations.txt");
        }
        Ok(!cargo_test(tree, &mutation.test, false)?)
    })();
    fs::write(&path, original)?;
    outcome
}

/// How long tests may run before a bug counts as one that makes them hang, which is a way of being caught.
const TEST_TIME_MAX: Duration = Duration::from_secs(240);

fn cargo_test(tree: &Path, arguments: &str, only_build: bool) -> Result<bool> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(tree).arg("test").arg("--quiet");
    let (options, filters) = arguments.split_once(" -- ").unwrap_or((arguments, ""));
    command.args(options.split_whitespace());
    if only_build {
        command.arg("--no-run");
    } else if !filters.is_empty() {
        command.arg("--").args(filters.split_whitespace());
    }
    command.env("CARGO_TARGET_DIR", tree.with_file_name("build"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if only_build {
        return Ok(command.status().context("cargo does not start")?.success());
    }
    // A group of its own, so that the tests end with the cargo that runs them.
    let mut child = command.process_group(0).spawn().context("cargo does not start")?;
    let started = Instant::now();
    while started.elapsed() < TEST_TIME_MAX {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
    child.wait()?;
    Ok(false)
}

/// A copy of the tracked files under `target/mutants/tree`.
fn copy_tree(root: &Path) -> Result<PathBuf> {
    let tree = root.join("target/mutants/tree");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    let listed = Command::new("git").current_dir(root).arg("ls-files").output()?;
    for file in String::from_utf8(listed.stdout)?.lines() {
        let to = tree.join(file);
        fs::create_dir_all(to.parent().expect("below the tree"))?;
        fs::copy(root.join(file), to).with_context(|| format!("cannot copy {file}"))?;
    }
    Ok(tree)
}

/// Paragraphs of `key: value` lines; a line that starts with `|` goes on with the value above it.
fn read_list(root: &Path) -> Result<Vec<Mutation>> {
    let text = fs::read_to_string(root.join("xtask/mutations.txt"))?;
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = lines.split(|line| line.trim().is_empty()).filter(|p| !p.is_empty());
    paragraphs.map(read_mutation).collect()
}

fn read_mutation(paragraph: &[&str]) -> Result<Mutation> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in paragraph {
        if let Some(more) = line.strip_prefix('|') {
            let (_, value) = fields.last_mut().context("a paragraph starts with `|`")?;
            value.push('\n');
            value.push_str(more);
        } else {
            let (key, value) = line.split_once(": ").with_context(|| format!("no key: {line}"))?;
            fields.push((key.to_owned(), value.to_owned()));
        }
    }
    let take = |key: &str| {
        let field = fields.iter().find(|(k, _)| k == key);
        field.map(|(_, v)| v.clone()).with_context(|| format!("no `{key}:` in {paragraph:?}"))
    };
    Ok(Mutation {
        name: take("name")?,
        file: take("file")?,
        find: take("find")?,
        replace: take("replace")?,
        test: take("test")?,
    })
}
