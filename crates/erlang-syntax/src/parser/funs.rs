//! `fun` in all its shapes: `fun f/1`, `fun m:f/1`, `fun (X) -> … end`, `fun Loop(X) -> … end`.

use super::{Closer, Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Sym, Tok};
use crate::tree::{Clause, Expr, ExprKind, Ident};
use foresee_text::Diagnostic;

impl Parser<'_> {
    pub(super) fn fun(&mut self) -> Parsed<Expr> {
        let named = matches!(self.ahead(1).kind, Tok::Var(_)) && self.ahead(2).kind.is(Sym::Open);
        if named || self.ahead(1).kind.is(Sym::Open) {
            return self.fun_clauses();
        }
        if matches!(self.ahead(1).kind, Tok::Var(_)) && self.ahead(2).kind.is(Sym::Arrow) {
            return self.fun_without_parentheses();
        }
        let start = self.bump().span;
        let first = self.fun_name_part("a function's name or `(` after `fun`")?;
        if self.eat(Sym::Colon) {
            let function = Box::new(self.fun_name_part("a function's name after `:`")?);
            self.expect(Sym::Slash, "and the number of arguments")?;
            let arity = Box::new(self.fun_name_part("the number of arguments")?);
            let module = Box::new(first);
            return Ok(self.expr_from(start, ExprKind::FunRemote { module, function, arity }));
        }
        let ExprKind::Atom(name) = first.kind else {
            if matches!(first.kind, ExprKind::Error) {
                return self.unknown_fun(start);
            }
            return self.unexpected("`:` and a function's name");
        };
        let name = Ident { name, span: first.span };
        if !self.is(Sym::Slash) {
            return self
                .unexpected(&format!("`/` and the number of arguments after `fun {}`", name.name));
        }
        self.bump();
        match self.tok() {
            Tok::Integer(value) => {
                let arity = value.to_i64().filter(|arity| (0..=255).contains(arity)).unwrap_or(255);
                self.bump();
                Ok(self.expr_from(start, ExprKind::FunLocal { name, arity: arity as u32 }))
            }
            Tok::Poison => self.unknown_fun(start),
            _ => self.unexpected("the number of arguments"),
        }
    }

    /// `fun X -> X end`: reported, and read as if the parentheses were there.
    fn fun_without_parentheses(&mut self) -> Parsed<Expr> {
        let start = self.open("fun", Closer::End);
        let problem = "the parameters of a fun stand in parentheses";
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
            .label("write `(…)` around it");
        self.report(diagnostic);
        let clauses = self.clauses(Self::pattern_clause);
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Fun { name: None, clauses }))
    }

    /// A macro in the name was reported; step over the rest.
    fn unknown_fun(&mut self, start: Span) -> Parsed<Expr> {
        if self.eat(Sym::Slash) || *self.tok() == Tok::Poison {
            self.bump();
        }
        Ok(self.expr_from(start, ExprKind::Error))
    }

    fn fun_name_part(&mut self, what: &str) -> Parsed<Expr> {
        match self.tok() {
            Tok::Atom(_) | Tok::Quoted(_) | Tok::Var(_) | Tok::Integer(_) | Tok::Poison => {
                self.primary()
            }
            _ => self.unexpected(what),
        }
    }

    fn fun_clauses(&mut self) -> Parsed<Expr> {
        let start = self.open("fun", Closer::End);
        let name = match self.tok() {
            Tok::Var(name) => Some(Ident { name: name.clone(), span: self.span() }),
            _ => None,
        };
        let clauses = self.clauses(Self::fun_clause);
        self.check_fun_heads(&clauses);
        self.end(start)?;
        Ok(self.expr_from(start, ExprKind::Fun { name, clauses }))
    }

    fn fun_clause(&mut self) -> Parsed<Clause> {
        let start = self.span();
        if matches!(self.tok(), Tok::Var(_)) {
            self.bump();
        }
        if !self.is(Sym::Open) {
            return self.unexpected("`(` and the arguments of a fun's clause");
        }
        let patterns = self.arguments()?;
        self.rest_of_clause(start, patterns)
    }

    fn check_fun_heads(&mut self, clauses: &[Clause]) {
        let Some(first) = clauses.first() else { return };
        for clause in &clauses[1..] {
            if clause.patterns.len() != first.patterns.len() {
                let problem = format!(
                    "this clause takes {} arguments, the first one {}",
                    clause.patterns.len(),
                    first.patterns.len()
                );
                self.diagnostics.push(
                    Diagnostic::error(codes::HEAD_MISMATCH, clause.span, problem)
                        .also(first.span, "the first clause"),
                );
            }
        }
    }
}
