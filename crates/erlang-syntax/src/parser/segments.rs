//! Segments of binaries: `Value:Size/type-sign-endian-unit:N`.

use super::{Parsed, Parser};
use crate::codes;
use crate::diagnostic::nearest;
use crate::name::Name;
use crate::source::Span;
use crate::token::{Sym, Tok};
use crate::tree::{Expr, ExprKind, Segment, SegmentOption};
use foresee_text::Diagnostic;

const OPTIONS: &[(&str, SegmentOption)] = &[
    ("integer", SegmentOption::Integer),
    ("float", SegmentOption::Float),
    ("binary", SegmentOption::Binary),
    ("bytes", SegmentOption::Binary),
    ("bitstring", SegmentOption::Bitstring),
    ("bits", SegmentOption::Bitstring),
    ("utf8", SegmentOption::Utf8),
    ("utf16", SegmentOption::Utf16),
    ("utf32", SegmentOption::Utf32),
    ("signed", SegmentOption::Signed),
    ("unsigned", SegmentOption::Unsigned),
    ("big", SegmentOption::Big),
    ("little", SegmentOption::Little),
    ("native", SegmentOption::Native),
];

impl Parser<'_> {
    pub(super) fn segment(&mut self) -> Parsed<Segment> {
        self.inside(Self::one_segment)
    }

    fn one_segment(&mut self) -> Parsed<Segment> {
        let start = self.span();
        let value = self.segment_value()?;
        let size = if self.eat(Sym::Colon) { Some(self.primary()?) } else { None };
        let mut options = Vec::new();
        if self.eat(Sym::Slash) {
            loop {
                let option = self.segment_option()?;
                self.check_repeated(&options, option);
                options.push(option);
                if !self.eat(Sym::Minus) {
                    break;
                }
            }
        }
        Ok(Segment { value, size, options, span: start.to(self.previous_span()) })
    }

    fn segment_value(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let Some(op) = super::exprs::prefix_op(self.tok()) else {
            // A comprehension's template may be any record or map expression, too.
            return if self.is(Sym::Hash) { self.postfix() } else { self.primary() };
        };
        self.bump();
        let operand = Box::new(self.primary()?);
        Ok(self.expr_from(start, ExprKind::Unary { op, operand }))
    }

    fn segment_option(&mut self) -> Parsed<SegmentOption> {
        let Some(name) = self.tok().atom() else {
            return self.unexpected("the type of a binary segment");
        };
        let span = self.bump().span;
        if name == "unit" {
            return self.unit(span);
        }
        match OPTIONS.iter().find(|(text, _)| name == text) {
            Some((_, option)) => Ok(*option),
            None => {
                self.unknown_option(name, span);
                Ok(SegmentOption::Integer)
            }
        }
    }

    fn unit(&mut self, span: Span) -> Parsed<SegmentOption> {
        self.expect(Sym::Colon, "after `unit`")?;
        let value = match self.tok() {
            Tok::Integer(value) => value.to_i64().filter(|value| (1..=256).contains(value)),
            _ => return self.unexpected("a number after `unit:`"),
        };
        let span = span.to(self.bump().span);
        if value.is_none() {
            let problem = "the unit of a segment lies between 1 and 256";
            let diagnostic = Diagnostic::error(codes::BAD_SEGMENT, span, problem);
            self.report_at(self.at - 1, diagnostic);
        }
        Ok(SegmentOption::Unit(value.unwrap_or(1) as u16))
    }

    fn unknown_option(&mut self, name: &Name, span: Span) {
        let near = nearest(name, OPTIONS.iter().map(|(text, _)| *text));
        let help = match near {
            Some(near) => format!("there is `{near}`"),
            None => "for example `integer`, `binary`, `float`, `utf8`, `little`, `signed`".into(),
        };
        let problem = format!("`{name}` is no type, sign or endianness of a segment");
        let diagnostic = Diagnostic::error(codes::BAD_SEGMENT, span, problem).help(help);
        self.report_at(self.at - 1, diagnostic);
    }

    fn check_repeated(&mut self, before: &[SegmentOption], option: SegmentOption) {
        let group = |option: &SegmentOption| match option {
            SegmentOption::Signed | SegmentOption::Unsigned => 1,
            SegmentOption::Big | SegmentOption::Little | SegmentOption::Native => 2,
            SegmentOption::Unit(_) => 3,
            _ => 0,
        };
        let clash = before.iter().any(|other| group(other) == group(&option) && *other != option);
        if clash {
            let problem = "this option contradicts an earlier one of the same segment";
            let diagnostic = Diagnostic::error(codes::BAD_SEGMENT, self.previous_span(), problem);
            self.report_at(self.at - 1, diagnostic);
        }
    }
}
