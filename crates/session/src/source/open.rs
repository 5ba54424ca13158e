//! Opening: a source becomes a system that can be checked, stepped, simulated and written to a file.

use super::system_kind::{Kind, not_a_model_file, of_model_file};
use super::{Files, ModelFile, Source};
use crate::nearest::did_you_mean_file;
use crate::nodes::NodesSystem;
use crate::{Code, Diagnostic, Loaded, Registry, explicit};
#[cfg(feature = "languages")]
use crate::{algebra, erlang};
use foresee_stdx::stack;
use foresee_trace::Trace;

/// Opens what `source` names: systems come from `registry`, texts from `files`.
///
/// ```
/// use foresee_session::{CheckRequest, NoMeter, Outcome, Registry, Silent, Source, check, open};
/// use std::collections::BTreeMap;
/// let bank = "-module(bank).\n-export([test/0]).\ntest() -> receive never -> ok end.\n";
/// let lamp = "des (0, 2, 2)\n(0, on, 1)\n(1, off, 0)\n";
/// let files = [("bank.erl", bank), ("lamp.aut", lamp)];
/// let files = BTreeMap::from(files.map(|(path, text)| (path.to_owned(), text.to_owned())));
/// let opened = |source| open(&source, &Registry::stock(), &files).unwrap();
/// let verdict = |source| check(&opened(source), &CheckRequest::default(), &NoMeter, &mut Silent).verdict;
/// assert_eq!(verdict(Source::erlang(&["bank.erl"])), Outcome::Violated);
/// assert_eq!(verdict(Source::model_file("lamp.aut")), Outcome::Holds);
/// assert_eq!(verdict(Source::nodes("ping", &["pings=1"])), Outcome::Holds);
/// ```
pub fn open(source: &Source, registry: &Registry, files: &dyn Files) -> Result<Loaded, Diagnostic> {
    match source {
        Source::Nodes(nodes) => match NodesSystem::open(nodes, registry) {
            Ok(system) => Ok(Loaded::new(system)),
            Err(news) if registry.nearest(&nodes.name).is_some() => Err(news),
            Err(news) => Err(with_file_meant(news, Code::UnknownSystem, &nodes.name, files)),
        },
        #[cfg(feature = "languages")]
        Source::Erlang(program) => match stack::with_room(|| erlang::open(program, files)) {
            Ok(program) => Ok(Loaded::new(program)),
            Err(news) => Err(with_file_meant(news, Code::SourceNotReadable, source.name(), files)),
        },
        #[cfg(not(feature = "languages"))]
        Source::Erlang(_) => Err(not_spoken(source)),
        Source::ModelFile(file) => stack::with_room(|| model_file(file, files)),
    }
}

/// With the file that was probably meant, if `news` says that there is nothing of this name.
fn with_file_meant(news: Diagnostic, code: Code, name: &str, files: &dyn Files) -> Diagnostic {
    let is_missing = news.code == code && !name.is_empty() && files.read(name).is_err();
    match is_missing.then(|| did_you_mean_file(name, files)).flatten() {
        Some(help) if news.location.as_deref().is_none_or(|at| at == name) => news.help(help),
        _ => news,
    }
}

fn model_file(file: &ModelFile, files: &dyn Files) -> Result<Loaded, Diagnostic> {
    let path = &file.path;
    let kind = of_model_file(path).ok_or_else(|| not_a_model_file(path))?;
    let text = files.read(path).map_err(|reason| {
        let news =
            Diagnostic::new(Code::SourceNotReadable, format!("cannot read `{path}`: {reason}"))
                .at(path.clone())
                .help("paths are relative to the current directory");
        with_file_meant(news, Code::SourceNotReadable, path, files)
    })?;
    Ok(match kind {
        #[cfg(feature = "languages")]
        Kind::Algebra => Loaded::new(algebra::open(file, text)?),
        #[cfg(not(feature = "languages"))]
        Kind::Algebra => return Err(not_spoken(&Source::ModelFile(file.clone()))),
        _ => Loaded::new(explicit::open(file, text)?),
    })
}

/// The diagnostic for what this binary was built without.
#[cfg(not(feature = "languages"))]
fn not_spoken(source: &Source) -> Diagnostic {
    let message =
        format!("`{}` is {}, which this binary cannot read", source.name(), source.kind().phrase());
    Diagnostic::new(Code::OptionDoesNotApply, message)
        .at(source.name())
        .help("it was built without the feature `languages`; the stock binary has it")
}

/// Opens the system that a trace was recorded on.
///
/// ```
/// use foresee_lts::System;
/// use foresee_session::{Code, NoFiles, Registry, Trace, open_recorded};
/// let opened = |trace: &Trace| open_recorded(trace, &Registry::stock(), &NoFiles);
/// assert!(opened(&Trace::new("ping clients=2")).unwrap().name().starts_with("ping clients=2"));
/// assert_eq!(opened(&Trace::new("pong")).err().unwrap().code, Code::TraceOfOtherSystem);
/// ```
pub fn open_recorded(
    trace: &Trace,
    registry: &Registry,
    files: &dyn Files,
) -> Result<Loaded, Diagnostic> {
    let source = Source::of_trace(trace)?;
    open(&source, registry, files).map_err(|reason| match source {
        Source::Nodes(_) => {
            let message =
                format!("the trace was recorded on `{}`: {}", trace.system, reason.message);
            Diagnostic::new(Code::TraceOfOtherSystem, message)
                .at(format!("system: {}", trace.system))
                .help("replay it with the binary that recorded it, or correct the line `system:` in the file")
        }
        _ => reason,
    })
}
