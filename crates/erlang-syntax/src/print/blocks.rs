//! Funs and the constructs closed by `end`, on one line.

use super::atom;
use super::exprs::{ANY, Printer};
use crate::tree::*;

impl Printer {
    /// The kinds of expressions that `exprs` does not print.
    pub(super) fn block(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::FunLocal { name, arity } => {
                self.text(&format!("fun {}/{arity}", atom(&name.name)));
            }
            ExprKind::FunRemote { module, function, arity } => {
                self.text("fun ");
                self.expr(module, ANY);
                self.text(":");
                self.expr(function, ANY);
                self.text("/");
                self.expr(arity, ANY);
            }
            ExprKind::Fun { name, clauses } => {
                let head = name.as_ref().map_or(String::new(), |name| format!(" {}", name.name));
                self.text("fun");
                self.separated(clauses, ";", |printer, clause| {
                    printer.text(&head);
                    printer.text("(");
                    printer.list(&clause.patterns);
                    printer.text(")");
                    printer.rest_of_clause(&clause.guard, &clause.body);
                });
                self.text(" end");
            }
            ExprKind::Block(body) => {
                self.text("begin ");
                self.list(body);
                self.text(" end");
            }
            ExprKind::If(clauses) => {
                self.text("if ");
                self.separated(clauses, "; ", |printer, clause| {
                    printer.guard(&clause.guard);
                    printer.text(" -> ");
                    printer.list(&clause.body);
                });
                self.text(" end");
            }
            ExprKind::Case { subject, clauses } => {
                self.text("case ");
                self.expr(subject, ANY);
                self.text(" of ");
                self.clauses(clauses);
                self.text(" end");
            }
            ExprKind::Receive { clauses, after } => {
                self.text("receive ");
                self.clauses(clauses);
                if let Some(after) = after {
                    self.text(if clauses.is_empty() { "after " } else { " after " });
                    self.expr(&after.timeout, ANY);
                    self.text(" -> ");
                    self.list(&after.body);
                }
                self.text(" end");
            }
            ExprKind::Try(parts) => self.try_expr(parts),
            ExprKind::Maybe { body, otherwise } => {
                self.text("maybe ");
                self.list(body);
                if !otherwise.is_empty() {
                    self.text(" else ");
                    self.clauses(otherwise);
                }
                self.text(" end");
            }
            other => unreachable!("`exprs` prints {other:?}"),
        }
    }

    fn try_expr(&mut self, parts: &Try) {
        self.text("try ");
        self.list(&parts.body);
        if !parts.of.is_empty() {
            self.text(" of ");
            self.clauses(&parts.of);
        }
        if !parts.catch.is_empty() {
            self.text(" catch ");
            self.separated(&parts.catch, "; ", |printer, clause| {
                if let Some(class) = &clause.class {
                    printer.expr(class, ANY);
                    printer.text(":");
                }
                printer.expr(&clause.pattern, ANY);
                if let Some(stack) = &clause.stack {
                    printer.text(&format!(":{}", stack.name));
                }
                printer.rest_of_clause(&clause.guard, &clause.body);
            });
        }
        if !parts.after.is_empty() {
            self.text(" after ");
            self.list(&parts.after);
        }
        self.text(" end");
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        self.separated(clauses, "; ", |printer, clause| {
            // `catch` here would read as the next part of a `try`.
            printer.separated(&clause.patterns, ", ", |printer, one| printer.expr(one, ANY + 2));
            printer.rest_of_clause(&clause.guard, &clause.body);
        });
    }

    fn rest_of_clause(&mut self, guard: &[Vec<Expr>], body: &[Expr]) {
        if !guard.is_empty() {
            self.text(" when ");
            self.guard(guard);
        }
        self.text(" -> ");
        self.list(body);
    }

    fn guard(&mut self, guard: &[Vec<Expr>]) {
        self.separated(guard, "; ", |printer, all| printer.list(all));
    }
}
