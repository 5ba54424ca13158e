//! Names of muCRL for Erlang's atoms, processes, functions and variables.
//! An atom of letters, digits and `_` that means nothing else is its own name; otherwise what muCRL does not allow is
//! written as `'hex'`, and a name that is taken ends in `'`. So the text of a label leads back to the atom (`decode`).
//! Invariants: different atoms have different names; no variable has the name of a constant, which it would hide.

use std::collections::BTreeSet;

/// Names that mean something else: constructors of the data library, `Bool`'s constants, and the words of muCRL.
const TAKEN: [&str; 29] = [
    "nil",
    "tuple0",
    "0",
    "T",
    "F",
    "sort",
    "func",
    "map",
    "var",
    "rew",
    "act",
    "comm",
    "proc",
    "init",
    "sum",
    "delta",
    "tau",
    "encap",
    "hide",
    "rename",
    "s",
    "neg",
    "cons",
    "tuple",
    "tuplenil",
    "callitem",
    "castitem",
    "infoitem",
    "taggeditem",
];

/// Variables of equations and rules that are the same for every program; no constant may have their names.
const FIXED: [&str; 12] =
    ["Self", "Messages", "Message", "Client", "Tag", "Server", "Value", "B", "X", "Y", "Z", "W"];

/// The name of an atom.
pub(crate) fn encode(atom: &str) -> String {
    let mut name = String::new();
    if !atom.starts_with(|it: char| it.is_ascii_alphabetic()) {
        name.push_str("a''");
    }
    for it in atom.chars() {
        if it.is_ascii_alphanumeric() || it == '_' {
            name.push(it);
        } else {
            name.push_str(&format!("'{:02x}'", it as u32));
        }
    }
    if TAKEN.contains(&name.as_str()) || FIXED.contains(&name.as_str()) {
        name.push('\'');
    }
    name
}

/// The atom of a name.
pub(crate) fn decode(name: &str) -> String {
    let mut rest = name.strip_prefix("a''").unwrap_or(name);
    let mut atom = String::new();
    while let Some(at) = rest.find('\'') {
        atom.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(end) = rest.find('\'').filter(|end| *end >= 2) else { continue };
        if let Some(it) = u32::from_str_radix(&rest[..end], 16).ok().and_then(char::from_u32) {
            atom.push(it);
            rest = &rest[end + 1..];
        }
    }
    atom.push_str(rest);
    atom
}

/// Names given so far, by kind: what shares a kind must differ.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Atoms and processes.
    pub(crate) constants: BTreeSet<String>,
    /// Functions, process equations and actions.
    taken: BTreeSet<String>,
    /// Variables of the definition at hand.
    local: BTreeSet<String>,
    /// Variables of any definition: how a variable is told from a constant.
    variables: BTreeSet<String>,
}

impl Names {
    /// A name for a function or a process equation.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let wanted = wanted.replace(|it: char| !it.is_ascii_alphanumeric() && it != '_', "_");
        let is_free = |it: &str| {
            !self.taken.contains(it) && !self.constants.contains(it) && !TAKEN.contains(&it)
        };
        let name = numbered(&wanted, "_", is_free);
        self.taken.insert(name.clone());
        name
    }

    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// A new definition starts: its variables may be called as those of others.
    pub(crate) fn start_definition(&mut self) {
        self.local.clear();
    }

    /// A variable that the definition at hand does not have yet.
    pub(crate) fn variable(&mut self, wanted: &str) -> String {
        let wanted = wanted.trim_start_matches('_');
        let wanted = wanted.replace(|it: char| !it.is_ascii_alphanumeric() && it != '_', "_");
        // Constants that can be told from variables at a glance start with a small letter (`terms::shape`).
        let wanted = match wanted.chars().next() {
            Some(it) if it.is_ascii_uppercase() => wanted,
            _ => format!("V{wanted}"),
        };
        let is_free = |it: &str| {
            !self.local.contains(it) && !self.constants.contains(it) && !TAKEN.contains(&it)
        };
        let name = numbered(&wanted, "", is_free);
        self.local.insert(name.clone());
        self.variables.insert(name.clone());
        name
    }

    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name) || FIXED.contains(&name)
    }
}

/// The wanted name, or with a number behind it.
fn numbered(wanted: &str, mark: &str, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(wanted) {
        return wanted.to_owned();
    }
    let numbered = (1u32..).map(|n| format!("{wanted}{mark}{n}"));
    numbered.into_iter().find(|it| is_free(it)).expect("one of infinitely many is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_atoms() {
        let atoms =
            ["ok", "EXIT", "init", "nil", "hello world", "", "_x", "1", "it's", "é", "a'", "q''"];
        for (at, atom) in atoms.iter().enumerate() {
            assert_eq!(decode(&encode(atom)), *atom);
            assert!(atoms[..at].iter().all(|it| encode(it) != encode(atom)));
        }
    }

    #[test]
    fn variables_never_hide_constants() {
        let mut names = Names::default();
        names.constants.insert("EXIT".to_owned());
        assert_eq!(names.variable("EXIT"), "EXIT1");
        assert_eq!(names.variable("T"), "T1");
        assert_eq!(names.variable("_State"), "State");
        assert_eq!(names.variable("State"), "State1");
    }
}
