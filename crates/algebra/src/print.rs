//! Trees to text: muCRL that reads back to the same tree, and mCRL2.

mod mcrl2;
mod mucrl;
mod names;
