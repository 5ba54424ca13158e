//! `cargo xtask zoo [LAB|ID …] [--all-tests] [--unguided] [--print LAB] [--times LAB [ID]]`: every bug of the labs' zoos against the lab's own tests.
//! Prints, for each bug, the first test that finds it, the property, the kind of test, the steps of the run that shows it and the processor time;
//! innocent variants must pass every test. `--unguided` adds whether breadth-first search and random walks from the start find it in the world of the
//! test that did (the standard world, where that test was no search). `--all-tests` lists every test that finds a bug. `--print LAB` prints a reference without its zoo.
//! `--times LAB [ID]` lists every test with what it says and the processor time it takes, on the reference or with one bug.
//! `--bench [--table] [--walks SECONDS]` measures (`bench`).
//! Exit code 1 if a bug is not found or an innocent variant is.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints a table")]
#![allow(clippy::disallowed_methods, reason = "an edge: it reads its arguments")]

mod bench;
mod unguided;

use foresee_labs::{ReferenceLab, Specimen, SpecimenKind, Status, Switch, carry_out, hunt};
use nix::sys::resource::{UsageWho, getrusage};
use std::process::ExitCode;
use std::time::Duration;

/// What one bug may cost.
const CPU_MAX: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, lab] = &words[..]
        && flag == "--print"
    {
        return print_reference(lab);
    }
    if let [flag, rest @ ..] = &words[..]
        && flag == "--bench"
    {
        bench::run(rest);
        return ExitCode::SUCCESS;
    }
    if let [flag, lab, rest @ ..] = &words[..]
        && flag == "--times"
    {
        return times(lab, rest.first().map_or("reference", |id| id));
    }
    let is_wanted = |lab: &str, id: &str| {
        let mut names = words.iter().filter(|word| !word.starts_with("--")).peekable();
        names.peek().is_none() || names.any(|name| name == lab || name == id)
    };
    let all_tests = words.iter().any(|word| word == "--all-tests");
    let mut is_fine = true;
    let is_unguided = words.iter().any(|word| word == "--unguided");
    let [more, line] =
        if is_unguided { [" breadth first | walks |", "---|---|"] } else { ["", ""] };
    println!("| lab | bug | kind | found by | category | property | steps | CPU s |{more}");
    println!("|---|---|---|---|---|---|---|---|{line}");
    for reference in references() {
        if is_wanted(reference.id, "reference") {
            is_fine &= reference_passes(&reference);
        }
        for specimen in reference.zoo.iter().filter(|it| is_wanted(reference.id, it.id)) {
            is_fine &= match all_tests {
                true => every_test(&reference, specimen),
                false => first_test(&reference, specimen, is_unguided),
            };
        }
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn references() -> Vec<ReferenceLab> {
    vec![
        foresee_lab0::reference(),
        foresee_lab1::reference(),
        foresee_lab2::reference(),
        foresee_lab3::reference(),
        foresee_lab4::reference(),
        foresee_lab5::reference(),
        foresee_lab6::reference(),
    ]
}

fn reference_passes(reference: &ReferenceLab) -> bool {
    let start = processor_time();
    let lab = (reference.make)(Switch::off());
    let mut failed = lab.tests.iter().filter_map(|test| {
        let result = carry_out(&reference.plain_name(), test, 0);
        (result.status != Status::Passed).then_some(result)
    });
    let first = failed.next();
    let told = first
        .as_ref()
        .map_or_else(|| "passes".to_owned(), |result| format!("FAILS {}", result.number));
    row(reference.id, "reference", '-', &told, "", "", 0, processor_time() - start);
    first.is_none()
}

/// The first test that finds it.
fn first_test(reference: &ReferenceLab, specimen: &Specimen, is_unguided: bool) -> bool {
    let start = processor_time();
    let found = hunt(reference, specimen, 0, |_| true);
    let spent = processor_time() - start;
    let letter = specimen.kind.letter();
    let is_innocent = specimen.kind == SpecimenKind::Innocent;
    match &found {
        Some(found) => {
            let categories: Vec<&str> =
                found.result.categories.iter().map(|it| it.word()).collect();
            let property = found.result.property.as_deref().unwrap_or_default();
            let number =
                format!("{}{}", if is_innocent { "WRONGLY " } else { "" }, found.result.number);
            let more = match is_unguided {
                true => unguided::columns(reference, specimen, found.result.number),
                false => String::new(),
            };
            println!(
                "{}{more}",
                row_text(
                    reference.id,
                    specimen.id,
                    letter,
                    &number,
                    &categories.join(", "),
                    property,
                    found.steps(),
                    spent,
                )
            );
        }
        None => {
            let told = if is_innocent { "passes" } else { "NOT FOUND" };
            row(reference.id, specimen.id, letter, told, "", "", 0, spent);
        }
    }
    found.is_none() == is_innocent && (is_innocent || spent <= CPU_MAX)
}

/// Every test that finds it.
fn every_test(reference: &ReferenceLab, specimen: &Specimen) -> bool {
    let lab = (reference.make)(Switch::on(specimen.id));
    let start = processor_time();
    let results = lab.tests.iter().map(|test| carry_out(&reference.system_name(specimen), test, 0));
    let failed: Vec<String> = results
        .filter(|result| result.status != Status::Passed)
        .map(|result| result.number.to_string())
        .collect();
    let is_innocent = specimen.kind == SpecimenKind::Innocent;
    let letter = specimen.kind.letter();
    row(reference.id, specimen.id, letter, &failed.join(" "), "", "", 0, processor_time() - start);
    failed.is_empty() == is_innocent
}

/// Every test of one lab on its reference, or with one bug.
fn times(lab: &str, id: &str) -> ExitCode {
    let Some(reference) = references().into_iter().find(|it| it.id == lab) else {
        eprintln!("there is no lab `{lab}`");
        return ExitCode::from(2);
    };
    let specimen = reference.zoo.iter().find(|it| it.id == id);
    let name = specimen.map_or(reference.plain_name(), |it| reference.system_name(it));
    let made = (reference.make)(specimen.map_or(Switch::off(), |it| Switch::on(it.id)));
    let first = processor_time();
    for test in &made.tests {
        let start = processor_time();
        let result = carry_out(&name, test, 0);
        let spent = (processor_time() - start).as_secs_f64();
        let steps = result.trace.as_ref().map_or(0, |trace| trace.events.len());
        println!(
            "{:>6} {spent:7.2} s  {:<7} {} [{steps} steps] {} {}",
            test.number.to_string(),
            result.status.word(),
            test.name,
            result.property.unwrap_or_default(),
            result.message.replace('\n', " ")
        );
    }
    println!("{:>6} {:7.2} s", "all", (processor_time() - first).as_secs_f64());
    ExitCode::SUCCESS
}

#[expect(clippy::too_many_arguments, reason = "a row of the table")]
fn row(
    lab: &str,
    id: &str,
    kind: char,
    found_by: &str,
    category: &str,
    property: &str,
    steps: usize,
    spent: Duration,
) {
    println!("{}", row_text(lab, id, kind, found_by, category, property, steps, spent));
}

#[expect(clippy::too_many_arguments, reason = "a row of the table")]
fn row_text(
    lab: &str,
    id: &str,
    kind: char,
    found_by: &str,
    category: &str,
    property: &str,
    steps: usize,
    spent: Duration,
) -> String {
    let spent = spent.as_secs_f64();
    format!(
        "| {lab} | {id} | {kind} | {found_by} | {category} | {property} | {steps} | {spent:.2} |"
    )
}

fn print_reference(lab: &str) -> ExitCode {
    let Some(text) = reference_text(lab) else {
        eprintln!("there is no lab `{lab}`: give lab0, lab1, lab2, lab3, lab4, lab5 or lab6");
        return ExitCode::from(2);
    };
    print!("{}", foresee_labs::without_zoo(text));
    ExitCode::SUCCESS
}

/// The source of a reference, zoo and all.
fn reference_text(lab: &str) -> Option<&'static str> {
    match lab {
        "lab0" => Some(include_str!("../../lab0-ping/src/reference.rs")),
        "lab1" => Some(include_str!("../../lab1-exactly-once/src/reference.rs")),
        "lab2" => Some(include_str!("../../lab2-primary-backup/src/reference.rs")),
        "lab3" => Some(include_str!("../../lab3-paxos/src/reference.rs")),
        "lab4" => Some(concat!(
            include_str!("../../lab4-sharded-store/src/reference.rs"),
            include_str!("../../lab4-sharded-store/src/reference/master.rs"),
            include_str!("../../lab4-sharded-store/src/reference/holdings.rs"),
            include_str!("../../lab4-sharded-store/src/reference/transactions.rs"),
            include_str!("../../lab4-sharded-store/src/reference/server.rs"),
            include_str!("../../lab4-sharded-store/src/reference/client.rs"),
        )),
        "lab5" => Some(include_str!("../../lab5-recovery/src/reference.rs")),
        "lab6" => Some(include_str!("../../lab6-chain-repair/src/reference.rs")),
        _ => None,
    }
}

/// The most memory that this process has held, in bytes.
fn most_memory() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("every process has it");
    usage.max_rss() as u64 * 1024
}

fn processor_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("every process has it");
    let of = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
    };
    of(usage.user_time()) + of(usage.system_time())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_whole_without_their_zoos() {
        for reference in references() {
            let text = reference_text(reference.id).expect("every lab has a reference");
            let plain = foresee_labs::without_zoo(text);
            let count = |mark: char| plain.chars().filter(|it| *it == mark).count();
            assert_eq!(count('{'), count('}'), "{}", reference.id);
            assert!(!plain.contains("zoo") && !plain.contains("self.bug"), "{}", reference.id);
        }
    }
}
