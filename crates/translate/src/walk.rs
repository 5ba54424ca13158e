//! The direct parts of an expression, for looking at all of it and for changing it.
//! Not here: what any part means.

use foresee_erlang_syntax::tree::{Clause, Expr, ExprKind, GeneratorKind, Qualifier, Template};

/// Calls `see` for each direct part: subexpressions, patterns, guards, bodies of clauses.
pub(crate) fn parts<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Tuple(items) | ExprKind::Block(items) => items.iter().for_each(see),
        ExprKind::List { elements, tail } => {
            elements.iter().for_each(&mut *see);
            tail.iter().for_each(|it| see(it));
        }
        ExprKind::Map { base, fields } => {
            base.iter().for_each(|it| see(it));
            for it in fields {
                see(&it.key);
                see(&it.value);
            }
        }
        ExprKind::Record { base, fields, .. } => {
            base.iter().for_each(|it| see(it));
            fields.iter().for_each(|it| see(&it.value));
        }
        ExprKind::RecordAccess { base, .. } => see(base),
        ExprKind::Unary { operand, .. } => see(operand),
        ExprKind::Binary2 { left, right, .. } => {
            see(left);
            see(right);
        }
        ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
            see(pattern);
            see(value);
        }
        ExprKind::Call { target, args } => {
            see(target);
            args.iter().for_each(see);
        }
        ExprKind::Remote { module, function } => {
            see(module);
            see(function);
        }
        ExprKind::Fun { clauses, .. } | ExprKind::If(clauses) => in_clauses(clauses, see),
        ExprKind::Comprehension { template, qualifiers } => {
            match &**template {
                Template::List(it) | Template::Binary(it) => see(it),
                Template::Map(field) => {
                    see(&field.key);
                    see(&field.value);
                }
            }
            qualifiers.iter().for_each(|it| in_qualifier(it, see));
        }
        ExprKind::Case { subject, clauses } => {
            see(subject);
            in_clauses(clauses, see);
        }
        ExprKind::Receive { clauses, after } => {
            in_clauses(clauses, see);
            if let Some(after) = after {
                see(&after.timeout);
                after.body.iter().for_each(see);
            }
        }
        ExprKind::Try(it) => {
            it.body.iter().for_each(&mut *see);
            in_clauses(&it.of, see);
            for clause in &it.catch {
                clause.body.iter().for_each(&mut *see);
            }
            it.after.iter().for_each(see);
        }
        ExprKind::Catch(it) => see(it),
        ExprKind::Maybe { body, otherwise } => {
            body.iter().for_each(&mut *see);
            in_clauses(otherwise, see);
        }
        _ => {}
    }
}

/// Calls `see` for an expression and everything in it, outside first.
pub(crate) fn everything<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
    see(expr);
    parts(expr, &mut |it| everything(it, see));
}

fn in_clauses<'e>(clauses: &'e [Clause], see: &mut dyn FnMut(&'e Expr)) {
    for clause in clauses {
        clause.patterns.iter().for_each(&mut *see);
        clause.guard.iter().flatten().for_each(&mut *see);
        clause.body.iter().for_each(&mut *see);
    }
}

fn in_qualifier<'e>(qualifier: &'e Qualifier, see: &mut dyn FnMut(&'e Expr)) {
    let generators = match qualifier {
        Qualifier::Generator(it) => std::slice::from_ref(&**it),
        Qualifier::Zip(all) => all.as_slice(),
        Qualifier::Filter(it) => return see(it),
    };
    for it in generators {
        match &it.kind {
            GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => see(pattern),
            GeneratorKind::Map(key, value) => {
                see(key);
                see(value);
            }
        }
        see(&it.source);
    }
}

/// Calls `change` for each call, in place, inside first.
pub(crate) fn change_calls(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr, &mut Vec<Expr>)) {
    let mut go = |it: &mut Expr| change_calls(it, change);
    match &mut expr.kind {
        ExprKind::Tuple(items) | ExprKind::Block(items) => items.iter_mut().for_each(go),
        ExprKind::List { elements, tail } => {
            elements.iter_mut().for_each(&mut go);
            tail.iter_mut().for_each(|it| go(it));
        }
        ExprKind::Map { base, fields } => {
            base.iter_mut().for_each(|it| go(it));
            for it in fields {
                go(&mut it.key);
                go(&mut it.value);
            }
        }
        ExprKind::Record { base, fields, .. } => {
            base.iter_mut().for_each(|it| go(it));
            fields.iter_mut().for_each(|it| go(&mut it.value));
        }
        ExprKind::RecordAccess { base, .. } => go(base),
        ExprKind::Unary { operand, .. } => go(operand),
        ExprKind::Binary2 { left, right, .. } => {
            go(left);
            go(right);
        }
        ExprKind::Match { value, .. } | ExprKind::MaybeMatch { value, .. } => go(value),
        ExprKind::Call { target, args } => {
            args.iter_mut().for_each(go);
            change(target, args);
        }
        ExprKind::Fun { clauses, .. } | ExprKind::If(clauses) => change_clauses(clauses, change),
        ExprKind::Comprehension { template, qualifiers } => {
            match &mut **template {
                Template::List(it) | Template::Binary(it) => go(it),
                Template::Map(field) => {
                    go(&mut field.key);
                    go(&mut field.value);
                }
            }
            for it in qualifiers {
                match it {
                    Qualifier::Generator(it) => go(&mut it.source),
                    Qualifier::Zip(all) => all.iter_mut().for_each(|it| go(&mut it.source)),
                    Qualifier::Filter(it) => go(it),
                }
            }
        }
        ExprKind::Case { subject, clauses } => {
            go(subject);
            change_clauses(clauses, change);
        }
        ExprKind::Try(it) => {
            it.body.iter_mut().for_each(&mut go);
            it.after.iter_mut().for_each(&mut go);
            for clause in &mut it.catch {
                clause.body.iter_mut().for_each(&mut go);
            }
            change_clauses(&mut it.of, change);
        }
        ExprKind::Catch(it) => go(it),
        _ => {}
    }
}

fn change_clauses(clauses: &mut [Clause], change: &mut dyn FnMut(&mut Expr, &mut Vec<Expr>)) {
    for clause in clauses {
        clause.body.iter_mut().for_each(|it| change_calls(it, change));
    }
}
