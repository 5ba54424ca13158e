//! Built-ins of module `erlang` that guards may use, and the operators as functions.

use super::{Builtin, Outcome, arg, pure, truth};
use crate::machine::{Local, Raise, operate};
use crate::program::code::{Operation, TypeTest};
use crate::term::{Term, number, order};
use std::cmp::Ordering;

macro_rules! type_tests {
    ($($function:ident $test:ident;)*) => {
        $(fn $function(_: &mut Local<'_>, args: &[Term]) -> Outcome {
            truth(TypeTest::$test.holds(&args[0]))
        })*
    };
}

type_tests! {
    is_atom Atom;
    is_integer Integer;
    is_float Float;
    is_number Number;
    is_pid Pid;
    is_port Port;
    is_reference Reference;
    is_tuple Tuple;
    is_list List;
    is_map Map;
    is_binary Binary;
    is_bitstring Bitstring;
    is_function Function;
    is_boolean Boolean;
}

macro_rules! operators {
    ($($function:ident $operation:ident;)*) => {
        $(fn $function(_: &mut Local<'_>, args: &[Term]) -> Outcome {
            let op = Operation::$operation;
            operate(op, &args[0], args.last().unwrap_or(&args[0])).ok_or_else(|| op_error(op))
        })*
    };
}

fn op_error(op: Operation) -> Raise {
    match op {
        Operation::Append
        | Operation::ListSubtract
        | Operation::And
        | Operation::Or
        | Operation::Xor
        | Operation::Not => Raise::badarg(),
        _ => Raise::badarith(),
    }
}

operators! {
    add Add;
    subtract Subtract;
    multiply Multiply;
    divide Divide;
    quotient Quotient;
    remainder Remainder;
    and And;
    or Or;
    xor Xor;
    band BitAnd;
    bor BitOr;
    bxor BitXor;
    bsl ShiftLeft;
    bsr ShiftRight;
    append Append;
    list_subtract ListSubtract;
    negate Negate;
    plus Plus;
    bnot BitNot;
    not Not;
}

macro_rules! comparisons {
    ($($function:ident $test:expr;)*) => {
        $(fn $function(_: &mut Local<'_>, args: &[Term]) -> Outcome {
            let test: fn(&Term, &Term) -> bool = $test;
            truth(test(&args[0], &args[1]))
        })*
    };
}

comparisons! {
    equal order::equal;
    not_equal |a, b| !order::equal(a, b);
    less |a, b| order::compare(a, b) == Ordering::Less;
    less_equal |a, b| order::compare(a, b) != Ordering::Greater;
    greater |a, b| order::compare(a, b) == Ordering::Greater;
    greater_equal |a, b| order::compare(a, b) != Ordering::Less;
    exact_equal |a, b| a == b;
    exact_not_equal |a, b| a != b;
}

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "is_atom", 1, is_atom),
    pure("erlang", "is_integer", 1, is_integer),
    pure("erlang", "is_float", 1, is_float),
    pure("erlang", "is_number", 1, is_number),
    pure("erlang", "is_pid", 1, is_pid),
    pure("erlang", "is_port", 1, is_port),
    pure("erlang", "is_reference", 1, is_reference),
    pure("erlang", "is_tuple", 1, is_tuple),
    pure("erlang", "is_list", 1, is_list),
    pure("erlang", "is_map", 1, is_map),
    pure("erlang", "is_binary", 1, is_binary),
    pure("erlang", "is_bitstring", 1, is_bitstring),
    pure("erlang", "is_function", 1, is_function),
    pure("erlang", "is_function", 2, is_function_of),
    pure("erlang", "is_boolean", 1, is_boolean),
    pure("erlang", "is_record", 2, is_record),
    pure("erlang", "is_record", 3, is_record),
    pure("erlang", "is_map_key", 2, is_map_key),
    pure("erlang", "map_get", 2, map_get),
    pure("erlang", "+", 2, add),
    pure("erlang", "-", 2, subtract),
    pure("erlang", "*", 2, multiply),
    pure("erlang", "/", 2, divide),
    pure("erlang", "div", 2, quotient),
    pure("erlang", "rem", 2, remainder),
    pure("erlang", "and", 2, and),
    pure("erlang", "or", 2, or),
    pure("erlang", "xor", 2, xor),
    pure("erlang", "band", 2, band),
    pure("erlang", "bor", 2, bor),
    pure("erlang", "bxor", 2, bxor),
    pure("erlang", "bsl", 2, bsl),
    pure("erlang", "bsr", 2, bsr),
    pure("erlang", "++", 2, append),
    pure("erlang", "--", 2, list_subtract),
    pure("erlang", "-", 1, negate),
    pure("erlang", "+", 1, plus),
    pure("erlang", "bnot", 1, bnot),
    pure("erlang", "not", 1, not),
    pure("erlang", "==", 2, equal),
    pure("erlang", "/=", 2, not_equal),
    pure("erlang", "<", 2, less),
    pure("erlang", "=<", 2, less_equal),
    pure("erlang", ">", 2, greater),
    pure("erlang", ">=", 2, greater_equal),
    pure("erlang", "=:=", 2, exact_equal),
    pure("erlang", "=/=", 2, exact_not_equal),
    pure("erlang", "abs", 1, abs),
    pure("erlang", "float", 1, float),
    pure("erlang", "round", 1, round),
    pure("erlang", "trunc", 1, trunc),
    pure("erlang", "floor", 1, floor),
    pure("erlang", "ceil", 1, ceil),
    pure("erlang", "max", 2, max),
    pure("erlang", "min", 2, min),
    pure("erlang", "element", 2, element),
    pure("erlang", "setelement", 3, setelement),
    pure("erlang", "hd", 1, hd),
    pure("erlang", "tl", 1, tl),
    pure("erlang", "length", 1, length),
    pure("erlang", "size", 1, size),
    pure("erlang", "tuple_size", 1, tuple_size),
    pure("erlang", "map_size", 1, map_size),
    pure("erlang", "byte_size", 1, byte_size),
    pure("erlang", "bit_size", 1, bit_size),
    pure("erlang", "self", 0, self_),
    pure("erlang", "node", 0, node),
    pure("erlang", "node", 1, node),
];

fn is_function_of(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let arity = arg(args[1].as_usize())?;
    truth(matches!(&args[0], Term::Fun(fun) if fun.arity as usize == arity))
}

fn is_record(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[1].as_atom())?;
    let size = args.get(2).map(|size| arg(size.as_usize())).transpose()?;
    let Some(items) = args[0].as_tuple() else { return truth(false) };
    let size_fits = size.is_none_or(|size| size == items.len());
    truth(size_fits && items.first() == Some(&args[1]))
}

fn bad_map(term: &Term) -> Raise {
    Raise::error(Term::tuple([a!("badmap"), term.clone()]))
}

fn is_map_key(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let map = args[1].as_map().ok_or_else(|| bad_map(&args[1]))?;
    truth(map.contains(&args[0]))
}

fn map_get(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let map = args[1].as_map().ok_or_else(|| bad_map(&args[1]))?;
    map.get(&args[0])
        .cloned()
        .ok_or_else(|| Raise::error(Term::tuple([a!("badkey"), args[0].clone()])))
}

fn abs(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::absolute(&args[0]))
}

fn float(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::to_float(&args[0]).map(Term::Float))
}

fn round(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::to_integer(&args[0], f64::round))
}

fn trunc(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::to_integer(&args[0], f64::trunc))
}

fn floor(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::to_integer(&args[0], f64::floor))
}

fn ceil(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::to_integer(&args[0], f64::ceil))
}

fn max(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let second = order::compare(&args[0], &args[1]) == Ordering::Less;
    Ok(args[usize::from(second)].clone())
}

fn min(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let second = order::compare(&args[0], &args[1]) == Ordering::Greater;
    Ok(args[usize::from(second)].clone())
}

fn element(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let index = arg(args[0].as_usize().and_then(|n| n.checked_sub(1)))?;
    arg(args[1].as_tuple().and_then(|items| items.get(index)).cloned())
}

fn setelement(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let index = arg(args[0].as_usize().and_then(|n| n.checked_sub(1)))?;
    let items = arg(args[1].as_tuple().filter(|items| index < items.len()))?;
    let mut items = items.to_vec();
    items[index] = args[2].clone();
    Ok(Term::tuple(items))
}

fn hd(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match &args[0] {
        Term::Cons(cell) => Ok(cell.head.clone()),
        Term::Trace(trace) => arg(trace.to_term().cells().next().cloned()),
        _ => Err(Raise::badarg()),
    }
}

fn tl(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match &args[0] {
        Term::Cons(cell) => Ok(cell.tail.clone()),
        Term::Trace(trace) => match trace.to_term() {
            Term::Cons(cell) => Ok(cell.tail.clone()),
            _ => Err(Raise::badarg()),
        },
        _ => Err(Raise::badarg()),
    }
}

fn length(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    if let Term::Trace(trace) = &args[0] {
        return Ok(Term::from(trace.entries.len()));
    }
    let mut cells = args[0].cells();
    let n = cells.by_ref().count();
    arg(matches!(cells.rest(), Term::Nil).then_some(Term::from(n)))
}

fn size(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    // Of bits only the whole bytes count.
    let bytes = |_| arg(args[0].as_bits().map(|bits| Term::from(bits.len() / 8)));
    tuple_size(local, args).or_else(bytes)
}

fn tuple_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_tuple().map(|items| Term::from(items.len())))
}

fn map_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    args[0].as_map().map(|map| Term::from(map.len())).ok_or_else(|| bad_map(&args[0]))
}

fn byte_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_bits().map(|bits| Term::from(bits.len().div_ceil(8))))
}

fn bit_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_bits().map(|bits| Term::from(bits.len())))
}

fn self_(local: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::Pid(local.pid))
}

fn node(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match args.first() {
        None | Some(Term::Pid(_)) => Ok(a!("nonode@nohost")),
        Some(term) if term.as_reference().is_some() => Ok(a!("nonode@nohost")),
        Some(_) => Err(Raise::badarg()),
    }
}
