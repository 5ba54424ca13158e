//! How data is spelt in the specification, so that labels have one spelling whichever way a program goes.
//! Why: the direct route prints Erlang terms. No language of specifications can, but names can say what they stand for:
//! every constructor of lists, tuples and integers, and every atom that is no plain word, has a name with a mark in it that
//! muCRL and mCRL2 both allow and neither changes (`list'cons`, `int's`, `atom'EXIT`). So a label that any tool writes leads
//! back to the Erlang term, and nothing else is mistaken for one.
//! Inside the translation the names are shorter (`cons`, `s`); they are exchanged at the very end.

use crate::names::{decode, encode};
use foresee_algebra::{Name, Process, ProcessKind, Specification, Term};
use foresee_erlang_syntax::print_atom;
use std::collections::{BTreeMap, BTreeSet};

/// Constructors of the data library, here and in the text.
const CONSTRUCTORS: [(&str, &str); 8] = [
    ("nil", "list'nil"),
    ("cons", "list'cons"),
    ("tuple0", "tuple'0"),
    ("tuplenil", "tuple'1"),
    ("tuple", "tuple'cons"),
    ("0", "int'0"),
    ("s", "int's"),
    ("neg", "int'neg"),
];

/// What stands before an atom that is no plain word.
const ATOM: &str = "atom'";

/// Gives constructors, atoms and marked actions the names that the text has.
pub(crate) fn spell(specification: &mut Specification) {
    let mut names = Spelling { names: CONSTRUCTORS.map(owned).into(), used: BTreeSet::new() };
    let constants = specification.functions.iter();
    let constants = constants.filter(|it| it.is_constructor && it.arguments.is_empty());
    let constants = constants.map(|it| (&it.name, print_atom(&decode(&it.name.text))));
    // On labels the name of an action is never quoted.
    let actions = specification.actions.iter().map(|it| (&it.name, decode(&it.name.text)));
    for (name, shown) in constants.chain(actions) {
        names.add(&name.text, &shown);
    }
    for it in &mut specification.functions {
        names.name(&mut it.name);
    }
    for rule in &mut specification.rules {
        names.term(&mut rule.left);
        names.term(&mut rule.right);
    }
    for it in &mut specification.actions {
        names.name(&mut it.name);
    }
    for it in &mut specification.communications {
        names.name(&mut it.left);
        names.name(&mut it.right);
        names.name(&mut it.result);
    }
    for it in &mut specification.processes {
        names.process(&mut it.body);
    }
    specification.init.iter_mut().for_each(|it| names.process(it));
}

/// A name as it is inside the translation; the name itself if it is no spelling of anything.
pub(crate) fn unspelt(name: &str) -> String {
    if let Some((own, _)) = CONSTRUCTORS.iter().find(|(_, text)| *text == name) {
        return (*own).to_owned();
    }
    match name.strip_prefix(ATOM) {
        Some(rest) => encode(&decode(rest)),
        None => name.to_owned(),
    }
}

/// Whether a text has a name that only `spell` gives.
pub(crate) fn is_marked(text: &str) -> bool {
    let starts = ["list'", "tuple'", "int'", ATOM];
    text.contains('\'') && starts.iter().any(|mark| text.contains(mark))
}

fn owned((own, text): (&str, &str)) -> (String, String) {
    (own.to_owned(), text.to_owned())
}

struct Spelling {
    names: BTreeMap<String, String>,
    used: BTreeSet<String>,
}

impl Spelling {
    /// A constant or an action: a name that is shown as it is stays, anything else is marked.
    fn add(&mut self, name: &str, shown: &str) {
        if self.names.contains_key(name) {
            return;
        }
        let is_plain = shown == name && !foresee_algebra::is_word_of_mcrl2(name);
        let mut spelt = if is_plain { name.to_owned() } else { marked(&decode(name)) };
        while !self.used.insert(spelt.clone()) {
            spelt.push('\'');
        }
        self.names.insert(name.to_owned(), spelt);
    }

    fn name(&self, name: &mut Name) {
        if let Some(spelt) = self.names.get(&name.text) {
            name.text.clone_from(spelt);
        }
    }

    fn term(&self, term: &mut Term) {
        if let Some(spelt) = self.names.get(&term.name) {
            term.name.clone_from(spelt);
        }
        term.arguments.iter_mut().for_each(|it| self.term(it));
    }

    fn process(&self, process: &mut Process) {
        match &mut process.kind {
            ProcessKind::Delta | ProcessKind::Tau => {}
            ProcessKind::Named(term) => self.term(term),
            ProcessKind::Choice(a, b)
            | ProcessKind::Sequence(a, b)
            | ProcessKind::Parallel(a, b)
            | ProcessKind::LeftMerge(a, b)
            | ProcessKind::Communication(a, b) => {
                self.process(a);
                self.process(b);
            }
            ProcessKind::Condition(a, condition, b) => {
                self.process(a);
                self.term(condition);
                self.process(b);
            }
            ProcessKind::Sum(_, body) => self.process(body),
            ProcessKind::Encap(names, body) | ProcessKind::Hide(names, body) => {
                names.iter_mut().for_each(|it| self.name(it));
                self.process(body);
            }
            ProcessKind::Rename(pairs, body) => {
                for (old, new) in pairs {
                    self.name(old);
                    self.name(new);
                }
                self.process(body);
            }
        }
    }
}

/// `atom'` and the atom, with what no name may have as `'hex'`.
fn marked(atom: &str) -> String {
    let mut name = ATOM.to_owned();
    for it in atom.chars() {
        match it.is_ascii_alphanumeric() || it == '_' {
            true => name.push(it),
            false => name.push_str(&format!("'{:02x}'", it as u32)),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_names_lead_back_to_atoms() {
        for atom in
            ["EXIT", "nil", "true", "hello world", "", "_x", "1", "it's", "é", "count", "a''b"]
        {
            assert_eq!(decode(&unspelt(&marked(atom))), atom);
            assert!(is_marked(&marked(atom)));
        }
        assert_eq!(unspelt("list'cons"), "cons");
        assert_eq!(unspelt("ok"), "ok");
        assert!(!is_marked("info(locker,{'EXIT',client_1,crash})") && !is_marked("s'(x')"));
    }
}
