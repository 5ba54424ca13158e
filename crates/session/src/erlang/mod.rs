//! Erlang programs behind the door: from files and a function's name to a system that can be checked, simulated and replayed.
//! The edge gives an [`ErlangSource`] (plain data) and a way to read files; finding modules, headers and projects is done here, so that
//! every edge finds the same ones.
//! Reading order: [`ErlangSource`] (what can be asked), `find` and `project` (where modules and headers are), `load` (texts to a
//! program), `start` (what a name after `-t` stands for), `suites` (the tests of a project), `attributes` (options that a module carries), `program` (the program as a system, with the faults the user does not want to hear of left out), `problems` (bad news in the door's words), `simulate`.

#[cfg(feature = "languages")]
mod applications;
#[cfg(feature = "languages")]
mod attributes;
#[cfg(feature = "languages")]
mod find;
#[cfg(feature = "languages")]
mod load;
#[cfg(feature = "languages")]
mod problems;
#[cfg(feature = "languages")]
mod program;
#[cfg(feature = "languages")]
mod project;
#[cfg(feature = "languages")]
mod project_files;
#[cfg(feature = "languages")]
mod simulate;
mod source;
#[cfg(feature = "languages")]
mod start;
#[cfg(feature = "languages")]
mod suites;
#[cfg(feature = "languages")]
mod tips;
#[cfg(feature = "languages")]
mod waits;

pub use foresee_erlang_options::{ClockMode, CrashPoints, Crashes, LabelKind};
#[cfg(feature = "languages")]
pub(crate) use load::open;
#[cfg(feature = "languages")]
pub(crate) use problems::errors_and_warnings;
#[cfg(feature = "languages")]
pub(crate) use program::ErlangProgram;
#[cfg(feature = "languages")]
pub use project::Project;
pub use source::{ErlangOptions, ErlangSource, Ignored};
#[cfg(feature = "languages")]
pub(crate) use suites::each_test;
