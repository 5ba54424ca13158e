//! What a call becomes that has no model, in a library that is loaded although parts of it cannot run: trouble when it is
//! reached, not before.

use super::{Builtin, Outcome, pure};
use crate::machine::{Local, Raise};
use crate::term::Term;

pub(super) const TABLE: &[Builtin] = &[pure("erlang", "$not_modelled", 3, not_modelled)];

/// Module, function, number of arguments.
fn not_modelled(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::Unmodelled(format!("{}:{}/{}", args[0], args[1], args[2])))
}
