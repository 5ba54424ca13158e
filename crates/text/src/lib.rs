//! Source texts, places in them, and news about them: what every reader of a language needs.
//! Why a crate: Erlang, muCRL, formulas and transition systems are read by different crates, and what is wrong with any of
//! them is shown the same way. One type of place and one type of news make one way of showing enough.
//!
//! Reading order: [`Span`] (a place), [`Sources`] and [`Lines`] (texts, and where their lines start), [`Diagnostic`] (what is
//! wrong, where, and what to do), [`Code`] and [`codes!`] (each kind of news has a stable code and a title).
//! Not here: files, colours, how news is printed (`session` finds the lines, `cli` draws them); tokens and trees.
//!
//! ```
//! use foresee_text::{Code, Diagnostic, Span};
//! let news = Diagnostic::error(Code("E0502"), Span::new(5, 8), "`foo` is not declared").suggest("foo", ["for", "bar"]);
//! assert_eq!(
//!     news.render("m.mcrl", "init foo"),
//!     "m.mcrl:1:6: E0502: `foo` is not declared\n  | init foo\n  help: did you mean `for`?\n"
//! );
//! ```

mod code;
mod diagnostic;
mod source;
mod span;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use foresee_stdx::{edit_distance, nearest_name};
pub use source::{Lines, SourceFile, Sources, line_range};
pub use span::{FileId, Span};
