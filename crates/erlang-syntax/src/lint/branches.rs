//! Constructs with branches: what every branch binds is bound after them, what some bind is unsafe.

use super::Checker;
use super::scope::{Binding, Mark};
use crate::name::Name;
use crate::source::Span;
use crate::tree::{After, CatchClause, Clause, Expr, Try};

type Bindings = Vec<(Name, Binding)>;

impl Checker<'_> {
    /// Patterns, guard and body, binding in the current scope.
    pub(super) fn clause(&mut self, clause: &Clause) {
        self.patterns(&clause.patterns);
        self.guard(&clause.guard);
        self.body(&clause.body);
    }

    pub(super) fn branches(&mut self, clauses: &[Clause], construct: &'static str, span: Span) {
        let branches = clauses.iter().map(|clause| self.branch(|checker| checker.clause(clause)));
        let branches: Vec<Bindings> = branches.collect();
        self.join(branches, construct, span);
    }

    pub(super) fn receive(&mut self, clauses: &[Clause], after: Option<&After>, span: Span) {
        if let Some(after) = after {
            self.expr(&after.timeout);
        }
        let mut branches: Vec<Bindings> =
            clauses.iter().map(|clause| self.branch(|checker| checker.clause(clause))).collect();
        if let Some(after) = after {
            branches.push(self.branch(|checker| checker.body(&after.body)));
        }
        self.join(branches, "receive", span);
    }

    /// Nothing bound inside is safe outside, because any expression may raise.
    pub(super) fn try_expr(&mut self, parts: &Try, span: Span) {
        let start = self.scope.mark();
        self.body(&parts.body);
        let of = self.each(&parts.of, Self::clause);
        let inside = self.scope.take(start);
        self.set_unsafe(&inside, "try", span);
        let caught = self.each(&parts.catch, Self::catch_clause);
        let after = self.branch(|checker| checker.body(&parts.after));
        for found in [of, caught, after] {
            self.set_unsafe(&found, "try", span);
        }
    }

    /// All that the clauses bind, each read without the others.
    fn each<T>(&mut self, clauses: &[T], read: fn(&mut Self, &T)) -> Bindings {
        clauses.iter().flat_map(|clause| self.branch(|checker| read(checker, clause))).collect()
    }

    fn catch_clause(&mut self, clause: &CatchClause) {
        if let Some(class) = &clause.class {
            self.pattern(class);
        }
        self.pattern(&clause.pattern);
        if let Some(stack) = &clause.stack {
            self.scope.set(&stack.name, Binding::Bound);
        }
        self.guard(&clause.guard);
        self.body(&clause.body);
    }

    pub(super) fn maybe(&mut self, body: &[Expr], otherwise: &[Clause], span: Span) {
        let inside = self.branch(|checker| checker.body(body));
        self.set_unsafe(&inside, "maybe", span);
        let found = self.each(otherwise, Self::clause);
        self.set_unsafe(&found, "maybe", span);
    }

    /// A part that may not run to its end.
    pub(super) fn perhaps(
        &mut self,
        construct: &'static str,
        span: Span,
        read: impl FnOnce(&mut Self),
    ) {
        let found = self.branch(read);
        self.set_unsafe(&found, construct, span);
    }

    fn branch(&mut self, read: impl FnOnce(&mut Self)) -> Bindings {
        let mark: Mark = self.scope.mark();
        read(self);
        self.scope.take(mark)
    }

    fn join(&mut self, branches: Vec<Bindings>, construct: &'static str, span: Span) {
        let everywhere = |name: &Name| {
            branches.iter().all(|branch| {
                branch
                    .iter()
                    .rev()
                    .find(|(other, _)| other == name)
                    .is_some_and(|(_, b)| *b == Binding::Bound)
            })
        };
        for (name, _) in branches.iter().flatten() {
            match self.scope.get(name) {
                Some(Binding::Bound) => {}
                _ if everywhere(name) => self.scope.set(name, Binding::Bound),
                Some(_) => {}
                None => self.scope.set(name, Binding::Unsafe { construct, span }),
            }
        }
    }

    fn set_unsafe(&mut self, found: &Bindings, construct: &'static str, span: Span) {
        for (name, _) in found {
            if self.scope.get(name).is_none() {
                self.scope.set(name, Binding::Unsafe { construct, span });
            }
        }
    }
}
