//! Searches by several workers against the same search on disk by one: everything that is told, byte for byte, for any number of
//! workers; and taken up again after one of them was lost.

mod common;

use common::{FakeMeter, RandomGraph, counts};
use foresee_lts::{Property, StoppedBy, System, Verdict, toy::Counters};
use foresee_search::{
    Disk, DiskError, Exchange, Limits, LocalExchange, Meter, NoMeter, Silent, SimulatedDisk,
};
use foresee_stateful::{
    Config, CrewError, CrewReport, OnDisk, Report, search_in_crew, search_on_disk,
};
use foresee_stdx::Random;
use std::sync::Arc;
use std::time::Duration;

/// What is told; runs are compared whole, but for those to what should be reached, of which only the length is told.
fn told(it: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let reached: Vec<_> =
        it.reached.iter().map(|(name, path)| (name.clone(), path.actions.len())).collect();
    let broken = it.broken_property.as_ref().map(|it| (it.property.clone(), it.path.clone()));
    (it.verdict, it.stopped_by, counts(it), it.violations.clone(), reached, broken)
}

fn on_disk(system: &dyn System, config: &Config) -> Report {
    let disk = SimulatedDisk::default();
    let place =
        OnDisk { disk: &disk, resume: false, bytes_max: None, identity: &[], of_worker: None };
    search_on_disk(system, config, &place, &NoMeter, &mut Silent).expect("a new disk").report
}

type Outcome = Result<CrewReport, CrewError>;

/// Has workers search, each with a system of its own; on these disks, if any.
fn crew<S: System>(
    systems: &[S],
    config: &Config,
    disks: Option<(&[Arc<SimulatedDisk>], bool)>,
    meter: &(dyn Meter + Sync),
) -> Vec<Outcome> {
    std::thread::scope(|scope| {
        let workers = LocalExchange::group(systems.len()).into_iter().zip(systems);
        let work = |mut exchange: LocalExchange, system: &S| {
            let index = exchange.index();
            let of_worker = |worker: usize| -> Arc<dyn Disk> {
                disks.map_or_else(Default::default, |(disks, _)| Arc::clone(&disks[worker]))
            };
            let place = disks.map(|(disks, resume)| OnDisk {
                disk: &*disks[index],
                resume,
                bytes_max: None,
                identity: &[],
                of_worker: Some(&of_worker),
            });
            search_in_crew(system, config, &mut exchange, place.as_ref(), meter, &mut Silent)
        };
        let threads: Vec<_> =
            workers.map(|(exchange, system)| scope.spawn(move || work(exchange, system))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker panics")).collect()
    })
}

fn by_crew<S: System>(workers: usize, system: impl Fn() -> S, config: &Config) -> Report {
    let systems: Vec<S> = (0..workers).map(|_| system()).collect();
    let mut found = crew(&systems, config, None, &NoMeter);
    let rest = found.split_off(1);
    let first = found.remove(0).expect("nothing is lost").report;
    for other in rest {
        assert_eq!(other.expect("nothing is lost").report.stopped_by, first.stopped_by);
    }
    first
}

#[test]
fn any_number_of_workers_tells_what_one_on_disk_tells() {
    for seed in 0..40 {
        let n = [3, 20, 200, 1500][seed as usize % 4];
        let mut random = Random::new(seed + 77);
        let mut some = |k: u64| -> Vec<usize> {
            (0..random.below(k + 1)).map(|_| random.below(n as u64) as usize).collect()
        };
        let (bad, pruned, faulty, reached) = (some(3), some(5), some(1), some(2));
        let graph = || {
            let mut graph = RandomGraph::wide(seed, n);
            graph.faulty = faulty.iter().copied().collect();
            graph
        };
        let one = graph();
        for keep_going in [false, true] {
            let config = Config {
                properties: vec![
                    Property::invariant(one.never("bad", bad.clone())),
                    Property::reachable(one.never("reached", reached.clone()).not()),
                ],
                prunes: vec![one.never("pruned", pruned.clone()).not()],
                deadlock: seed % 2 == 0,
                keep_going,
                ..Config::default()
            };
            let expected = told(&on_disk(&one, &config));
            for workers in [1, 2, 8] {
                let found = told(&by_crew(workers, graph, &config));
                assert_eq!(found, expected, "seed {seed}, {workers} workers");
            }
        }
    }
}

#[test]
fn limits_on_depth_and_states_cut_where_they_do_on_disk() {
    for seed in 0..40 {
        let graph = || RandomGraph::wide(seed, 400);
        let mut random = Random::new(seed);
        let depth_max = Some(random.below(10) as u32);
        let states_max = Some(random.below(400));
        for limits in
            [Limits { depth_max, ..Limits::none() }, Limits { states_max, ..Limits::none() }]
        {
            let config = Config { limits, deadlock: true, ..Config::default() };
            let expected = told(&on_disk(&graph(), &config));
            assert_eq!(told(&by_crew(3, graph, &config)), expected, "seed {seed}");
        }
    }
}

#[test]
fn a_limit_that_strikes_one_worker_stops_all() {
    let systems: Vec<Counters> = (0..4).map(|_| Counters::new(5, 9)).collect();
    let limits = Limits { time_max: Some(Duration::from_millis(5)), ..Limits::none() };
    let config = Config { limits, ..Config::default() };
    let meter = FakeMeter::ticking(Duration::from_millis(1));
    let found = crew(&systems, &config, None, &meter);
    for outcome in found {
        let report = outcome.expect("nothing is lost").report;
        assert_eq!(report.stopped_by, Some(StoppedBy::Time));
    }
}

#[test]
fn a_filter_that_panics_is_told_of() {
    let allow = |state: &[u32], _| {
        assert!(state.iter().sum::<u32>() < 4, "too much");
        true
    };
    let config = Config { allow: Some(std::sync::Arc::new(allow)), ..Config::default() };
    let expected = on_disk(&Counters::new(3, 4), &config);
    let found = by_crew(3, || Counters::new(3, 4), &config);
    assert_eq!((found.verdict, found.depth), (Verdict::Error, expected.depth));
    let path = |it: &Report| it.broken_property.clone().map(|it| (it.message, it.path));
    assert_eq!(path(&found), path(&expected));
}

/// Workers whose disks fail after some writes, taken up again until they are done.
#[test]
fn a_crew_that_was_cut_off_anywhere_goes_on() {
    let graph = || RandomGraph::wide(5, 300);
    let one = graph();
    let bad = Property::invariant(one.never("bad", vec![7, 99, 250]));
    let config = Config { properties: vec![bad], keep_going: true, ..Config::default() };
    let expected = told(&on_disk(&one, &config));
    let (mut n_cut, mut random) = (0, Random::new(3));
    for calls in (1..150).step_by(6) {
        let disks: Vec<Arc<SimulatedDisk>> = (0..3).map(|_| Arc::default()).collect();
        disks[calls as usize % 3].fail_after(calls);
        let systems: Vec<RandomGraph> = (0..3).map(|_| graph()).collect();
        let found = crew(&systems, &config, Some((&disks, false)), &NoMeter);
        let is_cut = found.iter().any(Result::is_err);
        n_cut += usize::from(is_cut);
        let mut found = found;
        let mut resume = true;
        let mut rounds = 0;
        while found.iter().any(Result::is_err) {
            rounds += 1;
            assert!(rounds < 4, "it does not go on: {found:?}");
            let is_nothing = |it: &Outcome| matches!(it, Err(CrewError::Disk(DiskError::Nothing)));
            if found.iter().any(is_nothing) {
                resume = false;
            }
            for disk in &disks {
                disk.cut_power(&mut random);
                disk.release();
            }
            let systems: Vec<RandomGraph> = (0..3).map(|_| graph()).collect();
            found = crew(&systems, &config, Some((&disks, resume)), &NoMeter);
        }
        let first = found.remove(0).expect("it has ended");
        assert_eq!(told(&first.report), expected, "{calls} calls");
    }
    assert!(n_cut > 8, "{n_cut}");
}

/// Each time another number of workers goes on, and is cut off too, until one number of them gets to the end.
#[test]
fn any_number_of_workers_takes_up_what_others_have_saved() {
    let graph = || RandomGraph::wide(5, 300);
    let one = graph();
    let bad = Property::invariant(one.never("bad", vec![7, 99, 250]));
    let config = Config { properties: vec![bad], keep_going: true, ..Config::default() };
    let expected = told(&on_disk(&one, &config));
    let (mut n_dealt, mut random) = (0, Random::new(8));
    for round in 0..6 {
        let disks: Vec<Arc<SimulatedDisk>> = (0..6).map(|_| Arc::default()).collect();
        let (mut resume, mut before, mut errors) = (false, 0, Vec::new());
        for attempt in 0.. {
            assert!(attempt < 60, "round {round} does not come to an end: {errors:#?}");
            let workers = 1 + random.below(6) as usize;
            if attempt < 6 {
                disks[random.below(workers as u64) as usize].fail_after(1 + random.below(120));
            }
            n_dealt += usize::from(resume && before != workers);
            let systems: Vec<RandomGraph> = (0..workers).map(|_| graph()).collect();
            let mut found = crew(&systems, &config, Some((&disks, resume)), &NoMeter);
            for disk in &disks {
                disk.cut_power(&mut random);
                disk.release();
            }
            let is_nothing = |it: &Outcome| matches!(it, Err(CrewError::Disk(DiskError::Nothing)));
            let is_taken = |it: &Outcome| matches!(it, Err(CrewError::Disk(DiskError::Taken)));
            if found.iter().all(Result::is_ok) {
                let first = found.remove(0).expect("just looked at");
                assert_eq!(told(&first.report), expected, "round {round}, {workers} workers");
                break;
            }
            let failed = found.iter().filter_map(|it| it.as_ref().err().cloned());
            errors.push((workers, resume, failed.collect::<Vec<_>>()));
            resume = !found.iter().any(is_nothing) || found.iter().any(is_taken);
            before = workers;
        }
    }
    assert!(n_dealt > 1, "{n_dealt}");
}

/// Interrupts in the middle of levels, each followed by another number of workers.
#[test]
fn half_a_level_is_taken_up_by_any_number_of_workers() {
    let counters = || Counters::new(4, 7);
    let config = Config { deadlock: true, ..Config::default() };
    let expected = told(&on_disk(&counters(), &config));
    let (mut n_half, mut random) = (0, Random::new(4));
    let disks: Vec<Arc<SimulatedDisk>> = (0..5).map(|_| Arc::default()).collect();
    for attempt in 0.. {
        let systems: Vec<Counters> = (0..1 + random.below(5)).map(|_| counters()).collect();
        let mut meter = FakeMeter::ticking(Duration::ZERO);
        meter.interrupt_after = Some(20 + 15 * attempt);
        let mut found = crew(&systems, &config, Some((&disks, attempt > 0)), &meter);
        let first = found.remove(0).expect("nothing is lost");
        if first.report.stopped_by != Some(StoppedBy::Interrupt) {
            assert_eq!(told(&first.report), expected);
            break;
        }
        let files = disks.iter().flat_map(|disk| disk.list().expect("it works"));
        n_half += usize::from(files.into_iter().any(|name| name.starts_with("candidates-")));
        disks.iter().for_each(|disk| disk.release());
    }
    assert!(n_half > 2, "{n_half}");
}
