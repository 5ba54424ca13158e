//! Generic servers: one loop for all callbacks, what callbacks return, and how a server starts.
//! The loop takes a message and calls the callback's equation with everything the callback knows; its clauses are tried
//! in order there. So a server that has taken a message stands at a place of its own, also when all it does next is to go
//! back to its loop, as in the paper.

use crate::communicate::{tag_name, tagged};
use crate::diagnostic::{BAD_CALLBACK, EFFECT_IN_VALUE, TIMED};
use crate::instance::{Caller, Job, Key, Path, Return, Role};
use crate::label::erlang;
use crate::program::FunctionId;
use crate::terms::{all, as_integer, constant, element, elements, eq, is_tuple, tuple};
use crate::translator::{Scope, Translator};
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::Span;

impl Translator<'_> {
    /// The name of a server module's loop, which is made later.
    pub(crate) fn server_loop(&mut self, module: &str) -> String {
        if let Some(name) = self.loops.get(module) {
            return name.clone();
        }
        let name = self.names.fresh(&format!("{module}_server"));
        self.loops.insert(module.to_owned(), name.clone());
        self.loops_due.push_back(module.to_owned());
        name
    }

    /// Makes the loop of a server module.
    pub(crate) fn make_loop(&mut self, module: &str) {
        self.names.start_definition();
        let name = self.loops[module].clone();
        let [own_pid, state, message, client] =
            ["Self", "State", "Message", "Client"].map(|it| self.names.variable(it));
        let values = [&own_pid, &state, &message, &client].map(|it| constant(it));
        let [own, at, said, by] = values.clone();
        let job = Job {
            own_pid: own.clone(),
            role: Role::Server,
            result: Return::End,
            from: None,
            carried: Vec::new(),
        };
        let mut parts = Vec::new();
        let n_tags = self.n_tags();
        for tag in 0..n_tags {
            let (half, tag) = if self.options.async_reply {
                (tagged("handle_call", tag), constant(&tag_name(tag)))
            } else {
                ("handle_call".to_owned(), constant("tag'"))
            };
            let takes = Process::action(&half, vec![own.clone(), said.clone(), by.clone()]);
            let from = tuple([by.clone(), tag]);
            let then = match self.callback(module, "handle_call", 3, Caller::Parameter(1)) {
                Some(it) => Process::call(&it, vec![own.clone(), said.clone(), from, at.clone()]),
                None => self.failure(&job, "undef"),
            };
            parts.push(Process::sum(
                &message,
                "Term",
                Process::sum(&client, "Term", takes.then(then)),
            ));
        }
        for (function, half) in [("handle_cast", "handle_cast"), ("handle_info", "handle_info")] {
            let takes = Process::action(half, vec![own.clone(), said.clone()]);
            let then = match self.callback(module, function, 2, Caller::None) {
                Some(it) => Process::call(&it, vec![own.clone(), said.clone(), at.clone()]),
                // Without a handle_info of its own a generic server drops what it is not asked.
                None if function == "handle_info" => {
                    Process::call(&name, vec![own.clone(), at.clone()])
                }
                None => self.failure(&job, "undef"),
            };
            parts.push(Process::sum(&message, "Term", takes.then(then)));
        }
        let comment = format!("the loop of the generic server {module}");
        self.define(&name, &[own_pid, state], Process::choice(parts), comment);
    }

    /// How many kinds of calls labels must tell apart: one, unless replies go their own way.
    pub(crate) fn n_tags(&self) -> usize {
        if self.options.async_reply { self.tags.len().max(1) } else { 1 }
    }

    fn callback(
        &mut self,
        module: &str,
        function: &str,
        arity: usize,
        from: Caller,
    ) -> Option<String> {
        let function = self.program.find(module, function, arity)?;
        let result = Return::Callback { module: module.to_owned(), from };
        Some(self.instance(Key { function, role: Role::Server, result, linked: Vec::new() }))
    }

    /// What a callback returns is what the server does next.
    pub(crate) fn returned(
        &mut self,
        module: &str,
        value: Term,
        path: &Path,
        job: &Job,
    ) -> Process {
        if let Some(items) = elements(&value) {
            let items: Vec<Term> = items.into_iter().cloned().collect();
            return match self.known_result(module, &items, path, job) {
                Some(process) => process,
                None => {
                    let text = self.words(&value);
                    self.refuse_result(module, &text, path)
                }
            };
        }
        // The value is computed by rules: its shape is known only then.
        let part = |at: usize| element(at, value.clone());
        let mut process = self.failure(job, "bad_return_value");
        for (tag, n) in [("stop", 4), ("stop", 3), ("noreply", 2), ("reply", 3)] {
            let tag = self.atom(tag);
            let fits = all([is_tuple(n, value.clone()), eq(part(1), tag.clone())]);
            let items: Vec<Term> = std::iter::once(tag).chain((2..=n).map(part)).collect();
            if let Some(then) = self.known_result(module, &items, path, job) {
                process = then.when(fits, process);
            }
        }
        process
    }

    fn known_result(
        &mut self,
        module: &str,
        items: &[Term],
        path: &Path,
        job: &Job,
    ) -> Option<Process> {
        let texts: Vec<&str> = items.iter().take(1).map(|it| it.name.as_str()).collect();
        let answer = |it: &mut Self, message: &Term| {
            let from = job.from.clone()?;
            Some(it.reply(from, message.clone(), job))
        };
        Some(match (texts.first().copied()?, &items[1..]) {
            ("reply", [message, state]) => {
                answer(self, message)?.then(self.back_to_loop(module, state, None, path, job))
            }
            ("reply", [message, state, then]) => {
                answer(self, message)?.then(self.back_to_loop(module, state, Some(then), path, job))
            }
            ("noreply", [state]) => self.back_to_loop(module, state, None, path, job),
            ("noreply", [state, then]) => self.back_to_loop(module, state, Some(then), path, job),
            ("stop", [_, _]) => {
                self.note_stop(module);
                Process::delta()
            }
            ("stop", [_, message, _]) => {
                self.note_stop(module);
                answer(self, message)?.then(Process::delta())
            }
            _ => return None,
        })
    }

    fn note_stop(&mut self, module: &str) {
        let id = self.program.modules.iter().position(|it| it.name == module).unwrap_or_default();
        let span = self.module_span(id);
        self.note(id, span, "a server that stops does nothing more; it is not started again");
    }

    pub(crate) fn module_span(&self, module: usize) -> Span {
        self.program.modules[module]
            .parse
            .module
            .name
            .as_ref()
            .map_or(Span::default(), |it| it.span)
    }

    /// The loop, or first `handle_continue`.
    fn back_to_loop(
        &mut self,
        module: &str,
        state: &Term,
        then: Option<&Term>,
        path: &Path,
        job: &Job,
    ) -> Process {
        let to_loop = |it: &mut Self| {
            let name = it.server_loop(module);
            Process::call(&name, vec![job.own_pid.clone(), state.clone()])
        };
        let Some(then) = then else { return to_loop(self) };
        if then.arguments.is_empty() && matches!(then.name.as_str(), "hibernate" | "infinity") {
            return to_loop(self);
        }
        let asked = elements(then)
            .filter(|it| it.len() == 2 && it[0].name == "continue")
            .map(|it| it[1].clone());
        if let Some(asked) = asked {
            return match self.callback(module, "handle_continue", 2, Caller::None) {
                Some(it) => Process::call(&it, vec![job.own_pid.clone(), asked, state.clone()]),
                None => self.refuse_result(
                    module,
                    "{continue,_}, but there is no handle_continue/2",
                    path,
                ),
            };
        }
        let id = path.scope.module;
        let span = self.span_of(&path.scope);
        let what =
            if as_integer(then).is_some() { "a time-out" } else { "a time-out that is computed" };
        let message = format!("a callback of {module} returns {what}, which has no translation");
        let help = "let a message from a client stand for the time that has come";
        self.refuse(TIMED, id, span, message, help);
        Process::delta()
    }

    fn refuse_result(&mut self, module: &str, value: &str, path: &Path) -> Process {
        let span = self.span_of(&path.scope);
        let message = format!("a callback of {module} returns {value}");
        let help = "callbacks return {reply, Reply, State}, {noreply, State} or {stop, Reason, State}, with {continue, _} behind it";
        self.refuse(BAD_CALLBACK, path.scope.module, span, message, help);
        Process::delta()
    }

    /// A term for a message: variables as they are, the rest as Erlang writes it.
    fn words(&self, term: &Term) -> String {
        let variables = self.variables_in(term);
        variables.iter().fold(erlang(term), |text, it| text.replace(&format!("'{it}'"), it))
    }

    /// Where the function stands whose body is being translated.
    fn span_of(&self, scope: &Scope) -> Span {
        let name = &scope.owner;
        let found = self.instances.iter().find(|(_, it)| it.name == *name);
        let function = found.map(|(key, _)| &self.program.functions[key.function]);
        match function {
            Some(known) if known.module == scope.module => known.tree.name.span,
            _ => self.module_span(scope.module),
        }
    }

    /// How a server starts: its loop with the state that `init` computes.
    pub(crate) fn start_server(&mut self, pid: &Term, module: &str, argument: Term) -> Process {
        self.names.start_definition();
        let Some(id) = self.program.modules.iter().position(|it| it.name == module) else {
            let message = format!("the server module {module} is not given");
            self.refuse(BAD_CALLBACK, 0, Span::default(), message, "give its file too");
            return Process::delta();
        };
        let Some(init) = self.program.find(module, "init", 1) else {
            let span = self.module_span(id);
            let message = format!("the server module {module} has no init/1");
            self.refuse(BAD_CALLBACK, id, span, message, "a generic server starts with init/1");
            return Process::delta();
        };
        let job = Job {
            own_pid: pid.clone(),
            role: Role::Server,
            result: Return::Callback { module: module.to_owned(), from: Caller::None },
            from: None,
            carried: Vec::new(),
        };
        let scope = Scope {
            module: id,
            environment: Default::default(),
            own_pid: Some(pid.clone()),
            owner: format!("{module}_init"),
        };
        let path = Path { scope, linked: Vec::new(), may_crash: false };
        let start = self.inline(init, &[argument], path, &job, true, &mut |it, value, path| {
            it.started(module, init, &value, &path, &job)
        });
        let mut does = false;
        let names: Vec<String> = self
            .loops
            .values()
            .chain(self.instances.values().map(|it| &it.name))
            .cloned()
            .collect();
        crate::shape::named(&start, &mut |it| {
            does |= !names.contains(&it.name) && it.name != "failure"
        });
        if does {
            let span = self.program.functions[init].tree.name.span;
            let message = format!("init/1 of {module} does something others can notice");
            let help = "return {ok, State, {continue, start}} and do it in handle_continue/2";
            self.refuse(EFFECT_IN_VALUE, id, span, message, help);
        }
        start
    }

    fn started(
        &mut self,
        module: &str,
        init: FunctionId,
        value: &Term,
        path: &Path,
        job: &Job,
    ) -> Process {
        let ok = |it: &Term| it.name == "ok" && it.arguments.is_empty();
        match elements(value).as_deref() {
            Some([tag, state]) if ok(tag) => self.back_to_loop(module, state, None, path, job),
            Some([tag, state, then]) if ok(tag) => {
                let (state, then) = ((*state).clone(), (*then).clone());
                self.back_to_loop(module, &state, Some(&then), path, job)
            }
            Some(_) => {
                let id = self.program.functions[init].module;
                let span = self.program.functions[init].tree.name.span;
                let message = format!("init/1 of {module} returns {}", self.words(value));
                self.refuse(
                    BAD_CALLBACK,
                    id,
                    span,
                    message,
                    "return {ok, State} or {ok, State, {continue, _}}",
                );
                Process::delta()
            }
            None => {
                let state = element(2, value.clone());
                self.back_to_loop(module, &state, None, path, job)
            }
        }
    }
}
