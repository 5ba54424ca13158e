//! Models in files: which names mean one, and how each kind is read.
//! Such a file is its own name: a trace of it says `system: locker.mcrl`, and that with [`ModelOptions`] is enough to load it
//! again.

use crate::{Code, Diagnostic, Files, Loaded, algebra, explicit};
use foresee_trace::Trace;

/// What a model file's name can end in, and what is in it then.
const KINDS: [(&str, &str); 3] = [
    (".mcrl", "a muCRL specification"),
    (".aut", "a labelled transition system"),
    (".dot", "a labelled transition system, drawn"),
];

/// Whether the name means a model in a file.
///
/// ```
/// use foresee_session::is_model_file;
/// assert!(is_model_file("specs/locker.mcrl") && is_model_file("locker.aut"));
/// assert!(!is_model_file("locker.erl") && !is_model_file("ping"));
/// ```
pub fn is_model_file(name: &str) -> bool {
    KINDS.iter().any(|(ending, _)| name.ends_with(ending))
}

/// Refuses a name that does not mean a model in a file.
///
/// ```
/// use foresee_session::{Code, require_model_file};
/// assert_eq!(require_model_file("ping").unwrap_err().code, Code::NotAModel);
/// ```
pub fn require_model_file(name: &str) -> Result<(), Diagnostic> {
    if is_model_file(name) {
        return Ok(());
    }
    let kinds = KINDS.map(|(ending, what)| format!("{ending} ({what})")).join(", ");
    let help = format!(
        "a model's file ends in {kinds}; write the state space of anything else to one: lts WHAT -o FILE.aut"
    );
    let message = format!("`{name}` is not a model in a file");
    Err(Diagnostic::new(Code::NotAModel, message).at(name).help(help))
}

/// Loads a model from its file.
///
/// ```
/// use foresee_session::{CheckRequest, NoMeter, Silent, check, load_model};
/// use std::collections::BTreeMap;
/// let lamp = "des (0, 2, 2)\n(0, on, 1)\n(1, off, 0)\n".to_owned();
/// let lamp = load_model("lamp.aut", &BTreeMap::from([("lamp.aut".to_owned(), lamp)])).unwrap();
/// assert_eq!(check(&lamp, &CheckRequest::default(), &NoMeter, &mut Silent).states, 2);
/// ```
pub fn load_model(path: &str, files: &dyn Files) -> Result<Loaded, Diagnostic> {
    load_model_with(path, ModelOptions::default(), files)
}

/// How a model is explored.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ModelOptions {
    /// Processes of a specification that will do the same are in the same state, wherever they stand in their equations.
    pub merge_positions: bool,
}

impl ModelOptions {
    /// The lines of a trace's header that differ from the defaults; the keys are those of the command line.
    pub(crate) fn to_pairs(self) -> Vec<(&'static str, String)> {
        let ModelOptions { merge_positions } = self;
        let merge = merge_positions.then(|| ("merge-positions", "true".to_owned()));
        merge.into_iter().collect()
    }

    pub(crate) fn of_trace(trace: &Trace) -> Self {
        ModelOptions { merge_positions: trace.option("merge-positions") == Some("true") }
    }
}

/// The same, in another way.
pub fn load_model_with(
    path: &str,
    options: ModelOptions,
    files: &dyn Files,
) -> Result<Loaded, Diagnostic> {
    let text = files.read(path).map_err(|reason| {
        Diagnostic::new(Code::SourceNotReadable, format!("cannot read `{path}`: {reason}"))
            .at(path)
            .help("paths are relative to the current directory")
    })?;
    match path.ends_with(".mcrl") {
        true => algebra::load(path, text, options),
        false => explicit::load(path, text),
    }
}

/// The name of a file without folders and ending.
pub(crate) fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}
