//! The variables that occur in a piece of tree, in the order in which they occur.

use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{
    Clause, Expr, ExprKind, Generator, GeneratorKind, Qualifier, Segment, Template,
};

/// The variables of patterns, without `_`.
pub(super) fn of_patterns(patterns: &[Expr]) -> Vec<Name> {
    let mut names = Vec::new();
    patterns.iter().for_each(|pattern| expr(pattern, &mut names));
    names
}

/// The variables of a whole clause.
pub(super) fn of_clause(tree: &Clause) -> Vec<Name> {
    let mut names = Vec::new();
    clause(tree, &mut names);
    names
}

fn clause(clause: &Clause, names: &mut Vec<Name>) {
    exprs(&clause.patterns, names);
    clause.guard.iter().for_each(|tests| exprs(tests, names));
    exprs(&clause.body, names);
}

fn clauses(list: &[Clause], names: &mut Vec<Name>) {
    list.iter().for_each(|tree| clause(tree, names));
}

fn exprs<'a>(list: impl IntoIterator<Item = &'a Expr>, names: &mut Vec<Name>) {
    list.into_iter().for_each(|tree| expr(tree, names));
}

fn segments(list: &[Segment], names: &mut Vec<Name>) {
    for segment in list {
        expr(&segment.value, names);
        exprs(&segment.size, names);
    }
}

fn generator(tree: &Generator, names: &mut Vec<Name>) {
    match &tree.kind {
        GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => expr(pattern, names),
        GeneratorKind::Map(key, value) => exprs([key, value], names),
    }
    expr(&tree.source, names);
}

fn expr(tree: &Expr, names: &mut Vec<Name>) {
    match &tree.kind {
        ExprKind::Var(name) => {
            if *name != "_" && !names.contains(name) {
                names.push(name.clone());
            }
        }
        ExprKind::Atom(_)
        | ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::RecordIndex { .. }
        | ExprKind::FunLocal { .. }
        | ExprKind::Error => {}
        ExprKind::Tuple(items) | ExprKind::Block(items) => exprs(items, names),
        ExprKind::List { elements, tail } => {
            exprs(elements, names);
            exprs(tail.as_deref(), names);
        }
        ExprKind::Binary(list) => segments(list, names),
        ExprKind::Map { base, fields } => {
            exprs(base.as_deref(), names);
            fields.iter().for_each(|field| exprs([&field.key, &field.value], names));
        }
        ExprKind::Record { base, fields, .. } => {
            exprs(base.as_deref(), names);
            fields.iter().for_each(|field| expr(&field.value, names));
        }
        ExprKind::RecordAccess { base, .. } => expr(base, names),
        ExprKind::Unary { operand, .. } | ExprKind::Catch(operand) => expr(operand, names),
        ExprKind::Binary2 { left, right, .. } => exprs([&**left, &**right], names),
        ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
            exprs([&**pattern, &**value], names);
        }
        ExprKind::Call { target, args } => {
            expr(target, names);
            exprs(args, names);
        }
        ExprKind::Remote { module, function } => exprs([&**module, &**function], names),
        ExprKind::FunRemote { module, function, arity } => {
            exprs([&**module, &**function, &**arity], names);
        }
        ExprKind::Fun { clauses: list, .. } | ExprKind::If(list) => clauses(list, names),
        ExprKind::Comprehension { template, qualifiers } => {
            match &**template {
                Template::List(item) | Template::Binary(item) => expr(item, names),
                Template::Map(field) => exprs([&field.key, &field.value], names),
            }
            for qualifier in qualifiers {
                match qualifier {
                    Qualifier::Generator(tree) => generator(tree, names),
                    Qualifier::Zip(trees) => trees.iter().for_each(|tree| generator(tree, names)),
                    Qualifier::Filter(test) => expr(test, names),
                }
            }
        }
        ExprKind::Case { subject, clauses: list } => {
            expr(subject, names);
            clauses(list, names);
        }
        ExprKind::Receive { clauses: list, after } => {
            clauses(list, names);
            if let Some(after) = after {
                expr(&after.timeout, names);
                exprs(&after.body, names);
            }
        }
        ExprKind::Try(tree) => {
            exprs(&tree.body, names);
            clauses(&tree.of, names);
            for clause in &tree.catch {
                exprs(&clause.class, names);
                expr(&clause.pattern, names);
                if let Some(stack) = &clause.stack
                    && !names.contains(&stack.name)
                {
                    names.push(stack.name.clone());
                }
                clause.guard.iter().for_each(|tests| exprs(tests, names));
                exprs(&clause.body, names);
            }
            exprs(&tree.after, names);
        }
        ExprKind::Maybe { body, otherwise } => {
            exprs(body, names);
            clauses(otherwise, names);
        }
    }
}
