//! Patterns: tests that bind as they go and leave to a label when one fails.

use super::body::Body;
use super::constant::constant_in_pattern;
use crate::program::code::{Instruction, Label, Reg, TypeTest};
use crate::term::Term;
use foresee_erlang_syntax::tree::{BinaryOp, Expr, ExprKind};

impl Body<'_, '_> {
    /// Matches what is in `src`; whether it can fail. `temporary`: `src` belongs to this pattern alone.
    pub(super) fn pattern(
        &mut self,
        pattern: &Expr,
        src: Reg,
        fail: Label,
        temporary: bool,
    ) -> bool {
        self.at(pattern.span);
        if let Some(term) = constant_in_pattern(pattern) {
            self.equal_to_constant(src, term, fail);
            return true;
        }
        match &pattern.kind {
            ExprKind::Var(name) if *name == "_" => return false,
            ExprKind::Var(name) if self.is_bound(name) => {
                let right = self.scope.registers[name];
                let op = crate::program::code::Comparison::ExactEqual;
                self.emit(Instruction::IsOrdered { op, left: src, right, fail });
            }
            ExprKind::Var(name) => {
                self.bind(name, src, temporary);
                return false;
            }
            ExprKind::Match { pattern, value } => {
                let first = self.pattern(pattern, src, fail, false);
                let second = self.pattern(value, src, fail, false);
                return first || second;
            }
            ExprKind::Tuple(items) => self.tuple_pattern(items, src, fail),
            ExprKind::List { elements, tail } => {
                self.list_pattern(elements, tail.as_deref(), src, fail);
            }
            ExprKind::Binary2 { op: BinaryOp::Append, left, right, .. } => {
                self.prefix_pattern(left, right, src, fail);
            }
            ExprKind::Map { fields, .. } => {
                self.emit(Instruction::IsType { of: TypeTest::Map, src, fail });
                for field in fields {
                    // A key is a guard expression; its errors make the match fail.
                    let outer = std::mem::replace(&mut self.fail, fail);
                    let key = self.operand(&field.key);
                    self.fail = outer;
                    let dst = self.fresh();
                    self.emit(Instruction::MapGet { dst, map: src, key, fail });
                    self.pattern(&field.value, dst, fail, true);
                }
            }
            ExprKind::Record { name, fields, .. } => self.record_pattern(name, fields, src, fail),
            ExprKind::RecordIndex { name, field } => {
                let index = self.field_index(name, field).map_or(0, |at| at as i64 + 2);
                self.equal_to_constant(src, Term::Int(index), fail);
            }
            ExprKind::Binary(segments) => self.bits_pattern(segments, src, fail),
            // Reported by the syntax crate.
            _ => {}
        }
        true
    }

    pub(super) fn equal_to_constant(&mut self, src: Reg, term: Term, fail: Label) {
        match term {
            Term::Nil => self.emit(Instruction::IsNil { src, fail }),
            Term::Int(n) if i32::try_from(n).is_ok() => {
                self.emit(Instruction::IsSmall { src, value: n as i32, fail });
            }
            term => {
                let index = self.constant_index(term);
                self.emit(Instruction::IsConstant { src, index, fail });
            }
        }
    }

    fn tuple_pattern(&mut self, items: &[Expr], src: Reg, fail: Label) {
        self.emit(Instruction::IsTuple { src, n: items.len() as u16, fail });
        for (i, item) in items.iter().enumerate() {
            self.element_pattern(item, src, i as u16, fail);
        }
    }

    pub(super) fn element_pattern(&mut self, item: &Expr, src: Reg, index: u16, fail: Label) {
        if !is_wildcard(item) {
            let dst = self.fresh();
            self.emit(Instruction::Element { dst, src, index });
            self.pattern(item, dst, fail, true);
        }
    }

    fn list_pattern(&mut self, elements: &[Expr], tail: Option<&Expr>, src: Reg, fail: Label) {
        let mut rest = src;
        for element in elements {
            let head = self.fresh();
            let next = self.fresh();
            self.emit(Instruction::IsCons { src: rest, head, tail: next, fail });
            self.pattern(element, head, fail, true);
            rest = next;
        }
        match tail {
            Some(tail) => {
                self.pattern(tail, rest, fail, true);
            }
            None => self.emit(Instruction::IsNil { src: rest, fail }),
        }
    }

    /// `"literal" ++ Rest`
    fn prefix_pattern(&mut self, left: &Expr, right: &Expr, src: Reg, fail: Label) {
        let prefix = constant_in_pattern(left).and_then(|term| term.to_vec()).unwrap_or_default();
        let mut rest = src;
        for item in prefix {
            let head = self.fresh();
            let next = self.fresh();
            self.emit(Instruction::IsCons { src: rest, head, tail: next, fail });
            self.equal_to_constant(head, item, fail);
            rest = next;
        }
        self.pattern(right, rest, fail, rest != src);
    }
}

pub(super) fn is_wildcard(pattern: &Expr) -> bool {
    matches!(&pattern.kind, ExprKind::Var(name) if *name == "_")
}
