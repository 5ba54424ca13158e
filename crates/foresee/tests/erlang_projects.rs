//! Erlang projects on the command line: their tests are found and checked or simulated one by one, with nothing prepared.

mod common;

use common::Place;

/// A project with a counter that loses updates, and tests of three kinds.
fn counter() -> Place {
    let place = Place::new();
    place.folder("src");
    place.folder("test");
    place.write("rebar.config", "{erl_opts, [debug_info]}.\n");
    place.write(
        "src/counter.erl",
        "-module(counter).\n-export([new/0, add/1, value/1]).\n\
         new() -> ets:new(counter, [public]).\n\
         add(T) -> ets:insert(T, {n, value(T) + 1}).\n\
         value(T) -> case ets:lookup(T, n) of [{n, N}] -> N; [] -> 0 end.\n",
    );
    place.write(
        "test/counter_tests.erl",
        "-module(counter_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         one_test() -> T = counter:new(), counter:add(T), ?assertEqual(1, counter:value(T)).\n\
         many_test_() ->\n    {setup, fun counter:new/0, fun ets:delete/1,\n     fun(T) ->\n         \
         [?_assertEqual(0, counter:value(T)),\n          {\"two at once\", fun() -> two(T) end},\n          \
         [{with, T, [fun(U) -> counter:add(U) end]}]]\n     end}.\n\
         two(T) ->\n    Both = [spawn_monitor(fun() -> counter:add(T) end) || _ <- [1, 2]],\n    \
         [receive {'DOWN', R, _, P, _} -> ok end || {P, R} <- Both],\n    ?assertEqual(2, counter:value(T)).\n",
    );
    place.write(
        "test/counter_SUITE.erl",
        "-module(counter_SUITE).\n-include_lib(\"common_test/include/ct.hrl\").\n-compile([export_all, nowarn_export_all]).\n\
         all() -> [plain, {group, g}].\n\
         groups() -> [{g, [sequence], [inner, {h, [], [deep]}]}].\n\
         init_per_suite(C) -> [{table, counter:new()}, {keeper, keep()} | C].\n\
         end_per_suite(C) -> ?config(keeper, C) ! stop, ok.\n\
         init_per_group(G, C) -> [{group, G} | C].\nend_per_group(_, _) -> ok.\n\
         init_per_testcase(_, C) -> [{own, counter:new()} | C].\nend_per_testcase(_, _) -> ok.\n\
         keep() -> spawn(fun() -> receive stop -> ok end end).\n\
         plain(C) -> ct:pal(\"~p\", [C]), counter:add(?config(own, C)), 1 = counter:value(?config(own, C)).\n\
         inner(C) -> g = ?config(group, C).\n\
         deep(C) -> h = ?config(group, C), ct:fail(\"no ~p\", [good]).\n",
    );
    place
}

#[test]
fn every_test_of_a_project_has_a_line_and_a_verdict() {
    let place = counter();
    let said = place.foresee("check .");
    said.expect(
        1,
        &[
            "holds         counter_tests:one_test",
            "holds         counter_tests:many_test_#1",
            "violated      counter_tests:many_test_#2  \"two at once\"",
            "holds         counter_tests:many_test_#3.1",
            "holds         counter_SUITE:plain",
            "holds         counter_SUITE:g/inner",
            "violated      counter_SUITE:g/h/deep",
            "7 tests: 5 hold, 2 violated",
            "replay:  foresee replay ",
        ],
        &[],
    );
    let json = place.foresee("check . --eunit --format json").json();
    assert_eq!(json["verdict"], "violated");
    let tests = json["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 4);
    let names: Vec<&str> = tests.iter().filter_map(|test| test["name"].as_str()).collect();
    assert_eq!(names[1], "counter_tests:many_test_#1");
    let broken = &tests[2];
    assert_eq!((&broken["verdict"], &broken["title"]), (&"violated".into(), &"two at once".into()));
    let trace = broken["trace"].as_str().expect("a trace");
    place.foresee(&format!("replay {trace}")).expect(1, &["assertEqual"], &[]);
    let one = place.foresee("check . -m counter_tests -t many_test_#2 --first-process-errors-only");
    one.expect(1, &["assertEqual"], &[]);
    let suite = place.foresee("check . --ct --format json").json();
    assert_eq!(suite["tests"].as_array().map(Vec::len), Some(3));
    place.foresee("check . -m counter_SUITE -t g/inner").expect(0, &["holds"], &[]);
}

#[test]
fn tests_are_simulated_and_reported_as_junit() {
    let place = counter();
    let said = place.foresee("simulate . --eunit --runs 50");
    said.expect(
        1,
        &["violated      counter_tests:many_test_#2", "4 tests: 3 hold, 1 violated"],
        &[],
    );
    let xml = place.foresee("check . --format junit").out;
    assert!(xml.contains("tests=\"7\" failures=\"2\" errors=\"0\" skipped=\"0\""), "{xml}");
    assert!(xml.contains("name=\"counter_tests:many_test_#2\""), "{xml}");
}

/// A sleep as long as a call waits by default: `check` takes it for endless, a simulation waits for its end.
#[test]
fn a_test_that_sleeps_long_comes_to_its_end_in_a_simulation() {
    let place = counter();
    place.write(
        "test/long_tests.erl",
        "-module(long_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         long_test() -> timer:sleep(6000).\n",
    );
    place.foresee("simulate . --eunit -m long_tests").expect(0, &["1 test: 1 hold"], &[]);
}

/// Which of the violated tests to look at first: runs in virtual time tell an order of events from a test that gives up early.
#[test]
fn a_violated_test_is_run_in_virtual_time_too() {
    let place = counter();
    place.write(
        "test/blame_tests.erl",
        "-module(blame_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         hasty_test() -> S = spawn(fun echo/0), S ! {self(), hello}, receive hello -> ok after 1000 -> exit(late) end.\n\
         echo() -> receive {From, What} -> From ! What end.\n\
         far_test() -> S = self(), spawn(fun() -> S ! near end), spawn(fun() -> far(16, S) end),\n    \
         near = receive First -> First end, far = receive Last -> Last end.\n\
         far(0, S) -> S ! far;\nfar(N, S) -> spawn(fun() -> far(N - 1, S) end).\n\
         wrong_test() -> ?assertEqual(1, 2).\n\
         slow_test() -> S = self(), spawn(fun() -> timer:sleep(10), S ! done end), receive done -> ok after 1000 -> exit(late) end.\n",
    );
    let said = place.foresee("check . --eunit -m blame_tests");
    said.expect(
        1,
        &[
            "a timeout fires in it while others could go on; 20 simulated runs, where each fires in its time, pass",
            "no timeout fires early in it; 20 simulated runs pass",
            "20 of 20 simulated runs fail, too",
            "4 tests: 4 violated",
            "1 of the violated: fail in simulated runs, too",
            "1 of the violated: by an order of events in which no timeout fires early",
            "2 of the violated: with a timeout that fires while others could go on",
        ],
        &[],
    );
    let replays: Vec<&str> =
        said.out.lines().filter_map(|it| it.strip_prefix("replay:  foresee replay ")).collect();
    let order = ["wrong_test", "far_test", "hasty_test", "slow_test"];
    assert!(replays.iter().zip(order).all(|(it, name)| it.contains(name)), "{replays:?}");
    let json = place.foresee("check . --eunit -m blame_tests --format json").json();
    let in_time = |at: usize| json["tests"][at]["in_time"].clone();
    let of = |early_timeout: bool, failed: u64| serde_json::json!({"early_timeout": early_timeout, "runs": 20, "failed": failed});
    assert_eq!([0, 1, 2, 3].map(in_time), [of(true, 0), of(false, 0), of(false, 20), of(true, 0)]);
    let simulated = place.foresee("simulate . --eunit -m blame_tests --format json").json();
    assert!(simulated["tests"].as_array().unwrap().iter().all(|it| it["in_time"].is_null()));
}

#[test]
fn budgets_and_errors_are_told_for_each_test() {
    let place = counter();
    place.write(
        "test/other_tests.erl",
        "-module(other_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n-export([wide_test/0]).\n\
         wide_test() -> S = self(), [spawn(fun() -> S ! N end) || N <- lists:seq(1, 6)], [receive N -> N end || N <- lists:seq(1, 6)].\n\
         mix_test() -> S = self(), [spawn(fun() -> S ! N end) || N <- lists:seq(1, 6)], [receive N -> N end || _ <- lists:seq(1, 6)].\n\
         gap_test() -> gen_tcp:listen(0, []).\n",
    );
    place.write(
        "test/far_tests.erl",
        "-module(far_tests).\n-include_lib(\"nowhere/include/nowhere.hrl\").\n-export([a_test/0, b_test/0]).\n\
         a_test() -> ok.\nb_test() -> ok.\n",
    );
    let said = place.foresee("check . -m other_tests --eunit --test-interleavings-max 10");
    said.expect(
        2,
        &[
            "holds         other_tests:wide_test",
            "inconclusive  other_tests:mix_test  10 interleavings",
            "error         other_tests:gap_test",
            "gen_tcp:listen",
        ],
        &[],
    );
    let said = place.foresee("check . --eunit");
    said.expect(
        1,
        &[
            "error         far_tests:a_test",
            "error         far_tests:b_test",
            "nowhere.hrl",
            "2 stopped by",
        ],
        &[],
    );
}

/// As erlang.mk has it, and with dependencies that are not the project's own.
#[test]
fn other_layouts_and_dependencies() {
    let place = Place::new();
    for folder in
        ["src", "test", "deps", "deps/dep", "deps/dep/src", "deps/dep/include", "deps/dep/test"]
    {
        place.folder(folder);
    }
    place.write("Makefile", "PROJECT = shop\ninclude erlang.mk\n");
    place.write("src/shop.erl", "-module(shop).\n-include_lib(\"dep/include/dep.hrl\").\n-export([f/0]).\nf() -> dep:g() + ?DEP.\n");
    place.write("deps/dep/include/dep.hrl", "-define(DEP, 1).\n");
    place.write("deps/dep/src/dep.erl", "-module(dep).\n-export([g/0]).\ng() -> 1.\n");
    place.write(
        "deps/dep/test/dep_tests.erl",
        "-module(dep_tests).\n-export([no_test/0]).\nno_test() -> exit(no).\n",
    );
    place.write(
        "test/shop_tests.erl",
        "-module(shop_tests).\n-export([f_test/0]).\nf_test() -> 2 = shop:f().\n",
    );
    let said = place.foresee("check .");
    said.expect(0, &["holds         shop_tests:f_test", "1 test: 1 hold"], &[]);
    assert!(!said.out.contains("dep_tests"), "{}", said.out);
}

/// A transform of the project's own is run; what it leaves keeps its lines.
#[test]
fn parse_transforms_are_run() {
    let place = Place::new();
    place.folder("src");
    place.folder("test");
    place.write(
        "rebar.config",
        "{erl_opts, [{platform_define, \"^[0-9]+\", modern}, {platform_define, \"^R\", old}]}.\n",
    );
    place.write(
        "src/twice.erl",
        "-module(twice).\n-export([parse_transform/2]).\n\
         parse_transform(Forms, _) -> [form(F) || F <- Forms].\n\
         form({function, L, N, A, Cs}) -> {function, L, N, A, [walk(C) || C <- Cs]};\nform(F) -> F.\n\
         walk({integer, L, N}) -> {integer, L, 2 * N};\n\
         walk(T) when is_tuple(T) -> list_to_tuple(walk(tuple_to_list(T)));\n\
         walk([H | T]) -> [walk(H) | walk(T)];\nwalk(X) -> X.\n",
    );
    place.write(
        "test/t_tests.erl",
        "-module(t_tests).\n-compile({parse_transform, twice}).\n-export([a_test/0, b_test/0]).\n\
         a_test() -> four = f(2).\n-ifdef(modern).\nb_test() ->\n    case f(3) of\n        _ -> exit({here, ?LINE})\n    end.\n-endif.\n\
         f(N) -> lists:nth(N, [one, two, three, four, five, six]).\n",
    );
    let said = place.foresee("check .");
    said.expect(
        1,
        &["holds         t_tests:a_test", "violated      t_tests:b_test", "{here,16}"],
        &[],
    );
}

/// Files are in memory: the project's own can be read, and what is written stays in the run.
#[test]
fn files_are_in_memory() {
    let place = Place::new();
    place.folder("src");
    place.folder("priv");
    place.write("rebar.config", "");
    place.write("priv/data.txt", "{a, 1}.\n%% b.\n{b, \"x\"}.\n");
    place.write(
        "src/f_tests.erl",
        "-module(f_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         own_test() -> {ok, [{a, 1}, {b, \"x\"}]} = file:consult(\"priv/data.txt\"), [\"priv/data.txt\"] = filelib:wildcard(\"priv/*.txt\").\n\
         write_test() ->\n    ok = filelib:ensure_dir(\"/tmp/a/b/c\"),\n    ok = file:write_file(\"/tmp/a/b/c\", <<\"one\\n\">>),\n    \
         {ok, F} = file:open(\"/tmp/a/b/c\", [read, append, raw, binary]),\n    ok = file:write(F, [\"two\", $\\n]),\n    {ok, 0} = file:position(F, bof),\n    \
         {ok, <<\"one\\n\">>} = file:read_line(F), {ok, <<\"two\\n\">>} = file:read(F, 10), eof = file:read(F, 1),\n    \
         ok = file:rename(\"/tmp/a/b/c\", \"/tmp/a/d\"), {ok, [\"b\", \"d\"]} = file:list_dir(\"/tmp/a\"),\n    \
         ok = file:close(F), {error, einval} = file:read(F, 1), {error, enoent} = file:read_file(\"/tmp/a/b/c\"),\n    \
         {error, eexist} = file:del_dir(\"/tmp/a\"), ok = file:del_dir_r(\"/tmp/a\"), false = filelib:is_dir(\"/tmp/a\").\n\
         device_test() ->\n    {ok, F} = file:open(\"/tmp/x\", [write]), true = is_pid(F),\n    ok = io:format(F, \"~p~n\", [hello]), ok = file:close(F),\n    \
         {ok, <<\"hello\\n\">>} = file:read_file(\"/tmp/x\").\n\
         race_test() ->\n    S = self(),\n    [spawn(fun() -> ok = file:write_file(\"/tmp/r\", [C], [append]), S ! done end) || C <- \"ab\"],\n    \
         [receive done -> ok end || _ <- \"ab\"],\n    {ok, B} = file:read_file(\"/tmp/r\"), 2 = byte_size(B).\n",
    );
    let said = place.foresee("check .");
    assert!(!place.has("tmp"));
    said.expect(
        0,
        &[
            "holds         f_tests:own_test",
            "holds         f_tests:write_test",
            "holds         f_tests:device_test",
            "holds         f_tests:race_test",
        ],
        &[],
    );
}
