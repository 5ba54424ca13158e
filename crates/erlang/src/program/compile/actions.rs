//! Marked actions: calls that are worth a label of their own, without a call to `foresee:action` in the text.
//! Two ways, besides that call: `-foresee_actions([use/1, free/1]).` marks functions of a module, whose calls then say so before
//! they run; and `action:use(X)`, as in the programs of Benac Earle and others, says so where no module is called `action`.
//! The first is done here, on the tree; the second where calls are compiled (`super::call`).

use foresee_erlang_syntax::tree::{Clause, Expr, ExprKind, FormKind, Module};
use foresee_erlang_syntax::{Name, Span};

/// The attribute that names the functions.
const ATTRIBUTE: &str = "foresee_actions";

/// Lets the functions that a module marks say that they are called.
pub(crate) fn mark(module: &mut Module) {
    let marked: Vec<(Name, u32)> =
        module.attributes(ATTRIBUTE).flat_map(elements).filter_map(name_and_arity).collect();
    for form in &mut module.forms {
        let FormKind::Function(function) = &mut form.kind else { continue };
        let is_marked =
            |(name, arity): &(Name, u32)| *name == function.name.name && *arity == function.arity;
        if marked.iter().any(is_marked) {
            let name = function.name.name.clone();
            function.clauses.iter_mut().for_each(|clause| say(clause, &name));
        }
    }
}

/// `foresee:action(Name, Arguments)`.
pub(super) fn action(name: &Name, arguments: Vec<Expr>, span: Span) -> (Expr, [Expr; 2]) {
    let expr = |kind: ExprKind| Expr { kind, span };
    let atom = |text: &str| Box::new(expr(ExprKind::Atom(Name::from(text))));
    let target = expr(ExprKind::Remote { module: atom("foresee"), function: atom("action") });
    let list = expr(ExprKind::List { elements: arguments, tail: None });
    (target, [expr(ExprKind::Atom(name.clone())), list])
}

/// Each argument also gets a name of ours, and the body begins with the action.
fn say(clause: &mut Clause, name: &Name) {
    let mut arguments = Vec::new();
    for (i, pattern) in clause.patterns.iter_mut().enumerate() {
        let span = pattern.span;
        let variable =
            Expr { kind: ExprKind::Var(Name::from(format!("Action@{i}").as_str())), span };
        let inner = std::mem::replace(pattern, variable.clone());
        let (pattern_of, value) = (Box::new(inner), Box::new(variable.clone()));
        pattern.kind = ExprKind::Match { pattern: pattern_of, value };
        arguments.push(variable);
    }
    let (target, args) = action(name, arguments, clause.span);
    let kind = ExprKind::Call { target: Box::new(target), args: args.to_vec() };
    clause.body.insert(0, Expr { kind, span: clause.span });
}

fn elements(value: &Expr) -> impl Iterator<Item = &Expr> {
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter(),
        _ => std::slice::from_ref(value).iter(),
    }
}

/// `use/1`.
fn name_and_arity(value: &Expr) -> Option<(Name, u32)> {
    match &value.kind {
        ExprKind::Binary2 { op, left, right, .. } if op.text() == "/" => {
            let ExprKind::Integer(arity) = &right.kind else { return None };
            Some((left.as_atom()?.clone(), arity.to_i64()?.try_into().ok()?))
        }
        _ => None,
    }
}
