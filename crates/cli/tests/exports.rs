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
