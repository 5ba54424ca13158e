//! Terms nested so deeply that a walk by recursion would not fit on the stack.
//! Why apart: ordinary terms are a few levels deep, and recursion is the quickest way through them. Walks that every program does
//! (freeing, comparing, looking for pids) count their levels and come here when there are too many; they then keep what is left
//! in a vector. Walks that few do (printing a whole term, external format, patterns of tables) ask [`is_deeper`] first.
//! Long lists are no matter: every walk goes along them in a loop.

use super::{Term, order};
use foresee_stdx::halt;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// Levels that a walk goes down by recursion.
pub(crate) const LEVELS_MAX: usize = 200;

/// Levels up to which a term is printed, put into external format, hashed for the program and the like.
pub(crate) const DONE_MAX: usize = 1000;

/// Terms to be freed.
pub(super) type Freed = SmallVec<[Term; 8]>;

pub(super) fn is_compound(term: &Term) -> bool {
    matches!(term, Term::Cons(_) | Term::Tuple(_) | Term::Map(_) | Term::Fun(_))
}

/// Frees terms and, in a loop, all that nobody else holds below them.
pub(super) fn free(mut left: Freed) {
    while let Some(term) = left.pop() {
        match term {
            Term::Cons(cell) => {
                if let Some(mut cell) = Arc::into_inner(cell) {
                    let parts = [&mut cell.head, &mut cell.tail];
                    left.extend(parts.into_iter().filter(|it| is_compound(it)).map(take));
                }
            }
            Term::Tuple(tuple) => {
                if let Some(mut tuple) = Arc::into_inner(tuple) {
                    left.extend(tuple.items.iter_mut().filter(|it| is_compound(it)).map(take));
                }
            }
            Term::Map(map) => {
                if let Some(mut map) = Arc::into_inner(map) {
                    map.give_up(&mut left);
                }
            }
            Term::Fun(fun) => {
                if let Some(mut fun) = Arc::into_inner(fun) {
                    fun.give_up(&mut left);
                }
            }
            _ => {}
        }
    }
}

pub(super) fn take(term: &mut Term) -> Term {
    std::mem::replace(term, Term::Nil)
}

/// Whether two terms are exactly equal.
pub(super) fn equal(a: &Term, b: &Term) -> bool {
    let mut left = vec![(a, b)];
    while let Some((a, b)) = left.pop() {
        halt::pace();
        match (a, b) {
            (Term::Cons(x), Term::Cons(y)) if Arc::ptr_eq(x, y) => {}
            (Term::Tuple(x), Term::Tuple(y)) if Arc::ptr_eq(x, y) => {}
            (Term::Map(x), Term::Map(y)) if Arc::ptr_eq(x, y) => {}
            (Term::Fun(x), Term::Fun(y)) if Arc::ptr_eq(x, y) => {}
            (Term::Cons(x), Term::Cons(y)) => {
                if x.hash != y.hash {
                    return false;
                }
                left.extend([(&x.tail, &y.tail), (&x.head, &y.head)]);
            }
            (Term::Tuple(x), Term::Tuple(y)) => {
                if x.hash != y.hash || x.items.len() != y.items.len() {
                    return false;
                }
                left.extend(x.items.iter().zip(&y.items));
            }
            (Term::Map(x), Term::Map(y)) => {
                if x.content_hash() != y.content_hash() || x.len() != y.len() {
                    return false;
                }
                for (own, other) in x.entries().iter().zip(y.entries()) {
                    left.extend([(&own.0, &other.0), (&own.1, &other.1)]);
                }
            }
            (Term::Fun(x), Term::Fun(y)) => {
                let (own, other) = (x.environment(), y.environment());
                if !x.is_same_code(y) || own.len() != other.len() {
                    return false;
                }
                left.extend(own.iter().zip(other));
            }
            _ if a != b => return false,
            _ => {}
        }
    }
    true
}

/// The order of two terms, as [`order::compare`] or [`order::compare_exact`].
pub(super) fn compare(a: &Term, b: &Term, exact: bool) -> Ordering {
    // What is compared first is on top.
    let mut left = vec![(a, b, exact)];
    while let Some((a, b, exact)) = left.pop() {
        halt::pace();
        let here = match (a, b) {
            (Term::Cons(x), Term::Cons(y)) => {
                if !Arc::ptr_eq(x, y) {
                    left.extend([(&x.tail, &y.tail, exact), (&x.head, &y.head, exact)]);
                }
                Ordering::Equal
            }
            (Term::Tuple(x), Term::Tuple(y)) => {
                let by_size = x.items.len().cmp(&y.items.len());
                if by_size == Ordering::Equal && !Arc::ptr_eq(x, y) {
                    let pairs = x.items.iter().zip(&y.items).rev();
                    left.extend(pairs.map(|(a, b)| (a, b, exact)));
                }
                by_size
            }
            (Term::Map(x), Term::Map(y)) => {
                let by_size = x.len().cmp(&y.len());
                if by_size == Ordering::Equal {
                    let pairs = || x.entries().iter().zip(y.entries()).rev();
                    left.extend(pairs().map(|(a, b)| (&a.1, &b.1, exact)));
                    left.extend(pairs().map(|(a, b)| (&a.0, &b.0, true)));
                }
                by_size
            }
            (Term::Fun(x), Term::Fun(y)) => {
                let (own, other) = (x.environment(), y.environment());
                let by_size = order::compare_code(x, y).then_with(|| own.len().cmp(&other.len()));
                if by_size == Ordering::Equal {
                    left.extend(own.iter().zip(other).rev().map(|(a, b)| (a, b, exact)));
                }
                by_size
            }
            _ => order::compare_flat(a, b, exact),
        };
        if here != Ordering::Equal {
            return here;
        }
    }
    Ordering::Equal
}

/// Calls `visit` on every pid and reference inside, in the order of [`Term::visit_identifiers`].
pub(super) fn visit_identifiers(term: &Term, visit: &mut dyn FnMut(&Term)) {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        halt::pace();
        match term {
            Term::Pid(_) | Term::Ref(..) => visit(term),
            _ => children_reversed(term, &mut left),
        }
    }
}

/// Whether a term has more than so many levels; along lists there are none.
pub(crate) fn is_deeper(term: &Term, levels_max: usize) -> bool {
    is_deeper_at(term, 0, levels_max)
}

fn is_deeper_at(term: &Term, level: usize, levels_max: usize) -> bool {
    if level > LEVELS_MAX.min(levels_max) {
        return is_deeper_by_list(term, level, levels_max);
    }
    halt::pace();
    let below = |term: &Term| is_compound(term) && is_deeper_at(term, level + 1, levels_max);
    match term {
        Term::Cons(_) => {
            let mut cells = term.cells();
            cells.by_ref().any(below) || below(cells.rest())
        }
        Term::Tuple(tuple) => tuple.items.iter().any(below),
        Term::Map(map) => map.entries().iter().any(|(k, v)| below(k) || below(v)),
        Term::Fun(fun) => fun.environment().iter().any(below),
        _ => false,
    }
}

fn is_deeper_by_list(term: &Term, level: usize, levels_max: usize) -> bool {
    let mut left = vec![(term, level)];
    let mut below = Vec::new();
    while let Some((term, level)) = left.pop() {
        halt::pace();
        if level > levels_max {
            return true;
        }
        if let Term::Cons(_) = term {
            let mut cells = term.cells();
            left.extend(cells.by_ref().filter(|it| is_compound(it)).map(|it| (it, level + 1)));
            left.extend(Some(cells.rest()).filter(|it| is_compound(it)).map(|it| (it, level + 1)));
            continue;
        }
        children_reversed(term, &mut below);
        left.extend(below.drain(..).filter(|it| is_compound(it)).map(|it| (it, level + 1)));
    }
    false
}

/// What a term directly holds, last first.
fn children_reversed<'t>(term: &'t Term, left: &mut Vec<&'t Term>) {
    match term {
        Term::Cons(cell) => left.extend([&cell.tail, &cell.head]),
        Term::Tuple(tuple) => left.extend(tuple.items.iter().rev()),
        Term::Map(map) => left.extend(map.entries().iter().rev().flat_map(|(k, v)| [v, k])),
        Term::Fun(fun) => left.extend(fun.environment().iter().rev()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Map;

    /// Each kind of nesting, a million deep; an innermost value tells them apart.
    fn nested(innermost: i64, kind: usize) -> Term {
        (0..1_000_000).fold(Term::Int(innermost), |term, _| match kind {
            0 => Term::tuple([term]),
            1 => Term::cons(term, Term::Nil),
            2 => Term::map(Map::from_pairs([(Term::Int(1), term)])),
            3 => Term::map(Map::from_pairs([(term, Term::Int(1))])),
            _ => Term::tuple([Term::list([Term::Int(1), term]), Term::Nil]),
        })
    }

    #[test]
    fn deep_terms_are_compared_and_freed_without_recursion() {
        for kind in 0..5 {
            let (one, same, more) = (nested(1, kind), nested(1, kind), nested(2, kind));
            assert!(one == same && one != more);
            assert_eq!(order::compare(&one, &more), Ordering::Less);
            assert_eq!(order::compare_exact(&one, &same), Ordering::Equal);
            assert!(order::exactly_equal(&one, &same) && !order::exactly_equal(&one, &more));
            one.visit_identifiers(&mut |_| panic!("there is none"));
            assert!(is_deeper(&one, 999_998) && !is_deeper(&one, 3_000_000));
        }
    }

    #[test]
    fn a_long_list_is_not_deep() {
        let list = Term::list((0..100_000).map(Term::Int));
        assert!(!is_deeper(&list, 2));
    }
}
