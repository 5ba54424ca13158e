//! Raising, and calls by computed names.

use super::{Builtin, Control, Outcome, Run, pure};
use crate::machine::{Class, Local, Raise};
use crate::term::Term;

const fn raising(
    name: &'static str,
    arity: u8,
    run: fn(&mut Local<'_>, &[Term]) -> Outcome,
) -> Builtin {
    Builtin { raises: true, ..pure("erlang", name, arity, run) }
}

const fn control(name: &'static str, arity: u8, control: Control) -> Builtin {
    Builtin {
        module: "erlang",
        name,
        arity,
        run: Run::Control(control),
        raises: false,
        joins: false,
        walks: false,
    }
}

pub(super) const TABLE: &[Builtin] = &[
    raising("error", 1, error),
    raising("error", 2, error),
    raising("error", 3, error),
    raising("exit", 1, exit),
    raising("throw", 1, throw),
    raising("raise", 3, raise),
    raising("nif_error", 1, error),
    raising("nif_error", 2, error),
    control("apply", 2, Control::Apply),
    control("apply", 3, Control::Apply),
    control("hibernate", 3, Control::Hibernate),
];

fn error(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::error(args[0].clone()))
}

fn exit(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::exit(args[0].clone()))
}

fn throw(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::throw(args[0].clone()))
}

fn raise(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match Class::of(&args[0]) {
        Some(class) => {
            Err(Raise::Exception { class, reason: args[1].clone(), trace: Some(args[2].clone()) })
        }
        None => Ok(a!("badarg")),
    }
}
