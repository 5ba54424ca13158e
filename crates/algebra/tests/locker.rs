//! The locker of the fault-tolerance paper: its numbers come out exactly.

mod support;

use support::{space, spec};

#[test]
fn two_clients_without_crashes_have_the_papers_numbers() {
    let space = space(&spec("locker"));
    assert_eq!(space.size(), (33, 48));
    assert_eq!(space.n_deadlocks(), 0);
}

#[test]
fn two_crashing_clients_have_the_papers_numbers() {
    let space = space(&spec("locker_crash"));
    assert_eq!(space.size(), (326, 584));
    assert_eq!(space.n_classes(), 229);
}
