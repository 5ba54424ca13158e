//! Expressions whose value is known: literals and tuples, lists and maps of them.

use super::body::Body;
use crate::term::{Map, Term, number};
use foresee_erlang_syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Body<'_, '_> {
    /// The value of a literal.
    pub(super) fn constant_of(&self, expr: &Expr) -> Option<Term> {
        constant(expr)
    }
}

pub(crate) fn constant(expr: &Expr) -> Option<Term> {
    match &expr.kind {
        ExprKind::Atom(name) => Some(Term::atom(name)),
        ExprKind::Integer(integer) => Some(match integer.to_i64() {
            Some(n) => Term::Int(n),
            None => number::integer(integer.to_big()),
        }),
        ExprKind::Float(x) => Some(Term::Float(*x)),
        ExprKind::Char(c) => Some(Term::Int(*c as i64)),
        ExprKind::String(text) => Some(Term::string(text)),
        ExprKind::Tuple(items) => {
            Some(Term::tuple_of(items.iter().map(constant).collect::<Option<_>>()?))
        }
        ExprKind::List { elements, tail } => {
            let tail = match tail {
                Some(tail) => constant(tail)?,
                None => Term::Nil,
            };
            let items: Option<Vec<Term>> = elements.iter().map(constant).collect();
            Some(Term::list_with_tail(items?, tail))
        }
        ExprKind::Map { base: None, fields } if fields.iter().all(|field| !field.exact) => {
            let pairs: Option<Vec<_>> = fields
                .iter()
                .map(|field| Some((constant(&field.key)?, constant(&field.value)?)))
                .collect();
            Some(Term::map(Map::from_pairs(pairs?)))
        }
        ExprKind::Unary { op: UnaryOp::Minus, operand } => number::negate(&constant(operand)?),
        ExprKind::Unary { op: UnaryOp::Plus, operand } => {
            constant(operand).filter(number::is_number)
        }
        _ => None,
    }
}

/// As [`constant`], also for the arithmetic that patterns allow. A map in a pattern is not a constant: it matches more.
pub(super) fn constant_in_pattern(expr: &Expr) -> Option<Term> {
    let ExprKind::Binary2 { op, left, right, .. } = &expr.kind else {
        return if has_map(expr) { None } else { constant(expr) };
    };
    let (left, right) = (constant_in_pattern(left)?, constant_in_pattern(right)?);
    match op {
        BinaryOp::Add => number::add(&left, &right),
        BinaryOp::Sub => number::subtract(&left, &right),
        BinaryOp::Multiply => number::multiply(&left, &right),
        BinaryOp::Div => number::quotient(&left, &right),
        BinaryOp::Rem => number::remainder(&left, &right),
        BinaryOp::Bsl => number::shift_left(&left, &right),
        BinaryOp::Bsr => number::shift_right(&left, &right),
        BinaryOp::Bor => number::bit_or(&left, &right),
        BinaryOp::Band => number::bit_and(&left, &right),
        BinaryOp::Append => {
            let items = left.to_vec()?;
            Some(Term::list_with_tail(items, right))
        }
        _ => None,
    }
}

fn has_map(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Map { .. } => true,
        ExprKind::Tuple(items) => items.iter().any(has_map),
        ExprKind::List { elements, tail } => elements.iter().chain(tail.as_deref()).any(has_map),
        _ => false,
    }
}
