//! Constructs closed by `end`: `begin`, `if`, `case`, `receive`, `try`, `maybe`.

use super::{Closer, Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{After, CatchClause, Clause, Expr, ExprKind, Ident, Try};
use foresee_text::Diagnostic;

impl Parser<'_> {
    pub(super) fn begin(&mut self) -> Parsed<Expr> {
        let start = self.open("begin", Closer::End);
        let body = self.body();
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Block(body)))
    }

    pub(super) fn if_expr(&mut self) -> Parsed<Expr> {
        let start = self.open("if", Closer::End);
        let clauses = self.clauses(Self::if_clause);
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::If(clauses)))
    }

    fn if_clause(&mut self) -> Parsed<Clause> {
        let start = self.span();
        let guard = self.guard()?;
        self.arrow()?;
        let body = self.body();
        Ok(Clause { patterns: Vec::new(), guard, body, span: start.to(self.previous_span()) })
    }

    pub(super) fn case(&mut self) -> Parsed<Expr> {
        let start = self.open("case", Closer::End);
        let subject = Box::new(self.nested(false, Self::expression)?);
        if !self.eat_keyword(Keyword::Of) {
            return self.missing_of(start);
        }
        let clauses = self.clauses(Self::pattern_clause);
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Case { subject, clauses }))
    }

    pub(super) fn receive(&mut self) -> Parsed<Expr> {
        let start = self.open("receive", Closer::End);
        let mut clauses = Vec::new();
        if !self.is_keyword(Keyword::After) {
            clauses = self.clauses(Self::pattern_clause);
        }
        let mut after = None;
        if self.eat_keyword(Keyword::After) {
            let timeout = self.nested(false, Self::expression)?;
            self.arrow()?;
            after = Some(Box::new(After { timeout, body: self.body() }));
        }
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Receive { clauses, after }))
    }

    pub(super) fn maybe(&mut self) -> Parsed<Expr> {
        let start = self.open("maybe", Closer::End);
        let body = self.body();
        let mut otherwise = Vec::new();
        if self.eat_keyword(Keyword::Else) {
            otherwise = self.clauses(Self::pattern_clause);
        }
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Maybe { body, otherwise }))
    }

    pub(super) fn try_expr(&mut self) -> Parsed<Expr> {
        let start = self.open("try", Closer::End);
        let body = self.body();
        let of = match self.eat_keyword(Keyword::Of) {
            true => self.clauses(Self::pattern_clause),
            false => Vec::new(),
        };
        let caught = self.eat_keyword(Keyword::Catch);
        let catch = if caught { self.separated(Self::catch_clause) } else { Vec::new() };
        let cleans_up = self.eat_keyword(Keyword::After);
        let after = if cleans_up { self.body() } else { Vec::new() };
        if !caught && !cleans_up && self.is_keyword(Keyword::End) {
            let problem = "`try` has neither `catch` nor `after`";
            let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .label("expected `catch` or `after`")
                .also(start, "the `try` starts here");
            self.report(diagnostic);
        }
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Try(Box::new(Try { body, of, catch, after }))))
    }

    /// `Class:Pattern:Stack when Guard -> Body`
    fn catch_clause(&mut self) -> Parsed<CatchClause> {
        let start = self.span();
        self.colon_follows = true;
        let mut class = None;
        if matches!(self.tok(), Tok::Atom(_) | Tok::Quoted(_) | Tok::Var(_))
            && self.ahead(1).kind.is(Sym::Colon)
        {
            class = Some(self.primary()?);
            self.bump();
        }
        let pattern = self.expression()?;
        let mut stack = None;
        if class.is_some() && self.eat(Sym::Colon) {
            let Tok::Var(name) = self.tok() else {
                return self.unexpected("a variable for the stack trace");
            };
            stack = Some(Ident { name: name.clone(), span: self.bump().span });
        }
        self.colon_follows = false;
        let Clause { guard, body, span, .. } = self.rest_of_clause(start, Vec::new())?;
        Ok(CatchClause { class, pattern, stack, guard, body, span })
    }

    /// The `end` of a construct; a missing one is reported at its opener and assumed.
    pub(super) fn end(&mut self, start: Span) -> Parsed<()> {
        if self.eat_keyword(Keyword::End) {
            self.open.pop();
            return Ok(());
        }
        self.missing_end(start)
    }

    fn missing_of<T>(&mut self, start: Span) -> Parsed<T> {
        let found = self.tok();
        let problem = format!("`of` is missing before {found}");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
            .label("expected `of`")
            .also(start, "the `case` starts here");
        Err(self.report(diagnostic))
    }
}
