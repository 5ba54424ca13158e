//! What is said when the process must end in the middle of its work: what was known until then.
//! Why: a limit, Ctrl-C or SIGTERM asks the work to end, and nearly all of it does. Code of the user that never returns
//! cannot be made to; then another thread tells what the engine has told last, and ends the process.
//! States: nothing is known yet; work is under way and this is known; the report is being told, so nothing else is.

use crate::args::Output;
use crate::{check, render};
use foresee_session::{Cause, Found, Interleavings, Outcome, Progress, Report, TestReport};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static KNOWN: Mutex<Known> = Mutex::new(Known::Nothing);

/// Telling must not take longer than this: nobody may be reading.
const TELLING_MAX: Duration = Duration::from_millis(250);

enum Known {
    Nothing,
    So(Box<Report>, Box<Output>, String),
    /// Somebody tells it and will end the process.
    Spoken,
    Told,
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work begins whose report, should it come to that, is this one.
pub(crate) fn prepare(report: Report, output: &Output, program: &str) {
    *known() = Known::So(Box::new(report), Box::new(output.clone()), program.to_owned());
}

/// Another process tells.
pub(crate) fn be_silent() {
    *known() = Known::Nothing;
}

/// The work is over and its own report will be told; if it came too late for that, this waits for the end of the process.
pub(crate) fn told() {
    while matches!(&*known(), Known::Spoken) {
        std::thread::park_timeout(TELLING_MAX);
    }
    *known() = Known::Told;
}

pub(crate) fn note_progress(progress: &Progress) {
    if let Known::So(report, ..) = &mut *known() {
        (report.states, report.transitions) = (progress.states, progress.transitions);
        (report.depth, report.interleavings) = (progress.depth, progress.walks);
        report.seconds = progress.elapsed.as_secs_f64();
    }
}

pub(crate) fn note_interleavings(seen: &Interleavings) {
    if let Known::So(report, ..) = &mut *known() {
        report.engine = "stateless";
        (report.interleavings, report.interleavings_planned) = (seen.explored, seen.planned);
        report.erroneous_interleavings = seen.erroneous;
    }
}

pub(crate) fn note_violation(found: Found) {
    if let Known::So(report, ..) = &mut *known() {
        report.verdict = Outcome::Violated;
        report.violations.push(found);
    }
}

/// One of many tests is through. Which are violated is known, and their runs are not.
pub(crate) fn note_test(test: &TestReport) {
    if let Known::So(report, ..) = &mut *known() {
        report.tests.push(test.clone());
    }
}

/// Whether something wrong is known, which is worth waiting for.
pub(crate) fn has_violation() -> bool {
    matches!(&*known(), Known::So(report, ..) if report.verdict == Outcome::Violated)
}

/// Tells what is known and ends the process, unless its report is being told.
pub(crate) fn speak(cause: Cause) {
    let mut now = known();
    if matches!(&*now, Known::Told | Known::Spoken) {
        return;
    }
    let before = std::mem::replace(&mut *now, Known::Spoken);
    drop(now);
    let (mut report, output, program) = match before {
        Known::Told | Known::Spoken => return,
        Known::Nothing => std::process::exit(3),
        Known::So(report, output, program) => (report, output, program),
    };
    // Nothing is waited for that would show the run of a test which is through: it has been shown.
    if report.tests.iter().any(|test| test.verdict == Outcome::Violated) {
        report.verdict = Outcome::Violated;
    }
    report.stopped_by = Some(cause.into());
    report.peak_memory_bytes = crate::meter::peak_memory_bytes().unwrap_or(0);
    report.warnings.push(match report.verdict {
        _ if !report.tests.is_empty() => {
            "the work did not end in time: these are the tests that were through".to_owned()
        }
        Outcome::Violated => "the work did not end in time: what was found is not shown".to_owned(),
        _ => "the work did not end in time: this is what was known before".to_owned(),
    });
    let code = report.verdict.exit_code();
    let telling = std::thread::spawn(move || {
        let typed = render::Typed { program: &program, has_debugger: false };
        check::show_as(&report, &output, typed)
    });
    let start = std::time::Instant::now();
    while !telling.is_finished() && start.elapsed() < TELLING_MAX {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::process::exit(i32::from(code));
}
