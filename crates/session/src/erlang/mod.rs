//! Erlang programs behind the door: from files and a function's name to a system that can be checked, simulated and replayed.
//! The edge gives a request (plain data) and a way to read files; finding modules, headers and projects is done here, so that
//! every edge finds the same ones.
//! Reading order: `request` (what can be asked), `find` and `project` (where modules and headers are), `load` (texts to a
//! program), `attributes` (options that a module carries), `program` (the program as a system, with the faults the user does not want to hear of left out), `header` (what a
//! trace must say to load it again), `problems` (bad news in the door's words), `simulate`.

mod applications;
mod attributes;
mod find;
mod header;
mod load;
mod problems;
mod program;
mod project;
mod request;
mod simulate;
mod tips;
mod waits;

pub use foresee_erlang::{ClockMode, CrashPoints, Crashes, LabelKind, Labels};
pub(crate) use header::{is_erlang, request_of};
pub use load::load_erlang;
pub(crate) use problems::errors_and_warnings;
pub(crate) use program::ErlangProgram;
pub use project::Project;
pub use request::{ErlangOptions, ErlangRequest, Files, Ignored, NoFiles};
pub use simulate::{
    ErlangOutcome, ErlangRun, ErlangSimulateRequest, ErlangSimulationReport, ProcessEnd, Scene,
    SceneKind, simulate_erlang,
};
