//! Guided searches with many seeds by several workers: the first seed that finds something wrong is reported, whatever the number of
//! workers, and it finds the same by itself.

use foresee_search::LocalExchange;
use foresee_session::{
    CheckRequest, Cluster, ClusterError, ClusterRequest, Exchange, Guide, Limits, Loaded, NoFiles,
    NoMeter, Outcome, Registry, Report, Silent, Source, Strategy, check_with_guide, open,
};
use foresee_stateful::Phase;
use std::sync::Arc;
use std::time::Duration;

/// Workers of this process alone.
struct Threads(usize);

impl Cluster for Threads {
    fn process(&self) -> usize {
        0
    }
    fn processes(&self) -> usize {
        1
    }
    fn threads(&self) -> usize {
        self.0
    }
    fn run(
        &self,
        _identity: &[(String, String)],
        first: &mut dyn FnMut(&mut dyn Exchange),
        others: &(dyn Fn(&mut dyn Exchange) + Sync),
    ) -> Result<(), ClusterError> {
        let mut group = LocalExchange::group(self.0).into_iter();
        let mut own = group.next().expect("at least one");
        std::thread::scope(|scope| {
            for mut exchange in group {
                scope.spawn(move || others(&mut exchange));
            }
            first(&mut own);
        });
        Ok(())
    }
}

fn paxos() -> Loaded {
    let source = Source::nodes("paxos", &["clients=2", "bug=forgetful"]);
    open(&source, &Registry::stock(), &NoFiles).expect("a system")
}

fn guide(strategy: Strategy) -> Guide {
    let few = Limits { interleavings_max: Some(2), depth_max: Some(80), ..Limits::none() };
    Guide::new([Phase::new("walk").strategy(strategy).limits(few)])
}

fn request(workers: Option<usize>, seed: u64) -> CheckRequest {
    let cluster = workers.map(|workers| ClusterRequest {
        cluster: Arc::new(Threads(workers)),
        flag: "--processes",
        program: String::new(),
    });
    let limits = Limits { time_max: Some(Duration::from_secs(600)), ..Limits::none() };
    CheckRequest { cluster, seed, limits, ..CheckRequest::default() }
}

fn tried(request: &CheckRequest, guide: &Guide) -> Report {
    check_with_guide(&paxos(), guide, request, &NoMeter, &mut Silent)
}

#[test]
fn the_first_seed_with_a_finding_is_told_by_any_number_of_workers() {
    let guide = guide(Strategy::Random);
    let alone = tried(&request(Some(1), 5), &guide);
    assert_eq!(alone.verdict, Outcome::Violated, "{:?}", alone.error);
    assert!(alone.seed > 5, "the first seed alone would be too easy");
    for workers in [2, 4] {
        let found = tried(&request(Some(workers), 5), &guide);
        assert_eq!((found.seed, found.states), (alone.seed, alone.states), "{workers} workers");
        assert!(found.violations[0].run == alone.violations[0].run, "{workers} workers");
    }
    let by_itself = tried(&request(None, alone.seed), &guide);
    assert_eq!(by_itself.verdict, Outcome::Violated);
    assert!(by_itself.violations[0].run == alone.violations[0].run, "seed {}", alone.seed);
    for seed in 5..alone.seed {
        assert_eq!(tried(&request(None, seed), &guide).verdict, Outcome::Inconclusive, "{seed}");
    }
}

#[test]
fn seeds_that_time_cuts_short_are_not_taken_to_their_end() {
    // Walks that only a limit ends: repeated without one they would go on for ever.
    let endless = Guide::new([Phase::new("walk")
        .strategy(Strategy::Random)
        .limits(Limits { depth_max: Some(5), ..Limits::none() })]);
    let limits = Limits { time_max: Some(Duration::ZERO), ..Limits::none() };
    let report = tried(&CheckRequest { limits, ..request(Some(2), 1) }, &endless);
    assert_eq!(report.verdict, Outcome::Inconclusive, "{:?}", report.error);
    assert_eq!(report.stopped_by.map(|by| by.word()), Some("time"));
}

#[test]
fn seeds_that_change_nothing_are_refused() {
    let told = |request: &CheckRequest, strategy| {
        let report = tried(request, &guide(strategy));
        assert_eq!(report.verdict, Outcome::Error);
        report.error.expect("a reason").to_string()
    };
    let why = told(&request(Some(2), 1), Strategy::BreadthFirst);
    assert!(why.contains("no phase of this guide walks at random"), "{why}");
    let endless = CheckRequest { limits: Limits::none(), ..request(Some(2), 1) };
    let why = told(&endless, Strategy::Random);
    assert!(why.contains("--time-max"), "{why}");
}
