//! Last touches on the equations: those that turned out equal are one, and those that would call themselves without
//! doing anything in between do a hidden step first, which the process algebra asks for.

use foresee_algebra::{Process, ProcessDefinition, ProcessKind, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Merges equations of one group that are equal up to merging. `groups` are names that may be merged.
pub(crate) fn merge(
    processes: &mut Vec<ProcessDefinition>,
    groups: &[Vec<String>],
) -> BTreeMap<String, String> {
    // Everybody of a group and of as many parameters starts in one class; classes split until nothing changes.
    let mut class: BTreeMap<String, String> = BTreeMap::new();
    for group in groups {
        let mut first: BTreeMap<usize, String> = BTreeMap::new();
        for name in group {
            let n = find(processes, name).map_or(0, |it| it.parameters.len());
            let leader = first.entry(n).or_insert_with(|| name.clone());
            class.insert(name.clone(), leader.clone());
        }
    }
    loop {
        let mut leaders: Vec<(String, Process, String)> = Vec::new();
        let mut next = BTreeMap::new();
        for (name, old) in &class {
            let Some(definition) = find(processes, name) else { continue };
            let body = renamed(&normal(definition), &class);
            let known = leaders.iter().find(|it| it.0 == *old && it.1 == body);
            let leader = match known {
                Some(it) => it.2.clone(),
                None => {
                    leaders.push((old.clone(), body, name.clone()));
                    name.clone()
                }
            };
            next.insert(name.clone(), leader);
        }
        let is_stable = {
            let count = |it: &BTreeMap<String, String>| it.values().collect::<BTreeSet<_>>().len();
            count(&next) == count(&class)
        };
        class = next;
        if is_stable {
            break;
        }
    }
    processes.retain(|it| class.get(&it.name.text).is_none_or(|leader| *leader == it.name.text));
    for it in processes.iter_mut() {
        it.body = renamed(&it.body, &class);
    }
    class
}

/// A body with parameters called by their places, so that names do not matter.
fn normal(definition: &ProcessDefinition) -> Process {
    let places = definition.parameters.iter().enumerate();
    let values =
        places.map(|(at, it)| (it.name.text.clone(), Term::name(&format!("#{at}")))).collect();
    crate::shape::substitute(&definition.body, &values)
}

fn find<'p>(processes: &'p [ProcessDefinition], name: &str) -> Option<&'p ProcessDefinition> {
    processes.iter().find(|it| it.name.text == name)
}

/// Calls of merged equations become calls of the one that is left.
pub(crate) fn renamed(process: &Process, names: &BTreeMap<String, String>) -> Process {
    crate::shape::map(
        process,
        &mut |it| match names.get(&it.name) {
            Some(new) => Term::apply(new, it.arguments.clone()),
            None => it.clone(),
        },
        &mut |it| it.clone(),
    )
}

/// Puts `tau` before calls through which an equation would reach itself without an action.
pub(crate) fn guard(processes: &mut [ProcessDefinition]) {
    let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for it in processes.iter() {
        let mut found = BTreeSet::new();
        first_calls(&it.body, &mut found);
        found.retain(|name| find(processes, name).is_some());
        calls.insert(it.name.text.clone(), found);
    }
    let reach: BTreeMap<String, BTreeSet<String>> =
        calls.keys().map(|it| (it.clone(), reached(it, &calls))).collect();
    for it in processes {
        let own = &it.name.text;
        let in_circle: BTreeSet<String> =
            reach[own].iter().filter(|other| reach[*other].contains(own)).cloned().collect();
        if !in_circle.is_empty() {
            it.body = guarded(&it.body, &in_circle);
        }
    }
}

fn reached(from: &str, calls: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut due: Vec<&String> = calls[from].iter().collect();
    while let Some(it) = due.pop() {
        if seen.insert(it.clone()) {
            due.extend(&calls[it]);
        }
    }
    seen
}

/// The names that a process starts with.
fn first_calls(process: &Process, found: &mut BTreeSet<String>) {
    match &process.kind {
        ProcessKind::Named(term) => {
            found.insert(term.name.clone());
        }
        ProcessKind::Sequence(first, _) => first_calls(first, found),
        _ => crate::shape::parts(process).into_iter().for_each(|it| first_calls(it, found)),
    }
}

fn guarded(process: &Process, circle: &BTreeSet<String>) -> Process {
    let go = |it: &Process| Box::new(guarded(it, circle));
    match &process.kind {
        ProcessKind::Named(term) if circle.contains(&term.name) => {
            Process::tau().then(process.clone())
        }
        ProcessKind::Sequence(first, rest) => {
            let first = guarded(first, circle);
            match first.kind {
                // `(tau . p) . q` reads better as `tau . p . q`.
                ProcessKind::Sequence(a, b) => a.then(b.then((**rest).clone())),
                _ => first.then((**rest).clone()),
            }
        }
        ProcessKind::Choice(a, b) => ProcessKind::Choice(go(a), go(b)).into(),
        ProcessKind::Condition(a, test, b) => {
            ProcessKind::Condition(go(a), test.clone(), go(b)).into()
        }
        ProcessKind::Sum(variable, body) => ProcessKind::Sum(variable.clone(), go(body)).into(),
        _ => process.clone(),
    }
}
