//! Guards: no calls but guard functions, no binding, no control.

use super::{Checker, builtins};
use crate::codes;
use crate::source::Span;
use crate::tree::*;
use foresee_text::Diagnostic;

impl Checker<'_> {
    pub(super) fn guard(&mut self, guard: &[Vec<Expr>]) {
        for test in guard.iter().flatten() {
            if self.guard_shape(test) {
                self.expr(test);
            }
        }
    }

    /// Reports what cannot stand in a guard; true when nothing was found.
    fn guard_shape(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::RecordIndex { .. }
            | ExprKind::Error => true,
            ExprKind::Tuple(elements) => self.guard_shapes(elements.iter()),
            ExprKind::List { elements, tail } => {
                self.guard_shapes(elements.iter().chain(tail.as_deref()))
            }
            ExprKind::Binary(segments) => {
                self.guard_shapes(segments.iter().map(|part| &part.value))
            }
            ExprKind::Map { base, fields } => {
                let fields = fields.iter().flat_map(|field| [&field.key, &field.value]);
                self.guard_shapes(base.as_deref().into_iter().chain(fields))
            }
            ExprKind::Record { base: None, fields, .. } => {
                self.guard_shapes(fields.iter().map(|field| &field.value))
            }
            ExprKind::RecordAccess { base, .. } => self.guard_shape(base),
            ExprKind::Unary { operand, .. } => self.guard_shape(operand),
            ExprKind::Binary2 { op, left, right, .. } if *op != BinaryOp::Send => {
                self.guard_shapes([&**left, &**right].into_iter())
            }
            ExprKind::Call { target, args } => {
                self.guard_call(target, args.len() as u32, expr.span)
                    && self.guard_shapes(args.iter())
            }
            ExprKind::Match { .. } => {
                self.not_in_guard(expr.span, "`=`", "to compare, write `=:=` or `==`")
            }
            _ => self.not_in_guard(expr.span, "this", "compute it before and test the result"),
        }
    }

    /// All are looked at, so that each mistake is reported.
    fn guard_shapes<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) -> bool {
        let n_bad = exprs.filter(|expr| !self.guard_shape(expr)).count();
        n_bad == 0
    }

    fn guard_call(&mut self, target: &Expr, arity: u32, span: Span) -> bool {
        let name = match &target.kind {
            ExprKind::Error => return true,
            ExprKind::Atom(name) => Some(name),
            ExprKind::Remote { module, function }
                if module.as_atom().is_some_and(|module| module == "erlang") =>
            {
                function.as_atom()
            }
            _ => None,
        };
        if name.is_some_and(|name| builtins::is_guard(name, arity)) {
            return true;
        }
        let what = match name {
            Some(name) => format!("a call of `{name}/{arity}`"),
            None => "this call".to_string(),
        };
        let help = "guards call only guard functions such as `is_list/1` or `length/1`; \
                    compute it before, or use `case`";
        self.not_in_guard(span, &what, help)
    }

    fn not_in_guard(&mut self, span: Span, what: &str, help: &str) -> bool {
        let problem = format!("{what} cannot stand in a guard");
        self.report(Diagnostic::error(codes::BAD_GUARD, span, problem).help(help));
        false
    }
}
