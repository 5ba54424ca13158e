//! What a check in a test prints and writes: the same as the command line, without a process of its own.

use crate::args::{Format, Output};
use crate::{files, render};
use foresee_session::Report;
use std::path::Path;

/// A report as `check` prints it, with its warnings and what could not be done, without colours. `program` is what the reader
/// types to start the command line.
///
/// ```
/// use foresee_session::{Code, Diagnostic, Report};
/// let news = Diagnostic::new(Code::UnknownSystem, "there is no system `pong`").help("did you mean `ping`?");
/// let text = foresee_cli::report_text(&Report::error("check", "pong", news), "cargo run --");
/// assert!(text.starts_with("error[E0001]: there is no system `pong`\n  help: did you mean `ping`?"));
/// assert!(text.ends_with("more: cargo run -- explain E0001\n"));
/// ```
pub fn report_text(report: &Report, program: &str) -> String {
    let typed = render::Typed { program, has_debugger: false };
    let mut text = render::report(report, &Output::of_format(Format::Text), typed);
    for warning in &report.warnings {
        text.push_str(&render::warning(warning));
        text.push('\n');
    }
    if let Some(error) = &report.error {
        text.push_str(&render::diagnostic(error, program));
        text.push('\n');
    }
    anstream::adapter::strip_str(&text).to_string()
}

/// Writes the trace of each violation to `file`, the second to one with `.2` before its ending and so on, and puts the names into
/// the report. What cannot be written is a warning there.
pub fn save_traces(report: &mut Report, system: &str, file: &Path) {
    let (verdict, stopped_by) = (report.verdict, report.stopped_by);
    files::save_traces(report, system, Some(file), files::Traces::OneOfAKind);
    // That a file could not be written does not change what was found.
    if let Some(news) = report.error.take_if(|_| verdict != foresee_session::Outcome::Error) {
        (report.verdict, report.stopped_by) = (verdict, stopped_by);
        report.warnings.push(format!("the trace was not saved: {}", news.message));
    }
}
