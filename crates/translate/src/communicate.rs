//! What clients and servers say to each other: calls, casts, replies, sends, marked actions, and crashes beside them.
//! Synchronisations have the names of the paper: `gen_server_call | gscall = buffercall` into the buffer of a server,
//! `gshcall | handle_call = call` out of it, `gen_server_reply | gen_server_replied = reply` back. Where replies are no
//! handshake, the reply goes to the client's mailbox, and the place of the call (its tag) says which call it answers; tags
//! are part of the action's name so that labels do not show them.
//! Crash points are those of the paper: beside each wait for a reply and after each reply; after a cast or a marked action
//! if there was a call before. A crashed client signals the servers it has called; in a handshake it still takes the
//! reply it was waiting for.

use crate::death::beside;
use crate::diagnostic::{NO_SERVER, NO_VALUE, TIMED};
use crate::instance::{Job, Path, Role};
use crate::names::encode;
use crate::process::Next;
use crate::program::Target;
use crate::supervision::{Child, ChildKind};
use crate::terms::{constant, element};
use crate::translator::Translator;
use foresee_algebra::{Process, Term};
use foresee_erlang_syntax::tree::{Expr, ExprKind};

impl Translator<'_> {
    /// A call with effects whose arguments have none.
    #[expect(clippy::too_many_arguments, reason = "a call, where it stands, and what follows")]
    pub(crate) fn effect(
        &mut self,
        expr: &Expr,
        target: &Expr,
        args: &[Expr],
        mut path: Path,
        job: &Job,
        is_last: bool,
        next: Next<'_>,
    ) -> Process {
        match self.program.target(path.scope.module, target, args.len()) {
            Target::Function(id) => {
                let args = args.iter().map(|it| self.value(it, &mut path.scope)).collect();
                self.call_function(id, args, path, job, is_last, next)
            }
            Target::Marked(name) => {
                let args = args.iter().map(|it| self.value(it, &mut path.scope)).collect();
                self.action(&name, args, path, job, next)
            }
            Target::Computed => unreachable!("a computed call is no effect"),
            Target::Other(of, function) => match (of.as_str(), function.as_str()) {
                ("gen_server", "call") => self.call(expr, args, path, job, next),
                ("gen_server", "cast") => {
                    let server = self.server(&args[0], &mut path);
                    let message = self.value(&args[1], &mut path.scope);
                    let cast = Process::action("gen_server_cast", vec![server, message]);
                    let ok = self.atom("ok");
                    self.then_crash(cast, path, job, ok, next)
                }
                ("gen_server", "reply") => {
                    let from = self.value(&args[0], &mut path.scope);
                    let message = self.value(&args[1], &mut path.scope);
                    let reply = self.reply(from, message, job);
                    let ok = self.atom("ok");
                    reply.then(next(self, ok, path))
                }
                ("erlang", "send") => self.send(&args[0], &args[1], path, job, next),
                ("foresee", "action") => self.foresee_action(expr, args, path, job, next),
                _ => {
                    self.refuse_effect(expr, &path.scope);
                    Process::delta()
                }
            },
        }
    }

    /// `gen_server:call`.
    fn call(
        &mut self,
        expr: &Expr,
        args: &[Expr],
        mut path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let module = path.scope.module;
        match args.get(2) {
            None => self.note(
                module,
                expr.span,
                "gen_server:call/2: the time-out of a call is left out; the client waits as long as it takes",
            ),
            Some(time) if time.as_atom().is_some_and(|it| *it == "infinity") => {}
            Some(time) => {
                let message = "a call with a time-out has no translation";
                self.refuse(TIMED, module, time.span, message, "use infinity");
            }
        }
        let server = self.server(&args[0], &mut path);
        let message = self.value(&args[1], &mut path.scope);
        let own_pid = job.own_pid.clone();
        let tag = self.tag(expr, module);
        // Telling the mailbox to expect a reply is a step of its own, which must not take the chance to crash away.
        let before = (path.may_crash && self.options.async_reply)
            .then(|| self.crash(&path, job).then(Process::delta()));
        if !path.linked.contains(&server) {
            path.linked.push(server.clone());
        }
        let wanted = format!("Reply{}", if job.role == Role::Server { "OfServer" } else { "" });
        let answer = constant(&self.names.variable(&wanted));
        let call = vec![server.clone(), message, own_pid.clone()];
        let takes = if self.options.async_reply {
            Process::action("receive", vec![own_pid.clone(), answer.clone()])
        } else {
            let data = vec![own_pid.clone(), answer.clone(), server];
            Process::action("gen_server_replied", data)
        };
        let crashed = match job.role {
            Role::Client { crashes: true } => {
                let crash = self.crash(&path, job);
                Some(if self.options.async_reply {
                    crash.then(Process::delta())
                } else {
                    let late = Process::sum(&answer.name, "Term", takes.clone());
                    crash.then(late.then(Process::delta()))
                })
            }
            _ => None,
        };
        let rest = self.after_reply(answer.clone(), path, job, next);
        let answered = Process::sum(&answer.name, "Term", takes.then(rest));
        let waits = match crashed {
            Some(crashed) => crashed.or(answered),
            None => answered,
        };
        if !self.options.async_reply {
            return Process::action("gen_server_call", call).then(waits);
        }
        let told = Process::action("await", vec![own_pid, constant(&tag_name(tag))]);
        let calls = Process::action(&tagged("gen_server_call", tag), call).then(waits);
        told.then(match before {
            Some(crash) => crash.or(calls),
            None => calls,
        })
    }

    fn after_reply(&mut self, answer: Term, mut path: Path, job: &Job, next: Next<'_>) -> Process {
        match job.role {
            Role::Client { crashes: true } => {
                path.may_crash = true;
                let crash = self.crash(&path, job).then(Process::delta());
                let rest = next(self, answer, path);
                beside(&crash, rest)
            }
            _ => next(self, answer, path),
        }
    }

    /// An action, after which a client that has called a server may crash.
    fn then_crash(
        &mut self,
        action: Process,
        mut path: Path,
        job: &Job,
        value: Term,
        next: Next<'_>,
    ) -> Process {
        let may_crash = job.role == Role::Client { crashes: true } && !path.linked.is_empty();
        path.may_crash = may_crash;
        let crash = may_crash.then(|| self.crash(&path, job).then(Process::delta()));
        let rest = next(self, value, path);
        action.then(match crash {
            Some(crash) => beside(&crash, rest),
            None => rest,
        })
    }

    /// A number for the place of a call.
    fn tag(&mut self, expr: &Expr, module: usize) -> usize {
        let n = self.tags.len();
        *self.tags.entry((module, expr.span)).or_insert(n)
    }

    /// The server that an expression names.
    fn server(&mut self, expr: &Expr, path: &mut Path) -> Term {
        let server = self.value(expr, &mut path.scope);
        let is_known = self.is_constant(&server) || crate::terms::is_built(&server);
        if is_known && !self.servers().contains(&server.name) {
            let text = crate::label::erlang(&server);
            let message = format!("`{text}` is no server of the supervision tree");
            let known: Vec<String> =
                self.servers().iter().map(|it| crate::names::decode(it)).collect();
            let help = format!("its servers are {}", known.join(", "));
            self.refuse(NO_SERVER, path.scope.module, expr.span, message, help);
        }
        server
    }

    /// The constants of the servers, in the order of the tree.
    pub(crate) fn servers(&self) -> Vec<String> {
        let is_server = |it: &&Child| matches!(it.kind, ChildKind::Server { .. });
        self.children.iter().filter(is_server).map(|it| self.pid(it)).collect()
    }

    /// The constant of a process.
    pub(crate) fn pid(&self, child: &Child) -> String {
        encode(&child.name)
    }

    /// `Server ! Message`.
    pub(crate) fn send(
        &mut self,
        to: &Expr,
        message: &Expr,
        mut path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let server = self.server(to, &mut path);
        let message = self.value(message, &mut path.scope);
        let send = Process::action("send", vec![server, message.clone()]);
        self.then_crash(send, path, job, message, next)
    }

    fn foresee_action(
        &mut self,
        expr: &Expr,
        args: &[Expr],
        mut path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let (name, data) = match (args[0].as_atom(), &args[1].kind) {
            (Some(name), ExprKind::List { elements, tail: None }) => {
                (name.to_string(), elements.clone())
            }
            _ => {
                let message = "a marked action needs an atom and a written list";
                let help = "as in foresee:action(use, [self()])";
                self.refuse(NO_VALUE, path.scope.module, expr.span, message, help);
                return Process::delta();
            }
        };
        let data = data.iter().map(|it| self.value(it, &mut path.scope)).collect();
        self.action(&name, data, path, job, next)
    }

    /// A marked action.
    fn action(
        &mut self,
        name: &str,
        data: Vec<Term>,
        mut path: Path,
        job: &Job,
        next: Next<'_>,
    ) -> Process {
        let mut name = encode(name);
        if PROTOCOL.iter().any(|it| name.starts_with(it)) {
            name.push('\'');
        }
        self.actions.insert((name.clone(), data.len()));
        let action = Process::action(&name, data);
        let ok = self.atom("ok");
        if self.options.crash_at_actions {
            return self.then_crash(action, path, job, ok, next);
        }
        path.may_crash = false;
        let rest = next(self, ok, path);
        action.then(rest)
    }

    /// Answers a call.
    pub(crate) fn reply(&mut self, from: Term, message: Term, job: &Job) -> Process {
        let client = element(1, from.clone());
        if self.options.async_reply {
            let data = vec![client, element(2, from), message, job.own_pid.clone()];
            return Process::call("Reply", data);
        }
        Process::action("gen_server_reply", vec![client, message, job.own_pid.clone()])
    }
}

/// Names of actions that are not the user's.
const PROTOCOL: [&str; 26] = [
    "gen_server_call",
    "gscall",
    "buffercall",
    "gen_server_cast",
    "gscast",
    "buffercast",
    "crash",
    "gsinfo",
    "gscrash",
    "bufferinfo",
    "gshcall",
    "handle_call",
    "call",
    "gshcast",
    "handle_cast",
    "cast",
    "gshinfo",
    "handle_info",
    "info",
    "gen_server_repl",
    "reply",
    "send",
    "exit_signal",
    "await",
    "bufferfull",
    "failure",
];

/// The name of half an action for the calls of one place.
pub(crate) fn tagged(name: &str, tag: usize) -> String {
    format!("{name}_{}", tag + 1)
}

/// The constant that stands for the calls of one place.
pub(crate) fn tag_name(tag: usize) -> String {
    format!("tag'{}", tag + 1)
}
