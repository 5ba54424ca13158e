//! Sequential specifications: what an object would answer if its clients took turns.
//! Why: a replicated object is right when it cannot be told from a single copy that serves one operation at a time
//! (linearizability). The single copy is a few lines of code; here it gets a trait.
//! Not here: deciding whether a history agrees with a specification (`linearizability`), replicated applications, which
//! are specifications too (`application`).

use foresee_stdx::stable_hash;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hash::Hash;

/// An object that serves one operation at a time. The value is the object's state.
///
/// ```
/// use foresee_node::Sequential;
/// /// A ticket machine: each customer draws the next number.
/// #[derive(Clone, Debug, Eq, Hash, PartialEq)]
/// struct Tickets(u32);
/// #[derive(Debug, Eq, Hash, PartialEq)]
/// struct Draw;
///
/// impl Sequential for Tickets {
///     type Operation = Draw;
///     type Result = u32;
///     fn apply(&mut self, _: &Draw) -> u32 {
///         self.0 += 1;
///         self.0
///     }
/// }
/// let mut tickets = Tickets(0);
/// assert_eq!([tickets.apply(&Draw), tickets.apply(&Draw)], [1, 2]);
/// ```
pub trait Sequential: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// What clients pass to `Context::invoked`.
    type Operation: Eq + Hash + Debug + Send + Sync + 'static;
    /// What clients pass to `Context::returned`.
    type Result: Eq + Hash + Debug + Send + Sync + 'static;

    /// Performs the operation; the same answer for the same state and operation, always.
    fn apply(&mut self, operation: &Self::Operation) -> Self::Result;

    /// An operation in the words of history files (`foresee histories`), if it has any.
    fn operation_text(operation: &Self::Operation) -> Option<String> {
        let _ = operation;
        None
    }

    /// A result in the words of history files.
    fn result_text(result: &Self::Result) -> Option<String> {
        let _ = result;
        None
    }

    /// The part of the object that an operation is about, if operations on different parts have nothing to do with each other
    /// (the keys of a store): long histories are judged part by part. By default an object is all one part.
    fn part(operation: &Self::Operation) -> Option<&str> {
        let _ = operation;
        None
    }

    /// What an operation does, if its part is a cell that is only read and written: histories of such cells are judged fast
    /// however much is open at once. By default nothing is known.
    fn access(operation: &Self::Operation, result: Option<&Self::Result>) -> Option<Access> {
        let _ = (operation, result);
        None
    }

    /// The number of the value that every part has now, if parts are cells.
    fn cell(&self) -> Option<u64> {
        None
    }
}

/// What an operation does to a cell. Values go by numbers, equal for equal values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// What was read, once it is known.
    Read(Option<u64>),
    Write(u64),
}

/// A register: one cell that is read and written.
///
/// ```
/// use foresee_node::{Register, RegisterOperation::*, RegisterResult::*, Sequential};
/// let mut register = Register::new('a');
/// assert_eq!(register.apply(&Write('b')), WriteOk);
/// assert_eq!(register.apply(&Read), ReadOk('b'));
/// ```
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Register<V> {
    value: V,
}

impl<V> Register<V> {
    pub fn new(initial: V) -> Self {
        Register { value: initial }
    }
}

/// What can be asked of a [`Register`].
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum RegisterOperation<V> {
    Read,
    Write(V),
}

/// What a [`Register`] answers.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum RegisterResult<V> {
    ReadOk(V),
    WriteOk,
}

impl<V: Clone + Eq + Hash + Debug + Send + Sync + 'static> Sequential for Register<V> {
    type Operation = RegisterOperation<V>;
    type Result = RegisterResult<V>;

    fn apply(&mut self, operation: &RegisterOperation<V>) -> RegisterResult<V> {
        match operation {
            RegisterOperation::Read => RegisterResult::ReadOk(self.value.clone()),
            RegisterOperation::Write(value) => {
                self.value.clone_from(value);
                RegisterResult::WriteOk
            }
        }
    }

    fn operation_text(operation: &RegisterOperation<V>) -> Option<String> {
        Some(match operation {
            RegisterOperation::Read => "READ".to_owned(),
            RegisterOperation::Write(value) => format!("WRITE:{value:?}"),
        })
    }

    fn result_text(result: &RegisterResult<V>) -> Option<String> {
        Some(match result {
            RegisterResult::ReadOk(value) => format!("VALUE:{value:?}"),
            RegisterResult::WriteOk => "OK".to_owned(),
        })
    }

    fn access(
        operation: &RegisterOperation<V>,
        result: Option<&RegisterResult<V>>,
    ) -> Option<Access> {
        match (operation, result) {
            (RegisterOperation::Read, None) => Some(Access::Read(None)),
            (RegisterOperation::Read, Some(RegisterResult::ReadOk(value))) => {
                Some(Access::Read(Some(stable_hash(value))))
            }
            (RegisterOperation::Write(value), None | Some(RegisterResult::WriteOk)) => {
                Some(Access::Write(stable_hash(value)))
            }
            _ => None,
        }
    }

    fn cell(&self) -> Option<u64> {
        Some(stable_hash(&self.value))
    }
}
