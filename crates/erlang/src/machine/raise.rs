//! Exceptions: class, reason, stack trace.

use super::{Frame, Machine, Observer};
use crate::program::Program;
use crate::program::code::Failure;
use crate::tell::stuck::Gap;
use crate::term::{StackEntry, Term, Trace};
use std::sync::Arc;

/// The class of an exception.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Class {
    Error,
    Exit,
    Throw,
}

impl Class {
    pub fn term(self) -> Term {
        match self {
            Class::Error => a!("error"),
            Class::Exit => a!("exit"),
            Class::Throw => a!("throw"),
        }
    }

    pub fn of(term: &Term) -> Option<Class> {
        match term.as_atom()?.text() {
            "error" => Some(Class::Error),
            "exit" => Some(Class::Exit),
            "throw" => Some(Class::Throw),
            _ => None,
        }
    }
}

/// An exception on its way.
#[derive(Clone, Debug)]
pub(crate) struct Exception {
    pub class: Class,
    pub reason: Term,
    pub trace: Term,
}

impl Exception {
    /// With what a process ends if nobody catches this.
    pub(crate) fn exit_reason(&self) -> Term {
        match self.class {
            Class::Exit => self.reason.clone(),
            Class::Error => Term::tuple([self.reason.clone(), self.trace.clone()]),
            Class::Throw => {
                Term::tuple([Term::tuple([a!("nocatch"), self.reason.clone()]), self.trace.clone()])
            }
        }
    }

    /// The value of `catch E`.
    pub(crate) fn catch_value(&self) -> Term {
        match self.class {
            Class::Throw => self.reason.clone(),
            _ => Term::tuple([a!("EXIT"), self.exit_reason()]),
        }
    }
}

/// What a built-in says instead of a value.
#[derive(Clone, Debug)]
pub enum Raise {
    Exception {
        class: Class,
        reason: Term,
        trace: Option<Term>,
    },
    /// We cannot do this faithfully.
    Unmodelled(Gap),
}

impl Raise {
    pub fn error(reason: Term) -> Raise {
        Raise::Exception { class: Class::Error, reason, trace: None }
    }

    pub fn exit(reason: Term) -> Raise {
        Raise::Exception { class: Class::Exit, reason, trace: None }
    }

    pub fn throw(reason: Term) -> Raise {
        Raise::Exception { class: Class::Throw, reason, trace: None }
    }

    pub fn unmodelled(gap: impl Into<Gap>) -> Raise {
        Raise::Unmodelled(gap.into())
    }

    pub fn badarg() -> Raise {
        Raise::error(a!("badarg"))
    }

    pub fn badarith() -> Raise {
        Raise::error(a!("badarith"))
    }
}

/// How many calls a stack trace shows, as in Erlang.
const TRACE_DEPTH: usize = 8;

/// The trace of frames given innermost first.
pub(super) fn trace_of(program: &Program, frames: impl Iterator<Item = Frame>) -> Trace {
    let entries = frames
        .take(TRACE_DEPTH)
        .map(|frame| {
            let function = program.function(frame.function);
            StackEntry {
                module: function.module,
                function: function.name,
                arity: function.arity + function.n_caught,
                arguments: None,
                file: Some(function.file),
                line: function.line(frame.pc),
            }
        })
        .collect();
    Trace { entries }
}

/// A trace with one call more, whose arguments are known.
pub(super) fn with_innermost(
    mut trace: Trace,
    module: crate::term::Atom,
    name: &str,
    arguments: &[Term],
) -> Term {
    let entry = StackEntry {
        module,
        function: crate::term::Atom::new(name),
        arity: arguments.len() as u32,
        arguments: Some(arguments.to_vec()),
        file: None,
        line: 0,
    };
    trace.entries.insert(0, entry);
    trace.entries.truncate(TRACE_DEPTH);
    Term::Trace(Arc::new(trace))
}

impl<W: Observer> Machine<'_, W> {
    pub(super) fn exception(&self, class: Class, reason: Term) -> Exception {
        Exception { class, reason, trace: Term::Trace(Arc::new(self.trace())) }
    }

    /// An error in a built-in, which is the innermost call of the trace.
    pub(super) fn builtin_exception(
        &self,
        module: crate::term::Atom,
        name: &str,
        arguments: &[Term],
        class: Class,
        reason: Term,
    ) -> Exception {
        let trace = with_innermost(self.trace(), module, name, arguments);
        Exception { class, reason, trace }
    }

    pub(super) fn failure(&self, kind: Failure, value: Term) -> Exception {
        let reason = match kind {
            Failure::IfClause => a!("if_clause"),
            Failure::FunctionClause => return self.function_clause(),
            Failure::BadMatch => Term::tuple([a!("badmatch"), value]),
            Failure::CaseClause => Term::tuple([a!("case_clause"), value]),
            Failure::TryClause => Term::tuple([a!("try_clause"), value]),
            Failure::ElseClause => Term::tuple([a!("else_clause"), value]),
            Failure::BadRecord => Term::tuple([a!("badrecord"), value]),
            Failure::BadGenerator => Term::tuple([a!("bad_generator"), value]),
            Failure::BadFilter => Term::tuple([a!("bad_filter"), value]),
            Failure::BadMap => Term::tuple([a!("badmap"), value]),
        };
        self.exception(Class::Error, reason)
    }

    fn function_clause(&self) -> Exception {
        let mut trace = self.trace();
        let n = self.function().arity as usize;
        let arguments = self.stack[self.current.base..self.current.base + n].to_vec();
        if let Some(first) = trace.entries.first_mut() {
            first.arguments = Some(arguments);
        }
        Exception {
            class: Class::Error,
            reason: a!("function_clause"),
            trace: Term::Trace(Arc::new(trace)),
        }
    }

    /// Continues at the handler of the innermost `try` around the current place; `false` if there is none.
    pub(super) fn unwind(&mut self, exception: &Exception) -> bool {
        loop {
            if let Some(handler) = self.function().handler(self.current.pc) {
                let at = self.current.base + usize::from(handler.registers);
                self.stack[at] = exception.class.term();
                self.stack[at + 1] = exception.reason.clone();
                self.stack[at + 2] = exception.trace.clone();
                self.observer.caught(self.current.function, handler);
                self.current.pc = handler.target;
                return true;
            }
            match self.frames.pop() {
                Some(frame) => self.current = frame,
                None => return false,
            }
        }
    }

    /// Raises an exception from the visible built-in before which the process rests.
    pub(crate) fn raise_from(
        &mut self,
        builtin: u32,
        arguments: &[Term],
        class: Class,
        reason: Term,
        trace: Option<Term>,
    ) -> Result<(), Exception> {
        let entry = self.program.builtins.get(builtin);
        let module = crate::term::Atom::new(entry.module);
        let mut exception = self.builtin_exception(module, entry.name, arguments, class, reason);
        if let Some(trace) = trace {
            exception.trace = trace;
        }
        self.observer.raised(&self.frames, self.current, &exception);
        if self.unwind(&exception) { Ok(()) } else { Err(exception) }
    }
}
