//! Exports of a replayed trace, chosen by the ending of the file's name.

use crate::{Code, Diagnostic, ReplayReport};
use foresee_trace::{RustTest, Trace, rust_test, to_json, to_svg};

/// What a trace can be turned into.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Export {
    /// The run with every state, as data.
    Json,
    /// A regression test.
    Rust,
    /// A space-time diagram.
    Svg,
}

/// The export that a file's name asks for.
///
/// ```
/// use foresee_session::{Export, export_kind};
/// assert_eq!(export_kind("run.svg"), Ok(Export::Svg));
/// assert!(export_kind("run.docx").is_err());
/// ```
pub fn export_kind(file: &str) -> Result<Export, Diagnostic> {
    match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => Ok(Export::Json),
        Some("rs") => Ok(Export::Rust),
        Some("svg") => Ok(Export::Svg),
        _ => Err(Diagnostic::new(
            Code::UnknownExport,
            format!("`{file}` does not say what to write"),
        )
        .at(format!("--export {file}"))
        .help(
            "end the name in .json (data), .rs (a regression test) or .svg (a space-time diagram)",
        )),
    }
}

/// The content of the export called `file`.
pub fn export(file: &str, trace: &Trace, replayed: &ReplayReport) -> Result<String, Diagnostic> {
    let system = &replayed.loaded;
    Ok(match export_kind(file)? {
        Export::Json => to_json(system, trace, &replayed.path),
        Export::Svg => to_svg(system, trace, &replayed.path),
        Export::Rust if system.is_erlang() => {
            let message = "a Rust test is for Rust nodes; this is a run of an Erlang program";
            return Err(Diagnostic::new(Code::UnknownExport, message)
                .at(format!("--export {file}"))
                .help("export it as .json (data) or .svg (a space-time diagram)"));
        }
        Export::Rust => rust_test(trace, &rust_test_of(trace, replayed)),
    })
}

/// A test that builds the system as the trace says, from the registry it came from.
fn rust_test_of(trace: &Trace, replayed: &ReplayReport) -> RustTest {
    let is_stock =
        foresee_systems::all().iter().any(|entry| entry.name == replayed.loaded.short_name());
    let registry =
        if is_stock { "foresee::session::Registry::stock()" } else { "crate::registry()" };
    let name = match &trace.violation {
        Some(finding) => format!("{} {}", replayed.loaded.short_name(), finding.title()),
        None => replayed.loaded.short_name().to_owned(),
    };
    RustTest {
        name,
        system: format!(
            "foresee::session::load_for(&{registry}, &trace).expect(\"the system of the trace\")"
        ),
        expect: foresee_trace::Expect::default(),
    }
}
