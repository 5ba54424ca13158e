//! What a program has come to: the exit reasons of all processes, what those that wait have seen and what is in their
//! mailboxes, the tables, names and cells.
//! Two outcomes are one if they differ only in the order of messages that nobody took, or in the numbers of references: an
//! order that no process asked for is no difference, and references have other numbers where states are compared.
//! What a process writes is what it is about to log, so its output is in its log.

use foresee_erlang::builtins::Cells;
use foresee_erlang::world::component::Control;
use foresee_erlang::{Erlang, Pid, Reference, Term};
use std::fmt::Write;

/// The names that the first process has given.
type Names = Vec<(String, Pid)>;

fn names(erlang: &Erlang, state: &[u32]) -> Names {
    let main = erlang.process(state, Pid::first());
    let given = main.and_then(|it| it.dictionary.get(&Term::atom("names")).cloned());
    let given = given.and_then(|it| it.to_vec()).unwrap_or_default();
    let pair = |pair: &Term| match pair.as_tuple()? {
        [name, Term::Pid(pid)] => Some((name.to_string(), *pid)),
        _ => None,
    };
    given.iter().filter_map(pair).collect()
}

/// The outcome in `state`; with processes that only we can name, unless it is to be compared with a real Erlang.
pub(crate) fn outcome(erlang: &Erlang, state: &[u32], is_whole: bool) -> String {
    let names = names(erlang, state);
    let shared = erlang.shared(state);
    let mut text = String::new();
    if let Some(status) = &shared.halted {
        let _ = writeln!(text, "halted {}", written(status, &names, is_whole));
    }
    let mut tables = Vec::new();
    for process in erlang.processes(state) {
        let name = names.iter().find(|it| it.1 == process.pid).map(|it| it.0.clone());
        // How the one that ended before the others began did, a real Erlang can no longer be asked.
        if !is_whole && name.as_deref() == Some("d") {
            continue;
        }
        let Some(name) = name.or_else(|| is_whole.then(|| process.pid.to_string())) else {
            continue;
        };
        let words = match &process.control {
            Control::Ended { reason } | Control::Ending { reason, .. } => {
                format!("ended {}", written(reason, &names, is_whole))
            }
            Control::Stuck(stuck) => format!("STUCK {stuck}"),
            _ => {
                let log = process.dictionary.get(&Term::atom("log")).cloned();
                let inbox = erlang.inbox(state, process.pid);
                let mut messages: Vec<String> = inbox
                    .map(|it| it.messages.iter().map(|m| written(m, &names, is_whole)).collect())
                    .unwrap_or_default();
                messages.sort_unstable();
                // Where all has stopped, nobody will ever know what was still in a mailbox.
                if shared.halted.is_some() {
                    messages.clear();
                }
                let log = log.unwrap_or(Term::atom("none"));
                format!("waits {} [{}]", written(&log, &names, is_whole), messages.join(","))
            }
        };
        let _ = writeln!(text, "{name} {words}");
    }
    for (name, reference) in &shared.table_names {
        let table = erlang.table(state, *reference);
        let Some(table) = table else { continue };
        let mut objects: Vec<String> =
            table.objects().iter().map(|it| written(it, &names, is_whole)).collect();
        objects.sort_unstable();
        let owner = written(&Term::Pid(table.owner), &names, is_whole);
        tables.push(format!("table {} of {owner} [{}]", name.text(), objects.join(",")));
    }
    tables.sort_unstable();
    tables.into_iter().for_each(|table| text += &(table + "\n"));
    for wanted in ["n", "n2"] {
        if let Some((_, pid)) = shared.names.iter().find(|it| it.0.text() == wanted) {
            let _ = writeln!(text, "name {wanted} {}", written(&Term::Pid(*pid), &names, is_whole));
        }
    }
    for (_, cells) in cells(erlang, state) {
        let values: Vec<String> = cells.values().map(|it| it.to_string()).collect();
        let _ = writeln!(text, "cells [{}]", values.join(", "));
    }
    if let Some(value) = shared.persistent.get(&Term::atom("pk")) {
        let _ = writeln!(text, "persistent {}", written(value, &names, is_whole));
    }
    text
}

/// The counters and atomics of the first process, in its order.
fn cells(erlang: &Erlang, state: &[u32]) -> Vec<(Reference, Cells)> {
    let main = erlang.process(state, Pid::first());
    let given = main.and_then(|it| it.dictionary.get(&Term::atom("cells")).cloned());
    let mut found = Vec::new();
    if let Some(given) = &given {
        given.visit_identifiers(&mut |it| found.extend(it.as_reference()));
    }
    let shared = &erlang.shared(state).counters;
    found.iter().filter_map(|it| shared.iter().find(|own| own.0 == *it).cloned()).collect()
}

/// A term as `~w` writes it, with names for processes.
fn written(term: &Term, names: &Names, is_whole: bool) -> String {
    let all = |items: &[Term]| -> String {
        items.iter().map(|it| written(it, names, is_whole)).collect::<Vec<_>>().join(",")
    };
    match term {
        Term::Pid(pid) => {
            let known = names.iter().find(|it| it.1 == *pid).map(|it| it.0.clone());
            known.unwrap_or_else(|| if is_whole { pid.to_string() } else { "pid".to_owned() })
        }
        Term::Ref(..) => "ref".to_owned(),
        Term::Fun(_) => "function".to_owned(),
        Term::Nil => "[]".to_owned(),
        Term::Tuple(tuple) => format!("{{{}}}", all(tuple.items())),
        Term::Cons(_) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().cloned().collect();
            match cells.rest() {
                Term::Nil => format!("[{}]", all(&items)),
                rest => format!("[{}|{}]", all(&items), written(rest, names, is_whole)),
            }
        }
        Term::Map(map) => {
            let mut pairs: Vec<String> = map
                .entries()
                .iter()
                .map(|(k, v)| {
                    format!("{}=>{}", written(k, names, is_whole), written(v, names, is_whole))
                })
                .collect();
            pairs.sort_unstable();
            format!("#{{{}}}", pairs.join(","))
        }
        _ => term.to_string(),
    }
}

/// Whether all three have been let go.
pub(crate) fn has_started(erlang: &Erlang, state: &[u32]) -> [bool; 3] {
    let first = Pid::first();
    std::array::from_fn(|at| {
        let process = erlang.process(state, first.child(at as u32 + 1));
        process
            .is_some_and(|it| it.dictionary.get(&Term::atom("log")).is_some() || !it.is_running())
    })
}
