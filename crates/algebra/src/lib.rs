//! Process algebra: muCRL specifications become a `System`.
//! The way of a text: `lexer`, `parser` → `tree` → `check` → `model` (numbers for names, positions for expressions) →
//! `rewrite` (data, compiled) and `process` (what a component can do) → `network` (components, who can meet) → `system`.
//! A tree can also be built by code and printed, as muCRL or as mCRL2 (`print`).
//! Not here: files, engines, translation from Erlang.
//!
//! ```
//! use foresee_lts::System;
//! let text = "
//!     sort D  func d1, d2: -> D
//!     act r, s, c: D  comm r | s = c
//!     proc Sender = sum(d: D, s(d).Sender)
//!          Receiver = sum(d: D, r(d).Receiver)
//!     init encap({r, s}, Sender || Receiver)";
//! let system = foresee_algebra::load(text, Default::default()).unwrap();
//! let mut actions = Vec::new();
//! system.enabled(&system.initial()[0], &mut actions);
//! let texts: Vec<_> = actions.iter().map(|it| system.action_text(*it)).collect();
//! assert_eq!(texts, ["c(d1)", "c(d2)"]);
//! ```

mod check;
mod describe;
mod diagnostic;
mod lexer;
mod model;
mod moves;
mod network;
mod parser;
mod print;
mod process;
mod rewrite;
mod signature;
mod system;
mod tree;
mod waits;

pub use diagnostic::{ALL_CODES, Code, Diagnostic};
pub use foresee_text::{Lines, Span};
pub use moves::Spelling;
pub use parser::{Parsed, parse};
pub use print::is_word_of_mcrl2;
pub use process::Options;
pub use signature::{Declared, DeclaredSort};
pub use system::{Algebra, load};
pub use tree::{
    ActionDeclaration, Communication, Function, Name, Process, ProcessDefinition, ProcessKind,
    Rule, Specification, Term, Variable,
};
pub use waits::Wait;
