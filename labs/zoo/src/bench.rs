//! `cargo xtask bench labs [--table] [--walks SECONDS]`: what the labs' searches and tests cost, in processor time.
//! One JSON line a measurement: breadth-first search of each reference, the bug 3a by phases, breadth first and by random walks (Michael et
//! al., "Teaching Rigorous Distributed Systems With Efficient Model Checking", EuroSys 2019, section 7.4), and each lab's tests on its
//! reference. A line that has a floor says whether it is met; `aim` is what we would like.
//! `--table` prints the columns of that paper's table 1 beside the paper's own figures instead; operations a second are told by `foresee run LAB --clients N`.

use crate::{processor_time, reference_text, references};
use foresee_labs::{
    Arena, Plan, ReferenceLab, SearchPlan, SetUp, Switch, Test, carry_out, entry_of_reference,
    without_zoo,
};
use foresee_lts::System;
use foresee_nodes::{BuildOptions, Runnable};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stateful::{Config, Report, Strategy, run_guide, search};
use std::time::Duration;

/// What the paper says of its own labs: lines, thousands of operations a second, seconds of tests, depth without and with phases.
const PAPER: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("lab1", "164", "116", "56", "exhaustive", "-"),
    ("lab2", "355", "64", "275", "25", "41"),
    ("lab3", "647", "46", "293", "13", "26"),
    ("lab4", "1475", "117 and 4.3", "423 and 355", "12", "24"),
];
/// Tests of one lab on its reference, in CPU seconds.
const SUITE_MAX: f64 = 60.0;
/// Random walks from the start: as long as in the paper, and so many seeds.
const WALK_STEPS: u32 = 1_000;
const SEEDS: u64 = 5;

pub(crate) fn run(words: &[String]) {
    if words.iter().any(|word| word == "--table") {
        return table();
    }
    let place = words.iter().position(|word| word == "--walks");
    let seconds = place.and_then(|place| words.get(place + 1)).and_then(|it| it.parse().ok());
    let labs = references();
    for reference in labs.iter().filter(|it| ["lab2", "lab3"].contains(&it.id)) {
        breadth_first(reference);
    }
    if let Some(reference) = labs.iter().find(|it| it.id == "lab3") {
        three_ways(reference, Duration::from_secs(seconds.unwrap_or(60)));
    }
    for reference in &labs {
        let seconds = suite(reference);
        println!(
            r#"{{"bench":"{}-tests","ours":{{"cpu_seconds":{seconds:.2}}}{}}}"#,
            reference.id,
            at_most("cpu_seconds", seconds, SUITE_MAX, 15.0)
        );
    }
}

/// The floor of a figure that should be small, as a part of a line.
fn at_most(what: &str, figure: f64, floor: f64, aim: f64) -> String {
    let met = figure <= floor;
    format!(r#","floor":{{"{what}":{floor},"aim":{aim},"met":{met}}}"#)
}

fn built(reference: &ReferenceLab, words: &[&str]) -> Box<dyn Runnable> {
    entry_of_reference(*reference).build(words, &BuildOptions::default()).expect("good parameters")
}

fn explored(system: &dyn System, states_max: u64) -> (Report, f64) {
    let limits = Limits { states_max: Some(states_max), ..Limits::none() };
    let config = Config { limits, ..Config::of(system) };
    let start = processor_time();
    let report = search(system, &config, &NoMeter, &mut Silent);
    (report, (processor_time() - start).as_secs_f64())
}

/// States of a CPU second at the least, and bytes of a state at the most.
const RATE_MIN: f64 = 150_000.0;
const BYTES_MAX: f64 = 150.0;

/// The reference, its standard world, timers and all.
fn breadth_first(reference: &ReferenceLab) {
    let world = built(reference, &[]);
    let before = crate::most_memory();
    let (report, seconds) = explored(world.system(), 2_000_000);
    let states = report.states as f64;
    let bytes = crate::most_memory().saturating_sub(before) as f64 / states;
    let met = states / seconds >= RATE_MIN && bytes <= BYTES_MAX;
    println!(
        r#"{{"bench":"{}-bfs","ours":{{"unique":{},"depth":{},"cpu_seconds":{seconds:.2},"unique_per_s":{:.0},"store_bytes_per_state":{:.0},"bytes_per_state":{bytes:.0}}},"floor":{{"unique_per_s":{RATE_MIN},"bytes_per_state":{BYTES_MAX},"met":{met}}}}}"#,
        reference.id,
        report.states,
        report.depth,
        states / seconds,
        report.store_bytes as f64 / states,
    );
}

/// The bug 3a by phases, breadth first and by random walks, in one and the same world.
fn three_ways(reference: &ReferenceLab, walks: Duration) {
    let lab = (reference.make)(Switch::on("3a"));
    let guided = |test: &&Test| matches!(test.plan, Plan::Search(_, SearchPlan::Guided));
    let found = lab.tests.iter().filter(guided).find_map(|test| {
        let start = processor_time();
        let result = carry_out("lab3 bug=3a", test, 0);
        let trace = result.trace?;
        Some((test.number.to_string(), trace.events.len(), processor_time() - start))
    });
    let (number, steps, spent) = found.expect("the bug 3a is found by a guided test");
    println!(
        r#"{{"bench":"lab3-3a-guided","ours":{{"test":"{number}","steps":{steps},"cpu_seconds":{:.3}}},"paper":{{"seconds":18}}{}}}"#,
        spent.as_secs_f64(),
        at_most("cpu_seconds", spent.as_secs_f64(), 2.0, 0.2)
    );
    let test = format!("test={number}");
    let words = [test.as_str(), "bug=3a"];
    let world = built(reference, &words);
    let (report, seconds) = explored(world.system(), 5_000_000);
    println!(
        r#"{{"bench":"lab3-3a-bfs","ours":{{"found":{},"states":{},"depth":{},"cpu_seconds":{seconds:.2}}},"paper":{{"found":false}}}}"#,
        !report.violations.is_empty(),
        report.states,
        report.depth,
    );
    let mut all: Vec<(bool, f64)> =
        (0..SEEDS).map(|seed| walk(|| built(reference, &words), seed, walks)).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (found, seconds) = all[all.len() / 2];
    println!(
        r#"{{"bench":"lab3-3a-walks","ours":{{"seeds":{SEEDS},"found":{},"median_found":{found},"median_cpu_seconds":{seconds:.1}}},"paper":{{"hours":12}}{}}}"#,
        all.iter().filter(|(found, _)| *found).count(),
        at_most("median_cpu_seconds", if found { seconds } else { f64::INFINITY }, 1_800.0, 60.0)
    );
}

/// Walks from the start until one shows something wrong or the time is up, in a fresh world every few thousand: a world keeps what it has met.
fn walk(world: impl Fn() -> Box<dyn Runnable>, seed: u64, time_max: Duration) -> (bool, f64) {
    let start = processor_time();
    let mut fresh = world();
    for round in 0.. {
        if round % 20 == 0 {
            fresh = world();
        }
        let limits =
            Limits { interleavings_max: Some(100), depth_max: Some(WALK_STEPS), ..Limits::none() };
        let (system, seed) = (fresh.system(), seed * 1_000_000 + round);
        let config = Config { limits, seed, strategy: Strategy::Random, ..Config::of(system) };
        let report = search(system, &config, &NoMeter, &mut Silent);
        let spent = processor_time() - start;
        if !report.violations.is_empty() || spent >= time_max {
            return (!report.violations.is_empty(), spent.as_secs_f64());
        }
    }
    unreachable!("rounds do not end")
}

/// Every test on the reference.
fn suite(reference: &ReferenceLab) -> f64 {
    let start = processor_time();
    for test in &(reference.make)(Switch::off()).tests {
        carry_out(&reference.plain_name(), test, 0);
    }
    (processor_time() - start).as_secs_f64()
}

fn table() {
    println!(
        "| lab | lines | tests, CPU s | depth in 2 CPU s | in 30 | with phases | paper: lines | kops/s | tests, s | depth | with phases |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for reference in references() {
        let id = reference.id;
        let known = PAPER.iter().find(|(known, ..)| *known == id);
        let (_, lines, kops, seconds, depth, guided) =
            known.copied().unwrap_or((id, "-", "-", "-", "-", "-"));
        let n_lines = without_zoo(reference_text(id).unwrap_or_default()).lines().count();
        println!(
            "| {id} | {n_lines} | {:.1} | {} | {} | {} | {lines} | {kops} | {seconds} | {depth} | {guided} |",
            suite(&reference),
            depth_within(&reference, 2.0),
            depth_within(&reference, 30.0),
            depth_of_guides(&reference),
        );
    }
}

/// How deep breadth-first search comes in so many seconds, in that one of the worlds that the lab's tests search without phases in which it
/// comes deepest, and which test's that is; and whether all of them are explored to their end.
fn depth_within(reference: &ReferenceLab, seconds: f64) -> String {
    let lab = (reference.make)(Switch::off());
    let searched = lab.tests.iter().filter_map(|test| match &test.plan {
        Plan::Search(set_up, SearchPlan::Exhaust { .. } | SearchPlan::Explore { .. }) => {
            Some((format!("test {}", test.number), set_up))
        }
        _ => None,
    });
    let arena = |set_up: &SetUp| set_up(reference.id, &BuildOptions::default());
    let worlds = searched.chain([("standard world".to_owned(), &lab.standard)]);
    let depths: Vec<(String, (u32, bool))> =
        worlds.map(|(name, set_up)| (name, depth_of(&arena(set_up), seconds))).collect();
    let Some((name, (deepest, is_end))) = depths.iter().max_by_key(|(_, (depth, _))| *depth) else {
        return "-".to_owned();
    };
    let all_are = depths.iter().all(|(_, (_, is_end))| *is_end);
    let end = match (all_are, is_end) {
        (true, _) => ", exhaustive",
        (false, true) => ", all of it",
        (false, false) => "",
    };
    format!("{deepest} ({name}{end})")
}

/// How deep, and whether that was all.
fn depth_of(arena: &Arena, seconds: f64) -> (u32, bool) {
    let explored = |states_max: u64| {
        let limits = Limits { states_max: Some(states_max), ..Limits::none() };
        let system = arena.world.system();
        let config = Config { limits, allow: arena.allow.clone(), ..Config::of(system) };
        let start = processor_time();
        let report = search(system, &config, &NoMeter, &mut Silent);
        (report, (processor_time() - start).as_secs_f64())
    };
    let (report, spent) = explored(300_000);
    let states_max = (report.states as f64 / spent * seconds) as u64;
    if report.states < 300_000 {
        return (report.depth, true);
    }
    let (report, _) = explored(states_max);
    (report.depth, report.states < states_max)
}

/// The longest way through the phases of a guided test, and how far the last phase looked from there.
fn depth_of_guides(reference: &ReferenceLab) -> String {
    let mut depth_max = 0;
    for test in (reference.make)(Switch::off()).tests {
        let Plan::Search(set_up, SearchPlan::Guided) = &test.plan else { continue };
        let arena = set_up(reference.id, &BuildOptions::default());
        let Some(mut guide) = arena.guide.clone() else { continue };
        guide.prunes = arena.world.system().prunes();
        let report = run_guide(arena.world.system(), &guide, &NoMeter, &mut Silent);
        let steps = report.paths.first().map_or(0, |path| path.actions.len());
        let is_over = guide.phases.last().is_some_and(|phase| phase.goal.is_some());
        let last = report.phases.last().and_then(|phase| phase.search.as_ref());
        let beyond = if is_over { 0 } else { last.map_or(0, |search| search.depth as usize) };
        depth_max = depth_max.max(steps + beyond);
    }
    if depth_max == 0 { "-".to_owned() } else { depth_max.to_string() }
}
