//! Bodies with effects as processes: what is done, then what follows.
//! What follows is a function from the value just computed to a process (continuation-passing), so a `case` in the middle
//! of a body has what follows in each branch; when that is large it becomes an equation of its own, called by each.
//! The order of Erlang's evaluation is kept: arguments with effects are evaluated first, from left to right.

use crate::comprehension::LARGE;
use crate::diagnostic::NO_VALUE;
use crate::instance::{Job, Path, Return, Role};
use crate::program::Target;
use crate::shape::size_of;
use crate::terms::{is_no, is_yes};
use crate::translator::Translator;
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{BinaryOp, Clause, Expr, ExprKind};

/// What follows, given the value and what is known then.
pub(crate) type Next<'n> = &'n mut dyn FnMut(&mut Translator<'_>, Term, Path) -> Process;

impl Translator<'_> {
    /// A body, then what follows its value. `is_last`: what follows is the return of the function itself.
    pub(crate) fn run(
        &mut self,
        exprs: &[Expr],
        path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        match exprs {
            [] => {
                let ok = self.atom("ok");
                next(self, ok, path)
            }
            [only] => self.step(only, path, job, is_last, next),
            [first, rest @ ..] => self.step(first, path, job, false, &mut |it, _, path| {
                it.run(rest, path, job, is_last, next)
            }),
        }
    }

    /// One expression, then what follows its value.
    pub(crate) fn step(
        &mut self,
        expr: &Expr,
        mut path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        let module = path.scope.module;
        let is_effectful = self.program.is_effectful(module, expr);
        // What a callback returns is best known branch by branch.
        let opens = is_last && matches!(job.result, Return::Callback { .. });
        match &expr.kind {
            ExprKind::Match { pattern, value } => {
                self.step(value, path, job, false, &mut |it, value, mut path| {
                    if size_of(&value) > LARGE {
                        return it.named_value(pattern, value, path, job, next);
                    }
                    let fits = it.pattern(pattern, value.clone(), &mut path.scope);
                    if is_no(&fits) {
                        return it.failure(job, "badmatch");
                    }
                    let then = next(it, value, path);
                    if is_yes(&fits) {
                        return then;
                    }
                    let failure = it.failure(job, "badmatch");
                    then.when(fits, failure)
                })
            }
            ExprKind::Call { target, args } if self.is_exit(module, target, args) => {
                let reason = self.value(&args[0], &mut path.scope);
                if reason.name == "normal" {
                    return self.end(&path, job);
                }
                self.stop(job, reason)
            }
            ExprKind::Call { target, args } if !is_effectful => {
                let known = match self.program.target(module, target, args.len()) {
                    Target::Function(id) if opens && !self.program.functions[id].is_recursive => {
                        Some(id)
                    }
                    _ => None,
                };
                match known {
                    Some(id) => {
                        let args: Vec<_> =
                            args.iter().map(|it| self.value(it, &mut path.scope)).collect();
                        self.inline(id, &args, path, job, is_last, next)
                    }
                    None => {
                        let value = self.value(expr, &mut path.scope);
                        next(self, value, path)
                    }
                }
            }
            ExprKind::Block(body) => self.run(body, path, job, is_last, next),
            ExprKind::Case { subject, clauses } if is_effectful || opens => {
                self.step(subject, path, job, false, &mut |it, value, path| {
                    it.branches(clauses, &[value], "case_clause", path, job, is_last, next)
                })
            }
            ExprKind::If(clauses) if is_effectful || opens => {
                self.branches(clauses, &[], "if_clause", path, job, is_last, next)
            }
            _ if !is_effectful => {
                let value = self.value(expr, &mut path.scope);
                next(self, value, path)
            }
            ExprKind::Binary2 { op, left, right, .. }
                if matches!(op, BinaryOp::Andalso | BinaryOp::Orelse)
                    && self.program.is_effectful(module, right) =>
            {
                let case = short_circuit(expr, *op, left, right);
                self.step(&case, path, job, is_last, next)
            }
            ExprKind::Call { target, args } if self.sugar(module, expr, target, args).is_some() => {
                let plain = self.sugar(module, expr, target, args).expect("just asked");
                self.step(&plain, path, job, is_last, next)
            }
            ExprKind::Comprehension { template, qualifiers } => {
                self.effect_loop(expr, template, qualifiers, path, job, next)
            }
            ExprKind::Call { target, args }
                if args.iter().all(|it| !self.program.is_effectful(module, it)) =>
            {
                self.effect(expr, target, args, path, job, is_last, next)
            }
            ExprKind::Binary2 { op: BinaryOp::Send, left, right, .. }
                if !self.program.is_effectful(module, left)
                    && !self.program.is_effectful(module, right) =>
            {
                self.send(left, right, path, job, next)
            }
            _ => self.part_first(expr, path, job, is_last, next),
        }
    }

    /// A list function with a fun, as a comprehension.
    fn sugar(&self, module: usize, expr: &Expr, target: &Expr, args: &[Expr]) -> Option<Expr> {
        let Target::Other(of, function) = self.program.target(module, target, args.len()) else {
            return None;
        };
        crate::sugar::comprehension(expr, &of, &function, args)
    }

    /// Evaluates the first part with effects, and then the expression with a variable in its place.
    fn part_first(
        &mut self,
        expr: &Expr,
        path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        let module = path.scope.module;
        let mut changed = expr.clone();
        let name = Name::from(format!("Value@{}", path.scope.environment.len()));
        let found = self.first_part(module, &mut changed).map(|part| {
            let variable = Expr { kind: ExprKind::Var(name.clone()), span: part.span };
            std::mem::replace(part, variable)
        });
        let Some(part) = found else {
            let message = "effects inside this expression have no translation";
            let help = "bind the result of the call to a variable first";
            self.refuse(NO_VALUE, module, expr.span, message, help);
            return Process::delta();
        };
        self.step(&part, path, job, false, &mut |it, value, mut path| {
            path.scope.environment.insert(name.clone(), value);
            it.step(&changed, path, job, is_last, next)
        })
    }

    /// What becomes of a function's value.
    pub(crate) fn finish(&mut self, value: Term, path: &Path, job: &Job) -> Process {
        match &job.result {
            Return::End => self.end(path, job),
            Return::Callback { module, .. } => self.returned(module, value, path, job),
            Return::Site(at) => {
                let site = self.sites[*at].clone();
                let mut carried = job.carried.iter();
                let args = site.parameters.iter().map(|it| match it {
                    Some(_) => carried.next().expect("one for each").clone(),
                    None => value.clone(),
                });
                Process::call(&site.process, args.collect())
            }
            Return::Result => Process::action("wcallresult", vec![job.own_pid.clone(), value]),
        }
    }

    /// The first part with effects; tuples and lists stay as they are around it.
    fn first_part<'e>(&self, module: usize, expr: &'e mut Expr) -> Option<&'e mut Expr> {
        let has_effects = |it: &&mut Expr| self.program.is_effectful(module, it);
        let part = strict_parts(expr).into_iter().find(has_effects)?;
        match part.kind {
            ExprKind::Tuple(_) | ExprKind::List { .. } => self.first_part(module, part),
            _ => Some(part),
        }
    }

    fn is_exit(&self, module: usize, target: &Expr, args: &[Expr]) -> bool {
        let Target::Other(of, function) = self.program.target(module, target, args.len()) else {
            return false;
        };
        args.len() == 1 && of == "erlang" && matches!(function.as_str(), "exit" | "error" | "throw")
    }

    /// Something went wrong in the process itself.
    pub(crate) fn failure(&mut self, job: &Job, reason: &str) -> Process {
        let reason = self.atom(reason);
        self.stop(job, reason)
    }

    pub(crate) fn stop(&mut self, job: &Job, reason: Term) -> Process {
        Process::action("failure", vec![job.own_pid.clone(), reason]).then(Process::delta())
    }

    /// A client has nothing more to do.
    pub(crate) fn end(&mut self, path: &Path, job: &Job) -> Process {
        match job.role {
            Role::Server => Process::delta(),
            Role::Client { .. } => {
                self.can_end.insert(path.scope.owner.clone());
                self.normal_exit(path, job)
            }
        }
    }
}

/// `A andalso B` as `case A of true -> B; false -> false end`.
fn short_circuit(expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Expr {
    let atom = |name: &str| Expr { kind: ExprKind::Atom(Name::from(name)), span: expr.span };
    let clause = |pattern: &str, body: Expr| Clause {
        patterns: vec![atom(pattern)],
        guard: Vec::new(),
        body: vec![body],
        span: expr.span,
    };
    let clauses = match op {
        BinaryOp::Andalso => vec![clause("true", right.clone()), clause("false", atom("false"))],
        _ => vec![clause("false", right.clone()), clause("true", atom("true"))],
    };
    Expr { kind: ExprKind::Case { subject: Box::new(left.clone()), clauses }, span: expr.span }
}

/// The parts that are evaluated whatever the others are, in order.
fn strict_parts(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Tuple(items) => items.iter_mut().collect(),
        ExprKind::List { elements, tail } => {
            elements.iter_mut().chain(tail.as_deref_mut()).collect()
        }
        ExprKind::Call { args, .. } => args.iter_mut().collect(),
        ExprKind::Record { base, fields, .. } => base
            .as_deref_mut()
            .into_iter()
            .chain(fields.iter_mut().map(|it| &mut it.value))
            .collect(),
        ExprKind::RecordAccess { base, .. } => vec![base],
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary2 { op: BinaryOp::Andalso | BinaryOp::Orelse, left, .. } => vec![left],
        ExprKind::Binary2 { left, right, .. } => vec![left, right],
        _ => Vec::new(),
    }
}
