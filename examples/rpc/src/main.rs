//! A binary of one's own with the whole command line: `cargo run -p rpc -- check rpc`, `… run rpc --clients 10 --duration 5s`.

mod rpc;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::cli().system(rpc::entry()).run()
}

#[cfg(test)]
mod tests {
    use super::rpc;
    use foresee::runtime::{Config, run_here};
    use foresee::session::{CheckRequest, NoFiles, NoMeter, Outcome, Registry, Silent, Source};
    use foresee::session::{check, open};
    use std::time::Duration;

    fn checked(parameters: &[&str]) -> foresee::session::Report {
        let registry = Registry::new().with(rpc::entry());
        let loaded = open(&Source::nodes("rpc", parameters), &registry, &NoFiles).unwrap();
        check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent)
    }

    #[test]
    fn calls_happen_exactly_once() {
        let report = checked(&[]);
        assert_eq!(report.verdict, Outcome::Holds, "{:?}", report.violations);
        assert_eq!(report.states, 93);
    }

    #[test]
    fn a_server_that_forgets_is_found() {
        let report = checked(&["bug=forgetful"]);
        assert_eq!(report.verdict, Outcome::Violated);
        assert_eq!(report.violations[0].property.as_deref(), Some("linearizable"));
    }

    #[test]
    fn it_runs_under_load() {
        let entry = rpc::entry();
        let world = entry.build(&["load=10"], &Default::default()).unwrap();
        let duration = Some(Duration::from_millis(200));
        let config = Config { duration, listens_for_signals: false, ..Config::default() };
        let report = run_here(&*world.deployment().unwrap(), &config, None).unwrap();
        assert!(report.operations > 100, "{}", report.operations);
        let judgement = world.judge(&report.history);
        assert_eq!(judgement, Some(foresee::nodes::Judgement::Linearizable));
    }
}
