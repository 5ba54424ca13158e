//! How the text of Erlang projects is read on the command line: words, headers, parse transforms, EUnit's generators, application
//! files, and nesting without end.

mod common;

use common::Place;

fn folder(place: &Place, name: &str) {
    std::fs::create_dir_all(place.path().join(name)).expect("made");
}

#[test]
fn maybe_and_else_are_atoms_where_nothing_else_can_be_meant() {
    let place = Place::new();
    let text = "-module(m).\n-export([test/0, else/1, maybe/1, block/1]).\n-type t() :: maybe | else | {else, t()}.\n\
                -record(else, {maybe = else :: t()}).\n\
                test() ->\n    {else, 1} = id({else, 1}), [maybe, else | maybe] = id([maybe, else | maybe]),\n    \
                else = (#else{})#else.maybe, else = else(maybe), 3 = maybe(-2 + 4),\n    \
                #{else := maybe} = #{else => maybe}, F = fun maybe/1, 2 = F(1),\n    \
                1 = case id(else) of maybe -> 0; else -> 1 end,\n    \
                [ok, 5, wrong, else] = [block(X) || X <- [{ok, {ok, fine}}, {ok, 5}, no, else]], ok.\n\
                id(X) -> X.\nelse(maybe) -> else.\nmaybe(X) -> X + 1.\n\
                block(X) ->\n    maybe\n        {ok, Y} ?= X,\n        {ok, _} ?= Y,\n        id(ok)\n    else\n        \
                5 -> 5;\n        else -> else;\n        _ -> wrong\n    end.\n";
    place.write("m.erl", text);
    place.foresee("check m.erl").expect(0, &["holds"], &[]);
    let disabled = text.replace("-type", "-feature(maybe_expr, disable).\n-type");
    place.write("m.erl", &disabled);
    place.foresee("check m.erl").expect(2, &[], &["error["]);
    let enabled =
        "-module(m).\n-feature(maybe_expr, enable).\n-export([test/0]).\ntest() -> else.\n";
    place.write("m.erl", enabled);
    place.foresee("check m.erl").expect(2, &[], &["m.erl:4"]);
}

#[test]
fn headers_are_found_as_erlc_and_rebar3_find_them() {
    let place = Place::new();
    ["src", "include"].iter().for_each(|name| folder(&place, name));
    place.write("rebar.config", "{erl_opts, [debug_info]}.\n");
    place.write("include/k.hrl", "-define(K, 1).\n");
    place.write("src/j.hrl", "-define(J, 2).\n");
    let text = "-module(m).\n-include_lib(\"k.hrl\").\n-include(\"src/j.hrl\").\n\
                -define(LET(X, Type, Gen), {Type, fun(X) -> Gen end}).\n-define(IF(A), A).\n\
                -include_lib(\"eunit/include/eunit.hrl\").\n\
                sum_test() -> {int, F} = ?LET(X, int, X + ?K + ?J), ?assertEqual(4, F(?IF(1))).\n";
    place.write("src/m.erl", text);
    place.foresee("check src/m.erl -t sum_test").expect(0, &["holds"], &[]);
}

/// Puts one atom in the place of another.
const TRANSFORM: &str = "-module(mine).\n-export([parse_transform/2]).\n\
    parse_transform(Forms, _Options) -> swap(Forms).\n\
    swap({atom, Line, before_pt}) -> {atom, Line, after_pt};\n\
    swap(Tuple) when is_tuple(Tuple) -> list_to_tuple(swap(tuple_to_list(Tuple)));\n\
    swap([Head | Tail]) -> [swap(Head) | swap(Tail)];\n\
    swap(Other) -> Other.\n";

#[test]
fn parse_transforms_are_run_known_or_refused() {
    let place = Place::new();
    place.write("mine.erl", TRANSFORM);
    let with = |options: &str| {
        format!(
            "-module(m).\n{options}\n-export([test/0]).\ntest() -> after_pt = id(before_pt).\nid(X) -> X.\n"
        )
    };
    for options in [
        "-compile({parse_transform, NAME}).",
        "-compile([debug_info, {parse_transform, NAME}]).",
        "-compile([{parse_transform, ms_transform}, {parse_transform, NAME}]).",
    ] {
        place.write("m.erl", &with(&options.replace("NAME", "mine")));
        place.foresee("check m.erl").expect(0, &["holds"], &[]);
        place.write("m.erl", &with(&options.replace("NAME", "nowhere")));
        place.foresee("check m.erl").expect(2, &[], &["E0137", "`nowhere`", "m.erl:2"]);
    }
    // Who only names such a module is refused when he calls it.
    let user =
        "-module(user_of).\n-export([test/0, other/0]).\ntest() -> ok.\nother() -> m:test().\n";
    place.write("user_of.erl", user);
    place.foresee("check user_of.erl").expect(0, &["holds"], &[]);
    place.foresee("check user_of.erl -t other").expect(2, &[], &["E0203", "E0137"]);
    // A project may ask for one for all its modules.
    place.write("m.erl", &with(""));
    place.foresee("check m.erl").expect(1, &["{badmatch,before_pt}"], &[]);
    place.write("rebar.config", "{erl_opts, [{parse_transform, mine}]}.\n");
    place.foresee("check m.erl").expect(0, &["holds"], &[]);
    place.write("rebar.config", "{erl_opts, [{parse_transform, nowhere}]}.\n");
    place.foresee("check m.erl").expect(2, &[], &["E0137", "`nowhere`"]);
}

#[test]
fn generators_run_their_tests() {
    let place = Place::new();
    let text = "-module(m).\n-export([plus/0]).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
        good_test_() -> [?_assertEqual(2, 1 + 1), {\"title\", ?_assert(true)}, fun() -> ok end, {timeout, 60, ?_test(ok)},\n    \
        {inorder, [?_test(ok)]}, {setup, fun() -> ets:new(t, [named_table, public]) end, fun(_) -> ets:delete(t) end,\n    \
        fun(_) -> [?_assert(ets:insert(t, {a, 1})), ?_assertEqual([{a, 1}], ets:lookup(t, a))] end},\n    \
        {foreach, fun() -> put(k, 1) end, [fun(_) -> ?_assertEqual(undefined, get(k)) end, ?_assert(true)]},\n    \
        {generator, fun() -> [?_test(ok)] end}, {with, 3, [fun(X) -> ?assertEqual(3, X) end]}, {m, plus}].\n\
        first_test_() -> [?_assertEqual(1, 2)].\n\
        late_test_() -> [?_test(ok), {setup, fun() -> ok end, fun(_) -> ok end, fun(_) -> [?_assert(false)] end}].\n\
        setup_test_() -> {setup, fun() -> exit(no_setup) end, [?_test(ok)]}.\n\
        none_test_() -> {nonsense, 1, 2, 3}.\n\
        own_process_test_() -> {inorder, [?_test(register(name, self())), ?_test(register(name, self()))]}.\n\
        race_test_() -> ?_test(begin S = self(), [spawn(fun() -> S ! X end) || X <- [1, 2]], receive Y -> ?assertEqual(1, Y) end end).\n\
        plus() -> 2 = 1 + 1.\n";
    place.write("m.erl", text);
    for good in ["good_test_", "own_process_test_"] {
        place.foresee(&format!("check m.erl -t {good}")).expect(0, &["holds"], &[]);
    }
    for (bad, words) in [
        ("first_test_", "assertEqual"),
        ("late_test_", "assert"),
        ("setup_test_", "no_setup"),
        ("none_test_", "bad_test"),
        ("race_test_", "assertEqual"),
    ] {
        let said = place.foresee(&format!("check m.erl -t {bad}"));
        said.expect(1, &[words], &[]);
        place.foresee("replay m.1.trace").expect(1, &[words], &[]);
    }
    // Without a word about where to start, the tests are listed; the function that EUnit adds runs all of them.
    place.foresee("check m.erl").expect(2, &[], &["E0008", "first_test_"]);
    place.write("all.erl", "-module(all).\n-export([test/0]).\ntest() -> error = m:test().\n");
    place.foresee("simulate all.erl").expect(0, &["Failed: ", "Passed: 1"], &[]);
}

#[test]
fn the_tests_of_a_module_are_those_it_would_export() {
    let place = Place::new();
    place.write(
        "m_tests.erl",
        "-module(m_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nplus_test() -> 3 = 1 + 2.\nminus_test_() -> [?_assertEqual(2, 1)].\n",
    );
    let text = "-module(m).\n-export([test/0]).\ntest() ->\n    error = eunit:test(m_tests), error = eunit:test(m),\n    \
         Own = [F || {F, 0} <- lists:sort(m_tests:module_info(exports)), F =/= module_info],\n    \
         [minus_test_, plus_test, test] = Own, M = list_to_atom(\"m_tests\"), 3 = M:plus_test().\n";
    place.write("m.erl", text);
    place.foresee("check m.erl").expect(0, &["holds"], &[]);
}

#[test]
fn the_projects_own_application_starts() {
    let place = Place::new();
    folder(&place, "src");
    place.write("rebar.config", "{erl_opts, []}.\n");
    let specification = "%% The shop.\n{application, shop, [{vsn, git}, {registered, []}, {applications, [kernel, stdlib]},\n  \
                         {mod, {shop_app, [small]}}, {env, [{limit, 7}]}]}.\n";
    place.write("src/shop.app.src", specification);
    place.write(
        "src/shop_app.erl",
        "-module(shop_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
         start(normal, [small]) -> {ok, spawn_link(fun() -> register(shop, self()), receive stop -> ok end end)}.\nstop(_) -> ok.\n",
    );
    let text = "-module(t).\n-export([test/0, other/0]).\ntest() ->\n    ok = application:start(shop), {ok, 7} = application:get_env(shop, limit),\n    \
                {error, {already_started, shop}} = application:start(shop), ok = application:stop(shop).\n\
                other() -> {error, {\"no such file or directory\", \"till.app\"}} = application:start(till).\n";
    place.write("src/t.erl", text);
    place.foresee("check src/t.erl --treat-as-normal shutdown").expect(0, &["holds"], &[]);
    place.foresee("check src/t.erl -t other").expect(0, &["holds"], &[]);
}

/// Whatever is nested, however deeply: a diagnostic with its line.
#[test]
fn deep_nesting_is_a_diagnostic() {
    let n = 100_000;
    let (open, close) = (|text: &str| text.repeat(n), |text: &str| text.repeat(n));
    let bodies = [
        format!("{}1{}", open("("), close(")")),
        format!("{}1{}", open("["), close("]")),
        format!("{}1{}", open("{"), close("}")),
        format!("{}1{}", open("<<"), close(">>")),
        format!("{}1{}", open("<<("), close(")>>")),
        format!("{}1{}", open("#{a => "), close("}")),
        format!("{}1{}", open("#{"), close(" => 1}")),
        format!("{}1{}", open("[a | "), close("]")),
        format!("{}1{}", open("f("), close(")")),
        format!("{}1{}", open("(fun() -> "), close(" end)()")),
        format!("{}1{}", open("begin "), close(" end")),
        format!("{}1{}", open("case 1 of 1 -> "), close(" end")),
        format!("{}1{}", open("case "), close(" of X -> X end")),
        format!("{}1{}", open("if true -> "), close(" end")),
        format!("{}1{}", open("receive x -> "), close(" end")),
        format!("{}1{}", open("receive after 0 -> "), close(" end")),
        format!("{}1{}", open("try "), close(" catch _:_ -> 1 end")),
        format!("{}1{}", open("try 1 catch _:_ -> "), close(" end")),
        format!("{}1{}", open("[X || X <- "), close("]")),
        format!("{}[]{}", open("["), close(" || _ <- []]")),
        format!("{}1{}", open("#r{a = "), close("}")),
        format!("{}1{}", open("maybe "), close(" end")),
        format!("{}1{}", open("((1 + "), close(") + 1)")),
        format!("1{}", open(" + 1")),
        format!("{}1", open("1 = ")),
        format!("{}1", open("1 ! ")),
        format!("{}1", open("1 ++ ")),
        format!("{}1", open("not ")),
        format!("{}1", open("- ")),
        format!("{}1", open("catch ")),
        format!("true{}", open(" andalso true")),
        format!("true{}", open(" orelse true")),
        format!("x{}", open("(1)")),
        format!("x{}", open("#{a => 1}")),
        format!("x{}", open("#r{a = 1}")),
        format!("x{}", open("#r.a")),
        format!("x{}", open(":x")),
        format!("(({}){})", "1".to_owned() + &" + 1".repeat(1500), " + (1)".repeat(1500)),
        open("(") + &open("["),
        open("case 1 of "),
        close(")"),
        close(" end"),
    ];
    let place = Place::new();
    for body in &bodies {
        let text = format!(
            "-module(m).\n-export([test/0]).\n-record(r, {{a}}).\ntest() -> {body}.\nf(X) -> X.\n"
        );
        place.write("m.erl", &text);
        let said = place.foresee("check m.erl");
        said.expect(2, &[], &["error[E0", "m.erl:4"]);
    }
    let attributes = [
        format!("-type t() :: {}a{}.", open("["), close("]")),
        format!("-type t() :: {}a{}.", open("{"), close("}")),
        format!("-type t() :: {}a{}.", open("("), close(")")),
        format!("-type t() :: {}a{}.", open("#{a => "), close("}")),
        format!("-type t() :: {}a{}.", open("fun(() -> "), close(")")),
        format!("-type t() :: {}1.", open("X :: ")),
        format!("-type t() :: 1{}.", open(" + 1")),
        format!("-type t() :: {}1.", open("- ")),
        format!("-spec f({}a{}) -> a.", open("list("), close(")")),
        format!("-mine({}a{}).", open("["), close("]")),
        format!("-compile({}a{}).", open("{"), close("}")),
        format!("-record(s, {{a = {}a{}}}).", open("["), close("]")),
        format!("-if({}true{}).\n-endif.", open("("), close(")")),
        format!("-if({}true).\n-endif.", open("not ")),
        open("-ifdef(X).\n"),
        open("-else.\n"),
        format!("-define(M(X), [X]).\n-mine({}a{}).", open("?M("), close(")")),
        "-define(M, ?N ?N).\n-define(N, ?M ?M).\n-mine(?M).".to_owned(),
        (0..20_000).map(|i| format!("-define(M{}, ?M{i}).\n", i + 1)).collect::<String>()
            + "-mine(?M20000).",
        format!("-define(M, {}).\n-mine(?M).", open("[")),
    ];
    for attribute in &attributes {
        let text =
            format!("-module(m).\n-export([test/0]).\n{attribute}\ntest() -> ok.\nf(X) -> X.\n");
        place.write("m.erl", &text);
        let said = place.foresee("check m.erl");
        assert_eq!(
            said.code,
            2,
            "{}: {} {}",
            &attribute[..60.min(attribute.len())],
            said.out,
            said.err
        );
        said.expect(2, &[], &["error[E0", "m.erl:"]);
    }
}
