//! Exports of a replayed trace, chosen by the ending of the file's name.
//! An export is a [`Format`] in a file of its own: what it is for, which systems have it, and its text. What is listed here is
//! offered by `replay --export` and by the debugger; nobody else knows the formats.

#[cfg(feature = "languages")]
mod erlang;
mod erlang_test;
mod json;
mod plantuml;
mod rust_test;
mod svg;

use crate::{Code, Diagnostic, Feature, Kind, Refusal, ReplayReport};
use foresee_trace::Trace;

/// What a trace can be turned into.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Export {
    /// The run with every state, as data.
    Json,
    /// A regression test of Rust nodes.
    Rust,
    /// A test of an Erlang program, with the schedule of the run.
    Erlang,
    /// A space-time diagram.
    Svg,
    /// A sequence diagram in PlantUML's notation.
    PlantUml,
}

impl Export {
    pub const ALL: &'static [Export] =
        &[Export::Json, Export::Rust, Export::Erlang, Export::Svg, Export::PlantUml];

    fn format(self) -> &'static dyn Format {
        match self {
            Export::Json => &json::Json,
            Export::Rust => &rust_test::RustTests,
            Export::Erlang => &erlang_test::ErlangTests,
            Export::Svg => &svg::Svg,
            Export::PlantUml => &plantuml::PlantUml,
        }
    }

    /// What the debugger calls it.
    pub fn name(self) -> &'static str {
        self.format().name()
    }

    /// A name for the file of a run, made of the name of its system.
    pub fn file_name(self, stem: &str) -> String {
        self.format().file_name(stem)
    }

    /// Why runs of this kind of system have no such export; `None` if they do.
    pub(crate) fn refusal(self, kind: Kind) -> Option<Refusal> {
        self.format().refusal(kind)
    }
}

/// One form that runs are written in.
trait Format: Sync {
    /// What the debugger calls it.
    fn name(&self) -> &'static str;

    /// The ending of file names that asks for it.
    fn ending(&self) -> &'static str;

    /// What it is, in the list of endings.
    fn about(&self) -> &'static str;

    /// Why runs of this kind of system have none; `None` if they do.
    fn refusal(&self, kind: Kind) -> Option<Refusal> {
        let _ = kind;
        None
    }

    /// A name for the file of a run, made of the name of its system.
    fn file_name(&self, stem: &str) -> String {
        format!("{stem}.{}", self.ending())
    }

    /// Its text, or why this run has none: a test that could not fail, or could not run, is not written.
    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic>;
}

/// A run that is written in another form.
struct Exported<'a> {
    /// The name of the file that was asked for.
    file: &'a str,
    trace: &'a Trace,
    replayed: &'a ReplayReport,
}

/// The export that a file's name asks for.
///
/// ```
/// use foresee_session::{Export, export_kind};
/// assert_eq!(export_kind("run.svg"), Ok(Export::Svg));
/// assert!(export_kind("run.docx").is_err());
/// ```
pub fn export_kind(file: &str) -> Result<Export, Diagnostic> {
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    let has_ending = |export: &&Export| Some(export.format().ending()) == ending;
    Export::ALL.iter().find(has_ending).copied().ok_or_else(|| {
        Diagnostic::new(Code::UnknownExport, format!("`{file}` does not say what to write"))
            .at(format!("--export {file}"))
            .help(format!("end the name in {}", endings()))
    })
}

/// The endings of file names, each with what it is.
pub fn endings() -> String {
    let words = |export: &Export| {
        let format = export.format();
        format!(".{} ({})", format.ending(), format.about())
    };
    let mut all: Vec<String> = Export::ALL.iter().map(words).collect();
    let last = all.pop().unwrap_or_default();
    format!("{} or {last}", all.join(", "))
}

/// The content of the export called `file`, or why there can be none.
pub fn export(file: &str, trace: &Trace, replayed: &ReplayReport) -> Result<String, Diagnostic> {
    let kind = export_kind(file)?;
    replayed.loaded.require(Feature::Export(kind), &format!("--export {file}"))?;
    kind.format().write(&Exported { file, trace, replayed })
}

const AS_DATA: &str = "export it as .json (data) or .svg (a space-time diagram)";
const AS_ERLANG: &str = "export it as .erl, an EUnit test";

/// What a test of another language says to a run of this kind of system.
fn no_test(of: &str, kind: Kind, help: &'static str) -> Option<Refusal> {
    let is_file = matches!(kind, Kind::Algebra | Kind::Lts);
    let what = if is_file { "a model in a file" } else { kind.phrase() };
    Some(Refusal { why: format!("{of}; this is a run of {what}"), help })
}

impl Exported<'_> {
    fn cannot(&self, message: &str, help: &str) -> Diagnostic {
        Diagnostic::new(Code::UnknownExport, message)
            .at(format!("--export {}", self.file))
            .help(help)
    }

    /// A formula is judged by `verify` alone, which a test of one run does not have.
    fn require_no_formula(&self) -> Result<(), Diagnostic> {
        let keys = ["property", "formula", "pattern"];
        match keys.iter().any(|key| self.trace.option(key).is_some()) {
            true => {
                let message = "this run is the reason for a formula's verdict, and a test of the run does not judge formulas";
                Err(self.cannot(message, AS_DATA))
            }
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn endings_and_names_are_different_and_found() {
        let names: BTreeSet<&str> = Export::ALL.iter().map(|export| export.name()).collect();
        assert_eq!(names.len(), Export::ALL.len());
        for &export in Export::ALL {
            assert_eq!(export_kind(&export.file_name("run")), Ok(export));
        }
    }
}
