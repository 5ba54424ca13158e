//! Clauses, guards and everything else that decides: conditions of the target, in the order of Erlang.
//! Variables that every branch of a `case` binds can be used behind it, as a choice between what the branches bound.

use crate::builtin::truth_function;
use crate::program::Target;
use crate::terms::{all, and, any, apply, bool, choose, eq, is_true, no, not, or, yes};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::tree::{BinaryOp, Clause, Expr, ExprKind, UnaryOp};

impl Translator<'_> {
    /// Chooses by patterns and guards, in order.
    pub(crate) fn choice(
        &mut self,
        clauses: &[Clause],
        subjects: &[Term],
        reason: &str,
        scope: &mut Scope,
    ) -> Term {
        let mut branches = Vec::new();
        for clause in clauses {
            let mut inner = scope.clone();
            let fits = self.head(clause, subjects, &mut inner);
            if crate::terms::is_no(&fits) {
                continue;
            }
            let value = self.body(&clause.body, &mut inner);
            let is_last = crate::terms::is_yes(&fits);
            branches.push((fits, value, inner.environment));
            if is_last {
                break;
            }
        }
        // A truth is one of two.
        if let [(first, ..), (second, ..)] = &mut branches[..]
            && *second == not(first.clone())
        {
            *second = yes();
        }
        self.export(&branches, scope);
        let failed = self.failed(reason);
        branches.into_iter().rev().fold(failed, |rest, (fits, value, _)| choose(fits, value, rest))
    }

    /// Variables that every branch binds can be used behind it.
    fn export(
        &mut self,
        branches: &[(Term, Term, crate::translator::Environment)],
        scope: &mut Scope,
    ) {
        let Some((first, others)) = branches.split_first() else { return };
        for name in first.2.keys() {
            let is_new = !scope.environment.contains_key(name);
            if is_new && others.iter().all(|it| it.2.contains_key(name)) {
                let (last, before) = branches.split_last().expect("not empty");
                let value = before.iter().rev().fold(last.2[name].clone(), |rest, it| {
                    choose(it.0.clone(), it.2[name].clone(), rest)
                });
                scope.environment.insert(name.clone(), value);
            }
        }
    }

    /// Whether a clause fits these values; its variables come into scope.
    pub(crate) fn head(&mut self, clause: &Clause, subjects: &[Term], scope: &mut Scope) -> Term {
        let patterns = clause.patterns.iter().zip(subjects);
        let fits: Vec<_> = patterns
            .map(|(pattern, subject)| self.pattern(pattern, subject.clone(), scope))
            .collect();
        let guard = self.guard(&clause.guard, scope);
        and(all(fits), guard)
    }

    fn guard(&mut self, guard: &[Vec<Expr>], scope: &mut Scope) -> Term {
        if guard.is_empty() {
            return yes();
        }
        let alternatives: Vec<_> = guard
            .iter()
            .map(|tests| all(tests.iter().map(|it| self.truth(it, scope)).collect::<Vec<_>>()))
            .collect();
        any(alternatives)
    }

    /// An expression as a condition.
    pub(crate) fn truth(&mut self, expr: &Expr, scope: &mut Scope) -> Term {
        match &expr.kind {
            ExprKind::Atom(name) if *name == "true" => yes(),
            ExprKind::Atom(name) if *name == "false" => no(),
            ExprKind::Unary { op: UnaryOp::Not, operand } => not(self.truth(operand, scope)),
            ExprKind::Binary2 { op, left, right, .. } => {
                let logical = match op {
                    BinaryOp::Andalso | BinaryOp::And => Some(and as fn(Term, Term) -> Term),
                    BinaryOp::Orelse | BinaryOp::Or => Some(or as fn(Term, Term) -> Term),
                    BinaryOp::Xor => {
                        Some((|a, b| not(eq(bool(a), bool(b)))) as fn(Term, Term) -> Term)
                    }
                    _ => None,
                };
                if let Some(join) = logical {
                    return join(self.truth(left, scope), self.truth(right, scope));
                }
                let compare = |name: &str, a, b| apply(name, vec![a, b]);
                let is_comparison = matches!(
                    op,
                    BinaryOp::Equal
                        | BinaryOp::ExactEqual
                        | BinaryOp::NotEqual
                        | BinaryOp::ExactNotEqual
                        | BinaryOp::Less
                        | BinaryOp::LessEqual
                        | BinaryOp::Greater
                        | BinaryOp::GreaterEqual
                );
                if !is_comparison {
                    return is_true(self.value(expr, scope));
                }
                let (a, b) = (self.value(left, scope), self.value(right, scope));
                match op {
                    BinaryOp::Equal | BinaryOp::ExactEqual => eq(a, b),
                    BinaryOp::NotEqual | BinaryOp::ExactNotEqual => not(eq(a, b)),
                    BinaryOp::Less => compare("less", a, b),
                    BinaryOp::LessEqual => compare("atmost", a, b),
                    BinaryOp::Greater => compare("less", b, a),
                    _ => compare("atmost", b, a),
                }
            }
            ExprKind::Call { target, args } => {
                let function = match self.program.target(scope.module, target, args.len()) {
                    Target::Other(of, function) => truth_function(&of, &function, args.len()),
                    _ => None,
                };
                match function {
                    Some(function) => {
                        let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                        apply(function, args)
                    }
                    None => is_true(self.value(expr, scope)),
                }
            }
            _ => is_true(self.value(expr, scope)),
        }
    }
}
