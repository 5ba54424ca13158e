//! Expressions: every variable has a value, every local function exists.

use super::scope::Binding;
use super::{Checker, RemoteCall};
use crate::codes;
use crate::diagnostic::nearest;
use crate::name::Name;
use crate::source::Span;
use crate::tree::*;
use foresee_text::Diagnostic;

impl Checker<'_> {
    pub(super) fn body(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(name) => self.variable(name, expr.span),
            ExprKind::Tuple(elements) => self.parallel(elements.iter()),
            ExprKind::List { elements, tail } => {
                self.parallel(elements.iter().chain(tail.as_deref()));
            }
            ExprKind::Binary(segments) => {
                self.parallel(
                    segments.iter().flat_map(|part| std::iter::once(&part.value).chain(&part.size)),
                );
            }
            ExprKind::Map { base, fields } => {
                let fields = fields.iter().flat_map(|field| [&field.key, &field.value]);
                self.parallel(base.as_deref().into_iter().chain(fields));
            }
            ExprKind::Record { base, name, fields } => {
                let record = self.record(name);
                fields.iter().for_each(|field| self.field(record, &field.name));
                let values = fields.iter().map(|field| &field.value);
                self.parallel(base.as_deref().into_iter().chain(values));
            }
            ExprKind::RecordAccess { base, name, field } => {
                let record = self.record(name);
                self.field(record, field);
                self.expr(base);
            }
            ExprKind::RecordIndex { name, field } => {
                let record = self.record(name);
                self.field(record, field);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary2 {
                op: op @ (BinaryOp::Andalso | BinaryOp::Orelse),
                left,
                right,
                ..
            } => {
                self.expr(left);
                self.perhaps(op.text(), expr.span, |checker| checker.expr(right));
            }
            ExprKind::Binary2 { left, right, .. } => self.parallel([&**left, &**right].into_iter()),
            ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
                self.expr(value);
                self.pattern(pattern);
            }
            ExprKind::Call { target, args } => self.call(target, args, expr.span),
            ExprKind::Remote { module, function } => {
                self.expr(module);
                self.expr(function);
            }
            ExprKind::FunLocal { name, arity } => {
                let problem = self.facts.check_call(&name.name, *arity, expr.span);
                self.diagnostics.extend(problem);
            }
            ExprKind::FunRemote { module, function, arity } => {
                self.parallel([&**module, &**function, &**arity].into_iter());
            }
            ExprKind::Fun { name, clauses } => self.fun(name.as_ref(), clauses),
            ExprKind::Comprehension { template, qualifiers } => {
                self.comprehension(template, qualifiers);
            }
            ExprKind::Block(body) => self.body(body),
            ExprKind::If(clauses) => self.branches(clauses, "if", expr.span),
            ExprKind::Case { subject, clauses } => {
                self.expr(subject);
                self.branches(clauses, "case", expr.span);
            }
            ExprKind::Receive { clauses, after } => {
                self.receive(clauses, after.as_deref(), expr.span)
            }
            ExprKind::Try(parts) => self.try_expr(parts, expr.span),
            ExprKind::Catch(inner) => {
                self.perhaps("catch", expr.span, |checker| checker.expr(inner))
            }
            ExprKind::Maybe { body, otherwise } => self.maybe(body, otherwise, expr.span),
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Error => {}
        }
    }

    fn variable(&mut self, name: &Name, span: Span) {
        match self.scope.get(name) {
            Some(Binding::Bound) => {}
            Some(Binding::Unsafe { construct, span: place }) => {
                self.unsafe_variable(name, span, construct, place);
            }
            None => {
                let near = nearest(name, self.scope.bound())
                    .map(|near| format!("there is a variable `{near}` with a similar name"));
                let problem = match name.as_str() {
                    "_" => "`_` has no value; it only stands in patterns".to_string(),
                    _ => format!("variable `{name}` has no value here"),
                };
                let diagnostic = Diagnostic::error(codes::UNBOUND_VARIABLE, span, problem);
                self.report(diagnostic.help_if(near));
                // One message per variable is enough.
                if name != "_" {
                    self.scope.set(name, Binding::Bound);
                }
            }
        }
    }

    pub(super) fn unsafe_variable(
        &mut self,
        name: &Name,
        span: Span,
        construct: &'static str,
        place: Span,
    ) {
        let problem = format!("variable `{name}` may have no value here");
        let block = matches!(construct, "case" | "if" | "receive" | "try" | "maybe");
        let help = match block {
            true => format!("let the `{construct}` return the value: `{name} = {construct} … end`"),
            false => format!("bind `{name}` before the `{construct}`"),
        };
        self.report(
            Diagnostic::error(codes::UNSAFE_VARIABLE, span, problem)
                .also(place, format!("not every way through this `{construct}` gives it a value"))
                .help(help),
        );
        self.scope.set(name, Binding::Bound);
    }

    /// Expressions evaluated in an unspecified order: none sees what another binds.
    pub(super) fn parallel<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) {
        let mut all = Vec::new();
        for expr in exprs {
            let mark = self.scope.mark();
            self.expr(expr);
            all.append(&mut self.scope.take(mark));
        }
        self.scope.restore(&all);
    }

    fn call(&mut self, target: &Expr, args: &[Expr], span: Span) {
        match &target.kind {
            ExprKind::Atom(name) => {
                let pseudo = name == "record_info" && args.len() == 2;
                if !pseudo {
                    let place = if span == target.span { span } else { target.span };
                    let problem = self.facts.check_call(name, args.len() as u32, place);
                    self.diagnostics.extend(problem);
                }
                self.parallel(args.iter());
            }
            ExprKind::Remote { module, function } => {
                if let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) {
                    let (module, function) = (module.clone(), function.clone());
                    let arity = args.len() as u32;
                    self.remote_calls.push(RemoteCall { module, function, arity, span });
                }
                self.parallel([&**module, &**function].into_iter().chain(args));
            }
            _ => self.parallel(std::iter::once(target).chain(args)),
        }
    }

    fn fun(&mut self, name: Option<&Ident>, clauses: &[Clause]) {
        let mark = self.scope.mark();
        if let Some(name) = name {
            self.scope.set(&name.name, Binding::Bound);
        }
        for clause in clauses {
            let mark = self.scope.mark();
            self.fresh_patterns(&clause.patterns);
            self.guard(&clause.guard);
            self.body(&clause.body);
            self.scope.take(mark);
        }
        self.scope.take(mark);
    }

    fn comprehension(&mut self, template: &Template, qualifiers: &[Qualifier]) {
        let mark = self.scope.mark();
        for qualifier in qualifiers {
            match qualifier {
                Qualifier::Filter(expr) => self.expr(expr),
                Qualifier::Generator(generator) => {
                    self.generators(std::slice::from_ref(&**generator))
                }
                Qualifier::Zip(generators) => self.generators(generators),
            }
        }
        match template {
            Template::List(expr) | Template::Binary(expr) => self.expr(expr),
            Template::Map(field) => self.parallel([&field.key, &field.value].into_iter()),
        }
        self.scope.take(mark);
    }

    fn generators(&mut self, generators: &[Generator]) {
        self.parallel(generators.iter().map(|generator| &generator.source));
        for generator in generators {
            match &generator.kind {
                GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => {
                    self.fresh_patterns(std::slice::from_ref(pattern));
                }
                GeneratorKind::Map(key, value) => {
                    self.fresh_patterns(std::slice::from_ref(key));
                    self.fresh_patterns(std::slice::from_ref(value));
                }
            }
        }
    }
}
