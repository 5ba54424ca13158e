//! Other spellings of the internal step: where the user says that `i` is the internal step, a formula's `i` is one too.
//! Why in the tree: labels have lost their spelling by the time they are matched, an internal step has none.

use super::tree::{Action, ActionKind};

/// Makes every part of an action formula that stands for one of these labels stand for the internal step (as well).
pub(super) fn respell(action: &mut Action, spellings: &[String]) {
    let is_spelling = |text: &str| spellings.iter().any(|one| one == text);
    match &mut action.kind {
        ActionKind::Text(text) if is_spelling(text) => action.kind = ActionKind::Tau,
        ActionKind::Terms(terms) => {
            let is_internal =
                matches!(&terms[..], [one] if one.arguments.is_empty() && is_spelling(&one.name));
            if is_internal {
                action.kind = ActionKind::Tau;
            }
        }
        ActionKind::Pattern(pattern) if spellings.iter().any(|one| pattern.matches(one)) => {
            let span = action.span;
            let own = Action { kind: ActionKind::Pattern(pattern.clone()), span };
            let tau = Action { kind: ActionKind::Tau, span };
            action.kind = ActionKind::Or(Box::new(own), Box::new(tau));
        }
        ActionKind::Not(inside) | ActionKind::Quantified { body: inside, .. } => {
            respell(inside, spellings);
        }
        ActionKind::And(left, right) | ActionKind::Or(left, right) => {
            respell(left, spellings);
            respell(right, spellings);
        }
        _ => {}
    }
}
