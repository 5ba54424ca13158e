//! Translation through the command line: the locker of the examples, and servers that have no translation.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::Place;

const TRANSLATE: &str = "translate locker_sup.erl --supervisor locker_sup:start_link";

/// The locker's files.
fn locker() -> Place {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/locker/");
    for name in ["locker.erl", "locker_client.erl", "locker_sup.erl"] {
        let text = std::fs::read_to_string(format!("{folder}{name}")).expect("the example");
        place.write(name, &text);
    }
    place
}

fn sizes(place: &Place, line: &str) -> (u64, u64) {
    let json = place.foresee(&format!("{line} --format json")).json();
    (json["states"].as_u64().unwrap(), json["transitions"].as_u64().unwrap())
}

#[test]
fn the_translated_locker_has_the_published_sizes() {
    let place = locker();
    place.foresee(&format!("{TRANSLATE} -o plain.mcrl")).expect(
        0,
        &["wrote plain.mcrl", "server locker; clients client_1, client_2", "lts plain.mcrl"],
        &["note: locker.erl:", "trap exits"],
    );
    assert_eq!(sizes(&place, "lts plain.mcrl"), (33, 48));
    let line = format!("{TRANSLATE} --crash client_* --hide-crashes -o crash.mcrl --quiet");
    place.foresee(&line).expect(0, &["wrote crash.mcrl"], &[]);
    assert_eq!(sizes(&place, "lts crash.mcrl"), (326, 584));
    assert_eq!(sizes(&place, "lts crash.mcrl --reduce strong"), (229, 448));
    assert_eq!(sizes(&place, "lts crash.mcrl --reduce branching"), (217, 426));
    assert_eq!(sizes(&place, "lts crash.mcrl --merge-positions"), (283, 528));
    assert!(place.read("crash.mcrl").starts_with(&format!("% foresee {TRANSLATE}")));
}

#[test]
fn the_text_goes_to_standard_output_and_says_how_it_was_made() {
    let place = locker();
    let said = place.foresee(&format!("{TRANSLATE} --to mcrl2 --buffer 3 --async-reply"));
    let line = "% foresee translate locker_sup.erl --supervisor locker_sup:start_link --buffer 3 --async-reply --to mcrl2\n";
    said.expect(0, &[line, "sort", "init"], &["note: "]);
    let json = place.foresee(&format!("{TRANSLATE} --format json")).json();
    assert_eq!((&json["to"], &json["servers"][0]), (&"mucrl".into(), &"locker".into()));
    assert!(json["text"].as_str().unwrap().contains("gen_server_call("));
}

/// A code, an addition to the server, and what is said.
const CASES: &[(&str, &str, &[&str])] = &[
    (
        "E0605",
        "handle_call(request, _, S) -> timer:sleep(10), {reply, ok, S}.",
        &["m.erl:8:31", "help: "],
    ),
    ("E0601", "handle_call(request, _, S) -> {reply, 1.5, S}.", &["m.erl:8:39", "help: "]),
];

#[test]
fn a_server_outside_the_class_is_refused_with_its_line() {
    for (code, clause, said) in CASES {
        let place = Place::new();
        let head = "-module(m).\n-export([start_link/0, init/1, handle_call/3, handle_cast/2, server/0, guest/0, run/0]).\n\
             start_link() -> supervisor:start_link(m, sup).\n\
             init(sup) -> {ok, {#{}, [#{id => s, start => {m, server, []}},\n\
             #{id => c, start => {m, guest, []}}]}};\ninit(_) -> {ok, []}.\n\
             handle_cast(_, S) -> {noreply, S}.\n";
        let tail = "server() -> gen_server:start_link({local, s}, m, [], []).\nguest() -> {ok, spawn_link(m, run, [])}.\nrun() -> gen_server:call(s, request, infinity), run().\n";
        place.write("m.erl", &format!("{head}{clause}\n{tail}"));
        let answer = place.foresee("translate m.erl --supervisor m:start_link");
        answer.expect(2, &[], &[&format!("error[{code}]")]);
        answer.expect(2, &[], said);
        assert_eq!(answer.out, "");
    }
}

#[test]
fn what_is_asked_wrongly_is_told() {
    let place = locker();
    place.write("mine.mcrl", "act a init a");
    for (line, said) in [
        ("translate locker_sup.erl --supervisor locker_sup", "is not MODULE:FUNCTION"),
        ("translate locker_sup.erl --supervisor locker_sup:start", "no function `start/0`"),
        ("translate nowhere.erl --supervisor a:b", "cannot read `nowhere.erl`"),
        ("translate locker_sup.erl", "--supervisor"),
        (&format!("{TRANSLATE} --buffer many"), "neither a number nor `none`"),
        (&format!("{TRANSLATE} --crash clinet_1"), "the clients are client_1, client_2"),
        (&format!("{TRANSLATE} -o mine.mcrl"), "foresee did not write"),
        ("lts ping --merge-positions", "--merge-positions does not apply"),
    ] {
        place.foresee(line).expect(2, &[], &[said]);
    }
    assert_eq!(place.read("mine.mcrl"), "act a init a");
}

/// One spelling on every route: the program, its translation, and what a tool for mCRL2 writes, which has blanks and other names.
#[test]
fn equal_systems_compare_equal_whichever_way_they_went() {
    let place = Place::new();
    place.write("adder_sup.erl", include_str!("../../translate/tests/systems/adder/adder_sup.erl"));
    place.write("adder.erl", include_str!("../../translate/tests/systems/adder/adder.erl"));
    let client = include_str!("../../translate/tests/systems/adder/adder_client.erl");
    place.write("adder_client.erl", client);
    let of = "adder_sup.erl --supervisor adder_sup:start_link";
    place.foresee(&format!("lts {of} -o direct.aut")).expect(0, &["wrote"], &[]);
    place.foresee(&format!("translate {of} --async-reply -o adder.mcrl")).expect(
        0,
        &["wrote"],
        &[],
    );
    let compare = "lts compare direct.aut adder.mcrl --equivalence branching";
    place.foresee(compare).expect(0, &["equivalent"], &[]);
    place.foresee("lts adder.mcrl -o adder.aut").expect(0, &["wrote"], &[]);
    let text = place.read("adder.aut");
    assert!(text.contains("\"reply(client_1,{error,full},adder)\""), "{text}");
    let spelt = [
        ("{error,full}", "tuple'cons(error, tuple'1(full))"),
        ("{add,1}", "tuple'cons(add, tuple'1(int's(int'0)))"),
        ("{add,2}", "tuple'cons(add, tuple'1(int's(int's(int'0))))"),
    ];
    let by_mcrl2 = spelt.iter().fold(text, |text, (erlang, name)| text.replace(erlang, name));
    place.write("mcrl2.aut", &by_mcrl2.replace(",{", ", {").replace("adder,", "adder, "));
    place.foresee("lts compare adder.aut mcrl2.aut").expect(0, &["equivalent"], &[]);
    for file in ["direct.aut", "adder.mcrl", "mcrl2.aut"] {
        let formula = "<true* . reply(client_1, {error,full}, adder)>true";
        let line = format!("verify {file} --formula '{formula}'");
        place.foresee(&line).expect(0, &["holds"], &[]);
        let exact = "<-* . \"call(adder, {add,2}, client_2)\"> true";
        place.foresee(&format!("verify {file} --formula '{exact}'")).expect(0, &["holds"], &[]);
    }
}
