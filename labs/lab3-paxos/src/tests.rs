//! The tests of lab 3.
//! Runs with partitions and losses first, then searches. Who leads cannot be asked, so searches lead a group through changes of leaders by
//! whose timers fire and who hears whom, and ask what stands in the slots (`scene`).

mod runs;
mod scene;
mod searches;

use crate::Paxos;
use foresee::{KeyValueCommand, KeyValueResult, Workload};
use foresee_labs::{Lab, Part};
use scene::Setting;

type Commands = Workload<KeyValueCommand, KeyValueResult>;

/// The lab on a solution of it.
pub fn lab<S: Paxos>(solution: S) -> Lab {
    let parts = vec![
        Part { number: 1, title: "runs: agreement, partitions, clearing the log" },
        Part { number: 2, title: "searches: whatever the order of events" },
    ];
    let standard = Setting::new(&solution, 3).clients(2, one_append()).searched();
    let lab = Lab { id: "lab3", title: "multi-instance Paxos", parts, tests: Vec::new(), standard };
    let lab = runs::reliable(lab, &solution);
    let lab = runs::partitioned(lab, &solution);
    let lab = runs::unreliable(lab, &solution);
    let lab = searches::small(lab, &solution);
    let lab = searches::leaders(lab, &solution);
    searches::broad(lab, &solution)
}

/// The world behind the lab's name, with an end where some server `is_beyond`: elections go on for ever otherwise.
#[cfg(feature = "solutions")]
pub(crate) fn standard_until<S: Paxos>(
    solution: &S,
    name: &'static str,
    is_beyond: impl Fn(&S::Server) -> bool + Clone + Send + Sync + 'static,
) -> foresee_labs::SetUp {
    Setting::new(solution, 3).clients(2, one_append()).searched_until(name, is_beyond)
}

fn commands(commands: &str, results: &str) -> Commands {
    Workload::parse(commands, results).expect("a workload")
}

/// All clients append to one key; what they get depends on the others. A command names its client.
fn appends(rounds: usize) -> Commands {
    commands("APPEND:log:<%a.%i>", "").repeat(rounds)
}

fn one_append() -> Commands {
    appends(1)
}

/// Each client puts and gets under a key of its own.
fn own_key(rounds: usize) -> Commands {
    commands("PUT:%a:%i; GET:%a", "OK; VALUE:%i").repeat(rounds)
}

fn mixed() -> Commands {
    commands(
        "GET:a; PUT:a:1; GET:a; APPEND:a:2; APPEND:b:3; SWAP:b:3:4; SWAP:b:3:5; GET:b; PUT:a:; GET:a; GET:c",
        "MISSING; OK; VALUE:1; APPENDED:12; APPENDED:3; SWAPPED:true; SWAPPED:false; VALUE:4; OK; VALUE:; MISSING",
    )
}
