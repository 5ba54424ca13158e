//! The tests of lab 2: the view server alone, by hand; runs with failures; searches that go from view to view (`scene`).

mod runs;
mod scene;
mod searches;
mod views;

use crate::PrimaryBackup;
use foresee::{KeyValueCommand, KeyValueResult, Workload};
use foresee_labs::{Lab, Part};
use scene::Setting;

type Commands = Workload<KeyValueCommand, KeyValueResult>;

/// The lab on a solution of it.
pub fn lab<S: PrimaryBackup>(solution: S) -> Lab {
    let parts = vec![
        Part { number: 1, title: "the view server" },
        Part { number: 2, title: "primary and backup: runs" },
        Part { number: 3, title: "primary and backup: searches" },
    ];
    let standard = Setting::new(&solution, 2).clients(2, one_append()).searched_without_checks();
    let lab = Lab {
        id: "lab2",
        title: "primary and backup, with a view server",
        parts,
        tests: Vec::new(),
        standard,
    };
    let lab = views::all(lab, &solution);
    let lab = runs::reliable(lab, &solution);
    let lab = runs::unreliable(lab, &solution);
    let lab = searches::small(lab, &solution);
    let lab = searches::views(lab, &solution);
    searches::broad(lab, &solution)
}

fn commands(commands: &str, results: &str) -> Commands {
    Workload::parse(commands, results).expect("a workload")
}

/// All clients append to one key; what they get depends on the others.
fn appends(rounds: usize) -> Commands {
    commands("APPEND:log:<%a.%i>", "").repeat(rounds)
}

fn one_append() -> Commands {
    appends(1)
}

/// One client appends, and knows what it should get.
fn counted(n: usize) -> Commands {
    let appends = (1..=n).map(|i| KeyValueCommand::append("k", format!("{i},")));
    let whole = |n| (1..=n).map(|i| format!("{i},")).collect::<String>();
    let results = (1..=n).map(|n| KeyValueResult::AppendResult(whole(n)));
    Workload::new(appends.collect::<Vec<_>>()).expecting(results.collect::<Vec<_>>())
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
