//! State spaces and formulas of Erlang programs through the command line: the locker of the examples, its clients crashing.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
#[path = "common/story.rs"]
mod story;

use common::Place;

const TREE: &str = "locker_sup.erl --supervisor locker_sup:start_link";
const CRASHES: &str = "--crash client_* --crash-points calls --restart false";

/// The locker's files and its properties.
fn locker() -> Place {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/locker/");
    for name in [
        "locker.erl",
        "locker_client.erl",
        "locker_sup.erl",
        "properties/mutex.mcl",
        "properties/ft-mutex.mcl",
        "properties/ft-deadlock.mcl",
    ] {
        let text = std::fs::read_to_string(format!("{folder}{name}")).expect("the example");
        place.write(name.rsplit('/').next().unwrap(), &text);
    }
    place
}

#[test]
fn labels_are_what_servers_and_clients_have_to_do_with_each_other() {
    let place = locker();
    let labels = |flags: &str| {
        let json = place.foresee(&format!("lts {TREE} {flags} --format json")).json();
        assert_eq!(json["verdict"], "holds", "{json}");
        let labels = json["labels"].as_array().unwrap().iter();
        labels.map(|label| label.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        labels("--hide reply"),
        [
            "tau",
            "call(locker,release,client_1)",
            "call(locker,release,client_2)",
            "call(locker,request,client_1)",
            "call(locker,request,client_2)",
        ]
    );
    let crashing = labels(&format!("{CRASHES} --hide call,reply"));
    assert_eq!(
        crashing[1..],
        [
            "crash(client_1)",
            "crash(client_2)",
            "info(locker,{'EXIT',client_1,crash})",
            "info(locker,{'EXIT',client_2,crash})",
        ]
    );
    let spawned = labels("--hide * --show spawn");
    assert!(spawned.iter().any(|label| label.starts_with("spawn(")), "{spawned:?}");
}

#[test]
fn a_violated_formula_leads_to_source_lines_and_replays() {
    let place = locker();
    let said = place.foresee(&format!("verify {TREE} -D ACTIONS {CRASHES} --property mutex.mcl"));
    said.expect(
        1,
        &[
            "violated: mutex   22 steps, 8 visible",
            "use(client_1)",
            "foresee:action(use,",
            "[locker_client.erl:14]",
            "crash(client_1)",
            "info(locker,{'EXIT',client_1,crash})",
            "why: this run is the reason that `mutex` does not hold",
            "replay:  foresee replay locker_sup.1.trace",
        ],
        &[],
    );
    place.foresee("replay locker_sup.1.trace").expect(
        1,
        &["violated: mutex", "crash(client_1)"],
        &[],
    );
    let trace = place.read("locker_sup.1.trace");
    assert!(trace.contains("\noption: property = mutex.mcl\n"), "{trace}");
    let line = format!("verify {TREE} -D ACTIONS {CRASHES} --property mutex.mcl --report why.html");
    place.foresee(&line).expect(1, &["wrote why.html"], &[]);
    let story = story::story(&place.read("why.html"));
    assert!(story["picture"].as_str().is_some_and(|it| it.starts_with("<svg")), "a picture");
    assert_eq!(story["hello"]["opening"]["verdict"], "violated: mutex");
    // Without the action there is nothing to forbid.
    let mended =
        place.read("locker_client.erl").replace("foresee:action(use", "foresee:action(look");
    place.write("locker_client.erl", &mended);
    let again = place.foresee("replay locker_sup.1.trace");
    assert_ne!(again.code, 1, "{}", again.out);
}

#[test]
fn the_correct_server_and_the_ignoring_one_are_told_apart() {
    let place = locker();
    for (server, code) in [("", 0), ("-D IGNORING", 1)] {
        let line = format!(
            "verify {TREE} -D ACTIONS {server} {CRASHES} --property ft-mutex.mcl --property ft-deadlock.mcl"
        );
        let said = place.foresee(&line);
        said.expect(code, &["holds: ft-mutex"], &[]);
    }
}

#[test]
fn what_is_not_modelled_is_an_error_with_its_line() {
    let place = Place::new();
    place.write("m.erl", "-module(m).\n-export([test/0]).\ntest() ->\n    {a, 'b@c'} ! hello.\n");
    for line in ["lts m.erl", "verify m.erl --pattern deadlock-freedom"] {
        place.foresee(line).expect(2, &[], &["cannot go on", "m.erl:4"]);
    }
    let crashing =
        "-module(c).\n-export([test/0]).\ntest() -> spawn(fun() -> exit(oops) end), ok.\n";
    place.write("c.erl", crashing);
    let said = place.foresee("lts c.erl");
    said.expect(0, &["states"], &["warning: on the way something goes wrong", "oops", "`check`"]);
}

#[test]
fn a_crash_of_nobody_is_warned_of() {
    let place = locker();
    let said = place.foresee(&format!("lts {TREE} --crash clinet_1"));
    said.expect(0, &[], &["warning: --crash clinet_1 matches no process"]);
}
