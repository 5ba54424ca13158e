//! Bodies with effects as processes: what is done, then what follows.
//! What follows is a function from the value just computed to a process (continuation-passing), so a `case` in the middle
//! of a body has what follows in each branch; when that is large it becomes an equation of its own, called by each.
//! The order of Erlang's evaluation is kept: arguments with effects are evaluated first, from left to right.

use crate::diagnostic::NO_VALUE;
use crate::function::LARGE;
use crate::instance::{Job, Path, Return, Role, Site};
use crate::program::{FunctionId, Target};
use crate::shape::{size, size_of, substitute};
use crate::terms::{and, cons, constant, is_no, is_yes, tail};
use crate::translator::{Environment, Translator};
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{
    BinaryOp, Clause, Expr, ExprKind, GeneratorKind, Qualifier, Template,
};
use std::collections::BTreeMap;

/// What follows, given the value and what is known then.
pub(crate) type Next<'n> = &'n mut dyn FnMut(&mut Translator<'_>, Term, Path) -> Process;

/// What follows a `case` is repeated in its branches up to this size.
const REPEATED_MAX: usize = 3;

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
                self.each(expr, template, qualifiers, path, job, next)
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
        let mut found = None;
        for part in strict_parts(&mut changed) {
            if self.program.is_effectful(module, part) {
                let variable = Expr { kind: ExprKind::Var(name.clone()), span: part.span };
                found = Some(std::mem::replace(part, variable));
                break;
            }
        }
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

    /// Chooses by patterns and guards, in order; what follows comes in each branch.
    #[expect(clippy::too_many_arguments, reason = "a case, what it is about, and what follows")]
    pub(crate) fn branches(
        &mut self,
        clauses: &[Clause],
        subjects: &[Term],
        reason: &str,
        path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        let mut open: Vec<(Term, &Clause, Path)> = Vec::new();
        for clause in clauses {
            let mut inner = path.clone();
            let fits = self.head(clause, subjects, &mut inner.scope);
            if is_no(&fits) {
                continue;
            }
            let ends = is_yes(&fits);
            open.push((fits, clause, inner));
            if ends {
                break;
            }
        }
        // A truth is one of two.
        if let [(first, ..), (second, ..)] = &mut open[..]
            && *second == crate::terms::not(first.clone())
        {
            *second = crate::terms::yes();
        }
        let is_total = open.last().is_some_and(|it| is_yes(&it.0));
        let is_split = open.len() > 1 && !is_last;
        let mut joins = Vec::new();
        let mut parts = Vec::new();
        for (fits, clause, inner) in open {
            let body = if is_split {
                let known = &path.scope.environment;
                self.run(&clause.body, inner, job, false, &mut |it, value, path| {
                    it.join(&mut joins, known, value, path, next)
                })
            } else {
                self.run(&clause.body, inner, job, is_last, next)
            };
            parts.push((fits, body));
        }
        let mut process = if is_total {
            parts.pop().expect("there is a last one").1
        } else {
            self.failure(job, reason)
        };
        for (fits, body) in parts.into_iter().rev() {
            process = if body == process { body } else { body.when(fits, process) };
        }
        process
    }

    /// What follows branches: made once for all that know the same servers.
    fn join(
        &mut self,
        joins: &mut Vec<Join>,
        known: &Environment,
        value: Term,
        path: Path,
        next: Next<'_>,
    ) -> Process {
        let at = match joins
            .iter()
            .position(|it| it.linked == path.linked && it.may_crash == path.may_crash)
        {
            Some(at) => at,
            None => {
                let variable = self.names.variable("Value");
                let mut inner = path.clone();
                let mut bound = Vec::new();
                for (name, term) in &mut inner.scope.environment {
                    if !known.contains_key(name) {
                        let variable = self.names.variable(name);
                        *term = constant(&variable);
                        bound.push((name.clone(), variable));
                    }
                }
                let owner = path.scope.owner.clone();
                let mut process = next(self, constant(&variable), inner);
                if size(&process) > REPEATED_MAX {
                    process = self.separate(&format!("{owner}_then"), &owner, process);
                }
                let (linked, may_crash) = (path.linked.clone(), path.may_crash);
                joins.push(Join { linked, may_crash, variable, bound, process });
                joins.len() - 1
            }
        };
        let join = &joins[at];
        let mut values = BTreeMap::from([(join.variable.clone(), value)]);
        for (name, variable) in &join.bound {
            if let Some(term) = path.scope.environment.get(name) {
                values.insert(variable.clone(), term.clone());
            }
        }
        substitute(&join.process, &values)
    }

    /// What follows a large value becomes an equation that has it as a parameter.
    fn named_value(
        &mut self,
        pattern: &Expr,
        value: Term,
        mut path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let variable = self.names.variable("Value");
        let owner = path.scope.owner.clone();
        let fits = self.pattern(pattern, constant(&variable), &mut path.scope);
        let then = next(self, constant(&variable), path);
        let body =
            if is_yes(&fits) { then } else { then.when(fits, self.failure(job, "badmatch")) };
        let call = self.separate(&format!("{owner}_then"), &owner, body);
        substitute(&call, &BTreeMap::from([(variable, value)]))
    }

    /// An equation for a part of a body; what is left there is its call.
    pub(crate) fn separate(&mut self, wanted: &str, owner: &str, body: Process) -> Process {
        let parameters: Vec<String> = self.free_variables(&body).into_iter().collect();
        let parameters = own_pid_first(parameters);
        let name = self.names.fresh(wanted);
        self.define(&name, &parameters, body, format!("part of {owner}"));
        Process::call(&name, parameters.iter().map(|it| constant(it)).collect())
    }

    /// The body of a function in the place of its call.
    pub(crate) fn inline(
        &mut self,
        id: FunctionId,
        args: &[Term],
        path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        let known = &self.program.functions[id];
        let clauses = known.tree.clauses.clone();
        let mut inner = path.clone();
        inner.scope.module = known.module;
        inner.scope.environment.clear();
        let outer = path.scope;
        self.branches(
            &clauses,
            args,
            "function_clause",
            inner,
            job,
            is_last,
            &mut |it, value, path| {
                let back = Path { scope: outer.clone(), ..path };
                next(it, value, back)
            },
        )
    }

    /// A call of a function with effects.
    pub(crate) fn call_function(
        &mut self,
        id: FunctionId,
        args: Vec<Term>,
        path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        if is_last {
            let carried = job.carried.clone();
            return self.call_instance(id, args, &path, job, job.result.clone(), &carried);
        }
        if !self.program.functions[id].is_recursive {
            return self.inline(id, &args, path, job, false, next);
        }
        if self.program.recurses_last(id) {
            return self.call_at_site(id, args, path, job, next);
        }
        // Anything else that recurses leaves its result where the caller finds it.
        self.uses_results = true;
        let result = constant(&self.names.variable("Result"));
        let call = self.call_instance(id, args, &path, job, Return::Result, &[]);
        let read = Process::action("rcallvalue", vec![job.own_pid.clone(), result.clone()]);
        let rest = next(self, result.clone(), path);
        call.then(Process::sum(&result.name, "Term", read.then(rest)))
    }

    /// What follows becomes an equation, which the function calls at its end.
    fn call_at_site(
        &mut self,
        id: FunctionId,
        args: Vec<Term>,
        path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let result = self.names.variable("Result");
        let owner = path.scope.owner.clone();
        let rest = next(self, constant(&result), path.clone());
        let parameters = own_pid_first(self.free_variables(&rest).into_iter().collect());
        let name = self.names.fresh(&format!("{owner}_then"));
        self.define(&name, &parameters, rest, format!("part of {owner}"));
        let kept = |it: &String| if *it == result { None } else { Some(it.clone()) };
        let site = Site { process: name, parameters: parameters.iter().map(kept).collect() };
        let carried: Vec<Term> = site.carried().map(|it| constant(it)).collect();
        self.sites.push(site);
        let at = self.sites.len() - 1;
        self.call_instance(id, args, &path, job, Return::Site(at), &carried)
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

    /// A comprehension whose elements have effects: a loop that goes on with what follows.
    fn each(
        &mut self,
        expr: &Expr,
        template: &Template,
        qualifiers: &[Qualifier],
        path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let module = path.scope.module;
        let (Template::List(template), [Qualifier::Generator(generator), filters @ ..]) =
            (template, qualifiers)
        else {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        };
        let GeneratorKind::List(pattern) = &generator.kind else {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        };
        let is_plain = filters.iter().all(|it| match it {
            Qualifier::Filter(it) => !self.program.is_effectful(module, it),
            _ => false,
        });
        if !is_plain || self.program.is_effectful(module, &generator.source) {
            self.refuse_effect(expr, &path.scope);
            return Process::delta();
        }
        let mut scope = path.scope.clone();
        let source = self.value(&generator.source, &mut scope);
        let owner = path.scope.owner.clone();
        let name = self.names.fresh(&format!("{owner}_each"));
        let (items, collected) = (self.names.variable("Items"), self.names.variable("Collected"));
        let mut rest = next(self, constant(&collected), path.clone());
        // Values are collected only if somebody looks at them; the last one is in front.
        let is_used = self.free_variables(&rest).contains(&collected);
        if is_used {
            let reverse = self.program.find("lists", "reverse", 1).expect("in the library");
            let reversed = Term::apply(&self.function_name(reverse), vec![constant(&collected)]);
            rest = substitute(&rest, &BTreeMap::from([(collected.clone(), reversed)]));
        }
        let mut kept = self.free_variables(&rest);
        kept.extend(self.variables_in(&job.own_pid));
        let mut used = crate::shape::variables_of(pattern);
        used.extend(crate::shape::variables_of(template));
        for it in filters {
            if let Qualifier::Filter(it) = it {
                used.extend(crate::shape::variables_of(it));
            }
        }
        for (_, term) in path.scope.environment.iter().filter(|(it, _)| used.contains(*it)) {
            kept.extend(self.variables_in(term));
        }
        if job.role == (Role::Client { crashes: true }) {
            path.linked.iter().for_each(|it| kept.extend(self.variables_in(it)));
        }
        kept.remove(&collected);
        let mut parameters = own_pid_first(kept.into_iter().collect());
        let kept: Vec<Term> = parameters.iter().map(|it| constant(it)).collect();
        let call = |list: Term, values: Term| {
            let mut args = kept.clone();
            args.push(list);
            args.extend(is_used.then_some(values));
            Process::call(&name, args)
        };
        let again = |values: Term| call(tail(constant(&items)), values);
        let mut inner = path;
        let shadowed = crate::shape::variables_of(pattern);
        inner.scope.environment.retain(|it, _| !shadowed.contains(it));
        let element = crate::terms::head(constant(&items));
        let fits = self.pattern(pattern, element, &mut inner.scope);
        let mut keeps = crate::terms::yes();
        for it in filters {
            if let Qualifier::Filter(it) = it {
                keeps = and(keeps, self.truth(it, &mut inner.scope));
            }
        }
        let mut body = self.step(template, inner, job, false, &mut |_, value, _| {
            again(cons(value, constant(&collected)))
        });
        let skip = again(constant(&collected));
        if !is_yes(&keeps) {
            body = body.when(keeps, skip.clone());
        }
        if !is_yes(&fits) {
            let other = if generator.strict { self.failure(job, "badmatch") } else { skip };
            body = body.when(fits, other);
        }
        let body = body.when(crate::terms::is_cons(constant(&items)), rest);
        let first = call(source, constant("nil"));
        parameters.push(items);
        parameters.extend(is_used.then_some(collected));
        self.define(&name, &parameters, body, format!("a comprehension in {owner}"));
        first
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

/// What follows branches, with variables for what differs.
struct Join {
    linked: Vec<Term>,
    may_crash: bool,
    variable: String,
    bound: Vec<(Name, String)>,
    process: Process,
}

fn own_pid_first(mut parameters: Vec<String>) -> Vec<String> {
    if let Some(at) = parameters.iter().position(|it| it == "Self") {
        let own = parameters.remove(at);
        parameters.insert(0, own);
    }
    parameters
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
