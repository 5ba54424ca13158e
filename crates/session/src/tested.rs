//! Tests of a project: many systems behind one name, each with a verdict of its own, and the report of them all.
//! The whole is as bad as its worst test: violated, else could not be checked, else inconclusive. A trace belongs to its test.
//! Not here: what the tests of a program are (`erlang::suites`), files for traces (the edge).

use crate::{Diagnostic, Files, Loaded, Outcome, Report, SimulateRequest, Source, simulate};
use foresee_lts::StoppedBy;
use foresee_search::Meter;
use serde::Serialize;

/// Which tests of a project.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TestKind {
    All,
    Eunit,
    CommonTest,
}

/// One test of a project.
pub struct Test {
    /// `pool_tests:take_test`, `pool_tests:pool_test_#2.1`, `pool_SUITE:stress/take_two`.
    pub name: String,
    /// What its author calls it.
    pub title: Option<String>,
    /// The test as a system; or why there is none.
    pub loaded: Result<Loaded, Diagnostic>,
}

/// What came of one test, for scripts.
#[derive(Clone, Debug, Serialize)]
pub struct TestReport {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub verdict: Outcome,
    pub stopped_by: Option<StoppedBy>,
    pub interleavings: u64,
    /// The file of its first violation's trace.
    pub trace: Option<String>,
    /// What is wrong, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How it does in virtual time; only of a test that is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_time: Option<InTime>,
    /// Why it could not be checked; set exactly when the verdict is `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Diagnostic>,
}

/// A test that goes wrong where every timeout may fire at any time, looked at once more in runs in virtual time, where each fires
/// when its time has come. It tells a race from a test that gives up before the others have had their turn.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct InTime {
    /// Whether a timeout or a timer fires in the run that is shown while somebody could go on, or while a shorter one waits.
    pub early_timeout: bool,
    pub runs: u64,
    pub failed: u64,
}

/// So many runs in virtual time.
const RUNS_IN_TIME: u64 = 20;

/// Runs a test that was violated in virtual time, the first run with processes in turns; `None` where nothing could be learnt.
pub fn in_time(loaded: &Loaded, report: &Report, meter: &dyn Meter) -> Option<InTime> {
    let found = report.violations.first().filter(|_| report.verdict == Outcome::Violated)?;
    let plain = loaded.in_virtual_time()?;
    let request =
        SimulateRequest { runs: RUNS_IN_TIME, in_turns: true, ..SimulateRequest::default() };
    let simulated = simulate(&plain, &request, meter, &mut |_| {}).ok()?.report;
    let (runs, failed) = (simulated.interleavings, simulated.erroneous_interleavings);
    let is_whole = simulated.error.is_none() && simulated.stopped_by.is_none();
    let early_timeout = found.details.has_early_timeout;
    is_whole.then_some(InTime { early_timeout, runs, failed })
}

/// The tests of what `source` names, in the order of modules; nothing of them has been looked at yet.
///
/// ```
/// use foresee_session::{Source, TestKind, tests};
/// use std::collections::BTreeMap;
/// let text = "-module(a_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
///             one_test() -> ok.\nmany_test_() -> [?_assert(true), {\"two\", ?_assert(true)}].\n";
/// let files = BTreeMap::from([("p/test/a_tests.erl".to_owned(), text.to_owned())]);
/// let found = tests(&Source::erlang(&["p"]), TestKind::All, &files).unwrap();
/// let names: Vec<&str> = found.iter().map(|test| test.name.as_str()).collect();
/// assert_eq!(names, ["a_tests:one_test", "a_tests:many_test_#1", "a_tests:many_test_#2"]);
/// assert_eq!(found[2].title.as_deref(), Some("two"));
/// ```
pub fn tests(source: &Source, kind: TestKind, files: &dyn Files) -> Result<Vec<Test>, Diagnostic> {
    let mut all = Vec::new();
    each_test(source, kind, files, &mut |test| {
        all.push(test);
        true
    })?;
    Ok(all)
}

/// The same, one after the other, until `visit` says `false`. A module's program is gone before the next one is read, so that
/// a project of many modules takes the memory of one.
pub fn each_test(
    source: &Source,
    kind: TestKind,
    files: &dyn Files,
    visit: &mut (dyn FnMut(Test) -> bool + Send),
) -> Result<(), Diagnostic> {
    #[cfg(feature = "languages")]
    if let Source::Erlang(program) = source {
        return foresee_stdx::stack::with_room(|| {
            crate::erlang::each_test(program, kind, files, visit)
        });
    }
    let _ = (kind, files, visit);
    let why = format!("`{}` is no Erlang project", source.name());
    Err(Diagnostic::does_not_apply("--eunit or --ct", &why))
}

impl Report {
    /// The report of many tests, before any.
    pub fn of_tests(command: &'static str, system: impl Into<String>) -> Report {
        let mut report = Report::new(command, system);
        report.verdict = Outcome::Holds;
        report
    }

    /// Adds what came of a test, and how it does in virtual time if that was asked.
    pub fn add_test(&mut self, test: &Test, one: Report, in_time: Option<InTime>) {
        let message = one.violations.first().map(|found| found.message.clone());
        self.tests.push(TestReport {
            name: test.name.clone(),
            title: test.title.clone(),
            verdict: one.verdict,
            stopped_by: one.stopped_by,
            interleavings: one.interleavings,
            trace: one.violations.iter().find_map(|found| found.trace.clone()),
            message: message.or_else(|| one.error.as_ref().map(|it| it.message.clone())),
            in_time,
            error: one.error,
        });
        if severity(one.verdict) > severity(self.verdict) {
            self.verdict = one.verdict;
        }
        if self.tests.len() == 1 {
            (self.engine, self.strategy) = (one.engine, one.strategy);
            (self.checked, self.assumed) = (one.checked, one.assumed);
            (self.seed, self.threads) = (one.seed, one.threads);
        }
        self.stopped_by = self.stopped_by.or(one.stopped_by);
        self.transitions += one.transitions;
        self.depth = self.depth.max(one.depth);
        self.interleavings += one.interleavings;
        self.sleep_set_blocked += one.sleep_set_blocked;
        self.erroneous_interleavings += one.erroneous_interleavings;
        self.seconds += one.seconds;
        self.peak_memory_bytes = self.peak_memory_bytes.max(one.peak_memory_bytes);
        self.violations.extend(one.violations);
        self.extras.replaced.extend(one.extras.replaced);
        for warning in one.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        if self.verdict != Outcome::Inconclusive && self.verdict != Outcome::Violated {
            self.stopped_by = None;
        }
    }
}

/// Exit codes are in another order: a violation is worse than what could not be checked, and that than a limit.
fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Holds => 0,
        Outcome::Inconclusive => 1,
        Outcome::Error => 2,
        Outcome::Violated => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn the_worst_test_decides() {
        let test = |name: &str| Test {
            name: name.to_owned(),
            title: None,
            loaded: Err(Diagnostic::new(Code::NoSuchStart, "none")),
        };
        let with = |verdict| {
            let mut report = Report::new("check", "t");
            report.verdict = verdict;
            report
        };
        let mut all = Report::of_tests("check", "p");
        assert_eq!(all.verdict, Outcome::Holds);
        for (one, whole) in [
            (Outcome::Holds, Outcome::Holds),
            (Outcome::Inconclusive, Outcome::Inconclusive),
            (Outcome::Error, Outcome::Error),
            (Outcome::Inconclusive, Outcome::Error),
            (Outcome::Violated, Outcome::Violated),
            (Outcome::Error, Outcome::Violated),
        ] {
            all.add_test(&test("a"), with(one), None);
            assert_eq!(all.verdict, whole);
        }
        assert_eq!(all.tests.len(), 6);
    }

    /// Dependencies are compiled as they are used, without what is there for their own tests.
    #[cfg(feature = "languages")]
    #[test]
    fn a_dependency_is_not_compiled_for_tests() {
        let own = "-module(a_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\none_test() -> 1 = d:one().\n";
        let other = "-module(d).\n-export([one/0]).\n-ifdef(TEST).\n-include(\"nowhere.hrl\").\n-endif.\none() -> 1.\n";
        let files = std::collections::BTreeMap::from([
            ("p/test/a_tests.erl".to_owned(), own.to_owned()),
            ("p/_build/default/lib/d/src/d.erl".to_owned(), other.to_owned()),
        ]);
        let found = tests(&Source::erlang(&["p"]), TestKind::Eunit, &files).expect("tests");
        let loaded = found[0].loaded.as_ref().expect("a program");
        let request = crate::CheckRequest::default();
        let report = crate::check(loaded, &request, &crate::NoMeter, &mut crate::Silent);
        assert_eq!(report.verdict, Outcome::Holds, "{:?}", report.error);
    }
}
