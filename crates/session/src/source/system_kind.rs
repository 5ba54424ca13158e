//! The kinds of systems there are, each with its word and what it is called in messages.

use crate::{Code, Diagnostic};
use serde::{Deserialize, Serialize};

/// A kind of system. The word stands in traces and in what the debugger shows.
///
/// ```
/// use foresee_session::Kind;
/// assert_eq!((Kind::Erlang.word(), Kind::parse("lts")), ("erlang", Some(Kind::Lts)));
/// ```
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Rust nodes and a network.
    Nodes,
    /// A registered system that is not made of nodes.
    Model,
    /// An Erlang program.
    Erlang,
    /// A muCRL specification.
    Algebra,
    /// A labelled transition system in a file.
    Lts,
}

impl Kind {
    /// Every kind with its word and its name in a sentence.
    pub const ALL: [(Kind, &'static str, &'static str); 5] = [
        (Kind::Nodes, "nodes", "a system of Rust nodes"),
        (Kind::Model, "model", "a model in Rust"),
        (Kind::Erlang, "erlang", "an Erlang program"),
        (Kind::Algebra, "algebra", "a muCRL specification"),
        (Kind::Lts, "lts", "a labelled transition system"),
    ];

    pub fn word(self) -> &'static str {
        self.entry().1
    }

    /// For a sentence: `an Erlang program`.
    pub fn phrase(self) -> &'static str {
        self.entry().2
    }

    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(_, own, _)| *own == word).map(|(kind, ..)| *kind)
    }

    fn entry(self) -> &'static (Kind, &'static str, &'static str) {
        Kind::ALL.iter().find(|(kind, ..)| *kind == self).expect("every kind is listed")
    }
}

/// What a model file's name can end in, what is in it then, and how that is called.
const ENDINGS: [(&str, Kind, &str); 3] = [
    (".mcrl", Kind::Algebra, "a muCRL specification"),
    (".aut", Kind::Lts, "a labelled transition system"),
    (".dot", Kind::Lts, "a labelled transition system, drawn"),
];

/// The kind of model that is in a file of this name; `None` if the name means no model in a file.
pub(crate) fn of_model_file(name: &str) -> Option<Kind> {
    ENDINGS.iter().find(|(ending, ..)| name.ends_with(ending)).map(|(_, kind, _)| *kind)
}

/// The diagnostic for a name that does not mean a model in a file.
pub(crate) fn not_a_model_file(name: &str) -> Diagnostic {
    if let Some(foreign) = super::foreign::diagnostic(name) {
        return foreign;
    }
    let endings = ENDINGS.map(|(ending, _, what)| format!("{ending} ({what})")).join(", ");
    let help = format!(
        "a model's file ends in {endings}; write the state space of anything else to one: lts WHAT -o FILE.aut"
    );
    let message = format!("`{name}` is not a model in a file");
    Diagnostic::new(Code::NotAModel, message).at(name).help(help)
}
