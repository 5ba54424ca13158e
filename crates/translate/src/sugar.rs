//! List functions that take a fun, as comprehensions, where the fun is written out or named at the call.
//! Why here and not as functions: the target has no functions as values, but a comprehension says the same.
//! An element that does not fit the fun's pattern is an error in both: the generators are strict.

use foresee_erlang_syntax::tree::{
    BinaryOp, Clause, Expr, ExprKind, Generator, GeneratorKind, Qualifier, Template, UnaryOp,
};
use foresee_erlang_syntax::{Name, Span};

/// The one clause of a fun with `arity` parameters and no guard.
pub(crate) fn clause(fun: &Expr, arity: u32) -> Option<Clause> {
    match &fun.kind {
        ExprKind::Fun { name: None, clauses } => match &clauses[..] {
            [one] if one.guard.is_empty() && one.patterns.len() == arity as usize => {
                Some(one.clone())
            }
            _ => None,
        },
        ExprKind::FunLocal { name, arity: own } if *own == arity => {
            let target = at(fun.span, ExprKind::Atom(name.name.clone()));
            Some(calling(fun.span, target, arity))
        }
        ExprKind::FunRemote { module, function, arity: own } => match &own.kind {
            ExprKind::Integer(n) if n.to_i64() == Some(i64::from(arity)) => {
                let kind = ExprKind::Remote { module: module.clone(), function: function.clone() };
                Some(calling(fun.span, at(fun.span, kind), arity))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `(X1, …) -> target(X1, …)`.
fn calling(span: Span, target: Expr, arity: u32) -> Clause {
    let variable = |n: u32| at(span, ExprKind::Var(Name::from(format!("Element@{n}"))));
    let patterns: Vec<Expr> = (1..=arity).map(variable).collect();
    let call = ExprKind::Call { target: Box::new(target), args: patterns.clone() };
    Clause { patterns, guard: Vec::new(), body: vec![at(span, call)], span }
}

/// The comprehension that a call of `lists` stands for.
pub(crate) fn comprehension(
    expr: &Expr,
    module: &str,
    function: &str,
    args: &[Expr],
) -> Option<Expr> {
    let ("lists", [fun, list]) = (module, args) else { return None };
    if !matches!(function, "map" | "filter" | "foreach" | "any" | "all") {
        return None;
    }
    let clause = clause(fun, 1)?;
    let span = expr.span;
    let pattern = clause.patterns.into_iter().next()?;
    let body = match <[Expr; 1]>::try_from(clause.body) {
        Ok([one]) => one,
        Err(many) => at(span, ExprKind::Block(many)),
    };
    let each = |template: Expr, pattern: Expr, filter: Option<Expr>| {
        let source = list.clone();
        let generator =
            Generator { kind: GeneratorKind::List(pattern), source, strict: true, span };
        let mut qualifiers = vec![Qualifier::Generator(Box::new(generator))];
        qualifiers.extend(filter.map(Qualifier::Filter));
        at(
            span,
            ExprKind::Comprehension { template: Box::new(Template::List(template)), qualifiers },
        )
    };
    let nothing = || at(span, ExprKind::List { elements: Vec::new(), tail: None });
    let compare = |op: BinaryOp, left: Expr| {
        let (left, right) = (Box::new(left), Box::new(nothing()));
        at(span, ExprKind::Binary2 { op, op_span: span, left, right })
    };
    let kept = Name::from("Kept@");
    let keeps = || {
        let whole = Box::new(at(span, ExprKind::Var(kept.clone())));
        at(span, ExprKind::Match { pattern: whole, value: Box::new(pattern.clone()) })
    };
    Some(match function {
        "map" | "foreach" => each(body, pattern, None),
        "filter" => each(at(span, ExprKind::Var(kept.clone())), keeps(), Some(body)),
        "any" => compare(BinaryOp::ExactNotEqual, each(nothing(), pattern, Some(body))),
        _ => {
            let fails = ExprKind::Unary { op: UnaryOp::Not, operand: Box::new(body) };
            compare(BinaryOp::ExactEqual, each(nothing(), pattern, Some(at(span, fails))))
        }
    })
}

fn at(span: Span, kind: ExprKind) -> Expr {
    Expr { kind, span }
}
