//! The paper's notation: the regular alternation-free mu-calculus as CADP's evaluator writes it, and more.
//! ```text
//! formula  := formula (<=> => or and) formula | not formula | [ R ] formula | < R > formula
//!           | mu X . formula | nu X . formula | true | false | X | MACRO(…) | ( formula )
//! R        := R '|' R | R . R | R or R | R and R | not R | R* | R+ | R?
//!           | 'pattern' | "label" | - | true | false | tau | nil | name | MACRO(…) | ( R )
//! ```
//! From loosest to tightest: in formulas `<=>`, `=>`, or, and, then the prefixes; in sequences `|`, `.`, or, and, the
//! repetitions, not. A negation reaches only what stands directly behind it, so `not 'a'*` is any number of other actions.

mod expansion;
mod regular;

use super::construct::joined;
use super::cursor::{Cursor, Operators, Parsing};
use super::lexer::TokenKind;
use super::macros::{Macro, Scope, collect};
use super::tree::{Sign, State, StateKind};
use crate::{Diagnostic, Span, codes};

pub(super) struct Paper<'a> {
    cursor: Cursor<'a>,
    macros: Vec<Macro>,
    scope: Scope,
    /// The macros being expanded, innermost last.
    expanding: Vec<usize>,
    /// Fixpoint variables around.
    bound: Vec<String>,
    n_expansions: usize,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Parses a whole text.
pub(super) fn parse(cursor: Cursor<'_>) -> (Parsing<State>, Vec<Diagnostic>) {
    let mut cursor = cursor;
    let (macros, formula) = collect(&mut cursor);
    let rest = (cursor.at < cursor.end)
        .then(|| cursor.expected("the end of the formula, or an operator before this,"));
    let (scope, expanding, bound) = (Scope::default(), Vec::new(), Vec::new());
    let mut paper =
        Paper { cursor, macros, scope, expanding, bound, n_expansions: 0, warnings: Vec::new() };
    let parsed = match (formula, rest) {
        (None, _) => {
            let message = "there is no formula";
            let error = Diagnostic::error(codes::SYNTAX, paper.cursor.span(), message);
            Err(Box::new(error.help("after the definitions of macros comes the formula itself")))
        }
        (Some(range), rest) => {
            let parsed = paper.within(range, Paper::state);
            match rest {
                Some(rest) => parsed.and(Err(rest)),
                None => parsed,
            }
        }
    };
    (parsed, paper.warnings)
}

impl<'a> Operators<'a> for Paper<'a> {
    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }
}

impl Paper<'_> {
    fn state(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let join = |left, right| Ok(joined(StateKind::Iff, left, right));
        let all = self.chain("<=>", Self::implication, join)?;
        self.cursor.nesting -= 1;
        Ok(all)
    }

    fn implication(&mut self) -> Parsing<State> {
        let left = self.disjunction()?;
        if !self.cursor.eat_sign("=>") {
            return Ok(left);
        }
        let height = self.cursor.height;
        self.cursor.nested()?;
        let right = self.implication()?;
        self.cursor.nesting -= 1;
        self.cursor.taller(height)?;
        Ok(joined(StateKind::Implies, left, right))
    }

    fn disjunction(&mut self) -> Parsing<State> {
        let join = |left, right| Ok(joined(StateKind::Or, left, right));
        self.chain("||", Self::conjunction, join)
    }

    fn conjunction(&mut self) -> Parsing<State> {
        let join = |left, right| Ok(joined(StateKind::And, left, right));
        self.chain("&&", Self::prefix, join)
    }

    fn prefix(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let start = self.cursor.span();
        let kind = if self.cursor.eat_sign("!") {
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(0)?;
            StateKind::Not(inside)
        } else if self.cursor.eat_sign("[") {
            let (regular, height) = (self.regular()?, self.cursor.height);
            self.cursor.expect_sign("]", "after the actions")?;
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(height)?;
            StateKind::Box(regular, inside)
        } else if self.cursor.eat_sign("<") {
            let (regular, height) = (self.regular()?, self.cursor.height);
            self.cursor.expect_sign(">", "after the actions")?;
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(height)?;
            StateKind::Diamond(regular, inside)
        } else if self.cursor.eat_word("mu") {
            self.fixpoint(Sign::Least)?
        } else if self.cursor.eat_word("nu") {
            self.fixpoint(Sign::Greatest)?
        } else {
            self.cursor.nesting -= 1;
            return self.state_primary();
        };
        self.cursor.nesting -= 1;
        Ok(State { kind, span: self.cursor.span_from(start) })
    }

    fn fixpoint(&mut self, sign: Sign) -> Parsing<StateKind> {
        let name = self.cursor.expect_name("the name of a variable")?;
        self.cursor.expect_sign(".", "after the variable")?;
        self.bound.push(name.clone());
        let body = self.state();
        self.bound.pop();
        let body = Box::new(body?);
        self.cursor.taller(0)?;
        Ok(StateKind::Fixpoint { sign, name, parameters: Vec::new(), body })
    }

    fn state_primary(&mut self) -> Parsing<State> {
        let start = self.cursor.span();
        self.cursor.leaf();
        let kind = match self.cursor.peek() {
            Some(TokenKind::Sign("(")) => {
                self.cursor.at += 1;
                let inside = self.state()?;
                self.cursor.expect_sign(")", "to close the parenthesis")?;
                return Ok(inside);
            }
            Some(TokenKind::Word(word)) => {
                self.cursor.at += 1;
                match word.as_str() {
                    "true" => StateKind::True,
                    "false" => StateKind::False,
                    name => return self.named_state(name, start),
                }
            }
            _ => return Err(self.cursor.expected("a formula")),
        };
        Ok(State { kind, span: start })
    }

    fn named_state(&mut self, name: &str, span: Span) -> Parsing<State> {
        if let Some(closure) = self.parameter(name) {
            return self.closure(closure, Paper::state);
        }
        let is_call = self.cursor.is_sign("(");
        let is_bound = self.bound.iter().any(|known| known == name);
        let is_macro = self.macros.iter().any(|one| one.name == name);
        if is_call || (is_macro && !is_bound) {
            return self.expand(name, span, Paper::state);
        }
        let kind = StateKind::Variable { name: name.to_owned(), arguments: Vec::new() };
        Ok(State { kind, span })
    }
}
