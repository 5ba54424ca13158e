//! `replay --export NAME.erl`: an Erlang test with the schedule in it. Its text is compared here; that real Erlang compiles it and
//! shows the violation again is tried where an Erlang is installed.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Place, compare_with_file};
use std::process::Command;

const KINGS: &str = "-module(kings).\n-export([test/0]).\n\
    test() -> [spawn(fun() -> crown() end) || _ <- [1, 2]], ok.\n\
    crown() ->\n    case whereis(king) of\n        undefined -> register(king, self()), receive stop -> ok end;\n        _ -> ok\n    end.\n";

fn exported(place: &Place) -> String {
    place.write("kings.erl", KINGS);
    place.foresee("check kings.erl --ignore-error deadlock --trace kings.trace").expect(
        1,
        &["violated: abnormal_exit"],
        &[],
    );
    let said = place.foresee("replay kings.trace --export kings_foresee_test.erl");
    said.expect(1, &["wrote kings_foresee_test.erl"], &[]);
    place.read("kings_foresee_test.erl")
}

#[test]
fn the_schedule_is_told_and_forced() {
    let place = Place::new();
    let text = exported(&place);
    let own = text.split("%% ---- ").next().expect("before what is always the same");
    compare_with_file("kings_foresee_test.erl", own);
}

#[test]
fn what_is_no_run_of_erlang_has_no_such_test() {
    let place = Place::new();
    place.foresee("check single-copy-register servers=2 clients=2 --trace r.trace");
    place.foresee("replay r.trace --export r.erl").expect(
        2,
        &[],
        &["an Erlang test is for Erlang programs"],
    );
    place.write("halts.erl", "-module(halts).\n-export([test/0]).\ntest() -> halt(3).\n");
    place.foresee("check halts.erl --trace h.trace");
    place.foresee("replay h.trace --export h.erl").expect(2, &[], &["would stop the tests"]);
    place.write("kings.erl", KINGS);
    place.foresee("check kings.erl --trace kings.trace");
    place.foresee("replay kings.trace --export a.rs").expect(2, &[], &["export it as .erl"]);
}

/// A test that could not run, or could not fail, is not written, and the reason is told.
#[test]
fn an_export_that_cannot_work_is_refused() {
    let place = Place::new();
    place.write("kings.erl", KINGS);
    place.write(
        "tree.erl",
        "-module(tree).\n-export([start_link/0, init/1]).\n\
         start_link() -> supervisor:start_link(?MODULE, []).\n\
         init([]) -> {ok, {{one_for_one, 0, 1}, [{bad, {erlang, apply, [fun() -> \n\
         {ok, spawn_link(fun() -> exit(oops) end)} end, []]}, permanent, 1, worker, []}]}}.\n",
    );
    place.write(
        "fragile.erl",
        "-module(fragile).\n-export([test/0]).\n\
         test() ->\n    P = spawn(fun() -> receive stop -> ok end end),\n    \
         M = monitor(process, P),\n    P ! stop,\n    \
         receive {'DOWN', M, _, _, normal} -> ok; {'DOWN', M, _, _, R} -> exit({gone, R}) end.\n",
    );
    place.write("m.mcrl", "act a, b\nproc P = a.b.delta\ninit P\n");
    place.write("m.aut", "des (0, 1, 2)\n(0, \"a\", 1)\n");
    let cases = [
        ("check fragile.erl --crash all", "erl", "crash"),
        ("check kings.erl --instant-delivery false --ignore-error deadlock", "erl", "on its way"),
        ("check tree.erl --supervisor tree:start_link", "erl", "supervision tree"),
        ("check m.mcrl", "rs", "a model in a file"),
        ("check m.aut", "rs", "a model in a file"),
        ("check m.aut", "erl", "test is for Erlang programs"),
        ("verify m.aut --formula '[true*]<true>true'", "rs", "a model in a file"),
        ("verify kings.erl --formula '[true*]<true>true'", "erl", "a formula's verdict"),
        ("verify ping --formula '[true*]false'", "rs", "a formula's verdict"),
    ];
    for (check, ending, why) in cases {
        let said = place.foresee(&format!("{check} --trace t.trace"));
        assert_eq!(said.code, 1, "{check}\n{}{}", said.out, said.err);
        let export = place.foresee(&format!("replay t.trace --export out.{ending}"));
        export.expect(2, &[], &["error[E0016]", why]);
        assert!(!place.has(&format!("out.{ending}")), "{check}");
        place.foresee("replay t.trace --export out.json").expect(1, &["wrote out.json"], &[]);
    }
    let clean = "foresee trace 1\nsystem: ping\n\nend\n";
    place.write("clean.trace", clean);
    place.foresee("replay clean.trace --export out.rs").expect(2, &[], &["could not fail"]);
}

/// Only where there is an Erlang: the test is compiled, shows the violation, and passes when the bug is gone.
#[test]
fn real_erlang_shows_the_violation() {
    let place = Place::new();
    exported(&place);
    let erlang = |expression: &str| {
        let mut command = Command::new("erl");
        command.args(["-noshell", "-eval", expression]).current_dir(place.path());
        command.output().ok().filter(|output| output.status.success())
    };
    let Some(_) = erlang("{ok, _} = compile:file(kings_foresee_test), halt(0).") else { return };
    // Without EUnit, which need not be installed beside Erlang.
    let run = "{timeout, _, Test} = kings_foresee_test:schedule_test_(), \
               try Test(), io:put_chars(\"passed\") catch error:{abnormal_exit, [1], {badarg, _}} -> io:put_chars(\"shown\") end, \
               halt(0).";
    let said = |run: &str| String::from_utf8(erlang(run).expect("it runs").stdout).expect("UTF-8");
    assert!(said(run).contains("shown"));
    let mended = KINGS.replace("register(king, self()), ", "catch register(king, self()), ");
    place.write("kings.erl", &mended);
    assert!(said(run).contains("passed"));
}

/// Runs of nodes and of Erlang as diagrams for documents: one line for each event, and nothing that the notation takes for its own.
#[test]
fn a_run_is_a_sequence_diagram() {
    let place = Place::new();
    place.foresee("check single-copy-register servers=2 clients=2 --trace r.trace");
    place.foresee("replay r.trace --export r.puml").expect(1, &["wrote r.puml"], &[]);
    let of_nodes = place.read("r.puml");
    compare_with_file("register.puml", &of_nodes);
    place.write("kings.erl", KINGS);
    place.foresee("check kings.erl --ignore-error deadlock --trace kings.trace");
    place.foresee("replay kings.trace --export kings.puml").expect(1, &["wrote kings.puml"], &[]);
    let of_erlang = place.read("kings.puml");
    for (text, trace) in [(of_nodes, "r.trace"), (of_erlang, "kings.trace")] {
        assert!(text.starts_with("@startuml\n") && text.ends_with("@enduml\n"));
        let trace = place.read(trace);
        let n_steps = trace.lines().filter(|line| line.trim_start().starts_with(char::is_numeric));
        let is_event = |line: &&str| line.starts_with("note ") || line.contains(" : ");
        assert_eq!(text.lines().filter(is_event).count(), n_steps.count(), "{text}");
    }
}
