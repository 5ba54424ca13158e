//! All examples of the chapter "Nodes in depth" as systems of one binary, with every command: `cargo run -p foresee --example all -- systems`,
//! `… -- check score --strategy best-first`, `… -- run workloads`, and as processes with `--node` and `--peers`.

#[path = "paired.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod paired;
#[path = "prune.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod prune;
#[path = "score.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod score;
#[path = "sub_nodes.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod sub_nodes;
#[path = "timers.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod timers;
#[path = "workloads.rs"]
#[allow(dead_code, reason = "an example by itself, too")]
pub(crate) mod workloads;

use foresee::Entry;
use std::process::ExitCode;

#[allow(dead_code, reason = "tests have a main of their own")]
fn main() -> ExitCode {
    entries().into_iter().fold(foresee::cli(), |cli, entry| cli.system(entry)).run()
}

/// The systems.
pub(crate) fn entries() -> Vec<Entry> {
    let workloads = || workloads::world(2, "PUT:%a:%i; GET:%a", "OK; VALUE:%i");
    vec![
        Entry::new("workloads", "two clients with a workload each call a key-value store")
            .build_with(move |_, _| Ok(Box::new(workloads()))),
        Entry::new(
            "sub-nodes",
            "a member leads when its failure detector, a node within it, says so",
        )
        .build_with(|_, _| Ok(Box::new(sub_nodes::world()))),
        Entry::new("prune", "two logical clocks, looked at until one is beyond five")
            .build_with(|_, _| Ok(Box::new(prune::world(Some(5))))),
        Entry::new("score", "parts that come early wait in a buffer")
            .build_with(|_, _| Ok(Box::new(score::world()))),
        Entry::new("timers", "a lease is renewed in time, whenever within its bounds that is")
            .build_with(|_, _| Ok(Box::new(timers::world((5, 9))))),
        Entry::new("paired", "two philosophers share two forks")
            .build_with(|_, _| Ok(Box::new(paired::table().0))),
    ]
}
