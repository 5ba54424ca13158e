//! What starts with `#`: maps and records, built, updated, read.

use super::{Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Sym, Tok};
use crate::tree::{Expr, ExprKind, Ident, MapField, RecordField, Template};
use foresee_text::Diagnostic;

impl Parser<'_> {
    /// The cursor is on `#`; `base` is what stands before it.
    pub(super) fn hash(&mut self, base: Option<Expr>, start: Span) -> Parsed<Expr> {
        self.bump();
        if self.is(Sym::BraceOpen) {
            return self.map(base.map(Box::new), start);
        }
        if *self.tok() == Tok::Poison {
            return self.unknown_record(base, start);
        }
        let name = self.ident("a record's name or `{` after `#`")?;
        if self.is(Sym::BraceOpen) {
            let fields = self.record_fields()?;
            let base = base.map(Box::new);
            return Ok(self.expr_from(start, ExprKind::Record { base, name, fields }));
        }
        if !self.eat(Sym::Dot) {
            return self.unexpected("`{` or `.` after a record's name");
        }
        let field = self.ident("a field's name")?;
        Ok(self.expr_from(
            start,
            match base {
                Some(base) => ExprKind::RecordAccess { base: Box::new(base), name, field },
                None => ExprKind::RecordIndex { name, field },
            },
        ))
    }

    /// `#?UNDEFINED{…}`: the macro was reported; read on.
    fn unknown_record(&mut self, base: Option<Expr>, start: Span) -> Parsed<Expr> {
        self.bump();
        if self.is(Sym::BraceOpen) {
            self.record_fields()?;
        } else if self.eat(Sym::Dot) {
            self.ident("a field's name")?;
        }
        drop(base);
        Ok(self.expr_from(start, ExprKind::Error))
    }

    fn map(&mut self, base: Option<Box<Expr>>, start: Span) -> Parsed<Expr> {
        self.open_sym(Sym::BraceOpen, Sym::BraceClose);
        let mut fields = Vec::new();
        if !self.is(Sym::BraceClose) {
            fields.push(self.nested(true, Self::map_field)?);
            if self.is(Sym::Bars) && base.is_none() {
                let template = Template::Map(fields.pop().expect("just read"));
                return self.comprehension(start, template, Sym::BraceClose);
            }
            while self.eat(Sym::Comma) {
                fields.push(self.nested(true, Self::map_field)?);
            }
        }
        self.close(Sym::BraceClose)?;
        Ok(self.expr_from(start, ExprKind::Map { base, fields }))
    }

    fn map_field(&mut self) -> Parsed<MapField> {
        let key = self.expression()?;
        let exact = match self.tok() {
            Tok::Sym(Sym::Assign) => true,
            Tok::Sym(Sym::FatArrow) => false,
            _ => return self.no_map_arrow(&key),
        };
        self.bump();
        let value = self.expression()?;
        let span = key.span.to(self.previous_span());
        Ok(MapField { key, value, exact, span })
    }

    fn no_map_arrow<T>(&mut self, key: &Expr) -> Parsed<T> {
        let ExprKind::Match { .. } = key.kind else {
            return self.unexpected("`=>` or `:=` after a map's key");
        };
        let problem = "a map's key and value are joined by `=>`, not `=`";
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, key.span, problem)
            .help("`#{key => Value}` builds a map, `#name{field = Value}` a record");
        Err(self.report(diagnostic))
    }

    fn record_fields(&mut self) -> Parsed<Vec<RecordField>> {
        self.open_sym(Sym::BraceOpen, Sym::BraceClose);
        let mut fields = Vec::new();
        while !self.is(Sym::BraceClose) {
            let name = match self.tok() {
                Tok::Var(name) => Ident { name: name.clone(), span: self.bump().span },
                _ => self.ident("a field's name")?,
            };
            self.expect(Sym::Match, "between a field and its value")?;
            let value = self.nested(false, Self::expression)?;
            fields.push(RecordField { name, value });
            if !self.eat(Sym::Comma) {
                break;
            }
            if self.is(Sym::BraceClose) {
                return self.no_expression().map(|_: Expr| Vec::new());
            }
        }
        self.close(Sym::BraceClose)?;
        Ok(fields)
    }
}
