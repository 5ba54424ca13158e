//! `foresee labs new`: a student's folder, with handout, skeleton, and the library and the lab's tests beside them.
//! Invariant: nothing is overwritten, and no solution is in it.

use super::kit;
use crate::commands::new::write_crate;
use clap::Args;
use foresee_cli::quoted;
use foresee_session::Diagnostic;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct New {
    /// The lab: `labs list` has their names
    #[arg(value_name = "LAB")]
    lab: String,

    /// Where to write it: a folder that is empty or not there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Also copy the crates of others to DIR/vendor, so that the folder builds without a network; runs `cargo vendor`
    #[arg(long)]
    vendored: bool,
}

/// Writes the folder; what to do next.
pub(super) fn new(arguments: &New) -> Result<String, Diagnostic> {
    let kit = kit::named(&arguments.lab)?;
    write_crate(&arguments.folder, kit.files(), arguments.vendored)?;
    let folder = arguments.folder.display().to_string();
    let yours = kit.written_by_students().join(", ");
    Ok(format!(
        "made {} ({}) in {folder}: README.md is the handout, you write {yours}\n\n  \
         cd {}\n  \
         foresee labs test            # builds your solution and tests it; the first build takes a minute or two\n  \
         foresee labs test 2          # the tests of part 2; `foresee labs list {}` lists them\n  \
         foresee labs debug 2.1       # step through what a test found, in the browser\n\n\
         Without the command `foresee`, `cargo run --release --` does the same: cargo run --release -- labs test\n",
        kit.id,
        kit.title(),
        quoted(&folder),
        kit.id,
    ))
}
