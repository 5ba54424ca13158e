//! The command line for the systems of this crate: `cargo run -- help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::cli().systems({{crate}}::systems()).run()
}
