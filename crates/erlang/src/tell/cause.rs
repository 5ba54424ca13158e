//! Why a visible built-in raised, where its arguments and the state say so: `badarg` names an argument at best, and which of
//! a table that is gone, a name that is taken or an object without a key it was is what a reader of a run wants to know.
//! Not here: what is raised (`crate::builtins`). A cause that is not known is not guessed.

use crate::builtins::Builtin;
use crate::term::{Atom, Pid, Term};
use crate::world::ets::Table;
use crate::world::step::Step;
use std::fmt;

/// What was wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cause {
    NoTable(Term),
    /// Only its owner may read it, or write to it.
    Forbidden {
        table: Term,
        owner: Pid,
        is_read: bool,
    },
    TableExists(Atom),
    NoObject {
        table: Term,
        key: Term,
    },
    /// Not a tuple, or one that is too short to have the key.
    NoKey {
        object: Term,
    },
    NoName(Atom),
    NameTaken {
        name: Atom,
        by: Pid,
    },
    /// The process has a name already.
    HasName {
        pid: Pid,
        name: Atom,
    },
    Dead(Pid),
    NoPersistentTerm(Term),
}

/// What was wrong with a call that has raised in the state as `step` sees it.
pub(crate) fn cause(step: &Step<'_>, entry: &Builtin, args: &[Term]) -> Option<Cause> {
    match (entry.module, entry.name) {
        ("ets", "all" | "whereis") => None,
        ("ets", "new") => {
            let name = args.first()?.as_atom()?;
            let names = &step.shared().table_names;
            names.iter().any(|(own, _)| *own == name).then_some(Cause::TableExists(name))
        }
        ("ets", name) => of_table(step, name, args),
        ("persistent_term", "get") => Some(Cause::NoPersistentTerm(args.first()?.clone())),
        ("erlang", "register") => of_register(step, args),
        ("erlang", "unregister" | "!" | "send" | "send_nosuspend") => {
            let name = args.first()?.as_atom()?;
            step.shared().whereis(name).is_none().then_some(Cause::NoName(name))
        }
        ("erlang", "link" | "group_leader") => {
            let pid = args.iter().rev().find_map(Term::as_pid)?;
            (!step.is_alive(pid)).then_some(Cause::Dead(pid))
        }
        _ => None,
    }
}

fn of_register(step: &Step<'_>, args: &[Term]) -> Option<Cause> {
    let (name, pid) = (args.first()?.as_atom()?, args.get(1)?.as_pid()?);
    if !step.is_alive(pid) {
        return Some(Cause::Dead(pid));
    }
    if let Some(by) = step.shared().whereis(name) {
        return Some(Cause::NameTaken { name, by });
    }
    step.shared().name_of(pid).map(|name| Cause::HasName { pid, name })
}

fn of_table(step: &Step<'_>, name: &str, args: &[Term]) -> Option<Cause> {
    let term = args.first()?.clone();
    let Some(table) = step.table_id(&term).and_then(|id| step.table(id)) else {
        let is_table = matches!(term, Term::Atom(_) | Term::Ref(..));
        return is_table.then_some(Cause::NoTable(term));
    };
    let is_read = !matches!(
        name,
        "insert" | "insert_new" | "take" | "update_counter" | "update_element" | "rename"
    ) && !name.contains("delete");
    let may = if is_read { Table::readable_by } else { Table::writable_by };
    if !may(table, step.caller) {
        return Some(Cause::Forbidden { table: term, owner: table.owner, is_read });
    }
    let argument = args.get(1)?;
    match name {
        "insert" | "insert_new" => {
            let objects = match argument {
                Term::Tuple(_) => vec![argument.clone()],
                _ => argument.to_vec().unwrap_or_else(|| vec![argument.clone()]),
            };
            let object = objects.into_iter().find(|object| table.key_of(object).is_none())?;
            Some(Cause::NoKey { object })
        }
        "lookup_element" | "update_counter" | "next" | "prev" if !table.contains(argument) => {
            Some(Cause::NoObject { table: term, key: argument.clone() })
        }
        _ => None,
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::NoTable(table) => write!(f, "the table {table} does not exist"),
            Cause::Forbidden { table, owner, is_read: true } => {
                write!(f, "the table {table} is private to {owner}")
            }
            Cause::Forbidden { table, owner, is_read: false } => {
                write!(f, "only {owner} may write to the table {table}")
            }
            Cause::TableExists(name) => write!(f, "a table {} exists already", Term::Atom(*name)),
            Cause::NoObject { table, key } => write!(f, "the table {table} has no key {key}"),
            Cause::NoKey { object } => write!(f, "{object} has no key"),
            Cause::NoName(name) => {
                write!(f, "no process is registered as {}", Term::Atom(*name))
            }
            Cause::NameTaken { name, by } => {
                write!(f, "{by} is registered as {} already", Term::Atom(*name))
            }
            Cause::HasName { pid, name } => {
                write!(f, "{pid} has the name {} already", Term::Atom(*name))
            }
            Cause::Dead(pid) => write!(f, "{pid} has ended"),
            Cause::NoPersistentTerm(key) => write!(f, "there is no persistent term {key}"),
        }
    }
}
