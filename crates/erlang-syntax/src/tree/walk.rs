//! Walking: the expressions directly inside an expression, and the receives of a module.
//! Why: what looks for one kind of expression should not have to know the shape of all the others.
//! Types and attributes hold no expressions that run, so they are not here.

use crate::source::Span;
use crate::tree::{
    Clause, Expr, ExprKind, Generator, GeneratorKind, MapField, Module, Qualifier, Template,
};

impl Expr {
    /// Calls `visit` with each expression directly inside this one, in the order of the text as far as that matters.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let mut all = |exprs: &'a [Expr]| exprs.iter().for_each(&mut *visit);
        match &self.kind {
            ExprKind::Tuple(parts) | ExprKind::Block(parts) => all(parts),
            ExprKind::List { elements, tail } => {
                all(elements);
                tail.iter().for_each(|tail| visit(tail));
            }
            ExprKind::Binary(segments) => segments.iter().for_each(|segment| {
                visit(&segment.value);
                segment.size.iter().for_each(&mut *visit);
            }),
            ExprKind::Map { base, fields } => {
                base.iter().for_each(|base| visit(base));
                fields.iter().for_each(|field| in_field(field, visit));
            }
            ExprKind::Record { base, fields, .. } => {
                base.iter().for_each(|base| visit(base));
                fields.iter().for_each(|field| visit(&field.value));
            }
            ExprKind::RecordAccess { base: inner, .. }
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Catch(inner) => visit(inner),
            ExprKind::Binary2 { left, right, .. } => {
                [left, right].into_iter().for_each(|side| visit(side));
            }
            ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
                [pattern, value].into_iter().for_each(|side| visit(side));
            }
            ExprKind::Call { target, args } => {
                visit(target);
                args.iter().for_each(visit);
            }
            ExprKind::Remote { module, function } => {
                [module, function].into_iter().for_each(|part| visit(part));
            }
            ExprKind::FunRemote { module, function, arity } => {
                [module, function, arity].into_iter().for_each(|part| visit(part));
            }
            ExprKind::Fun { clauses, .. } | ExprKind::If(clauses) => in_clauses(clauses, visit),
            ExprKind::Comprehension { template, qualifiers } => {
                match &**template {
                    Template::List(expr) | Template::Binary(expr) => visit(expr),
                    Template::Map(field) => in_field(field, visit),
                }
                qualifiers.iter().for_each(|qualifier| in_qualifier(qualifier, visit));
            }
            ExprKind::Case { subject, clauses } => {
                visit(subject);
                in_clauses(clauses, visit);
            }
            ExprKind::Receive { clauses, after } => {
                in_clauses(clauses, visit);
                after.iter().for_each(|after| {
                    visit(&after.timeout);
                    after.body.iter().for_each(&mut *visit);
                });
            }
            ExprKind::Try(parts) => {
                parts.body.iter().for_each(&mut *visit);
                in_clauses(&parts.of, visit);
                for clause in &parts.catch {
                    clause.class.iter().for_each(&mut *visit);
                    visit(&clause.pattern);
                    clause.guard.iter().flatten().for_each(&mut *visit);
                    clause.body.iter().for_each(&mut *visit);
                }
                parts.after.iter().for_each(visit);
            }
            ExprKind::Maybe { body, otherwise } => {
                body.iter().for_each(&mut *visit);
                in_clauses(otherwise, visit);
            }
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::RecordIndex { .. }
            | ExprKind::FunLocal { .. }
            | ExprKind::Error => {}
        }
    }
}

/// A `receive` of a module: where it is, and its clauses.
#[derive(Clone, Copy, Debug)]
pub struct Receive<'a> {
    /// The whole expression.
    pub span: Span,
    /// One for each pattern.
    pub clauses: &'a [Clause],
}

impl Module {
    /// Every `receive` in the module's functions, an outer one before those inside it.
    ///
    /// ```
    /// use foresee_erlang_syntax::{Options, no_includes, parse_file};
    /// let text = "-module(m).\nf() -> receive {a, X} -> [receive b -> X end] end.\n";
    /// let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
    /// let receives = parse.module.receives();
    /// assert_eq!(receives.len(), 2);
    /// assert_eq!(parse.sources.text(receives[1].clauses[0].patterns[0].span), "b");
    /// ```
    pub fn receives(&self) -> Vec<Receive<'_>> {
        let mut found = Vec::new();
        for clause in self.functions().flat_map(|function| &function.clauses) {
            clause.body.iter().for_each(|expr| collect(expr, &mut found));
        }
        found
    }
}

fn collect<'a>(expr: &'a Expr, found: &mut Vec<Receive<'a>>) {
    if let ExprKind::Receive { clauses, .. } = &expr.kind {
        found.push(Receive { span: expr.span, clauses });
    }
    expr.for_each_child(&mut |child| collect(child, found));
}

fn in_field<'a>(field: &'a MapField, visit: &mut dyn FnMut(&'a Expr)) {
    visit(&field.key);
    visit(&field.value);
}

fn in_clauses<'a>(clauses: &'a [Clause], visit: &mut dyn FnMut(&'a Expr)) {
    for clause in clauses {
        clause.patterns.iter().for_each(&mut *visit);
        clause.guard.iter().flatten().for_each(&mut *visit);
        clause.body.iter().for_each(&mut *visit);
    }
}

fn in_qualifier<'a>(qualifier: &'a Qualifier, visit: &mut dyn FnMut(&'a Expr)) {
    match qualifier {
        Qualifier::Generator(generator) => in_generator(generator, visit),
        Qualifier::Zip(generators) => {
            generators.iter().for_each(|generator| in_generator(generator, visit));
        }
        Qualifier::Filter(expr) => visit(expr),
    }
}

fn in_generator<'a>(generator: &'a Generator, visit: &mut dyn FnMut(&'a Expr)) {
    match &generator.kind {
        GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => visit(pattern),
        GeneratorKind::Map(key, value) => [key, value].into_iter().for_each(&mut *visit),
    }
    visit(&generator.source);
}
