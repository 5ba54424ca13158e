//! Values in stories: what built-ins gave back, exceptions with their arguments, causes and who caught them, and the calls that
//! led to a place, those in tail position included. None of it is part of what a replay matches.

mod common;

use common::{Place, Said};

/// A check of one module `m` whose body starts on line 3.
fn check(body: &str, options: &str) -> (Place, Said) {
    let place = Place::new();
    place.write("m.erl", &format!("-module(m).\n-compile(export_all).\n{body}\n"));
    let said = place.foresee(&format!("check m.erl {options}"));
    (place, said)
}

#[track_caller]
fn tells(body: &str, lines: &[&str]) -> Said {
    let (_, said) = check(body, "");
    said.expect(1, lines, &[]);
    said
}

#[test]
fn a_lost_update_shows_what_was_read_and_who_called() {
    let place = Place::new();
    let case = "../../tests/cases/erlang/ets/lost_update_deep.erl";
    let case = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(case);
    place.write("usab.erl", &std::fs::read_to_string(case).unwrap());
    let said = place.foresee("check usab.erl -m lost_update_deep");
    said.expect(
        1,
        &[
            "<P.1>   ets:lookup(tab,x) = [{x,0}] [usab.erl:11]\n",
            "<P.2>   ets:lookup(tab,x) = [{x,0}] [usab.erl:11]\n",
            "<P>     ets:lookup(tab,x) = [{x,1}] [usab.erl:14]\n",
            "spawn(#Fun<lost_update_deep.test-fun-0>) = <P.2> [usab.erl:12]\n",
            "why: <P> exited abnormally: function_clause\n     \
             in lost_update_deep:deep({x,1}) at usab.erl:18\n     \
             called by lost_update_deep:check/1 at usab.erl:16\n     \
             called by lost_update_deep:test/0 at usab.erl:14 (tail call)\n",
        ],
        &[],
    );
    // What is always the same is not told.
    assert!(!said.out.contains("= true") && !said.out.contains("= ok"), "{}", said.out);
    assert!(!said.out.contains("= done"), "a send gives its message back: {}", said.out);
}

#[test]
fn values_are_no_part_of_what_a_replay_matches() {
    let body = "test() -> T = ets:new(t, []), [] = ets:lookup(T, x), [_] = ets:lookup(T, x).";
    let (place, said) = check(body, "--trace m.trace");
    said.expect(1, &["= []", "exited abnormally: {badmatch,[]}"], &[]);
    let text = place.read("m.trace");
    assert!(text.contains("step <P> ets:lookup(#Ref<P.1>,x) [m.erl:3]\n     = []\n"), "{text}");
    // A trace as it was before values were noted: no notes at all.
    let old: String = text
        .lines()
        .filter(|line| !line.starts_with("     "))
        .map(|line| format!("{line}\n"))
        .collect();
    place.write("old.trace", &old);
    let replayed = place.foresee("replay old.trace");
    replayed.expect(1, &["ets:lookup(#Ref<P.1>,x) = [] [m.erl:3]"], &[]);
}

#[test]
fn a_long_value_is_cut_unless_all_is_asked_for() {
    let body = "test() -> ets:new(t, [named_table]), ets:insert(t, {x, lists:seq(1, 60)}), exit(ets:lookup(t, x) == no).";
    let (place, said) = check(body, "");
    said.expect(1, &["ets:lookup(t,x) = [{x,[1,2,3", "… [m.erl:3]"], &[]);
    assert!(!said.out.contains("59,60]}] [m.erl"), "{}", said.out);
    place.foresee("check m.erl --verbose").expect(1, &["58,59,60]}] [m.erl:3]"], &[]);
}

#[test]
fn what_other_built_ins_give_back_is_told() {
    tells(
        "test() ->\n  undefined = whereis(a),\n  C = counters:new(1, []), counters:add(C, 1, 2), counters:get(C, 1),\n  \
         persistent_term:put(k, v), persistent_term:get(k),\n  P = spawn(fun() -> ok end), R = monitor(process, P),\n  \
         receive {'DOWN', R, _, _, _} -> ok end,\n  is_process_alive(P), process_info(self(), links),\n  \
         T = erlang:send_after(10, self(), x), erlang:cancel_timer(T), exit(done).",
        &[
            "whereis(a) = undefined [m.erl:4]",
            "counters:get(#Ref<P.1>,1) = 2 [m.erl:5]",
            "persistent_term:get(k) = v [m.erl:6]",
            "= <P.1> [m.erl:7]",
            "is_process_alive(<P.1>) = false [m.erl:9]",
            "process_info(<P>,links) = {links,[]} [m.erl:9]",
            "send_after(10,<P>,x) = #Ref<",
        ],
    );
}

#[test]
fn a_built_in_that_raises_says_why_and_who_caught_it() {
    let said = tells(
        "test() ->\n  register(here, self()),\n  gone = try ets:lookup(tab, x) catch error:badarg -> gone end,\n  \
         catch register(here, self()),\n  try nobody ! hello after ets:new(t, [named_table]) end.",
        &[
            "ets:lookup(tab,x) raised badarg: the table tab does not exist; caught by the try at m.erl:5 [m.erl:5]",
            "register(here,<P>) raised badarg: <P> is registered as here already; caught by the catch at m.erl:6 [m.erl:6]",
            "send nobody hello raised badarg: no process is registered as nobody; nobody caught it [m.erl:7]",
            "why: <P> exited abnormally: badarg\n     in nobody ! hello: no process is registered as nobody\n     \
             called by m:test/0 at m.erl:7\n",
        ],
    );
    assert!(
        !said.out.contains("caught by the try at m.erl:7"),
        "after lets it go on: {}",
        said.out
    );
}

#[test]
fn what_another_process_has_caught_is_not_the_cause() {
    tells(
        "known(M) -> try M:module_info() catch error:undef -> [] end.\ntest() ->\n  S = self(), \
         spawn(fun() -> S ! known(gone) end),\n  receive [] -> ok end,\n  other:f(1).",
        &[
            "why: <P> exited abnormally: undef\n     in other:f(1): there is no function other:f/1\n",
        ],
    );
}

#[test]
fn what_nobody_wants_goes_on_to_the_next() {
    tells(
        "test() -> try f() catch error:R -> exit({outer, R}) end.\nf() ->\n  try ets:delete(t) catch throw:_ -> ok end, ok.",
        &[
            "ets:delete(t) raised badarg: the table t does not exist; caught by the try at m.erl:3 [m.erl:5]",
        ],
    );
}

#[test]
fn errors_of_the_text_itself_show_their_values() {
    let cases = [
        (
            "test() -> f(ets:all()).\nf([_ | _]) -> ok.",
            "exited abnormally: function_clause\n     in m:f([]) at m.erl:4\n     called by m:test/0 at m.erl:3 (tail call)",
        ),
        (
            "test() -> case whereis(x) of y -> ok end.",
            "{case_clause,undefined}\n     in m:test/0 at m.erl:3\n",
        ),
        (
            "test() -> F = fun(_) -> ok end, F(ets:all(), 2).",
            "{badarity,{#Fun<m.test-fun-0>,[[],2]}}\n     in m:test/0 at m.erl:3\n",
        ),
        ("test() -> F = ets:all(), F(2).", "{badfun,[]}\n     in m:test/0 at m.erl:3\n"),
        (
            "test() -> maps:get(ets:all(), #{}), ok.",
            "{badkey,[]}\n     in maps:get([],#{})\n     called by m:test/0 at m.erl:3\n",
        ),
        ("test() -> (ets:all())#{a => 1}.", "{badmap,[]}\n     in m:test/0 at m.erl:3\n"),
        (
            "test() -> hd(ets:all()), ok.",
            "badarg\n     in hd([])\n     called by m:test/0 at m.erl:3\n",
        ),
        (
            "test() -> M = ?MODULE, M:gone(ets:all()), ok.",
            "undef\n     in m:gone([]): there is no function m:gone/1\n     called by m:test/0 at m.erl:3\n",
        ),
    ];
    for (body, why) in cases {
        tells(body, &[why]);
    }
}

#[test]
fn a_process_that_cannot_begin_names_what_is_not_there() {
    tells(
        "test() -> spawn(m, gone, [1, {a}]), ok.",
        &["why: <P.1> exited abnormally: ", "in m:gone(1,{a}): there is no function m:gone/2\n"],
    );
}

#[test]
fn an_error_in_a_callback_is_told_with_the_callback() {
    tells(
        "test() -> {ok, P} = gen_server:start(m, [], []), gen_server:cast(P, {take, 8}).\ninit([]) -> {ok, 7}.\n\
         handle_cast({take, N}, S) -> {noreply, left(S - N)}.\nleft(N) when N >= 0 -> N.",
        &["why: <P.1> exited abnormally: function_clause\n     in m:left(-1) at m.erl:6\n     \
             called by m:handle_cast/2 at m.erl:5\n"],
    );
}

#[test]
fn what_a_link_hands_on_is_told_where_it_was_raised() {
    tells(
        "test() -> spawn_link(fun() -> f(1) end), receive x -> ok end.\nf(2) -> ok.",
        &[
            "function_clause\n     in m:f(1) at m.erl:4\n     called by m:-test-fun-0-/0 at m.erl:3 (tail call)\n",
        ],
    );
}

#[test]
fn a_deadlock_shows_how_each_came_to_where_it_waits() {
    tells(
        "test() -> {ok, A} = gen_server:start(m, [], []), ask(A).\nask(A) -> lists:foreach(fun(N) -> one(A, N) end, [1]).\n\
         one(A, N) -> gen_server:call(A, N, infinity).\ninit([]) -> {ok, 7}.\nhandle_call(_, _, S) -> {noreply, S}.",
        &[
            "call <P.1> 1 [m.erl:5]\n",
            "     <P> waits at m.erl:5 for <P.1>'s reply; its mailbox is empty\n       \
             called by m:-ask-fun-0-/1 at m.erl:4 (tail call)\n       called by lists:foreach/2",
            "       called by m:test/0 at m.erl:3 (tail call)\n",
        ],
    );
}

#[test]
fn a_loop_is_one_caller_with_its_rounds() {
    tells(
        "test() -> self() ! a, self() ! a, self() ! b, loop(0).\nloop(N) -> receive a -> loop(N + 1); c -> ok end.",
        &[
            "<P> waits at m.erl:4 for a or c; its mailbox holds b\n       called by m:loop/1 at m.erl:4 (tail call, 2 times)\n",
        ],
    );
}

#[test]
fn exports_carry_values() {
    let body = "test() -> ets:new(t, [named_table]), f(ets:lookup(t, x)).\nf([_]) -> ok.";
    let (place, _) = check(body, "--trace m.trace");
    place.foresee("replay m.trace --export m.json").expect(1, &[], &[]);
    let json: serde_json::Value = serde_json::from_str(&place.read("m.json")).unwrap();
    let told = &json["events"][1]["told"];
    assert_eq!((&told["answers"][0]["value"], &told["place"][1]), (&"[]".into(), &3.into()));
    assert_eq!(told["raised"][0]["by"], "m:f([])");
    assert_eq!(json["ends"][0]["failure"]["calls"][1]["is_tail"], true);
    place.foresee("replay m.trace --export m.svg").expect(1, &[], &[]);
    assert!(place.read("m.svg").contains("ets:lookup(t,x) = []"));
    place.foresee("replay m.trace --export m_test.erl").expect(1, &[], &[]);
    assert!(place.read("m_test.erl").contains("ets:lookup(t,x) = []  [m.erl:3]"));
}
