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
        assert!(
            !problem.is_error() && loaded.program.is_some(),
            "only a run that comes to it stops"
        );
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
fn of_calls_nothing_is_said_while_the_text_has_mistakes() {
    let text = "-module(m).\n-export([f/0]).\nf() ->\n    g(1),\n    lists:revers([1]),\n    X.\n";
    let codes: Vec<&str> = loaded(text).problems.iter().map(|p| p.diagnostic.code.0).collect();
    assert_eq!(codes, ["E0152", "E0157"]);
}

#[test]
fn what_reaches_out_of_the_checked_world_comes_with_advice() {
    for (call, word) in [
        ("erlang:load_nif(\"x\", 0)", "native code"),
        ("open_port({spawn, \"ls\"}, [])", "ports"),
        ("net_adm:ping(a)", "one node"),
        ("erpc:call(a, b, c, [])", "one node"),
        ("peer:start(#{})", "one node"),
        ("gen_tcp:listen(1, [])", "sockets"),
        ("disk_log:open([])", "files"),
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
fn a_stand_in_for_native_code_is_not_run() {
    let stub = "-export([main/0, add/2]).\nmain() -> add(1, 2).\nadd(_, _) -> erlang:nif_error(not_loaded).\n";
    let native = "-module(m).\n-on_load(init/0).\ninit() -> erlang:load_nif(\"m\", 0).\n";
    let Outcome::Stuck(_, what) = outcome(&format!("{native}{stub}")) else { panic!("it went on") };
    assert_eq!(what, "erlang:load_nif/2 is not modelled at m.erl:6");
    // Without native code it raises, as in Erlang.
    assert!(!matches!(outcome(&format!("-module(m).\n{stub}")), Outcome::Stuck(..)));
}

#[test]
fn what_is_not_modelled_stops_the_run_and_says_so() {
    let text = "-module(m).\n-export([main/0]).\nmain() -> erlang:system_flag(a, b).\n";
    let Outcome::Stuck(_, what) = outcome(text) else { panic!("it went on") };
    assert_eq!(what, "erlang:system_flag(a, …) is not modelled at m.erl:3");
    // Erlang answers this one; what it does not know either is its error.
    let text = text.replace("system_flag(a, b)", "system_info(alloc_util_allocators)");
    let Outcome::Stuck(_, what) = outcome(&text) else { panic!("it went on") };
    assert_eq!(what, "erlang:system_info(alloc_util_allocators) is not modelled at m.erl:3");
    let outcome = outcome(&text.replace("alloc_util_allocators", "nonsense"));
    assert_eq!(outcome, Outcome::Finished, "badarg");
}

/// What Erlang has and we lack stops the run; what Erlang lacks too is `undef`, with the call innermost and, where the call is the
/// last of a function, without that function.
#[test]
fn what_is_not_there_is_undef_and_what_is_not_modelled_stops() {
    let caught = |call: &str| {
        let text = format!(
            "-module(m).\n-export([main/0, f/1]).\n-import(lists, [nosuch/1]).\nf(X) -> X.\nmain() ->\n    \
             try inner() of _ -> ok catch error:undef:S -> [A, B | _] = S, exit({{A, B}}) end.\ninner() -> {call}, ok.\n"
        );
        let Loaded { program, problems, .. } = loaded(&text);
        let program = program.unwrap_or_else(|| panic!("{call}: {problems:?}"));
        let system = Erlang::new(program, Entry::new("m", "main"), Options::default());
        let run = simulate(&system, 0, Limits::default(), |_| ());
        match run.outcome {
            Outcome::Stuck(_, what) => what,
            _ => run.failures.first().map_or(String::new(), |(_, reason)| reason.to_string()),
        }
    };
    let inner = "{m,inner,0,[{file,\"m.erl\"},{line,7}]}";
    for (call, entry) in [
        ("no_such_module:f(1, two)", "{no_such_module,f,[1,two],[]}"),
        ("lists:nosuch(1)", "{lists,nosuch,[1],[]}"),
        ("nosuch(1)", "{lists,nosuch,[1],[]}"),
        ("erlang:erase(a, b)", "{erlang,erase,[a,b],[]}"),
        ("m:g()", "{m,g,[],[]}"),
        ("(fun zlib:nosuch/1)(x)", "{zlib,nosuch,[x],[]}"),
        ("apply(lists, nosuch, [a])", "{lists,nosuch,[a],[]}"),
        ("no_such_module:module_info()", "{no_such_module,module_info,[],[]}"),
    ] {
        assert_eq!(caught(call), format!("{{{entry},{inner}}}"), "{call}");
    }
    for call in [
        "zlib:compress(<<>>)",
        "apply(zlib, compress, [<<>>])",
        "(fun zlib:compress/1)(<<>>)",
        "begin M = list_to_atom(\"zlib\"), M:compress(<<>>) end",
    ] {
        assert_eq!(caught(call), "zlib:compress/1 is not modelled at m.erl:7", "{call}");
    }
    let what = caught("receive after 10 -> spawn(zlib, compress, [<<>>]) end");
    assert_eq!(what, "zlib:compress/1 is not modelled");
}

#[test]
fn the_path_to_what_is_not_modelled_has_the_calls_that_a_stack_forgets() {
    let text = "-module(m).\n-export([main/0, c/1]).\nmain() ->\n    a().\na() ->\n    b(), ok.\n\
                b() ->\n    P = spawn(m, c, [1]),\n    P ! go.\nc(X) ->\n    d(fun() -> zlib:gzip(X) end).\nd(F) ->\n    F().\n";
    let program = loaded(text).program.expect("a program");
    let system = Erlang::new(program, Entry::new("m", "main"), Options::default());
    let run = simulate(&system, 0, Limits::default(), |_| ());
    let trouble = system.trouble(&run.state).expect("it does not go on");
    let absent = trouble.absent.expect("a function");
    assert_eq!((trouble.code.0, absent.name.as_str(), absent.arity), ("E0201", "gzip", 1));
    let path: Vec<(&str, u32)> =
        absent.path.iter().map(|(who, place)| (who.as_str(), place.as_ref().unwrap().1)).collect();
    let expected =
        [("m:main/0", 4), ("m:a/0", 6), ("m:b/0", 8), ("m:c/1", 11), ("a fun in m:c", 11)];
    assert_eq!(path, expected);
}

#[test]
fn only_what_can_be_called_is_warned_of() {
    let text = "-module(m).\n-export([main/0, go/0, stop/1]).\nmain() -> {start, stop, spawn(m, go, [])}.\n\
                go() -> lists:revers([]).\nstart() -> peer:start_link(1).\nstop(X) -> zlib:gzip(X).\n\
                other() -> lists:nosuch(1).\n-compile(nowarn_unused_function).\n";
    let parse =
        foresee_erlang_syntax::parse_file("m.erl", text, &Default::default(), &mut no_includes);
    let start = Some((foresee_erlang::Atom::new("m"), foresee_erlang::Atom::new("main")));
    let surroundings = foresee_erlang::Surroundings { start, ..Default::default() };
    let loaded = foresee_erlang::link_within(vec![parse], surroundings);
    let lines: Vec<u32> =
        loaded.problems.iter().map(|p| p.sources.line(p.diagnostic.span)).collect();
    assert_eq!(lines, [4, 6], "{:?}", loaded.problems);
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
