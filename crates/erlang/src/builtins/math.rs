//! Module `math`. A result outside of the floats is `badarith`, an argument that is no number `badarg`.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Term, number};
use std::f64::consts::{PI, TAU};

macro_rules! unary {
    ($name:literal, $function:expr) => {
        pure("math", $name, 1, |_, args| finite($function(value(&args[0])?)))
    };
}

macro_rules! binary {
    ($name:literal, $function:expr) => {
        pure("math", $name, 2, |_, args| finite($function(value(&args[0])?, value(&args[1])?)))
    };
}

pub(super) const TABLE: &[Builtin] = &[
    unary!("sin", f64::sin),
    unary!("cos", f64::cos),
    unary!("tan", f64::tan),
    unary!("asin", f64::asin),
    unary!("acos", f64::acos),
    unary!("atan", f64::atan),
    unary!("sinh", f64::sinh),
    unary!("cosh", f64::cosh),
    unary!("tanh", f64::tanh),
    unary!("asinh", libm::asinh),
    unary!("acosh", libm::acosh),
    unary!("atanh", libm::atanh),
    unary!("exp", f64::exp),
    unary!("log", f64::ln),
    unary!("log2", f64::log2),
    unary!("log10", f64::log10),
    unary!("sqrt", f64::sqrt),
    unary!("ceil", f64::ceil),
    unary!("floor", f64::floor),
    unary!("erf", libm::erf),
    unary!("erfc", libm::erfc),
    binary!("pow", f64::powf),
    binary!("atan2", f64::atan2),
    binary!("fmod", |x: f64, y: f64| x % y),
    pure("math", "pi", 0, pi),
    pure("math", "tau", 0, tau),
];

fn value(term: &Term) -> Result<f64, Raise> {
    match term {
        Term::Big(_) => number::to_float(term).ok_or_else(Raise::badarith),
        _ => arg(number::to_float(term)),
    }
}

fn finite(value: f64) -> Outcome {
    number::float(value).ok_or_else(Raise::badarith)
}

fn pi(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Float(PI))
}

fn tau(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Float(TAU))
}
