//! Whether a match specification is one: its variables are bound by its head, its calls are those that Erlang knows there.
//! Erlang looks at this before it looks at any object, so a wrong specification is a `badarg` even of an empty table.
//! Not here: what a specification means (`super::match_spec`).

use super::match_spec::variable;
use crate::term::Term;

/// Why a guard or result cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Flaw {
    /// Erlang would not take it either.
    Wrong,
    /// Erlang has this function, and we do not.
    NotModelled(String),
}

/// The functions of guards and results with one to three arguments, beside those that tell types.
const CALLS: &[(&str, &[usize])] = &[
    ("is_record", &[2, 3]),
    ("is_function", &[2]),
    ("is_map_key", &[2]),
    ("map_get", &[2]),
    ("map_size", &[1]),
    ("abs", &[1]),
    ("element", &[2]),
    ("hd", &[1]),
    ("tl", &[1]),
    ("length", &[1]),
    ("size", &[1]),
    ("tuple_size", &[1]),
    ("bit_size", &[1]),
    ("byte_size", &[1]),
    ("round", &[1]),
    ("trunc", &[1]),
    ("float", &[1]),
    ("not", &[1]),
    ("bnot", &[1]),
    ("xor", &[2]),
    ("+", &[1, 2]),
    ("-", &[1, 2]),
    ("*", &[2]),
    ("/", &[2]),
    ("div", &[2]),
    ("rem", &[2]),
    ("band", &[2]),
    ("bor", &[2]),
    ("bxor", &[2]),
    ("bsl", &[2]),
    ("bsr", &[2]),
    (">", &[2]),
    (">=", &[2]),
    ("<", &[2]),
    ("=<", &[2]),
    ("=:=", &[2]),
    ("==", &[2]),
    ("=/=", &[2]),
    ("/=", &[2]),
    ("max", &[2]),
    ("min", &[2]),
];

/// What Erlang knows there and we do not.
const NOT_MODELLED: &[(&str, usize)] =
    &[("self", 0), ("node", 0), ("node", 1), ("get_tcw", 0), ("binary_part", 3)];

/// A clause: what its head binds, and its guards and results.
pub(super) fn check(head: &Term, expressions: &[Term]) -> Result<(), Flaw> {
    let mut bound = Vec::new();
    variables(head, &mut bound);
    expressions.iter().try_for_each(|expression| check_expression(expression, &bound))
}

fn variables(pattern: &Term, bound: &mut Vec<u32>) {
    match pattern {
        Term::Atom(_) => bound.extend(variable(pattern)),
        Term::Tuple(tuple) => tuple.items().iter().for_each(|item| variables(item, bound)),
        Term::Cons(_) => {
            let mut cells = pattern.cells();
            cells.by_ref().for_each(|item| variables(item, bound));
            variables(cells.rest(), bound);
        }
        Term::Map(map) => map.entries().iter().for_each(|(_, value)| variables(value, bound)),
        _ => {}
    }
}

fn check_expression(expression: &Term, bound: &[u32]) -> Result<(), Flaw> {
    let all = |terms: &[Term]| terms.iter().try_for_each(|term| check_expression(term, bound));
    match expression {
        Term::Atom(_) => match variable(expression) {
            Some(n) if !bound.contains(&n) => Err(Flaw::Wrong),
            _ => Ok(()),
        },
        Term::Cons(_) => {
            let mut cells = expression.cells();
            cells.by_ref().try_for_each(|term| check_expression(term, bound))?;
            check_expression(cells.rest(), bound)
        }
        Term::Map(map) => map.entries().iter().try_for_each(|(key, value)| {
            check_expression(key, bound)?;
            check_expression(value, bound)
        }),
        Term::Tuple(tuple) => match tuple.items() {
            [Term::Tuple(inner)] => all(inner.items()),
            [Term::Atom(name), _] if name.text() == "const" => Ok(()),
            [Term::Atom(name), arguments @ ..] => {
                check_call(name.text(), arguments.len())?;
                all(arguments)
            }
            _ => Err(Flaw::Wrong),
        },
        _ => Ok(()),
    }
}

fn check_call(name: &str, n: usize) -> Result<(), Flaw> {
    if matches!(name, "and" | "or" | "andalso" | "orelse") {
        return if n > 0 { Ok(()) } else { Err(Flaw::Wrong) };
    }
    let tells_type =
        crate::program::code::TypeTest::ALL.iter().any(|(own, _)| *own == name) && n == 1;
    if tells_type || CALLS.iter().any(|(own, arities)| *own == name && arities.contains(&n)) {
        return Ok(());
    }
    match NOT_MODELLED.contains(&(name, n)) {
        true => Err(Flaw::NotModelled(format!("{name}/{n} in a match specification"))),
        false => Err(Flaw::Wrong),
    }
}
