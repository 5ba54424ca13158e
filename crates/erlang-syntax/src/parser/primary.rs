//! Primary expressions and what may stand directly behind them: calls, `M:F`, records and maps.

use super::{CHAIN_MAX, Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{Expr, ExprKind, Segment, SegmentOption};
use foresee_text::Diagnostic;

impl Parser<'_> {
    /// A primary expression with calls, remote names, record and map suffixes.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut left = if self.is(Sym::Hash) { self.hash(None, start)? } else { self.primary()? };
        let (mut called, mut told) = (false, false);
        for _ in 0..CHAIN_MAX {
            let suffix = matches!(self.tok(), Tok::Sym(Sym::Open | Sym::Hash));
            if !suffix && (!self.is(Sym::Colon) || self.colon_follows) {
                return Ok(left);
            }
            self.taller()?;
            if suffix && std::mem::take(&mut called) && !std::mem::replace(&mut told, true) {
                self.needs_parentheses(left.span);
            }
            left = match self.tok() {
                Tok::Sym(Sym::Open) => {
                    let args = self.arguments()?;
                    called = true;
                    self.expr_from(start, ExprKind::Call { target: Box::new(left), args })
                }
                Tok::Sym(Sym::Hash) => self.hash(Some(left), start)?,
                _ => {
                    self.bump();
                    let function = Box::new(self.primary()?);
                    self.expr_from(start, ExprKind::Remote { module: Box::new(left), function })
                }
            };
        }
        self.too_deep()
    }

    /// `(A, B)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.open_sym(Sym::Open, Sym::Close);
        let args = self.elements(Sym::Close)?;
        self.close(Sym::Close)?;
        Ok(args)
    }

    /// Expressions separated by `,` up to (not including) `closer`.
    pub(super) fn elements(&mut self, closer: Sym) -> Parsed<Vec<Expr>> {
        let mut elements = Vec::new();
        if self.is(closer) {
            return Ok(elements);
        }
        loop {
            elements.push(self.nested(false, Self::expression)?);
            if !self.eat(Sym::Comma) {
                return Ok(elements);
            }
        }
    }

    /// Erlang's `expr_max`: literals, brackets and blocks, without suffixes.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Var(name) => ExprKind::Var(name.clone()),
            Tok::Atom(name) | Tok::Quoted(name) => ExprKind::Atom(name.clone()),
            Tok::Integer(value) => ExprKind::Integer(value.clone()),
            Tok::Float(value) => ExprKind::Float(*value),
            Tok::Char(value) => ExprKind::Char(*value),
            Tok::Str(_) => return Ok(self.strings()),
            Tok::BinaryStr(text) => {
                let value = Expr { kind: ExprKind::String(text.clone()), span: start };
                let options = vec![SegmentOption::Utf8];
                ExprKind::Binary(vec![Segment { value, size: None, options, span: start }])
            }
            Tok::Poison => ExprKind::Error,
            Tok::Sym(Sym::Open) => return self.parenthesised(),
            Tok::Sym(Sym::BraceOpen) => return self.tuple(),
            Tok::Sym(Sym::ListOpen) => return self.list(),
            Tok::Sym(Sym::BinaryOpen) => return self.binary(),
            Tok::Keyword(Keyword::Begin) => return self.begin(),
            Tok::Keyword(Keyword::If) => return self.if_expr(),
            Tok::Keyword(Keyword::Case) => return self.case(),
            Tok::Keyword(Keyword::Receive) => return self.receive(),
            Tok::Keyword(Keyword::Try) => return self.try_expr(),
            Tok::Keyword(Keyword::Maybe) if !self.used_as_name() => return self.maybe(),
            Tok::Keyword(Keyword::Fun) => return self.fun(),
            _ => return self.no_expression(),
        };
        self.bump();
        Ok(Expr { kind, span: start })
    }

    /// Adjacent string literals are one string.
    fn strings(&mut self) -> Expr {
        let start = self.span();
        let Tok::Str(first) = self.tok() else { unreachable!("called at a string") };
        self.bump();
        if !matches!(self.tok(), Tok::Str(_)) {
            return Expr { kind: ExprKind::String(first.clone()), span: start };
        }
        let mut joined = first.to_string();
        while let Tok::Str(next) = self.tok() {
            joined.push_str(next);
            self.bump();
        }
        self.expr_from(start, ExprKind::String(joined.into()))
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.open_sym(Sym::Open, Sym::Close);
        let inner = self.nested(false, Self::expression)?;
        self.close(Sym::Close)?;
        Ok(inner)
    }

    fn tuple(&mut self) -> Parsed<Expr> {
        let start = self.open_sym(Sym::BraceOpen, Sym::BraceClose);
        let elements = self.elements(Sym::BraceClose)?;
        self.close(Sym::BraceClose)?;
        Ok(self.expr_from(start, ExprKind::Tuple(elements)))
    }

    /// Suffixes do not follow calls directly; say so and read on as if they did.
    fn needs_parentheses(&mut self, call: Span) {
        let purpose = if self.is(Sym::Open) { "called" } else { "used as a record or map" };
        let problem = format!("the result of a call must stand in parentheses to be {purpose}");
        let diagnostic = Diagnostic::error(codes::NEEDS_PARENTHESES, call, problem)
            .help("write `(call(…))` around it");
        self.report(diagnostic);
    }
}
