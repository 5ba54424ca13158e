//! Patterns: what may stand in them, and the variables they bind.

use super::Checker;
use super::scope::Binding;
use crate::codes;
use crate::name::Name;
use crate::tree::*;
use foresee_text::Diagnostic;

impl Checker<'_> {
    pub(super) fn patterns(&mut self, patterns: &[Expr]) {
        patterns.iter().for_each(|pattern| self.pattern(pattern));
    }

    /// Patterns of funs and generators: their variables hide those outside.
    pub(super) fn fresh_patterns(&mut self, patterns: &[Expr]) {
        let mut names = Vec::new();
        patterns.iter().for_each(|pattern| pattern_variables(pattern, &mut names));
        names.iter().for_each(|name| self.scope.set(name, Binding::Bound));
        self.patterns(patterns);
    }

    pub(super) fn pattern(&mut self, pattern: &Expr) {
        match &pattern.kind {
            ExprKind::Var(name) if name == "_" => {}
            ExprKind::Var(name) => match self.scope.get(name) {
                Some(Binding::Bound) => {}
                Some(Binding::Unsafe { construct, span }) => {
                    self.unsafe_variable(name, pattern.span, construct, span);
                }
                None => self.scope.set(name, Binding::Bound),
            },
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Error => {}
            ExprKind::Tuple(elements) => self.patterns(elements),
            ExprKind::List { elements, tail } => {
                self.patterns(elements);
                tail.iter().for_each(|tail| self.pattern(tail));
            }
            ExprKind::Binary(segments) => segments.iter().for_each(|segment| {
                segment.size.iter().for_each(|size| self.expr(size));
                self.pattern(&segment.value);
            }),
            ExprKind::Map { base: None, fields } => {
                for field in fields {
                    if !field.exact {
                        let problem = "in a pattern a map's key is followed by `:=`, not `=>`";
                        self.report(Diagnostic::error(codes::BAD_PATTERN, field.span, problem));
                    }
                    self.expr(&field.key);
                    self.pattern(&field.value);
                }
            }
            ExprKind::Record { base: None, name, fields } => {
                let record = self.record(name);
                for field in fields {
                    self.field(record, &field.name);
                    self.pattern(&field.value);
                }
            }
            ExprKind::RecordIndex { name, field } => {
                let record = self.record(name);
                self.field(record, field);
            }
            ExprKind::Match { pattern, value } => {
                self.pattern(pattern);
                self.pattern(value);
            }
            ExprKind::Binary2 { op: BinaryOp::Append, left, right, .. } if is_text(left) => {
                self.pattern(right);
            }
            _ if is_constant(pattern) => {}
            _ => self.no_pattern(pattern),
        }
    }

    fn no_pattern(&mut self, pattern: &Expr) {
        let (what, help) = match &pattern.kind {
            ExprKind::Call { .. } | ExprKind::Remote { .. } => {
                ("a function call", "bind a variable and test it in a guard or in the body")
            }
            ExprKind::Binary2 { op: BinaryOp::Append, .. } => {
                ("`++` after anything but a literal list", "match `[Head | Tail]` instead")
            }
            ExprKind::Unary { .. } | ExprKind::Binary2 { .. } => {
                ("an operator on variables", "bind a variable and compare it in a guard")
            }
            ExprKind::RecordAccess { .. } => {
                ("a field of a record", "match the record itself: `#name{field = Pattern}`")
            }
            _ => ("this expression", "bind a variable and test it in the body"),
        };
        let problem = format!("{what} cannot be a pattern");
        let mut names = Vec::new();
        pattern_variables(pattern, &mut names);
        names.iter().for_each(|name| self.scope.set(name, Binding::Bound));
        self.report(Diagnostic::error(codes::BAD_PATTERN, pattern.span, problem).help(help));
    }
}

fn pattern_variables(pattern: &Expr, names: &mut Vec<Name>) {
    let mut each = |patterns: &[&Expr]| patterns.iter().for_each(|p| pattern_variables(p, names));
    match &pattern.kind {
        ExprKind::Var(name) if name != "_" => names.push(name.clone()),
        ExprKind::Tuple(elements) => elements.iter().for_each(|element| each(&[element])),
        ExprKind::List { elements, tail } => {
            elements.iter().for_each(|element| each(&[element]));
            tail.iter().for_each(|tail| each(&[tail]));
        }
        ExprKind::Binary(segments) => segments.iter().for_each(|segment| each(&[&segment.value])),
        ExprKind::Map { fields, .. } => fields.iter().for_each(|field| each(&[&field.value])),
        ExprKind::Record { fields, .. } => fields.iter().for_each(|field| each(&[&field.value])),
        ExprKind::Match { pattern, value } => each(&[pattern, value]),
        ExprKind::Binary2 { left, right, .. } => each(&[left, right]),
        ExprKind::Unary { operand, .. } => each(&[operand]),
        ExprKind::Call { args, .. } => args.iter().for_each(|arg| each(&[arg])),
        _ => {}
    }
}

/// A literal string or list of literals, which may stand before `++` in a pattern.
fn is_text(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(_) => true,
        ExprKind::List { elements, tail: None } => elements.iter().all(is_constant),
        ExprKind::Binary2 { op: BinaryOp::Append, left, right, .. } => {
            is_text(left) && is_text(right)
        }
        _ => false,
    }
}

/// Arithmetic on literals.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Atom(_) => true,
        ExprKind::RecordIndex { .. } => true,
        ExprKind::Unary { operand, .. } => is_constant(operand),
        ExprKind::Binary2 { op, left, right, .. } => {
            op.level() >= 400 && is_constant(left) && is_constant(right)
        }
        _ => false,
    }
}
