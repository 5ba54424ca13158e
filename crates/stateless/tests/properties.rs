//! Properties, prunes and declarations that depend on the state: what is seen must not depend on which order is run first.

mod lab;

use foresee_lts::{Predicate, Property, Reads, System, Verdict, ViolationKind, Why};
use foresee_search::{NoMeter, Silent};
use foresee_stateless::{Config, Dpor, NonRacing, Party, Report, Watch, explore};
use lab::programs::{FLAVOURS, generated};
use lab::sharing::Sharing;
use lab::{Lab, Op};
use std::sync::Arc;

fn run(system: &dyn System, config: &Config) -> Report {
    explore(system, config, &NoMeter, &mut Silent)
}

/// Whether a cell has this value.
fn cell_is(cell: usize, value: u32) -> Predicate {
    let name = format!("cell {cell} is {value}");
    Predicate::new(name, Reads::slots([cell]), move |state: &[u32], _| state[cell] == value)
}

fn pruned(prune: Predicate) -> Config {
    Config { prunes: vec![prune], ..Config::default() }
}

/// One thread leads to a pruned state, the other fails, and they touch nothing in common: the failure counts only in the order
/// that is not run first.
#[test]
fn a_fault_before_a_pruned_state_is_found() {
    let (prunes, fails) = (vec![Op::Write(0, 1)], vec![Op::Read(1), Op::FailIf(0)]);
    for threads in [vec![prunes.clone(), fails.clone()], vec![fails, prunes]] {
        let report = run(&Lab::new(2, threads), &pruned(cell_is(0, 1)));
        assert_eq!(report.verdict, Verdict::Violated);
        assert_eq!(report.findings[0].violation.path.actions.len(), 1, "nothing else is needed");
    }
}

#[test]
fn what_comes_after_a_pruned_state_does_not_count() {
    let lab = Lab::new(2, vec![vec![Op::Write(0, 1), Op::Read(1), Op::FailIf(0)]]);
    assert_eq!(run(&lab, &pruned(cell_is(0, 1))).verdict, Verdict::Holds);
    assert_eq!(run(&lab, &pruned(cell_is(0, 2))).verdict, Verdict::Violated);
}

/// A pruned initial state hides what comes after it, and nothing of the next initial state.
#[test]
fn a_pruned_initial_state_leaves_the_others_alone() {
    let mut lab = Lab::new(2, vec![vec![Op::Read(1), Op::FailIf(0)]]);
    lab.starts = vec![(0, 1)];
    assert_eq!(run(&lab, &pruned(cell_is(0, 1))).verdict, Verdict::Violated);
    assert_eq!(run(&lab, &pruned(cell_is(1, 0))).verdict, Verdict::Holds);
    let watches = vec![Watch::new(Property::invariant(cell_is(0, 1)), false)];
    let report = run(&lab, &Config { watches, ..pruned(cell_is(0, 1)) });
    let kinds = report.findings.iter().map(|it| it.violation.kind);
    assert_eq!(kinds.filter(|it| *it == ViolationKind::Invariant).count(), 1);
}

/// The property fails only between two events that touch nothing in common.
#[test]
fn a_property_of_two_cells_orders_their_writers() {
    let both = |state: &[u32]| state[0] == 0 && state[1] == 1;
    let never =
        Predicate::new("not so", Reads::slots([0, 1]), move |state: &[u32], _| !both(state));
    for threads in [[0, 1], [1, 0]] {
        let writers = threads.map(|cell| vec![Op::Write(cell, 1)]).to_vec();
        let watches = vec![Watch::new(Property::invariant(never.clone()), false)];
        let report = run(&Lab::new(2, writers), &Config { watches, ..Config::default() });
        assert_eq!(report.verdict, Verdict::Violated);
        let violation = &report.findings[0].violation;
        assert_eq!((violation.kind, violation.path.actions.len()), (ViolationKind::Invariant, 1));
    }
}

/// A reachable property that is seen in a run stays seen; one that holds only in the other order needs to order events.
#[test]
fn a_reachable_property_is_seen_where_events_are_ordered() {
    let only = Predicate::new("only the second", Reads::slots([0, 1]), |state: &[u32], _| {
        state[0] == 0 && state[1] == 1
    });
    let lab = Lab::new(2, vec![vec![Op::Write(0, 1)], vec![Op::Write(1, 1)]]);
    for is_ordering in [false, true] {
        let watches = vec![Watch { property: Property::reachable(only.clone()), is_ordering }];
        let report = run(&lab, &Config { watches, ..Config::default() });
        assert_eq!(report.reached[0].is_some(), is_ordering);
    }
}

/// Whether an event races may depend on the state, so what was found out about a footprint must not be used in another.
#[test]
fn a_declaration_that_depends_on_the_state_is_asked_in_each_state() {
    // The first write of thread 0 does not race, the second, which touches the same, does.
    let first_is_quiet: NonRacing = Arc::new(|state, party| {
        matches!(party, Party::Actor(actor) if actor.0 == 0) && state[1] == 0
    });
    let lab = Lab::new(1, vec![vec![Op::Write(0, 1), Op::Write(0, 1)], vec![Op::Read(0)]]);
    for dpor in [Dpor::Optimal, Dpor::Source] {
        let config = Config { dpor, non_racing: Some(first_is_quiet.clone()), ..Config::default() };
        let n_alone = run(&lab, &config).interleavings;
        assert_eq!(n_alone, 2, "{dpor:?}: the read before and after the second write");
        assert_eq!(run(&Sharing::new(lab.clone()), &config).interleavings, n_alone, "{dpor:?}");
    }
}

/// Footprints that are shared change nothing, whatever is looked at.
#[test]
fn shared_footprints_give_the_same_runs() {
    for flavour in FLAVOURS {
        for seed in 0..20 {
            let lab = generated(flavour, seed);
            let ordered = |state: &[u32], _: &mut Why| state[0] <= state[1];
            let ordered = Predicate::new("ordered", Reads::slots([0, 1]), ordered);
            let watch = Watch::new(Property::invariant(ordered), false);
            for watches in [vec![], vec![watch]] {
                let config = Config { watches, keep_going: true, ..Config::default() };
                let (alone, shared) =
                    (run(&lab, &config), run(&Sharing::new(lab.clone()), &config));
                let counts =
                    |it: &Report| (it.verdict, it.interleavings, it.erroneous_interleavings);
                assert_eq!(counts(&alone), counts(&shared), "{flavour:?} {seed}");
            }
        }
    }
}
