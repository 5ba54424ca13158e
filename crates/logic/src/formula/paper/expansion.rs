//! Macros where they are used: the tokens of a definition are read in the place of the use.

use super::Paper;
use crate::formula::construct::{counted, error};
use crate::formula::cursor::Parsing;
use crate::formula::lexer::TokenKind;
use crate::formula::macros::{Closure, Macro, Scope};
use crate::{Span, codes};
use foresee_stdx::nearest_name;
use std::ops::Range;

/// Macros and parameters that are replaced by what they stand for, in one formula.
const EXPANSIONS_MAX: usize = 20_000;

impl Paper<'_> {
    /// Reads a range of tokens to its end.
    pub(super) fn within<T>(
        &mut self,
        range: Range<usize>,
        read: impl FnOnce(&mut Self) -> Parsing<T>,
    ) -> Parsing<T> {
        let saved = (self.cursor.at, self.cursor.end);
        (self.cursor.at, self.cursor.end) = (range.start, range.end);
        let result = read(self);
        let is_read = self.cursor.at >= self.cursor.end;
        let result = match (result, is_read) {
            (Ok(_), false) => Err(self.cursor.expected("an operator, or the end")),
            (result, _) => result,
        };
        (self.cursor.at, self.cursor.end) = saved;
        result
    }

    /// Reads what a parameter stands for.
    pub(super) fn closure<T>(
        &mut self,
        closure: Closure,
        read: impl FnOnce(&mut Self) -> Parsing<T>,
    ) -> Parsing<T> {
        self.cursor.nested()?;
        self.n_expansions += 1;
        if self.n_expansions > EXPANSIONS_MAX {
            let message = "the macros make the formula too large";
            let help = "macros that use each other twice and more grow very quickly";
            return Err(error(codes::SYNTAX, message, self.cursor.span(), help));
        }
        let scope = std::mem::replace(&mut self.scope, closure.scope);
        let expanding = std::mem::replace(&mut self.expanding, closure.expanding);
        let result = self.within(closure.range, read);
        (self.scope, self.expanding) = (scope, expanding);
        self.cursor.nesting -= 1;
        result
    }

    pub(super) fn parameter(&self, name: &str) -> Option<Closure> {
        self.scope.iter().find(|(known, _)| known == name).map(|(_, closure)| closure.clone())
    }

    /// Reads the macro `name`, whose name was just read, with its arguments.
    pub(super) fn expand<T>(
        &mut self,
        name: &str,
        name_span: Span,
        read: impl FnOnce(&mut Self) -> Parsing<T>,
    ) -> Parsing<T> {
        let arguments = self.arguments()?;
        let Some(index) = self.macros.iter().position(|one| one.name == name) else {
            let names: Vec<&str> = self.macros.iter().map(|one| one.name.as_str()).collect();
            let help = match nearest_name(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("define `{name}(…) = …`; a label stands in quotes: '{name}(.*)'"),
            };
            let message = format!("there is no macro `{name}`");
            return Err(error(codes::UNBOUND_MACRO, message, name_span, help));
        };
        let Macro { parameters, body, .. } = self.macros[index].clone();
        if parameters.len() != arguments.len() {
            let message = format!(
                "the macro `{name}` takes {} and is given {}",
                counted(parameters.len()),
                arguments.len()
            );
            let help = format!("it is defined as `{name}({})`", parameters.join(", "));
            return Err(error(codes::ARGUMENTS, message, name_span, help));
        }
        if self.expanding.contains(&index) {
            let message = format!("the macro `{name}` uses itself");
            let help = "repeat with `*`, or with `mu X . …` or `nu X . …`";
            return Err(error(codes::RECURSIVE_MACRO, message, name_span, help));
        }
        let closures = arguments.into_iter().map(|range| Closure {
            range,
            scope: self.scope.clone(),
            expanding: self.expanding.clone(),
        });
        let scope = Scope::new(parameters.into_iter().zip(closures).collect());
        let mut expanding = self.expanding.clone();
        expanding.push(index);
        self.closure(Closure { range: body, scope, expanding }, read)
    }

    /// The ranges of the arguments in parentheses, if there are any.
    pub(super) fn arguments(&mut self) -> Parsing<Vec<Range<usize>>> {
        let mut arguments = Vec::new();
        if !self.cursor.eat_sign("(") {
            return Ok(arguments);
        }
        if self.cursor.eat_sign(")") {
            return Ok(arguments);
        }
        let (mut depth, mut start) = (0, self.cursor.at);
        loop {
            let sign = match self.cursor.peek() {
                None => return Err(self.cursor.expected("`)` after the arguments")),
                Some(TokenKind::Sign(sign)) => *sign,
                Some(_) => "",
            };
            match sign {
                "(" | "[" => depth += 1,
                ")" if depth == 0 => {
                    arguments.push(start..self.cursor.at);
                    self.cursor.at += 1;
                    return Ok(arguments);
                }
                ")" | "]" => depth -= 1,
                "," if depth == 0 => {
                    arguments.push(start..self.cursor.at);
                    start = self.cursor.at + 1;
                }
                _ => {}
            }
            self.cursor.at += 1;
        }
    }
}
