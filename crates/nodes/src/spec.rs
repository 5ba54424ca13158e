//! Sequential specifications: what an object would answer if its clients took turns.
//! Why: a replicated object is right when it cannot be told from a single copy that serves one operation at a time
//! (linearizability). The single copy is a few lines of code; here it gets a trait.
//! Not here: deciding whether a history agrees with a specification (`linearizability`), replicated applications, which
//! are specifications too (`application`).

use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hash::Hash;

/// An object that serves one operation at a time. The value is the object's state.
///
/// ```
/// use foresee_nodes::Sequential;
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
}

/// A register: one cell that is read and written.
///
/// ```
/// use foresee_nodes::{Register, RegisterOperation::*, RegisterResult::*, Sequential};
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
}
