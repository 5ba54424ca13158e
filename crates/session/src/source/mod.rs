//! What to check, as plain data: a system of the registry, an Erlang program, or a model in a file.
//! Why: the command line, a replay, a debugger, a laboratory and a test all name systems. When each of them guesses the kind of
//! thing from words and keeps the options in a form of its own, a trace of one cannot be opened by another. A [`Source`] is
//! that name with everything that was asked of the system; it can be sent, stored and compared.
//!
//! Reading order: [`Source`], [`Source::of_words`] (the only place that guesses a kind from words), [`open`](fn@open) (a source
//! becomes a [`Loaded`](crate::Loaded)), `header` (a source in a trace's header and back), `support` (what each kind of system
//! takes, and the one message for what it does not take), `files` (how texts are read).
//! Not here: what an Erlang program is made of ([`ErlangSource`], in `erlang`), flags (`cli`), how a search goes (`check`).
//!
//! ```
//! use foresee_session::{CheckRequest, NoFiles, NoMeter, Outcome, Registry, Silent, Source, check, open};
//! let registry = Registry::stock();
//! let words = ["single-copy-register", "servers=2", "clients=2"].map(str::to_owned);
//! let source = Source::of_words(&words, &registry, &NoFiles).unwrap();
//! assert_eq!(source, Source::nodes("single-copy-register", &["servers=2", "clients=2"]));
//! let register = open(&source, &registry, &NoFiles).unwrap();
//! let report = check(&register, &CheckRequest::default(), &NoMeter, &mut Silent);
//! assert_eq!(report.verdict, Outcome::Violated);
//! // The trace of what was found names the same system again.
//! let trace = report.violations[0].run.as_ref().unwrap();
//! assert_eq!(trace.kind, "nodes");
//! assert!(open(&Source::of_trace(trace).unwrap(), &registry, &NoFiles).is_ok());
//! ```

mod files;
mod foreign;
mod header;
mod open;
mod support;
mod system_kind;

pub use files::{Files, NoFiles};
pub use open::{open, open_recorded};
pub use support::{Feature, Refusal};
pub use system_kind::Kind;

use crate::{Code, Diagnostic, ErlangSource, Registry};
use foresee_nodes::BuildOptions;
use serde::{Deserialize, Serialize};

/// What to check.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "source", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "there are one or two of them, and they are matched by hand"
)]
pub enum Source {
    Nodes(NodesSource),
    Erlang(ErlangSource),
    ModelFile(ModelFile),
}

/// A system of the registry: Rust nodes, or a model written in Rust.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct NodesSource {
    pub name: String,
    /// `key=value`, as typed; the others have their defaults.
    pub parameters: Vec<String>,
    /// Faults, and whether the code of the nodes is checked.
    pub options: BuildOptions,
}

/// A specification or a transition system in a file.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ModelFile {
    pub path: String,
    /// Processes of a specification that will do the same are in the same state, wherever they stand in their equations.
    pub merge_positions: bool,
}

impl Source {
    /// A system of the registry, without faults.
    pub fn nodes<W: AsRef<str>>(name: &str, parameters: &[W]) -> Source {
        let parameters = parameters.iter().map(|word| word.as_ref().to_owned()).collect();
        let options = BuildOptions::default();
        Source::Nodes(NodesSource { name: name.to_owned(), parameters, options })
    }

    /// An Erlang program that starts in `test/0` of its first file.
    pub fn erlang<W: AsRef<str>>(files: &[W]) -> Source {
        let files = files.iter().map(|path| path.as_ref().to_owned()).collect();
        Source::Erlang(ErlangSource { files, ..ErlangSource::default() })
    }

    pub fn model_file(path: &str) -> Source {
        Source::ModelFile(ModelFile { path: path.to_owned(), merge_positions: false })
    }

    /// The source that words on a command line name, with default options. The ending of a file's name says what is in it; of
    /// other words a registered system comes first, then a folder.
    ///
    /// ```
    /// use foresee_session::{NoFiles, Registry, Source};
    /// let of = |words: &[&str]| {
    ///     let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    ///     Source::of_words(&words, &Registry::stock(), &NoFiles)
    /// };
    /// assert_eq!(of(&["specs/locker.mcrl"]), Ok(Source::model_file("specs/locker.mcrl")));
    /// assert_eq!(of(&["bank.erl", "client.erl"]), Ok(Source::erlang(&["bank.erl", "client.erl"])));
    /// assert_eq!(of(&["ping", "clients=2"]), Ok(Source::nodes("ping", &["clients=2"])));
    /// assert!(of(&["locker.aut", "n=3"]).is_err());
    /// ```
    pub fn of_words(
        words: &[String],
        registry: &Registry,
        files: &dyn Files,
    ) -> Result<Source, Diagnostic> {
        let (name, rest) = words.split_first().map_or(("", &[][..]), |(name, rest)| (name, rest));
        if system_kind::of_model_file(name).is_some() {
            return match rest.first() {
                None => Ok(Source::model_file(name)),
                Some(word) => {
                    let message = format!("`{name}` is a file and takes no parameters");
                    Err(Diagnostic::new(Code::UnknownParameter, message)
                        .at(word.clone())
                        .help("leave it out; to compare two models: lts compare A B"))
                }
            };
        }
        if registry.find(name).is_err()
            && let Some(foreign) = foreign::diagnostic(name)
        {
            return Err(foreign);
        }
        let is_path = || name.contains('/') || files.list(name).is_some();
        let is_erlang = name.ends_with(".erl") || name.ends_with(".beam");
        if !is_erlang
            && registry.find(name).is_err()
            && files.list(name).is_none()
            && let Some(unknown) = foreign::unknown_ending(name)
            && files.read_bytes(name).is_ok()
        {
            return Err(unknown);
        }
        if is_erlang || (registry.find(name).is_err() && is_path()) {
            return Ok(Source::erlang(words));
        }
        Ok(Source::nodes(name, rest))
    }

    /// The kind of system that it names, as far as that is known before it is opened.
    pub fn kind(&self) -> Kind {
        match self {
            Source::Nodes(_) => Kind::Nodes,
            Source::Erlang(_) => Kind::Erlang,
            Source::ModelFile(file) => system_kind::of_model_file(&file.path).unwrap_or(Kind::Lts),
        }
    }

    /// What the user typed first: a system's name or a file's path.
    pub fn name(&self) -> &str {
        match self {
            Source::Nodes(nodes) => &nodes.name,
            Source::Erlang(program) => program.files.first().map_or("", String::as_str),
            Source::ModelFile(file) => &file.path,
        }
    }
}

/// The name of a file without folders and ending.
pub(crate) fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

impl From<NodesSource> for Source {
    fn from(nodes: NodesSource) -> Self {
        Source::Nodes(nodes)
    }
}

impl From<ErlangSource> for Source {
    fn from(program: ErlangSource) -> Self {
        Source::Erlang(program)
    }
}

impl From<ModelFile> for Source {
    fn from(file: ModelFile) -> Self {
        Source::ModelFile(file)
    }
}
