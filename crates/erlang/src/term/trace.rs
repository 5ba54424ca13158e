//! Stack traces: what a program may look at and a state does not remember.
//! Why: two runs that reach one state along different call paths would otherwise differ by a list that nobody reads.
//! Any two traces are equal; a program that takes one apart gets the real list.

use super::{Atom, Term};

/// A stack trace, innermost call first.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub entries: Vec<StackEntry>,
}

/// One call on the stack.
#[derive(Clone, Debug)]
pub struct StackEntry {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    /// The arguments, where the error is about them (`function_clause`, a failed built-in).
    pub arguments: Option<Vec<Term>>,
    pub file: Option<Atom>,
    pub line: u32,
}

impl Trace {
    /// The list that a program sees.
    pub fn to_term(&self) -> Term {
        Term::list(self.entries.iter().map(StackEntry::to_term).collect::<Vec<_>>())
    }
}

impl StackEntry {
    fn to_term(&self) -> Term {
        let arity = match &self.arguments {
            Some(arguments) => Term::list(arguments.clone()),
            None => Term::Int(i64::from(self.arity)),
        };
        let location = match self.file {
            Some(file) => Term::list([
                Term::tuple([a!("file"), Term::string(file.text())]),
                Term::tuple([a!("line"), Term::Int(i64::from(self.line))]),
            ]),
            None => Term::Nil,
        };
        Term::tuple([Term::Atom(self.module), Term::Atom(self.function), arity, location])
    }
}
