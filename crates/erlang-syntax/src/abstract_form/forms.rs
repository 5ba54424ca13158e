//! Attributes, records and functions in Erlang's abstract format.

use super::Writer;
use crate::tree::*;

impl Writer<'_> {
    /// Writes a form; false for those that are left out.
    pub(super) fn form(&mut self, form: &Form) -> bool {
        let line = self.line(form.span);
        match &form.kind {
            FormKind::File { .. } => return false,
            FormKind::Module(name) => {
                self.attribute(line, "module");
                self.atom(&name.name);
            }
            FormKind::Behaviour(name) => {
                self.attribute(line, "behaviour");
                self.atom(&name.name);
            }
            FormKind::Export(names) => self.names(line, "export", names),
            FormKind::ExportType(names) => self.names(line, "export_type", names),
            FormKind::OptionalCallbacks(names) => self.names(line, "optional_callbacks", names),
            FormKind::Import { module, names } => {
                self.attribute(line, "import");
                self.text("{");
                self.atom(&module.name);
                self.text(",");
                self.list(names, Self::name);
                self.text("}");
            }
            FormKind::Record(record) => {
                self.attribute(line, "record");
                self.text("{");
                self.atom(&record.name.name);
                self.text(",");
                self.list(&record.fields, Self::field_def);
                self.text("}");
            }
            FormKind::Type(def) => {
                self.attribute(line, &def.keyword.name);
                self.text("{");
                self.atom(&def.name.name);
                self.text(",");
                self.ty(&def.ty);
                self.text(",");
                self.list(&def.params, |writer, param| writer.var_node(&param.name, 0));
                self.text("}");
            }
            FormKind::Spec(spec) => self.spec(line, spec),
            FormKind::Attribute { name, value } => {
                self.attribute(line, &name.name);
                match value {
                    Some(value) => self.term(value),
                    None => self.text("[]"),
                }
            }
            FormKind::Function(function) => {
                self.open("function", line);
                self.atom(&function.name.name);
                self.text(&format!(",{},", function.arity));
                self.list(&function.clauses, Self::clause);
            }
        }
        self.text("}");
        true
    }

    fn attribute(&mut self, line: u32, name: &str) {
        self.open("attribute", line);
        self.atom(name);
        self.text(",");
    }

    fn names(&mut self, line: u32, attribute: &str, names: &[FunctionName]) {
        self.attribute(line, attribute);
        self.list(names, Self::name);
    }

    fn name(&mut self, name: &FunctionName) {
        self.text("{");
        self.atom(&name.name);
        self.text(&format!(",{}}}", name.arity));
    }

    fn field_def(&mut self, field: &RecordFieldDef) {
        if field.ty.is_some() {
            self.text("{typed_record_field,");
        }
        let line = self.line(field.name.span);
        self.open("record_field", line);
        self.atom_node(&field.name.name, line);
        if let Some(default) = &field.default {
            self.text(",");
            self.expr(default);
        }
        self.text("}");
        if let Some(ty) = &field.ty {
            self.text(",");
            self.ty(ty);
            self.text("}");
        }
    }

    fn spec(&mut self, line: u32, spec: &Spec) {
        self.attribute(line, &spec.keyword.name);
        self.text("{{");
        if let Some(module) = &spec.module {
            self.atom(&module.name);
            self.text(",");
        }
        self.atom(&spec.name.name);
        self.text(&format!(",{}}},", spec.arity));
        self.list(&spec.clauses, Self::fun_type);
        self.text("}");
    }

    /// An attribute's value as a term: `f/1` is `{f,1}`, strings are lists.
    fn term(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Atom(name) => self.atom(name),
            ExprKind::Integer(value) => self.text(&value.to_string()),
            ExprKind::Float(value) => self.text(&crate::print::float(*value)),
            ExprKind::Char(value) => self.text(&(*value as u32).to_string()),
            ExprKind::String(text) => self.code_points(text),
            ExprKind::Tuple(elements) => {
                self.text("{");
                self.terms(elements);
                self.text("}");
            }
            ExprKind::List { elements, tail } => {
                self.text("[");
                self.terms(elements);
                if let Some(tail) = tail {
                    self.text("|");
                    self.term(tail);
                }
                self.text("]");
            }
            ExprKind::Map { base: None, fields } => {
                self.text("#{");
                for (at, field) in fields.iter().enumerate() {
                    self.text(if at > 0 { "," } else { "" });
                    self.term(&field.key);
                    self.text(" => ");
                    self.term(&field.value);
                }
                self.text("}");
            }
            ExprKind::Unary { op, operand } => {
                self.text(op.text());
                self.term(operand);
            }
            ExprKind::Binary2 { op: BinaryOp::Divide, left, right, .. } => {
                self.text("{");
                self.term(left);
                self.text(",");
                self.term(right);
                self.text("}");
            }
            _ => self.text(&crate::print::print_expr(expr)),
        }
    }

    fn terms(&mut self, exprs: &[Expr]) {
        for (at, expr) in exprs.iter().enumerate() {
            self.text(if at > 0 { "," } else { "" });
            self.term(expr);
        }
    }
}
