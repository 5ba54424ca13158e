//! Grading: code of others is compiled and run where it can do no harm, and what came of it is kept where it cannot reach.
//! Why not trust a process that prints its results: whoever writes the code under test writes what it prints. Here the tests are
//! ours and linked to the solution; results go to a file that is opened before any of the solution's code runs, and after that
//! nothing can be opened, started or connected any more (`filter`). Compiling is hostile too, so both happen in a *cell*: namespaces of
//! their own with nothing in them but what the step needs (`cell`).
//!
//! Reading order: [`Spec`] and [`run`] (a cell from the outside), `cell` (how it is made), [`inside`] (the program in it), `record` (what
//! it reports), [`Submission`] (what is taken of a student's folder), [`Workshop`] (what solutions are linked with), [`grade`] (one
//! submission), [`ClassReport`] (tables of a class).
//! Known limit: a solution that gets around Rust's own safety through a bug of the compiler could write to the file of results.

#![allow(clippy::disallowed_methods, reason = "an edge: it starts processes and measures them")]

mod class;
mod files;
#[cfg(target_os = "linux")]
mod filter;
mod grade;
mod inside;
mod outside;
mod record;
mod submission;
mod workshop;

#[cfg(target_os = "linux")]
mod cell;
#[cfg(not(target_os = "linux"))]
#[path = "no_cell.rs"]
mod cell;

pub use cell::{enter, is_available};
pub use class::{ClassReport, Timing};
pub use files::write_student;
pub use grade::{Conditions, Graded, grade, listed};
pub use inside::inside;
pub use outside::{Ended, How, Limits, Mount, Spec, run};
pub use record::{Listed, Listing};
pub use submission::{BadSubmission, Submission};
pub use workshop::{Plan, Workshop, WorkshopError};
