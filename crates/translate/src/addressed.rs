//! Messages to processes that are computed: is it a server at all?
//! A client that has its server as a parameter is common, and mostly the parameter is the same server for ever; that is
//! found out here, over all equations, and then nothing need be asked. Elsewhere the specification asks: a call of what is
//! no server ends the caller with `failure(Caller,noproc)`, a cast or a send to it does nothing, as in Erlang.
//! Without this a client that calls nobody would wait for ever, in silence.

use crate::terms::{any, constant, eq};
use foresee_algebra::{Process, ProcessDefinition, ProcessKind, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The constants that a parameter can be; `None` when it can be anything.
type Possible = Option<BTreeSet<String>>;

/// Asks where it must be asked. `is_variable` tells variables from constants.
pub(crate) fn ask(
    processes: &mut [ProcessDefinition],
    starts: &[Process],
    servers: &[String],
    is_variable: &dyn Fn(&str) -> bool,
) {
    let known = possible(processes, starts, is_variable);
    for definition in processes {
        let is_server = |term: &Term| {
            if !term.arguments.is_empty() {
                return false;
            }
            if !is_variable(&term.name) {
                return servers.contains(&term.name);
            }
            let at = definition.parameters.iter().position(|it| it.name.text == term.name);
            let values = at.and_then(|at| known.get(&(definition.name.text.clone(), at)));
            let values = values.and_then(Option::as_ref);
            values.is_some_and(|it| it.iter().all(|it| servers.contains(it)))
        };
        definition.body = asked(&definition.body, servers, &is_server);
    }
}

/// What each parameter of each equation can be, by following all calls.
fn possible(
    processes: &[ProcessDefinition],
    starts: &[Process],
    is_variable: &dyn Fn(&str) -> bool,
) -> BTreeMap<(String, usize), Possible> {
    let mut known: BTreeMap<(String, usize), Possible> = BTreeMap::new();
    for it in processes {
        for at in 0..it.parameters.len() {
            known.insert((it.name.text.clone(), at), Some(BTreeSet::new()));
        }
    }
    loop {
        let mut changed = false;
        let bodies = processes.iter().map(|it| (Some(it), &it.body));
        for (inside, body) in bodies.chain(starts.iter().map(|it| (None, it))) {
            crate::shape::named(body, &mut |call| {
                for (at, argument) in call.arguments.iter().enumerate() {
                    let new = value_of(argument, inside, &known, is_variable);
                    if let Some(old) = known.get_mut(&(call.name.clone(), at)) {
                        changed |= join(old, new);
                    }
                }
            });
        }
        if !changed {
            return known;
        }
    }
}

fn value_of(
    term: &Term,
    inside: Option<&ProcessDefinition>,
    known: &BTreeMap<(String, usize), Possible>,
    is_variable: &dyn Fn(&str) -> bool,
) -> Possible {
    if !term.arguments.is_empty() {
        return None;
    }
    if !is_variable(&term.name) {
        return Some(BTreeSet::from([term.name.clone()]));
    }
    let definition = inside?;
    let at = definition.parameters.iter().position(|it| it.name.text == term.name)?;
    known[&(definition.name.text.clone(), at)].clone()
}

/// Adds values; whether there were new ones.
fn join(old: &mut Possible, new: Possible) -> bool {
    match (old.as_mut(), new) {
        (None, _) => false,
        (Some(_), None) => {
            *old = None;
            true
        }
        (Some(old), Some(new)) => {
            let n = old.len();
            old.extend(new);
            old.len() > n
        }
    }
}

fn asked(process: &Process, servers: &[String], is_server: &dyn Fn(&Term) -> bool) -> Process {
    let go = |it: &Process| Box::new(asked(it, servers, is_server));
    let open = |it: &Process| match &it.kind {
        ProcessKind::Named(term) if is_message(&term.name) && !is_server(&term.arguments[0]) => {
            Some(term.clone())
        }
        _ => None,
    };
    let is_one = |term: &Term| {
        let to = &term.arguments[0];
        any(servers.iter().map(|it| eq(to.clone(), constant(it))).collect::<Vec<_>>())
    };
    match &process.kind {
        ProcessKind::Sequence(first, rest) => match open(first) {
            Some(call) if call.name.starts_with("gen_server_call") => {
                let nobody = vec![call.arguments[2].clone(), constant("noproc")];
                let failure = Process::action("failure", nobody).then(Process::delta());
                let calls: Process = ProcessKind::Sequence(first.clone(), go(rest)).into();
                calls.when(is_one(&call), failure)
            }
            Some(send) => {
                let sends = (**first).clone().when(is_one(&send), Process::tau());
                ProcessKind::Sequence(Box::new(sends), go(rest)).into()
            }
            None => ProcessKind::Sequence(go(first), go(rest)).into(),
        },
        ProcessKind::Choice(a, b) => ProcessKind::Choice(go(a), go(b)).into(),
        ProcessKind::Condition(a, test, b) => {
            ProcessKind::Condition(go(a), test.clone(), go(b)).into()
        }
        ProcessKind::Sum(variable, body) => ProcessKind::Sum(variable.clone(), go(body)).into(),
        _ => process.clone(),
    }
}

fn is_message(action: &str) -> bool {
    action.starts_with("gen_server_call") || matches!(action, "gen_server_cast" | "send")
}
