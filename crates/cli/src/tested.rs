//! The tests of an Erlang project, one after another: `check PROJECT`, `check PROJECT --eunit`, `simulate PROJECT --ct`.
//! Each test is checked or simulated as any other system, with a budget of its own; here is only the list, a line for each, and
//! the sum. A test whose module cannot be read is on the list with the reason.

use crate::args::{Check, Erlang, Format, Output, Simulate, Tests};
use crate::disk::Disk;
use crate::files::Traces;
use crate::style::{BOLD, DIM, GREEN, RED, YELLOW};
use crate::{Program, check, files, last_words, meter, note, print, render, simulate, units};
use foresee_session::{
    CheckRequest, Diagnostic, Files, HeldBack, InTime, Outcome, Report, Silent, SimulateRequest,
    Source, Test, TestKind, TestReport, each_test, in_time,
};
use std::fmt::Write;
use std::path::PathBuf;

/// How many interleavings a test gets where the tests were asked for.
const INTERLEAVINGS_MAX: u64 = 1_000;
/// The same where only a folder was named: a first look.
const FIRST_LOOK_MAX: u64 = 100;

/// What a call waits if it does not say otherwise, in milliseconds.
const CALL_MS: u64 = 5000;

impl Tests {
    /// Which tests are asked for, if any: those of a kind, or, of a folder without a place to start, all.
    fn kind(&self, source: &Source, erlang: &Erlang) -> Option<TestKind> {
        let Source::Erlang(program) = source else { return None };
        let is_folder = program.files.iter().any(|file| Disk.list(file).is_some());
        let has_start = erlang.test.is_some() || erlang.supervisor.is_some();
        match (self.eunit, self.ct) {
            (true, true) => Some(TestKind::All),
            (true, false) => Some(TestKind::Eunit),
            (false, true) => Some(TestKind::CommonTest),
            (false, false) => {
                (is_folder && !has_start && erlang.module.is_none()).then_some(TestKind::All)
            }
        }
    }

    fn is_given(&self) -> bool {
        self.eunit || self.ct
    }
}

/// Checks the tests of a project, if that is what the words ask for; gives the exit code.
pub(crate) fn checked(program: &Program, arguments: &Check) -> Option<u8> {
    let mut source =
        arguments.what.source(program, &arguments.faults, arguments.check_code, None).ok()?;
    let kind = arguments.tests.kind(&source, &arguments.what.erlang)?;
    // Where every timeout may fire at any time, nobody writes a test for calls that give up by default. In a simulation a timeout
    // fires when its time has come.
    if let Source::Erlang(program) = &mut source {
        program.options.after_timeout.get_or_insert(CALL_MS);
    }
    let mut request = check::request(arguments);
    let usual = if arguments.tests.is_given() { INTERLEAVINGS_MAX } else { FIRST_LOOK_MAX };
    let each = arguments.test_interleavings_max.unwrap_or(usual);
    request.limits.interleavings_max =
        Some(request.limits.interleavings_max.map_or(each, |all| all.min(each)));
    request.held_back = HeldBack::Timeouts;
    let mut n_saved = 0;
    let report = all_tests("check", &source, kind, &arguments.output, |test| {
        one_check(test, &request, arguments, &mut n_saved)
    });
    Some(finished(report, "check", &source, &arguments.output, program))
}

fn one_check(
    test: &Test,
    request: &CheckRequest,
    arguments: &Check,
    n_saved: &mut usize,
) -> (Report, Option<InTime>) {
    let loaded = match &test.loaded {
        Ok(loaded) => loaded,
        Err(error) => return (Report::error("check", &test.name, error.clone()), None),
    };
    let meter = meter::RealMeter::start_one_of_many(&request.limits);
    let mut report = foresee_session::check(loaded, request, &meter, &mut Silent);
    report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(report.peak_memory_bytes);
    let chosen: Option<PathBuf> =
        arguments.trace.as_deref().map(|file| files::trace_name("", Some(file), *n_saved));
    files::save_traces(&mut report, &test.name, chosen.as_deref(), Traces::OneOfAKind);
    *n_saved += report.violations.iter().filter(|found| found.trace.is_some()).count();
    if arguments.output.steps {
        report.show_steps();
    }
    // What the search has taken of the time is not taken from the runs that say what kind of error it is.
    let meter = meter::RealMeter::start_one_of_many(&request.limits);
    let in_time = in_time(loaded, &report, &meter);
    (report, in_time)
}

/// A test may take more events than a program that somebody watches: nobody reads them.
const TEST_EVENTS_MAX: u64 = 1_000_000;

/// Simulates the tests of a project, if that is what the words ask for; gives the exit code.
pub(crate) fn simulated(program: &Program, arguments: &Simulate) -> Option<u8> {
    let source = arguments.source(program).ok()?;
    let kind = arguments.tests.kind(&source, &arguments.what.erlang)?;
    let mut request = simulate::request(arguments);
    request.in_turns |= arguments.seed.is_none();
    request.events_max.get_or_insert(TEST_EVENTS_MAX);
    let report = all_tests("simulate", &source, kind, &arguments.output, |test| {
        (one_simulation(test, &request, arguments), None)
    });
    Some(finished(report, "simulate", &source, &arguments.output, program))
}

fn one_simulation(test: &Test, request: &SimulateRequest, arguments: &Simulate) -> Report {
    let loaded = match &test.loaded {
        Ok(loaded) => loaded,
        Err(error) => return Report::error("simulate", &test.name, error.clone()),
    };
    let meter = meter::RealMeter::start_one_of_many(&arguments.limits());
    match foresee_session::simulate(loaded, request, &meter, &mut |_| {}) {
        Ok(simulated) => {
            let mut report = simulated.report;
            files::save_traces(&mut report, &test.name, None, Traces::OneOfAKind);
            report
        }
        Err(error) => Report::error("simulate", &test.name, error),
    }
}

/// Goes through the tests, and says what came of each as soon as it is known.
fn all_tests(
    command: &'static str,
    source: &Source,
    kind: TestKind,
    output: &Output,
    mut one: impl FnMut(&Test) -> (Report, Option<InTime>) + Send,
) -> Result<Report, Diagnostic> {
    meter::listen_for_interrupt();
    let mut report = Report::of_tests(command, source.name());
    let says_each = output.format == Format::Text && !output.quiet;
    each_test(source, kind, &Disk, &mut |test| {
        let (came, in_time) = one(&test);
        report.add_test(&test, came, in_time);
        if let Some(last) = report.tests.last() {
            last_words::note_test(last);
            if says_each {
                print(&line(last));
            }
        }
        !meter::is_interrupted()
    })?;
    Ok(report)
}

fn finished(
    report: Result<Report, Diagnostic>,
    command: &'static str,
    source: &Source,
    output: &Output,
    program: &Program,
) -> u8 {
    let report = match report {
        Ok(report) => report,
        Err(diagnostic) => Report::error(command, source.name(), diagnostic),
    };
    if report.error.is_some() || output.format != Format::Text {
        return check::show(&report, output, program);
    }
    print(&sum(&report, program));
    for warning in report.warnings.iter().filter(|_| output.verbose) {
        note(&render::warning(warning));
    }
    if output.verbose {
        let errors = report.tests.iter().filter_map(|test| test.error.as_ref());
        errors.for_each(|error| note(&render::diagnostic(error, &program.name)));
    }
    report.verdict.exit_code()
}

/// One test: the verdict, its name, and what there is to say in a line.
fn line(test: &TestReport) -> String {
    let TestReport { name, title, verdict, interleavings, .. } = test;
    let word = verdict.word();
    let verdict = match verdict {
        Outcome::Holds => format!("{GREEN}{word:<12}{GREEN:#}"),
        Outcome::Violated => format!("{RED}{word:<12}{RED:#}"),
        Outcome::Inconclusive => format!("{YELLOW}{word:<12}{YELLOW:#}"),
        Outcome::Error => format!("{BOLD}{word:<12}{BOLD:#}"),
    };
    let title = title.as_ref().map_or(String::new(), |it| format!("  {it:?}"));
    let runs = match interleavings {
        0 => String::new(),
        n => format!("  {DIM}{}{DIM:#}", units::counted(*n, "interleaving")),
    };
    let mut text = format!("{verdict}  {name}{title}{runs}\n");
    if let Some(error) = &test.error {
        let place = error.location.as_deref().map_or(String::new(), |at| format!("{at}: "));
        let _ = writeln!(text, "              {place}{}: {}", error.code, error.message);
    } else if let Some(message) = &test.message {
        let first = message.lines().next().unwrap_or_default();
        let _ = writeln!(text, "              {first}");
    }
    if let Some(in_time) = &test.in_time {
        let _ = writeln!(text, "              {}", Blame::of(in_time).of_one(in_time));
    }
    text
}

/// What a violated test is to be blamed on, the most believable first.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
enum Blame {
    /// It goes wrong in virtual time, too.
    Anyway,
    /// An order of events that runs in virtual time did not have.
    Order,
    /// A timeout that fires while others could go on.
    Haste,
    Unknown,
}

impl Blame {
    fn of(in_time: &InTime) -> Blame {
        match in_time {
            InTime { failed: 1.., .. } => Blame::Anyway,
            InTime { early_timeout: false, .. } => Blame::Order,
            InTime { .. } => Blame::Haste,
        }
    }

    fn of_test(test: &TestReport) -> Blame {
        test.in_time.as_ref().map_or(Blame::Unknown, Blame::of)
    }

    fn of_one(self, in_time: &InTime) -> String {
        let InTime { runs, failed, .. } = in_time;
        match self {
            Blame::Anyway => format!("{failed} of {runs} simulated runs fail, too"),
            Blame::Order => format!("no timeout fires early in it; {runs} simulated runs pass"),
            _ => format!(
                "a timeout fires in it while others could go on; {runs} simulated runs, where each fires in its time, pass"
            ),
        }
    }

    fn of_many(self) -> &'static str {
        match self {
            Blame::Anyway => "fail in simulated runs, too",
            Blame::Order => "by an order of events in which no timeout fires early",
            Blame::Haste => "with a timeout that fires while others could go on",
            Blame::Unknown => "not simulated",
        }
    }
}

/// How many came out how, what keeps tests from being checked, and what to type next.
fn sum(report: &Report, program: &Program) -> String {
    let mut text = String::new();
    let count = |wanted| report.tests.iter().filter(|test| test.verdict == wanted).count() as u64;
    let parts = [
        (count(Outcome::Holds), "hold"),
        (count(Outcome::Violated), "violated"),
        (count(Outcome::Inconclusive), "inconclusive"),
        (count(Outcome::Error), "could not be checked"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, words)| format!("{} {words}", units::grouped(*n)))
        .collect();
    let n = units::counted(report.tests.len() as u64, "test");
    let time = units::duration(report.seconds);
    let colon = if parts.is_empty() { "" } else { ": " };
    let _ = writeln!(text, "{BOLD}{n}{BOLD:#}{colon}{}  {DIM}in {time}{DIM:#}", parts.join(", "));
    for (n, cause) in causes(report) {
        let _ = writeln!(text, "  {n} stopped by {cause}");
    }
    let violated = report.tests.iter().filter(|test| test.verdict == Outcome::Violated);
    let mut violated: Vec<(Blame, &TestReport)> =
        violated.map(|test| (Blame::of_test(test), test)).collect();
    violated.sort_by_key(|it| it.0);
    if violated.iter().any(|it| it.0 != Blame::Unknown) {
        for same in violated.chunk_by(|a, b| a.0 == b.0) {
            let _ = writeln!(text, "  {} of the violated: {}", same.len(), same[0].0.of_many());
        }
    }
    for trace in violated.iter().filter_map(|it| it.1.trace.as_ref()) {
        let _ = writeln!(text, "replay:  {}", render::replay_command(trace, &program.name));
    }
    text
}

/// How many tests each error keeps from being checked, the most first.
fn causes(report: &Report) -> Vec<(usize, String)> {
    let mut causes: Vec<(usize, String)> = Vec::new();
    for error in report.tests.iter().filter_map(|test| test.error.as_ref()) {
        let cause = format!("{}: {}", error.code, error.message);
        match causes.iter_mut().find(|(_, known)| *known == cause) {
            Some((n, _)) => *n += 1,
            None => causes.push((1, cause)),
        }
    }
    causes.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    causes
}
