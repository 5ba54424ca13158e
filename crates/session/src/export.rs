//! Exports of a replayed trace, chosen by the ending of the file's name.

use crate::erlang::ErlangProgram;
use crate::{Code, Diagnostic, ReplayReport};
use foresee_lts::{Verb, ViolationKind};
use foresee_trace::{
    ErlangStep, ErlangTest, Finding, RustTest, StoryStep, Trace, erlang_test, lives, outcome_words,
    rust_test, to_json, to_svg,
};

/// What a trace can be turned into.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Export {
    /// The run with every state, as data.
    Json,
    /// A regression test of Rust nodes.
    Rust,
    /// A test of an Erlang program, with the schedule of the run.
    Erlang,
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
        Some("erl") => Ok(Export::Erlang),
        Some("svg") => Ok(Export::Svg),
        _ => Err(Diagnostic::new(
            Code::UnknownExport,
            format!("`{file}` does not say what to write"),
        )
        .at(format!("--export {file}"))
        .help(
            "end the name in .json (data), .rs or .erl (a regression test) or .svg (a space-time diagram)",
        )),
    }
}

/// The content of the export called `file`, or why there can be none: a test that could not fail, or could not run, is not
/// written.
pub fn export(file: &str, trace: &Trace, replayed: &ReplayReport) -> Result<String, Diagnostic> {
    let system = &replayed.loaded;
    Ok(match export_kind(file)? {
        Export::Json => to_json(system, trace, &replayed.path),
        Export::Svg => to_svg(system, trace, &replayed.path),
        Export::Erlang => erlang_test(&erlang_test_of(file, trace, replayed)?),
        Export::Rust => {
            require_rust_test(file, trace, replayed)?;
            rust_test(trace, &rust_test_of(trace, replayed))
        }
    })
}

const AS_DATA: &str = "export it as .json (data) or .svg (a space-time diagram)";

fn cannot(file: &str, message: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::UnknownExport, message).at(format!("--export {file}")).help(help)
}

/// A formula is judged by `verify` alone, which a test of one run does not have.
fn require_no_formula(file: &str, trace: &Trace) -> Result<(), Diagnostic> {
    let keys = ["property", "formula", "pattern"];
    match keys.iter().any(|key| trace.option(key).is_some()) {
        true => {
            let message = "this run is the reason for a formula's verdict, and a test of the run does not judge formulas";
            Err(cannot(file, message, AS_DATA))
        }
        false => Ok(()),
    }
}

fn require_rust_test(file: &str, trace: &Trace, replayed: &ReplayReport) -> Result<(), Diagnostic> {
    let system = &replayed.loaded;
    if system.is_erlang() {
        let message = "a Rust test is for Rust nodes; this is a run of an Erlang program";
        return Err(cannot(file, message, "export it as .erl, an EUnit test"));
    }
    if system.front().as_nodes().is_none() {
        let message = "a Rust test is for Rust nodes; this is a run of a model in a file";
        return Err(cannot(file, message, AS_DATA));
    }
    require_no_formula(file, trace)?;
    match trace.violation.as_ref().map(|finding| finding.kind) {
        None => {
            let message = "the trace claims nothing wrong, so a test of it could not fail";
            Err(cannot(file, message, AS_DATA))
        }
        Some(ViolationKind::Nondeterminism) => {
            let message = "the run could not be shown again when it was found, so a test of it could not fail";
            Err(cannot(file, message, AS_DATA))
        }
        Some(_) => Ok(()),
    }
}

/// What a real Erlang cannot be made to do.
fn require_erlang_schedule(
    file: &str,
    trace: &Trace,
    program: &ErlangProgram,
) -> Result<(), Diagnostic> {
    require_no_formula(file, trace)?;
    let halts = |finding: &Finding| finding.kind == ViolationKind::AbnormalHalt;
    let has = |verb: Verb| trace.events.iter().any(|event| event.label.verb == verb);
    let texts = &program.texts;
    let message = if trace.violation.as_ref().is_some_and(halts) {
        "this run stops the whole Erlang system, and a test of it would stop the tests"
    } else if has(Verb::Crash) {
        "processes crash in this run, and a test cannot make them crash at the same place"
    } else if texts.options.instant_delivery == Some(false) {
        "in this run deliveries are events of their own, and a test cannot hold a message back on its way"
    } else if texts.request.supervisor.is_some() {
        "this run starts from a supervision tree, and the first process of a test would end and take the tree with it"
    } else {
        return Ok(());
    };
    Err(cannot(file, message, AS_DATA))
}

/// A test that forces the schedule of the run as far as the program's own text goes.
fn erlang_test_of(
    file: &str,
    trace: &Trace,
    replayed: &ReplayReport,
) -> Result<ErlangTest, Diagnostic> {
    let front = replayed.loaded.front();
    let Some(program) = front.as_erlang() else {
        let message = "an Erlang test is for Erlang programs; this is a run of something else";
        return Err(cannot(file, message, AS_DATA));
    };
    require_erlang_schedule(file, trace, program)?;
    let texts = &program.texts;
    let name = file.rsplit('/').next().and_then(|name| name.strip_suffix(".erl"));
    let path = |parse: &foresee_erlang_syntax::Parse| {
        parse.sources.files().first().map(|source| source.path.to_string())
    };
    let lives = lives(&replayed.story);
    let step = |step: &StoryStep| ErlangStep {
        process: step.label.to.clone().unwrap_or_default(),
        what: step.label.what().to_owned(),
        place: step.place().map(|(file, line)| (file.to_owned(), line)),
        outcome: outcome_words(&step.told, 60),
        is_held: program.is_in_text(&step.label),
    };
    Ok(ErlangTest {
        name: name.unwrap_or_default().to_owned(),
        entry: (texts.module.clone(), texts.function.clone()),
        sources: texts.parses.iter().filter_map(path).collect(),
        includes: texts.request.includes.clone(),
        defines: texts.request.defines.clone(),
        steps: replayed.story.steps.iter().map(step).collect(),
        violation: replayed.report.violations.first().map(|found| Finding {
            kind: found.kind,
            property: None,
            message: found.message.clone(),
        }),
        stuck: lives.into_iter().filter(|life| life.is_waiting).map(|life| life.name).collect(),
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
