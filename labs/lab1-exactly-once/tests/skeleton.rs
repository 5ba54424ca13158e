//! What students are given compiles, earns nothing, and says what is to be done.

#![allow(clippy::todo, dead_code, unreachable_pub, reason = "the skeleton is a binary of its own")]

#[path = "../skeleton/src/rpc.rs"]
mod rpc;
#[path = "../skeleton/src/store.rs"]
mod store;

use foresee_labs::{Status, run_tests};

#[test]
fn the_skeleton_earns_nothing_and_says_what_to_do() {
    let lab = foresee_lab1::lab(rpc::Solution::default());
    let tests: Vec<_> = lab.tests.iter().collect();
    let results = run_tests(&lab, "lab1", &tests, 0, |_| {});
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

/// A server and clients that do nothing, with a store that does what it should.
mod idle {
    use foresee::{Address, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node};
    use foresee_lab1::ExactlyOnce;
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

    impl ExactlyOnce for Idle {
        type Store = KeyValueStore;
        type Message = ();
        type Server = Idle;
        type Client = Idle;

        fn store(&self) -> KeyValueStore {
            KeyValueStore::default()
        }

        fn server(&self) -> Idle {
            Idle
        }

        fn client(&self, _server: Address) -> Idle {
            Idle
        }
    }
}

/// Part 1 is about the store alone.
#[test]
fn who_does_nothing_earns_nothing() {
    let lab = foresee_lab1::lab(idle::Idle);
    let tests: Vec<_> = lab.tests.iter().filter(|test| test.number.part > 1).collect();
    for result in run_tests(&lab, "lab1", &tests, 0, |_| {}).tests {
        assert_eq!(result.status, Status::Failed, "{}: {}", result.number, result.message);
    }
}
