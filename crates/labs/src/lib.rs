//! Labs: exercises with tests as data, and the runner that gives points.
//! A lab is a list of [`Test`]s over somebody's solution. A test is a unit test, a run in virtual time, or a search; what it does is
//! data ([`Plan`]), and one function carries it out ([`carry_out`]): no test reads a clock, so the same solution and seed give the same
//! result on every machine.
//!
//! Reading order: [`Lab`] and [`Test`]; [`Plan`] with [`RunPlan`] and [`SearchPlan`]; [`Arena`] (a world with what a test asks of it);
//! `run`, `search`, `always` (carrying out); `evidence` (a trace for each failure); [`Results`] and its formats; [`Switch`] (bugs of a
//! reference solution); `entry` (a lab as a system with a name).
//! Not here: files and processes (the facade's commands), the labs themselves (`labs/`).

mod always;
mod arena;
mod carry_out;
mod entry;
mod evidence;
mod formats;
mod histories;
mod lab;
mod plan;
mod results;
mod run;
mod search;
mod select;
mod switch;
mod text;
mod zoo;

pub use arena::{Arena, SetUp, few_copies, restored, size_of_disk, size_of_node};
pub use carry_out::{carry_out, carry_out_with, run_tests};
pub use entry::{ReferenceLab, entry_of_lab, entry_of_reference};
pub use foresee_nodes::BuildOptions;
pub use formats::{to_gradescope, to_json, to_junit};
pub use histories::{appends_in_one_order, judged_linearizable};
pub use lab::{Category, Lab, Number, Part, Test};
pub use plan::{Ending, Plan, RunPlan, SearchPlan, UnitTest};
pub use results::{Results, Status, TestResult};
pub use select::{Selection, select};
pub use switch::Switch;
pub use text::{result_text, summary_text};
pub use zoo::{Found, Specimen, SpecimenKind, hunt, without_zoo};
