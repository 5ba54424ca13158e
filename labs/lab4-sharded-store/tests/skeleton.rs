//! What students are given compiles, earns nothing, and says what is to be done.

#![allow(clippy::todo, dead_code, unreachable_pub, reason = "the skeleton is a binary of its own")]

#[path = "../skeleton/src/client.rs"]
mod client;
#[path = "../skeleton/src/group.rs"]
mod group;
#[path = "../skeleton/src/master.rs"]
mod master;
#[path = "../skeleton/src/message.rs"]
mod message;
#[path = "../skeleton/src/paxos.rs"]
mod paxos;
#[path = "../skeleton/src/server.rs"]
mod server;
#[path = "../skeleton/src/solution.rs"]
mod solution;

use foresee_labs::{Status, run_tests};

#[test]
fn the_skeleton_earns_nothing_and_says_what_to_do() {
    let lab = foresee_lab4::lab(solution::Solution::default());
    let tests: Vec<_> = lab.tests.iter().collect();
    let results = run_tests(&lab, "lab4", &tests, 0, |_| {});
    assert_eq!(results.earned(), 0);
    for result in results.tests {
        assert_eq!(result.status, Status::Failed, "{}: {}", result.number, result.message);
        assert!(
            result.message.contains("not yet implemented: part"),
            "{}: {}",
            result.number,
            result.message
        );
    }
}
