//! What random walks find: habits lead where uniform walks never come, and lose nothing that those find.

use foresee_lts::{Predicate, Property, Reads, StoppedBy, Verdict, toy::Counters};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stateful::{Config, Report, Strategy, search};

fn walked(counters: &Counters, seed: u64, n_walks: u64, property: Property) -> Report {
    let limits = Limits { interleavings_max: Some(n_walks), depth_max: Some(60), ..Limits::none() };
    let properties = vec![property];
    let config =
        Config { strategy: Strategy::Random, seed, limits, properties, ..Config::default() };
    search(counters, &config, &NoMeter, &mut Silent)
}

fn never(name: &str, test: impl Fn(&[u32]) -> bool + Send + Sync + 'static) -> Property {
    Property::invariant(Predicate::new(name, Reads::All, move |state, _| !test(state)))
}

/// Three of six get nowhere while the others take 25 steps: the chance that a uniform walk does that is 20 / 2^25.
#[test]
fn members_that_get_nothing_done() {
    let lagging = |state: &[u32]| {
        let n_late = state.iter().filter(|count| **count == 0).count();
        n_late >= 3 && state.iter().sum::<u32>() >= 25
    };
    for seed in 0..10 {
        let found = walked(&Counters::new(6, 30), seed, 2_000, never("three late", lagging));
        assert_eq!(found.verdict, Verdict::Violated, "seed {seed}");
    }
}

/// All counters near each other, far from the start: where uniform walks go, and walks with spells seldom do.
#[test]
fn what_uniform_walks_find_is_found() {
    let even = |state: &[u32]| state.iter().all(|count| (8..=11).contains(count));
    for seed in 0..10 {
        let found = walked(&Counters::new(6, 30), seed, 4_000, never("all alike", even));
        assert_eq!(found.verdict, Verdict::Violated, "seed {seed}");
    }
}

/// A system of one member, or of which nobody knows the members, is walked through to its end.
#[test]
fn one_member_is_no_obstacle() {
    let end = never("the end", |state| state == [40]);
    assert_eq!(walked(&Counters::new(1, 40), 3, 50, end).verdict, Verdict::Violated);
    let nowhere = never("nowhere", |_| false);
    let report = walked(&Counters::new(1, 40), 3, 50, nowhere);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interleavings));
    assert_eq!((report.walks, report.states), (50, 41));
}
