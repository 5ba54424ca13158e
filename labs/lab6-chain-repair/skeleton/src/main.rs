//! The solution's command line: `foresee labs test` in this folder builds and runs it. Nothing to do here.

mod client;
mod message;
mod operator;
mod servers;
mod solution;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::labs::cli(foresee_lab6::lab(solution::Solution::default())).run()
}
