//! Bodies (expressions separated by `,`) and clauses (separated by `;`), with recovery between them.
//! Wrong or missing separators are the commonest slips in Erlang, so they are told apart here: a missing `,`, a
//! missing `;`, a `,` that should be `;`, a function that was not ended.

use super::{Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{Clause, Expr, ExprKind};
use foresee_text::Diagnostic;

impl Parser<'_> {
    /// At least one expression; what could not be read becomes `ExprKind::Error`.
    pub(super) fn body(&mut self) -> Vec<Expr> {
        self.nested(false, Self::body_inner)
    }

    fn body_inner(&mut self) -> Vec<Expr> {
        let base = self.open.len();
        let mut exprs: Vec<Expr> = Vec::new();
        let mut comma_at = None;
        loop {
            let start = self.span();
            match self.statement() {
                Ok(expr) => exprs.push(expr),
                Err(_) => {
                    self.skip_to_separator(base);
                    exprs.push(Expr { kind: ExprKind::Error, span: start });
                }
            }
            if self.is(Sym::Comma) {
                comma_at = Some(self.at);
                self.bump();
                continue;
            }
            if self.head_instead_of_expression(comma_at) {
                exprs.pop();
                return exprs;
            }
            if !self.comma_missing() {
                return exprs;
            }
            comma_at = None;
        }
    }

    /// An expression, or `Pattern ?= E` directly inside `maybe`.
    fn statement(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let left = self.expression()?;
        let in_maybe = self.open.last().is_some_and(|open| open.text == "maybe");
        if !in_maybe || !self.eat(Sym::MaybeMatch) {
            return Ok(left);
        }
        let value = Box::new(self.expression()?);
        Ok(self.expr_from(start, ExprKind::MaybeMatch { pattern: Box::new(left), value }))
    }

    /// `a, 2 -> b`: what was read as an expression is the head of the next clause, or of another function.
    fn head_instead_of_expression(&mut self, comma_at: Option<usize>) -> bool {
        let (Some(comma_at), true) = (comma_at, self.at_arrow_or_when()) else { return false };
        let comma = self.tokens[comma_at].span;
        let next = &self.tokens[comma_at + 1];
        let another = next.line_start
            && next.kind.atom().is_some_and(|name| Some(name) != self.function.as_ref());
        let (problem, label, what) = if another && self.open.is_empty() {
            ("a function ends with `.`, not `,`", "this should be `.`", "another function")
        } else {
            ("clauses are separated by `;`, not `,`", "this should be `;`", "the next clause")
        };
        let diagnostic = Diagnostic::error(codes::STRAY_SEPARATOR, comma, problem)
            .label(label)
            .also(next.span, format!("{what} starts here"));
        self.report_at(comma_at, diagnostic);
        self.at = comma_at + 1;
        self.reported_at = Some(self.at);
        self.semicolon_assumed = !(another && self.open.is_empty());
        true
    }

    /// Two expressions (or clauses) with nothing between: reported; true when the body goes on.
    fn comma_missing(&mut self) -> bool {
        if !self.starts_expression() || self.reported_at == Some(self.at) {
            return false;
        }
        if self.at_function_head() {
            return false;
        }
        let here = self.previous_span().after();
        if self.arrow_comes_first() {
            let problem = "`;` is missing between two clauses";
            let diagnostic = Diagnostic::error(codes::STRAY_SEPARATOR, here, problem)
                .label("add `;` here")
                .also(self.span(), "the next clause starts here")
                .help("a clause ends in `;` if another follows, in nothing if it is the last");
            self.report(diagnostic);
            self.semicolon_assumed = true;
            return false;
        }
        let same_line = !self.token().line_start && !self.new_line_before();
        let found = self.tok();
        let diagnostic = if same_line {
            let problem = format!("an operator or separator is missing before {found}");
            Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .label("expected an operator, `,` or `;`")
        } else {
            let problem = "`,` is missing between two expressions";
            Diagnostic::error(codes::STRAY_SEPARATOR, here, problem)
                .label("add `,` here")
                .also(self.span(), "the next expression starts here")
        };
        self.report(diagnostic);
        true
    }

    /// Clauses up to `end`, `after`, `catch` or whatever closes the construct.
    pub(super) fn clauses(&mut self, read: fn(&mut Self) -> Parsed<Clause>) -> Vec<Clause> {
        self.separated(read)
    }

    /// Anything separated by `;`, each read on its own and skipped when it makes no sense.
    pub(super) fn separated<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Vec<T> {
        let base = self.open.len();
        let mut all = Vec::new();
        loop {
            match self.nested(false, read) {
                Ok(one) => all.push(one),
                Err(_) => self.skip_to_clause(base),
            }
            let semicolon = self.span();
            if self.eat(Sym::Semicolon) {
                if self.closes_clauses() {
                    self.stray_before(semicolon, self.at - 1);
                    return all;
                }
            } else if !std::mem::take(&mut self.semicolon_assumed) {
                return all;
            }
        }
    }

    /// `Pattern when Guard -> Body`
    pub(super) fn pattern_clause(&mut self) -> Parsed<Clause> {
        let start = self.span();
        let patterns = vec![self.expression()?];
        self.rest_of_clause(start, patterns)
    }

    /// `when Guard -> Body` after the patterns.
    pub(super) fn rest_of_clause(&mut self, start: Span, patterns: Vec<Expr>) -> Parsed<Clause> {
        let guard = if self.eat_keyword(Keyword::When) { self.guard()? } else { Vec::new() };
        self.arrow()?;
        let body = self.body();
        Ok(Clause { patterns, guard, body, span: start.to(self.previous_span()) })
    }

    /// Alternatives (`;`) of conjunctions (`,`).
    pub(super) fn guard(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        let mut alternatives = Vec::new();
        loop {
            let mut all = vec![self.nested(false, Self::expression)?];
            while self.eat(Sym::Comma) {
                all.push(self.nested(false, Self::expression)?);
            }
            alternatives.push(all);
            if !self.eat(Sym::Semicolon) {
                return Ok(alternatives);
            }
        }
    }

    pub(super) fn arrow(&mut self) -> Parsed<()> {
        if self.eat(Sym::Arrow) {
            return Ok(());
        }
        self.missing_arrow()
    }

    fn at_arrow_or_when(&self) -> bool {
        self.is(Sym::Arrow) || self.is_keyword(Keyword::When)
    }

    /// Whether `->` comes before any separator, so that a clause starts at the cursor.
    fn arrow_comes_first(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match &token.kind {
                Tok::Sym(Sym::Arrow) if depth == 0 => return true,
                Tok::Sym(Sym::Comma | Sym::Semicolon) | Tok::Dot if depth == 0 => return false,
                Tok::Keyword(_) if !matches!(token.kind, Tok::Keyword(Keyword::When)) => {
                    return false;
                }
                Tok::Dot => return false,
                Tok::Sym(Sym::Open | Sym::ListOpen | Sym::BraceOpen | Sym::BinaryOpen) => {
                    depth += 1
                }
                Tok::Sym(Sym::Close | Sym::ListClose | Sym::BraceClose | Sym::BinaryClose) => {
                    let Some(less) = depth.checked_sub(1) else { return false };
                    depth = less;
                }
                _ => {}
            }
        }
        false
    }
}
