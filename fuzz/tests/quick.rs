//! Every reader over its corpus, what was once found, and a few thousand new inputs. `cargo xtask fuzz` does it at length.

#![allow(clippy::disallowed_methods, reason = "a test of readers of files")]

use foresee_fuzz::{Mutator, TARGETS, corpus, regressions};
use foresee_stdx::stack;
use std::panic::catch_unwind;

fn tried(name: &str, what: &str, input: &[u8], run: fn(&[u8])) {
    // As `session::open` reads texts: on a stack with room.
    let is_fine = catch_unwind(|| stack::with_room(|| run(input))).is_ok();
    assert!(is_fine, "{name}, {what}: {:?}", String::from_utf8_lossy(input));
}

#[test]
fn every_reader_answers_its_corpus_and_what_was_found() {
    for target in TARGETS {
        let inputs = corpus(target.name);
        assert!(inputs.len() >= 3, "{} has a corpus", target.name);
        inputs.iter().for_each(|input| tried(target.name, "corpus", input, target.run));
        for input in regressions(target.name) {
            tried(target.name, "regression", &input, target.run);
        }
    }
}

#[test]
fn every_reader_answers_new_inputs() {
    for target in TARGETS {
        let mut mutator = Mutator::new(&corpus(target.name), 11);
        for round in 0..400 {
            let input = mutator.next_input();
            tried(target.name, &format!("round {round}"), &input, target.run);
        }
    }
}
