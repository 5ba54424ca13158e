//! The supervision tree: what a supervisor would start, found by evaluating its text with the Erlang machine.
//! Why the machine: child lists are computed (comprehensions, macros, helper functions), and no second evaluator could be
//! trusted to compute them as Erlang does. The modules run with the calls that start processes exchanged for calls of a
//! probe (`library/probe.erl`), which says what would have been started.
//! Not here: what the processes do.

use crate::diagnostic::{Diagnostic, NO_CHILD, NO_TREE, problem};
use crate::walk::change_calls;
use foresee_erlang::{Entry, Erlang, Limits, Options, Outcome, Term, link, simulate};
use foresee_erlang_syntax::tree::{Expr, ExprKind, FormKind};
use foresee_erlang_syntax::{Name, Parse, Sources, Span, no_includes, parse_file};

const PROBE: &str = "foresee_translate_probe";

/// A process that the tree starts.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    /// The registered name, or the child's id written flat.
    pub(crate) name: String,
    pub(crate) is_registered: bool,
    /// Its supervisor starts it again whenever it ends.
    pub(crate) is_permanent: bool,
    pub(crate) kind: ChildKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ChildKind {
    Server { module: String, argument: Term },
    Client { module: String, function: String, arguments: Vec<Term> },
}

/// The processes of the tree, in the order in which they start.
pub(crate) fn children(
    modules: &[Parse],
    supervisor: (&str, &str),
) -> Result<Vec<Child>, Vec<Diagnostic>> {
    let (module, function) = supervisor;
    let place = Place::new(modules, module);
    let wanted =
        |it: &&foresee_erlang_syntax::tree::Function| it.name.name == function && it.arity == 0;
    let is_there = place.module.is_some_and(|it| it.module.functions().any(|it| wanted(&it)));
    if !is_there {
        let message =
            format!("there is no function {module}:{function}/0 to start the supervisor with");
        let help = "name the function that calls supervisor:start_link, as in --supervisor my_sup:start_link";
        return Err(vec![place.problem(NO_TREE, message, help)]);
    }
    let mut parses: Vec<Parse> = modules.iter().cloned().map(instrumented).collect();
    let probe = include_str!("library/probe.erl");
    parses.push(parse_file("probe.erl", probe, &Default::default(), &mut no_includes));
    let loaded = link(parses);
    let Some(program) = loaded.program else {
        return Err(loaded.problems.into_iter().filter(Diagnostic::is_error).collect());
    };
    let mut entry = Entry::new(PROBE, "tree");
    entry.arguments = vec![Term::atom(module), Term::atom(function)];
    let system = Erlang::new(program, entry, Options::default());
    let run = simulate(&system, 0, Limits::default(), |_| ());
    let tree = run.failures.first().and_then(|(_, reason)| match reason.as_tuple() {
        Some([tag, tree]) if is(tag, "$tree") => Some(tree.clone()),
        _ => None,
    });
    let Some(tree) = tree else {
        let why = match (run.failures.first(), run.outcome) {
            (Some((_, reason)), _) => format!("it ends with {reason}"),
            (None, Outcome::Stuck(_, why)) => why,
            _ => "it does not end".to_owned(),
        };
        let message = format!("{module}:{function}() does not give a supervision tree: {why}");
        let help =
            "the start functions and the supervisor's init must only compute and start children";
        return Err(vec![place.problem(NO_TREE, message, help)]);
    };
    let mut found =
        Found { children: Vec::new(), problems: Vec::new(), is_permanent: false, modules };
    found.add(&Term::atom(module), &tree, module);
    if found.problems.is_empty() { Ok(found.children) } else { Err(found.problems) }
}

/// Where to point when the tree itself is at fault: the supervisor's module, or the first one.
struct Place<'m> {
    module: Option<&'m Parse>,
    sources: Sources,
}

impl Place<'_> {
    fn new<'m>(modules: &'m [Parse], name: &str) -> Place<'m> {
        let is_named = |it: &&Parse| it.module.name.as_ref().is_some_and(|it| it.name == name);
        let module = modules.iter().find(is_named);
        let sources = module.or(modules.first()).map(|it| it.sources.clone());
        let sources = sources.unwrap_or_else(|| {
            let mut none = Sources::default();
            none.add("(no file)", "");
            none
        });
        Place { module, sources }
    }

    fn problem(
        &self,
        code: foresee_erlang_syntax::Code,
        message: String,
        help: &str,
    ) -> Diagnostic {
        let span = self
            .module
            .and_then(|it| it.module.name.as_ref())
            .map_or(Span::default(), |it| it.span);
        problem(code, &self.sources, span, message, help)
    }
}

struct Found<'m> {
    children: Vec<Child>,
    problems: Vec<Diagnostic>,
    /// Whether the child that is being added is started again when it ends.
    is_permanent: bool,
    modules: &'m [Parse],
}

impl Found<'_> {
    /// Adds what a child specification started; `inside` is the module that names it.
    fn add(&mut self, id: &Term, started: &Term, inside: &str) {
        match started.as_tuple() {
            Some([tag, strategy, children]) if is(tag, "$supervisor") => {
                if is(strategy, "simple_one_for_one") {
                    return self.refuse(
                        inside,
                        "a simple_one_for_one supervisor has no children of its own",
                    );
                }
                for it in children.to_vec().unwrap_or_default() {
                    if let Some([id, restart, started]) = it.as_tuple() {
                        self.is_permanent = is(restart, "permanent");
                        self.add(id, started, inside);
                    }
                }
            }
            Some([tag, name, module, argument]) if is(tag, "$server") => {
                let registered =
                    name.as_atom().map(|it| it.text().to_owned()).filter(|it| it != "undefined");
                let kind = ChildKind::Server { module: text(module), argument: argument.clone() };
                self.push(id, registered, kind);
            }
            Some([tag, name, module, function, arguments]) if is(tag, "$client") => {
                let registered = match name.as_tuple() {
                    Some([_, name]) => Some(text(name)),
                    _ => None,
                };
                let arguments = arguments.to_vec().unwrap_or_default();
                let kind =
                    ChildKind::Client { module: text(module), function: text(function), arguments };
                self.push(id, registered, kind);
            }
            Some([tag, what]) if is(tag, "$other") => {
                let message = match what {
                    what if is(what, "spawned_fun") => {
                        format!("the child {id} is a process that runs a fun")
                    }
                    what => {
                        format!("the child {id} is no gen_server and no spawned client: {what}")
                    }
                };
                self.refuse(inside, &message);
            }
            _ => self
                .refuse(inside, &format!("the child {id} starts {started}, which is no process")),
        }
    }

    fn push(&mut self, id: &Term, registered: Option<String>, kind: ChildKind) {
        let is_registered = registered.is_some();
        let mut name = registered.unwrap_or_else(|| flat(id));
        let wanted = name.clone();
        let mut n = 1;
        while self.children.iter().any(|it| it.name == name) {
            n += 1;
            name = format!("{wanted}_{n}");
        }
        let is_permanent = self.is_permanent;
        self.children.push(Child { name, is_registered, is_permanent, kind });
    }

    fn refuse(&mut self, module: &str, message: &str) {
        let help = "a translatable tree has gen_servers, and clients started by spawn_link(Module, Function, Arguments)";
        let problem = Place::new(self.modules, module).problem(NO_CHILD, message.to_owned(), help);
        self.problems.push(problem);
    }
}

fn is(term: &Term, atom: &str) -> bool {
    term.as_atom().is_some_and(|it| it.text() == atom)
}

fn text(term: &Term) -> String {
    term.as_atom().map_or_else(|| term.to_string(), |it| it.text().to_owned())
}

/// A child's id as a name: `{client,1}` is `client_1`.
fn flat(id: &Term) -> String {
    match id {
        Term::Tuple(items) => items.items().iter().map(flat).collect::<Vec<_>>().join("_"),
        id => text(id),
    }
}

/// The module with every call that would start a process turned to the probe.
fn instrumented(mut parse: Parse) -> Parse {
    for form in &mut parse.module.forms {
        if let FormKind::Function(function) = &mut form.kind {
            for clause in &mut function.clauses {
                clause.body.iter_mut().for_each(|it| change_calls(it, &mut probed));
            }
        }
    }
    parse
}

fn probed(target: &mut Expr, args: &mut Vec<Expr>) {
    let (module, function) = match &target.kind {
        ExprKind::Atom(function) => ("erlang", function.as_str()),
        ExprKind::Remote { module, function } => {
            let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) else {
                return;
            };
            (module.as_str(), function.as_str())
        }
        _ => return,
    };
    let new = match (module, function, args.len()) {
        ("supervisor", "start_link", 2 | 3) => "supervisor",
        ("gen_server", "start_link" | "start" | "start_monitor", 3 | 4) => "server",
        ("erlang" | "proc_lib", "spawn" | "spawn_link", 1) => lifted(args),
        ("erlang" | "proc_lib", "spawn" | "spawn_link", 3) => "spawned",
        ("erlang", "register", 2) => "register",
        ("foresee", "action", 2) => "action",
        (
            "gen_statem" | "gen_event" | "gen_fsm" | "supervisor_bridge",
            "start_link" | "start",
            _,
        )
        | ("proc_lib", "start_link" | "start", _) => {
            let name = Expr { kind: ExprKind::Atom(Name::from(module)), span: target.span };
            *args = vec![name];
            "other"
        }
        _ => return,
    };
    let atom =
        |text: &str| Box::new(Expr { kind: ExprKind::Atom(Name::from(text)), span: target.span });
    target.kind = ExprKind::Remote { module: atom(PROBE), function: atom(new) };
}

/// `fun () -> m:f(A, B) end` is as good as `m, f, [A, B]`.
fn lifted(args: &mut Vec<Expr>) -> &'static str {
    let ExprKind::Fun { name: None, clauses } = &args[0].kind else { return "spawned" };
    let [clause] = &clauses[..] else { return "spawned" };
    let [Expr { kind: ExprKind::Call { target, args: inner }, span }] = &clause.body[..] else {
        return "spawned";
    };
    let ExprKind::Remote { module, function } = &target.kind else { return "spawned" };
    let kind = ExprKind::List { elements: inner.clone(), tail: None };
    let list = Expr { kind, span: *span };
    *args = vec![(**module).clone(), (**function).clone(), list];
    "spawned"
}
