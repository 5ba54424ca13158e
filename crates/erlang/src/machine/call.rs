//! Calls whose target is known only now: funs, `apply`, modules in variables.
//! Not here: calls of a known function (`run`).

use super::raise::with_innermost;
use super::run::Flow;
use super::{Class, Exception, Frame, Local, Machine, Observer, Raise, Stop};
use crate::builtins::Control;
use crate::program::code::{Instruction, RAISE, Reg};
use crate::program::compile::Mfa;
use crate::program::prelude::SUPERVISION;
use crate::term::{Atom, FunKind, Term, Trace};
use std::sync::Arc;

impl<W: Observer> Machine<'_, W> {
    /// `apply` in its shapes, whose arguments are terms.
    pub(super) fn control(&mut self, control: Control, builtin: u32, start: Reg, n: u16) -> Flow {
        let at = self.current.base + usize::from(start);
        let arguments = self.stack[at..at + usize::from(n)].to_vec();
        let list = arguments.last().and_then(Term::to_vec);
        let Some(list) = list else {
            return self.builtin_raised(builtin, start, n, RAISE, Raise::badarg());
        };
        if control == Control::Hibernate {
            return self.hibernate(arguments);
        }
        let needed = at + list.len().max(1);
        if self.stack.len() < needed {
            self.stack.resize(needed, Term::Nil);
        }
        let n_arguments = list.len() as u16;
        for (i, argument) in list.into_iter().enumerate() {
            self.stack[at + i] = argument;
        }
        let tail = self.is_followed_by_return(start);
        match arguments.len() {
            2 => self.call_fun(&arguments[0], start, n_arguments, tail),
            _ => self.apply(&arguments[0], &arguments[1], start, n_arguments, tail),
        }
    }

    /// Forgets what it was in the middle of, and waits for a message, which stays in the mailbox.
    fn hibernate(&mut self, arguments: Vec<Term>) -> Flow {
        let wait = (Atom::new(SUPERVISION), atom!("hibernate"), 3);
        let function = self.program.find(wait).expect("every program has it");
        self.frames.clear();
        self.current.base = 0;
        self.stack = arguments;
        self.enter(function, 0, 3, true)
    }

    pub(super) fn is_followed_by_return(&self, start: Reg) -> bool {
        let function = self.function();
        let pc = self.current.pc;
        matches!(function.code.get(pc as usize + 1), Some(Instruction::Return { src }) if *src == start)
            && function.handler(pc).is_none()
    }

    pub(super) fn call_fun(&mut self, fun: &Term, start: Reg, n: u16, tail: bool) -> Flow {
        let Term::Fun(fun) = fun else {
            let exception = self.exception(Class::Error, Term::tuple([a!("badfun"), fun.clone()]));
            return self.raised(exception);
        };
        let at = self.current.base + usize::from(start);
        if fun.arity != u32::from(n) {
            let arguments = Term::list(self.stack[at..at + usize::from(n)].to_vec());
            let pair = Term::tuple([Term::Fun(Arc::clone(fun)), arguments]);
            let exception = self.exception(Class::Error, Term::tuple([a!("badarity"), pair]));
            return self.raised(exception);
        }
        match &fun.kind {
            FunKind::External { module, name } => {
                self.apply(&Term::Atom(*module), &Term::Atom(*name), start, n, tail)
            }
            FunKind::Closure { function, environment, .. } => {
                let end = at + usize::from(n) + environment.len();
                if self.stack.len() < end {
                    self.stack.resize(end, Term::Nil);
                }
                for (i, term) in environment.iter().enumerate() {
                    self.stack[at + usize::from(n) + i] = term.clone();
                }
                self.enter(*function, start, n + environment.len() as u16, tail)
            }
        }
    }

    /// Output to a process that is not the system's own goes by messages: what to call for it instead.
    pub(super) fn redirected(
        &self,
        name: &str,
        at: usize,
        n: u16,
        local: &Local<'_>,
    ) -> Option<u32> {
        let has_device = matches!((name, n), ("format" | "fwrite", 3) | ("put_chars" | "write", 2))
            || (name, n) == ("nl", 1);
        let device = has_device.then(|| &self.stack[at]);
        let is_system = match device {
            None => local.group_leader.is_system(),
            Some(Term::Pid(pid)) => pid.is_system(),
            Some(Term::Atom(name)) => match name.text() {
                "standard_io" => local.group_leader.is_system(),
                "user" | "standard_error" => true,
                _ => false,
            },
            Some(_) => true,
        };
        if is_system {
            return None;
        }
        let name = Atom::new(&format!("foresee_{name}"));
        self.program.find((atom!("io"), name, u32::from(n)))
    }

    /// The function that every module has without writing it.
    fn module_info(&mut self, module: Atom, start: Reg, n: u16, tail: bool) -> Flow {
        let at = self.current.base + usize::from(start);
        if self.stack.len() < at + 2 {
            self.stack.resize(at + 2, Term::Nil);
        }
        if n == 1 {
            self.stack.swap(at, at + 1);
        }
        self.stack[at] = Term::Atom(module);
        let key = (atom!("erlang"), atom!("get_module_info"), u32::from(n) + 1);
        let stub = self.program.builtins.find(key).and_then(|builtin| self.program.stub(builtin));
        self.enter(stub.expect("a built-in of the language"), start, n + 1, tail)
    }

    /// Calls a function whose arguments are in place.
    pub(super) fn enter(&mut self, function: u32, start: Reg, n: u16, tail: bool) -> Flow {
        if tail {
            self.observer.called_last(self.frames.len(), self.current.function, self.current.pc);
            self.slide_down(start, n);
            self.current.function = function;
            self.current.pc = 0;
        } else {
            self.frames.push(self.current);
            self.observer.called(self.frames.len());
            let base = self.current.base + usize::from(start);
            self.current = Frame { function, pc: 0, base };
        }
        match self.entered() {
            Some(stop) => Flow::Leave(stop),
            None => Flow::Go,
        }
    }

    pub(super) fn apply(
        &mut self,
        module: &Term,
        name: &Term,
        start: Reg,
        n: u16,
        tail: bool,
    ) -> Flow {
        let (Term::Atom(module), Term::Atom(name)) = (module, name) else {
            let exception = self.exception(Class::Error, a!("badarg"));
            return self.raised(exception);
        };
        let key = (*module, *name, u32::from(n));
        if let Some(function) = self.program.exported(key) {
            return self.enter(function, start, n, tail);
        }
        if *name == atom!("module_info") && n <= 1 && self.program.has_module(*module) {
            return self.module_info(*module, start, n, tail);
        }
        let stub = self.program.builtins.find(key).and_then(|builtin| self.program.stub(builtin));
        // A built-in by a computed name is run through a stub, so that it rests like any other.
        match stub {
            Some(stub) => self.enter(stub, start, n, tail),
            None => self.undefined(key, start, tail),
        }
    }

    /// A function that is not here: `undef` where Erlang does not have it either.
    fn undefined(&mut self, key: Mfa, start: Reg, tail: bool) -> Flow {
        if let Some(absent) = self.program.absent(key) {
            return Flow::Leave(Stop::Absent(absent));
        }
        let (module, name, arity) = key;
        let at = self.current.base + usize::from(start);
        let arguments = self.stack[at..at + arity as usize].to_vec();
        // A function whose last act this call is has left the stack; nobody can catch anything in it either.
        if tail && let Some(caller) = self.frames.pop() {
            self.current = caller;
        } else if tail {
            let trace = Trace { entries: Vec::new() };
            let trace = with_innermost(trace, module, name.text(), &arguments);
            let exception = Exception { class: Class::Error, reason: a!("undef"), trace };
            self.observer.raised(&self.frames, self.current, &exception);
            return Flow::Leave(Stop::Raised(exception));
        }
        let exception =
            self.builtin_exception(module, name.text(), &arguments, Class::Error, a!("undef"));
        self.raised(exception)
    }
}
