//! Sequences of actions and action formulas of `.mcf`.
//! `+` between two sequences is an alternative, `+` behind one is "at least once": it is the former if an action can begin
//! behind it.

use super::{Mcf, NOT_SUPPORTED};
use crate::formula::construct::{action, both_actions, either, label_pattern, sequence, single};
use crate::formula::cursor::{Operators, Parsing};
use crate::formula::lexer::TokenKind;
use crate::formula::tree::{Action, ActionKind, Quantifier, Regular, RegularKind, Term};
use crate::without_blanks;

impl Mcf<'_> {
    pub(super) fn regular(&mut self) -> Parsing<Regular> {
        self.cursor.nested()?;
        let all = self.chain("+", Self::sequence, |left, right| Ok(either(left, right)))?;
        self.cursor.nesting -= 1;
        Ok(all)
    }

    pub(super) fn sequence(&mut self) -> Parsing<Regular> {
        self.chain(".", Self::repetition, |left, right| Ok(sequence(left, right)))
    }

    pub(super) fn repetition(&mut self) -> Parsing<Regular> {
        let start = self.cursor.span();
        let mut inside = self.implied()?;
        loop {
            let kind: fn(Box<Regular>) -> RegularKind = if self.cursor.eat_sign("*") {
                RegularKind::Star
            } else if self.cursor.is_sign("+") && !self.begins_action(1) {
                self.cursor.at += 1;
                RegularKind::Plus
            } else {
                return Ok(inside);
            };
            self.cursor.taller(0)?;
            inside = Regular { kind: kind(Box::new(inside)), span: self.cursor.span_from(start) };
        }
    }

    /// Whether a token can begin an action, so that a `+` before it is an alternative.
    pub(super) fn begins_action(&self, ahead: usize) -> bool {
        match self.cursor.peek_at(ahead) {
            Some(TokenKind::Sign(sign)) => matches!(*sign, "(" | "!"),
            Some(_) => true,
            None => false,
        }
    }

    pub(super) fn implied(&mut self) -> Parsing<Regular> {
        let left = self.alternatives()?;
        if !self.cursor.eat_sign("=>") {
            return Ok(left);
        }
        let height = self.cursor.height;
        self.cursor.nested()?;
        let right = self.implied()?;
        self.cursor.nesting -= 1;
        self.cursor.taller(height)?;
        let span = left.span.to(right.span);
        let (a, b) = (action(left, "`=>`")?, action(right, "`=>`")?);
        let not = Action { span: a.span, kind: ActionKind::Not(Box::new(a)) };
        Ok(single(ActionKind::Or(Box::new(not), Box::new(b)), span))
    }

    pub(super) fn alternatives(&mut self) -> Parsing<Regular> {
        let join = |left, right| both_actions(ActionKind::Or, "`||`", left, right);
        self.chain("||", Self::both, join)
    }

    pub(super) fn both(&mut self) -> Parsing<Regular> {
        let join = |left, right| both_actions(ActionKind::And, "`&&`", left, right);
        self.chain("&&", Self::action_primary, join)
    }

    pub(super) fn action_primary(&mut self) -> Parsing<Regular> {
        let span = self.cursor.span();
        let Some(token) = self.cursor.peek() else {
            return Err(self.cursor.expected("an action"));
        };
        self.cursor.nested()?;
        self.cursor.leaf();
        let kind = match token {
            TokenKind::Sign("(") => {
                self.cursor.at += 1;
                let inside = self.regular()?;
                self.cursor.expect_sign(")", "to close the parenthesis")?;
                self.cursor.nesting -= 1;
                return Ok(inside);
            }
            TokenKind::Sign("!") => {
                self.cursor.at += 1;
                let inside = action(self.action_primary()?, "a negation")?;
                self.cursor.taller(0)?;
                ActionKind::Not(Box::new(inside))
            }
            TokenKind::Pattern(source) => {
                self.cursor.at += 1;
                ActionKind::Pattern(label_pattern(source, span)?)
            }
            TokenKind::Text(text) => {
                self.cursor.at += 1;
                ActionKind::Text(without_blanks(text).into_owned())
            }
            TokenKind::Word(word) => {
                if NOT_SUPPORTED.contains(&word.as_str()) {
                    return Err(self.not_supported(&format!("`{word}` is")));
                }
                match self.named_action(word)? {
                    Some(kind) => kind,
                    None => {
                        self.cursor.nesting -= 1;
                        return Ok(Regular { kind: RegularKind::Empty, span });
                    }
                }
            }
            _ => return Err(self.cursor.expected("an action")),
        };
        self.cursor.nesting -= 1;
        if self.cursor.is_sign("@") {
            return Err(self.not_supported("time (`@`) is"));
        }
        Ok(single(kind, self.cursor.span_from(span)))
    }

    /// What a word means as an action; `None` for `nil`.
    pub(super) fn named_action(&mut self, word: &str) -> Parsing<Option<ActionKind>> {
        self.cursor.at += 1;
        let quantifier = match word {
            "true" => return Ok(Some(ActionKind::Any)),
            "false" => return Ok(Some(ActionKind::Nothing)),
            "tau" => return Ok(Some(ActionKind::Tau)),
            "nil" => return Ok(None),
            "val" => return Ok(Some(ActionKind::Value(self.value_in_parentheses()?))),
            "forall" => Quantifier::All,
            "exists" => Quantifier::Some,
            name => {
                let mut terms = vec![Term { name: name.to_owned(), arguments: self.arguments()? }];
                while self.cursor.eat_sign("|") {
                    let name = self.cursor.expect_name("the name of an action")?;
                    terms.push(Term { name, arguments: self.arguments()? });
                }
                return Ok(Some(ActionKind::Terms(terms)));
            }
        };
        let variables = self.variables()?;
        let variables = self.with_domains(variables);
        let body = Box::new(action(self.implied()?, "a quantifier")?);
        self.cursor.taller(0)?;
        Ok(Some(ActionKind::Quantified { quantifier, variables, body }))
    }
}
