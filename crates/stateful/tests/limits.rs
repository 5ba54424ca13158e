//! Every limit stops a search and is named; and what is broken is said to be broken.

mod common;

use common::{FakeMeter, RandomGraph, run};
use foresee_lts::{
    Action, Predicate, Property, Reads, State, StoppedBy, System, Verdict, ViolationKind,
    toy::Counters,
};
use foresee_search::{Limits, Observer, Progress, Silent, VisitedKind};
use foresee_stateful::{Config, Strategy, search};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const ALL: [Strategy; 4] =
    [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::BestFirst, Strategy::Random];

/// About 10^8 states: no search here may come to its end.
fn large() -> Counters {
    Counters::new(8, 9)
}

fn limited(strategy: Strategy, threads: usize, limits: Limits) -> Config {
    Config { strategy, threads, limits, ..Config::default() }
}

#[test]
fn the_number_of_states_is_exact() {
    for strategy in ALL {
        for threads in [1, 3] {
            let limits = Limits { states_max: Some(5000), ..Limits::none() };
            let report = run(&large(), &limited(strategy, threads, limits));
            assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::States));
            assert_eq!(report.states, 5000);
        }
    }
    // A space of exactly that size is explored to its end.
    let limits = Limits { states_max: Some(16), ..Limits::none() };
    let report = run(&Counters::new(2, 3), &limited(Strategy::BreadthFirst, 1, limits));
    assert_eq!((report.verdict, report.transitions), (Verdict::Holds, 24));
}

#[test]
fn time_memory_and_interrupts_stop_every_strategy() {
    let ms = Duration::from_millis;
    for strategy in ALL {
        for threads in [1, 2] {
            let limits = Limits {
                interleavings_max: Some(u64::MAX),
                time_max: Some(ms(500)),
                ..Limits::none()
            };
            let config = limited(strategy, threads, limits);
            let report = search(&large(), &config, &FakeMeter::ticking(ms(1)), &mut Silent);
            assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Time), "{config:?}");

            let meter = FakeMeter { interrupt_after: Some(50), ..FakeMeter::ticking(ms(0)) };
            let config = limited(strategy, threads, many_walks());
            let report = search(&large(), &config, &meter, &mut Silent);
            assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interrupt));

            let mut limits = many_walks();
            limits.memory_max = Some(1 << 20);
            let config = limited(strategy, threads, limits.clone());
            let meter = FakeMeter { memory: Some(2 << 20), ..FakeMeter::ticking(ms(1)) };
            let report = search(&large(), &config, &meter, &mut Silent);
            assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Memory));
            // Without a meter that knows the process, the store and the system count.
            let report = run(&large(), &config);
            assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Memory));
            assert!(report.store_bytes > 1 << 20 && report.store_bytes < 8 << 20);
        }
    }
}

fn many_walks() -> Limits {
    Limits { interleavings_max: Some(u64::MAX), ..Limits::none() }
}

/// A system each of whose expansions takes a virtual tenth of a second.
struct Slow<'a>(&'a SlowClock);
struct SlowClock(AtomicU32);

impl System for Slow<'_> {
    fn initial(&self) -> Vec<State> {
        vec![vec![0]]
    }
    fn enabled(&self, _state: &[u32], actions: &mut Vec<Action>) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
        actions.extend((0..8).map(Action));
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        vec![state[0].wrapping_mul(8).wrapping_add(action.0 as u32 + 1) & 0xFF_FFFF]
    }
}

impl foresee_search::Meter for SlowClock {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(100) * self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn a_limit_on_time_bites_in_time_when_expansions_are_slow() {
    for threads in [1, 2] {
        let clock = SlowClock(AtomicU32::new(0));
        let limits = Limits { time_max: Some(Duration::from_secs(60)), ..Limits::none() };
        let config = limited(Strategy::BreadthFirst, threads, limits);
        let report = search(&Slow(&clock), &config, &clock, &mut Silent);
        assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Time));
        let expansions = clock.0.load(Ordering::Relaxed);
        let late = expansions.saturating_sub(600);
        assert!(late <= if threads == 1 { 5 } else { 160 }, "{late} expansions too many");
    }
}

#[test]
fn walks_are_counted_repeatable_and_never_conclusive() {
    let system = Counters::new(3, 4).forbid_sum(100);
    let walks = |seed| {
        let limits = Limits { interleavings_max: Some(1000), ..Limits::none() };
        let config = Config { strategy: Strategy::Random, seed, limits, ..Config::of(&system) };
        run(&system, &config)
    };
    let report = walks(1);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interleavings));
    assert_eq!((report.walks, report.transitions, report.depth), (1000, 12_000, 12));
    assert!(report.states <= 125 && report.states > 100);

    let limits = Limits { interleavings_max: Some(3), depth_max: Some(5), ..Limits::none() };
    let few = |seed| {
        let limits = limits.clone();
        run(&system, &Config { strategy: Strategy::Random, seed, limits, ..Config::default() })
    };
    assert_eq!((few(1).walks, few(1).transitions, few(1).depth), (3, 15, 5));
    assert_eq!(few(1).states, few(1).states);
    assert!((0..20).any(|seed| few(seed).states != few(1).states));

    let system = Counters::new(3, 4).forbid_sum(9);
    let config = Config { strategy: Strategy::Random, ..Config::of(&system) };
    let report = run(&system, &config);
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violations[0].path.actions.len(), 9);
}

fn panics_at(slot: usize, value: u32, reads: Reads) -> Predicate {
    Predicate::new("fragile", reads, move |state, _| {
        assert!(state[slot] != value, "cannot look at {value}");
        true
    })
}

#[test]
fn a_predicate_that_panics_is_an_error_and_not_an_answer() {
    let system = Counters::new(3, 6);
    for strategy in ALL {
        for threads in [1, 2] {
            for reads in [Reads::All, Reads::slots([1])] {
                let fragile = panics_at(1, 3, reads);
                let property = Config {
                    properties: vec![Property::invariant(fragile.clone())],
                    ..limited(strategy, threads, Limits::none())
                };
                let prune = Config {
                    prunes: vec![fragile.not()],
                    ..limited(strategy, threads, Limits::none())
                };
                for (config, name) in [(property, "fragile"), (prune, "not fragile")] {
                    let report = run(&system, &config);
                    assert_eq!(report.verdict, Verdict::Error);
                    let broken = report.broken_property.expect("said so");
                    assert_eq!(broken.property, name);
                    assert_eq!(broken.message, "cannot look at 3");
                    assert_eq!(broken.path.states(&system).last().unwrap()[1], 3);
                    assert!(report.violations.is_empty());
                }
            }
        }
    }
}

#[test]
fn a_score_or_filter_that_panics_is_named() {
    let system = Counters::new(2, 5);
    let score: foresee_stateful::Score = Arc::new(|state| {
        assert!(state[0] < 4, "no score");
        0
    });
    let config = Config { score: Some(score), strategy: Strategy::BestFirst, ..Config::default() };
    assert_eq!(run(&system, &config).broken_property.unwrap().property, "score");

    for threads in [1, 2] {
        let allow: foresee_stateful::Allow = Arc::new(|state, _| {
            assert!(state[0] < 4, "no filter");
            true
        });
        let config = Config { allow: Some(allow), threads, ..Config::default() };
        let report = run(&system, &config);
        assert_eq!(report.verdict, Verdict::Error);
        assert_eq!(report.broken_property.unwrap().property, "allow");
    }
}

/// Leads somewhere else every time.
struct Fickle(AtomicU32);

impl System for Fickle {
    fn initial(&self) -> Vec<State> {
        vec![vec![0]]
    }
    fn enabled(&self, _state: &[u32], actions: &mut Vec<Action>) {
        actions.push(Action(0));
    }
    fn step(&self, _state: &[u32], _action: Action) -> State {
        vec![self.0.fetch_add(1, Ordering::Relaxed)]
    }
}

#[test]
fn a_system_that_cannot_repeat_itself_is_called_nondeterministic() {
    let never = Predicate::new("small", Reads::All, |state, _| state[0] < 20);
    let config = Config { properties: vec![Property::invariant(never)], ..Config::default() };
    let report = run(&Fickle(AtomicU32::new(1)), &config);
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violations[0].kind, ViolationKind::Nondeterminism);
}

#[test]
fn an_answer_that_changes_is_called_nondeterministic() {
    let asked = AtomicU32::new(0);
    let moody = Predicate::new("moody", Reads::All, move |state, _| {
        state[0] < 3 || asked.fetch_add(1, Ordering::Relaxed) > 0
    });
    let config = Config { properties: vec![Property::invariant(moody)], ..Config::default() };
    let report = run(&Counters::new(1, 9), &config);
    assert_eq!(report.violations[0].kind, ViolationKind::Nondeterminism);
    assert!(report.violations[0].message.contains("`moody`"));
}

#[test]
fn progress_is_told_while_searching_and_at_the_end() {
    #[derive(Default)]
    struct Told(Vec<Progress>, usize);
    impl Observer for Told {
        fn progress(&mut self, progress: &Progress) {
            self.0.push(progress.clone());
        }
        fn violation(&mut self, _: &foresee_lts::Violation) {
            self.1 += 1;
        }
    }
    let mut told = Told::default();
    let system = Counters::new(4, 9).forbid_sum(36);
    let meter = FakeMeter::ticking(Duration::from_millis(1));
    let report = search(&system, &Config::of(&system), &meter, &mut told);
    assert!(told.0.len() > 3 && told.0.len() < 1000, "{}", told.0.len());
    assert!(told.0.is_sorted_by_key(|p| p.states));
    assert_eq!(told.0.last().unwrap().states, report.states);
    assert!(told.0[1].frontier > 0 && told.0[1].memory_bytes > 0);
    assert_eq!(told.1, 1);
}

#[test]
fn fingerprints_take_less_memory_and_say_their_risk() {
    // Wide states: many slots of many bits.
    let graph = RandomGraph::new(7, 30_000);
    let exact = run(&graph, &Config::default());
    let visited = VisitedKind::Fingerprint;
    let hashed = run(&graph, &Config { visited, ..Config::default() });
    assert_eq!(exact.states, hashed.states);
    assert!(
        hashed.store_bytes * 2 < exact.store_bytes,
        "{} {}",
        hashed.store_bytes,
        exact.store_bytes
    );
    let risk = hashed.collision_probability.unwrap();
    assert!(risk > 0.0 && risk < 1e-9, "{risk}");
}
