//! Branches of a body with effects, and what follows them.
//! What follows is made once, with variables for what differs, and repeated if it is small; else it becomes an equation.

use crate::instance::{Job, Path};
use crate::process::Next;
use crate::program::FunctionId;
use crate::shape::{size, substitute};
use crate::terms::{constant, is_no, is_yes};
use crate::translator::{Environment, Translator};
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{Clause, Expr};
use std::collections::BTreeMap;

/// What follows a `case` is repeated in its branches up to this size.
const REPEATED_MAX: usize = 3;

impl Translator<'_> {
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
    pub(crate) fn named_value(
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
}

/// What follows branches, with variables for what differs.
struct Join {
    linked: Vec<Term>,
    may_crash: bool,
    variable: String,
    bound: Vec<(Name, String)>,
    process: Process,
}

pub(crate) fn own_pid_first(mut parameters: Vec<String>) -> Vec<String> {
    if let Some(at) = parameters.iter().position(|it| it == "Self") {
        let own = parameters.remove(at);
        parameters.insert(0, own);
    }
    parameters
}
