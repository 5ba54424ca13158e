//! Sequences of actions in the paper's notation.

use super::Paper;
use crate::formula::construct::{action, both_actions, either, label_pattern, sequence, single};
use crate::formula::cursor::{Operators, Parsing};
use crate::formula::lexer::TokenKind;
use crate::formula::tree::{ActionKind, Regular, RegularKind};
use crate::{Diagnostic, Span, codes, without_blanks};

impl Paper<'_> {
    pub(super) fn regular(&mut self) -> Parsing<Regular> {
        self.cursor.nested()?;
        let all = self.chain("|", Self::sequence, |left, right| Ok(either(left, right)))?;
        self.cursor.nesting -= 1;
        Ok(all)
    }

    pub(super) fn sequence(&mut self) -> Parsing<Regular> {
        self.chain(".", Self::alternatives, |left, right| Ok(sequence(left, right)))
    }

    pub(super) fn alternatives(&mut self) -> Parsing<Regular> {
        let starts_negated = self.cursor.is_sign("!");
        let mut left = self.both()?;
        while self.cursor.is_sign("||") {
            let sign = self.cursor.span();
            self.cursor.at += 1;
            let is_negated = self.cursor.is_sign("!");
            let height = self.cursor.height;
            let right = self.both()?;
            self.cursor.taller(height)?;
            if starts_negated && !is_negated {
                let message = "the negation covers only what stands before this `or`";
                let help =
                    "write `not (a or b)` if neither may happen, or put `(not a)` in parentheses";
                self.warnings
                    .push(Diagnostic::warning(codes::NEGATION_OF_FIRST, sign, message).help(help));
            }
            left = either(left, right);
        }
        Ok(left)
    }

    pub(super) fn both(&mut self) -> Parsing<Regular> {
        let join = |left, right| both_actions(ActionKind::And, "`and`", left, right);
        self.chain("&&", Self::repetition, join)
    }

    pub(super) fn repetition(&mut self) -> Parsing<Regular> {
        let start = self.cursor.span();
        let mut inside = self.negation()?;
        loop {
            let kind: fn(Box<Regular>) -> RegularKind = if self.cursor.eat_sign("*") {
                RegularKind::Star
            } else if self.cursor.eat_sign("+") {
                RegularKind::Plus
            } else if self.cursor.eat_sign("?") {
                RegularKind::Optional
            } else {
                return Ok(inside);
            };
            let span = self.cursor.span_from(start);
            self.cursor.taller(0)?;
            inside = Regular { kind: kind(Box::new(inside)), span };
        }
    }

    pub(super) fn negation(&mut self) -> Parsing<Regular> {
        let start = self.cursor.span();
        if !self.cursor.eat_sign("!") {
            return self.regular_primary();
        }
        self.cursor.nested()?;
        let inside = action(self.negation()?, "a negation")?;
        self.cursor.nesting -= 1;
        self.cursor.taller(0)?;
        Ok(single(ActionKind::Not(Box::new(inside)), self.cursor.span_from(start)))
    }

    pub(super) fn regular_primary(&mut self) -> Parsing<Regular> {
        let span = self.cursor.span();
        self.cursor.leaf();
        let Some(token) = self.cursor.peek() else {
            return Err(self.cursor.expected("an action"));
        };
        let kind = match token {
            TokenKind::Sign("(") => {
                self.cursor.at += 1;
                let inside = self.regular()?;
                self.cursor.expect_sign(")", "to close the parenthesis")?;
                return Ok(inside);
            }
            TokenKind::Sign("-") => ActionKind::Any,
            TokenKind::Pattern(source) => ActionKind::Pattern(label_pattern(source, span)?),
            TokenKind::Text(text) => ActionKind::Text(without_blanks(text).into_owned()),
            TokenKind::Word(word) => match word.as_str() {
                "true" => ActionKind::Any,
                "false" => ActionKind::Nothing,
                "tau" => ActionKind::Tau,
                "nil" => {
                    self.cursor.at += 1;
                    return Ok(Regular { kind: RegularKind::Empty, span });
                }
                name => {
                    self.cursor.at += 1;
                    return self.named_regular(name, span);
                }
            },
            _ => return Err(self.cursor.expected("an action")),
        };
        self.cursor.at += 1;
        Ok(single(kind, span))
    }

    /// A parameter, a macro, or a label that is a plain word.
    pub(super) fn named_regular(&mut self, name: &str, span: Span) -> Parsing<Regular> {
        if let Some(closure) = self.parameter(name) {
            return self.closure(closure, Paper::regular);
        }
        let is_macro = self.macros.iter().any(|one| one.name == name);
        if is_macro || self.cursor.is_sign("(") {
            return self.expand(name, span, Paper::regular);
        }
        Ok(single(ActionKind::Text(name.to_owned()), span))
    }
}
