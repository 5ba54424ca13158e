//! Ctrl-C: once for the summary so far with every file that was asked for, twice to stop at once.
//! Nothing here waits for a fixed time: a process is interrupted as soon as it says that it listens, and the second signal comes
//! while it cannot finish, because it waits for a reader of its report.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
#[path = "common/story.rs"]
mod story;

use common::{Place, Said};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Ten senders: far more orders than can be explored while we look, and in `wrong` nearly all of them end badly.
const MANY: &str = "-module(many).\n-export([test/0, wrong/0]).\n\
    test() -> run(0).\nwrong() -> run(10).\n\
    run(Least) ->\n    Self = self(),\n    [spawn(fun() -> Self ! N end) || N <- lists:seq(1, 10)],\n\
    \u{20}   [First | _] = [receive M -> M end || _ <- lists:seq(1, 10)],\n\
    \u{20}   First < Least andalso exit({small, First}).\n";

fn start(place: &Place, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_foresee"))
        .args(line.split_whitespace())
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// Waits until the process has said that it wants to hear of SIGINT.
fn await_listening(child: &Child) {
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    while caught().expect("still running") & 0b10 == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the process has computed for a while, so that there is something to tell.
fn await_work(child: &Child) {
    await_listening(child);
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(11)?.parse::<u64>().ok()
    };
    while ticks().expect("still running") < 50 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args([signal, &id]).status().expect("kill runs");
    assert!(killed.success());
}

fn interrupt(child: &Child) {
    send(child, "-INT");
}

fn interrupted_once(place: &Place, line: &str) -> Said {
    let child = start(place, line);
    await_work(&child);
    interrupt(&child);
    Said::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn once_leaves_a_summary_and_the_files_that_were_asked_for() {
    let place = Place::new();
    place.write("many.erl", MANY);
    let said = interrupted_once(
        &place,
        "check many.erl --report page.html --graph tree.dot --format json",
    );
    let json = said.json();
    assert_eq!(said.code, 3, "{}", said.out);
    assert_eq!(
        (&json["verdict"], &json["stopped_by"]),
        (&"inconclusive".into(), &"interrupt".into())
    );
    assert!(json["interleavings"].as_u64() > Some(0) && said.err.contains("stopping; once more"));
    let facts = story::story(&place.read("page.html"))["hello"]["opening"]["facts"].to_string();
    assert!(facts.contains("nothing wrong was found until you stopped it"), "{facts}");
    assert!(place.read("tree.dot").ends_with("}\n"));

    let said = interrupted_once(&place, "check many.erl");
    said.expect(3, &["inconclusive: many:test/0", "you stopped it", "left, longest"], &[]);
}

#[test]
fn what_was_found_until_then_is_told() {
    let place = Place::new();
    place.write("many.erl", MANY);
    let line = "check many.erl -t wrong --keep-going --trace found.trace --report page.html";
    let said = interrupted_once(&place, line);
    said.expect(1, &["violated: abnormal_exit", "wrote page.html"], &["stopping"]);
    let story = story::story(&place.read("page.html"));
    assert_eq!(story["hello"]["opening"]["replay"], "foresee replay found.trace");
    assert_eq!(place.foresee("replay found.trace").code, 1);
}

#[test]
fn the_engine_of_states_stops_too() {
    let place = Place::new();
    let said = interrupted_once(&place, "check paxos clients=3 --threads 2 --format json");
    assert_eq!((said.code, &said.json()["stopped_by"]), (3, &"interrupt".into()), "{}", said.out);
}

#[test]
fn twice_stops_at_once() {
    let place = Place::new();
    place.write("many.erl", MANY);
    let made = Command::new("mkfifo").arg(place.path().join("page.html")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut child = start(&place, "check many.erl --report page.html");
    await_listening(&child);
    interrupt(&child);
    // The report is never read, so the process hangs until the second signal.
    let mut errors = child.stderr.take().expect("piped");
    let (mut said, mut byte) = (String::new(), [0]);
    while !said.contains("once more to stop at once") {
        errors.read_exact(&mut byte).expect("it says so");
        said.push(char::from(byte[0]));
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "nothing is half told");
}

/// A program that computes for ever in its first event, and what is said of it when it is asked to end.
fn endless(place: &Place, line: &str, signal: &str) -> Said {
    place.write("m.erl", "-module(m).\n-export([test/0]).\ntest() -> test().\n");
    let child = start(place, line);
    await_listening(&child);
    send(&child, signal);
    Said::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn one_signal_is_enough_inside_one_event() {
    let lines = [
        "check m.erl --time-max 60s --format json",
        "check m.erl --time-max 60s --engine stateful --threads 2 --format json",
        "simulate m.erl --time-max 60s --format json",
    ];
    for line in lines {
        for signal in ["-INT", "-TERM"] {
            let said = endless(&Place::new(), line, signal);
            let json = said.json();
            let verdict = (said.code, &json["verdict"], &json["stopped_by"]);
            let expected = (3, &"inconclusive".into(), &"interrupt".into());
            assert_eq!(verdict, expected, "{line} {signal}: {}", said.out);
        }
    }
}
