//! Attributes: `-module`, `-export`, `-record`, types and specs, and any other `-name(term).`

use super::{Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{
    Expr, ExprKind, FormKind, FunctionName, Ident, RecordDef, RecordFieldDef, Spec, TypeDef,
};
use foresee_text::Diagnostic;

impl Parser<'_> {
    pub(super) fn attribute(&mut self) -> Parsed<FormKind> {
        self.bump();
        let name = match self.tok() {
            Tok::Keyword(keyword) => Ident { name: keyword.text().into(), span: self.bump().span },
            _ => self.ident("the name of an attribute after `-`")?,
        };
        match name.name.as_str() {
            "spec" | "callback" => self.parenthesised_or_bare(|parser| parser.spec(name)),
            "type" | "opaque" | "nominal" => {
                self.parenthesised_or_bare(|parser| parser.type_def(name))
            }
            "record" => self.record_def(),
            _ => self.plain_attribute(name),
        }
    }

    /// `-spec f() -> t.` and `-spec(f() -> t).` mean the same.
    fn parenthesised_or_bare(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<FormKind>,
    ) -> Parsed<FormKind> {
        if !self.is(Sym::Open) {
            return read(self);
        }
        self.open_sym(Sym::Open, Sym::Close);
        let kind = read(self)?;
        self.close(Sym::Close)?;
        Ok(kind)
    }

    fn plain_attribute(&mut self, name: Ident) -> Parsed<FormKind> {
        if *self.tok() == Tok::Dot {
            return Ok(FormKind::Attribute { name, value: None });
        }
        let start = self.span();
        let mut values =
            if self.is(Sym::Open) { self.arguments()? } else { vec![self.expression()?] };
        let span = start.to(self.previous_span());
        if *self.tok() != Tok::Dot && self.reported_at != Some(self.at) {
            self.end_of_form()?;
        }
        match name.name.as_str() {
            "module" => self.module_name(&name, &values, span).map(FormKind::Module),
            "behaviour" | "behavior" => {
                self.module_name(&name, &values, span).map(FormKind::Behaviour)
            }
            "export" => Ok(FormKind::Export(self.name_list(&name, values.first(), span)?)),
            "export_type" => {
                Ok(FormKind::ExportType(self.name_list(&name, values.first(), span)?))
            }
            "optional_callbacks" => {
                Ok(FormKind::OptionalCallbacks(self.name_list(&name, values.first(), span)?))
            }
            "import" => self.import(&name, &values, span),
            "file" => self.file_attribute(&name, &values, span),
            _ => {
                let value = match values.len() {
                    1 => values.pop(),
                    _ => Some(Expr { kind: ExprKind::Tuple(values), span }),
                };
                Ok(FormKind::Attribute { name, value })
            }
        }
    }

    fn module_name(&mut self, attribute: &Ident, values: &[Expr], span: Span) -> Parsed<Ident> {
        match values.first().map(|value| (&value.kind, value.span)) {
            Some((ExprKind::Atom(name), span)) => Ok(Ident { name: name.clone(), span }),
            Some((ExprKind::Error, _)) => Err(super::Reported),
            _ => self.bad_attribute(attribute, span, "the name of a module", "(name)"),
        }
    }

    fn import(&mut self, name: &Ident, values: &[Expr], span: Span) -> Parsed<FormKind> {
        let module = self.module_name(name, values, span)?;
        let names = match values.get(1) {
            Some(list) => self.name_list(name, Some(list), span)?,
            None => Vec::new(),
        };
        Ok(FormKind::Import { module, names })
    }

    fn file_attribute(&mut self, name: &Ident, values: &[Expr], span: Span) -> Parsed<FormKind> {
        match values {
            [
                Expr { kind: ExprKind::String(path), .. },
                Expr { kind: ExprKind::Integer(line), .. },
            ] => {
                let line = line.to_i64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
                Ok(FormKind::File { path: path.to_string(), line })
            }
            _ => self.bad_attribute(name, span, "a file and a line", "(\"file.erl\", 1)"),
        }
    }

    /// `[f/1, g/2]`
    fn name_list(
        &mut self,
        attribute: &Ident,
        value: Option<&Expr>,
        span: Span,
    ) -> Parsed<Vec<FunctionName>> {
        let Some(Expr { kind: ExprKind::List { elements, tail: None }, .. }) = value else {
            if value.is_some_and(|value| matches!(value.kind, ExprKind::Error)) {
                return Err(super::Reported);
            }
            return self.bad_attribute(attribute, span, "a list of names", "([name/1, other/2])");
        };
        let mut names = Vec::new();
        for element in elements {
            match function_name(element) {
                Some(name) => names.push(name),
                None if matches!(element.kind, ExprKind::Error) => {}
                None => {
                    let problem = format!("`-{}` lists `name/arity`", attribute.name);
                    let help = match &element.kind {
                        ExprKind::Atom(name) => {
                            Some(format!("add the number of arguments, for example `{name}/1`"))
                        }
                        _ => None,
                    };
                    self.diagnostics.push(
                        Diagnostic::error(codes::BAD_ATTRIBUTE, element.span, problem)
                            .label("not of the form `name/arity`")
                            .help_if(help),
                    );
                }
            }
        }
        Ok(names)
    }

    fn bad_attribute<T>(
        &mut self,
        name: &Ident,
        span: Span,
        wanted: &str,
        example: &str,
    ) -> Parsed<T> {
        let problem = format!("`-{}` needs {wanted}", name.name);
        let example = if name.name == "import" { "(module, [name/1])" } else { example };
        let help = format!("for example `-{}{example}.`", name.name);
        self.diagnostics.push(Diagnostic::error(codes::BAD_ATTRIBUTE, span, problem).help(help));
        Err(super::Reported)
    }

    /// `-record(name, {fields}).`
    fn record_def(&mut self) -> Parsed<FormKind> {
        let parenthesised = self.is(Sym::Open);
        if parenthesised {
            self.open_sym(Sym::Open, Sym::Close);
        }
        let name = self.ident("the record's name")?;
        self.expect(Sym::Comma, "after the record's name")?;
        if !self.is(Sym::BraceOpen) {
            return self.unexpected("`{` and the record's fields");
        }
        self.open_sym(Sym::BraceOpen, Sym::BraceClose);
        let mut fields = Vec::new();
        while !self.is(Sym::BraceClose) {
            fields.push(self.field_def()?);
            if !self.eat(Sym::Comma) {
                break;
            }
            if self.is(Sym::BraceClose) {
                return self.no_expression();
            }
        }
        self.close(Sym::BraceClose)?;
        if parenthesised {
            self.close(Sym::Close)?;
        }
        Ok(FormKind::Record(RecordDef { name, fields }))
    }

    fn field_def(&mut self) -> Parsed<RecordFieldDef> {
        let name = self.ident("a field's name")?;
        let default = match self.eat(Sym::Match) {
            true => Some(self.nested(false, Self::expression)?),
            false => None,
        };
        let ty = if self.eat(Sym::Colons) { Some(self.ty()?) } else { None };
        Ok(RecordFieldDef { name, default, ty })
    }

    fn type_def(&mut self, keyword: Ident) -> Parsed<FormKind> {
        let name = self.ident("the type's name")?;
        self.expect(Sym::Open, "and the type's parameters")?;
        let mut params = Vec::new();
        while let Tok::Var(param) = self.tok() {
            params.push(Ident { name: param.clone(), span: self.bump().span });
            if !self.eat(Sym::Comma) {
                break;
            }
        }
        self.expect(Sym::Close, "after the type's parameters")?;
        self.expect(Sym::Colons, "before what the type stands for")?;
        let ty = self.ty()?;
        Ok(FormKind::Type(TypeDef { keyword, name, params, ty }))
    }

    fn spec(&mut self, keyword: Ident) -> Parsed<FormKind> {
        let mut name = self.ident("the function's name")?;
        let mut module = None;
        if self.eat(Sym::Colon) {
            module = Some(name);
            name = self.ident("the function's name after `:`")?;
        }
        let mut clauses = vec![self.fun_type(true)?];
        while self.eat(Sym::Semicolon) {
            clauses.push(self.fun_type(true)?);
        }
        let arity = clauses[0].params.as_ref().map_or(0, Vec::len) as u32;
        if self.is_keyword(Keyword::When) {
            return self.unexpected("`;` or `.`");
        }
        Ok(FormKind::Spec(Spec { keyword, module, name, arity, clauses }))
    }
}

fn function_name(expr: &Expr) -> Option<FunctionName> {
    let ExprKind::Binary2 { op: crate::tree::BinaryOp::Divide, left, right, .. } = &expr.kind
    else {
        return None;
    };
    let ExprKind::Integer(arity) = &right.kind else { return None };
    let arity = u32::try_from(arity.to_i64()?).ok()?;
    Some(FunctionName { name: left.as_atom()?.clone(), arity, span: expr.span })
}
