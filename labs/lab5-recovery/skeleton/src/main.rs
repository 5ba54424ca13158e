//! The solution's command line: `foresee labs test` in this folder builds and runs it. Nothing to do here.

mod durable;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::labs::cli(foresee_lab5::lab(durable::Solution::default())).run()
}
