//! Why a process cannot go on for a reason that is ours: the cause as data, which a process in trouble carries in its state.
//! The words are made from it where somebody reports it (`crate::tell::trouble`), and nobody takes them apart again.

use crate::term::Atom;
use crate::world::component::Missing;
use std::fmt;

/// What stopped a process, and where in the text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Stuck {
    pub by: StuckBy,
    /// The file and the line, where known.
    pub place: Option<(Atom, u32)>,
}

/// What stopped a process.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum StuckBy {
    /// It computes without ever doing anything that others can notice; `what` is a loop or a recursion.
    NoEnd { what: &'static str, function: Atom, arity: u32 },
    /// More messages wait for it than this.
    Messages(usize),
    /// It holds more terms than this.
    Heap(usize),
    /// It does something that has no model here.
    Gap(Gap),
    /// It calls a function that Erlang would have and that is not here.
    Absent(Missing),
}

/// Something that Erlang can do and that has no model here.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Gap {
    /// An operation, named.
    Operation(String),
    /// Something that has to do with another node, named.
    OtherNode(String),
    /// A supervision tree does not come into being; what its function gave instead.
    NotStarted { module: String, function: String, given: String },
}

impl From<String> for Gap {
    fn from(operation: String) -> Self {
        Gap::Operation(operation)
    }
}

impl From<&str> for Gap {
    fn from(operation: &str) -> Self {
        Gap::Operation(operation.to_owned())
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Operation(what) | Gap::OtherNode(what) => write!(f, "{what} is not modelled"),
            Gap::NotStarted { module, function, given } => {
                write!(f, "{module}:{function}/0 gives {given}, not {{ok,Pid}}")
            }
        }
    }
}

impl fmt::Display for StuckBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StuckBy::NoEnd { what, function, arity } => {
                write!(f, "{what} without end in {}/{arity}", function.text())
            }
            StuckBy::Messages(n) => write!(f, "a mailbox of more than {n} messages"),
            StuckBy::Heap(n) => write!(f, "a heap of more than {n} terms"),
            StuckBy::Gap(gap) => gap.fmt(f),
            StuckBy::Absent(Missing { module, name, arity, is_unloaded, .. }) => {
                let (module, name) = (module.text(), name.text());
                match is_unloaded {
                    true => write!(
                        f,
                        "module {module} is not loaded, so {module}:{name}/{arity} cannot be called"
                    ),
                    false => write!(f, "{module}:{name}/{arity} is not modelled"),
                }
            }
        }
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by.fmt(f)?;
        match self.place {
            Some((file, line)) => write!(f, " at {}:{line}", file.text()),
            None => Ok(()),
        }
    }
}
