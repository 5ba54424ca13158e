//! What came of a check in a test: the report, its text, and assertions that fail with it.

use super::{advice, trace_file};
use foresee_session::{Found, Outcome, Report};
use std::fmt;
use std::path::PathBuf;

/// The answer to a [`Check`](super::Check). Displayed, it is what `foresee check` prints.
pub struct Checked {
    pub report: Report,
    /// The names of the system's properties.
    properties: Vec<String>,
    system: String,
    trace: Option<PathBuf>,
}

impl Checked {
    pub(super) fn new(
        report: Report,
        properties: Vec<String>,
        system: String,
        trace: Option<PathBuf>,
    ) -> Self {
        Checked { report, properties, system, trace }
    }

    pub fn verdict(&self) -> Outcome {
        self.report.verdict
    }

    /// The violation of this property, or of this kind (`panic`, `deadlock`, …), if one was found.
    pub fn violation(&self, property: &str) -> Option<&Found> {
        let is_it = |found: &&Found| {
            found.property.as_deref() == Some(property) || found.kind.word() == property
        };
        self.report.violations.iter().find(is_it)
    }

    /// See [`Check::assert_holds`](super::Check::assert_holds).
    ///
    /// # Panics
    /// With the report, if the verdict is not `holds`.
    #[track_caller]
    pub fn assert_holds(self) -> Self {
        match self.verdict() {
            Outcome::Holds => self,
            verdict => self.fail(&format!("expected that it holds; it is {}", said(verdict))),
        }
    }

    /// See [`Check::assert_violated`](super::Check::assert_violated).
    ///
    /// # Panics
    /// With the report, if no violation of `property` was found.
    #[track_caller]
    pub fn assert_violated(self, property: &str) -> Self {
        if self.violation(property).is_some() && self.report.error.is_none() {
            return self;
        }
        let known = self.properties.iter().any(|known| known == property);
        let kinds = foresee_session::ViolationKind::ALL;
        let is_kind = kinds.iter().any(|kind| kind.word() == property);
        let what = match (self.report.violations.first(), known || is_kind) {
            _ if self.report.error.is_some() => "it could not be checked".to_owned(),
            (_, false) => {
                let all = self.properties.join("`, `");
                match all.is_empty() {
                    true => "the system has no property".to_owned(),
                    false => format!("the system has no such property; it has `{all}`"),
                }
            }
            (Some(_), true) => "something else is violated".to_owned(),
            (None, true) => format!("it is {}", said(self.verdict())),
        };
        self.fail(&format!("expected a violation of `{property}`; {what}"))
    }

    /// See [`Check::assert_inconclusive`](super::Check::assert_inconclusive).
    ///
    /// # Panics
    /// With the report, if the verdict is another one, or something else stopped the check.
    #[track_caller]
    pub fn assert_inconclusive(self, stopped_by: &str) -> Self {
        let by = self.report.stopped_by.map(|by| by.word());
        if self.verdict() == Outcome::Inconclusive && by == Some(stopped_by) {
            return self;
        }
        let was = by.map(|by| format!(", stopped by `{by}`")).unwrap_or_default();
        let verdict = said(self.verdict());
        self.fail(&format!(
            "expected to be inconclusive, stopped by `{stopped_by}`; it is {verdict}{was}"
        ))
    }

    /// Saves the runs, so that the story ends in how to replay it, and fails the test with it.
    #[track_caller]
    fn fail(mut self, what: &str) -> ! {
        let file = self.trace.clone().unwrap_or_else(|| trace_file::for_this_test(&self.system));
        foresee_cli::save_traces(&mut self.report, &self.system, &file);
        panic!("{what}\n\n{self}")
    }
}

fn said(verdict: Outcome) -> &'static str {
    match verdict {
        Outcome::Error => "not checked",
        verdict => verdict.word(),
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&foresee_cli::report_text(&self.report, "cargo run --"))?;
        match advice::about_profile(&self.report) {
            Some(advice) => writeln!(f, "{advice}"),
            None => Ok(()),
        }
    }
}

/// The same as displayed: nobody wants to see a report's fields when a test fails.
impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
