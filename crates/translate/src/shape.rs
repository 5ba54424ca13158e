//! Looking at and changing trees of the target: names, free variables, substitution, size.

use foresee_algebra::{Process, ProcessKind, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use std::collections::{BTreeMap, BTreeSet};

/// The names without arguments in a term: variables and constants.
pub(crate) fn names_in(term: &Term, see: &mut dyn FnMut(&str)) {
    if term.arguments.is_empty() {
        see(&term.name);
    }
    term.arguments.iter().for_each(|it| names_in(it, see));
}

/// The names without arguments in the terms of a process that no sum around them binds.
pub(crate) fn free_names(process: &Process, see: &mut dyn FnMut(&str)) {
    match &process.kind {
        ProcessKind::Named(term) => term.arguments.iter().for_each(|it| names_in(it, see)),
        ProcessKind::Condition(then, condition, otherwise) => {
            names_in(condition, see);
            free_names(then, see);
            free_names(otherwise, see);
        }
        ProcessKind::Sum(variable, body) => {
            free_names(body, &mut |it| {
                if it != variable.name.text {
                    see(it);
                }
            });
        }
        _ => parts(process).into_iter().for_each(|it| free_names(it, see)),
    }
}

/// All terms of a process: arguments of actions and calls, conditions.
pub(crate) fn terms_of<'p>(process: &'p Process, see: &mut dyn FnMut(&'p Term)) {
    match &process.kind {
        ProcessKind::Named(term) => term.arguments.iter().for_each(&mut *see),
        ProcessKind::Condition(_, condition, _) => see(condition),
        _ => {}
    }
    parts(process).into_iter().for_each(|it| terms_of(it, see));
}

/// All actions and calls of a process.
pub(crate) fn named<'p>(process: &'p Process, see: &mut dyn FnMut(&'p Term)) {
    if let ProcessKind::Named(term) = &process.kind {
        see(term);
    }
    parts(process).into_iter().for_each(|it| named(it, see));
}

/// The direct parts of a process.
pub(crate) fn parts(process: &Process) -> Vec<&Process> {
    match &process.kind {
        ProcessKind::Delta | ProcessKind::Tau | ProcessKind::Named(_) => Vec::new(),
        ProcessKind::Choice(a, b)
        | ProcessKind::Sequence(a, b)
        | ProcessKind::Parallel(a, b)
        | ProcessKind::LeftMerge(a, b)
        | ProcessKind::Communication(a, b)
        | ProcessKind::Condition(a, _, b) => vec![a, b],
        ProcessKind::Sum(_, body)
        | ProcessKind::Encap(_, body)
        | ProcessKind::Hide(_, body)
        | ProcessKind::Rename(_, body) => vec![body],
    }
}

/// How many expressions a process is made of.
pub(crate) fn size(process: &Process) -> usize {
    1 + parts(process).into_iter().map(size).sum::<usize>()
}

/// How many names a term is made of.
pub(crate) fn size_of(term: &Term) -> usize {
    1 + term.arguments.iter().map(size_of).sum::<usize>()
}

/// The process with actions, calls and conditions changed.
pub(crate) fn map(
    process: &Process,
    action: &mut dyn FnMut(&Term) -> Term,
    condition: &mut dyn FnMut(&Term) -> Term,
) -> Process {
    let kind = match &process.kind {
        ProcessKind::Delta => ProcessKind::Delta,
        ProcessKind::Tau => ProcessKind::Tau,
        ProcessKind::Named(term) => ProcessKind::Named(action(term)),
        ProcessKind::Condition(a, test, b) => {
            let a = map(a, action, condition);
            let b = map(b, action, condition);
            ProcessKind::Condition(Box::new(a), condition(test), Box::new(b))
        }
        ProcessKind::Choice(a, b) => {
            let a = map(a, action, condition);
            ProcessKind::Choice(Box::new(a), Box::new(map(b, action, condition)))
        }
        ProcessKind::Sequence(a, b) => {
            let a = map(a, action, condition);
            ProcessKind::Sequence(Box::new(a), Box::new(map(b, action, condition)))
        }
        ProcessKind::Sum(it, body) => {
            ProcessKind::Sum(it.clone(), Box::new(map(body, action, condition)))
        }
        other => other.clone(),
    };
    kind.into()
}

/// Terms in place of variables. Sums bind names that no such term uses.
pub(crate) fn substitute(process: &Process, values: &BTreeMap<String, Term>) -> Process {
    if values.is_empty() {
        return process.clone();
    }
    map(
        process,
        &mut |it| {
            let arguments = it.arguments.iter().map(|it| replace(it, values)).collect();
            Term::apply(&it.name, arguments)
        },
        &mut |it| replace(it, values),
    )
}

pub(crate) fn replace(term: &Term, values: &BTreeMap<String, Term>) -> Term {
    if term.arguments.is_empty() {
        return values.get(&term.name).unwrap_or(term).clone();
    }
    let arguments = term.arguments.iter().map(|it| replace(it, values)).collect();
    Term::apply(&term.name, arguments)
}

/// Calls of `name` with one argument, replaced.
pub(crate) fn replace_calls(term: &Term, name: &str, new: &mut dyn FnMut(Term) -> Term) -> Term {
    let arguments: Vec<Term> =
        term.arguments.iter().map(|it| replace_calls(it, name, new)).collect();
    match (term.name == name, &arguments[..]) {
        (true, [argument]) => new(argument.clone()),
        _ => Term::apply(&term.name, arguments),
    }
}

/// The variables of a pattern.
pub(crate) fn variables_of(pattern: &Expr) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    crate::walk::everything(pattern, &mut |it| {
        if let ExprKind::Var(name) = &it.kind {
            found.insert(name.clone());
        }
    });
    found
}

/// Whether clauses bind variables in their bodies, which may be used behind them.
pub(crate) fn binds(clauses: &[foresee_erlang_syntax::tree::Clause]) -> bool {
    let mut found = false;
    for expr in clauses.iter().flat_map(|it| &it.body) {
        crate::walk::everything(expr, &mut |it| found |= matches!(it.kind, ExprKind::Match { .. }));
    }
    found
}
