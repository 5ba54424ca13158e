//! How large a formula becomes when it is brought into its core: `<=>` needs both sides twice, `R+` its sequence twice, a
//! quantifier its inside once for each combination of values.
//! Why: nested, they multiply at each level, so a short text can stand for more than any memory holds. It is measured before
//! it is built.

use super::tree::{Action, ActionKind, Regular, RegularKind, State, StateKind, Variable};
use crate::{Diagnostic, codes};

/// Parts of a core; far more than any formula that was meant.
const WEIGHT_MAX: u64 = 1_000_000;
/// Combinations of values that quantifiers may go through at one place.
const COMBINATIONS_MAX: u64 = 10_000_000;
/// How many values a variable of a sort without known values has: those on a label, and one that is not there.
const VALUES_OF_A_LABEL: u64 = 4;

/// News if the formula is too large to be solved.
pub(super) fn too_heavy(formula: &State) -> Option<Diagnostic> {
    let message = "the formula becomes too large when `<=>` and repetitions are written out";
    let help = "`a <=> b` is written out as `(a and b) or (not a and not b)`, `R+` as `R . R*`: nest them less";
    (state(formula) > WEIGHT_MAX)
        .then(|| Diagnostic::error(codes::SYNTAX, formula.span, message).help(help))
        .or_else(|| too_many_combinations(formula))
}

fn too_many_combinations(formula: &State) -> Option<Diagnostic> {
    let mut most = 0;
    combinations(formula, &mut most);
    let message = format!(
        "`forall` and `exists` go through more than {COMBINATIONS_MAX} combinations of values at once"
    );
    let help = "quantify over fewer variables, or put an action between: `forall a: S . [ask(a)] forall b: S . …`";
    (most > COMBINATIONS_MAX)
        .then(|| Diagnostic::error(codes::SYNTAX, formula.span, message).help(help))
}

/// The combinations that are gone through where this formula stands; `most` is the largest number at any place inside. A modality
/// begins a new place: what is behind it is looked at once for each set of values that matters there.
fn combinations(formula: &State, most: &mut u64) -> u64 {
    let here = match &formula.kind {
        StateKind::True | StateKind::False | StateKind::Value(_) | StateKind::Variable { .. } => 1,
        StateKind::Not(inside) | StateKind::Fixpoint { body: inside, .. } => {
            combinations(inside, most)
        }
        StateKind::Quantified { variables, body, .. } => {
            of_variables(variables).saturating_mul(combinations(body, most))
        }
        StateKind::And(left, right)
        | StateKind::Or(left, right)
        | StateKind::Implies(left, right)
        | StateKind::Iff(left, right) => {
            combinations(left, most).saturating_add(combinations(right, most))
        }
        StateKind::Box(actions, inside) | StateKind::Diamond(actions, inside) => {
            of_regular(actions, most);
            combinations(inside, most);
            1
        }
    };
    *most = here.max(*most);
    here
}

fn of_regular(actions: &Regular, most: &mut u64) {
    match &actions.kind {
        RegularKind::Action(action) => *most = of_action(action).max(*most),
        RegularKind::Empty => {}
        RegularKind::Sequence(a, b) | RegularKind::Choice(a, b) => {
            of_regular(a, most);
            of_regular(b, most);
        }
        RegularKind::Star(a) | RegularKind::Optional(a) | RegularKind::Plus(a) => {
            of_regular(a, most);
        }
    }
}

fn of_action(action: &Action) -> u64 {
    match &action.kind {
        ActionKind::Not(inside) => of_action(inside),
        ActionKind::And(left, right) | ActionKind::Or(left, right) => {
            of_action(left).saturating_add(of_action(right))
        }
        ActionKind::Quantified { variables, body, .. } => {
            of_variables(variables).saturating_mul(of_action(body))
        }
        _ => 1,
    }
}

fn of_variables(variables: &[Variable]) -> u64 {
    let values =
        |one: &Variable| one.domain.as_ref().map_or(VALUES_OF_A_LABEL, |it| it.len() as u64);
    variables.iter().map(values).fold(1, u64::saturating_mul)
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
