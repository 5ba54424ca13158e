//! The known sizes of the built-in systems, counted in the plainest way there is.
//! Why not with an engine: this is what engines are compared with (`tests/cases`). It keeps whole states in a set and asks
//! the system itself for `enabled` and `step`, so it shares no short cut with any engine or with the world's explorer.

use foresee_lts::{PropertyKind, State, System};
use foresee_nodes::BuildOptions;
use std::collections::HashSet;

/// States, transitions, and whether every property holds.
#[derive(Debug, Eq, PartialEq)]
struct Size {
    states: usize,
    transitions: usize,
    holds: bool,
}

fn size(words: &str) -> Size {
    size_with(words, &BuildOptions::default())
}

fn size_with(words: &str, options: &BuildOptions) -> Size {
    let words: Vec<&str> = words.split(' ').collect();
    let entries = foresee_systems::all();
    let entry = entries.iter().find(|entry| entry.name == words[0]).expect("a built-in system");
    let built = entry.build(&words[1..], options).expect("good parameters");
    explore(built.system())
}

fn explore(system: &dyn System) -> Size {
    let (properties, prunes) = (system.properties(), system.prunes());
    let mut reached = vec![false; properties.len()];
    let mut broken = false;
    let mut seen: HashSet<State> = system.initial().into_iter().collect();
    let mut frontier: Vec<State> = seen.iter().cloned().collect();
    let mut transitions = 0;
    let mut actions = Vec::new();
    while let Some(state) = frontier.pop() {
        broken |= system.fault(&state).is_some();
        for (property, reached) in properties.iter().zip(&mut reached) {
            let holds = property.predicate.holds(&state);
            broken |= property.kind == PropertyKind::Invariant && !holds;
            *reached |= property.kind == PropertyKind::Invariant || holds;
        }
        if prunes.iter().any(|prune| prune.holds(&state)) {
            continue;
        }
        actions.clear();
        system.enabled(&state, &mut actions);
        transitions += actions.len();
        for &action in &actions {
            let next = system.step(&state, action);
            if seen.insert(next.clone()) {
                frontier.push(next);
            }
        }
    }
    Size { states: seen.len(), transitions, holds: !broken && reached.iter().all(|it| *it) }
}

fn holds(states: usize, transitions: usize) -> Size {
    Size { states, transitions, holds: true }
}

#[test]
fn ping_has_the_published_sizes() {
    assert_eq!(size("ping clients=1 pings=10"), holds(120, 1_595));
    assert_eq!(size("ping clients=2 pings=10"), holds(14_640, 436_590));
}

#[test]
fn two_phase_commit_has_the_published_sizes() {
    assert_eq!(size("two-phase-commit rms=3").states, 288);
    let five = size("two-phase-commit rms=5");
    assert_eq!((five.states, five.holds), (8_832, true));
}

#[test]
fn a_single_copy_has_the_published_sizes() {
    assert_eq!(size("single-copy-register servers=1 clients=2"), holds(93, 120));
    let two = size("single-copy-register servers=2 clients=2");
    assert!(!two.holds);
}

#[test]
fn paxos_has_the_published_size() {
    assert_eq!(size("paxos clients=2"), holds(16_668, 32_970));
}

#[test]
fn what_a_property_says_it_reads_changes_nothing() {
    for words in ["two-phase-commit rms=3", "single-copy-register clients=2", "paxos clients=1"] {
        assert_eq!(size(words), size(&format!("{words} properties=opaque")), "{words}");
    }
}

#[test]
fn every_mistake_on_offer_is_one() {
    for words in [
        "ping pings=2 bug=any-pong",
        "two-phase-commit rms=2 bug=eager-commit",
        "two-phase-commit rms=2 bug=broken-promise",
        "single-copy-register servers=2 clients=1",
        "paxos clients=2 bug=stubborn",
        "paxos clients=2 bug=forgetful",
        "paxos clients=2 bug=hasty",
    ] {
        assert!(!size(words).holds, "{words} breaks nothing");
    }
}

#[test]
fn a_register_in_memory_does_not_survive_a_restart() {
    let options = BuildOptions { crashes: 1, restarts: 1, ..BuildOptions::default() };
    assert!(!size_with("single-copy-register clients=1", &options).holds);
    assert!(size_with("paxos clients=1", &options).holds);
}

#[test]
fn a_network_refuses_the_faults_it_cannot_have() {
    let entries = foresee_systems::all();
    let options = BuildOptions { drops: 1, ..BuildOptions::default() };
    let refused = entries[0].build(&["network=exactly-once"], &options).err().expect("refused");
    assert!(refused.to_string().contains("exactly-once network has no drops"), "{refused}");
}
