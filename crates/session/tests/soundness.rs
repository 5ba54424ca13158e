//! Soundness: in programs in which every two shapes of visible operations meet, independent events commute and every engine comes
//! to the same outcomes.
//! A sample runs with the tests; `cargo xtask soundness` runs all of it. `FORESEE_SOUNDNESS=FIRST..LAST` judges those programs, in
//! the order of `program::pairs`, and prints each difference with a minimised program.

#[path = "soundness/judge.rs"]
mod judge;
#[path = "soundness/outcome.rs"]
mod outcome;
#[path = "soundness/program.rs"]
mod program;
#[path = "soundness/real.rs"]
mod real;
#[path = "soundness/shapes.rs"]
mod shapes;
#[path = "soundness/started.rs"]
mod started;

use judge::{caught, comparable, shrunk};
use program::{Program, pairs};
use std::collections::BTreeSet;

/// How many programs the tests judge.
const N_SAMPLE: usize = 200;

#[test]
fn every_visible_built_in_has_a_shape() {
    let shapes = shapes::all();
    let shaped: BTreeSet<&str> = shapes.iter().flat_map(|it| it.of.split(' ')).collect();
    let left_out: BTreeSet<&str> = shapes::LEFT_OUT.iter().map(|it| it.0).collect();
    let visible: BTreeSet<String> = foresee_erlang::builtins::BUILTINS
        .iter()
        .filter(|it| it.is_visible())
        .map(|it| format!("{}:{}/{}", it.module, it.name, it.arity))
        .collect();
    let missing: Vec<&String> = visible
        .iter()
        .filter(|it| !shaped.contains(it.as_str()) && !left_out.contains(it.as_str()))
        .collect();
    assert!(missing.is_empty(), "no shape in tests/soundness/shapes.rs for {missing:?}");
    let unknown: Vec<&&str> =
        shaped.iter().chain(&left_out).filter(|it| !visible.contains(**it)).collect();
    assert!(unknown.is_empty(), "not visible built-ins: {unknown:?}");
}

#[test]
fn shapes_that_meet_are_judged_alike_by_every_engine() {
    let shapes = shapes::all();
    let mut n_pairs = 0;
    for pair in pairs(&shapes).into_iter().take(N_SAMPLE) {
        let program = Program::of(&shapes, pair);
        match caught(&program) {
            Ok(judged) => n_pairs += judged.n_pairs,
            Err(what) => {
                let (small, its) = shrunk(program, what);
                panic!("{its}\n{small}\n{}", small.module("m"));
            }
        }
    }
    assert!(n_pairs > 5_000, "only {n_pairs} independent pairs");
}

/// Outcomes are compared with those of a real Erlang as text: cells stand there as `harness.erl` writes them.
#[test]
fn cells_are_told_as_the_harness_does() {
    let shapes = shapes::all();
    let programs = pairs(&shapes).into_iter().map(|pair| Program::of(&shapes, pair));
    let mut programs = programs.filter(|it| it.kind == shapes::Kind::Same);
    let writing = |it: &Program| it.to_string().contains("atomics:put(X, 1, 5)");
    let program = programs.find(writing).expect("a program that writes a cell");
    let outcomes = comparable(&program, true).expect("it is checked").expect("and small");
    assert!(outcomes.iter().any(|it| it.contains("\ncells [5]\n")), "{outcomes:?}");
}

/// What `cargo xtask soundness` runs: one line for each program.
#[test]
#[ignore = "as many programs as it is asked for"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "an edge: somebody says which")]
fn these_programs() {
    let Ok(range) = std::env::var("FORESEE_SOUNDNESS") else { return };
    let (first, last) = range.split_once("..").expect("FIRST..LAST");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let shapes = shapes::all();
    let all = pairs(&shapes);
    println!("programs {} shapes {}", all.len(), shapes.len());
    let chosen = all.iter().enumerate().take(number(last)).skip(number(first));
    for (at, pair) in chosen {
        let program = Program::of(&shapes, *pair);
        match caught(&program) {
            Ok(judged) if judged.is_too_large => println!("{at} too_large {}", judged.n_pairs),
            Ok(judged) => println!(
                "{at} ok {} {} {} {} {} {}",
                program.pair.0,
                program.pair.1,
                judged.n_pairs,
                judged.n_states,
                judged.outcomes.len(),
                u8::from(judged.is_exhausted)
            ),
            Err(what) => {
                let kind = what.split([' ', ':']).next().unwrap_or_default().to_owned();
                let (small, its) = shrunk(program, what);
                println!("{at} DIFFERENCE {kind}\n{its}\n{small}\nEND");
            }
        }
    }
}

/// The programs of a range that a real Erlang can be asked about, each run 100 times there, or as often as
/// `FORESEE_SOUNDNESS_RUNS` says; one line for each.
#[test]
#[ignore = "needs an Erlang, and as long as it is asked to"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "an edge: somebody says which")]
fn these_programs_on_erlang() {
    let Ok(range) = std::env::var("FORESEE_SOUNDNESS") else { return };
    if !real::is_installed() {
        return println!("no Erlang is installed");
    }
    let (first, last) = range.split_once("..").expect("FIRST..LAST");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let shapes = shapes::all();
    let all = pairs(&shapes);
    let last = number(last).min(all.len());
    let programs = (number(first)..last).map(|at| (at, Program::of(&shapes, all[at])));
    let programs: Vec<_> = programs.filter(|it| it.1.kind == shapes::Kind::Same).collect();
    let folder = std::env::temp_dir().join(format!("foresee_soundness_{}", std::process::id()));
    let runs = std::env::var("FORESEE_SOUNDNESS_RUNS").map_or(100, |it| number(&it));
    let found = real::outcomes(&folder, &programs, runs).expect("Erlang runs");
    let _ = std::fs::remove_dir_all(&folder);
    for (at, program) in &programs {
        let Ok(Some(mut ours)) = comparable(program, true) else { continue };
        let theirs = found.get(at).cloned().unwrap_or_default();
        let mut word = "ok";
        if !theirs.is_subset(&ours) {
            match comparable(program, false) {
                Ok(Some(delayed)) => ours.extend(delayed),
                // Too many to go through: nothing is known.
                _ => continue,
            }
            word = "delayed";
        }
        let more: Vec<&String> = theirs.difference(&ours).collect();
        match more.first() {
            None => println!("{at} {word} {} of {}", theirs.len(), ours.len()),
            Some(more) => {
                let near = ours.iter().next().map_or("", String::as_str);
                println!("{at} DIFFERENCE erlang\n{more}ours, for example:\n{near}{program}\nEND");
            }
        }
    }
}
