//! The stock binary: the whole command line with the built-in systems.

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee_cli::cli().stock_systems().run()
}
