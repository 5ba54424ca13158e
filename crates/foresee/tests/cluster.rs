//! One search by several processes says what a search on disk says, whatever the numbers of processes and threads; and it ends cleanly
//! when a process is lost, wherever that is noticed.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;

use common::{Place, Said};
use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What is compared: everything but what it took.
fn told(said: &Said) -> Value {
    let mut json = said.json();
    let report = json.as_object_mut().expect("an object");
    for figure in ["seconds", "peak_memory_bytes", "disk_bytes", "bytes_exchanged", "threads"] {
        report.remove(figure);
    }
    report.insert("exit code".to_owned(), said.code.into());
    json
}

/// Checks on disk, in memory, and by processes and threads as these flags say; gives what all say.
fn same(what: &str, crews: &[&str]) -> Value {
    let place = Place::new();
    let run = |flags: &str| {
        let said = place.foresee(&format!("check {what} --engine stateful --format json {flags}"));
        assert!(said.err.is_empty(), "{flags}: {}", said.err);
        said
    };
    let on_disk = told(&run("--disk d"));
    for flags in crews {
        let found = run(flags);
        assert!(found.json()["bytes_exchanged"].is_u64(), "{flags}");
        assert_eq!(told(&found), on_disk, "{what} {flags}");
    }
    for flags in ["", "--threads 2"].iter().take(crews.len()) {
        let in_memory = told(&run(flags));
        assert_eq!(in_memory["verdict"], on_disk["verdict"], "{what} {flags}");
        match on_disk["verdict"].as_str() {
            Some("holds") => {
                for count in ["states", "transitions", "depth"] {
                    assert_eq!(in_memory[count], on_disk[count], "{what} {flags}: {count}");
                }
            }
            _ => assert_eq!(
                in_memory["violations"][0]["property"], on_disk["violations"][0]["property"],
                "{what} {flags}"
            ),
        }
    }
    on_disk
}

fn file(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn systems_of_nodes() {
    let crews = ["--processes 2", "--processes 1 --threads 2", "--processes 4 --threads 2"];
    assert_eq!(same("two-phase-commit rms=5", &crews)["states"], 8_832);
    same("single-copy-register", &["--processes 3"]);
    same("ping clients=2 pings=3", &["--processes 2 --threads 2"]);
}

#[test]
fn paxos_and_its_bug() {
    assert_eq!(same("paxos clients=2", &["--processes 2"])["verdict"], "holds");
    let crews = ["--processes 2", "--processes 4 --threads 2"];
    assert_eq!(same("paxos clients=2 bug=forgetful", &crews)["verdict"], "violated");
}

#[test]
fn programs_and_specifications() {
    let program = file("tests/cases/erlang/protocols/alternating_bit.erl");
    same(&format!("{program} -t test"), &["--processes 2"]);
    same(&file("crates/algebra/tests/specs/locker.mcrl"), &["--processes 2"]);
}

/// Hosts files with ports that are free now.
#[test]
fn a_swarm_tells_the_same_for_any_number_of_processes() {
    let place = Place::new();
    let run = |what: &str, flags: &str| {
        let walks = "--strategy random --seed 3 --interleavings-max 2000 --format json";
        let said = place.foresee(&format!("check {what} {walks} {flags}"));
        assert!(said.err.is_empty(), "{flags}: {}", said.err);
        said
    };
    let program = file("tests/cases/erlang/protocols/alternating_bit.erl");
    let program = format!("{program} -t test --engine stateful --depth-max 50");
    let bug = "paxos clients=2 bug=forgetful";
    for (what, verdict) in
        [(bug, "violated"), ("paxos clients=2", "inconclusive"), (&program, "inconclusive")]
    {
        let alone = run(what, "--processes 1 --threads 1");
        assert_eq!(alone.json()["verdict"], verdict, "{what}");
        for flags in ["--processes 2 --threads 1", "--processes 3 --threads 2"] {
            assert_eq!(told(&run(what, flags)), told(&alone), "{what} {flags}");
        }
        let plain = run(what, "").json();
        for key in ["verdict", "transitions", "interleavings"] {
            assert_eq!(plain[key], alone.json()[key], "{what}: {key}");
        }
    }
    for (flags, refused) in [("--keep-going", "--keep-going"), ("--disk d", "--disk")] {
        let said = place.foresee(&format!("check paxos --strategy random --processes 2 {flags}"));
        assert_eq!(said.code, 2, "{flags}");
        assert!(said.err.contains(refused), "{}", said.err);
    }
}

#[test]
fn a_process_of_a_swarm_that_has_another_seed_is_refused() {
    let place = Place::new();
    hosts(&place, 2);
    let walks = |seed| format!("paxos clients=2 --strategy random --seed {seed} --time-max 20s");
    let (first, second) = (start(&place, 0, &walks(1)), start(&place, 1, &walks(2)));
    let (first, second) = (end(first), end(second));
    assert_eq!((first.code, second.code), (2, 2));
    assert!(format!("{}{}", first.err, second.err).contains("seed"), "{}", first.err);
}

fn hosts(place: &Place, n: usize) {
    let listeners: Vec<_> =
        (0..n).map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines = listeners.iter().map(|it| format!("{}\n", it.local_addr().expect("bound")));
    place.write("hosts.txt", &lines.collect::<String>());
}

fn start(place: &Place, process: usize, what: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_foresee"))
        .args(["check"])
        .args(what.split_whitespace())
        .args(["--cluster", "hosts.txt", "--process", &process.to_string()])
        .current_dir(place.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn end(child: Child) -> Said {
    Said::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn processes_that_the_user_starts_report_once() {
    let place = Place::new();
    hosts(&place, 3);
    let children: Vec<Child> =
        (0..3).map(|process| start(&place, process, "two-phase-commit rms=4")).collect();
    let said: Vec<Said> = children.into_iter().map(end).collect();
    said[0].expect(0, &["holds", "1,568 states", "exchanged"], &[]);
    for other in &said[1..] {
        assert_eq!((other.code, &*other.out, &*other.err), (0, "", ""));
    }
}

#[test]
fn a_process_that_differs_is_refused_and_all_end() {
    let place = Place::new();
    hosts(&place, 3);
    let wait = "--cluster-wait 20s";
    let children = [
        start(&place, 0, &format!("two-phase-commit rms=4 {wait}")),
        start(&place, 1, &format!("two-phase-commit rms=5 {wait}")),
        start(&place, 2, &format!("two-phase-commit rms=4 {wait}")),
    ];
    let said: Vec<Said> = children.into_iter().map(end).collect();
    said[0].expect(2, &[], &["E0063", "another system", "rms=5"]);
    for other in &said[1..] {
        assert_eq!((other.code, &*other.out), (2, ""), "{}", other.err);
        assert!(other.err.contains("E006") && !other.err.contains("panicked"), "{}", other.err);
    }
}

#[test]
fn a_number_that_is_taken_is_refused() {
    let place = Place::new();
    hosts(&place, 2);
    let first = start(&place, 0, "two-phase-commit rms=4 --cluster-wait 20s");
    std::thread::sleep(Duration::from_millis(300));
    let same = end(start(&place, 0, "two-phase-commit rms=4 --cluster-wait 20s"));
    same.expect(2, &[], &["E0032", "cannot listen on 127.0.0.1:"]);
    let second = end(start(&place, 1, "two-phase-commit rms=4 --cluster-wait 20s"));
    assert_eq!((second.code, &*second.err), (0, ""));
    end(first).expect(0, &["holds"], &[]);
}

#[test]
fn a_process_that_is_killed_ends_the_others_and_the_search_goes_on_later() {
    let place = Place::new();
    hosts(&place, 2);
    let what = "two-phase-commit rms=6";
    let disk = |flag: &str| {
        [0, 1].map(|process| start(&place, process, &format!("{what} {flag} d{process}")))
    };
    let [first, mut second] = disk("--disk");
    std::thread::sleep(Duration::from_millis(700));
    second.kill().expect("it runs");
    let said = end(first);
    if said.code == 2 {
        said.expect(2, &[], &["E0064", "process 1", "is lost"]);
        assert!(!said.err.contains("panicked"), "{}", said.err);
    }
    let flag = if place.has("d0/worker-000/manifest") { "--resume" } else { "--disk" };
    let [first, second] = disk(flag);
    let (first, second) = (end(first), end(second));
    first.expect(0, &["holds", "50,816 states"], &[]);
    assert_eq!((second.code, &*second.out), (0, ""), "{}", second.err);
}

#[test]
fn another_number_of_processes_goes_on() {
    let place = Place::new();
    let check = |rest: &str| place.foresee(&format!("check two-phase-commit rms=6 {rest}"));
    check("--processes 2 --disk d --states-max 20000 --quiet").expect(3, &["inconclusive"], &[]);
    let said = check("--processes 3 --resume d --states-max 40000");
    said.expect(3, &["inconclusive"], &["resumed at depth"]);
    check("--processes 1 --threads 2 --resume d").expect(0, &["holds", "50,816 states"], &[]);
    assert!(!place.has("d/worker-002/manifest"), "it belongs to nobody any more");
    // The files of a worker that are not there are missed.
    std::fs::remove_dir_all(place.path().join("d/worker-001")).expect("it is there");
    let said = check("--processes 3 --resume d");
    said.expect(2, &[], &["E0054", "number of workers"]);
}

#[test]
fn limits_are_for_the_whole_search() {
    let place = Place::new();
    let said = place.foresee("check two-phase-commit rms=9 --processes 2 --time-max 1s --quiet");
    said.expect(3, &["inconclusive", "--time-max"], &[]);
    let said = place.foresee("check two-phase-commit rms=5 --processes 2 --strategy dfs");
    said.expect(2, &[], &["--processes", "bfs"]);
    let said = place.foresee("check two-phase-commit rms=5 --processes 2 --reduction symmetry");
    said.expect(2, &[], &["--processes", "--reduction"]);
}
