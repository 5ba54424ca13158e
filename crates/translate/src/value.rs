//! Expressions without effects as terms, and as truths where a condition is wanted.
//! A variable stands for the term it was bound to, so there are no bindings left in the target; `case` and `if` become
//! chains of `if`, in the order of the clauses, which is why that order is kept.
//! Where Erlang would raise an exception the value is `raised(Reason)`, which equals nothing else; where a number is
//! wanted in its place the term is stuck, and exploring it reports that.

use crate::diagnostic::{BIG_NUMBER, EFFECT_IN_VALUE, NO_FUNCTION, NO_VALUE, TIMED};
use crate::program::Target;
use crate::terms::{
    all, and, any, apply, bool, choose, cons, constant, element, eq, head, integer, is_true, list,
    no, not, or, tail, tuple, yes,
};
use crate::translator::{Scope, Translator};
use foresee_algebra::Term;
use foresee_erlang_syntax::Span;
use foresee_erlang_syntax::tree::{BinaryOp, Clause, Expr, ExprKind, Ident, RecordField, UnaryOp};

/// Numbers are written out in unary; beyond this nobody would read them.
const NUMBER_MAX: i64 = 10_000;

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

    /// Chooses by patterns and guards, in order.
    pub(crate) fn choice(
        &mut self,
        clauses: &[Clause],
        subjects: &[Term],
        reason: &str,
        scope: &mut Scope,
    ) -> Term {
        let mut branches = Vec::new();
        for clause in clauses {
            let mut inner = scope.clone();
            let fits = self.head(clause, subjects, &mut inner);
            if crate::terms::is_no(&fits) {
                continue;
            }
            let value = self.body(&clause.body, &mut inner);
            let is_last = crate::terms::is_yes(&fits);
            branches.push((fits, value, inner.environment));
            if is_last {
                break;
            }
        }
        // A truth is one of two.
        if let [(first, ..), (second, ..)] = &mut branches[..]
            && *second == not(first.clone())
        {
            *second = yes();
        }
        self.export(&branches, scope);
        let failed = self.failed(reason);
        branches.into_iter().rev().fold(failed, |rest, (fits, value, _)| choose(fits, value, rest))
    }

    /// Variables that every branch binds can be used behind it.
    fn export(
        &mut self,
        branches: &[(Term, Term, crate::translator::Environment)],
        scope: &mut Scope,
    ) {
        let Some((first, others)) = branches.split_first() else { return };
        for name in first.2.keys() {
            let is_new = !scope.environment.contains_key(name);
            if is_new && others.iter().all(|it| it.2.contains_key(name)) {
                let (last, before) = branches.split_last().expect("not empty");
                let value = before.iter().rev().fold(last.2[name].clone(), |rest, it| {
                    choose(it.0.clone(), it.2[name].clone(), rest)
                });
                scope.environment.insert(name.clone(), value);
            }
        }
    }

    /// Whether a clause fits these values; its variables come into scope.
    pub(crate) fn head(&mut self, clause: &Clause, subjects: &[Term], scope: &mut Scope) -> Term {
        let patterns = clause.patterns.iter().zip(subjects);
        let fits: Vec<_> = patterns
            .map(|(pattern, subject)| self.pattern(pattern, subject.clone(), scope))
            .collect();
        let guard = self.guard(&clause.guard, scope);
        and(all(fits), guard)
    }

    fn guard(&mut self, guard: &[Vec<Expr>], scope: &mut Scope) -> Term {
        if guard.is_empty() {
            return yes();
        }
        let alternatives: Vec<_> = guard
            .iter()
            .map(|tests| all(tests.iter().map(|it| self.truth(it, scope)).collect::<Vec<_>>()))
            .collect();
        any(alternatives)
    }

    /// An expression as a condition.
    pub(crate) fn truth(&mut self, expr: &Expr, scope: &mut Scope) -> Term {
        match &expr.kind {
            ExprKind::Atom(name) if *name == "true" => yes(),
            ExprKind::Atom(name) if *name == "false" => no(),
            ExprKind::Unary { op: UnaryOp::Not, operand } => not(self.truth(operand, scope)),
            ExprKind::Binary2 { op, left, right, .. } => {
                let logical = match op {
                    BinaryOp::Andalso | BinaryOp::And => Some(and as fn(Term, Term) -> Term),
                    BinaryOp::Orelse | BinaryOp::Or => Some(or as fn(Term, Term) -> Term),
                    BinaryOp::Xor => {
                        Some((|a, b| not(eq(bool(a), bool(b)))) as fn(Term, Term) -> Term)
                    }
                    _ => None,
                };
                if let Some(join) = logical {
                    return join(self.truth(left, scope), self.truth(right, scope));
                }
                let compare = |name: &str, a, b| apply(name, vec![a, b]);
                let is_comparison = matches!(
                    op,
                    BinaryOp::Equal
                        | BinaryOp::ExactEqual
                        | BinaryOp::NotEqual
                        | BinaryOp::ExactNotEqual
                        | BinaryOp::Less
                        | BinaryOp::LessEqual
                        | BinaryOp::Greater
                        | BinaryOp::GreaterEqual
                );
                if !is_comparison {
                    return is_true(self.value(expr, scope));
                }
                let (a, b) = (self.value(left, scope), self.value(right, scope));
                match op {
                    BinaryOp::Equal | BinaryOp::ExactEqual => eq(a, b),
                    BinaryOp::NotEqual | BinaryOp::ExactNotEqual => not(eq(a, b)),
                    BinaryOp::Less => compare("less", a, b),
                    BinaryOp::LessEqual => compare("atmost", a, b),
                    BinaryOp::Greater => compare("less", b, a),
                    _ => compare("atmost", b, a),
                }
            }
            ExprKind::Call { target, args } => {
                let function = match self.program.target(scope.module, target, args.len()) {
                    Target::Other(of, function) => truth_function(&of, &function, args.len()),
                    _ => None,
                };
                match function {
                    Some(function) => {
                        let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                        apply(function, args)
                    }
                    None => is_true(self.value(expr, scope)),
                }
            }
            _ => is_true(self.value(expr, scope)),
        }
    }

    fn call_value(&mut self, expr: &Expr, target: &Expr, args: &[Expr], scope: &mut Scope) -> Term {
        let what = self.program.target(scope.module, target, args.len());
        if let Some(term) = self.higher_order(expr, &what, args, scope) {
            return term;
        }
        match &what {
            Target::Function(id) if !self.program.functions[*id].is_effectful => {
                let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                let name = self.function_name(*id);
                Term::apply(&name, args)
            }
            Target::Other(of, function) => self.built_in(expr, of, function, args, scope),
            Target::Computed => {
                let message = "a call of a function that is computed has no translation";
                let help = "call a function by its name";
                self.refuse(NO_FUNCTION, scope.module, expr.span, message, help);
                constant("nil")
            }
            Target::Function(_) | Target::Marked(_) => self.refuse_effect(expr, scope),
        }
    }

    /// `lists:map` and its like with a fun that is written out, as comprehensions.
    fn higher_order(
        &mut self,
        expr: &Expr,
        what: &Target,
        args: &[Expr],
        scope: &mut Scope,
    ) -> Option<Term> {
        let Target::Other(of, function) = what else { return None };
        if of == "lists" && function == "foldl" && args.len() == 3 {
            let clause = crate::sugar::clause(&args[0], 2)?;
            let (first, source) = (self.value(&args[1], scope), self.value(&args[2], scope));
            return Some(self.fold(&clause, first, source, scope));
        }
        let plain = crate::sugar::comprehension(expr, of, function, args)?;
        Some(self.value(&plain, scope))
    }

    fn built_in(
        &mut self,
        expr: &Expr,
        of: &str,
        function: &str,
        args: &[Expr],
        scope: &mut Scope,
    ) -> Term {
        if let Some(text) = silent(of, function, args.len()) {
            self.note(scope.module, expr.span, text);
            return self.atom(if of == "erlang" { "true" } else { "ok" });
        }
        match (of, function, args.len()) {
            ("erlang", "self", 0) => match &scope.own_pid {
                Some(pid) => pid.clone(),
                None => self.refuse_effect(expr, scope),
            },
            ("erlang", "element", 2) if matches!(args[0].kind, ExprKind::Integer(_)) => {
                let ExprKind::Integer(at) = &args[0].kind else { unreachable!("just matched") };
                let at = at.to_i64().filter(|it| (1..=16).contains(it));
                let value = self.value(&args[1], scope);
                match at {
                    Some(at) => element(at as usize, value),
                    None => self.failed("badarg"),
                }
            }
            ("erlang", "hd", 1) => head(self.value(&args[0], scope)),
            ("erlang", "tl", 1) => tail(self.value(&args[0], scope)),
            ("erlang", "error" | "exit" | "throw", 1) => {
                let reason = self.value(&args[0], scope);
                Term::apply("raised", vec![reason])
            }
            ("erlang", "whereis", 1) => {
                let name = self.value(&args[0], scope);
                let is_registered =
                    self.children.iter().any(|it| it.is_registered && self.pid(it) == name.name);
                match (self.is_constant(&name), is_registered) {
                    (true, true) => name,
                    (true, false) => self.atom("undefined"),
                    (false, _) => {
                        self.refuse_call(expr, of, function, args.len(), scope);
                        name
                    }
                }
            }
            (of, function, n) => {
                if truth_function(of, function, n).is_some() {
                    return bool(self.truth(expr, scope));
                }
                if let Some(name) = value_function(of, function, n) {
                    let args: Vec<_> = args.iter().map(|it| self.value(it, scope)).collect();
                    return Term::apply(name, args);
                }
                self.refuse_call(expr, of, function, n, scope);
                constant("nil")
            }
        }
    }

    pub(crate) fn refuse_call(
        &mut self,
        expr: &Expr,
        of: &str,
        function: &str,
        n: usize,
        scope: &Scope,
    ) {
        let is_timed = matches!(of, "timer")
            || matches!(
                function,
                "send_after" | "start_timer" | "monotonic_time" | "system_time" | "now"
            );
        if is_timed {
            let message = format!("{of}:{function}/{n} is about time, which has no translation");
            let help = "let a message from a client stand for the time that has come";
            return self.refuse(TIMED, scope.module, expr.span, message, help);
        }
        let message = format!("{of}:{function}/{n} has no translation");
        let help = match of {
            "gen_server" => "gen_server:call, cast and reply have one",
            "erlang" => "write it with atoms, integers, lists, tuples and records",
            "supervisor" => "all children must be in the supervisor's own list",
            "lists" => "use a comprehension, or write the function yourself",
            _ => "give the module's file too, or write the function yourself",
        };
        self.refuse(NO_FUNCTION, scope.module, expr.span, message, help);
    }

    pub(crate) fn refuse_effect(&mut self, expr: &Expr, scope: &Scope) -> Term {
        let message = "this is noticed by others, but only a value can stand here";
        let help =
            "bind its result to a variable first, in the body of a function, a `case` or an `if`";
        self.refuse(EFFECT_IN_VALUE, scope.module, expr.span, message, help);
        constant("nil")
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

/// Built-in tests, by the function of the data library that is the same.
fn truth_function(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "is_list", 1) => "is_list",
        ("erlang", "is_integer" | "is_number", 1) => "is_integer",
        ("erlang", "is_tuple", 1) => "is_tuple",
        ("erlang", "is_atom", 1) => "is_atom",
        ("erlang", "is_pid", 1) => "is_pid",
        ("lists", "member", 2) => "member",
        _ => return None,
    })
}

/// Built-in functions, by the function of the data library that is the same.
fn value_function(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "length", 1) => "length",
        ("erlang", "tuple_size", 1) => "tuplesize",
        ("erlang", "element", 2) => "element",
        ("erlang", "abs", 1) => "abs",
        ("erlang", "max", 2) => "max",
        ("erlang", "min", 2) => "min",
        _ => return None,
    })
}

/// Calls that change nothing in the model, and how that is said.
pub(crate) fn silent(of: &str, function: &str, n: usize) -> Option<&'static str> {
    Some(match (of, function, n) {
        ("erlang", "link", 1) => {
            "link/1: a client counts as linked to each server it has called, from its first call on"
        }
        ("erlang", "process_flag", 2) => {
            "process_flag/2: servers are taken to trap exits; the death of a client is a message to handle_info"
        }
        ("io", "format", 1..=3) | ("io", "put_chars" | "nl" | "fwrite", _) => "output is left out",
        ("logger", _, _) | ("error_logger", _, _) => "logging is left out",
        _ => return None,
    })
}
