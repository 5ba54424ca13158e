//! A recorded run as a regression test: what `foresee replay FILE.trace --export FILE.rs` writes calls this.

use crate::Entry;
use foresee_session::{
    NoFiles, Outcome, Registry, ReplayReport, Report, Trace, read_trace, replay,
};
use std::fmt;

/// Replays the text of a trace on one of `systems`, the one that its line `system:` names.
///
/// ```
/// # use foresee::{System, session::{CheckRequest, NoMeter, Silent}};
/// let run = foresee::check_entry(
///     &foresee::stock_systems().into_iter().find(|entry| entry.name == "paxos").unwrap(),
///     &["clients=2", "bug=forgetful"],
/// )
/// .run();
/// let trace = run.report.violations[0].run.as_ref().unwrap().to_string();
/// foresee::recorded(foresee::stock_systems(), &trace).assert_violated();
/// let mended = trace.replace("bug=forgetful", "bug=none");
/// foresee::recorded(foresee::stock_systems(), &mended).assert_fixed();
/// ```
pub fn recorded(systems: impl IntoIterator<Item = Entry>, trace: &str) -> Recorded {
    let registry = systems.into_iter().fold(Registry::new(), Registry::with);
    let trace = read_trace("the recorded trace", trace.trim_start().as_bytes());
    let replayed = trace.and_then(|trace| Ok((replay(&trace, &registry, &NoFiles)?, trace)));
    match replayed {
        Ok((replayed, trace)) => Recorded { replayed: Some((replayed, trace)), failed: None },
        Err(news) => {
            Recorded { replayed: None, failed: Some(Report::error("replay", "a trace", news)) }
        }
    }
}

/// A recorded run, stepped again.
#[must_use = "nothing is asserted yet"]
pub struct Recorded {
    replayed: Option<(ReplayReport, Trace)>,
    /// Why it could not be: the trace is damaged, or there is no such system.
    failed: Option<Report>,
}

impl Recorded {
    /// Fails the test if the run still shows what was wrong. A run that no longer applies passes: it is no run of the system any
    /// more.
    ///
    /// # Panics
    /// With the story of the run.
    #[track_caller]
    pub fn assert_fixed(self) {
        match self.verdict() {
            None => panic!("the recorded run cannot be replayed\n\n{self}"),
            Some(Outcome::Violated) => panic!("the bug is back\n\n{self}"),
            Some(_) => {}
        }
    }

    /// Fails the test if the run no longer shows what was wrong.
    ///
    /// # Panics
    /// With the story of the run.
    #[track_caller]
    pub fn assert_violated(self) {
        match self.verdict() {
            Some(Outcome::Violated) => {}
            _ => panic!("the violation is gone\n\n{self}"),
        }
    }

    fn verdict(&self) -> Option<Outcome> {
        self.replayed.as_ref().map(|(replayed, _)| replayed.report.verdict)
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let replayed = self.replayed.as_ref().map(|(replayed, _)| &replayed.report);
        let report = replayed.or(self.failed.as_ref()).expect("one of the two");
        f.write_str(&foresee_cli::report_text(report, "cargo run --"))?;
        match &self.replayed {
            Some((_, Trace { violation: Some(claimed), .. })) => {
                writeln!(f, "recorded: {}", claimed.title())
            }
            _ => Ok(()),
        }
    }
}
