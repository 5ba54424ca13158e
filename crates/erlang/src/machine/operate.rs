//! Operators: comparisons, arithmetic, logic and lists.
//! Not here: what an operator that fails raises (`run`).

use crate::program::code::{Comparison, Operation};
use crate::term::{Term, number, order};
use foresee_stdx::halt;
use std::cmp::Ordering;

#[inline]
pub(super) fn holds(op: Comparison, left: &Term, right: &Term) -> bool {
    if let (Term::Int(a), Term::Int(b)) = (left, right) {
        return match op {
            Comparison::Equal | Comparison::ExactEqual => a == b,
            Comparison::NotEqual | Comparison::ExactNotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        };
    }
    match op {
        Comparison::ExactEqual => order::exactly_equal(left, right),
        Comparison::ExactNotEqual => !order::exactly_equal(left, right),
        Comparison::Equal => order::equal(left, right),
        Comparison::NotEqual => !order::equal(left, right),
        Comparison::Less => order::compare(left, right) == Ordering::Less,
        Comparison::LessEqual => order::compare(left, right) != Ordering::Greater,
        Comparison::Greater => order::compare(left, right) == Ordering::Greater,
        Comparison::GreaterEqual => order::compare(left, right) != Ordering::Less,
    }
}

/// The value of an operator, or `None` for an error.
#[inline]
pub(crate) fn operate(op: Operation, left: &Term, right: &Term) -> Option<Term> {
    let both = || Some((left.as_bool()?, right.as_bool()?));
    match op {
        Operation::Add => number::add(left, right),
        Operation::Subtract => number::subtract(left, right),
        Operation::Multiply => number::multiply(left, right),
        Operation::Divide => number::divide(left, right),
        Operation::Quotient => number::quotient(left, right),
        Operation::Remainder => number::remainder(left, right),
        Operation::And => both().map(|(a, b)| Term::bool(a && b)),
        Operation::Or => both().map(|(a, b)| Term::bool(a || b)),
        Operation::Xor => both().map(|(a, b)| Term::bool(a != b)),
        Operation::BitAnd => number::bit_and(left, right),
        Operation::BitOr => number::bit_or(left, right),
        Operation::BitXor => number::bit_xor(left, right),
        Operation::ShiftLeft => number::shift_left(left, right),
        Operation::ShiftRight => number::shift_right(left, right),
        Operation::Append => append(left, right),
        Operation::ListSubtract => subtract(left, right),
        Operation::Negate => number::negate(left).filter(|_| number::is_number(left)),
        Operation::Plus => number::is_number(left).then(|| left.clone()),
        Operation::BitNot => number::bit_not(left),
        Operation::Not => left.as_bool().map(|value| Term::bool(!value)),
    }
}

fn append(left: &Term, right: &Term) -> Option<Term> {
    if matches!(left, Term::Nil) {
        return Some(right.clone());
    }
    Some(Term::list_with_tail(left.to_vec()?, right.clone()))
}

/// Removes the first occurrence of each element of `right`.
fn subtract(left: &Term, right: &Term) -> Option<Term> {
    let mut removed = right.to_vec()?;
    let mut kept = left.to_vec()?;
    // Twice as long takes four times the time.
    let is_long = removed.len() > 1 << 10;
    kept.retain(|item| {
        if is_long {
            halt::look();
        }
        match removed.iter().position(|other| other == item) {
            Some(at) => {
                removed.swap_remove(at);
                false
            }
            None => true,
        }
    });
    Some(Term::list(kept))
}
