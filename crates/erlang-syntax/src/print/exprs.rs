//! Expressions with minimal parentheses. Levels are those of the grammar; `blocks` has the constructs with `end`.

use super::{atom, character, float, string};
use crate::name::Integer;
use crate::tree::*;

/// Anything at all.
pub(super) const ANY: u16 = 0;
const MATCH: u16 = 100;
const PREFIX: u16 = 600;
const CALL: u16 = 690;
const HASH: u16 = 700;
const REMOTE: u16 = 800;
const PRIMARY: u16 = 1000;
/// More than anything has: forces parentheses.
const ALWAYS: u16 = 1001;

/// An expression, pattern or guard on one line, as Erlang writes it.
pub fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer { out: String::new() };
    printer.expr(expr, ANY);
    printer.out
}

pub(super) struct Printer {
    pub(super) out: String,
}

impl Printer {
    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints in parentheses unless the expression binds at least as tightly as `level_min`.
    pub(super) fn expr(&mut self, expr: &Expr, level_min: u16) {
        if level(expr) < level_min {
            self.text("(");
            self.bare(expr);
            self.text(")");
        } else {
            self.bare(expr);
        }
    }

    pub(super) fn list(&mut self, exprs: &[Expr]) {
        self.separated(exprs, ", ", |printer, expr| printer.expr(expr, ANY));
    }

    pub(super) fn separated<T>(&mut self, all: &[T], by: &str, print: impl Fn(&mut Self, &T)) {
        for (at, one) in all.iter().enumerate() {
            if at > 0 {
                self.text(by);
            }
            print(self, one);
        }
    }

    fn bare(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(name) => self.text(name),
            ExprKind::Atom(name) => self.text(&atom(name)),
            ExprKind::Integer(value) => self.text(&value.to_string()),
            ExprKind::Float(value) => self.text(&float(*value)),
            ExprKind::Char(value) => self.text(&character(*value)),
            ExprKind::String(text) => self.text(&string(text)),
            ExprKind::Tuple(elements) => self.bracketed("{", elements, "}"),
            ExprKind::List { elements, tail: None } => self.bracketed("[", elements, "]"),
            ExprKind::List { elements, tail: Some(tail) } => {
                self.text("[");
                self.list(elements);
                self.text(" | ");
                self.expr(tail, ANY);
                self.text("]");
            }
            ExprKind::Binary(segments) => {
                self.text("<<");
                self.separated(segments, ", ", Self::segment);
                self.text(">>");
            }
            ExprKind::Map { base, fields } => {
                self.base(base.as_deref());
                self.text("#{");
                self.separated(fields, ", ", Self::map_field);
                self.text("}");
            }
            ExprKind::Record { base, name, fields } => {
                self.base(base.as_deref());
                self.text(&format!("#{}{{", atom(&name.name)));
                self.separated(fields, ", ", Self::record_field);
                self.text("}");
            }
            ExprKind::RecordAccess { base, name, field } => {
                self.base(Some(base));
                self.text(&format!("#{}.{}", atom(&name.name), atom(&field.name)));
            }
            ExprKind::RecordIndex { name, field } => {
                self.text(&format!("#{}.{}", atom(&name.name), atom(&field.name)));
            }
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary2 { op, left, right, .. } => self.binary2(*op, left, right),
            ExprKind::Match { pattern, value } => self.infix(pattern, "=", value),
            ExprKind::MaybeMatch { pattern, value } => {
                self.expr(pattern, ANY);
                self.text(" ?= ");
                self.expr(value, ANY);
            }
            ExprKind::Call { target, args } => {
                self.expr(target, REMOTE);
                self.bracketed("(", args, ")");
            }
            ExprKind::Remote { module, function } => {
                self.expr(module, PRIMARY);
                self.text(":");
                self.expr(function, PRIMARY);
            }
            ExprKind::Comprehension { template, qualifiers } => {
                self.comprehension(template, qualifiers);
            }
            ExprKind::Catch(inner) => {
                self.text("catch ");
                self.expr(inner, ANY);
            }
            ExprKind::Error => self.text("?"),
            _ => self.block(expr),
        }
    }

    fn bracketed(&mut self, open: &str, exprs: &[Expr], close: &str) {
        self.text(open);
        self.list(exprs);
        self.text(close);
    }

    fn base(&mut self, base: Option<&Expr>) {
        if let Some(base) = base {
            // Digits before `#` would read as the base of a number.
            let digits = matches!(
                base.kind,
                ExprKind::Integer(_) | ExprKind::FunLocal { .. } | ExprKind::FunRemote { .. }
            );
            self.expr(base, if digits { ALWAYS } else { HASH });
        }
    }

    fn infix(&mut self, left: &Expr, op: &str, right: &Expr) {
        self.expr(left, MATCH + 1);
        self.text(&format!(" {op} "));
        self.expr(right, MATCH);
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.text(op.text());
        let mark = self.out.len();
        self.expr(operand, PREFIX);
        let sign = self.out[mark..].starts_with(['+', '-']);
        if sign || matches!(op, UnaryOp::Not | UnaryOp::Bnot) {
            self.out.insert(mark, ' ');
        }
    }

    fn binary2(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let associativity = op.associativity();
        self.expr(left, op.level() + u16::from(associativity != Associativity::Left));
        self.text(&format!(" {op} "));
        self.expr(right, op.level() + u16::from(associativity != Associativity::Right));
    }

    fn segment(&mut self, segment: &Segment) {
        // A sign may stand directly in a segment, but not before another sign.
        match &segment.value.kind {
            ExprKind::Unary { operand, .. } if level(operand) == PRIMARY => {
                self.expr(&segment.value, ANY);
            }
            _ => self.expr(&segment.value, PRIMARY),
        }
        if let Some(size) = &segment.size {
            self.text(":");
            self.expr(size, PRIMARY);
        }
        if !segment.options.is_empty() {
            self.text("/");
            self.separated(&segment.options, "-", |printer, option| {
                printer.text(&segment_option(*option));
            });
        }
    }

    pub(super) fn map_field(&mut self, field: &MapField) {
        self.expr(&field.key, ANY);
        self.text(if field.exact { " := " } else { " => " });
        self.expr(&field.value, ANY);
    }

    fn record_field(&mut self, field: &RecordField) {
        let name = &field.name.name;
        self.text(&if name == "_" { "_".to_string() } else { atom(name) });
        self.text(" = ");
        self.expr(&field.value, ANY);
    }

    fn comprehension(&mut self, template: &Template, qualifiers: &[Qualifier]) {
        let close = match template {
            Template::List(expr) => {
                self.text("[");
                self.expr(expr, ANY);
                "]"
            }
            Template::Binary(expr) => {
                self.text("<<");
                self.expr(expr, PRIMARY);
                ">>"
            }
            Template::Map(field) => {
                self.text("#{");
                self.map_field(field);
                "}"
            }
        };
        self.text(" || ");
        self.separated(qualifiers, ", ", |printer, qualifier| match qualifier {
            Qualifier::Generator(generator) => printer.generator(generator),
            Qualifier::Zip(generators) => printer.separated(generators, " && ", Self::generator),
            Qualifier::Filter(expr) => printer.expr(expr, ANY),
        });
        self.text(close);
    }

    fn generator(&mut self, generator: &Generator) {
        let arrow = match (&generator.kind, generator.strict) {
            (GeneratorKind::Binary(_), false) => "<=",
            (GeneratorKind::Binary(_), true) => "<:=",
            (_, false) => "<-",
            (_, true) => "<:-",
        };
        match &generator.kind {
            GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => {
                self.expr(pattern, ANY)
            }
            GeneratorKind::Map(key, value) => {
                self.expr(key, ANY);
                self.text(" := ");
                self.expr(value, ANY);
            }
        }
        self.text(&format!(" {arrow} "));
        self.expr(&generator.source, ANY);
    }
}

/// The option as written.
pub(crate) fn segment_option(option: SegmentOption) -> String {
    match option {
        SegmentOption::Integer => "integer",
        SegmentOption::Float => "float",
        SegmentOption::Binary => "binary",
        SegmentOption::Bitstring => "bitstring",
        SegmentOption::Utf8 => "utf8",
        SegmentOption::Utf16 => "utf16",
        SegmentOption::Utf32 => "utf32",
        SegmentOption::Signed => "signed",
        SegmentOption::Unsigned => "unsigned",
        SegmentOption::Big => "big",
        SegmentOption::Little => "little",
        SegmentOption::Native => "native",
        SegmentOption::Unit(unit) => return format!("unit:{unit}"),
    }
    .to_string()
}

/// How tightly an expression binds.
fn level(expr: &Expr) -> u16 {
    match &expr.kind {
        ExprKind::Catch(_) | ExprKind::MaybeMatch { .. } => 1,
        ExprKind::Match { .. } => MATCH,
        ExprKind::Binary2 { op, .. } => op.level(),
        ExprKind::Unary { .. } => PREFIX,
        ExprKind::Integer(Integer::Small(value)) if *value < 0 => PREFIX,
        ExprKind::Float(value) if value.is_sign_negative() => PREFIX,
        ExprKind::Call { .. } => CALL,
        ExprKind::Map { .. }
        | ExprKind::Record { .. }
        | ExprKind::RecordAccess { .. }
        | ExprKind::RecordIndex { .. } => HASH,
        ExprKind::Comprehension { template, .. } if matches!(**template, Template::Map(_)) => HASH,
        ExprKind::Remote { .. } => REMOTE,
        _ => PRIMARY,
    }
}
