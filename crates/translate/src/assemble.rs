//! Everything together: the processes of the tree side by side, with what stands between them.

use crate::diagnostic::{Diagnostic, NO_CRASH, NO_FUNCTION, NO_VALUE};
use crate::instance::{Key, Return, Role};
use crate::names::{Names, encode};
use crate::options::{Buffer, Options, Translation};
use crate::program::{ModuleId, Program, Target};
use crate::supervision::{Child, ChildKind, children};
use crate::terms::{constant, nil};
use crate::translator::Translator;
use crate::walk::everything;
use crate::{addressed, spelling, tidy};
use foresee_algebra::{Process, Specification, Term};
use foresee_erlang_syntax::tree::ExprKind;
use foresee_erlang_syntax::{Parse, Span};
use foresee_stdx::matches_pattern;
use std::collections::{BTreeMap, BTreeSet};

/// Translates the tree that `supervisor` (a module and a function without arguments) starts.
///
/// ```
/// use foresee_erlang_syntax::{no_includes, parse_file};
/// use foresee_translate::{Options, translate};
/// let server = "-module(bell).
///     -export([start_link/0, init/1, handle_call/3, handle_cast/2]).
///     start_link() -> gen_server:start_link({local, bell}, bell, [], []).
///     init(_) -> {ok, quiet}.
///     handle_call(ring, _, _) -> {reply, ding, rung}.
///     handle_cast(_, State) -> {noreply, State}.";
/// let tree = "-module(tree).
///     -export([start_link/0, init/1, guest/0, ring/0]).
///     start_link() -> supervisor:start_link(tree, []).
///     init(_) -> {ok, {#{}, [#{id => bell, start => {bell, start_link, []}},
///                            #{id => guest, start => {tree, guest, []}}]}}.
///     guest() -> {ok, spawn_link(tree, ring, [])}.
///     ring() -> gen_server:call(bell, ring, infinity), ring().";
/// let parse = |path, text| parse_file(path, text, &Default::default(), &mut no_includes);
/// let modules = [parse("bell.erl", server), parse("tree.erl", tree)];
/// let translation = translate(&modules, ("tree", "start_link"), &Options::default()).unwrap();
/// assert!(translation.to_mucrl().contains("gen_server_call(bell,ring,Self)"));
/// ```
pub fn translate(
    modules: &[Parse],
    supervisor: (&str, &str),
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let children = children(modules, supervisor)?;
    let mut translator = Translator::new(modules, children, options);
    let crashing = translator.crashing();
    let parts = translator.start(&crashing);
    translator.work();
    if !translator.problems.is_empty() {
        return Err(translator.problems);
    }
    Ok(translator.assemble(parts))
}

/// The processes side by side, by child.
struct Parts {
    own: Vec<Process>,
}

impl<'o> Translator<'o> {
    fn new(modules: &[Parse], children: Vec<Child>, options: &'o Options) -> Translator<'o> {
        let program = Program::new(modules);
        let mut names = Names::default();
        names.constants.extend(program.atoms().iter().map(|it| encode(it)));
        names.constants.extend(["EXIT".to_owned()]);
        for it in
            ["Server_Buffer", "Reply", "Mailbox", "Mailbox_waits", "Mailbox_holds", "CallResult"]
        {
            names.reserve(it);
        }
        let library = foresee_algebra::parse(include_str!("library/data.mcrl")).specification;
        library.functions.iter().for_each(|it| names.reserve(&it.name.text));
        names.reserve("raised");
        let tags = call_sites(&program, modules.len());
        Translator {
            program,
            options,
            children,
            names,
            rules: Vec::new(),
            maps: Vec::new(),
            processes: Vec::new(),
            comments: BTreeMap::new(),
            actions: BTreeSet::new(),
            notes: BTreeSet::new(),
            problems: Vec::new(),
            function_names: BTreeMap::new(),
            functions_due: Default::default(),
            instances: BTreeMap::new(),
            instances_due: Default::default(),
            loops: BTreeMap::new(),
            loops_due: Default::default(),
            sites: Vec::new(),
            tags,
            uses_results: false,
            can_end: BTreeSet::new(),
        }
    }

    /// The clients that may crash.
    fn crashing(&mut self) -> BTreeSet<String> {
        let mut crashing = BTreeSet::new();
        let children = self.children.clone();
        for wanted in &self.options.crash {
            let fits: Vec<&Child> =
                children.iter().filter(|it| matches(wanted, &it.name)).collect();
            let is_client = |it: &&&Child| matches!(it.kind, ChildKind::Client { .. });
            let clients: Vec<String> =
                fits.iter().filter(is_client).map(|it| it.name.clone()).collect();
            if clients.is_empty() && !(wanted == "all" && self.options.crash.len() == 1) {
                let (message, help) = match fits.first() {
                    Some(server) => (
                        format!(
                            "{} is a server; only clients can crash in a translation",
                            server.name
                        ),
                        "explore the program itself (foresee check --crash) to let servers crash"
                            .to_owned(),
                    ),
                    None => {
                        let known =
                            children.iter().filter(|it| is_client(&it)).map(|it| it.name.as_str());
                        let help =
                            format!("the clients are {}", known.collect::<Vec<_>>().join(", "));
                        (format!("there is no process {wanted} that could crash"), help)
                    }
                };
                self.refuse(NO_CRASH, 0, self.module_span(0), message, help);
            }
            crashing.extend(clients);
        }
        crashing
    }

    /// Where each process of the tree starts.
    fn start(&mut self, crashing: &BTreeSet<String>) -> Parts {
        let pids: Vec<String> = self.children.iter().map(|it| self.pid(it)).collect();
        self.names.constants.extend(pids.iter().cloned());
        let mut own = Vec::new();
        for (child, pid) in self.children.clone().iter().zip(&pids) {
            let pid = constant(pid);
            own.push(match &child.kind {
                ChildKind::Server { module, argument } => {
                    let argument = self.argument(child, argument);
                    self.start_server(&pid, module, argument)
                }
                ChildKind::Client { module, function, arguments } => {
                    let crashes = crashing.contains(&child.name);
                    let arguments: Vec<Term> =
                        arguments.iter().map(|it| self.argument(child, it)).collect();
                    self.start_client(pid, module, function, arguments, crashes)
                }
            });
        }
        Parts { own }
    }

    fn argument(&mut self, child: &Child, value: &foresee_erlang::Term) -> Term {
        if let Some(term) = self.start_value(value) {
            return term;
        }
        let message = format!("{} starts with {value}, which has no translation", child.name);
        let help = "start processes with atoms, small integers, lists and tuples";
        self.refuse(NO_VALUE, 0, self.module_span(0), message, help);
        nil()
    }

    fn start_client(
        &mut self,
        pid: Term,
        module: &str,
        function: &str,
        arguments: Vec<Term>,
        crashes: bool,
    ) -> Process {
        let Some(id) = self.program.find(module, function, arguments.len()) else {
            let message = format!(
                "the client starts in {module}:{function}/{}, which is not there",
                arguments.len()
            );
            self.refuse(NO_FUNCTION, 0, self.module_span(0), message, "give the module's file too");
            return Process::delta();
        };
        let role = Role::Client { crashes };
        let key = Key { function: id, role, result: Return::End, linked: Vec::new() };
        let name = self.instance(key);
        let mut all = vec![pid];
        all.extend(arguments);
        Process::call(&name, all)
    }

    /// Translates until nothing is due.
    fn work(&mut self) {
        loop {
            if let Some(id) = self.functions_due.pop_front() {
                self.rules_of(id);
            } else if let Some(key) = self.instances_due.pop_front() {
                self.make_instance(&key);
            } else if let Some(module) = self.loops_due.pop_front() {
                self.make_loop(&module);
            } else {
                return;
            }
        }
    }

    fn assemble(mut self, parts: Parts) -> Translation {
        let mut groups: BTreeMap<Key, Vec<String>> = BTreeMap::new();
        for (key, it) in &self.instances {
            let group = Key { linked: Vec::new(), ..key.clone() };
            groups.entry(group).or_default().push(it.name.clone());
        }
        let groups: Vec<Vec<String>> = groups.into_values().collect();
        let merged = tidy::merge(&mut self.processes, &groups);
        let own: Vec<Process> = parts.own.iter().map(|it| tidy::renamed(it, &merged)).collect();
        let servers = self.servers();
        let names = &self.names;
        addressed::ask(&mut self.processes, &own, &servers, &|it| names.is_variable(it));
        tidy::guard(&mut self.processes);
        let mut used = BTreeSet::new();
        for it in &self.processes {
            crate::shape::named(&it.body, &mut |it| {
                used.insert(it.name.clone());
            });
        }
        let meetings = self.meetings(&used);
        let components = self.components(&own);
        self.notes_on_processes(&own, !self.options.crash.is_empty());
        self.make_protocol(&meetings);
        let mut spec =
            Specification { processes: std::mem::take(&mut self.processes), ..Default::default() };
        spec.processes.sort_by_key(|it| it.name.text.clone());
        let mut declared = BTreeSet::new();
        for it in &meetings {
            for name in [&it.left, &it.right, &it.result] {
                if declared.insert((name.clone(), it.n_data)) {
                    spec.action(name, &vec!["Term"; it.n_data]);
                }
            }
            spec.communicate(&it.left, &it.right, &it.result);
        }
        for (name, n) in &self.actions {
            spec.action(name, &vec!["Term"; *n]);
        }
        if used.contains("failure") || own.iter().any(|it| it.to_string().contains("failure(")) {
            spec.action("failure", &["Term", "Term"]);
        }
        if matches!(self.options.buffer, Buffer::Bounded(_)) {
            spec.action("bufferfull", &["Term"]);
        }
        let mut halves: Vec<&str> = Vec::new();
        let mut hidden: Vec<&str> = Vec::new();
        for it in &meetings {
            for half in [&it.left, &it.right] {
                if !halves.contains(&half.as_str()) {
                    halves.push(half);
                }
            }
            if it.is_hidden && !hidden.contains(&it.result.as_str()) {
                hidden.push(&it.result);
            }
        }
        let mut init = components.encap(&halves);
        if !hidden.is_empty() {
            init = init.hide(&hidden);
        }
        spec.init = Some(init);
        self.add_data(&mut spec);
        spelling::spell(&mut spec);
        self.result(spec)
    }

    /// The processes of the tree and what stands beside each.
    fn components(&self, own: &[Process]) -> Process {
        let mut all = Vec::new();
        for (child, start) in self.children.iter().zip(own) {
            let pid = constant(&self.pid(child));
            all.push(start.clone());
            if matches!(child.kind, ChildKind::Server { .. }) && self.options.buffer != Buffer::None
            {
                all.push(Process::call("Server_Buffer", vec![pid.clone(), nil()]));
            }
            if self.options.async_reply && self.reaches(start, "receive") {
                all.push(Process::call("Mailbox", vec![pid.clone()]));
            }
            if self.uses_results && self.reaches(start, "rcallvalue") {
                all.push(Process::call("CallResult", vec![pid]));
            }
        }
        Process::parallel(all).unwrap_or_else(Process::delta)
    }

    /// What the specification leaves out of the life of processes.
    fn notes_on_processes(&mut self, own: &[Process], is_crashing: bool) {
        for (child, start) in self.children.clone().iter().zip(own) {
            let (module, text) = match &child.kind {
                ChildKind::Server { module, .. } => {
                    let traps = self.program.uses(module, "process_flag");
                    let text = "does not trap exits and would die with a client that is linked to it; here it is told";
                    (module, (is_crashing && !traps).then_some(text))
                }
                ChildKind::Client { module, .. } => {
                    let ends = self.can_end.iter().any(|it| self.reaches(start, it));
                    let text =
                        "is permanent and would be started again when it ends; here it is not";
                    (module, (child.is_permanent && ends).then_some(text))
                }
            };
            let id = self.program.modules.iter().position(|it| it.name == *module);
            if let (Some(id), Some(text)) = (id, text) {
                let text = format!("{} {text}", child.name);
                self.note(id, self.module_span(id), text);
            }
        }
    }

    /// Whether this name occurs in a process or in an equation it can come to.
    fn reaches(&self, start: &Process, wanted: &str) -> bool {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut due = vec![start];
        while let Some(process) = due.pop() {
            let mut names = Vec::new();
            crate::shape::named(process, &mut |it| names.push(it.name.as_str()));
            for name in names {
                if seen.insert(name.to_owned()) {
                    due.extend(
                        self.processes.iter().filter(|it| it.name.text == name).map(|it| &it.body),
                    );
                }
            }
        }
        seen.contains(wanted)
    }

    fn result(self, specification: Specification) -> Translation {
        let names = |wanted: bool| {
            let is_server = |it: &&Child| matches!(it.kind, ChildKind::Server { .. }) == wanted;
            self.children.iter().filter(is_server).map(|it| it.name.clone()).collect()
        };
        let (servers, clients) = (names(true), names(false));
        let note = |(path, line, text)| format!("{path}:{line}: {text}");
        let notes = self.notes.into_iter().map(note).collect();
        Translation {
            specification,
            notes,
            servers,
            clients,
            comments: self.comments,
            normalised: self.options.normalised,
        }
    }
}

/// A number for each place of the user's modules where a server is called.
fn call_sites(program: &Program, n_modules: usize) -> BTreeMap<(ModuleId, Span), usize> {
    let mut sites = BTreeMap::new();
    for known in program.functions.iter().filter(|it| it.module < n_modules) {
        for expr in known.tree.clauses.iter().flat_map(|it| &it.body) {
            everything(expr, &mut |it| {
                if let ExprKind::Call { target, args } = &it.kind
                    && let Target::Other(of, function) =
                        program.target(known.module, target, args.len())
                    && of == "gen_server"
                    && function == "call"
                {
                    let n = sites.len();
                    sites.entry((known.module, it.span)).or_insert(n);
                }
            });
        }
    }
    sites
}

/// Whether a name fits what was asked for: itself, `*` for any letters, `all`.
fn matches(wanted: &str, name: &str) -> bool {
    wanted == "all" || matches_pattern(wanted, name)
}
