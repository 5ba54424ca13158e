//! State spaces behind the door: written as they are found, reduced, compared, looked at.
//! `write` sends one to a file, `space` holds one in memory, `compare` and `info` are questions about such.
//! Not here: files (the edge hands in something to write to), what labels mean (`visible`).

mod compare;
mod info;
mod space;
mod write;

pub use compare::{CompareRequest, ComparisonReport, Side, compare_models};
pub use info::{InfoReport, LabelCount, model_info};
pub use write::{LtsReport, LtsRequest, LtsTarget, Size, WriteSeek, write_lts};

/// The label of the loops at states whose transitions are missing because a limit was reached. The file itself so says that
/// it is incomplete, and such a state is not mistaken for a deadlock.
pub const INCOMPLETE: &str = "foresee:incomplete";
