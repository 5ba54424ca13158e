//! Searches on disk against the same searches in memory: counts, verdicts, lengths of runs; and taken up again after every kind
//! of end: a limit, a full disk, a kill or a power cut after any number of writes.

mod common;

use common::{FakeMeter, RandomGraph, counts, run};
use foresee_lts::{Property, StoppedBy, System, Verdict, ViolationKind, toy::Counters};
use foresee_search::{
    Disk, DiskError, LevelInfo, Limits, Manifest, NoMeter, Silent, SimulatedDisk, StateReader,
    Volume,
};
use foresee_stateful::{Config, DiskReport, OnDisk, search_on_disk};
use foresee_stdx::Random;
use std::sync::Arc;

fn place<'a>(disk: &'a SimulatedDisk, resume: bool) -> OnDisk<'a> {
    OnDisk { disk, resume, bytes_max: None, identity: &[], of_worker: None }
}

fn on(
    disk: &SimulatedDisk,
    resume: bool,
    system: &dyn System,
    config: &Config,
) -> Result<DiskReport, DiskError> {
    search_on_disk(system, config, &place(disk, resume), &NoMeter, &mut Silent)
}

fn fresh(system: &dyn System, config: &Config) -> DiskReport {
    on(&SimulatedDisk::default(), false, system, config).expect("a new disk")
}

/// Hardly any memory: candidates go to disk by the hundred.
fn tight(config: &Config) -> Config {
    let limits = Limits { memory_max: Some(1 << 16), ..config.limits.clone() };
    Config { limits, ..config.clone() }
}

#[test]
fn random_graphs_have_the_counts_they_have_in_memory() {
    for seed in 0..120 {
        let n = [3, 20, 200, 1500][seed as usize % 4];
        let graph = RandomGraph::wide(seed, n);
        let config = Config::default();
        let expected = counts(&run(&graph, &config));
        let found = fresh(&graph, &config).report;
        assert_eq!((found.verdict, counts(&found)), (Verdict::Holds, expected), "seed {seed}");
        let found = fresh(&graph, &tight(&config)).report;
        assert_eq!(
            (found.verdict, counts(&found)),
            (Verdict::Holds, expected),
            "tight, seed {seed}"
        );
    }
}

#[test]
fn candidates_that_memory_does_not_hold_go_to_disk() {
    let counters = Counters::new(4, 11);
    let config = Config::default();
    let expected = counts(&run(&counters, &config));
    let found = fresh(&counters, &tight(&config));
    assert_eq!(counts(&found.report), expected);
    assert!(found.disk_bytes > 0 && found.components == 48, "{}", found.components);
}

#[test]
fn limits_on_depth_and_states_mean_what_they_mean_in_memory() {
    for seed in 0..80 {
        let graph = RandomGraph::wide(seed, 400);
        let mut random = Random::new(seed);
        let depth_max = Some(random.below(10) as u32);
        let limits = Limits { depth_max, ..Limits::none() };
        let config = Config { limits, ..Config::default() };
        let (expected, found) = (run(&graph, &config), fresh(&graph, &config).report);
        assert_eq!(found.verdict, expected.verdict, "seed {seed}");
        assert_eq!(counts(&found), counts(&expected), "seed {seed}");
        let limits = Limits { states_max: Some(random.below(400)), ..Limits::none() };
        let config = Config { limits, ..Config::default() };
        let (expected, found) = (run(&graph, &config), fresh(&graph, &config).report);
        assert_eq!(found.verdict, expected.verdict, "seed {seed}");
        assert!(found.states >= expected.states, "cut at the end of a level, seed {seed}");
    }
}

#[test]
fn violations_have_as_many_steps_as_in_memory_and_prunes_are_heeded() {
    for seed in 0..120 {
        let n = [20, 200, 1500][seed as usize % 3];
        let mut graph = RandomGraph::wide(seed, n);
        let mut random = Random::new(seed + 77);
        let mut some = |k: u64| -> Vec<usize> {
            (0..random.below(k + 1)).map(|_| random.below(n as u64) as usize).collect()
        };
        let (bad, pruned, faulty) = (some(3), some(5), some(1));
        graph.faulty = faulty.into_iter().collect();
        let prune = graph.never("pruned", pruned).not();
        for keep_going in [false, true] {
            let config = Config {
                properties: vec![Property::invariant(graph.never("bad", bad.clone()))],
                prunes: vec![prune.clone()],
                keep_going,
                ..Config::default()
            };
            let (expected, found) = (run(&graph, &config), fresh(&graph, &config).report);
            assert_eq!(found.verdict, expected.verdict, "seed {seed}");
            let steps = |report: &foresee_stateful::Report| {
                let mut steps: Vec<(ViolationKind, usize)> =
                    report.violations.iter().map(|it| (it.kind, it.path.actions.len())).collect();
                steps.sort_by_key(|it| (it.1, format!("{:?}", it.0)));
                steps
            };
            if keep_going || steps(&found).len() != 1 {
                assert_eq!(steps(&found), steps(&expected), "seed {seed}");
                assert_eq!(counts(&found), counts(&expected), "seed {seed}");
            } else {
                assert_eq!(steps(&found)[0].1, steps(&expected)[0].1, "seed {seed}");
            }
            let again = fresh(&graph, &tight(&config)).report;
            assert_eq!((&again.violations, counts(&again)), (&found.violations, counts(&found)));
        }
    }
}

#[test]
fn deadlocks_are_found() {
    for seed in 0..60 {
        let graph = RandomGraph::wide(seed, 300);
        let config = Config { deadlock: true, keep_going: true, ..Config::default() };
        let (expected, found) = (run(&graph, &config), fresh(&graph, &config).report);
        let steps = |it: &foresee_stateful::Report| {
            it.violations.iter().map(|it| (it.kind, it.path.actions.len())).collect::<Vec<_>>()
        };
        assert_eq!(steps(&found), steps(&expected), "seed {seed}");
        assert_eq!(counts(&found), counts(&expected), "seed {seed}");
    }
}

/// What a search that never stopped says; runs are compared whole.
fn told(report: &DiskReport) -> impl PartialEq + std::fmt::Debug + use<> {
    let it = &report.report;
    (it.verdict, counts(it), it.violations.clone(), it.reached.len())
}

/// Most with hardly any memory, the last with as much as they want.
fn examples() -> Vec<(RandomGraph, Config)> {
    (0..9)
        .map(|seed| {
            let graph = RandomGraph::wide(seed, 500);
            let bad = if seed % 2 == 0 { vec![] } else { vec![300, 444] };
            let properties = vec![Property::invariant(graph.never("bad", bad))];
            let keep_going = seed % 4 == 1;
            let config = Config { properties, deadlock: seed > 2, keep_going, ..Config::default() };
            (graph, if seed < 6 { tight(&config) } else { config })
        })
        .collect()
}

#[test]
fn a_search_goes_on_after_a_kill_or_a_power_cut_at_any_write() {
    for (n, (graph, config)) in examples().into_iter().enumerate() {
        let whole = SimulatedDisk::default();
        let expected = told(&on(&whole, false, &graph, &config).unwrap());
        for is_power in [false, true] {
            let mut random = Random::new(n as u64 + 1);
            let disk = SimulatedDisk::default();
            let mut resume = false;
            let mut n_cuts = 0;
            let found = loop {
                // Further and further apart, so that it ends.
                disk.fail_after(random.below(20 + 3 * n_cuts));
                match on(&disk, resume, &graph, &config) {
                    Ok(found) => break found,
                    Err(DiskError::Failed { .. }) => n_cuts += 1,
                    Err(DiskError::Nothing) => {}
                    Err(other) => panic!("example {n}, cut {n_cuts}: {other}"),
                }
                match is_power {
                    true => disk.cut_power(&mut random),
                    false => disk.release(),
                }
                resume = disk.list().unwrap().iter().any(|name| name == "manifest");
            };
            assert!(n_cuts > 3, "{n_cuts} cuts");
            assert_eq!(told(&found), expected, "example {n}, power {is_power}");
        }
    }
}

#[test]
fn a_full_disk_is_a_limit_and_more_room_is_enough() {
    let (graph, config) = examples().remove(0);
    let expected = told(&fresh(&graph, &config));
    let disk = SimulatedDisk::with_room(6_000);
    let mut found = on(&disk, false, &graph, &config).unwrap();
    assert_eq!(found.report.verdict, Verdict::Inconclusive(StoppedBy::Disk));
    for room in (6_000..).step_by(9_000) {
        disk.release();
        disk.give_room(Some(room));
        found = on(&disk, true, &graph, &config).unwrap();
        if found.report.verdict != Verdict::Inconclusive(StoppedBy::Disk) {
            break;
        }
    }
    assert_eq!(told(&found), expected);
    let budget = OnDisk { bytes_max: Some(5_000), ..place(&disk, false) };
    let disk = SimulatedDisk::default();
    let budget = OnDisk { disk: &disk, ..budget };
    let found = search_on_disk(&graph, &config, &budget, &NoMeter, &mut Silent).unwrap();
    assert_eq!(found.report.stopped_by, Some(StoppedBy::Disk));
    assert!(found.disk_bytes <= 5_000);
}

#[test]
fn an_interrupt_loses_nothing_that_was_expanded() {
    let counters = Counters::new(4, 9);
    let config = Config::default();
    let expected = told(&fresh(&counters, &config));
    let disk = SimulatedDisk::default();
    let mut resume = false;
    let mut n_stops = 0;
    let found = loop {
        let meter = FakeMeter {
            interrupt_after: Some(40),
            ..FakeMeter::ticking(std::time::Duration::ZERO)
        };
        let found =
            search_on_disk(&counters, &config, &place(&disk, resume), &meter, &mut Silent).unwrap();
        disk.release();
        if found.report.stopped_by != Some(StoppedBy::Interrupt) {
            break found;
        }
        (resume, n_stops) = (true, n_stops + 1);
        assert!(n_stops < 500, "it gets nowhere");
    };
    assert!(n_stops > 2, "{n_stops}");
    assert_eq!(told(&found), expected);
}

/// All states are held at first, then their keys, then hardly anything: wherever that changes, in the middle of a level too.
#[test]
fn what_is_told_does_not_depend_on_how_much_memory_holds() {
    for (graph, config) in examples() {
        let expected = told(&fresh(&graph, &config));
        for kilobytes in (8..400).step_by(8) {
            let limits = Limits { memory_max: Some(kilobytes << 10), ..config.limits.clone() };
            let found = fresh(&graph, &Config { limits, ..config.clone() });
            assert_eq!(told(&found), expected, "{kilobytes} kB");
        }
    }
}

/// Searched in the order of keys from the start: a filter wants that. It lets everything through.
fn by_keys(graph: &RandomGraph, config: &Config) -> DiskReport {
    fresh(graph, &Config { allow: Some(Arc::new(|_, _| true)), ..config.clone() })
}

/// The levels of a search, and how many of them are in the order of finding: all, unless memory was outgrown.
fn levels(disk: &SimulatedDisk) -> (usize, usize) {
    let volume = Volume::new(disk, None);
    let mut bytes = vec![0; disk.size(Manifest::NAME).unwrap() as usize];
    disk.read(Manifest::NAME, 0, &mut bytes).unwrap();
    let manifest = Manifest::of_text(&String::from_utf8(bytes).unwrap()).unwrap();
    let is_as_found =
        |level: &&LevelInfo| StateReader::new(&volume, &level.file).unwrap().is_as_found();
    (manifest.levels.len(), manifest.levels.iter().filter(is_as_found).count())
}

/// Graphs in which one state is wrong, in any level, the first and the last among them.
fn wrong_somewhere() -> Vec<(RandomGraph, Config)> {
    let example = |seed: u64| {
        let graph = RandomGraph::wide(seed, 600);
        let whole = run(&graph, &Config::default());
        assert!(whole.depth > 4, "seed {seed} has {} levels", whole.depth);
        let mut random = Random::new(seed);
        let bad = match seed % 3 {
            0 => vec![0],
            1 => vec![random.below(600) as usize],
            _ => (0..600).filter(|n| n % 7 == seed as usize % 7 && *n > 500).collect(),
        };
        let properties = vec![Property::invariant(graph.never("bad", bad))];
        let config = Config { properties, deadlock: seed.is_multiple_of(5), ..Config::default() };
        (graph, config)
    };
    (0..40)
        .filter(|seed| run(&RandomGraph::wide(*seed, 600), &Config::default()).depth > 4)
        .map(example)
        .collect()
}

/// While memory holds all states nobody keeps keys and least parents. The run that is told is that of the search that does.
#[test]
fn the_run_that_is_told_has_the_least_parents_before_and_after_memory_is_outgrown() {
    let (mut n_held, mut n_outgrown, mut n_runs) = (0, 0, 0);
    for (n, (graph, config)) in wrong_somewhere().into_iter().enumerate() {
        for keep_going in [false, true] {
            let config = Config { keep_going, ..config.clone() };
            let expected = by_keys(&graph, &config);
            n_runs += expected.report.violations.len();
            for memory_max in [None, Some(1 << 16), Some(100 << 10), Some(200 << 10)] {
                let limits = Limits { memory_max, ..Limits::none() };
                let config = Config { limits, ..config.clone() };
                let disk = SimulatedDisk::default();
                let found = on(&disk, false, &graph, &config).unwrap();
                assert_eq!(told(&found), told(&expected), "example {n}, {memory_max:?}");
                let (n_levels, n_as_found) = levels(&disk);
                match n_levels == n_as_found {
                    true => n_held += 1,
                    false => n_outgrown += 1,
                }
                // Whoever takes it up later tells the same run.
                disk.release();
                let again = on(&disk, true, &graph, &config).unwrap();
                assert_eq!(told(&again), told(&expected), "example {n}, taken up");
            }
        }
    }
    assert!(n_held > 40 && n_outgrown > 40 && n_runs > 40, "{n_held} {n_outgrown} {n_runs}");
}

/// A search is stopped while memory holds all states, and taken up with other memory and other threads.
#[test]
fn what_was_written_while_memory_held_all_states_is_taken_up() {
    let mut n_in_level = 0;
    for (n, (graph, config)) in wrong_somewhere().into_iter().enumerate() {
        let expected = told(&by_keys(&graph, &config));
        for looks in [1, 2, 4, 7, 12] {
            for (threads, memory_max) in [(1, None), (4, None), (2, Some(1 << 16))] {
                let disk = SimulatedDisk::default();
                let meter = FakeMeter {
                    interrupt_after: Some(looks),
                    ..FakeMeter::ticking(std::time::Duration::ZERO)
                };
                let place = place(&disk, false);
                let found = search_on_disk(&graph, &config, &place, &meter, &mut Silent).unwrap();
                disk.release();
                let (n_levels, n_as_found) = levels(&disk);
                assert_eq!(n_levels, n_as_found, "memory holds them");
                let is_candidates = |name: &String| name.starts_with("candidates-");
                n_in_level += usize::from(disk.list().unwrap().iter().any(is_candidates));
                let limits = Limits { memory_max, ..Limits::none() };
                let later = Config { threads, limits, ..config.clone() };
                let again = on(&disk, true, &graph, &later).unwrap();
                let is_stopped = found.report.stopped_by == Some(StoppedBy::Interrupt);
                assert!(is_stopped || told(&found) == expected);
                assert_eq!(told(&again), expected, "example {n}, {looks} looks, {memory_max:?}");
            }
        }
    }
    assert!(n_in_level > 40, "{n_in_level} were stopped in the middle of a level");
}

/// A level that takes long is saved on the way, and the search stays in memory.
#[test]
fn a_long_level_is_saved_in_between_and_goes_on_in_memory() {
    let counters = Counters::new(4, 9);
    let config = Config::default();
    let expected = counts(&run(&counters, &config));
    let (mut n_in_level, mut n_held) = (0, 0);
    for cut in 0..60 {
        let disk = SimulatedDisk::default();
        disk.fail_after(40 + 20 * cut);
        // With every look some seconds pass.
        let meter = FakeMeter::ticking(std::time::Duration::from_secs(10));
        let found = search_on_disk(&counters, &config, &place(&disk, false), &meter, &mut Silent);
        if let Ok(found) = &found {
            assert_eq!(counts(&found.report), expected);
        }
        disk.cut_power(&mut Random::new(cut));
        if !disk.list().unwrap().iter().any(|name| name == Manifest::NAME) {
            continue;
        }
        let (n_levels, n_as_found) = levels(&disk);
        n_held += usize::from(n_levels == n_as_found && n_levels > 5);
        let text = {
            let mut bytes = vec![0; disk.size(Manifest::NAME).unwrap() as usize];
            disk.read(Manifest::NAME, 0, &mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        n_in_level += usize::from(text.contains("\ncandidates "));
        let found = on(&disk, true, &counters, &config).unwrap();
        assert_eq!(counts(&found.report), expected, "cut {cut}");
    }
    assert!(n_held > 10 && n_in_level > 5, "{n_held} held, {n_in_level} in the middle of a level");
}

#[test]
fn an_interrupt_at_any_look_changes_nothing_of_what_is_told() {
    for (graph, config) in examples() {
        let expected = told(&fresh(&graph, &config));
        for looks in [2, 3, 5, 9, 17, 33] {
            let (disk, mut resume, mut n_stops) = (SimulatedDisk::default(), false, 0);
            let found = loop {
                // With every stop a little more, so that it ends.
                let interrupt_after = Some(looks + n_stops);
                let meter =
                    FakeMeter { interrupt_after, ..FakeMeter::ticking(std::time::Duration::ZERO) };
                let place = place(&disk, resume);
                let found = search_on_disk(&graph, &config, &place, &meter, &mut Silent).unwrap();
                disk.release();
                if found.report.stopped_by != Some(StoppedBy::Interrupt) {
                    break found;
                }
                (resume, n_stops) = (true, n_stops + 1);
            };
            assert_eq!(told(&found), expected, "after {looks} looks");
        }
    }
}

#[test]
fn a_search_that_has_ended_gives_its_answer_again() {
    for (graph, config) in examples() {
        let disk = SimulatedDisk::default();
        let first = on(&disk, false, &graph, &config).unwrap();
        disk.release();
        let again = on(&disk, true, &graph, &config).unwrap();
        assert_eq!(told(&again), told(&first));
    }
}

#[test]
fn what_cannot_be_taken_up_is_refused() {
    let graph = RandomGraph::wide(4, 300);
    let config = Config::default();
    let disk = SimulatedDisk::default();
    let identity = [("system".to_owned(), "graph 4".to_owned())];
    let own = OnDisk { identity: &identity, ..place(&disk, false) };
    let go = |place: &OnDisk<'_>, system: &dyn System| {
        search_on_disk(system, &config, place, &NoMeter, &mut Silent).map(|it| it.report.states)
    };
    assert_eq!(go(&OnDisk { resume: true, ..own }, &graph), Err(DiskError::Nothing));
    disk.release();
    let states = go(&own, &graph).unwrap();
    assert_eq!(go(&OnDisk { resume: true, ..own }, &graph), Err(DiskError::InUse));
    disk.release();
    assert_eq!(go(&own, &graph), Err(DiskError::Taken));
    disk.release();
    let other = go(&place(&disk, true), &graph).unwrap_err();
    assert!(matches!(&other, DiskError::Other { what, .. } if what == "system"), "{other}");
    disk.release();
    let other = go(&OnDisk { resume: true, ..own }, &RandomGraph::wide(5, 300)).unwrap_err();
    assert!(matches!(&other, DiskError::Other { what, .. } if what == "behaviour"), "{other}");
    let mut random = Random::new(9);
    for name in disk.list().unwrap() {
        disk.release();
        let bit = random.below(disk.size(&name).unwrap() * 8);
        disk.flip(&name, bit);
        let found = go(&OnDisk { resume: true, ..own }, &graph);
        assert!(matches!(found, Err(DiskError::Damaged { .. })), "{name}: {found:?}");
        disk.flip(&name, bit);
    }
    disk.release();
    assert_eq!(go(&OnDisk { resume: true, ..own }, &graph), Ok(states));
}
