//! `sameness`: one search in memory, on disk and by several processes must give one answer.
//! Why a chore: searches of a million states by eight workers take minutes; small ones are tests (`crates/foresee/tests/cluster.rs`).
//! What is compared: in memory with one thread and two, and on disk with any crew, the whole report but for what is measured, and the bytes of the
//! trace; between the two, verdict, states, transitions and depth if it holds, what was found and in how many steps if it does not.

use crate::kill_and_resume::{binary, command_line};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const IN_MEMORY: [&str; 2] = ["--threads 1", "--threads 2"];
const BY_LEVELS: [&str; 5] = [
    "--disk {}",
    "--processes 2 --threads 1",
    "--processes 4 --threads 2",
    "--processes 1 --threads 8",
    "--processes 2 --threads 1 --disk {}",
];

/// Five processes with some million ways to be on their way.
const PROGRAM: &str = "-module(wide).
-export([test/0]).

test() ->
    [spawn(fun() -> count(7) end) || _ <- lists:seq(1, 5)],
    ok.

count(0) -> ok;
count(N) -> self() ! N, receive N -> count(N - 1) end.
";

/// A specification of philosophers, the last of whom takes the other fork first, so that all can eat.
fn philosophers(n: usize) -> String {
    let place = |at: usize| format!("p{}", at % n);
    let places: Vec<String> = (0..n).map(place).collect();
    let rules = (0..n).map(|at| {
        let (own, next) = (place(at), place(at + 1));
        let (first, second) = if at + 1 < n { (&own, &next) } else { (&next, &own) };
        format!("next({own}) = {next} first({own}) = {first} second({own}) = {second}\n")
    });
    let all = |name: &str| {
        let each: Vec<String> = places.iter().map(|place| format!("{name}({place})")).collect();
        each.join(" || ")
    };
    format!(
        "sort Place\nfunc {}: -> Place\nmap next, first, second: Place -> Place\nrew {}\
         act take, given, takes, put, back, puts: Place # Place\n    eat: Place\n\
         comm take | given = takes\n     put | back = puts\n\
         proc P(me: Place) = take(me, first(me)).take(me, second(me)).eat(me).put(me, me).put(me, next(me)).P(me)\n\
         Fork(f: Place) = sum(who: Place, given(who, f).back(who, f)).Fork(f)\n\
         init encap({{take, given, put, back}}, {} || {})\n",
        places.join(", "),
        rules.collect::<String>(),
        all("P"),
        all("Fork"),
    )
}

/// `[--binary PATH] [--only TEXT]`
pub(crate) fn run(root: &Path, words: &[String]) -> Result<()> {
    let (options, _) = command_line(words, &["--binary", "--only"])?;
    let option = |name: &str| options.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    let binary = binary(root, option("--binary"))?;
    let place = std::env::temp_dir().join(format!("foresee-same-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    std::fs::write(place.join("wide.erl"), PROGRAM)?;
    let program = format!("{} -t test --engine stateful", place.join("wide.erl").display());
    let spec = root.join("crates/algebra/tests/specs/locker.mcrl").display().to_string();
    let mut cases: Vec<String> = [
        "two-phase-commit rms=7",
        "paxos clients=2",
        "paxos clients=2 bug=stubborn",
        "paxos clients=2 bug=forgetful",
        "paxos clients=2 bug=hasty",
        "single-copy-register",
        "single-copy-register servers=2",
        "ping clients=2",
    ]
    .map(str::to_owned)
    .into();
    let table = place.join("philosophers.mcrl");
    std::fs::write(&table, philosophers(11))?;
    cases.extend([program, spec, table.display().to_string()]);
    let only = option("--only").unwrap_or_default();
    for case in cases.iter().filter(|case| case.contains(&only)) {
        compare(&binary, &place, case)?;
    }
    std::fs::remove_dir_all(&place)?;
    println!("the same everywhere");
    Ok(())
}

/// A report without what is measured, and the trace.
#[derive(PartialEq)]
struct Answer {
    report: Value,
    trace: Option<Vec<u8>>,
}

fn compare(binary: &Path, place: &Path, case: &str) -> Result<()> {
    println!("{case}");
    let kinds: [&[&str]; 2] = [&IN_MEMORY, &BY_LEVELS];
    let mut first_of_kind = Vec::new();
    for variants in kinds {
        let mut expected: Option<Answer> = None;
        for variant in variants {
            let found = answer(binary, place, case, variant)?;
            match &expected {
                None => expected = Some(found),
                Some(expected) => {
                    let (now, then) = (&found.report, &expected.report);
                    ensure!(now == then, "{case} {variant}:\n{now}\nand {}:\n{then}", variants[0]);
                    ensure!(found.trace == expected.trace, "{case} {variant}: another trace");
                }
            }
        }
        first_of_kind.extend(expected);
    }
    let [memory, levels] = [&first_of_kind[0].report, &first_of_kind[1].report];
    let is_holding = memory["verdict"] == "holds";
    let fields: &[&str] =
        if is_holding { &["verdict", "states", "transitions", "depth"] } else { &["verdict"] };
    for field in fields {
        ensure!(memory[field] == levels[field], "{case}: {field} differs on disk");
    }
    ensure!(steps(memory) == steps(levels), "{case}: other findings on disk");
    Ok(())
}

/// What was found, and in how many steps.
fn steps(report: &Value) -> Vec<String> {
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    violations
        .iter()
        .map(|it| format!("{} {} {}", it["kind"], it["property"], it["steps"]))
        .collect()
}

fn answer(binary: &Path, place: &Path, case: &str, variant: &str) -> Result<Answer> {
    let (directory, trace) = (place.join("states"), place.join("found.trace"));
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    let _ = std::fs::remove_file(&trace);
    let flags = variant.replace("{}", &directory.display().to_string());
    let started = Instant::now();
    let told = Command::new(binary)
        .arg("check")
        .args(case.split(' '))
        .args(flags.split(' '))
        .args(["--format", "json", "--quiet", "--trace"])
        .arg(&trace)
        .stderr(Stdio::inherit())
        .output()?;
    let took = started.elapsed();
    let text = String::from_utf8(told.stdout)?;
    let mut report: Value =
        serde_json::from_str(&text).with_context(|| format!("{case} {variant}: {text}"))?;
    println!(
        "  {variant}: {}, {} states, {} transitions, depth {}, {took:.1?}",
        report["verdict"].as_str().unwrap_or("?"),
        report["states"],
        report["transitions"],
        report["depth"],
    );
    strip(&mut report);
    Ok(Answer { report, trace: std::fs::read(&trace).ok() })
}

/// Leaves out what is measured, and where states were kept.
fn strip(report: &mut Value) {
    let measured = ["seconds", "peak_memory_bytes", "disk_bytes", "bytes_exchanged", "threads"];
    match report {
        Value::Object(fields) => {
            fields.retain(|name, _| !measured.contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
