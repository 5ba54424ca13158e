//! How clients die: by a crash, of which the servers they have called learn, or by coming to their end.

use crate::instance::{Job, Path};
use crate::options::Buffer;
use crate::supervision::ChildKind;
use crate::terms::{constant, eq, tuple};
use crate::translator::Translator;
use foresee_algebra::{Process, ProcessKind, Term};

impl Translator<'_> {
    /// A client dies: the servers it has called learn of it.
    pub(crate) fn crash(&mut self, path: &Path, job: &Job) -> Process {
        let reason = self.atom("crash");
        let own_pid = job.own_pid.clone();
        let message = self.exit_message(own_pid.clone(), reason);
        let is_seen = self.options.crash_visible && self.options.buffer != Buffer::None;
        let mut signals = Vec::new();
        for (at, server) in path.linked.iter().enumerate() {
            signals.push(match (is_seen, at) {
                (true, 0) => self.seen_crash(server, own_pid.clone()),
                (true, _) => Process::action("exit_signal", vec![server.clone(), message.clone()]),
                (false, _) => Process::action("crash", vec![server.clone(), message.clone()]),
            });
        }
        signals.into_iter().rev().reduce(|rest, it| it.then(rest)).unwrap_or_else(Process::tau)
    }

    /// `crash(Client)`, which has no room for the server: that is in the names of the two halves.
    fn seen_crash(&mut self, server: &Term, own_pid: Term) -> Process {
        let servers = self.servers();
        let half = |name: &str| {
            Process::action(&crash_half("crash_signal", name, &servers), vec![own_pid.clone()])
        };
        if self.is_constant(server) {
            return half(&server.name);
        }
        let (last, others) = servers.split_last().expect("somebody was called");
        others
            .iter()
            .rev()
            .fold(half(last), |rest, it| half(it).when(eq(server.clone(), constant(it)), rest))
    }

    pub(crate) fn exit_message(&mut self, pid: Term, reason: Term) -> Term {
        let exit = self.atom("EXIT");
        tuple([exit, pid, reason])
    }

    /// A client that ends tells the servers that are linked to it.
    pub(crate) fn normal_exit(&mut self, path: &Path, job: &Job) -> Process {
        let normal = self.atom("normal");
        let message = self.exit_message(job.own_pid.clone(), normal);
        let linking = self.linking_servers();
        let servers = self.servers();
        let mut process = Process::delta();
        for server in path.linked.iter().rev() {
            let signal = Process::action("exit_signal", vec![server.clone(), message.clone()]);
            let told = signal.then(process.clone());
            process = match self.is_constant(server) {
                true if linking.contains(&server.name) => told,
                false if linking.len() == servers.len() => told,
                false if !linking.is_empty() => {
                    let is_linked = linking.iter().map(|it| eq(server.clone(), constant(it)));
                    told.when(crate::terms::any(is_linked.collect::<Vec<_>>()), process)
                }
                _ => process,
            };
        }
        process
    }

    /// The servers that link to their clients and live on when these die.
    fn linking_servers(&self) -> Vec<String> {
        let mut linking = Vec::new();
        for child in &self.children {
            if let ChildKind::Server { module, .. } = &child.kind
                && self.program.uses(module, "link")
                && self.program.uses(module, "process_flag")
            {
                linking.push(self.pid(child));
            }
        }
        linking
    }
}

/// The name of half a crash that this server learns of.
pub(crate) fn crash_half(half: &str, server: &str, servers: &[String]) -> String {
    if servers.len() == 1 { half.to_owned() } else { format!("{half}_{server}") }
}

/// A crash beside what follows, if anything does: who has nothing more to do has ended and cannot crash. Where a condition
/// decides, it decides that too; whether an equation has nothing to do is not looked at.
pub(crate) fn beside(crash: &Process, rest: Process) -> Process {
    let ends = |first: &Process| match &first.kind {
        ProcessKind::Named(term) => matches!(term.name.as_str(), "exit_signal" | "failure"),
        _ => false,
    };
    match rest.kind {
        ProcessKind::Delta => rest,
        ProcessKind::Sequence(ref first, _) if ends(first) => rest,
        ProcessKind::Condition(then, test, otherwise) => {
            beside(crash, *then).when(test, beside(crash, *otherwise))
        }
        _ => crash.clone().or(rest),
    }
}
