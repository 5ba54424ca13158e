//! Raft, checked and run: `cargo run --release -p raft -- check raft`, `… run raft --clients 20 --duration 5s`.

mod guides;
mod raft;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::cli().system(guides::entry()).run()
}

#[cfg(test)]
mod tests {
    use super::guides;
    use foresee::runtime::{Config, StorageConfig, run_here};
    use foresee::session::{
        CheckRequest, NoFiles, NoMeter, Outcome, Registry, Report, Silent, Source,
    };
    use foresee::session::{check, open};
    use std::time::Duration;

    fn checked(parameters: &[&str]) -> Report {
        searched(parameters, None)
    }

    fn searched(parameters: &[&str], guide: Option<&str>) -> Report {
        let registry = Registry::new().with(guides::entry());
        let loaded = open(&Source::nodes("raft", parameters), &registry, &NoFiles).unwrap();
        let request = CheckRequest { guide: guide.map(str::to_owned), ..CheckRequest::default() };
        check(&loaded, &request, &NoMeter, &mut Silent)
    }

    /// With the mistake the guide finds it; without, a phase misses its goal.
    #[track_caller]
    fn is_guided(guide: &str, bug: &str, parameters: &[&str], property: &str, missed: &str) {
        let bug = format!("bug={bug}");
        let found = searched(&[&[bug.as_str()], parameters].concat(), Some(guide));
        assert_eq!(found.verdict, Outcome::Violated, "{:?} {:?}", found.stopped_by, found.phase);
        assert_eq!(found.violations[0].property.as_deref(), Some(property));
        let safe = searched(parameters, Some(guide));
        assert_eq!(safe.verdict, Outcome::Inconclusive, "{:?}", safe.violations);
        assert_eq!(safe.phase.as_deref(), Some(missed));
    }

    #[track_caller]
    fn holds(parameters: &[&str]) {
        let report = checked(parameters);
        assert_eq!(report.verdict, Outcome::Holds, "{:?}", report.violations);
    }

    #[track_caller]
    fn violates(parameters: &[&str], properties: &[&str]) {
        let report = checked(parameters);
        assert_eq!(report.verdict, Outcome::Violated, "{parameters:?}");
        let broken = report.violations[0].property.as_deref().unwrap_or_default();
        assert!(properties.contains(&broken), "{broken}");
    }

    #[test]
    fn it_is_safe() {
        holds(&["servers=2", "clients=2"]);
        holds(&["servers=2", "calls=2", "crashes=1"]);
        holds(&["servers=2", "candidates=2", "crashes=1", "snapshot=1"]);
    }

    #[test]
    fn a_vote_for_a_short_log_loses_what_was_committed() {
        violates(&["bug=short-logs", "candidates=2", "terms=2"], &["leader completeness"]);
    }

    /// A server that forgets its vote votes again, and there are two leaders.
    #[test]
    fn a_vote_that_is_not_synced_is_cast_twice() {
        violates(&["bug=unsynced", "candidates=2", "crashes=1"], &["election safety"]);
    }

    #[test]
    fn entries_of_earlier_terms_are_not_counted() {
        let parameters = ["candidates=2", "terms=4", "batch=1"];
        let missed = "the old entry is on a majority, and taken for committed";
        is_guided("figure 8", "old-terms", &parameters, "leader completeness", missed);
    }

    #[test]
    fn a_vote_cast_twice_is_found_on_its_way() {
        let parameters = ["candidates=2", "crashes=1"];
        let missed = "server3 comes back without its vote";
        is_guided("a vote cast twice", "unsynced", &parameters, "election safety", missed);
    }

    #[test]
    fn a_lease_that_is_too_long_answers_from_the_past() {
        let parameters = ["reads=leases", "candidates=2", "terms=2", "calls=2", "retries=1"];
        let missed = "server2 leads, and server1 does not know";
        is_guided("two leaders and a read", "long-lease", &parameters, "linearizable", missed);
        let stale = ["bug=stale-reads", "candidates=2", "terms=2", "calls=2", "retries=1"];
        let found = searched(&stale, Some("two leaders and a read"));
        assert_eq!(found.violations[0].property.as_deref(), Some("linearizable"));
    }

    #[test]
    fn leases_are_safe_while_clocks_run_alike() {
        holds(&["reads=leases", "servers=2", "candidates=2", "calls=2"]);
    }

    #[test]
    fn it_runs_under_load_and_finds_its_storage_again() {
        let folder = tempfile::tempdir().unwrap();
        let world = guides::entry().build(&["load=5", "snapshot=50"], &Default::default()).unwrap();
        for seed in 0..2 {
            let config = Config {
                seed,
                duration: Some(Duration::from_secs(3)),
                listens_for_signals: false,
                storage: Some(StorageConfig::new(folder.path())),
                ..Config::default()
            };
            let report = run_here(&*world.deployment().unwrap(), &config, None).unwrap();
            assert!(report.failures.is_empty() && report.notes.is_empty(), "{report:?}");
            assert!(report.operations > 0, "a leader was elected");
        }
    }
}
