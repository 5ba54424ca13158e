//! `--vendored`: third-party crates beside the new crate as well, by cargo itself.

use super::no_crate;
use foresee_session::Diagnostic;
use std::path::Path;
use std::process::Command;

/// Has cargo copy what the crate needs, and tells cargo to take it from there.
pub(crate) fn vendor(folder: &Path) -> Result<(), Diagnostic> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["vendor", "--versioned-dirs", "vendor/crates"])
        .current_dir(folder)
        .output();
    let help = "`cargo` must be installed and reach its registry or have everything in its cache; the crate is there without the copies";
    let output =
        output.map_err(|error| no_crate(format!("cannot start `cargo vendor`: {error}"), help))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        return Err(no_crate(format!("`cargo vendor` failed: {}", last.trim()), help));
    }
    let config = folder.join(".cargo");
    std::fs::create_dir_all(&config)
        .and_then(|()| std::fs::write(config.join("config.toml"), &output.stdout))
        .map_err(|error| no_crate(format!("cannot write `{}`: {error}", config.display()), help))
}
