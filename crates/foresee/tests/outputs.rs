//! What could not be written is an error: a full disk, a reader who has gone. Never exit code 0.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]
#![cfg(target_os = "linux")]

mod common;
use common::Place;
use std::fs::File;
use std::process::{Command, Stdio};

const PROGRAM: &str = "-module(m).\n-export([test/0, loop/0]).\n\
    test() -> S = self(), spawn(fun() -> S ! hi end), receive X -> X end.\n\
    loop() -> io:format(\"again~n\"), loop().\n";

/// Every kind of answer on standard output.
const COMMANDS: [&str; 18] = [
    "check ping",
    "check ping --quiet",
    "check ping --format json",
    "check ping --format junit",
    "check m.erl",
    "check m.erl --format json",
    "check m.aut",
    "verify m.aut --formula '<true>true'",
    "verify m.aut --formula '<true>true' --format json",
    "simulate ping",
    "simulate m.erl",
    "simulate m.erl --format json",
    "lts m.aut",
    "lts m.aut -o -",
    "lts info m.aut",
    "systems",
    "explain E0001",
    "--help",
];

fn place() -> Place {
    let place = Place::new();
    place.write("m.erl", PROGRAM);
    place.write("m.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n");
    place
}

fn foresee(place: &Place, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foresee"));
    let words = line.split(' ');
    command.args(words.map(|word| word.trim_matches('\''))).current_dir(place.path());
    command
}

#[test]
fn a_full_disk_is_an_error_for_every_command() {
    let place = place();
    for line in COMMANDS {
        let full = File::options().write(true).open("/dev/full").expect("there is one");
        let said = foresee(&place, line).stdout(full).stderr(Stdio::piped()).output();
        let said = said.expect("the binary runs");
        let err = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains("error[E0015]: cannot write to standard output"), "{line}: {err}");
    }
}

/// A pipe whose reader has gone before anything is written.
fn nobody() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
fn a_reader_who_has_gone_is_told_nothing_and_never_that_all_is_well() {
    let place = place();
    for line in COMMANDS {
        let said = foresee(&place, line).stdout(nobody()).stderr(Stdio::piped()).output();
        let said = said.expect("the binary runs");
        let err = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{line}: {err}");
        assert_eq!(err, "", "{line}");
    }
}

/// A run that prints again and again.
#[test]
fn a_simulation_without_a_reader_is_no_success() {
    let place = place();
    let line = "simulate m.erl -t loop --depth-max 2000 --output-only";
    let status = foresee(&place, line).stdout(nobody()).status().expect("the binary runs");
    assert_eq!(status.code(), Some(2));
}

#[test]
fn files_that_were_asked_for_and_not_written_are_errors() {
    let place = place();
    for name in ["f.json", "f.svg", "f.trace", "f.html", "f.dot", "f.mcrl"] {
        std::os::unix::fs::symlink("/dev/full", place.path().join(name)).expect("made");
    }
    let broken = "check single-copy-register servers=2 clients=2";
    place.foresee(&format!("{broken} --trace ok.trace")).expect(1, &[], &[]);
    let lines = [
        format!("{broken} --trace f.trace"),
        "check ping --report f.html".to_owned(),
        "check m.erl --graph f.dot".to_owned(),
        "replay ok.trace --export f.json".to_owned(),
        "replay ok.trace --export f.svg".to_owned(),
        "verify m.aut --formula '<true>true' --trace f.trace".to_owned(),
        "verify m.aut --formula '<true>true' --evidence f.dot".to_owned(),
        "verify m.aut --formula '<true>true' --report f.html".to_owned(),
        "lts m.aut -o no/where.aut".to_owned(),
    ];
    for line in lines {
        let said = place.foresee(&line);
        said.expect(2, &[], &["error[E0015]"]);
        let json = place.foresee(&format!("{line} --format json"));
        assert_eq!((json.code, &json.json()["verdict"]), (2, &"error".into()), "{line}");
    }
    // What was found is told all the same.
    place.foresee(&format!("{broken} --trace f.trace")).expect(2, &["violated: linearizable"], &[]);
    for (line, answer) in [
        ("check ping --report f.html", "holds: ping"),
        ("check ping --report f.html --quiet", "holds: ping"),
        ("check ping --report f.html --states-max 2", "inconclusive: ping"),
        ("check m.erl --report no/where.html", "holds: m:test/0"),
    ] {
        place.foresee(line).expect(2, &[answer], &["error[E0015]: cannot write"]);
    }
}
