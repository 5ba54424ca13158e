//! Names for mCRL2: its identifiers start with a letter, have no `-` or `^`, and are none of its own words.
//! Invariant: different names stay different.

use crate::tree::{Process, ProcessKind, Specification, Variable};
use rustc_hash::FxHashMap;

/// Words and system functions of mCRL2.
const TAKEN: [&str; 61] = [
    "sort", "cons", "map", "var", "eqn", "act", "proc", "init", "pbes", "glob", "struct", "Bool",
    "Pos", "Nat", "Int", "Real", "List", "Set", "Bag", "FSet", "FBag", "true", "false", "whr",
    "end", "lambda", "forall", "exists", "div", "mod", "in", "if", "delta", "tau", "sum", "block",
    "allow", "hide", "rename", "comm", "val", "mu", "nu", "delay", "yaled", "nil", "dist", "head",
    "tail", "rhead", "rtail", "succ", "pred", "min", "max", "abs", "exp", "count", "floor", "ceil",
    "round",
];

/// Whether mCRL2 has this word for itself, so that nothing in a specification can be called so.
///
/// ```
/// assert!(foresee_algebra::is_word_of_mcrl2("true") && !foresee_algebra::is_word_of_mcrl2("ok"));
/// ```
pub fn is_word_of_mcrl2(word: &str) -> bool {
    TAKEN.contains(&word)
}

pub(super) struct Names {
    changed: FxHashMap<String, String>,
}

impl Names {
    pub(super) fn new(specification: &Specification) -> Names {
        let mut all = Vec::new();
        collect(specification, &mut all);
        all.sort_unstable();
        all.dedup();
        let mut used: Vec<String> = Vec::new();
        let mut changed = FxHashMap::default();
        // Names that can stay do, whatever others are changed to.
        let (stay, rest): (Vec<&str>, Vec<&str>) =
            all.into_iter().partition(|it| *it == allowed(it));
        used.extend(stay.iter().map(|it| (*it).to_owned()));
        for name in rest {
            let mut new = allowed(name);
            while used.contains(&new) {
                new.push('_');
            }
            used.push(new.clone());
            changed.insert(name.to_owned(), new);
        }
        for (name, new) in [("Bool", "Bool"), ("T", "true"), ("F", "false")] {
            changed.insert(name.to_owned(), new.to_owned());
        }
        Names { changed }
    }

    pub(super) fn get<'n>(&'n self, name: &'n str) -> &'n str {
        self.changed.get(name).map_or(name, String::as_str)
    }
}

/// A name like the wanted one that nothing in the specification has, nor gets.
pub(super) fn unused(wanted: &str, specification: &Specification) -> String {
    let mut all = Vec::new();
    collect(specification, &mut all);
    let mut name = wanted.to_owned();
    while all.iter().any(|it| allowed(it).trim_end_matches('_') == name) {
        name.push('0');
    }
    name
}

/// The nearest name that mCRL2 allows.
fn allowed(name: &str) -> String {
    let mut new: String = name
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() || it == '_' || it == '\'' { it } else { '_' })
        .collect();
    if !new.starts_with(|it: char| it.is_ascii_alphabetic()) {
        new.insert_str(0, "n_");
    }
    if TAKEN.contains(&new.as_str()) {
        new.push('_');
    }
    new
}

fn collect<'a>(specification: &'a Specification, names: &mut Vec<&'a str>) {
    names.extend(specification.sorts.iter().map(|it| it.text.as_str()));
    names.extend(specification.functions.iter().map(|it| it.name.text.as_str()));
    names.extend(specification.actions.iter().map(|it| it.name.text.as_str()));
    for rule in &specification.rules {
        variables(&rule.variables, names);
    }
    for it in &specification.processes {
        names.push(&it.name.text);
        variables(&it.parameters, names);
        sums(&it.body, names);
    }
    specification.init.iter().for_each(|it| sums(it, names));
}

fn variables<'a>(variables: &'a [Variable], names: &mut Vec<&'a str>) {
    names.extend(variables.iter().map(|it| it.name.text.as_str()));
}

fn sums<'a>(process: &'a Process, names: &mut Vec<&'a str>) {
    if let ProcessKind::Sum(variable, _) = &process.kind {
        names.push(&variable.name.text);
    }
    process.parts().for_each(|part| sums(part, names));
}
