//! Generated systems of Rust nodes, every network model and every kind of fault: exploration against brute force.
//! For each system: in every state, events whose footprints do not clash lead to one state in either order; the states
//! are those of the plain reading; each way of exploring interleavings comes to the final states of brute force, and
//! optimal exploration runs each trace once; both engines find the same properties violated; what is simulated can happen.
//! `FORESEE_NODES=FIRST..LAST` chooses the seeds, for a longer run than the sample that is drawn here.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may be told its seeds by the environment, and says what it has seen"
)]

#[path = "generated_nodes/scripted.rs"]
mod scripted;

use foresee_lts::{Action, Claims, Path, PropertyKind, Reading, State, System};
use foresee_nodes::{SimulationConfig, World, simulate};
use foresee_search::{NoMeter, Silent, check_independence};
use foresee_stateless::{Config, Dpor, Ignore, Report, RunEnd, Watch, explore};
use scripted::Plan;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

const STATES_MAX: usize = 6_000;
const INTERLEAVINGS_MAX: u64 = 10_000;
const SAMPLE: Range<u64> = 0..100;
/// Systems that once came out wrong: what a crash may tear was taken to be independent of other crashes.
const ONCE_WRONG: [u64; 2] = [638, 716];

/// What the checks of many systems came to.
#[derive(Debug, Default)]
struct Tally {
    systems: usize,
    /// More states than are gone through.
    too_large: usize,
    states: usize,
    pairs: u64,
    interleavings: u64,
    /// Ways of exploring that ended within the limit.
    explored: usize,
    violated: usize,
    simulated: usize,
    by_network: BTreeMap<String, usize>,
    by_fault: BTreeMap<&'static str, usize>,
}

/// Every reachable state, in the order found; `None` if there are too many.
fn reachable(system: &dyn System) -> Option<Vec<State>> {
    let mut found = system.initial();
    let mut known: BTreeSet<State> = found.iter().cloned().collect();
    let (mut at, mut actions) = (0, Vec::new());
    while at < found.len() {
        let state = found[at].clone();
        actions.clear();
        system.enabled(&state, &mut actions);
        for action in &actions {
            let next = system.step(&state, *action);
            if known.insert(next.clone()) {
                found.push(next);
            }
        }
        if found.len() > STATES_MAX {
            return None;
        }
        at += 1;
    }
    Some(found)
}

fn is_end(system: &dyn System, state: &State) -> bool {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    actions.is_empty()
}

/// What states look like in their first slots: those after them are marks of the other reading.
fn looks(system: &dyn System, states: &[State], n_slots: usize) -> BTreeSet<Vec<u64>> {
    let look = |state: &State| {
        (0..n_slots).map(|slot| system.content_hash(slot, state[slot])).collect::<Vec<u64>>()
    };
    states.iter().map(look).collect()
}

fn explored(world: &World<u8>, dpor: Dpor, watches: Vec<Watch>) -> Report {
    let ignore: Ignore = Arc::new(|_, _| true);
    let is_watching = !watches.is_empty();
    let mut config = Config {
        dpor,
        ignore: (!is_watching).then_some(ignore),
        keep_going: true,
        watches,
        tree_max: usize::MAX,
        ..Config::default()
    };
    config.limits.interleavings_max = Some(INTERLEAVINGS_MAX);
    explore(world, &config, &NoMeter, &mut Silent)
}

/// The final states of the runs that were explored.
fn ends(world: &World<u8>, report: &Report) -> BTreeSet<State> {
    let mut actions: Vec<Action> = Vec::new();
    let mut ends = BTreeSet::new();
    for run in &report.tree {
        actions.truncate(run.shares);
        actions.extend_from_slice(&run.actions);
        if run.end != RunEnd::SleepSetBlocked {
            let path = Path { initial: world.initial().remove(0), actions: actions.clone() };
            ends.insert(path.states(world).pop().expect("a state"));
        }
    }
    ends
}

fn is_complete(report: &Report) -> bool {
    report.planned == 0 && report.interleavings < INTERLEAVINGS_MAX
}

/// Checks one system; the error is what is wrong.
fn check(plan: &Plan, tally: &mut Tally) -> Result<(), String> {
    let (plain, races) = (plan.world(Reading::Merged), plan.world(Reading::Exact));
    let (Some(plain_states), Some(race_states)) = (reachable(&plain), reachable(&races)) else {
        tally.too_large += 1;
        return Ok(());
    };
    tally.states += race_states.len();
    let n_slots = plain.initial()[0].len();
    if looks(&plain, &plain_states, n_slots) != looks(&races, &race_states, n_slots) {
        return Err("the reading for interleavings has other states".to_owned());
    }
    for state in &race_states {
        let mut differences = Vec::new();
        tally.pairs += check_independence(&races, state, &mut differences);
        if let Some(it) = differences.first() {
            return Err(format!("{}:\n  {}\n  {}", it.unlike.text(), it.first, it.second));
        }
    }
    let all: BTreeSet<State> =
        race_states.iter().filter(|state| is_end(&races, state)).cloned().collect();
    let mut n_optimal = None;
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::Persistent, Dpor::None] {
        let report = explored(&races, dpor, Vec::new());
        tally.interleavings += report.interleavings;
        if !is_complete(&report) {
            continue;
        }
        tally.explored += 1;
        if ends(&races, &report) != all {
            return Err(format!("{dpor:?} does not come to the same final states"));
        }
        let n_complete = report.interleavings - report.sleep_set_blocked;
        match dpor {
            Dpor::Optimal if report.sleep_set_blocked > 0 => {
                return Err("optimal exploration gave runs up".to_owned());
            }
            Dpor::Optimal => n_optimal = Some(n_complete),
            // Sleep sets keep all of them from running a trace twice.
            _ if n_optimal.is_some_and(|n| n != n_complete) => {
                return Err(format!("{n_optimal:?} traces, {n_complete} with {dpor:?}"));
            }
            _ => {}
        }
    }
    same_violations(&plain, &races, tally)?;
    simulated(&plain, &plain_states, plan, tally)
}

/// Both engines find the same properties violated.
fn same_violations(plain: &World<u8>, races: &World<u8>, tally: &mut Tally) -> Result<(), String> {
    let config =
        foresee_stateful::Config { keep_going: true, ..foresee_stateful::Config::of(plain) };
    let stateful = foresee_stateful::search(plain, &config, &NoMeter, &mut Silent);
    let stateful: BTreeSet<_> =
        stateful.violations.iter().map(|it| (it.kind.word(), it.property.clone())).collect();
    tally.violated += usize::from(!stateful.is_empty());
    let watches: Vec<Watch> = races
        .properties()
        .into_iter()
        .filter(|it| it.kind == PropertyKind::Invariant)
        .map(|it| Watch::new(it, false))
        .collect();
    if watches.is_empty() {
        return Ok(());
    }
    let report = explored(races, Dpor::Optimal, watches);
    if !is_complete(&report) {
        return Ok(());
    }
    let deadlock = foresee_lts::ViolationKind::Deadlock.word();
    let stateless: BTreeSet<_> = report
        .findings
        .iter()
        .map(|it| (it.violation.kind.word(), it.violation.property.clone()))
        .filter(|it| it.0 != deadlock)
        .collect();
    if stateful != stateless {
        return Err(format!("stateful finds {stateful:?}, stateless {stateless:?}"));
    }
    Ok(())
}

/// Whatever a simulation comes to, the search has seen.
fn simulated(
    plain: &World<u8>,
    states: &[State],
    plan: &Plan,
    tally: &mut Tally,
) -> Result<(), String> {
    let known: BTreeSet<&State> = states.iter().collect();
    for seed in 0..5 {
        let config = SimulationConfig {
            seed: plan.seed.wrapping_mul(5).wrapping_add(seed),
            checks_invariants: false,
            loss: if plan.network == foresee_nodes::Network::Set { 0.2 } else { 0.0 },
            ..SimulationConfig::default()
        };
        let run = simulate(plain, &config, &mut |_| {});
        if run.replayable && !known.contains(&run.state) {
            return Err(format!("simulation {} comes to a state of its own", config.seed));
        }
        tally.simulated += usize::from(run.replayable);
    }
    Ok(())
}

fn count(plan: &Plan, tally: &mut Tally) {
    tally.systems += 1;
    *tally.by_network.entry(format!("{:?}", plan.network)).or_default() += 1;
    let faults = &plan.faults;
    for (name, n) in [
        ("drops", faults.drops),
        ("duplicates", faults.duplicates),
        ("crashes", faults.crashes),
        ("restarts", faults.restarts),
        ("partitions", faults.partitions),
        ("disks", u32::from(plan.has_disks)),
        ("torn writes", faults.torn_writes),
        ("lost disks", faults.lost_disks),
    ] {
        *tally.by_fault.entry(name).or_default() += usize::from(n > 0);
    }
}

/// The seeds to draw from: those that the environment names, or the sample.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("FORESEE_NODES") else { return SAMPLE };
    let parts = text.split_once("..").map(|(first, last)| (first.parse(), last.parse()));
    match parts {
        Some((Ok(first), Ok(last))) => first..last,
        _ => panic!("FORESEE_NODES is FIRST..LAST, not {text}"),
    }
}

/// What `cargo xtask soundness` runs: one line for each system.
#[test]
#[ignore = "as many systems as it is asked for"]
fn these_systems() {
    for seed in seeds() {
        let (plan, mut tally) = (Plan::new(seed), Tally::default());
        match check(&plan, &mut tally) {
            Ok(()) if tally.too_large > 0 => println!("{seed} too_large"),
            Ok(()) => println!("{seed} ok {}", tally.pairs),
            Err(what) => println!("{seed} DIFFERENCE nodes\n{what}\n{plan:?}\nEND"),
        }
    }
}

#[test]
fn exploration_agrees_with_brute_force() {
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for seed in seeds().chain(ONCE_WRONG) {
        let plan = Plan::new(seed);
        count(&plan, &mut tally);
        if let Err(what) = check(&plan, &mut tally) {
            wrong.push(format!("seed {seed}: {what}\n  {plan:?}"));
        }
    }
    println!("{tally:#?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tally.too_large * 3 < tally.systems, "most are gone through whole: {tally:?}");
    assert!(tally.by_fault.values().all(|n| *n > 0), "every fault is there: {tally:?}");
    assert!(tally.pairs > 20 * tally.systems as u64, "events meet: {tally:?}");
}
