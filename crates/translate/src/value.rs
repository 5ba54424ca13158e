//! Expressions without effects as terms, and as truths where a condition is wanted.
//! A variable stands for the term it was bound to, so there are no bindings left in the target; `case` and `if` become
//! chains of `if`, in the order of the clauses, which is why that order is kept.
//! Where Erlang would raise an exception the value is `raised(Reason)`, which equals nothing else; where a number is
//! wanted in its place the term is stuck, and exploring it reports that.

use crate::diagnostic::{BIG_NUMBER, NO_VALUE, TIMED};
use crate::terms::{apply, bool, choose, cons, constant, element, integer, list, tuple};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::Span;
use foresee_erlang_syntax::tree::{BinaryOp, Expr, ExprKind, Ident, RecordField, UnaryOp};

/// Numbers are written out in unary; a text that nests much deeper than this is not read back.
const NUMBER_MAX: i64 = 100;

impl Translator<'_> {
    /// The value of a body; variables bound on the way stay in scope.
    pub(crate) fn body(&mut self, exprs: &[Expr], scope: &mut Scope) -> Term {
        let Some((first, rest)) = exprs.split_first() else { return self.atom("ok") };
        if rest.is_empty() {
            return self.value(first, scope);
        }
        let ExprKind::Match { pattern, value } = &first.kind else {
            self.value(first, scope);
            return self.body(rest, scope);
        };
        let value = self.value(value, scope);
        let owner = scope.owner.clone();
        self.with_name(value, &owner, &mut |it, value| {
            let fits = it.pattern(pattern, value, scope);
            let rest = it.body(rest, scope);
            let failed = it.failed("badmatch");
            choose(fits, rest, failed)
        })
    }

    /// What stands for a value that Erlang would not have.
    pub(crate) fn failed(&mut self, reason: &str) -> Term {
        let reason = self.atom(reason);
        Term::apply("raised", vec![reason])
    }

    pub(crate) fn value(&mut self, expr: &Expr, scope: &mut Scope) -> Term {
        match &expr.kind {
            ExprKind::Var(name) => match scope.environment.get(name) {
                Some(term) => term.clone(),
                None => {
                    let message = format!("nothing binds {name} here");
                    self.refuse(
                        NO_VALUE,
                        scope.module,
                        expr.span,
                        message,
                        "bind it on every way to this place",
                    );
                    constant("nil")
                }
            },
            ExprKind::Atom(name) => self.atom(name),
            ExprKind::Integer(it) => self.integer(it.to_i64(), expr.span, scope),
            ExprKind::Char(it) => self.integer(Some(*it as i64), expr.span, scope),
            ExprKind::String(text) if text.is_empty() => constant("nil"),
            ExprKind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|it| self.value(it, scope)).collect();
                tuple(items)
            }
            ExprKind::List { elements, tail } => {
                let elements: Vec<_> = elements.iter().map(|it| self.value(it, scope)).collect();
                let end = match tail {
                    Some(it) => self.value(it, scope),
                    None => constant("nil"),
                };
                elements.into_iter().rev().fold(end, |rest, it| cons(it, rest))
            }
            ExprKind::Record { base, name, fields } => {
                self.record(base.as_deref(), name, fields, expr.span, scope)
            }
            ExprKind::RecordAccess { base, name, field } => {
                let base = self.value(base, scope);
                let at = self.field(name, field, scope);
                element(at, base)
            }
            ExprKind::RecordIndex { name, field } => integer(self.field(name, field, scope) as i64),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => match &operand.kind {
                ExprKind::Integer(it) => self.integer(it.to_i64().map(|it| -it), expr.span, scope),
                _ => Term::apply("negate", vec![self.value(operand, scope)]),
            },
            ExprKind::Unary { op: UnaryOp::Plus, operand } => self.value(operand, scope),
            ExprKind::Unary { op: UnaryOp::Not, .. } => bool(self.truth(expr, scope)),
            ExprKind::Binary2 { op, left, right, .. } => {
                self.operator(*op, expr, left, right, scope)
            }
            ExprKind::Match { pattern, value } => {
                let value = self.value(value, scope);
                let fits = self.pattern(pattern, value.clone(), scope);
                let failed = self.failed("badmatch");
                choose(fits, value, failed)
            }
            ExprKind::Call { target, args } => self.call_value(expr, target, args, scope),
            ExprKind::Block(body) => self.body(body, scope),
            ExprKind::Case { subject, clauses } => {
                let subject = self.value(subject, scope);
                let owner = scope.owner.clone();
                // What a `case` binds for those behind it must not depend on a name that they do not have.
                if crate::shape::binds(clauses) {
                    return self.choice(clauses, &[subject], "case_clause", scope);
                }
                self.with_name(subject, &owner, &mut |it, subject| {
                    it.choice(clauses, &[subject], "case_clause", &mut scope.clone())
                })
            }
            ExprKind::If(clauses) => self.choice(clauses, &[], "if_clause", scope),
            ExprKind::Comprehension { template, qualifiers } => {
                self.comprehension(template, qualifiers, expr.span, scope)
            }
            _ => self.refuse_value(expr, scope),
        }
    }

    fn refuse_value(&mut self, expr: &Expr, scope: &Scope) -> Term {
        let (what, help) = match &expr.kind {
            ExprKind::Float(_) => ("a float", "use integers"),
            ExprKind::String(_) => ("a string", "use an atom in its place"),
            ExprKind::Map { .. } => {
                ("a map", "use a record, or a list of pairs with lists:keyfind/3")
            }
            ExprKind::Binary(_) => ("a binary", "use an atom or a list in its place"),
            ExprKind::Fun { .. } | ExprKind::FunLocal { .. } | ExprKind::FunRemote { .. } => {
                ("a fun", "call a function by its name, or use a comprehension")
            }
            ExprKind::Receive { after: Some(_), .. } => {
                let help = "replies and messages of generic servers come without a time";
                self.refuse(
                    TIMED,
                    scope.module,
                    expr.span,
                    "`receive … after` has no translation",
                    help,
                );
                return constant("nil");
            }
            ExprKind::Receive { .. } => (
                "`receive`",
                "clients talk by gen_server:call and gen_server:cast, servers by callbacks",
            ),
            ExprKind::Try(_) | ExprKind::Catch(_) => {
                ("catching an exception", "return {error, Reason} instead of raising")
            }
            ExprKind::Maybe { .. } => ("`maybe`", "use `case`"),
            ExprKind::Unary { .. } => ("arithmetic on bits", "use +, -, *, div and rem"),
            _ => ("this expression", "write it with atoms, integers, lists, tuples and records"),
        };
        let message = format!("{what} has no translation");
        self.refuse(NO_VALUE, scope.module, expr.span, message, help);
        constant("nil")
    }

    fn integer(&mut self, value: Option<i64>, span: Span, scope: &Scope) -> Term {
        match value.filter(|it| it.abs() <= NUMBER_MAX) {
            Some(value) => integer(value),
            None => {
                let message =
                    format!("a number beyond {NUMBER_MAX} is too large for a specification");
                let help = "numbers are written as s(s(0)); a model with small ones shows the same behaviour";
                self.refuse(BIG_NUMBER, scope.module, span, message, help);
                constant("nil")
            }
        }
    }

    fn operator(
        &mut self,
        op: BinaryOp,
        expr: &Expr,
        left: &Expr,
        right: &Expr,
        scope: &mut Scope,
    ) -> Term {
        let function = match op {
            BinaryOp::Append => "append",
            BinaryOp::Subtract => "subtract",
            BinaryOp::Add => "plus",
            BinaryOp::Sub => "minus",
            BinaryOp::Multiply => "times",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::Send => return self.refuse_effect(expr, scope),
            BinaryOp::Divide => {
                let message = "`/` gives a float, which has no translation";
                self.refuse(NO_VALUE, scope.module, expr.span, message, "use div");
                return constant("nil");
            }
            BinaryOp::Bor | BinaryOp::Bxor | BinaryOp::Bsl | BinaryOp::Bsr | BinaryOp::Band => {
                let message = format!("`{op}` works on bits, which have no translation");
                self.refuse(NO_VALUE, scope.module, expr.span, message, "use +, -, *, div and rem");
                return constant("nil");
            }
            _ => return bool(self.truth(expr, scope)),
        };
        let (left, right) = (self.value(left, scope), self.value(right, scope));
        apply(function, vec![left, right])
    }

    fn record(
        &mut self,
        base: Option<&Expr>,
        name: &Ident,
        fields: &[RecordField],
        span: Span,
        scope: &mut Scope,
    ) -> Term {
        let Some(definition) = self.program.record(scope.module, &name.name).cloned() else {
            let message = format!("there is no record {}", name.name);
            self.refuse(
                NO_VALUE,
                scope.module,
                span,
                message,
                "define it in this module or a header",
            );
            return constant("nil");
        };
        let base = base.map(|it| self.value(it, scope));
        let mut items = vec![self.atom(&name.name)];
        for (at, field) in definition.fields.iter().enumerate() {
            let given = fields.iter().find(|it| it.name.name == field.name.name);
            let all_others = fields.iter().find(|it| it.name.name == "_");
            items.push(match (given.or(all_others), &base) {
                (Some(given), _) => self.value(&given.value, scope),
                (None, Some(base)) => element(at + 2, base.clone()),
                (None, None) => match &field.default {
                    Some(default) => self.value(default, scope),
                    None => self.atom("undefined"),
                },
            });
        }
        tuple(items)
    }

    /// The place of a field in its record, from 1.
    pub(crate) fn field(&mut self, name: &Ident, field: &Ident, scope: &Scope) -> usize {
        let definition = self.program.record(scope.module, &name.name);
        let at =
            definition.and_then(|it| it.fields.iter().position(|it| it.name.name == field.name));
        if at.is_none() {
            let message = format!("the record {} has no field {}", name.name, field.name);
            self.refuse(NO_VALUE, scope.module, field.span, message, "see the record's definition");
        }
        at.map_or(1, |it| it + 2)
    }

    /// A term of the running machine as a term of the target.
    pub(crate) fn start_value(&mut self, term: &foresee_erlang::Term) -> Option<Term> {
        use foresee_erlang::Term as Value;
        match term {
            Value::Int(it) if it.abs() <= NUMBER_MAX => Some(integer(*it)),
            Value::Atom(it) => Some(self.atom(it.text())),
            Value::Nil => Some(constant("nil")),
            Value::Cons(_) => {
                let items: Option<Vec<_>> =
                    term.to_vec()?.iter().map(|it| self.start_value(it)).collect();
                Some(list(items?))
            }
            Value::Tuple(it) => {
                let items: Option<Vec<_>> =
                    it.items().iter().map(|it| self.start_value(it)).collect();
                Some(tuple(items?))
            }
            _ => None,
        }
    }
}
