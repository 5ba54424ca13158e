//! Choices: `if`, `case`, `receive`, `try`, `catch`, `maybe`.
//! After a choice a variable is bound if every branch that ends normally has bound it.

use super::body::Body;
use crate::program::code::{Failure, Handler, HandlerKind, Instruction, Label, Reg};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{After, CatchClause, Clause, Expr, ExprKind, Try};
use rustc_hash::FxHashSet;

/// Collects what every branch has bound.
struct Join {
    before: FxHashSet<Name>,
    common: Option<FxHashSet<Name>>,
}

impl Body<'_, '_> {
    fn fork(&self) -> Join {
        Join { before: self.scope.bound.clone(), common: None }
    }

    fn branch_done(&mut self, join: &mut Join) {
        let bound = std::mem::replace(&mut self.scope.bound, join.before.clone());
        join.common = Some(match join.common.take() {
            None => bound,
            Some(common) => common.intersection(&bound).cloned().collect(),
        });
    }

    fn joined(&mut self, join: Join) {
        self.scope.bound = join.common.unwrap_or(join.before);
    }

    /// One branch: tests, body, and on to `end` unless the body has returned.
    fn branch(&mut self, guard: &[Vec<Expr>], body: &[Expr], fail: Label, to: &mut Branches) {
        self.guard(guard, fail);
        self.block(body, to.dst, to.tail);
        if !to.tail {
            self.emit(Instruction::Jump { to: to.end });
        }
        self.branch_done(&mut to.join);
        self.place(fail);
    }

    fn branches(&mut self, dst: Reg, tail: bool) -> Branches {
        Branches { dst, tail, end: self.label(), join: self.fork() }
    }

    fn end_branches(&mut self, branches: Branches) {
        self.place(branches.end);
        self.joined(branches.join);
    }

    pub(super) fn if_(&mut self, clauses: &[Clause], dst: Reg, tail: bool) {
        let line = self.line;
        let mut branches = self.branches(dst, tail);
        for clause in clauses {
            let fail = self.label();
            self.branch(&clause.guard, &clause.body, fail, &mut branches);
        }
        self.line = line;
        self.emit(Instruction::Fail { kind: Failure::IfClause, src: 0 });
        self.end_branches(branches);
    }

    pub(super) fn case(&mut self, subject: &Expr, clauses: &[Clause], dst: Reg, tail: bool) {
        let line = self.line;
        let src = self.operand(subject);
        let mut branches = self.branches(dst, tail);
        self.clauses_on(clauses, src, &mut branches);
        self.line = line;
        self.emit(Instruction::Fail { kind: Failure::CaseClause, src });
        self.end_branches(branches);
    }

    /// Clauses with one pattern each on what is in `src`; falls through when none matches.
    fn clauses_on(&mut self, clauses: &[Clause], src: Reg, branches: &mut Branches) {
        for clause in clauses {
            let fail = self.label();
            let mark = self.mark();
            self.pattern(&clause.patterns[0], src, fail, false);
            self.branch(&clause.guard, &clause.body, fail, branches);
            self.release(mark);
        }
    }

    pub(super) fn receive(
        &mut self,
        clauses: &[Clause],
        after: Option<&After>,
        dst: Reg,
        tail: bool,
    ) {
        let line = self.line;
        let timeout = match after {
            Some(after) => self.operand(&after.timeout),
            None => {
                let never = self.fresh();
                self.constant(never, a!("infinity"));
                never
            }
        };
        let (message, after_label) = (self.fresh(), self.label());
        self.line = line;
        self.emit(Instruction::Receive { dst: message, timeout, after: after_label });
        let mut branches = self.branches(dst, tail);
        for clause in clauses {
            let fail = self.label();
            let mark = self.mark();
            self.pattern(&clause.patterns[0], message, fail, false);
            self.guard(&clause.guard, fail);
            self.emit(Instruction::Accept);
            self.branch(&[], &clause.body, fail, &mut branches);
            self.release(mark);
        }
        self.emit(Instruction::Reject);
        self.place(after_label);
        match after {
            Some(after) => {
                let unused = self.label();
                self.branch(&[], &after.body, unused, &mut branches);
            }
            None => self.emit(Instruction::Fail { kind: Failure::IfClause, src: 0 }),
        }
        self.end_branches(branches);
    }

    pub(super) fn try_(&mut self, tree: &Try, dst: Reg) {
        if tree.after.is_empty() {
            return self.try_catch(tree, dst);
        }
        let line = self.line;
        let bound = self.scope.bound.clone();
        let exception = self.fresh_block(3);
        let (handler, done) = (self.label(), self.label());
        let start = self.here();
        self.try_catch(tree, dst);
        let end = self.here();
        let (target, registers, kind) = (handler, exception, HandlerKind::After);
        self.handler(Handler { start, end, target, registers, line, kind });
        self.scope.bound = bound.clone();
        let unused = self.fresh();
        self.block(&tree.after, unused, false);
        self.emit(Instruction::Jump { to: done });
        self.place(handler);
        self.scope.bound = bound.clone();
        let unused = self.fresh();
        self.block(&tree.after, unused, false);
        self.emit(Instruction::Reraise { start: exception });
        self.place(done);
        self.scope.bound = bound;
    }

    fn try_catch(&mut self, tree: &Try, dst: Reg) {
        let line = self.line;
        let bound = self.scope.bound.clone();
        let exception = self.fresh_block(3);
        let (handler, done) = (self.label(), self.label());
        let start = self.here();
        self.block(&tree.body, dst, false);
        let end = self.here();
        if !tree.of.is_empty() {
            let mut branches = self.branches(dst, false);
            self.clauses_on(&tree.of, dst, &mut branches);
            self.line = line;
            self.emit(Instruction::Fail { kind: Failure::TryClause, src: dst });
            self.end_branches(branches);
        }
        if !tree.catch.is_empty() {
            let (target, registers, kind) = (handler, exception, HandlerKind::Try);
            self.handler(Handler { start, end, target, registers, line, kind });
            self.emit(Instruction::Jump { to: done });
            self.place(handler);
            for clause in &tree.catch {
                self.scope.bound = bound.clone();
                self.catch_clause(clause, exception, dst, done);
            }
            self.emit(Instruction::Reraise { start: exception });
        }
        self.place(done);
        self.scope.bound = bound;
    }

    fn catch_clause(&mut self, clause: &CatchClause, exception: Reg, dst: Reg, done: Label) {
        let fail = self.label();
        match &clause.class {
            None => self.equal_to_constant(exception, a!("throw"), fail),
            Some(class) => {
                self.pattern(class, exception, fail, false);
            }
        }
        self.pattern(&clause.pattern, exception + 1, fail, false);
        if let Some(stack) = &clause.stack
            && stack.name != "_"
        {
            self.bind(&stack.name, exception + 2, false);
        }
        self.guard(&clause.guard, fail);
        self.block(&clause.body, dst, false);
        self.emit(Instruction::Jump { to: done });
        self.place(fail);
    }

    pub(super) fn catch(&mut self, body: &Expr, dst: Reg) {
        let line = self.line;
        let bound = self.scope.bound.clone();
        let exception = self.fresh_block(3);
        let (handler, done) = (self.label(), self.label());
        let start = self.here();
        self.value(body, dst, false);
        let end = self.here();
        let (target, registers, kind) = (handler, exception, HandlerKind::Catch);
        self.handler(Handler { start, end, target, registers, line, kind });
        self.emit(Instruction::Jump { to: done });
        self.place(handler);
        self.emit(Instruction::CatchValue { dst, start: exception });
        self.place(done);
        self.scope.bound = bound;
    }

    pub(super) fn maybe(&mut self, body: &[Expr], otherwise: &[Clause], dst: Reg) {
        let line = self.line;
        let bound = self.scope.bound.clone();
        let (mismatch, done) = (self.label(), self.label());
        let other = self.fresh();
        for (i, expr) in body.iter().enumerate() {
            if let ExprKind::MaybeMatch { pattern, value } = &expr.kind {
                self.value(value, other, false);
                self.pattern(pattern, other, mismatch, false);
                if i + 1 == body.len() {
                    self.emit(Instruction::Move { dst, src: other });
                }
            } else {
                self.block(std::slice::from_ref(expr), dst, false);
            }
        }
        self.emit(Instruction::Jump { to: done });
        self.place(mismatch);
        self.scope.bound = bound.clone();
        if otherwise.is_empty() {
            self.emit(Instruction::Move { dst, src: other });
        } else {
            let mut branches = self.branches(dst, false);
            self.clauses_on(otherwise, other, &mut branches);
            self.line = line;
            self.emit(Instruction::Fail { kind: Failure::ElseClause, src: other });
            self.end_branches(branches);
        }
        self.place(done);
        self.scope.bound = bound;
    }
}

struct Branches {
    dst: Reg,
    tail: bool,
    end: Label,
    join: Join,
}
