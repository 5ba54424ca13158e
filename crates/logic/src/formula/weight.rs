//! How large a formula becomes when it is brought into its core: `<=>` needs both sides twice, `R+` its sequence twice.
//! Why: nested, they double at each level, so a short text can stand for more than any memory holds. It is measured before
//! it is built.

use super::tree::{Regular, RegularKind, State, StateKind};
use crate::{Diagnostic, codes};

/// Parts of a core; far more than any formula that was meant.
const WEIGHT_MAX: u64 = 1_000_000;

/// News if the formula is too large to be solved.
pub(super) fn too_heavy(formula: &State) -> Option<Diagnostic> {
    let message = "the formula becomes too large when `<=>` and repetitions are written out";
    let help = "`a <=> b` is written out as `(a and b) or (not a and not b)`, `R+` as `R . R*`: nest them less";
    (state(formula) > WEIGHT_MAX)
        .then(|| Diagnostic::error(codes::SYNTAX, formula.span, message).help(help))
}

fn state(formula: &State) -> u64 {
    match &formula.kind {
        StateKind::True | StateKind::False | StateKind::Value(_) | StateKind::Variable { .. } => 1,
        StateKind::Not(inside)
        | StateKind::Fixpoint { body: inside, .. }
        | StateKind::Quantified { body: inside, .. } => state(inside).saturating_add(1),
        StateKind::And(left, right)
        | StateKind::Or(left, right)
        | StateKind::Implies(left, right) => both(state(left), state(right)),
        StateKind::Iff(left, right) => twice(both(state(left), state(right))),
        StateKind::Box(actions, inside) | StateKind::Diamond(actions, inside) => {
            both(regular(actions), state(inside))
        }
    }
}

fn regular(actions: &Regular) -> u64 {
    match &actions.kind {
        RegularKind::Action(_) | RegularKind::Empty => 1,
        RegularKind::Sequence(a, b) | RegularKind::Choice(a, b) => both(regular(a), regular(b)),
        RegularKind::Star(a) | RegularKind::Optional(a) => regular(a).saturating_add(3),
        RegularKind::Plus(a) => twice(regular(a)).saturating_add(3),
    }
}

fn both(left: u64, right: u64) -> u64 {
    left.saturating_add(right).saturating_add(1)
}

fn twice(weight: u64) -> u64 {
    weight.saturating_mul(2)
}
