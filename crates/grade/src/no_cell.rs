//! Cells are made of Linux namespaces: elsewhere there are none.

use crate::outside::Mount;
use std::path::Path;
use std::process::ExitCode;

/// Never a cell here.
pub fn enter() -> Option<ExitCode> {
    None
}

/// Never.
pub fn is_available(_cell: &Path, _scratch: &Path) -> Result<(), String> {
    Err("cells are made of Linux namespaces, which this system has not".to_owned())
}

pub(crate) fn system_folders() -> Vec<Mount> {
    Vec::new()
}
