//! Guards: alternatives of conjunctions of tests. An error in a test makes its alternative fail.

use super::body::Body;
use super::expr::comparison;
use crate::program::code::{Instruction, Label, TypeTest};
use foresee_erlang_syntax::tree::{BinaryOp, Expr, ExprKind};

impl Body<'_, '_> {
    /// Continues if some alternative holds, else goes to `fail`.
    pub(super) fn guard(&mut self, alternatives: &[Vec<Expr>], fail: Label) {
        let Some((last, others)) = alternatives.split_last() else { return };
        let holds = self.label();
        for alternative in others {
            let next = self.label();
            alternative.iter().for_each(|test| self.test(test, next));
            self.emit(Instruction::Jump { to: holds });
            self.place(next);
        }
        last.iter().for_each(|test| self.test(test, fail));
        self.place(holds);
    }

    /// Continues if the test is true; goes to `fail` if it is anything else or cannot be computed.
    pub(super) fn test(&mut self, test: &Expr, fail: Label) {
        self.at(test.span);
        let outer = std::mem::replace(&mut self.fail, fail);
        let mark = self.mark();
        match &test.kind {
            ExprKind::Binary2 { op: BinaryOp::Andalso, left, right, .. } => {
                self.test(left, fail);
                self.test(right, fail);
            }
            ExprKind::Binary2 { op, left, right, .. } if comparison(*op).is_some() => {
                let (left, right) = (self.operand(left), self.operand(right));
                let op = comparison(*op).expect("just checked");
                self.emit(Instruction::IsOrdered { op, left, right, fail });
            }
            ExprKind::Call { target, args } if self.type_test(target, args).is_some() => {
                let of = self.type_test(target, args).expect("just checked");
                let src = self.operand(&args[0]);
                self.emit(Instruction::IsType { of, src, fail });
            }
            _ => {
                let src = self.operand(test);
                self.emit(Instruction::IsTrue { src, fail });
            }
        }
        self.release(mark);
        self.fail = outer;
    }

    fn type_test(&self, target: &Expr, args: &[Expr]) -> Option<TypeTest> {
        let name = match &target.kind {
            ExprKind::Atom(name) if !self.is_local(name, 1) => name,
            ExprKind::Remote { module, function } => {
                module.as_atom().filter(|module| **module == "erlang")?;
                function.as_atom()?
            }
            _ => return None,
        };
        let (_, test) = TypeTest::ALL.iter().find(|(text, _)| *name == *text)?;
        (args.len() == 1).then_some(*test)
    }

    /// Whether an expression may stand in a guard (filters of comprehensions then behave like guards).
    pub(super) fn is_guard(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::RecordIndex { .. } => true,
            ExprKind::Tuple(items) => items.iter().all(|item| self.is_guard(item)),
            ExprKind::List { elements, tail } => {
                elements.iter().chain(tail.as_deref()).all(|item| self.is_guard(item))
            }
            ExprKind::RecordAccess { base, .. } => self.is_guard(base),
            ExprKind::Map { base, fields } => {
                base.iter().all(|base| self.is_guard(base))
                    && fields.iter().all(|f| self.is_guard(&f.key) && self.is_guard(&f.value))
            }
            ExprKind::Unary { operand, .. } => self.is_guard(operand),
            ExprKind::Binary2 { op, left, right, .. } => {
                !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract)
                    && self.is_guard(left)
                    && self.is_guard(right)
            }
            ExprKind::Call { target, args } => {
                let name = match &target.kind {
                    ExprKind::Atom(name) if !self.is_local(name, args.len() as u32) => name,
                    ExprKind::Remote { module, function } => {
                        match (module.as_atom(), function.as_atom()) {
                            (Some(module), Some(function)) if *module == "erlang" => function,
                            _ => return false,
                        }
                    }
                    _ => return false,
                };
                GUARD_BUILTINS.contains(&name.as_str()) && args.iter().all(|arg| self.is_guard(arg))
            }
            _ => false,
        }
    }
}

/// Built-ins that guards may call.
const GUARD_BUILTINS: [&str; 41] = [
    "abs",
    "binary_part",
    "bit_size",
    "byte_size",
    "ceil",
    "element",
    "float",
    "floor",
    "hd",
    "is_atom",
    "is_binary",
    "is_bitstring",
    "is_boolean",
    "is_float",
    "is_function",
    "is_integer",
    "is_list",
    "is_map",
    "is_map_key",
    "is_number",
    "is_pid",
    "is_port",
    "is_record",
    "is_reference",
    "is_tuple",
    "length",
    "map_get",
    "map_size",
    "max",
    "min",
    "node",
    "round",
    "self",
    "size",
    "tl",
    "trunc",
    "tuple_size",
    "not",
    "and",
    "or",
    "xor",
];
