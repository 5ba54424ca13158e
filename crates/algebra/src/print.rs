//! Trees to text: muCRL that reads back to the same tree, and mCRL2.

mod internal;
mod mcrl2;
mod mucrl;
mod names;

pub use names::is_word_of_mcrl2;
