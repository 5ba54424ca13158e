//! The process dictionary, and references and integers that are new.

use super::{Builtin, Outcome, Run, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Map, Term};
use crate::world::step::Step;

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "put", 2, put),
    pure("erlang", "get", 1, get),
    pure("erlang", "get", 0, get_all),
    pure("erlang", "get_keys", 0, get_keys),
    pure("erlang", "get_keys", 1, get_keys_of),
    pure("erlang", "erase", 1, erase),
    pure("erlang", "erase", 0, erase_all),
    pure("erlang", "make_ref", 0, make_ref),
    pure("erlang", "unique_integer", 0, unique_integer),
    Builtin {
        module: "erlang",
        name: "unique_integer",
        arity: 1,
        run: Run::Either {
            is_event: |_, args| has_option(args, "monotonic") && options_of(args).is_ok(),
            pure: unique_integer,
            visible: counted,
            touches: |_, _, touched| touched.counts_up(),
        },
        raises: false,
        joins: false,
        walks: false,
    },
    pure("erlang", "group_leader", 0, group_leader),
];

fn put(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let old = local.dictionary.get(&args[0]).cloned();
    local.dictionary.insert(args[0].clone(), args[1].clone());
    Ok(old.unwrap_or(a!("undefined")))
}

fn get(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(local.dictionary.get(&args[0]).cloned().unwrap_or(a!("undefined")))
}

fn get_all(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    let entries = local.dictionary.entries().iter();
    Ok(Term::list(entries.map(|(k, v)| Term::tuple([k.clone(), v.clone()])).collect::<Vec<_>>()))
}

fn get_keys(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    let entries = local.dictionary.entries().iter();
    Ok(Term::list(entries.map(|(key, _)| key.clone()).collect::<Vec<_>>()))
}

fn get_keys_of(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let entries = local.dictionary.entries().iter().filter(|(_, value)| *value == args[0]);
    Ok(Term::list(entries.map(|(key, _)| key.clone()).collect::<Vec<_>>()))
}

fn erase(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(local.dictionary.remove(&args[0]).unwrap_or(a!("undefined")))
}

fn erase_all(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let all = get_all(local, args)?;
    local.dictionary = Map::new();
    Ok(all)
}

fn make_ref(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::reference(local.new_reference()))
}

fn has_option(args: &[Term], name: &str) -> bool {
    let options = args.first().and_then(Term::to_vec).unwrap_or_default();
    options.iter().any(|option| option.as_atom().is_some_and(|atom| atom.text() == name))
}

fn options_of(args: &[Term]) -> Result<(), Raise> {
    let options = match args.first() {
        Some(options) => arg(options.to_vec())?,
        None => Vec::new(),
    };
    let is_known =
        |option: &Term| option.is_atom(atom!("positive")) || option.is_atom(atom!("monotonic"));
    arg(options.iter().all(is_known).then_some(()))
}

/// More than every one before, whoever got it: who is first is an event.
fn counted(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let timers = step.timers_mut();
    timers.n_monotonic += 1;
    Ok(Term::Int(timers.n_monotonic as i64))
}

/// Unique in the whole program: the hash of the process above, its own count below.
fn unique_integer(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    options_of(args)?;
    local.n_unique += 1;
    let process = (local.pid.content_hash() >> 40) as i64;
    Ok(Term::Int(process << 32 | i64::from(local.n_unique)))
}

fn group_leader(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Pid(local.group_leader))
}
