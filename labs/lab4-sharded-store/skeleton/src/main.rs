//! The solution's command line: `foresee labs test` in this folder builds and runs it. Nothing to do here.

mod client;
mod group;
mod master;
mod message;
mod paxos;
mod server;
mod solution;

use std::process::ExitCode;

fn main() -> ExitCode {
    foresee::labs::cli(foresee_lab4::lab(solution::Solution::default())).run()
}
