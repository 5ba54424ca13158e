//! Places in Erlang text, as in every language here ([`foresee_text`]).
//! Invariant: tokens that come out of a macro's body carry the span of the macro's *use* (the outermost one), as
//! Erlang reports them; where the body was written is kept beside, in [`crate::Expansion`].

pub use foresee_text::{FileId, SourceFile, Sources, Span};
