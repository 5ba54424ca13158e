//! Expressions in Erlang's abstract format.

use super::Writer;
use crate::print::float;
use crate::tree::*;

impl Writer<'_> {
    pub(super) fn exprs(&mut self, exprs: &[Expr]) {
        self.list(exprs, Self::expr);
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        let line = self.expr_line(expr);
        match &expr.kind {
            ExprKind::Var(name) => return self.var_node(name, line),
            ExprKind::Atom(name) => return self.atom_node(name, line),
            ExprKind::Integer(value) => {
                self.open("integer", line);
                self.text(&value.to_string());
            }
            ExprKind::Float(value) => {
                self.open("float", line);
                self.text(&float(*value));
            }
            ExprKind::Char(value) => {
                self.open("char", line);
                self.text(&(*value as u32).to_string());
            }
            ExprKind::String(text) => {
                self.open("string", line);
                self.code_points(text);
            }
            ExprKind::Tuple(elements) => {
                self.open("tuple", line);
                self.exprs(elements);
            }
            ExprKind::List { elements, tail } => {
                let nil = match tail {
                    None if elements.is_empty() => line,
                    _ => self.last_line(expr.span),
                };
                return self.cons(elements, tail.as_deref(), line, nil);
            }
            ExprKind::Binary(segments) => {
                self.open("bin", line);
                self.list(segments, Self::segment);
            }
            ExprKind::Map { base, fields } => {
                self.open("map", line);
                self.base(base.as_deref());
                self.list(fields, Self::map_field);
            }
            ExprKind::Record { base, name, fields } => {
                self.open("record", line);
                self.base(base.as_deref());
                self.atom(&name.name);
                self.text(",");
                self.list(fields, Self::record_field);
            }
            ExprKind::RecordAccess { base, name, field } => {
                self.open("record_field", line);
                self.base(Some(base));
                self.atom(&name.name);
                self.text(",");
                let line = self.line(field.span);
                self.atom_node(&field.name, line);
            }
            ExprKind::RecordIndex { name, field } => {
                self.open("record_index", line);
                self.atom(&name.name);
                self.text(",");
                let line = self.line(field.span);
                self.atom_node(&field.name, line);
            }
            ExprKind::Unary { op, operand } => {
                self.open("op", line);
                self.text(&crate::print::atom(op.text()));
                self.text(",");
                self.expr(operand);
            }
            ExprKind::Binary2 { op, left, right, .. } => {
                self.open("op", line);
                self.text(&crate::print::atom(op.text()));
                self.text(",");
                self.pair(left, right);
            }
            ExprKind::Match { pattern, value } => {
                self.open("match", line);
                self.pair(pattern, value);
            }
            ExprKind::MaybeMatch { pattern, value } => {
                self.open("maybe_match", line);
                self.pair(pattern, value);
            }
            ExprKind::Call { target, args } => {
                self.open("call", line);
                self.expr(target);
                self.text(",");
                self.exprs(args);
            }
            ExprKind::Remote { module, function } => {
                self.open("remote", line);
                self.pair(module, function);
            }
            ExprKind::FunLocal { name, arity } => {
                self.open("'fun'", line);
                self.text("{function,");
                self.atom(&name.name);
                self.text(&format!(",{arity}}}"));
            }
            ExprKind::FunRemote { module, function, arity } => {
                self.open("'fun'", line);
                self.text("{function,");
                self.pair(module, function);
                self.text(",");
                self.expr(arity);
                self.text("}");
            }
            ExprKind::Fun { name: None, clauses } => {
                self.open("'fun'", line);
                self.text("{clauses,");
                self.list(clauses, Self::clause);
                self.text("}");
            }
            ExprKind::Fun { name: Some(name), clauses } => {
                self.open("named_fun", line);
                self.text(&crate::print::atom(&name.name));
                self.text(",");
                self.list(clauses, Self::clause);
            }
            ExprKind::Comprehension { template, qualifiers } => {
                match &**template {
                    Template::List(expr) => {
                        self.open("lc", line);
                        self.expr(expr);
                    }
                    Template::Binary(expr) => {
                        self.open("bc", line);
                        self.expr(expr);
                    }
                    Template::Map(field) => {
                        self.open("mc", line);
                        self.map_field(field);
                    }
                }
                self.text(",");
                self.list(qualifiers, Self::qualifier);
            }
            ExprKind::Block(body) => {
                self.open("block", line);
                self.exprs(body);
            }
            ExprKind::If(clauses) => {
                self.open("'if'", line);
                self.list(clauses, Self::clause);
            }
            ExprKind::Case { subject, clauses } => {
                self.open("'case'", line);
                self.expr(subject);
                self.text(",");
                self.list(clauses, Self::clause);
            }
            ExprKind::Receive { clauses, after } => {
                self.open("'receive'", line);
                self.list(clauses, Self::clause);
                if let Some(after) = after {
                    self.text(",");
                    self.expr(&after.timeout);
                    self.text(",");
                    self.exprs(&after.body);
                }
            }
            ExprKind::Try(parts) => {
                self.open("'try'", line);
                self.exprs(&parts.body);
                self.text(",");
                self.list(&parts.of, Self::clause);
                self.text(",");
                self.list(&parts.catch, Self::catch_clause);
                self.text(",");
                self.exprs(&parts.after);
            }
            ExprKind::Catch(inner) => {
                self.open("'catch'", line);
                self.expr(inner);
            }
            ExprKind::Maybe { body, otherwise } => {
                self.open("'maybe'", line);
                self.exprs(body);
                if !otherwise.is_empty() {
                    self.text(",{'else',0,");
                    self.list(otherwise, Self::clause);
                    self.text("}");
                }
            }
            ExprKind::Error => self.text(&format!("{{error,{line}")),
        }
        self.text("}");
    }

    /// The line Erlang gives a node: that of an operator, of the `#` after a base, else of the first token.
    fn expr_line(&self, expr: &Expr) -> u32 {
        match &expr.kind {
            ExprKind::Binary2 { op_span, .. } => self.line(*op_span),
            ExprKind::Map { base: Some(base), .. } | ExprKind::Record { base: Some(base), .. } => {
                self.line_behind(base)
            }
            ExprKind::RecordAccess { base, .. } => self.line_behind(base),
            ExprKind::Remote { module, .. } => self.line_behind(module),
            _ => self.line(expr.span),
        }
    }

    fn pair(&mut self, left: &Expr, right: &Expr) {
        self.expr(left);
        self.text(",");
        self.expr(right);
    }

    fn base(&mut self, base: Option<&Expr>) {
        if let Some(base) = base {
            self.expr(base);
            self.text(",");
        }
    }

    fn cons(&mut self, elements: &[Expr], tail: Option<&Expr>, line: u32, nil: u32) {
        for (at, element) in elements.iter().enumerate() {
            let line = if at == 0 { line } else { self.line(element.span) };
            self.open("cons", line);
            self.expr(element);
            self.text(",");
        }
        match tail {
            Some(tail) => self.expr(tail),
            None => self.text(&format!("{{nil,{nil}}}")),
        }
        self.text(&"}".repeat(elements.len()));
    }

    fn segment(&mut self, segment: &Segment) {
        let line = self.expr_line(&segment.value);
        self.open("bin_element", line);
        self.expr(&segment.value);
        self.text(",");
        match &segment.size {
            Some(size) => self.expr(size),
            None => self.text("default"),
        }
        self.text(",");
        if segment.options.is_empty() {
            self.text("default");
        } else {
            self.list(&segment.options, |writer, option| {
                writer.text(&match option {
                    SegmentOption::Unit(unit) => format!("{{unit,{unit}}}"),
                    option => crate::print::segment_option(*option),
                });
            });
        }
        self.text("}");
    }

    fn map_field(&mut self, field: &MapField) {
        let line = self.expr_line(&field.key);
        self.open(if field.exact { "map_field_exact" } else { "map_field_assoc" }, line);
        self.pair(&field.key, &field.value);
        self.text("}");
    }

    fn record_field(&mut self, field: &RecordField) {
        let line = self.line(field.name.span);
        self.open("record_field", line);
        if field.name.name == "_" {
            self.var_node("_", line);
        } else {
            self.atom_node(&field.name.name, line);
        }
        self.text(",");
        self.expr(&field.value);
        self.text("}");
    }

    fn qualifier(&mut self, qualifier: &Qualifier) {
        match qualifier {
            Qualifier::Filter(expr) => self.expr(expr),
            Qualifier::Generator(generator) => self.generator(generator),
            Qualifier::Zip(generators) => {
                self.text("{zip,0,");
                self.list(generators, Self::generator);
                self.text("}");
            }
        }
    }

    fn generator(&mut self, generator: &Generator) {
        let line = self.line(generator.span);
        let strict = if generator.strict { "_strict" } else { "" };
        match &generator.kind {
            GeneratorKind::List(pattern) => {
                self.open(&format!("generate{strict}"), line);
                self.expr(pattern);
            }
            GeneratorKind::Binary(pattern) => {
                self.open(&format!("b_generate{strict}"), line);
                self.expr(pattern);
            }
            GeneratorKind::Map(key, value) => {
                self.open(&format!("m_generate{strict}"), line);
                self.text(&format!("{{map_field_exact,{line},"));
                self.pair(key, value);
                self.text("}");
            }
        }
        self.text(",");
        self.expr(&generator.source);
        self.text("}");
    }

    pub(super) fn clause(&mut self, clause: &Clause) {
        let line = self.line(clause.span);
        self.open("clause", line);
        self.exprs(&clause.patterns);
        self.guard_and_body(&clause.guard, &clause.body);
    }

    fn guard_and_body(&mut self, guard: &[Vec<Expr>], body: &[Expr]) {
        self.text(",");
        self.list(guard, |writer, all| writer.exprs(all));
        self.text(",");
        self.exprs(body);
        self.text("}");
    }

    fn catch_clause(&mut self, clause: &CatchClause) {
        let line = self.line(clause.span);
        self.open("clause", line);
        self.text("[");
        self.open("tuple", line);
        self.text("[");
        match &clause.class {
            Some(class) => self.expr(class),
            None => self.atom_node("throw", line),
        }
        self.text(",");
        self.expr(&clause.pattern);
        self.text(",");
        match &clause.stack {
            Some(stack) => {
                let line = self.line(stack.span);
                self.var_node(&stack.name, line);
            }
            None => self.var_node("_", line),
        }
        self.text("]}]");
        self.guard_and_body(&clause.guard, &clause.body);
    }
}
