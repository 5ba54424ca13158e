//! The paper's notation: the regular alternation-free mu-calculus as CADP's evaluator writes it, and more.
//! ```text
//! formula  := formula (<=> => or and) formula | not formula | [ R ] formula | < R > formula
//!           | mu X . formula | nu X . formula | true | false | X | MACRO(…) | ( formula )
//! R        := R '|' R | R . R | R or R | R and R | not R | R* | R+ | R?
//!           | 'pattern' | "label" | - | true | false | tau | nil | name | MACRO(…) | ( R )
//! ```
//! From loosest to tightest: in formulas `<=>`, `=>`, or, and, then the prefixes; in sequences `|`, `.`, or, and, the
//! repetitions, not. A negation reaches only what stands directly behind it, so `not 'a'*` is any number of other actions.

use super::cursor::{Cursor, Parsing};
use super::lexer::TokenKind;
use super::macros::{Closure, Macro, Scope, collect};
use super::pattern::Pattern;
use super::tree::{Action, ActionKind, Regular, RegularKind, Sign, State, StateKind};
use crate::{Diagnostic, Span, codes};
use foresee_stdx::nearest_name;
use std::ops::Range;

/// Macros and parameters that are replaced by what they stand for, in one formula.
const EXPANSIONS_MAX: usize = 20_000;

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
            let error = Diagnostic::error(codes::SYNTAX, message).at(paper.cursor.span());
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

impl Paper<'_> {
    /// Reads a range of tokens to its end.
    fn within<T>(
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
    fn closure<T>(
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

    fn parameter(&self, name: &str) -> Option<Closure> {
        self.scope.iter().find(|(known, _)| known == name).map(|(_, closure)| closure.clone())
    }

    /// Reads the macro `name`, whose name was just read, with its arguments.
    fn expand<T>(
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
    fn arguments(&mut self) -> Parsing<Vec<Range<usize>>> {
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

    fn state(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let mut left = self.implication()?;
        while self.cursor.eat_sign("<=>") {
            let right = self.implication()?;
            left = joined(StateKind::Iff, left, right);
        }
        self.cursor.nesting -= 1;
        Ok(left)
    }

    fn implication(&mut self) -> Parsing<State> {
        let left = self.disjunction()?;
        if !self.cursor.eat_sign("=>") {
            return Ok(left);
        }
        self.cursor.nested()?;
        let right = self.implication()?;
        self.cursor.nesting -= 1;
        Ok(joined(StateKind::Implies, left, right))
    }

    fn disjunction(&mut self) -> Parsing<State> {
        let mut left = self.conjunction()?;
        while self.cursor.eat_sign("||") {
            let right = self.conjunction()?;
            left = joined(StateKind::Or, left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsing<State> {
        let mut left = self.prefix()?;
        while self.cursor.eat_sign("&&") {
            let right = self.prefix()?;
            left = joined(StateKind::And, left, right);
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let start = self.cursor.span();
        let kind = if self.cursor.eat_sign("!") {
            StateKind::Not(Box::new(self.prefix()?))
        } else if self.cursor.eat_sign("[") {
            let regular = self.regular()?;
            self.cursor.expect_sign("]", "after the actions")?;
            StateKind::Box(regular, Box::new(self.prefix()?))
        } else if self.cursor.eat_sign("<") {
            let regular = self.regular()?;
            self.cursor.expect_sign(">", "after the actions")?;
            StateKind::Diamond(regular, Box::new(self.prefix()?))
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
        Ok(StateKind::Fixpoint { sign, name, parameters: Vec::new(), body: Box::new(body?) })
    }

    fn state_primary(&mut self) -> Parsing<State> {
        let start = self.cursor.span();
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

    fn regular(&mut self) -> Parsing<Regular> {
        self.cursor.nested()?;
        let mut left = self.sequence()?;
        while self.cursor.eat_sign("|") {
            let right = self.sequence()?;
            left = either(left, right);
        }
        self.cursor.nesting -= 1;
        Ok(left)
    }

    fn sequence(&mut self) -> Parsing<Regular> {
        let mut left = self.alternatives()?;
        while self.cursor.eat_sign(".") {
            let right = self.alternatives()?;
            let span = left.span.to(right.span);
            let kind = RegularKind::Sequence(Box::new(left), Box::new(right));
            left = Regular { kind, span };
        }
        Ok(left)
    }

    fn alternatives(&mut self) -> Parsing<Regular> {
        let starts_negated = self.cursor.is_sign("!");
        let mut left = self.both()?;
        while self.cursor.is_sign("||") {
            let sign = self.cursor.span();
            self.cursor.at += 1;
            let is_negated = self.cursor.is_sign("!");
            let right = self.both()?;
            if starts_negated && !is_negated {
                let message = "the negation covers only what stands before this `or`";
                let help =
                    "write `not (a or b)` if neither may happen, or put `(not a)` in parentheses";
                self.warnings.push(
                    Diagnostic::warning(codes::NEGATION_OF_FIRST, message).at(sign).help(help),
                );
            }
            left = either(left, right);
        }
        Ok(left)
    }

    fn both(&mut self) -> Parsing<Regular> {
        let mut left = self.repetition()?;
        while self.cursor.eat_sign("&&") {
            let right = self.repetition()?;
            let span = left.span.to(right.span);
            let (a, b) = (action(left, "`and`")?, action(right, "`and`")?);
            let kind = ActionKind::And(Box::new(a), Box::new(b));
            left = Regular { kind: RegularKind::Action(Action { kind, span }), span };
        }
        Ok(left)
    }

    fn repetition(&mut self) -> Parsing<Regular> {
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
            inside = Regular { kind: kind(Box::new(inside)), span };
        }
    }

    fn negation(&mut self) -> Parsing<Regular> {
        let start = self.cursor.span();
        if !self.cursor.eat_sign("!") {
            return self.regular_primary();
        }
        self.cursor.nested()?;
        let inside = action(self.negation()?, "a negation")?;
        self.cursor.nesting -= 1;
        let span = self.cursor.span_from(start);
        let kind = RegularKind::Action(Action { kind: ActionKind::Not(Box::new(inside)), span });
        Ok(Regular { kind, span })
    }

    fn regular_primary(&mut self) -> Parsing<Regular> {
        let span = self.cursor.span();
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
            TokenKind::Text(text) => ActionKind::Text(text.clone()),
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
        Ok(Regular { kind: RegularKind::Action(Action { kind, span }), span })
    }

    /// A parameter, a macro, or a label that is a plain word.
    fn named_regular(&mut self, name: &str, span: Span) -> Parsing<Regular> {
        if let Some(closure) = self.parameter(name) {
            return self.closure(closure, Paper::regular);
        }
        let is_macro = self.macros.iter().any(|one| one.name == name);
        if is_macro || self.cursor.is_sign("(") {
            return self.expand(name, span, Paper::regular);
        }
        let kind = ActionKind::Text(name.to_owned());
        Ok(Regular { kind: RegularKind::Action(Action { kind, span }), span })
    }
}

/// A pattern, or news of what is wrong with it.
pub(super) fn label_pattern(source: &str, span: Span) -> Parsing<Pattern> {
    Pattern::parse(source).map_err(|wrong| {
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

fn joined(kind: fn(Box<State>, Box<State>) -> StateKind, left: State, right: State) -> State {
    let span = left.span.to(right.span);
    State { kind: kind(Box::new(left), Box::new(right)), span }
}

fn error(
    code: crate::Code,
    message: impl Into<String>,
    span: Span,
    help: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, message).at(span).help(help))
}

pub(super) fn counted(n: usize) -> String {
    match n {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}
