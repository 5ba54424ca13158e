//! Specifications under the engines: every strategy, store and number of threads sees the same; quotients are the paper's.

mod support;

use foresee_algebra::{Algebra, Options, load};
use foresee_logic::{Equivalence, generate_lts, reduce};
use foresee_lts::{System, Telling, Verdict, ViolationKind};
use foresee_search::{NoMeter, Silent, VisitedKind};
use foresee_stateful::{Config, Report, Strategy, search};
use support::{spec, system};

fn run(system: &Algebra, config: &Config) -> Report {
    search(system, config, &NoMeter, &mut Silent)
}

#[test]
fn every_strategy_store_and_number_of_threads_counts_the_same() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        for visited in [VisitedKind::Exact, VisitedKind::Fingerprint] {
            for threads in [1, 2, 4] {
                let system = system(&spec("locker_crash"));
                let config =
                    Config { strategy, visited, threads, keep_going: true, ..Config::default() };
                let report = run(&system, &config);
                assert_eq!((report.states, report.transitions), (326, 584), "{config:?}");
            }
        }
    }
}

#[test]
fn what_cannot_be_explored_is_a_violation_of_its_own_kind() {
    let text = "sort D func d, e: -> D map f: D -> Bool rew f(d) = T act a
        proc P(x: D) = a.P(e) <| f(x) |> delta init P(d) || P(d)";
    let system = load(text, Options::default()).expect("nothing wrong with the text");
    let report = run(&system, &Config::of(&system));
    assert_eq!(report.verdict, Verdict::Violated);
    let violation = &report.violations[0];
    assert_eq!(violation.kind, ViolationKind::Unmodelled);
    assert!(violation.message.contains("E0511") && violation.message.contains("f(e)"));
    let states = violation.path.states(&system);
    let problem = system.problem(states.last().expect("a last state")).expect("a problem");
    assert!(text[problem.span.start as usize..problem.span.end as usize].starts_with("a.P(e)"));
}

#[test]
fn an_end_is_no_deadlock_and_delta_is_none() {
    let ends = system("act a, b init a || b.a");
    let lts = generate_lts(&ends, &|_, action| ends.visible_text(action));
    assert_eq!((lts.n_states(), lts.n_transitions()), (6, 7));
    let last = vec![2, 2];
    assert!(ends.is_final(&last));
    let stops = system("act a init a.delta");
    let next = stops.step(&stops.initial()[0], {
        let mut actions = Vec::new();
        stops.enabled(&stops.initial()[0], &mut actions);
        actions[0]
    });
    assert!(!stops.is_final(&next));
    assert_eq!(stops.describe(&next).members[0].status, "stopped");
}

#[test]
fn quotients_of_the_crashing_locker() {
    let system = system(&spec("locker_crash"));
    let lts = generate_lts(&system, &|_, action| system.visible_text(action));
    assert_eq!((lts.n_states(), lts.n_transitions()), (326, 584));
    for (equivalence, size) in
        [(Equivalence::Strong, (229, 448)), (Equivalence::Branching, (217, 426))]
    {
        let quotient = reduce(&lts, equivalence).lts;
        assert_eq!((quotient.n_states(), quotient.n_transitions()), size, "{equivalence:?}");
    }
}
