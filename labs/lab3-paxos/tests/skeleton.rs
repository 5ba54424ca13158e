//! What students are given compiles, earns nothing, and says what is to be done.

#![allow(clippy::todo, dead_code, unreachable_pub, reason = "the skeleton is a binary of its own")]

#[path = "../skeleton/src/paxos.rs"]
mod paxos;

use foresee_labs::{Status, run_tests};

#[test]
fn the_skeleton_earns_nothing_and_says_what_to_do() {
    let lab = foresee_lab3::lab(paxos::Solution::default());
    let tests: Vec<_> = lab.tests.iter().collect();
    let results = run_tests(&lab, "lab3", &tests, 0, |_| {});
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

/// Servers and clients that do nothing: nothing wrong ever happens.
mod idle {
    use foresee::{Address, Client, Context, KeyValueCommand, KeyValueResult, Node};
    use foresee_lab3::{Paxos, Slot};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
    pub struct Idle;

    impl Node for Idle {
        type Message = ();
        type Timer = ();

        fn on_message(&mut self, _from: Address, _message: (), _context: &mut Context<(), ()>) {}
    }

    impl Client for Idle {
        type Command = KeyValueCommand;
        type Result = KeyValueResult;

        fn send_command(&mut self, _command: KeyValueCommand, _context: &mut Context<(), ()>) {}

        fn result(&self) -> Option<KeyValueResult> {
            None
        }
    }

    impl Paxos for Idle {
        type Message = ();
        type Server = Idle;
        type Client = Idle;

        fn server(&self, _group: &[Address]) -> Idle {
            Idle
        }

        fn client(&self, _group: &[Address]) -> Idle {
            Idle
        }

        fn slot(_server: &Idle, _slot: u64) -> Slot {
            Slot::Empty
        }

        fn last_slot(_server: &Idle) -> u64 {
            0
        }
    }
}

#[test]
fn who_does_nothing_earns_nothing() {
    let lab = foresee_lab3::lab(idle::Idle);
    let tests: Vec<_> = lab.tests.iter().collect();
    let mut n_harmless = 0;
    for result in run_tests(&lab, "lab3", &tests, 0, |_| {}).tests {
        assert_eq!(result.status, Status::Failed, "{}: {}", result.number, result.message);
        if result.property.as_deref() == Some("somebody is told something") {
            n_harmless += 1;
            assert!(result.trace.is_some(), "{}: a run that shows it", result.number);
        }
    }
    assert!(n_harmless > 5, "{n_harmless} tests only look for harm");
}
