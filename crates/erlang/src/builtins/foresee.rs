//! What programs say to the checker: actions that labels show, and what the behaviours tell it of supervisors and their children.

use super::{Builtin, Outcome, arg, ok, pure, visible};
use crate::events::footprint::nothing;
use crate::machine::{Local, Raise};
use crate::tell::stuck::Gap;
use crate::term::{Fun, Term};
use crate::world::step::Step;
use std::sync::Arc;

pub(super) const TABLE: &[Builtin] = &[
    visible("foresee", "action", 1, action, nothing),
    visible("foresee", "action", 2, action, nothing),
    pure("gen", "foresee_child", 1, child),
    pure("foresee_code", "function", 4, made),
    visible("gen", "foresee_not_started", 3, not_started, nothing),
];

/// The key under which a supervisor keeps the id of the child that it is about to start.
pub(super) fn child_key() -> Term {
    a!("$foresee_child")
}

/// A name and a list of arguments: nothing happens but that it is said.
fn action(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_atom())?;
    if let Some(arguments) = args.get(1) {
        arg(arguments.to_vec())?;
    }
    step.reaches_crash_point = true;
    ok()
}

/// The next process that the caller makes is the child `{child, Id}`; with `none`, it is nobody's.
fn child(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    match args[0].as_tuple() {
        Some([_, id]) => local.dictionary.insert(child_key(), id.clone()),
        _ => {
            local.dictionary.remove(&child_key());
        }
    }
    ok()
}

/// Module, function and what it gave in place of `{ok, Pid}`. After a crash that may be; otherwise there is nothing to check.
fn not_started(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let crashed = &step.shared().crashed;
    if crashed.n > 0 || !crashed.names.is_empty() {
        return ok();
    }
    let (module, function, given) = (&args[0], &args[1], &args[2]);
    Err(Raise::Unmodelled(Gap::NotStarted {
        module: module.to_string(),
        function: function.to_string(),
        given: crate::tell::words::reason(given),
    }))
}

/// A function of a module that the program has made, as a fun; `none` if the module has none of that name.
fn made(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (name, arity) = (arg(args[2].as_atom())?, arg(args[3].as_int())? as u32);
    let found = local.program.made(args[0].content_hash(), &args[1], (name, arity));
    match found.map_err(|why| Raise::unmodelled(format!("a module made of {why}")))? {
        None => Ok(a!("none")),
        Some(number) => {
            let function = local.program.function(number);
            let fun = Fun::closure(function.module, name, number, arity, Box::new([]));
            Ok(Term::Fun(Arc::new(fun)))
        }
    }
}
