//! What came of the bugs, for a person: on the terminal, and in `docs/mutations.md` below a mark.

use super::mechanical::{SOURCES, line_at};
use super::options::Options;
use super::results::Verdict;
use super::survivors::{self, Survivor};
use super::work::{Summary, Tried};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const DOCUMENT: &str = "docs/mutations.md";

/// Everything below this line of the document is written by `--write`.
const MARK: &str = "<!-- written by `cargo xtask mutants --write` from here on -->\n";

/// Says how many were caught and which were not.
pub(super) fn print(root: &Path, options: &Options, summary: &Summary) -> Result<()> {
    println!("{}", figures(options, summary));
    let explained = survivors::read(root)?;
    for it in summary.mechanical.iter().filter(|it| it.is_wrong()) {
        let why = reason(root, &explained, it)?;
        println!(
            "survives: {}  {}\n    {}",
            it.name(),
            it.mutant.breaks,
            why.unwrap_or("NOT EXPLAINED")
        );
    }
    Ok(())
}

/// Writes the tables into the document.
pub(super) fn write(root: &Path, options: &Options, summary: &Summary) -> Result<()> {
    let path = root.join(DOCUMENT);
    let old = fs::read_to_string(&path)?;
    let end = old
        .find(MARK)
        .context("docs/mutations.md has lost the mark below which the table stands")?;
    let mut text = old[..end + MARK.len()].to_owned();
    let commit = commit(root)?;
    let figures = figures(options, summary);
    write!(text, "\n## Last run\n\nOn the tree of commit {commit}. {figures}\n\n")?;
    text.push_str("### Listed\n\n| bug | crate | what it breaks | caught by | seconds |\n|---|---|---|---|---:|\n");
    for it in &summary.listed {
        let (name, room, breaks) = (it.name(), it.mutant.room(), cell(&it.mutant.breaks));
        writeln!(
            text,
            "| {name} | {room} | {breaks} | {} | {:.0} |",
            caught_by(it),
            it.outcome.seconds
        )?;
    }
    if !summary.mechanical.is_empty() {
        drawn(root, summary, &mut text)?;
    }
    fs::write(path, text)?;
    Ok(())
}

fn drawn(root: &Path, summary: &Summary, text: &mut String) -> Result<()> {
    text.push_str(
        "\n### Drawn\n\n| no. | place | change | caught by | seconds |\n|---:|---|---|---|---:|\n",
    );
    let explained = survivors::read(root)?;
    let mut survivors = String::new();
    for (number, it) in numbered(&summary.mechanical) {
        let (name, change) = (it.name(), cell(&it.mutant.breaks));
        writeln!(
            text,
            "| {number} | {name} | {change} | {} | {:.0} |",
            caught_by(it),
            it.outcome.seconds
        )?;
        if it.is_wrong() {
            let why = reason(root, &explained, it)?.unwrap_or("not explained yet");
            writeln!(survivors, "- {number}, {name}, {}: {why}", it.mutant.breaks)?;
        }
    }
    if !survivors.is_empty() {
        write!(text, "\n### Survivors\n\n{survivors}")?;
    }
    Ok(())
}

/// The numbers of drawn bugs: crates take turns, so that a longer draw begins like a shorter one.
fn numbered(tried: &[Tried]) -> Vec<(usize, &Tried)> {
    let mut n_seen = [0; SOURCES.len()];
    let mut numbered: Vec<(usize, &Tried)> = Vec::new();
    for it in tried {
        let place = SOURCES.iter().position(|source| source.room == it.mutant.room()).unwrap_or(0);
        numbered.push((n_seen[place] * SOURCES.len() + place + 1, it));
        n_seen[place] += 1;
    }
    numbered.sort_by_key(|it| it.0);
    numbered
}

fn figures(options: &Options, summary: &Summary) -> String {
    let caught = |all: &[Tried]| all.iter().filter(|it| !it.is_wrong()).count();
    let all = || summary.listed.iter().chain(&summary.mechanical);
    let mut text =
        format!("{} of {} listed bugs caught", caught(&summary.listed), summary.listed.len());
    if !summary.mechanical.is_empty() {
        let (n_caught, n) = (caught(&summary.mechanical), summary.mechanical.len());
        let (seed, n_redrawn) = (options.seed, summary.n_redrawn);
        let _ = write!(
            text,
            "; {n_caught} of {n} drawn with seed {seed} caught ({n_redrawn} more did not compile and were drawn again)"
        );
    }
    let minutes = |seconds: f64| seconds / 60.0;
    let wall: f64 = all().map(|it| it.outcome.seconds).sum();
    let work: f64 = all().map(|it| it.outcome.work_seconds).sum();
    let _ = write!(
        text,
        ". Their trials took {:.0} minutes one after the other, {:.0} of processor time.",
        minutes(wall),
        minutes(work)
    );
    if summary.n_left > 0 {
        let _ = write!(text, " This run is not whole: {} are still to be tried.", summary.n_left);
    }
    text
}

fn caught_by(tried: &Tried) -> String {
    match &tried.outcome.verdict {
        Verdict::Caught { by, test } => {
            let by = by.trim_start_matches("-p foresee-");
            test.as_ref().map_or_else(|| by.to_owned(), |test| format!("{by}: {}", cell(test)))
        }
        Verdict::Late { by } => format!("{}, by time", by.trim_start_matches("-p foresee-")),
        Verdict::Missed => "**nothing**".to_owned(),
        Verdict::Broken(_) => "**does not compile**".to_owned(),
    }
}

/// Why a drawn bug survives, if that is written down.
fn reason<'s>(root: &Path, explained: &'s [Survivor], tried: &Tried) -> Result<Option<&'s str>> {
    let text = fs::read_to_string(root.join(&tried.mutant.file))?;
    let line = line_at(&text, tried.mutant.at);
    let found = explained.iter().find(|it| it.explains(&tried.mutant, line));
    Ok(found.map(|it| it.why.as_str()))
}

/// Text within a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn commit(root: &Path) -> Result<String> {
    let words = ["describe", "--always", "--dirty", "--abbrev=10"];
    let output = Command::new("git").current_dir(root).args(words).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
