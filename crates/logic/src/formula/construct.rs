//! What both parsers build and say in the same way.

use super::cursor::Parsing;
use super::pattern::Pattern;
use super::tree::{Action, ActionKind, Regular, RegularKind, State, StateKind};
use crate::{Diagnostic, Span, codes, without_blanks};

/// A pattern, or news of what is wrong with it.
pub(super) fn label_pattern(source: &str, span: Span) -> Parsing<Pattern> {
    Pattern::parse(&without_blanks(source)).map_err(|wrong| {
        let message = format!("the label pattern '{source}' is not well formed: {wrong}");
        let help =
            "`.` is any character, `*` repeats, `[…]` is a set, `\\` takes the next as it is";
        error(codes::LABEL_PATTERN, message, span, help)
    })
}

/// One or the other; of two actions, an action.
pub(super) fn either(left: Regular, right: Regular) -> Regular {
    let span = left.span.to(right.span);
    let kind = match (left.kind, right.kind) {
        (RegularKind::Action(a), RegularKind::Action(b)) => {
            let kind = ActionKind::Or(Box::new(a), Box::new(b));
            RegularKind::Action(Action { kind, span })
        }
        (a, b) => RegularKind::Choice(
            Box::new(Regular { kind: a, span: left.span }),
            Box::new(Regular { kind: b, span: right.span }),
        ),
    };
    Regular { kind, span }
}

/// One after the other.
pub(super) fn sequence(left: Regular, right: Regular) -> Regular {
    let span = left.span.to(right.span);
    let kind = RegularKind::Sequence(Box::new(left), Box::new(right));
    Regular { kind, span }
}

pub(super) fn single(kind: ActionKind, span: Span) -> Regular {
    Regular { kind: RegularKind::Action(Action { kind, span }), span }
}

/// Two actions with an operator between them, which is named if one of them is none.
pub(super) fn both_actions(
    kind: fn(Box<Action>, Box<Action>) -> ActionKind,
    operator: &str,
    left: Regular,
    right: Regular,
) -> Parsing<Regular> {
    let span = left.span.to(right.span);
    let (a, b) = (action(left, operator)?, action(right, operator)?);
    Ok(single(kind(Box::new(a), Box::new(b)), span))
}

/// What must be a single action.
pub(super) fn action(regular: Regular, operator: &str) -> Parsing<Action> {
    match regular.kind {
        RegularKind::Action(action) => Ok(action),
        _ => {
            let message = format!("{operator} applies to an action, and this is a sequence");
            let help = "negate actions one by one: `(not 'a')*`";
            Err(error(codes::NOT_AN_ACTION, message, regular.span, help))
        }
    }
}

pub(super) fn joined(
    kind: fn(Box<State>, Box<State>) -> StateKind,
    left: State,
    right: State,
) -> State {
    let span = left.span.to(right.span);
    State { kind: kind(Box::new(left), Box::new(right)), span }
}

pub(super) fn error(
    code: crate::Code,
    message: impl Into<String>,
    span: Span,
    help: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span, message).help(help))
}

pub(super) fn counted(n: usize) -> String {
    match n {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}
