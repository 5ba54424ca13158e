//! The order of terms: number < atom < reference < fun < port < pid < tuple < map < [] < list < bit string.
//! Two orders: the arithmetic one, in which 1 and 1.0 are equal (`==`, `<`, sorting), and the exact one, which is total
//! on distinct terms and puts every integer before every float (keys of maps).

use super::{FunKind, Term, number};
use foresee_stdx::halt;
use std::cmp::Ordering;
use std::sync::Arc;

/// Erlang's `<`, `==`, `>`.
pub fn compare(a: &Term, b: &Term) -> Ordering {
    compare_with(a, b, false)
}

/// The order of keys in maps; `Equal` exactly when `a =:= b`.
pub fn compare_exact(a: &Term, b: &Term) -> Ordering {
    compare_with(a, b, true)
}

/// Erlang's `==`.
pub fn equal(a: &Term, b: &Term) -> bool {
    compare(a, b) == Ordering::Equal
}

/// Erlang's `=:=` as of OTP 25, where 0.0 and -0.0 are the same. Terms of a state are told apart by them all the same:
/// they print differently.
pub fn exactly_equal(a: &Term, b: &Term) -> bool {
    a == b || equal_but_for_zeros(a, b)
}

fn equal_but_for_zeros(mut a: &Term, mut b: &Term) -> bool {
    halt::pace();
    while let (Term::Cons(x), Term::Cons(y)) = (a, b) {
        if !exactly_equal(&x.head, &y.head) {
            return false;
        }
        (a, b) = (&x.tail, &y.tail);
    }
    match (a, b) {
        (Term::Float(x), Term::Float(y)) => x == y,
        (Term::Tuple(x), Term::Tuple(y)) if x.items().len() == y.items().len() => {
            x.items().iter().zip(y.items()).all(|(x, y)| exactly_equal(x, y))
        }
        (Term::Nil, Term::Nil) => true,
        _ => false,
    }
}

fn compare_with(a: &Term, b: &Term, exact: bool) -> Ordering {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => x.cmp(y),
        (Term::Atom(x), Term::Atom(y)) => x.cmp(y),
        (Term::Nil, Term::Nil) => Ordering::Equal,
        (Term::Pid(x), Term::Pid(y)) => x.cmp(y),
        (Term::Ref(p, n), Term::Ref(q, m)) => p.cmp(q).then_with(|| n.cmp(m)),
        (Term::Cons(_), Term::Cons(_)) => compare_lists(a, b, exact),
        (Term::Tuple(x), Term::Tuple(y)) => {
            if Arc::ptr_eq(x, y) {
                return Ordering::Equal;
            }
            halt::pace();
            let (x, y) = (x.items(), y.items());
            x.len().cmp(&y.len()).then_with(|| compare_slices(x, y, exact))
        }
        (Term::Map(x), Term::Map(y)) => {
            let by_size = x.len().cmp(&y.len());
            let keys = || {
                let pairs = x.entries().iter().zip(y.entries());
                first_difference(pairs.map(|(a, b)| compare_with(&a.0, &b.0, true)))
            };
            let values = || {
                let pairs = x.entries().iter().zip(y.entries());
                first_difference(pairs.map(|(a, b)| compare_with(&a.1, &b.1, exact)))
            };
            by_size.then_with(keys).then_with(values)
        }
        (Term::Bits(x), Term::Bits(y)) => x.compare(y),
        (Term::Fun(x), Term::Fun(y)) => compare_funs(x, y, exact),
        (Term::Trace(x), Term::Trace(y)) if !Arc::ptr_eq(x, y) => Ordering::Equal,
        (Term::Trace(x), _) => compare_with(&x.to_term(), b, exact),
        (_, Term::Trace(y)) => compare_with(a, &y.to_term(), exact),
        _ => match (rank(a), rank(b)) {
            (0, 0) if exact => number::compare_exact(a, b),
            (0, 0) => number::compare(a, b),
            (x, y) => x.cmp(&y),
        },
    }
}

fn rank(term: &Term) -> u8 {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => 0,
        Term::Atom(_) => 1,
        Term::Ref(..) => 2,
        Term::Fun(_) => 3,
        Term::Pid(_) => 5,
        Term::Tuple(_) => 6,
        Term::Map(_) => 7,
        Term::Nil => 8,
        Term::Cons(_) | Term::Trace(_) => 9,
        Term::Bits(_) => 10,
    }
}

fn compare_lists(mut a: &Term, mut b: &Term, exact: bool) -> Ordering {
    halt::pace();
    while let (Term::Cons(x), Term::Cons(y)) = (a, b) {
        if Arc::ptr_eq(x, y) {
            return Ordering::Equal;
        }
        let heads = compare_with(&x.head, &y.head, exact);
        if heads != Ordering::Equal {
            return heads;
        }
        (a, b) = (&x.tail, &y.tail);
    }
    compare_with(a, b, exact)
}

fn compare_slices(a: &[Term], b: &[Term], exact: bool) -> Ordering {
    first_difference(a.iter().zip(b).map(|(x, y)| compare_with(x, y, exact)))
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
}

fn compare_funs(x: &super::Fun, y: &super::Fun, exact: bool) -> Ordering {
    match (&x.kind, &y.kind) {
        (
            FunKind::Closure { module: m, name: f, environment: e, .. },
            FunKind::Closure { module: n, name: g, environment: d, .. },
        ) => m
            .cmp(n)
            .then_with(|| f.cmp(g))
            .then_with(|| x.arity.cmp(&y.arity))
            .then_with(|| e.len().cmp(&d.len()))
            .then_with(|| compare_slices(e, d, exact)),
        (FunKind::Closure { .. }, FunKind::External { .. }) => Ordering::Less,
        (FunKind::External { .. }, FunKind::Closure { .. }) => Ordering::Greater,
        (FunKind::External { module: m, name: f }, FunKind::External { module: n, name: g }) => {
            m.cmp(n).then_with(|| f.cmp(g)).then_with(|| x.arity.cmp(&y.arity))
        }
    }
}
