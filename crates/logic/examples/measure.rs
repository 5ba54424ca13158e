//! How fast: reductions of LTSs with a million transitions, writing and reading `.aut`, and a formula on the fly.
//! Run with `cargo run --release -p foresee-logic --example measure`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that prints times")]

use foresee_logic::{
    Equivalence, LabelOf, Lts, LtsBuilder, aut, formula, generate, generate_lts, reduce, solve,
};
use foresee_lts::{Action, Telling, toy::Counters};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stdx::Random;
use std::time::Instant;

fn main() {
    for (name, lts) in [
        ("counters, all labels", counters(|action| Some(format!("up(c{})", action.0)))),
        ("counters, one label", counters(|_| Some("up".to_owned()))),
        (
            "counters, half hidden",
            counters(|action| (action.0 < 2).then(|| format!("{}", action.0))),
        ),
        ("random, 4 labels", random(250_000, 1_000_000, &["a", "b", "c", "d"])),
        ("random, 1 label", random(250_000, 1_000_000, &["a"])),
        ("random, half hidden", random(250_000, 1_000_000, &["tau", "tau", "a", "b"])),
        ("chain", chain(1_000_000, |_| Some("a"))),
        ("chain, mostly hidden", chain(1_000_000, |n| (n % 10 == 0).then_some("a"))),
    ] {
        for equivalence in [Equivalence::Strong, Equivalence::Branching] {
            let (quotient, seconds) = timed(|| reduce(&lts, equivalence));
            println!(
                "{:<10} {name:<24} {:>8} / {:>8} -> {:>8} / {:>8}  {seconds:.2} s",
                equivalence.word(),
                lts.n_states(),
                lts.n_transitions(),
                quotient.lts.n_states(),
                quotient.lts.n_transitions(),
            );
        }
    }
    measure_files();
    measure_formulas();
}

fn measure_files() {
    let system = Counters::new(6, 7);
    let label = |state: &[u32], action| Some(system.label(state, action).to_string());
    let (bytes, seconds) = timed(|| {
        let output = std::io::Cursor::new(Vec::new());
        let mut writer = aut::Writer::seekable(output, aut::Tau::Mcrl2);
        let made =
            generate(&system, &label, &Limits::none(), &NoMeter, &mut Silent, &mut writer).unwrap();
        writer.finish(made.states).unwrap().into_inner()
    });
    let (lts, reading) = timed(|| aut::read(&bytes[..]).unwrap());
    let n = lts.n_transitions() as f64;
    println!(
        "generated and written: {:.2} M transitions/s ({n} in {seconds:.2} s)",
        n / seconds / 1e6
    );
    println!("read: {:.2} M transitions/s", n / reading / 1e6);
    let (_, writing) = timed(|| aut::write(&lts, aut::Tau::Mcrl2, Vec::new()).unwrap());
    println!("written: {:.2} M transitions/s", n / writing / 1e6);
}

fn measure_formulas() {
    let system = Counters::new(6, 7);
    let label = |state: &[u32], action| Some(system.label(state, action).to_string());
    for text in [
        "[-* . '.*counter1.*' . (not '.*counter2.*')* . '.*counter9.*'] false",
        "[-*] mu X . (<-> true and [not '.*counter1.*'] X)",
        "[-*] <-* . '.*counter1.*'> true",
        "mu X . (nu Y . ([-] Y and <-> true) or [-] X)",
    ] {
        let parsed = formula::parse(text, formula::Notation::Paper).into_result().unwrap();
        let labels: &LabelOf<'_> = &label;
        let (solution, seconds) = timed(|| {
            solve(&system, labels, &parsed, &Limits::none(), &NoMeter, &mut Silent).unwrap()
        });
        println!(
            "{:?} {} states, {} vertices, {seconds:.2} s: {text}",
            solution.holds, solution.states, solution.vertices
        );
    }
}

fn counters(label: impl Fn(Action) -> Option<String>) -> Lts {
    generate_lts(&Counters::new(4, 22), &|_, action| label(action))
}

fn random(n_states: u64, n_transitions: u64, labels: &[&str]) -> Lts {
    let mut random = Random::new(1);
    let mut builder = LtsBuilder::default();
    for _ in 0..n_transitions {
        let label = labels[random.below(labels.len() as u64) as usize];
        builder.add(random.below(n_states) as u32, Some(label), random.below(n_states) as u32);
    }
    builder.build(0)
}

fn chain(n: u32, label: impl Fn(u32) -> Option<&'static str>) -> Lts {
    let mut builder = LtsBuilder::default();
    for state in 0..n {
        builder.add(state, label(state), state + 1);
    }
    builder.build(0)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
