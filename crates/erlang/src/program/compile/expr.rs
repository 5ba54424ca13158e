//! Expressions. `value` puts the value of an expression in a register; in tail position it returns instead.

use super::body::Body;
use crate::program::code::{Comparison, Failure, Instruction, Operation, Reg};
use crate::term::Term;
use foresee_erlang_syntax::tree::{BinaryOp, Expr, ExprKind, MapField, UnaryOp};

impl Body<'_, '_> {
    /// A sequence; the last one's value goes to `dst`.
    pub(super) fn block(&mut self, body: &[Expr], dst: Reg, tail: bool) {
        for (i, expr) in body.iter().enumerate() {
            let last = i + 1 == body.len();
            let mark = self.mark();
            if last {
                self.value(expr, dst, tail);
            } else {
                self.effect(expr);
            }
            self.release(mark);
        }
    }

    /// Evaluates and forgets.
    fn effect(&mut self, expr: &Expr) {
        if let ExprKind::Match { pattern, value } = &expr.kind {
            self.at(expr.span);
            let src = self.operand(value);
            return self.matching(pattern, src);
        }
        let dst = self.fresh();
        self.value(expr, dst, false);
    }

    /// The register of a bound variable, or a new one with the value.
    pub(super) fn operand(&mut self, expr: &Expr) -> Reg {
        if let ExprKind::Var(name) = &expr.kind
            && self.is_bound(name)
        {
            return self.scope.registers[name];
        }
        let dst = self.fresh();
        self.value(expr, dst, false);
        dst
    }

    /// The value of `expr` in `dst`; with `tail`, returned.
    pub(super) fn value(&mut self, expr: &Expr, dst: Reg, tail: bool) {
        self.at(expr.span);
        if let Some(term) = self.constant_of(expr) {
            self.constant(dst, term);
            return self.result(dst, tail);
        }
        match &expr.kind {
            ExprKind::Var(name) => match self.scope.registers.get(name).copied() {
                Some(src) if self.is_bound(name) => {
                    if tail {
                        return self.emit(Instruction::Return { src });
                    }
                    self.emit(Instruction::Move { dst, src });
                }
                // Reported by the syntax crate; there is no value to give.
                _ => self.constant(dst, a!("undefined")),
            },
            ExprKind::Tuple(items) => self.tuple(items, dst),
            ExprKind::List { elements, tail: rest } => self.list(elements, rest.as_deref(), dst),
            ExprKind::Binary(segments) => self.bits_build(segments, dst),
            ExprKind::Map { base, fields } => self.map(base.as_deref(), fields, dst),
            ExprKind::Record { base, name, fields } => {
                self.record(base.as_deref(), name, fields, dst);
            }
            ExprKind::RecordAccess { base, name, field } => {
                self.record_access(base, name, field, dst);
            }
            ExprKind::RecordIndex { name, field } => {
                let index = self.field_index(name, field).map_or(0, |at| at as i64 + 2);
                self.constant(dst, Term::Int(index));
            }
            ExprKind::Unary { op, operand } => self.unary(*op, operand, dst),
            ExprKind::Binary2 { op: BinaryOp::Andalso, left, right, .. } => {
                return self.short_cut(false, left, right, dst, tail);
            }
            ExprKind::Binary2 { op: BinaryOp::Orelse, left, right, .. } => {
                return self.short_cut(true, left, right, dst, tail);
            }
            ExprKind::Binary2 { op, left, right, .. } => self.binary(*op, left, right, dst),
            ExprKind::Match { pattern, value } => {
                self.value(value, dst, false);
                self.at(expr.span);
                self.matching(pattern, dst);
            }
            ExprKind::Block(body) => return self.block(body, dst, tail),
            ExprKind::If(clauses) => return self.if_(clauses, dst, tail),
            ExprKind::Case { subject, clauses } => {
                return self.case(subject, clauses, dst, tail);
            }
            ExprKind::Receive { clauses, after } => {
                return self.receive(clauses, after.as_deref(), dst, tail);
            }
            ExprKind::Try(tree) => self.try_(tree, dst),
            ExprKind::Catch(body) => self.catch(body, dst),
            ExprKind::Maybe { body, otherwise } => self.maybe(body, otherwise, dst),
            ExprKind::MaybeMatch { pattern, value } => {
                self.value(value, dst, false);
                self.matching(pattern, dst);
            }
            ExprKind::Call { target, args } => return self.call(expr, target, args, dst, tail),
            ExprKind::FunLocal { name, arity } => self.fun_local(name, *arity, dst),
            ExprKind::FunRemote { module, function, arity } => {
                self.fun_remote(module, function, arity, dst);
            }
            ExprKind::Fun { name, clauses } => self.fun(name.as_ref(), clauses, dst),
            ExprKind::Comprehension { template, qualifiers } => {
                self.comprehension(template, qualifiers, dst);
            }
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Remote { .. }
            | ExprKind::Error => self.constant(dst, a!("undefined")),
        }
        self.result(dst, tail);
    }

    pub(super) fn result(&mut self, src: Reg, tail: bool) {
        if tail {
            self.emit(Instruction::Return { src });
        }
    }

    /// `pattern = src`, or `badmatch`.
    pub(super) fn matching(&mut self, pattern: &Expr, src: Reg) {
        let (fail, done) = (self.label(), self.label());
        let line = self.line;
        if self.pattern(pattern, src, fail, false) {
            self.emit(Instruction::Jump { to: done });
            self.place(fail);
            self.line = line;
            self.emit(Instruction::Fail { kind: Failure::BadMatch, src });
            self.place(done);
        } else {
            self.place(fail);
        }
    }

    fn tuple(&mut self, items: &[Expr], dst: Reg) {
        let start = self.fresh_block(items.len());
        for (i, item) in items.iter().enumerate() {
            self.value_apart(item, start + i as Reg);
        }
        self.emit(Instruction::Tuple { dst, start, n: items.len() as u16 });
    }

    /// A value whose temporaries are given back.
    pub(super) fn value_apart(&mut self, expr: &Expr, dst: Reg) {
        let mark = self.mark();
        self.value(expr, dst, false);
        self.release(mark);
    }

    fn list(&mut self, elements: &[Expr], rest: Option<&Expr>, dst: Reg) {
        // Elements are evaluated from left to right and consed from right to left.
        let heads: Vec<Reg> = elements.iter().map(|element| self.operand(element)).collect();
        let mut tail = match rest {
            Some(rest) => self.operand(rest),
            None => {
                let nil = self.fresh();
                self.constant(nil, Term::Nil);
                nil
            }
        };
        for (i, head) in heads.into_iter().enumerate().rev() {
            let into = if i == 0 { dst } else { self.fresh() };
            self.emit(Instruction::Cons { dst: into, head, tail });
            tail = into;
        }
    }

    fn map(&mut self, base: Option<&Expr>, fields: &[MapField], dst: Reg) {
        let map = match base {
            Some(base) => self.operand(base),
            None => {
                let map = self.fresh();
                self.constant(map, Term::map(crate::term::Map::new()));
                map
            }
        };
        let pairs: Vec<(Reg, Reg, bool)> = fields
            .iter()
            .map(|field| (self.operand(&field.key), self.operand(&field.value), field.exact))
            .collect();
        if base.is_some() && pairs.is_empty() {
            self.emit(Instruction::IsType {
                of: crate::program::code::TypeTest::Map,
                src: map,
                fail: self.fail,
            });
            return self.emit(Instruction::Move { dst, src: map });
        }
        let mut map = map;
        let into = if pairs.is_empty() { dst } else { self.fresh() };
        if pairs.is_empty() {
            self.emit(Instruction::Move { dst: into, src: map });
        }
        let fail = self.fail;
        for (key, value, exact) in pairs {
            self.emit(Instruction::MapPut { dst: into, map, key, value, exact, fail });
            map = into;
        }
        if into != dst {
            self.emit(Instruction::Move { dst, src: into });
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, dst: Reg) {
        let src = self.operand(operand);
        let op = match op {
            UnaryOp::Plus => Operation::Plus,
            UnaryOp::Minus => Operation::Negate,
            UnaryOp::Bnot => Operation::BitNot,
            UnaryOp::Not => Operation::Not,
        };
        self.emit(Instruction::Arithmetic { op, dst, left: src, right: src, fail: self.fail });
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, dst: Reg) {
        let line = self.line;
        if op == BinaryOp::Send {
            return self.builtin_call("erlang", "!", &[left, right], dst);
        }
        let (left, right) = (self.operand(left), self.operand(right));
        self.line = line;
        match (comparison(op), operation(op)) {
            (Some(op), _) => self.emit(Instruction::Compare { op, dst, left, right }),
            (_, Some(op)) => {
                self.emit(Instruction::Arithmetic { op, dst, left, right, fail: self.fail });
            }
            _ => unreachable!("every operator is a comparison or an operation"),
        }
    }

    fn short_cut(&mut self, on: bool, left: &Expr, right: &Expr, dst: Reg, tail: bool) {
        let end = self.label();
        self.value_apart(left, dst);
        self.emit(Instruction::ShortCut { src: dst, on, to: end, fail: self.fail });
        let bound = self.scope.bound.clone();
        self.value(right, dst, tail);
        self.scope.bound = bound;
        self.place(end);
        self.result(dst, tail);
    }
}

pub(super) fn comparison(op: BinaryOp) -> Option<Comparison> {
    Some(match op {
        BinaryOp::Equal => Comparison::Equal,
        BinaryOp::NotEqual => Comparison::NotEqual,
        BinaryOp::LessEqual => Comparison::LessEqual,
        BinaryOp::Less => Comparison::Less,
        BinaryOp::GreaterEqual => Comparison::GreaterEqual,
        BinaryOp::Greater => Comparison::Greater,
        BinaryOp::ExactEqual => Comparison::ExactEqual,
        BinaryOp::ExactNotEqual => Comparison::ExactNotEqual,
        _ => return None,
    })
}

pub(super) fn operation(op: BinaryOp) -> Option<Operation> {
    Some(match op {
        BinaryOp::Append => Operation::Append,
        BinaryOp::Subtract => Operation::ListSubtract,
        BinaryOp::Add => Operation::Add,
        BinaryOp::Sub => Operation::Subtract,
        BinaryOp::Bor => Operation::BitOr,
        BinaryOp::Bxor => Operation::BitXor,
        BinaryOp::Bsl => Operation::ShiftLeft,
        BinaryOp::Bsr => Operation::ShiftRight,
        BinaryOp::Or => Operation::Or,
        BinaryOp::Xor => Operation::Xor,
        BinaryOp::Divide => Operation::Divide,
        BinaryOp::Multiply => Operation::Multiply,
        BinaryOp::Div => Operation::Quotient,
        BinaryOp::Rem => Operation::Remainder,
        BinaryOp::Band => Operation::BitAnd,
        BinaryOp::And => Operation::And,
        _ => return None,
    })
}
