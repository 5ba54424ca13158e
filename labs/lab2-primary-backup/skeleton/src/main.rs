//! The solution's command line: `foresee labs test` in this folder builds and runs it. Nothing to do here.

mod servers;
mod views;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::labs::cli(foresee_lab2::lab(servers::Solution::default())).run()
}
