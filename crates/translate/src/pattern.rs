//! Patterns as conditions on a value; the variables they bind stand for the parts they select.

use crate::diagnostic::NO_VALUE;
use crate::terms::{all, constant, element, eq, head, is_cons, is_tuple, tail, yes};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::tree::{Expr, ExprKind, Ident, RecordField};

impl Translator<'_> {
    /// Whether `value` fits; what the pattern binds comes into scope.
    pub(crate) fn pattern(&mut self, pattern: &Expr, value: Term, scope: &mut Scope) -> Term {
        match &pattern.kind {
            ExprKind::Var(name) if *name == "_" => yes(),
            ExprKind::Var(name) => match scope.environment.get(name) {
                Some(bound) => eq(value, bound.clone()),
                None => {
                    scope.environment.insert(name.clone(), value);
                    yes()
                }
            },
            ExprKind::Match { pattern, value: also } => {
                let first = self.pattern(pattern, value.clone(), scope);
                let second = self.pattern(also, value, scope);
                all([first, second])
            }
            ExprKind::Tuple(items) => {
                let mut fits = vec![is_tuple(items.len(), value.clone())];
                for (at, item) in items.iter().enumerate() {
                    fits.push(self.pattern(item, element(at + 1, value.clone()), scope));
                }
                all(fits)
            }
            ExprKind::List { elements, tail: end } => {
                let mut fits = Vec::new();
                let mut rest = value;
                for item in elements {
                    fits.push(is_cons(rest.clone()));
                    fits.push(self.pattern(item, head(rest.clone()), scope));
                    rest = tail(rest);
                }
                fits.push(match end {
                    Some(end) => self.pattern(end, rest, scope),
                    None => eq(rest, constant("nil")),
                });
                all(fits)
            }
            ExprKind::Record { base: None, name, fields } => {
                self.record_pattern(name, fields, value, scope)
            }
            ExprKind::Map { .. }
            | ExprKind::Binary(_)
            | ExprKind::String(_)
            | ExprKind::Float(_) => {
                self.value(pattern, scope);
                yes()
            }
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Char(_)
            | ExprKind::Unary { .. }
            | ExprKind::RecordIndex { .. } => {
                let wanted = self.value(pattern, scope);
                eq(value, wanted)
            }
            ExprKind::Binary2 { .. } => {
                let message = "an operator in a pattern has no translation";
                let help = "match the parts one by one, or write the number";
                self.refuse(NO_VALUE, scope.module, pattern.span, message, help);
                yes()
            }
            _ => {
                let message = "this pattern has no translation";
                let help = "use atoms, integers, lists, tuples, records and variables";
                self.refuse(NO_VALUE, scope.module, pattern.span, message, help);
                yes()
            }
        }
    }

    fn record_pattern(
        &mut self,
        name: &Ident,
        fields: &[RecordField],
        value: Term,
        scope: &mut Scope,
    ) -> Term {
        let n = self.program.record(scope.module, &name.name).map_or(0, |it| it.fields.len());
        let tag = self.atom(&name.name);
        let mut fits = vec![is_tuple(n + 1, value.clone()), eq(element(1, value.clone()), tag)];
        for field in fields {
            let at = self.field(name, &field.name, scope);
            fits.push(self.pattern(&field.value, element(at, value.clone()), scope));
        }
        all(fits)
    }
}
