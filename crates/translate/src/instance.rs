//! Functions as process equations, one for each way in which they are used: by whom (a client that may crash, one that
//! may not, a server), what becomes of the result, and which servers the caller is already linked to.
//! Why not one equation a function: muCRL has no values of processes, so what follows a call must be known to it; and
//! where a client may crash depends on the calls it has made.
//! Equations that come out equal are one again in the end (`merge`).

use crate::branch::own_pid_first;
use crate::process::Next;
use crate::program::FunctionId;
use crate::terms::constant;
use crate::translator::{Scope, Translator};
use foresee_algebra::{Process, Term};

/// What a function is translated for.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Key {
    pub(crate) function: FunctionId,
    pub(crate) role: Role,
    pub(crate) result: Return,
    pub(crate) linked: Vec<Link>,
}

/// Who evaluates it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Role {
    Client { crashes: bool },
    Server,
}

/// What becomes of the result.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Return {
    /// The process ends.
    End,
    /// It is what a callback of this server module returns; where the caller of a call is.
    Callback { module: String, from: Caller },
    /// It is used at this place.
    Site(usize),
    /// It is handed over to whoever waits for it.
    Result,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Caller {
    None,
    Parameter(usize),
    Extra,
}

/// A server that a client is linked to, as its function knows it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Link {
    Parameter(usize),
    Constant(String),
    Extra,
}

#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) name: String,
}

/// What follows a call: an equation, and which variables of the caller it needs.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) process: String,
    /// The parameters in order; `None` is the result.
    pub(crate) parameters: Vec<Option<String>>,
}

impl Site {
    pub(crate) fn carried(&self) -> impl Iterator<Item = &String> {
        self.parameters.iter().flatten()
    }
}

/// What is the same all over the body of one equation.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) own_pid: Term,
    pub(crate) role: Role,
    pub(crate) result: Return,
    /// Who made the call that is being answered, as `{Pid, Tag}`.
    pub(crate) from: Option<Term>,
    /// Variables that the place of the result needs.
    pub(crate) carried: Vec<Term>,
}

/// What is known on one way through a body.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) scope: Scope,
    /// The servers called so far.
    pub(crate) linked: Vec<Term>,
    /// The client may crash here, beside whatever comes next.
    pub(crate) may_crash: bool,
}

impl Translator<'_> {
    /// Calls a function as the last thing a body does.
    pub(crate) fn call_instance(
        &mut self,
        function: FunctionId,
        args: Vec<Term>,
        path: &Path,
        job: &Job,
        result: Return,
        carried: &[Term],
    ) -> Process {
        let mut extra = Vec::new();
        let result = match (result, &job.from) {
            (Return::Callback { module, .. }, Some(from)) => {
                let at = args.iter().position(|it| it == from);
                let from = match at {
                    Some(at) => Caller::Parameter(at),
                    None => {
                        extra.push(from.clone());
                        Caller::Extra
                    }
                };
                Return::Callback { module, from }
            }
            (result, _) => result,
        };
        extra.extend_from_slice(carried);
        let mut linked = Vec::new();
        if matches!(job.role, Role::Client { .. }) {
            for server in &path.linked {
                linked.push(match args.iter().position(|it| it == server) {
                    Some(at) => Link::Parameter(at),
                    None if self.is_constant(server) => Link::Constant(server.name.clone()),
                    None => {
                        extra.push(server.clone());
                        Link::Extra
                    }
                });
            }
            linked.sort();
        }
        let name = self.instance(Key { function, role: job.role, result, linked });
        let mut all = vec![job.own_pid.clone()];
        all.extend(args);
        all.extend(extra);
        Process::call(&name, all)
    }

    pub(crate) fn is_constant(&self, term: &Term) -> bool {
        term.arguments.is_empty() && !self.names.is_variable(&term.name)
    }

    /// The name of an equation, which is made later.
    pub(crate) fn instance(&mut self, key: Key) -> String {
        if let Some(known) = self.instances.get(&key) {
            return known.name.clone();
        }
        let known = &self.program.functions[key.function];
        let module = &self.program.modules[known.module].name;
        let name = self.names.fresh(&format!("{module}_{}", known.tree.name.name));
        self.instances.insert(key.clone(), Instance { name: name.clone() });
        self.instances_due.push_back(key);
        name
    }

    /// Makes the equation of a function.
    pub(crate) fn make_instance(&mut self, key: &Key) {
        self.names.start_definition();
        let name = self.instances[key].name.clone();
        let known = &self.program.functions[key.function];
        let (module, tree) = (known.module, known.tree.clone());
        let mut parameters = vec![self.names.variable("Self")];
        parameters.extend(self.parameters(&tree.name.name, &tree.clauses, tree.arity as usize));
        let args: Vec<Term> = parameters[1..].iter().map(|it| constant(it)).collect();
        let mut add = |translator: &mut Self, wanted: &str| {
            parameters.push(translator.names.variable(wanted));
            constant(parameters.last().expect("just pushed"))
        };
        let from = match &key.result {
            Return::Callback { from: Caller::Parameter(at), .. } => Some(args[*at].clone()),
            Return::Callback { from: Caller::Extra, .. } => Some(add(self, "From")),
            _ => None,
        };
        let carried: Vec<String> = match &key.result {
            Return::Site(at) => self.sites[*at].carried().cloned().collect(),
            _ => Vec::new(),
        };
        let carried: Vec<Term> = carried.iter().map(|it| add(self, it)).collect();
        let mut linked = Vec::new();
        for it in &key.linked {
            linked.push(match it {
                Link::Parameter(at) => args[*at].clone(),
                Link::Constant(name) => constant(name),
                Link::Extra => add(self, "Linked"),
            });
        }
        let own_pid = constant(&parameters[0]);
        let scope = Scope {
            module,
            environment: Default::default(),
            own_pid: Some(own_pid.clone()),
            owner: name.clone(),
        };
        let job = Job { own_pid, role: key.role, result: key.result.clone(), from, carried };
        let may_crash = key.role == Role::Client { crashes: true } && !linked.is_empty();
        let path = Path { scope, linked, may_crash };
        let body = self.branches(
            &tree.clauses,
            &args,
            "function_clause",
            path,
            &job,
            true,
            &mut |it, value, path| it.finish(value, &path, &job),
        );
        let comment = self.comment(key.function, tree.name.span);
        self.define(&name, &parameters, body, comment);
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
}
