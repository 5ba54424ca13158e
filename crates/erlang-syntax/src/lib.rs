//! Erlang text to tree and back, with spans, for OTP 25 to 27 (and the comprehensions of 28).
//! What comes in is text and a way to find includes; what comes out is a tree and diagnostics, always both: several
//! mistakes in one file are all reported, and nothing is thrown.
//! The rooms, in reading order: `source` (places), `name` (atoms' and variables' text, integers), `diagnostic` and
//! `codes` (bad news as data), `token` and `lexer`, `preprocess` (directives and macros), `tree`, `parser`, `lint`
//! (checks that need a whole module), `print` (trees to text), `abstract_form` (trees as Erlang's own parser writes
//! them, for comparing the two), `parse` (the way in), `transform` (parse transforms).
//! Not here: files (the edge passes text), rendering, running, types' meaning.

mod abstract_form;
mod codes;
mod diagnostic;
mod lexer;
mod lint;
mod name;
mod parse;
mod parser;
mod preprocess;
mod print;
mod source;
mod token;
mod transform;
pub mod tree;

pub use abstract_form::{abstract_forms, abstract_forms_in_files};
pub use codes::{ALL as ALL_CODES, Code, Explanation, explain};
pub use diagnostic::Expansion;
pub use foresee_text::{Diagnostic, Label, Severity};
pub use lint::{RemoteCall, lint, remote_calls};
pub use name::{Integer, Name};
pub use parse::{Parse, parse_expr, parse_exprs, parse_file};
pub use preprocess::{IncludeRequest, IncludedFile, Includes, Options, no_includes};
pub use print::{
    atom as print_atom, character as print_char, float as print_float, is_reserved, print_expr,
    string as print_string,
};
pub use source::{FileId, SourceFile, Sources, Span};
pub use transform::{apply_transforms, unknown_transforms};
