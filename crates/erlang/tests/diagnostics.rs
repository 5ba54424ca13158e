//! Mistakes that only show when modules meet, and those that only show when a program runs.

use foresee_erlang::{
    CODES, Entry, Erlang, Limits, Loaded, Options, Outcome, RUN_CODES, SourceText, load, simulate,
};
use foresee_erlang_syntax::no_includes;

fn loaded(text: &str) -> Loaded {
    load(&[SourceText { path: "m.erl", text }], &Default::default(), &mut no_includes)
}

#[test]
fn every_code_has_a_program_that_produces_it() {
    for entry in CODES {
        let loaded = loaded(entry.example);
        let problem = loaded.problems.first().expect("a problem");
        assert_eq!(problem.diagnostic.code, entry.code);
        assert_eq!(problem.sources.line(problem.diagnostic.span), 3, "{}", entry.code);
        assert!(problem.is_error() && loaded.program.is_none());
    }
}

#[test]
fn a_near_name_is_proposed() {
    let loaded = loaded("-module(m).\n-export([f/0]).\nf() -> lists:revers([1]).\n");
    assert_eq!(loaded.problems[0].diagnostic.help, ["did you mean `lists:reverse/1`?"]);
}

#[test]
fn several_mistakes_are_all_reported() {
    let text = "-module(m).\n-export([f/0]).\nf() ->\n    lists:nosuch(1),\n    zlib:gzip(x),\n    ets:insrt(a, b).\n";
    let lines: Vec<u32> =
        loaded(text).problems.iter().map(|p| p.sources.line(p.diagnostic.span)).collect();
    assert_eq!(lines, [4, 5, 6]);
}

#[test]
fn mistakes_between_modules_are_told_beside_those_of_the_text() {
    let text = "-module(m).\n-export([f/0]).\nf() ->\n    g(1),\n    lists:revers([1]),\n    X.\n";
    let codes: Vec<&str> = loaded(text).problems.iter().map(|p| p.diagnostic.code.0).collect();
    assert_eq!(codes, ["E0152", "E0157", "E0202"]);
}

#[test]
fn what_reaches_out_of_the_checked_world_comes_with_advice() {
    for (call, word) in [
        ("erlang:load_nif(\"x\", 0)", "native code"),
        ("open_port({spawn, \"ls\"}, [])", "ports"),
        ("net_adm:ping(a)", "one node"),
        ("erpc:call(a, b, c, [])", "one node"),
        ("gen_tcp:listen(1, [])", "sockets"),
        ("file:read_file(\"x\")", "files"),
    ] {
        let loaded = loaded(&format!("-module(m).\n-export([f/0]).\nf() -> {call}.\n"));
        let diagnostic = &loaded.problems.first().expect(call).diagnostic;
        assert_eq!(diagnostic.code.0, "E0201", "{call}");
        assert!(diagnostic.help[0].contains(word), "{call}: {:?}", diagnostic.help);
    }
}

fn outcome(text: &str) -> Outcome {
    let program = loaded(text).program.expect("a program");
    let options = Options { budget: 100_000, ..Options::default() };
    let system = Erlang::new(program, Entry::new("m", "main"), options);
    simulate(&system, 0, Limits::default(), |_| ()).outcome
}

#[test]
fn what_is_not_modelled_stops_the_run_and_says_so() {
    let text = "-module(m).\n-export([main/0]).\nmain() -> erlang:system_flag(a, b).\n";
    let Outcome::Stuck(_, what) = outcome(text) else { panic!("it went on") };
    assert_eq!(what, "erlang:system_flag(a, …) is not modelled at m.erl:3");
}

#[test]
fn other_nodes_stop_the_run() {
    for call in [
        "{server, 'b@host'} ! hello",
        "erlang:send({server, 'b@host'}, hello)",
        "monitor(process, {server, 'b@host'})",
        "spawn('b@host', fun() -> ok end)",
    ] {
        let text = format!("-module(m).\n-export([main/0]).\nmain() -> {call}.\n");
        let Outcome::Stuck(_, what) = outcome(&text) else { panic!("{call} went on") };
        assert!(what.contains("node b@host is not modelled at m.erl:3"), "{call}: {what}");
    }
}

#[test]
fn every_code_of_running_has_a_program_that_produces_it() {
    for entry in RUN_CODES {
        let program = loaded(entry.example).program.expect("a program");
        let options =
            Options { budget: 100_000, messages_max: 100, heap_max: 10_000, ..Options::default() };
        let system = Erlang::new(program, Entry::new("m", "main"), options);
        let run = simulate(&system, 0, Limits::default(), |_| ());
        let trouble = system.trouble(&run.state).expect("it does not go on");
        assert_eq!((trouble.code, trouble.place), (entry.code, Some(("m.erl".to_owned(), 3))));
    }
}

#[test]
fn endless_recursion_and_endless_loops_have_a_line() {
    let text =
        "-module(m).\n-export([main/0]).\nmain() ->\n    deep(1).\ndeep(N) -> 1 + deep(N).\n";
    let Outcome::Stuck(_, what) = outcome(text) else { panic!("it went on") };
    assert!(what.contains("m.erl:5"), "{what}");
    let text = "-module(m).\n-export([main/0]).\nmain() ->\n    [main() || _ <- [1]].\n";
    let Outcome::Stuck(_, what) = outcome(text) else { panic!("it went on") };
    assert!(what.contains("in main/0"), "{what}");
}

#[test]
fn a_call_by_a_computed_name_that_is_not_there_is_undef() {
    let text = "-module(m).\n-export([main/0]).\nmain() -> M = list_to_atom(\"nosuch\"), M:f(1).\n";
    let program = loaded(text).program.expect("a program");
    let system = Erlang::new(program, Entry::new("m", "main"), Options::default());
    let run = simulate(&system, 0, Limits::default(), |_| ());
    let (_, reason) = &run.failures[0];
    assert_eq!(reason.as_tuple().expect("a tuple")[0].to_string(), "undef");
}
