//! The tests of lab 5.
//! By hand first (a group of one and its disk), then runs with crashes and restarts, then searches in which disks are slow, writes are torn
//! and disks are lost. What a server would find after a crash is looked at in every state, by restoring a copy of it (`scene`).

mod by_hand;
mod runs;
mod scene;
mod searches;

use crate::Recovery;
use foresee::{KeyValueCommand, KeyValueResult, Workload};
use foresee_labs::{Lab, Part};
use scene::Setting;

type Commands = Workload<KeyValueCommand, KeyValueResult>;

/// The lab on a solution of it.
pub fn lab<S: Recovery>(solution: S) -> Lab {
    let parts = vec![
        Part { number: 1, title: "by hand: a group of one and its disk" },
        Part { number: 2, title: "runs: crashes and restarts" },
        Part { number: 3, title: "searches: whatever the order of events" },
    ];
    let standard = standard(&solution).searched();
    let title = "Paxos that survives restarts";
    let lab = Lab { id: "lab5", title, parts, tests: Vec::new(), standard };
    let lab = by_hand::tests(lab, &solution);
    let lab = runs::reliable(lab, &solution);
    let lab = runs::unreliable(lab, &solution);
    let lab = searches::small(lab, &solution);
    let lab = searches::restarts(lab, &solution);
    let lab = searches::disks(lab, &solution);
    searches::broad(lab, &solution)
}

/// Two clients, three servers, one crash, one restart.
fn standard<S: Recovery>(solution: &S) -> Setting<S> {
    Setting::new(solution, 3).clients(2, one_append()).restarts(1)
}

/// The world behind the lab's name, with an end where some server `is_beyond`: elections go on for ever otherwise.
#[cfg(feature = "solutions")]
pub(crate) fn standard_until<S: Recovery>(
    solution: &S,
    name: &'static str,
    is_beyond: impl Fn(&S::Server) -> bool + Clone + Send + Sync + 'static,
) -> foresee_labs::SetUp {
    standard(solution).searched_until(name, is_beyond)
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
