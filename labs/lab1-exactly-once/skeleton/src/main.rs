//! The solution's command line: `foresee labs test` in this folder builds and runs it. Nothing to do here.

mod rpc;
mod store;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::labs::cli(foresee_lab1::lab(rpc::Solution::default())).run()
}
