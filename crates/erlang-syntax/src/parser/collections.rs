//! Lists, binaries and the comprehensions over them.

use super::{Parsed, Parser};
use crate::token::{Sym, Tok};
use crate::tree::{Expr, ExprKind, Generator, GeneratorKind, Qualifier, Template};

impl Parser<'_> {
    pub(super) fn list(&mut self) -> Parsed<Expr> {
        let start = self.open_sym(Sym::ListOpen, Sym::ListClose);
        let mut elements = Vec::new();
        let mut tail = None;
        if !self.is(Sym::ListClose) {
            elements.push(self.nested(true, Self::expression)?);
            if self.is(Sym::Bars) {
                let template = Template::List(elements.pop().expect("just read"));
                return self.comprehension(start, template, Sym::ListClose);
            }
            while self.eat(Sym::Comma) {
                elements.push(self.nested(false, Self::expression)?);
            }
            if self.eat(Sym::Bar) {
                tail = Some(Box::new(self.nested(false, Self::expression)?));
            }
        }
        self.close(Sym::ListClose)?;
        Ok(self.expr_from(start, ExprKind::List { elements, tail }))
    }

    pub(super) fn binary(&mut self) -> Parsed<Expr> {
        let start = self.open_sym(Sym::BinaryOpen, Sym::BinaryClose);
        let mut segments = Vec::new();
        if !self.is(Sym::BinaryClose) {
            segments.push(self.nested(true, Self::segment)?);
            if self.is(Sym::Bars) {
                let template = segments.pop().expect("just read").value;
                return self.comprehension(start, Template::Binary(template), Sym::BinaryClose);
            }
            while self.eat(Sym::Comma) {
                segments.push(self.nested(false, Self::segment)?);
            }
        }
        self.close(Sym::BinaryClose)?;
        Ok(self.expr_from(start, ExprKind::Binary(segments)))
    }

    /// The part after the template, from `||` to the closing bracket.
    pub(super) fn comprehension(
        &mut self,
        start: crate::source::Span,
        template: Template,
        closer: Sym,
    ) -> Parsed<Expr> {
        self.bump();
        let mut qualifiers = vec![self.nested(true, Self::qualifier)?];
        while self.eat(Sym::Comma) {
            qualifiers.push(self.nested(true, Self::qualifier)?);
        }
        self.close(closer)?;
        let template = Box::new(template);
        Ok(self.expr_from(start, ExprKind::Comprehension { template, qualifiers }))
    }

    fn qualifier(&mut self) -> Parsed<Qualifier> {
        let first = match self.generator_or_filter()? {
            Err(filter) => return Ok(Qualifier::Filter(filter)),
            Ok(generator) => generator,
        };
        if !self.is(Sym::Zip) {
            return Ok(Qualifier::Generator(Box::new(first)));
        }
        let mut generators = vec![first];
        while self.eat(Sym::Zip) {
            match self.generator_or_filter()? {
                Ok(generator) => generators.push(generator),
                Err(_) => return self.unexpected("a generator after `&&`"),
            }
        }
        Ok(Qualifier::Zip(generators))
    }

    fn generator_or_filter(&mut self) -> Parsed<Result<Generator, Expr>> {
        let start = self.span();
        let left = self.expression()?;
        let mut value = None;
        if self.eat(Sym::Assign) {
            value = Some(self.expression()?);
        }
        let (binary, strict) = match self.tok() {
            Tok::Sym(Sym::LeftArrow) => (false, false),
            Tok::Sym(Sym::StrictArrow) => (false, true),
            Tok::Sym(Sym::LeftDouble) => (true, false),
            Tok::Sym(Sym::StrictBinaryArrow) => (true, true),
            _ if value.is_some() => {
                return self.unexpected("`<-` after the pattern of a map generator");
            }
            _ => return Ok(Err(left)),
        };
        self.bump();
        let source = self.expression()?;
        let kind = match value {
            Some(value) => GeneratorKind::Map(left, value),
            None if binary => GeneratorKind::Binary(left),
            None => GeneratorKind::List(left),
        };
        let span = start.to(self.previous_span());
        Ok(Ok(Generator { kind, source, strict, span }))
    }
}
