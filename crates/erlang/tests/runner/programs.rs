//! Programs: what `main/0` prints must be what it printed in Erlang, whatever the scheduler draws.

use super::{loaded, output, system};
use std::path::PathBuf;

/// Schedules tried for each program. Their order comes from the protocol, so all must print the same.
const SEEDS: u64 = 4;

pub(crate) fn check(path: &PathBuf) -> Vec<(String, Option<String>)> {
    vec![(String::new(), wrong(path))]
}

fn wrong(path: &PathBuf) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let expected = std::fs::read_to_string(path.with_extension("out")).expect("an expectation");
    let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let file = format!("{module}.erl");
    let loaded = loaded(&file, &text);
    let said: Vec<String> = loaded
        .problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|p| format!("{}: {}", p.sources.place(p.diagnostic.span), p.diagnostic.message))
        .collect();
    let Some(program) = loaded.program else { return Some(said.join("\n")) };
    let system = system(program, &module);
    (0..SEEDS).find_map(|seed| {
        let (output, outcome) = output(&system, seed);
        (output != expected)
            .then(|| format!("seed {seed}, {outcome:?}\n{}", difference(&expected, &output)))
    })
}

/// The first lines that differ.
fn difference(expected: &str, got: &str) -> String {
    let (mut left, mut right) = (expected.lines(), got.lines());
    let mut n = 0;
    loop {
        n += 1;
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => {}
            (None, None) => return "only the last line feed differs".to_owned(),
            (a, b) => {
                let show = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
                return format!("line {n}\n  expected {}\n  got      {}", show(a), show(b));
            }
        }
    }
}
