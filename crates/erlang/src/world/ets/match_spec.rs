//! Match specifications: patterns, guards and results written as terms.
//! `'$1'`, `'$2'`, … bind, `'_'` matches anything; in guards and results `'$_'` is the object, `'$$'` the list of
//! bindings, `{{…}}` a tuple, `{const, T}` the term itself, `{Function, Arguments…}` a call.

use super::spec_check::{Flaw, check};
use crate::machine::operate;
use crate::program::code::{Operation, TypeTest};
use crate::term::{Map, Term, number, order};
use std::cmp::Ordering;

/// One clause after another; the first that matches decides.
#[derive(Clone, Debug)]
pub(crate) struct MatchSpec {
    clauses: Vec<Clause>,
}

#[derive(Clone, Debug)]
struct Clause {
    head: Term,
    guards: Vec<Term>,
    body: Vec<Term>,
}

type Bindings = Vec<(u32, Term)>;

impl MatchSpec {
    /// Reads `[{Head, Guards, Body}]`.
    pub(crate) fn parse(spec: &Term) -> Result<MatchSpec, Flaw> {
        let clauses = spec.to_vec().ok_or(Flaw::Wrong)?;
        let clauses = clauses.iter().map(Clause::parse).collect::<Result<Vec<Clause>, Flaw>>()?;
        Ok(MatchSpec { clauses })
    }

    /// What `match` (all bindings) or `match_object` (the whole object) mean by a pattern.
    pub(crate) fn of_pattern(pattern: &Term, result: &Term) -> MatchSpec {
        let clause =
            Clause { head: pattern.clone(), guards: Vec::new(), body: vec![result.clone()] };
        MatchSpec { clauses: vec![clause] }
    }

    /// The result for an object, if it matches.
    pub(crate) fn run(&self, object: &Term) -> Option<Term> {
        self.clauses.iter().find_map(|clause| clause.run(object))
    }

    /// The key that every matching object must have, if the pattern says so.
    pub(crate) fn fixed_key(&self, key_position: usize) -> Option<Term> {
        let [clause] = &self.clauses[..] else { return None };
        let key = clause.head.as_tuple()?.get(key_position - 1)?;
        is_ground(key).then(|| key.clone())
    }
}

impl Clause {
    fn parse(clause: &Term) -> Result<Clause, Flaw> {
        let parts = || match clause.as_tuple()? {
            [head, guards, body] => Some(Clause {
                head: head.clone(),
                guards: guards.to_vec()?,
                body: body.to_vec().filter(|body| !body.is_empty())?,
            }),
            _ => None,
        };
        let clause = parts().ok_or(Flaw::Wrong)?;
        check(&clause.head, &clause.guards)?;
        check(&clause.head, &clause.body)?;
        Ok(clause)
    }

    fn run(&self, object: &Term) -> Option<Term> {
        let mut bindings = Bindings::new();
        if !matches(&self.head, object, &mut bindings) {
            return None;
        }
        bindings.sort_by_key(|(n, _)| *n);
        let scope = Scope { object, bindings: &bindings };
        let all_true = self
            .guards
            .iter()
            .all(|guard| scope.value(guard).is_some_and(|value| value.is_atom(atom!("true"))));
        if !all_true {
            return None;
        }
        let mut result = None;
        for expression in &self.body {
            result = Some(scope.value(expression).unwrap_or_else(|| a!("EXIT")));
        }
        result
    }
}

/// `'$7'` is 7.
pub(super) fn variable(term: &Term) -> Option<u32> {
    term.as_atom()?.text().strip_prefix('$')?.parse().ok()
}

fn is_ground(pattern: &Term) -> bool {
    match pattern {
        Term::Atom(atom) => atom.text() != "_" && variable(pattern).is_none(),
        Term::Tuple(tuple) => tuple.items().iter().all(is_ground),
        Term::Cons(cell) => is_ground(&cell.head) && is_ground(&cell.tail),
        Term::Map(map) => map.entries().iter().all(|(k, v)| is_ground(k) && is_ground(v)),
        _ => true,
    }
}

fn matches(pattern: &Term, term: &Term, bindings: &mut Bindings) -> bool {
    match (pattern, term) {
        (Term::Atom(atom), _) if atom.text() == "_" => true,
        (Term::Atom(_), _) if variable(pattern).is_some() => {
            let n = variable(pattern).expect("just checked");
            match bindings.iter().find(|(own, _)| *own == n) {
                Some((_, bound)) => bound == term,
                None => {
                    bindings.push((n, term.clone()));
                    true
                }
            }
        }
        (Term::Tuple(a), Term::Tuple(b)) => {
            a.items().len() == b.items().len()
                && a.items().iter().zip(b.items()).all(|(a, b)| matches(a, b, bindings))
        }
        (Term::Cons(a), Term::Cons(b)) => {
            matches(&a.head, &b.head, bindings) && matches(&a.tail, &b.tail, bindings)
        }
        (Term::Map(a), Term::Map(b)) => a.entries().iter().all(|(key, value)| {
            b.get(key).cloned().is_some_and(|found| matches(value, &found, bindings))
        }),
        _ => pattern == term,
    }
}

struct Scope<'s> {
    object: &'s Term,
    bindings: &'s [(u32, Term)],
}

impl Scope<'_> {
    fn value(&self, expression: &Term) -> Option<Term> {
        match expression {
            Term::Atom(atom) => match atom.text() {
                "$_" => Some(self.object.clone()),
                "$$" => {
                    Some(Term::list(self.bindings.iter().map(|b| b.1.clone()).collect::<Vec<_>>()))
                }
                _ => match variable(expression) {
                    Some(n) => self.bindings.iter().find(|(own, _)| *own == n).map(|b| b.1.clone()),
                    None => Some(expression.clone()),
                },
            },
            Term::Cons(_) => {
                let mut cells = expression.cells();
                let heads: Option<Vec<Term>> = cells.by_ref().map(|t| self.value(t)).collect();
                Some(Term::list_with_tail(heads?, self.value(cells.rest())?))
            }
            Term::Map(map) => {
                let pairs: Option<Vec<_>> = map
                    .entries()
                    .iter()
                    .map(|(k, v)| Some((self.value(k)?, self.value(v)?)))
                    .collect();
                Some(Term::map(Map::from_pairs(pairs?)))
            }
            Term::Tuple(tuple) => match tuple.items() {
                [Term::Tuple(inner)] => Some(Term::tuple_of(
                    inner.items().iter().map(|t| self.value(t)).collect::<Option<_>>()?,
                )),
                [Term::Atom(name), constant] if name.text() == "const" => Some(constant.clone()),
                [Term::Atom(name), arguments @ ..] => self.call(name.text(), arguments),
                _ => None,
            },
            _ => Some(expression.clone()),
        }
    }

    fn call(&self, name: &str, arguments: &[Term]) -> Option<Term> {
        match name {
            "andalso" | "and" => return self.all(arguments),
            "orelse" | "or" => return self.any(arguments),
            _ => {}
        }
        let values: Vec<Term> =
            arguments.iter().map(|t| self.value(t)).collect::<Option<Vec<Term>>>()?;
        if let ([value], Some((_, test))) =
            (&values[..], TypeTest::ALL.iter().find(|(text, _)| *text == name))
        {
            return Some(Term::bool(test.holds(value)));
        }
        match (&values[..], name) {
            ([a, b], _) if comparison(name, a, b).is_some() => {
                comparison(name, a, b).map(Term::bool)
            }
            ([a, b], _) => match operation(name) {
                Some(op) => operate(op, a, b),
                None => two(name, a, b),
            },
            ([a], _) => one(name, a),
            ([a, tag, size], "is_record") => {
                let is_it = |items: &[Term]| {
                    items.first() == Some(tag) && size.as_usize() == Some(items.len())
                };
                Some(Term::bool(a.as_tuple().is_some_and(is_it)))
            }
            _ => None,
        }
    }

    fn all(&self, arguments: &[Term]) -> Option<Term> {
        for argument in arguments {
            if !self.value(argument)?.as_bool()? {
                return Some(Term::bool(false));
            }
        }
        Some(Term::bool(true))
    }

    fn any(&self, arguments: &[Term]) -> Option<Term> {
        for argument in arguments {
            if self.value(argument)?.as_bool()? {
                return Some(Term::bool(true));
            }
        }
        Some(Term::bool(false))
    }
}

fn comparison(name: &str, a: &Term, b: &Term) -> Option<bool> {
    let ordering = || order::compare(a, b);
    Some(match name {
        "=:=" => a == b,
        "=/=" => a != b,
        "==" => ordering() == Ordering::Equal,
        "/=" => ordering() != Ordering::Equal,
        "<" => ordering() == Ordering::Less,
        "=<" => ordering() != Ordering::Greater,
        ">" => ordering() == Ordering::Greater,
        ">=" => ordering() != Ordering::Less,
        _ => return None,
    })
}

fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "+" => Operation::Add,
        "-" => Operation::Subtract,
        "*" => Operation::Multiply,
        "/" => Operation::Divide,
        "div" => Operation::Quotient,
        "rem" => Operation::Remainder,
        "band" => Operation::BitAnd,
        "bor" => Operation::BitOr,
        "bxor" => Operation::BitXor,
        "bsl" => Operation::ShiftLeft,
        "bsr" => Operation::ShiftRight,
        "xor" => Operation::Xor,
        _ => return None,
    })
}

fn one(name: &str, a: &Term) -> Option<Term> {
    match name {
        "not" => operate(Operation::Not, a, a),
        "-" => operate(Operation::Negate, a, a),
        "bnot" => operate(Operation::BitNot, a, a),
        "abs" => number::absolute(a),
        "hd" => a.cells().next().cloned(),
        "tl" => match a {
            Term::Cons(cell) => Some(cell.tail.clone()),
            _ => None,
        },
        "length" => a.to_vec().map(|items| Term::from(items.len())),
        "size" if a.as_tuple().is_none() => one("byte_size", a),
        "tuple_size" | "size" => a.as_tuple().map(|items| Term::from(items.len())),
        "bit_size" => a.as_bits().map(|bits| Term::from(bits.len())),
        "byte_size" => a.as_bits().map(|bits| Term::from(bits.len().div_ceil(8))),
        "float" => number::to_float(a).and_then(number::float),
        "map_size" => a.as_map().map(|map| Term::from(map.len())),
        "round" => number::to_integer(a, f64::round),
        "trunc" => number::to_integer(a, f64::trunc),
        _ => None,
    }
}

fn two(name: &str, a: &Term, b: &Term) -> Option<Term> {
    match name {
        "element" => b.as_tuple()?.get(a.as_usize()?.checked_sub(1)?).cloned(),
        "map_get" => b.as_map()?.get(a).cloned(),
        "is_function" => match a {
            Term::Fun(fun) => Some(Term::bool(b.as_usize()? == fun.arity as usize)),
            _ => Some(Term::bool(false)),
        },
        "is_map_key" => Some(Term::bool(b.as_map()?.contains(a))),
        "is_record" => Some(Term::bool(a.as_tuple().is_some_and(|items| items.first() == Some(b)))),
        "max" => Some(if order::compare(a, b) == Ordering::Less { b } else { a }.clone()),
        "min" => Some(if order::compare(a, b) == Ordering::Greater { b } else { a }.clone()),
        _ => None,
    }
}
