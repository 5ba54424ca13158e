//! Files that look like something to check and are not read here: named for what they are, with a way to what is read.

use crate::{Code, Diagnostic};

/// The ending, what is in such a file, and what to do.
const FOREIGN: &[(&str, &str, &str)] = &[
    (".ex", "Elixir source", "Erlang source is read (.erl); Elixir is not"),
    (".exs", "an Elixir script", "Erlang source is read (.erl); Elixir is not"),
    (
        ".hrl",
        "an Erlang header",
        "give the .erl file that includes it; headers are found by -I DIR",
    ),
    (".app", "an Erlang application resource", "give the project's folder, or its .erl files"),
    (
        ".mcrl2",
        "an mCRL2 specification",
        "muCRL specifications are read (.mcrl); mCRL2's own tools make a transition system of this one: mcrl22lps, lps2lts -> FILE.aut",
    ),
    (
        ".lps",
        "a linear process of mCRL2",
        "mCRL2's own tools make a transition system of it: lps2lts FILE.lps FILE.aut",
    ),
    (
        ".lts",
        "a transition system in mCRL2's binary format",
        "mCRL2's own tools convert it: ltsconvert FILE.lts FILE.aut",
    ),
    (
        ".fsm",
        "a transition system in the FSM format",
        "mCRL2's own tools convert it: ltsconvert FILE.fsm FILE.aut",
    ),
    (
        ".bcg",
        "a transition system in CADP's binary format",
        "CADP's own tools convert it: bcg_io FILE.bcg FILE.aut",
    ),
    (
        ".mcf",
        "a mu-calculus formula",
        "name what it is about first: verify WHAT --property FILE.mcf",
    ),
    (
        ".mucrl",
        "a muCRL specification under another ending",
        "call it FILE.mcrl: the ending says what is in a file",
    ),
    (
        ".tla",
        "a TLA+ specification",
        "Erlang (.erl), muCRL (.mcrl) and transition systems (.aut) are read",
    ),
    (
        ".pml",
        "a Promela model",
        "Erlang (.erl), muCRL (.mcrl) and transition systems (.aut) are read",
    ),
    (
        ".rs",
        "Rust source",
        "Rust nodes are checked by a binary that has them: see the guide, or `foresee new NAME DIR`",
    ),
    (".trace", "a recorded trace", "step it again with `replay`, or look at it with `debug`"),
    (".session", "a saved session of the debugger", "open it with `debug`"),
];

/// What is wrong with a name that ends like a file of another kind; `None` for every other name.
///
/// A registered system may be called anything, so it comes first.
pub(super) fn diagnostic(name: &str) -> Option<Diagnostic> {
    let lower = name.to_ascii_lowercase();
    let is_it =
        |(ending, ..): &&(&str, &str, &str)| lower.ends_with(ending) && lower.len() > ending.len();
    let (_, what, help) = FOREIGN.iter().find(is_it)?;
    let message = format!("`{name}` is {what}, which cannot be checked");
    Some(Diagnostic::new(Code::NotAModel, message).at(name).help(*help))
}

/// What is wrong with a file whose ending is none of ours and none of those either; `None` for a name without an ending.
pub(super) fn unknown_ending(name: &str) -> Option<Diagnostic> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, ending) = file.rsplit_once('.')?;
    let is_ending = !stem.is_empty() && ending.chars().any(char::is_alphabetic);
    is_ending.then(|| {
        let message = format!("`{name}` is a file, and `.{ending}` does not say of what kind");
        Diagnostic::new(Code::NotAModel, message).at(name).help(
            "a file's name ends in .erl or .beam (Erlang), .mcrl (muCRL), .aut or .dot (transition systems)",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_named_and_other_names_are_left_alone() {
        for (name, what) in
            [("lib/bank.ex", "Elixir source"), ("a.HRL", "an Erlang header"), ("x.lts", "binary")]
        {
            assert!(diagnostic(name).unwrap().message.contains(what), "{name}");
        }
        for name in ["ping", "bank.erl", "bank.beam", "a.mcrl", "a.aut", ".lts", "example"] {
            assert_eq!(diagnostic(name), None, "{name}");
        }
    }

    #[test]
    fn an_ending_has_letters_and_something_before_it() {
        let has = |name: &str| unknown_ending(name).is_some();
        assert_eq!(["src/bank.txt", "spec.v2", "bank"].map(has), [true, true, false]);
        assert_eq!(["../lib", ".erlang", "release-1.2"].map(has), [false, false, false]);
    }
}
