//! The toy counters under every strategy, store and number of threads: all sizes are known by arithmetic.

mod common;

use common::{counts, run};
use foresee_lts::{Predicate, Property, Reads, StoppedBy, Verdict, ViolationKind, toy::Counters};
use foresee_search::{Limits, VisitedKind};
use foresee_stateful::{Config, Strategy};

const EXHAUSTIVE: [Strategy; 3] =
    [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::BestFirst];
const STORES: [VisitedKind; 2] = [VisitedKind::Exact, VisitedKind::Fingerprint];

fn is(slot: usize, value: u32) -> Predicate {
    let name = format!("counter {slot} is {value}");
    Predicate::new(name, Reads::slots([slot]), move |state, _| state[slot] == value)
}

#[test]
fn every_strategy_store_and_number_of_threads_finds_all_states() {
    let system = Counters::new(5, 6);
    for strategy in EXHAUSTIVE {
        for visited in STORES {
            for threads in [1, 2, 3, 8] {
                let config = Config { strategy, visited, threads, ..Config::default() };
                let report = run(&system, &config);
                assert_eq!(counts(&report), (16807, 72030, 30), "{config:?}");
                assert_eq!(report.verdict, Verdict::Holds);
                assert_eq!(report.collision_probability.is_some(), visited != VisitedKind::Exact);
            }
        }
    }
}

#[test]
fn the_shortest_violation_comes_first_in_breadth_first_search() {
    let system = Counters::new(3, 5).forbid_sum(7);
    for strategy in EXHAUSTIVE {
        let report = run(&system, &Config { strategy, ..Config::of(&system) });
        assert_eq!(report.verdict, Verdict::Violated);
        let violation = &report.violations[0];
        assert_eq!(violation.kind, ViolationKind::Invariant);
        assert_eq!(violation.property.as_deref(), Some("sum"));
        assert_eq!(violation.message, "the counters add up to 7");
        // Each step adds one, so every run to a sum of 7 has 7 steps.
        assert_eq!(violation.path.actions.len(), 7);
        let end = violation.path.states(&system).pop().unwrap();
        assert_eq!(end.iter().sum::<u32>(), 7);
    }
}

#[test]
fn keep_going_explores_everything_and_reports_each_property_once() {
    let system = Counters::new(3, 4);
    let never = |n| Property::invariant(is(0, n).not());
    for strategy in EXHAUSTIVE {
        let properties = vec![never(3), never(2), never(9)];
        let config = Config { strategy, properties, keep_going: true, ..Config::default() };
        let report = run(&system, &config);
        assert_eq!((report.states, report.transitions), (125, 300));
        let mut names: Vec<_> =
            report.violations.iter().map(|v| v.property.clone().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["not counter 0 is 2", "not counter 0 is 3"]);
    }
}

#[test]
fn pruned_states_are_counted_and_not_expanded() {
    let system = Counters::new(2, 5);
    for strategy in EXHAUSTIVE {
        for visited in STORES {
            let prunes = vec![is(0, 2)];
            let config = Config { strategy, visited, prunes, ..Config::default() };
            let report = run(&system, &config);
            // Counter 0 stays at 0, 1, 2; from 2 nothing happens: rows of 6, 2 of them expanded.
            assert_eq!((report.states, report.verdict), (3 * 6, Verdict::Holds));
            assert_eq!(report.transitions, 2 * (6 + 5));
        }
    }
}

#[test]
fn a_goal_ends_the_search_with_the_way_to_it() {
    let system = Counters::new(2, 9);
    for strategy in EXHAUSTIVE {
        let config = Config { strategy, goals: vec![is(1, 4)], ..Config::default() };
        let report = run(&system, &config);
        let (name, path) = report.goal.expect("reached");
        assert_eq!(name, "counter 1 is 4");
        assert_eq!(path.states(&system).last().unwrap()[1], 4);
        assert_eq!(report.verdict, Verdict::Holds);
        assert!(report.states < 100);
    }
    let all = Config { goals: vec![is(1, 4)], goals_max: 100, ..Config::default() };
    let report = run(&system, &all);
    assert_eq!(report.goals.len(), 10);
    assert_eq!(report.states, 50);
}

#[test]
fn a_property_that_should_be_reachable_is_reached_or_violated_or_unknown() {
    let system = Counters::new(2, 3);
    let reachable = |n| vec![Property::reachable(is(0, n))];
    let report = run(&system, &Config { properties: reachable(3), ..Config::default() });
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.reached[0].0, "counter 0 is 3");
    assert_eq!(report.reached[0].1.actions.len(), 3);

    let report = run(&system, &Config { properties: reachable(4), ..Config::default() });
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violations[0].kind, ViolationKind::Property);
    assert!(report.violations[0].path.actions.is_empty());

    let limits = Limits { depth_max: Some(2), ..Limits::none() };
    let config = Config { properties: reachable(4), limits, ..Config::default() };
    assert_eq!(run(&system, &config).verdict, Verdict::Inconclusive(StoppedBy::Depth));
}

#[test]
fn other_actions_are_as_if_not_enabled() {
    let system = Counters::new(3, 4);
    for strategy in EXHAUSTIVE {
        let allow: foresee_stateful::Allow =
            std::sync::Arc::new(|state, action| action.0 != 1 && (action.0 != 2 || state[0] == 4));
        let config = Config { strategy, allow: Some(allow), ..Config::default() };
        let report = run(&system, &config);
        assert_eq!((report.states, report.transitions), (9, 8));
    }
}

#[test]
fn a_search_can_start_at_the_end_of_a_run() {
    let system = Counters::new(2, 5).forbid_sum(8);
    let first = run(&system, &Config { goals: vec![is(0, 3)], ..Config::default() });
    let from = Some(vec![first.goal.unwrap().1]);
    let report = run(&system, &Config { from, ..Config::of(&system) });
    assert_eq!(report.depth, 5, "depth counts from where the search starts");
    assert_eq!(report.violations[0].path.actions.len(), 8, "paths count from the beginning");
    assert_eq!(report.violations[0].path.initial, [0, 0]);
}

#[test]
fn deadlocks_are_reported_on_request() {
    let system = Counters::new(2, 3);
    for strategy in EXHAUSTIVE {
        let report = run(&system, &Config { strategy, deadlock: true, ..Config::default() });
        assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
        assert_eq!(report.violations[0].path.actions.len(), 6);
        // A filter that forbids everything does not make a deadlock.
        let allow: foresee_stateful::Allow = std::sync::Arc::new(|_, action| action.0 == 0);
        let config = Config { strategy, deadlock: true, allow: Some(allow), ..Config::default() };
        assert_eq!(run(&system, &config).verdict, Verdict::Holds);
    }
}

#[test]
fn best_first_goes_straight_for_the_highest_score() {
    let system = Counters::new(4, 9);
    let score: foresee_stateful::Score = std::sync::Arc::new(|state| i64::from(state[3]));
    let config = Config {
        strategy: Strategy::BestFirst,
        goals: vec![is(3, 9)],
        score: Some(score),
        ..Config::default()
    };
    let report = run(&system, &config);
    assert_eq!(report.goal.unwrap().1.actions.len(), 9);
    assert!(report.states <= 1 + 9 * 4, "{}", report.states);
}

#[test]
fn naming_slots_changes_nothing_but_the_work() {
    // One slot changes per step, by its lowest bit half of the time, and ids grow through many layouts.
    type Test = fn(u32, u32) -> bool;
    let tests: [Test; 4] = [
        |a, b| (a + 2 * b) % 11 == 7,
        |a, b| a > 12 && b == 0,
        |a, b| a * b == 35,
        |a, b| a.wrapping_sub(b) == 9,
    ];
    for (system, n) in [(Counters::new(2, 40), 2), (Counters::new(3, 17), 3)] {
        for test in tests {
            for slots in [[0, 1], [n - 2, n - 1]] {
                let prune = Predicate::new("p", Reads::slots(slots), move |state, _| {
                    test(state[slots[0]], state[slots[1]])
                });
                for strategy in EXHAUSTIVE {
                    let of = |prune: &Predicate| Config {
                        strategy,
                        prunes: vec![prune.clone()],
                        properties: vec![Property::reachable(prune.clone())],
                        ..Config::default()
                    };
                    let named = run(&system, &of(&prune));
                    let opaque = run(&system, &of(&prune.clone().opaque()));
                    assert_eq!(counts(&named), counts(&opaque));
                    assert_eq!(named.reached, opaque.reached);
                    assert_eq!(named.verdict, opaque.verdict);
                }
            }
        }
    }
}
