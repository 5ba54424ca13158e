//! The order of terms: number < atom < reference < fun < port < pid < tuple < map < [] < list < bit string.
//! Two orders: the arithmetic one, in which 1 and 1.0 are equal (`==`, `<`, sorting), and the exact one, which is total
//! on distinct terms and puts every integer before every float (keys of maps).

use super::{FunKind, Term, deep, number};
use foresee_stdx::halt;
use smallvec::SmallVec;
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

fn equal_but_for_zeros(a: &Term, b: &Term) -> bool {
    let mut left = SmallVec::<[(&Term, &Term); 16]>::new();
    left.push((a, b));
    while let Some((a, b)) = left.pop() {
        halt::pace();
        match (a, b) {
            (Term::Cons(x), Term::Cons(y)) => {
                left.extend([(&x.tail, &y.tail), (&x.head, &y.head)]);
            }
            (Term::Float(x), Term::Float(y)) if x == y => {}
            (Term::Tuple(x), Term::Tuple(y)) if x.items().len() == y.items().len() => {
                left.extend(x.items().iter().zip(y.items()).rev());
            }
            _ if a == b => {}
            _ => return false,
        }
    }
    true
}

fn compare_with(a: &Term, b: &Term, exact: bool) -> Ordering {
    compare_at(a, b, exact, 0)
}

/// The order of terms that stand so many levels inside others.
fn compare_at(a: &Term, b: &Term, exact: bool, level: usize) -> Ordering {
    if level > deep::LEVELS_MAX {
        return deep::compare(a, b, exact);
    }
    let below = level + 1;
    match (a, b) {
        (Term::Cons(_), Term::Cons(_)) => compare_lists(a, b, exact, below),
        (Term::Tuple(x), Term::Tuple(y)) => {
            if Arc::ptr_eq(x, y) {
                return Ordering::Equal;
            }
            halt::pace();
            let (x, y) = (x.items(), y.items());
            x.len().cmp(&y.len()).then_with(|| compare_slices(x, y, exact, below))
        }
        (Term::Map(x), Term::Map(y)) => {
            let by_size = x.len().cmp(&y.len());
            let keys = || {
                let pairs = x.entries().iter().zip(y.entries());
                first_difference(pairs.map(|(a, b)| compare_at(&a.0, &b.0, true, below)))
            };
            let values = || {
                let pairs = x.entries().iter().zip(y.entries());
                first_difference(pairs.map(|(a, b)| compare_at(&a.1, &b.1, exact, below)))
            };
            by_size.then_with(keys).then_with(values)
        }
        (Term::Fun(x), Term::Fun(y)) => compare_code(x, y).then_with(|| {
            let (own, other) = (x.environment(), y.environment());
            own.len().cmp(&other.len()).then_with(|| compare_slices(own, other, exact, below))
        }),
        _ => compare_flat(a, b, exact),
    }
}

/// The order of terms of which at most one has parts.
pub(super) fn compare_flat(a: &Term, b: &Term, exact: bool) -> Ordering {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => x.cmp(y),
        (Term::Atom(x), Term::Atom(y)) => x.cmp(y),
        (Term::Nil, Term::Nil) => Ordering::Equal,
        (Term::Pid(x), Term::Pid(y)) => x.cmp(y),
        (Term::Ref(p, n), Term::Ref(q, m)) => p.cmp(q).then_with(|| n.cmp(m)),
        (Term::Bits(x), Term::Bits(y)) => x.compare(y),
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

fn compare_lists(mut a: &Term, mut b: &Term, exact: bool, level: usize) -> Ordering {
    halt::pace();
    while let (Term::Cons(x), Term::Cons(y)) = (a, b) {
        if Arc::ptr_eq(x, y) {
            return Ordering::Equal;
        }
        let heads = compare_at(&x.head, &y.head, exact, level);
        if heads != Ordering::Equal {
            return heads;
        }
        (a, b) = (&x.tail, &y.tail);
    }
    compare_at(a, b, exact, level)
}

fn compare_slices(a: &[Term], b: &[Term], exact: bool, level: usize) -> Ordering {
    first_difference(a.iter().zip(b).map(|(x, y)| compare_at(x, y, exact, level)))
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
}

/// The order of funs, but for the values they have caught.
pub(super) fn compare_code(x: &super::Fun, y: &super::Fun) -> Ordering {
    let is_external = |fun: &super::Fun| matches!(fun.kind, FunKind::External { .. });
    is_external(x)
        .cmp(&is_external(y))
        .then_with(|| x.module().cmp(&y.module()))
        .then_with(|| x.name().cmp(&y.name()))
        .then_with(|| x.arity.cmp(&y.arity))
}
