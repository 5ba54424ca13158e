//! Random walks by several workers: everything that is told is the same for any number of them, and is what the walks find that
//! are taken one after the other.

mod common;

use common::{RandomGraph, counts};
use foresee_lts::{Property, StoppedBy, System, Verdict, toy::Counters};
use foresee_search::{Exchange, Limits, LocalExchange, NoMeter, Silent};
use foresee_stateful::{
    Config, Report, SeedTried, Strategy, SwarmReport, first_seed, search, walk_in_swarm,
};

fn swarm(system: &(dyn System + Sync), config: &Config, workers: usize) -> Vec<SwarmReport> {
    std::thread::scope(|scope| {
        let work = |mut exchange: LocalExchange| {
            walk_in_swarm(system, config, &mut exchange, &NoMeter, &mut Silent)
        };
        let group = LocalExchange::group(workers).into_iter();
        let threads: Vec<_> = group.map(|exchange| scope.spawn(move || work(exchange))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("no worker panics"));
        joined.map(|found| found.expect("nobody is lost")).collect()
    })
}

fn told(it: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let reached: Vec<_> =
        it.reached.iter().map(|(name, path)| (name.clone(), path.actions.clone())).collect();
    (it.verdict, it.stopped_by, counts(it), it.walks, it.violations.clone(), reached)
}

fn walks(system: &dyn System, seed: u64, n: u64) -> Config {
    let limits = Limits { interleavings_max: Some(n), depth_max: Some(40), ..Limits::none() };
    Config { strategy: Strategy::Random, seed, limits, ..Config::of(system) }
}

#[test]
fn any_number_of_workers_tells_the_same() {
    let mut n_violated = 0;
    for seed in 0..40 {
        let graph = RandomGraph::new(seed, 400);
        let mut config = walks(&graph, seed, 500);
        config.properties = vec![
            Property::invariant(graph.never("bad", vec![200 + seed as usize])),
            Property::reachable(graph.never("reached", vec![100 + seed as usize]).not()),
        ];
        let alone = told(&swarm(&graph, &config, 1)[0].report);
        for workers in [2, 3, 8] {
            assert_eq!(told(&swarm(&graph, &config, workers)[0].report), alone, "{seed} {workers}");
        }
        let plain = search(&graph, &config, &NoMeter, &mut Silent);
        let found = &swarm(&graph, &config, 2)[0].report;
        assert_eq!((found.verdict, found.walks), (plain.verdict, plain.walks), "{seed}");
        assert_eq!(found.transitions, plain.transitions, "{seed}");
        n_violated += u64::from(found.verdict == Verdict::Violated);
    }
    assert!((5..35).contains(&n_violated), "{n_violated} of 40: both are tried");
}

#[test]
fn limits_are_those_of_all_workers_together() {
    let system = Counters::new(3, 5);
    let config = walks(&system, 1, 1_000);
    for workers in [1, 4] {
        let report = &swarm(&system, &config, workers)[0].report;
        assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interleavings));
        assert_eq!((report.walks, report.transitions), (1_000, 15_000));
    }
    let limits = Limits { states_max: Some(2_000), ..config.limits.clone() };
    let few = Config { limits, ..config };
    let alone = told(&swarm(&system, &few, 1)[0].report);
    let report = &swarm(&system, &few, 5)[0].report;
    assert_eq!(told(report), alone);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::States));
    assert!(report.walks < 1_000);
}

#[test]
fn the_first_seed_that_decides_is_the_same_for_all() {
    for (deciding, n_seeds) in [(vec![17, 18, 40], 100), (vec![0], 1), (vec![], 33)] {
        for workers in [1, 2, 5] {
            let found = std::thread::scope(|scope| {
                let deciding = &deciding;
                let work = move |mut exchange: LocalExchange| {
                    let mut attempt =
                        |seed| SeedTried { decides: deciding.contains(&seed), stopped_by: None };
                    first_seed(&mut exchange, n_seeds, &NoMeter, &mut attempt)
                };
                let group = LocalExchange::group(workers).into_iter();
                let threads: Vec<_> = group.map(|one| scope.spawn(move || work(one))).collect();
                let joined = threads.into_iter().map(|it| it.join().expect("no worker panics"));
                joined.map(|found| found.expect("nobody is lost")).collect::<Vec<_>>()
            });
            for own in found {
                assert_eq!(own.first, deciding.first().copied(), "{workers} workers");
                assert_eq!(own.n_tried, deciding.first().map_or(n_seeds, |first| first + 1));
            }
        }
    }
}

#[test]
fn all_workers_end_when_one_is_lost() {
    let system = Counters::new(3, 5);
    let config = Config { strategy: Strategy::Random, ..Config::of(&system) };
    let mut group = LocalExchange::group(2);
    let mut lost = group.pop().expect("two");
    lost.give_up("its machine was taken away");
    let error = walk_in_swarm(&system, &config, &mut group[0], &NoMeter, &mut Silent);
    assert!(error.is_err(), "it does not walk for ever");
}
