//! The syntax tree: forms, expressions (which patterns and guards are too) and types.
//! Why patterns are expressions: Erlang's own grammar reads them alike and decides later; one type keeps printing,
//! substitution and walking in one place. `lint` reports expressions that cannot be patterns or guards.
//! Records stay records and macros are gone: the tree is what the preprocessor left, faithful to the text.
//! Invariant: every node has a span in the text the user wrote (the use of a macro, not its body).
//! Start with [`Module`], then [`Expr`].

mod expr;
mod form;
mod types;
mod walk;

pub use expr::*;
pub use form::*;
pub use types::*;
pub use walk::Receive;
