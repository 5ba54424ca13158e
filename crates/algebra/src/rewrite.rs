//! Data: terms that are equal are one number, and rewriting is compiled.
//! Each function's rules become a decision tree over the symbols of its arguments (`matcher`), each right side code for a
//! small machine with a stack of its own (`machine`), so deep recursion in a specification is no recursion here. Arguments
//! are normal before a rule is tried (innermost), except those of functions that only choose among their arguments
//! (`if`, `and`, …, see [`is_lazy`]). The normal form of every application is remembered.
//! Terms may be *open*: hold variables of sums whose value is not yet known. Such a term is rewritten as far as no value
//! of the variable could matter, and again when it is known.

mod code;
mod machine;
mod matcher;
mod terms;

pub(crate) use code::{Entry, Program, is_lazy};
pub(crate) use machine::{Diverged, Machine};
pub(crate) use terms::{TermId, Terms};
