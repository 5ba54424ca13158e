//! Units of time, the system's facts, and what is loaded. Reading clocks is in `clock`.

use super::{Builtin, Outcome, arg, ok, pure, truth, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::{Local, Raise};
use crate::term::{Atom, Term, number};
use crate::world::step::{Event, Step};

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "time_offset", 0, zero),
    pure("erlang", "time_offset", 1, zero),
    pure("erlang", "convert_time_unit", 3, convert_time_unit),
    pure("erlang", "nodes", 0, empty),
    pure("erlang", "nodes", 1, nodes),
    pure("erlang", "is_alive", 0, no),
    pure("erlang", "garbage_collect", 0, yes),
    pure("erlang", "garbage_collect", 1, yes),
    pure("erlang", "bump_reductions", 1, yes),
    pure("erlang", "function_exported", 3, function_exported),
    pure("erlang", "module_loaded", 1, module_loaded),
    pure("erlang", "get_module_info", 1, module_info),
    pure("erlang", "get_module_info", 2, module_info),
    pure("code", "ensure_loaded", 1, ensure_loaded),
    pure("erlang", "get_cookie", 0, nocookie),
    visible("erlang", "yield", 0, yield_, nothing),
    visible("erlang", "halt", 0, halt, halts),
    visible("erlang", "halt", 1, halt, halts),
    visible("erlang", "halt", 2, halt, halts),
    visible("init", "stop", 0, halt, halts),
    visible("init", "stop", 1, halt, halts),
];

/// The number of a unit's parts in a second.
pub(super) fn parts_per_second(unit: &Term) -> Result<i64, Raise> {
    match unit {
        Term::Int(parts) if *parts > 0 => Ok(*parts),
        Term::Atom(unit) => match unit.text() {
            "second" | "seconds" => Ok(1),
            "millisecond" | "milli_seconds" => Ok(1_000),
            "microsecond" | "micro_seconds" => Ok(1_000_000),
            "nanosecond" | "nano_seconds" | "native" | "perf_counter" => Ok(1_000_000_000),
            _ => Err(Raise::badarg()),
        },
        _ => Err(Raise::badarg()),
    }
}

fn zero(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Int(0))
}

fn empty(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Nil)
}

fn nodes(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let kinds = match &args[0] {
        Term::Atom(_) => vec![args[0].clone()],
        list => arg(list.to_vec())?,
    };
    let is_kind = |kind: &Term| {
        let names = ["this", "visible", "hidden", "connected", "known"];
        kind.as_atom().is_some_and(|kind| names.contains(&kind.text()))
    };
    arg(kinds.iter().all(is_kind).then_some(()))?;
    let own = |kind: &Term| kind.is_atom(atom!("this")) || kind.is_atom(atom!("known"));
    Ok(if kinds.iter().any(own) { Term::list([a!("nonode@nohost")]) } else { Term::Nil })
}

fn yes(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    truth(true)
}

fn no(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    truth(false)
}

fn nocookie(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(a!("nocookie"))
}

fn convert_time_unit(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (from, to) = (parts_per_second(&args[1])?, parts_per_second(&args[2])?);
    let value = arg(number::to_big(&args[0]))? * to;
    Ok(number::integer(num_integer::Integer::div_floor(&value, &from.into())))
}

fn function_exported(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (module, name) = (arg(args[0].as_atom())?, arg(args[1].as_atom())?);
    let key = (module, name, arg(args[2].as_usize())? as u32);
    let tells = name == atom!("module_info") && key.2 <= 1 && local.program.has_module(module);
    truth(
        tells
            || local.program.exported(key).is_some()
            || local.program.builtins.find(key).is_some(),
    )
}

fn module_loaded(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(local.program.has_module(arg(args[0].as_atom())?))
}

fn ensure_loaded(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let module = arg(args[0].as_atom())?;
    if local.program.has_module(module) {
        Ok(Term::tuple([a!("module"), args[0].clone()]))
    } else {
        Ok(Term::tuple([a!("error"), a!("nofile")]))
    }
}

fn module_info(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let module = arg(args[0].as_atom())?;
    // Every module has the two functions that tell of it.
    let listed = |mut functions: Vec<(Atom, u32)>| {
        functions.extend([0, 1].map(|arity| (atom!("module_info"), arity)));
        let pair = |(name, arity)| Term::tuple([Term::Atom(name), Term::Int(i64::from(arity))]);
        Term::list(functions.into_iter().map(pair).collect::<Vec<_>>())
    };
    let exports = || listed(local.program.exports(module));
    match args.get(1) {
        None => Ok(Term::list([
            Term::tuple([a!("module"), args[0].clone()]),
            Term::tuple([a!("exports"), exports()]),
            Term::tuple([a!("attributes"), local.program.attributes(module)]),
            Term::tuple([a!("compile"), Term::Nil]),
        ])),
        Some(item) => match arg(item.as_atom())?.text() {
            "module" => Ok(args[0].clone()),
            "exports" => Ok(exports()),
            "functions" => Ok(listed(local.program.functions(module))),
            "attributes" => Ok(local.program.attributes(module)),
            "compile" => Ok(Term::Nil),
            "native" => Ok(a!("false")),
            _ => Err(Raise::badarg()),
        },
    }
}

fn yield_(_: &mut Step<'_>, _: &[Term]) -> Outcome {
    truth(true)
}

/// Nothing happens after it, so everything that has not happened yet races with it.
fn halts(_: &Step<'_>, _: &[Term], touched: &mut Touched) {
    touched.halts();
}

fn halt(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    // Events say that they may be halted only if the program names it somewhere.
    if !step.core.may_halt {
        let what = "halt, called by a name that is put together at run time";
        return Err(Raise::unmodelled(what.to_owned()));
    }
    let status = args.first().cloned().unwrap_or(Term::Int(0));
    step.shared_mut().halted = Some(status.clone());
    let pid = step.caller;
    step.events.push(Event::Halted { pid, status });
    ok()
}
