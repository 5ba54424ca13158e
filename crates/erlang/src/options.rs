//! How to run a program, and where it starts.

use crate::term::{Atom, Term};

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// A message is in the mailbox as soon as it is sent; otherwise each pair of processes has a channel whose
    /// deliveries are events of their own.
    pub instant_delivery: bool,
    /// Receive timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Exit reasons that are no fault: equal to one of these, or a tuple that starts with one.
    pub normal_reasons: Vec<Term>,
    /// A process ends in one event instead of one for its tables, its name, its links and its monitors.
    pub ends_in_one_step: bool,
    /// As an engine needs it that reverses races: no event takes another away, and events have names of their own. References
    /// are never used again, and a timer that was cancelled still fires, without effect. Otherwise a program that loops
    /// comes back to the states it has been in.
    pub for_races: bool,
    /// Messages in one mailbox beyond which a process is taken to be flooded.
    pub messages_max: usize,
    /// Parts of the terms that one process holds beyond which it is taken to grow without end.
    pub heap_max: usize,
    /// Calls between two visible operations after which a process is taken to loop.
    pub budget: u64,
    /// Where anything random starts.
    pub seed: u64,
    /// Labels end in the place in the source.
    pub places_in_labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            instant_delivery: true,
            after_timeout: None,
            normal_reasons: vec![a!("normal")],
            ends_in_one_step: false,
            for_races: false,
            messages_max: 100_000,
            heap_max: 5_000_000,
            budget: 20_000_000,
            seed: 0,
            places_in_labels: true,
        }
    }
}

/// What a program starts with.
#[derive(Clone, Debug)]
pub struct Entry {
    pub module: Atom,
    pub function: Atom,
    pub arguments: Vec<Term>,
}

impl Entry {
    pub fn new(module: &str, function: &str) -> Entry {
        Entry { module: Atom::new(module), function: Atom::new(function), arguments: Vec::new() }
    }
}
