//! Erlang programs on the command line: naming them, running them, and everything that can be wrong with their text.

mod common;

use common::{Place, Said};

const HELLO: &str =
    "-module(hello).\n-export([main/0]).\nmain() -> io:format(\"hello, ~p~n\", [world]).\n";

/// A place with one module `m` whose body follows its two first lines, so that it starts on line 3.
fn with_module(body: &str) -> Place {
    let place = Place::new();
    place.write("m.erl", &format!("-module(m).\n-export([test/0]).\n{body}\n"));
    place
}

/// What is said about a module that cannot be run: the code, and the line it is about.
#[track_caller]
fn refused(body: &str, code: &str, line: u32, words: &[&str]) -> Said {
    let place = with_module(body);
    let said = place.foresee("simulate m.erl");
    said.expect(2, &[], &[&format!("error[{code}]"), &format!("m.erl:{line}:")]);
    said.expect(2, &[], words);
    let json = place.foresee("check m.erl --format json").json();
    assert_eq!((&json["verdict"], &json["error"]["code"]), (&"error".into(), &code.into()));
    assert_eq!(json["violations"], serde_json::json!([]), "{json}");
    said
}

#[test]
fn a_program_prints_what_it_prints() {
    let place = Place::new();
    place.write("hello.erl", HELLO);
    let said = place.foresee("simulate hello.erl -t main --output-only");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "hello, world\n", ""));
    let log = place.foresee("simulate hello.erl -t main");
    log.expect(0, &["<P>", "| hello, world", "hello.erl:3", "exited normal", "nothing wrong"], &[]);
}

#[test]
fn the_same_seed_is_the_same_run() {
    let place = Place::new();
    let text = "-module(race).\n-export([main/0]).\n\
                main() ->\n    [spawn(fun() -> io:format(\"~p~n\", [N]) end) || N <- lists:seq(1, 5)],\n    ok.\n";
    place.write("race.erl", text);
    let run = |seed: u32| place.foresee(&format!("simulate race.erl -t main --seed {seed}")).out;
    assert_eq!(run(7), run(7));
    let different = (0..20).map(run).collect::<std::collections::BTreeSet<_>>();
    assert!(different.len() > 5, "{} different runs", different.len());
}

#[test]
fn outcomes_are_counted_with_the_first_seed_of_each() {
    let place = with_module(
        "test() ->\n    Main = self(),\n    spawn(fun() -> Main ! a end),\n    spawn(fun() -> Main ! b end),\n    \
         receive a -> ok; b -> exit(b_first) end.",
    );
    let said = place.foresee("simulate m.erl --runs 100");
    said.expect(
        1,
        &["finished  first with --seed", "exited abnormally: b_first", "2 outcomes"],
        &[],
    );
    let json = place.foresee("simulate m.erl --runs 100 --format json").json();
    let outcomes = json["outcomes"].as_array().expect("a list");
    let runs: u64 = outcomes.iter().filter_map(|outcome| outcome["runs"].as_u64()).sum();
    assert_eq!((outcomes.len(), runs), (2, 100));
    let failing = outcomes.iter().find(|it| it["failures"] != serde_json::json!([])).expect("one");
    let line = format!("simulate m.erl --seed {}", failing["seed"]);
    place.foresee(&line).expect(1, &["violated: abnormal_exit", "b_first"], &[]);
    place.foresee("replay m.1.trace").expect(1, &["violated: abnormal_exit"], &[]);
}

#[test]
fn servers_that_wait_at_the_end_are_idle_and_a_first_process_that_waits_is_not() {
    let place = with_module("test() -> spawn(fun() -> receive stop -> ok end end).");
    place.foresee("simulate m.erl").expect(0, &["idle", "<P.1>  waits at m.erl:3"], &[]);
    place.foresee("check m.erl").expect(1, &["violated: deadlock", "<P.1> waits at m.erl:3"], &[]);
    let place = with_module("test() -> self() ! unread, receive never -> ok end.");
    place.foresee("simulate m.erl").expect(1, &["deadlock", "1 message unread"], &[]);
    place.foresee("check m.erl").expect(1, &["its mailbox holds unread"], &[]);
    place.foresee("check m.erl --ignore-error deadlock").expect(0, &["holds: m:test/0"], &[]);
}

#[test]
fn a_program_that_never_rests_is_stopped_a_minute_after_its_first_process() {
    let place = with_module(
        "test() -> spawn(fun() -> tick() end).\ntick() -> receive after 1000 -> tick() end.",
    );
    place.foresee("simulate m.erl").expect(0, &["the first process has ended, others go on"], &[]);
    let limited = place.foresee("simulate m.erl --virtual-time-max 5s");
    limited.expect(3, &["stopped by --virtual-time-max", "inconclusive"], &[]);
    place.foresee("simulate m.erl --depth-max 10").expect(3, &["stopped by --depth-max"], &[]);
}

#[test]
fn filters_say_what_counts_as_an_error() {
    let place = with_module(
        "test() ->\n    spawn(fun() -> exit(oops) end),\n    spawn(fun() -> exit({oops, 1}) end),\n    ok.",
    );
    for (flags, code) in [
        ("", 1),
        ("--treat-as-normal oops", 0),
        ("--first-process-errors-only", 0),
        ("--assertions-only", 0),
        ("--ignore-error abnormal_exit", 0),
        ("--ignore-error abnormal_halt", 1),
    ] {
        for command in ["check", "simulate"] {
            let said = place.foresee(&format!("{command} m.erl {flags}"));
            assert_eq!(said.code, code, "{command} {flags}: {}{}", said.out, said.err);
        }
    }
    place.foresee("check m.erl --treat-as-normal Oops(").expect(
        2,
        &[],
        &["E0003", "no Erlang term"],
    );
    let halts = with_module("test() -> halt(2).");
    halts.foresee("check m.erl").expect(1, &["violated: abnormal_halt", "status 2"], &[]);
    halts.foresee("check m.erl --ignore-error abnormal_halt").expect(0, &["holds"], &[]);
}

#[test]
fn timeouts_fire_unless_they_are_long() {
    let place = with_module(
        "test() ->\n    Main = self(),\n    spawn(fun() -> Main ! here end),\n    \
         here = receive X -> X after 5000 -> late end.",
    );
    place.foresee("check m.erl").expect(
        1,
        &["timer <P>", "{badmatch,late}", "m:test/0 at m.erl:6"],
        &[],
    );
    place.foresee("check m.erl --after-timeout 5000").expect(0, &["holds"], &[]);
    place.foresee("check m.erl --after-timeout 5001").expect(1, &["late"], &[]);
}

#[test]
fn a_trace_survives_an_edit_that_moves_lines() {
    let body = "test() ->\n    self() ! a,\n    receive b -> ok end.";
    let place = with_module(body);
    place.foresee("check m.erl").expect(1, &["violated: deadlock", "replay m.1.trace"], &[]);
    let trace = place.read("m.1.trace");
    for line in ["system: m:test/0", "option: file = m.erl", "option: test = test", "[m.erl:4]"] {
        assert!(trace.contains(line), "{trace}");
    }
    place.write("m.erl", &format!("-module(m).\n-export([test/0]).\n\n%% Moved.\n{body}\n"));
    place.foresee("replay m.1.trace").expect(1, &["violated: deadlock", "m.erl:7"], &[]);
    place.write("m.erl", "-module(m).\n-export([test/0]).\ntest() -> self() ! c.\n");
    place.foresee("replay m.1.trace").expect(2, &[], &["E0014", "step 1 no longer applies"]);
    std::fs::remove_file(place.path().join("m.erl")).expect("removed");
    place.foresee("replay m.1.trace").expect(2, &[], &["E0009", "cannot read `m.erl`"]);
}

#[test]
fn modules_and_headers_are_found() {
    let place = Place::new();
    for folder in ["src", "include", "test", "other"] {
        std::fs::create_dir(place.path().join(folder)).expect("made");
    }
    place.write(
        "src/shop.erl",
        "-module(shop).\n-export([price/0]).\n-include(\"shop.hrl\").\nprice() -> ?PRICE.\n",
    );
    place.write("include/shop.hrl", "-define(PRICE, 5).\n");
    place.write("src/shop.app.src", "{application, shop, []}.\n");
    let test = "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                price_test() -> ?assertEqual(?EXPECTED, shop:price()).\n";
    place.write("test/shop_tests.erl", test);
    let by_hand = "check test/shop_tests.erl -t price_test --src src -I include -D EXPECTED=5";
    place.foresee(by_hand).expect(0, &["holds: shop_tests:price_test/0"], &[]);
    let wrong = place.foresee(&by_hand.replace("=5", "=6"));
    wrong.expect(1, &["violated: assertion", "gives 5 where 6 is expected"], &[]);
    place.foresee("check test/shop_tests.erl -t price_test --src src").expect(
        2,
        &[],
        &["E0110", "`?EXPECTED`"],
    );

    place.write("rebar.config", "{erl_opts, [{d, 'EXPECTED', 5}]}.\n");
    for what in ["test/shop_tests.erl", ". -m shop_tests"] {
        place.foresee(&format!("check {what} -t price_test")).expect(0, &["holds"], &[]);
    }
    place.foresee("check . -m shop_test").expect(2, &[], &["E0008", "did you mean `shop_tests`?"]);
    place.foresee("check .").expect(
        0,
        &["holds         shop_tests:price_test", "1 test: 1 hold"],
        &[],
    );
    place.foresee("check . --ct").expect(2, &[], &["E0008", "has no such tests", "shop_tests"]);
    place.foresee("check other").expect(2, &[], &["E0009", "holds no Erlang modules"]);
}

#[test]
fn an_installed_library_is_loaded_where_it_is_called() {
    let place = with_module("test() -> {ok, 4} = deep:twice(2), fail = fails().\nfails() -> ok.");
    std::fs::create_dir_all(place.path().join("otp/lib/deep-1.2/src")).expect("made");
    std::fs::create_dir_all(place.path().join("otp/lib/deep-1.2/include")).expect("made");
    place.write("otp/lib/deep-1.2/include/deep.hrl", "-define(OK(X), {ok, X}).\n");
    let library = "-module(deep).\n-export([twice/1, outside/0]).\n-include_lib(\"deep/include/deep.hrl\").\n\
                   twice(X) -> ?OK(deeper:add(X, X)).\noutside() -> nowhere:to_be_found(1).\n";
    place.write("otp/lib/deep-1.2/src/deep.erl", library);
    place.write(
        "otp/lib/deep-1.2/src/deeper.erl",
        "-module(deeper).\n-export([add/2]).\nadd(A, B) -> A + B.\n",
    );
    let said = place.foresee("check m.erl");
    said.expect(1, &["undef"], &["E0202", "no module `deep`", "--otp DIR"]);
    place.foresee("check m.erl --otp otp").expect(1, &["{badmatch,ok}"], &[]);
    // What it calls and cannot is no trouble until it is reached.
    let place2 = with_module("test() -> deep:outside().");
    let otp = place.path().join("otp").display().to_string();
    let said = place2.foresee(&format!("check m.erl --otp {otp}"));
    said.expect(1, &["undef"], &[]);
}

#[test]
fn mistakes_of_the_text() {
    refused("test() -> [1, 2.", "E0122", 3, &["[1, 2."]);
    refused(
        "test() -> ?LIMIT.",
        "E0110",
        3,
        &["undefined macro `?LIMIT`", "^^^^^^", "help: define it with"],
    );
    refused(
        "test() -> hlep().\nhelp() -> ok.",
        "E0152",
        3,
        &["`hlep/0` is not defined", "`help/0`"],
    );
    refused("test() -> f(1).\nf(A, B) -> {A, B}.", "E0153", 3, &["`f/2` is defined here"]);
    refused(
        "-include(\"none.hrl\").\ntest() -> ok.",
        "E0115",
        3,
        &["`none.hrl` was not found", "-I"],
    );
    refused("test() -> X.", "E0157", 3, &["variable `X` has no value"]);
}

#[test]
fn a_mistake_in_a_macro_names_the_macro_and_its_use() {
    let said = refused(
        "-define(BAD(X), X + Unbound).\ntest() -> ?BAD(1).",
        "E0157",
        4,
        &["in this use of macro `?BAD`", "in the text of macro `BAD`"],
    );
    assert!(said.err.contains("3 | -define(BAD(X), X + Unbound)."), "{}", said.err);
}

#[test]
fn what_is_outside_of_the_checked_world() {
    refused(
        "test() -> erlang:load_nif(\"nif\", 0).",
        "E0201",
        3,
        &["native code cannot be checked"],
    );
    refused("test() -> open_port({spawn, \"ls\"}, []).", "E0201", 3, &["ports are outside"]);
    refused("test() -> peer:start(#{}).", "E0201", 3, &["checked on one node"]);
    refused(
        "test() -> {server, 'b@host'} ! hello.",
        "E0302",
        3,
        &["a message to node b@host", "one node"],
    );
    refused(
        "test() -> spawn('b@host', fun() -> ok end).",
        "E0302",
        3,
        &["node b@host", "one node"],
    );
    refused("test() -> os:cmd(\"ls\").", "E0302", 3, &["os:cmd(\"ls\") is not modelled"]);
}

/// What is not there is `undef` where a run comes to it, as in Erlang; the warning beforehand has the place and the nearest name.
#[test]
fn a_function_that_does_not_exist_is_undef() {
    let place = with_module("test() -> lists:revers([1]).");
    let warned = ["m.erl:3:", "E0202: there is no function `lists:revers/1`", "`lists:reverse/1`?"];
    place.foresee("check m.erl").expect(1, &["abnormal_exit", "undef"], &warned);
    let place = with_module("test() -> try no_such_module:f(1) catch error:undef -> ok end.");
    place.foresee("check m.erl").expect(0, &["holds"], &["E0202: there is no module"]);
}

/// What is not modelled stops whatever interleaving comes to it, and then nothing is said to hold.
#[test]
fn what_is_not_modelled_in_one_interleaving_is_never_passed_over() {
    let place = with_module(
        "test() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n    receive X -> ok end,\n    \
         case X of a -> ok; b -> squeeze() end.\nsqueeze() -> zlib:gzip(<<>>), ok.",
    );
    for flags in ["", "--keep-going", "--engine stateless", "--engine stateless --keep-going"] {
        let said = place.foresee(&format!("check m.erl {flags}"));
        said.expect(2, &[], &["E0201", "by way of m:test/0 at m.erl:5", "by way of m:squeeze/0"]);
        assert!(!said.out.contains("holds"), "{flags}: {}", said.out);
    }
}

/// What another occasion needs stops only who comes to it: by a call, by a name, or by a name put together.
#[test]
fn what_the_test_does_not_come_to_need_not_be_modelled() {
    let other = "shrink() -> zlib:compress(<<>>).\nturn() -> lists:revers([1]).";
    let place = with_module(&format!("-export([shrink/0, turn/0]).\ntest() -> ok.\n{other}"));
    place.foresee("check m.erl").expect(0, &["holds"], &[]);
    place.foresee("check m.erl -t shrink").expect(2, &[], &["E0201", "zlib:compress/1"]);
    place.foresee("check m.erl -t turn").expect(1, &["undef"], &["E0202", "lists:revers/1"]);
    let named = "test() -> spawn(m, shrink, []).\n-export([shrink/0]).";
    let place = with_module(&format!("{named}\n{other}"));
    place.foresee("check m.erl").expect(2, &[], &["E0201", "zlib:compress/1"]);
    let made = "-export([shrink/0, turn/0]).\ntest() -> m:(list_to_atom(\"shr\" ++ \"ink\"))().";
    let place = with_module(&format!("{made}\n{other}"));
    place.foresee("check m.erl").expect(2, &[], &["E0201", "zlib:compress/1 is not modelled"]);
    let undefined = "-export([shrink/0, turn/0]).\ntest() -> m:(list_to_atom(\"tu\" ++ \"rn\"))().";
    let place = with_module(&format!("{undefined}\n{other}"));
    place.foresee("check m.erl").expect(1, &["abnormal_exit", "undef"], &[]);
    // The name of a function as an atom calls nothing.
    let place = with_module(
        "test() -> {shrink, ok}.\n-export([shrink/0]).\nshrink() -> zlib:compress(<<>>).",
    );
    let said = place.foresee("check m.erl");
    said.expect(0, &["holds"], &[]);
    assert!(!said.err.contains("zlib"), "{}", said.err);
}

/// A module that only a run names: what is wrong with it is told when it is called, and only then.
#[test]
fn a_module_that_does_not_load_tells_why_when_it_is_called() {
    let place = with_module(
        "-export([later/0, unnamed/0]).\ntest() -> ok.\nlater() -> run(plugin).\nrun(M) -> M:hi().\n\
         unnamed() -> run(list_to_atom(\"oth\" ++ \"er\")).",
    );
    place.write(
        "plugin.erl",
        "-module(plugin).\n-export([hi/0]).\n-include(\"none.hrl\").\nhi() -> hello.\n",
    );
    place.write("other.erl", "-module(other).\n-export([hi/0]).\nhi() -> hello.\n");
    place.foresee("check m.erl").expect(0, &["holds"], &[]);
    let said = place.foresee("check m.erl -t later");
    said.expect(2, &[], &["E0203", "m.erl:6", "E0115", "`none.hrl` was not found", "plugin.erl:3"]);
    place.foresee("check m.erl -t unnamed").expect(2, &[], &["E0203", "other.erl"]);
    place.foresee("check m.erl other.erl -t unnamed").expect(0, &["holds"], &[]);
    // In a project, any module may be meant by a name that is made.
    place.write("rebar.config", "{erl_opts, []}.\n");
    std::fs::create_dir_all(place.path().join("src")).expect("made");
    place.write("src/other.erl", "-module(other).\n-export([hi/0]).\nhi() -> hello.\n");
    std::fs::remove_file(place.path().join("other.erl")).expect("removed");
    place.foresee("check m.erl -t unnamed").expect(0, &["holds"], &[]);
}

/// A receive that nobody can end is no timeout.
#[test]
fn who_waits_for_ever_is_said_to() {
    let place = with_module("test() -> receive after infinity -> ok end.");
    place.foresee("check m.erl").expect(
        1,
        &["<P> waits at m.erl:3 for ever; its mailbox is empty"],
        &[],
    );
}

#[test]
fn a_loop_without_end_has_its_line() {
    let place = with_module("test() -> loop(1).\nloop(N) ->\n    loop(N + 1).");
    place.foresee("check m.erl").expect(
        2,
        &[],
        &["error[E0301]", "m.erl:5:5", "loop/1", "`receive`"],
    );
}

/// The file of the guide: five mistakes, each with its line and a help text, and nothing else.
#[test]
fn five_mistakes_are_five_errors() {
    let place = Place::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mistakes.erl");
    place.write("mistakes.erl", &std::fs::read_to_string(root).expect("the example is there"));
    let said = place.foresee("simulate mistakes.erl -t main");
    assert_eq!(said.code, 2, "{}", said.err);
    for (code, line) in [("E0115", 5), ("E0153", 9), ("E0110", 10), ("E0124", 11)] {
        let (_, after) = said.err.split_once(&format!("error[{code}]")).expect(code);
        let block = after.split("\n\n").next().unwrap_or_default();
        assert!(block.contains(&format!("mistakes.erl:{line}:")), "{code}: {block}");
        assert!(block.contains("help: ") || block.contains("add `;` here"), "{code}: {block}");
    }
    assert_eq!(said.err.matches("error[").count(), 4, "{}", said.err);
    said.expect(2, &[], &["4 errors; for more: foresee explain E0115"]);
}

#[test]
fn every_code_of_a_program_is_explained() {
    let place = Place::new();
    for code in ["E0110", "e0201", "301"] {
        place.foresee(&format!("explain {code}")).expect(0, &["## What happened"], &[]);
    }
    place.foresee("explain").expect(0, &["E0110  A macro is used but not defined", "E0302"], &[]);
}

#[test]
fn flags_that_do_not_apply_are_refused() {
    let place = with_module("test() -> ok.");
    for (line, said) in [
        ("check m.erl --drops-max 1", "--drops-max does not apply"),
        ("check m.erl --check-code", "--check-code does not apply"),
        ("check ping --src x", "--src does not apply"),
        ("simulate ping --output-only", "--output-only does not apply"),
    ] {
        place.foresee(line).expect(2, &[], &["E0007", said]);
    }
}
