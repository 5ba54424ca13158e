//! What the text of a violation's run says: who waits for what, which races decide, and more with `--verbose`.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
#[path = "common/story.rs"]
mod story;

use common::{Place, without_measurements};

const CIRCLE: &str = "-module(circle).\n-behaviour(gen_server).\n-export([test/0, init/1, handle_call/3, handle_cast/2]).\n\
    test() ->\n    {ok, A} = gen_server:start(?MODULE, [], []),\n    {ok, B} = gen_server:start(?MODULE, [], []),\n\
    \u{20}   Me = self(),\n    [spawn(fun() -> gen_server:call(X, {ask, Y}, infinity), Me ! done end) || {X, Y} <- [{A, B}, {B, A}]],\n\
    \u{20}   receive done when A =/= B -> receive {done, _} -> ok; done -> ok end end,\n\
    \u{20}   gen_server:stop(A), gen_server:stop(B).\n\
    init(_) -> {ok, none}.\nhandle_cast(_, S) -> {noreply, S}.\n\
    handle_call({ask, Other}, _, S) -> {reply, gen_server:call(Other, plain, infinity), S};\n\
    handle_call(plain, _, S) -> {reply, ok, S}.\n";

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let place = Place::new();
    place.write("circle.erl", CIRCLE);
    let said = place.foresee("check circle.erl --ignore-error abnormal_exit");
    said.expect(
        1,
        &[
            "<P> waits at circle.erl:9 for done when A =/= B; its mailbox is empty",
            "<P.1> waits at circle.erl:13 for <P.2>'s reply; its mailbox holds call plain from <P.2>",
            "they wait in a circle: <P.1>, <P.2>, <P.1>",
            "race: step 11 (<P.4> call <P.2> {ask,<P.1>}) came before step 15 (<P.1> call <P.2> plain); the other way round all \
             goes well",
        ],
        &[],
    );
    assert!(!said.out.contains("\n  end  "), "short by default");
    let stateful = place.foresee("check circle.erl --engine stateful");
    stateful.expect(1, &["they wait in a circle", "the other way round all goes well"], &[]);
}

#[test]
fn each_process_has_its_own_part_with_verbose() {
    let place = Place::new();
    place.write("circle.erl", CIRCLE);
    let said = place.foresee("check circle.erl --verbose");
    said.expect(1, &["\n<P.1> circle, ", "\n  end  waits at circle.erl:13 for <P.2>'s reply"], &[]);
    assert!(!said.out.contains("sets timer"), "a message in a mailbox is no timer:\n{}", said.out);
}

#[test]
fn what_a_library_notes_for_itself_is_one_line_unless_it_is_what_races() {
    let place = Place::new();
    let text = |body: &str| format!("-module(vault).\n-export([test/0]).\ntest() ->\n{body}");
    place.write("rebar.config", "{erl_opts, [debug_info]}.\n");
    place.folder("src");
    place.write("src/vault.app.src", "{application, vault, [{env, [{key, 7}]}]}.\n");
    place.write("src/vault.erl", &text("    ok = application:start(vault),\n    exit(bad).\n"));
    let folded = "application looks things up and notes them (all steps: --verbose)";
    let short = place.foresee("check src/vault.erl");
    let lines = format!("\n  1-12  <P>   {folded} [vault.erl:4]\n 13  <P>   exit bad\n");
    short.expect(1, &[&lines], &[]);
    let run = place.foresee("simulate src/vault.erl");
    run.expect(1, &[&format!("<P>         {folded}  vault.erl:4\n")], &[]);
    for said in [&short, &run] {
        assert_eq!(said.out.matches(folded).count(), 1, "{}", said.out);
        assert!(!said.out.contains("persistent"), "{}", said.out);
    }
    for command in ["check", "simulate"] {
        let whole = place.foresee(&format!("{command} src/vault.erl --verbose"));
        whole.expect(1, &["persistent_term:put({applications,started},[vault])"], &[]);
        assert!(!whole.out.contains(folded), "{}", whole.out);
    }
    let racing = "    application:set_env(vault, key, 1),\n    spawn(fun() -> application:set_env(vault, key, 2) end),\n\
        \u{20}   {ok, 1} = application:get_env(vault, key).\n";
    place.write("src/vault.erl", &text(racing));
    let raced = ["<P.1>   persistent_term:put({application_env,vault,key},2)", "\nrace: step "];
    place.foresee("check src/vault.erl").expect(1, &raced, &[]);
}

#[test]
fn a_long_start_in_which_nothing_races_is_folded() {
    let place = Place::new();
    let text = "-module(late).\n-export([test/0]).\ntest() ->\n    T = ets:new(t, [public]),\n\
        \u{20}   [ets:insert(T, {N, N}) || N <- lists:seq(1, 12)],\n    spawn(fun() -> ets:insert(T, {x, 1}) end),\n\
        \u{20}   [] = ets:lookup(T, x).\n";
    place.write("late.erl", text);
    let short = place.foresee("check late.erl");
    short.expect(
        1,
        &["\n  1-16  start of <P.1>; nothing races yet (all steps: --verbose)\n 17  <P>     exit: tables"],
        &[],
    );
    let whole = place.foresee("check late.erl --verbose");
    whole.expect(1, &["\n  1  <P>     ets:new(t,[public]) = #Ref<P.1> [late.erl:4]"], &[]);
    let replayed = place.foresee("replay late.1.trace");
    let race = |text: &str| {
        let text = without_measurements(text);
        text.lines().find(|line| line.starts_with("race:")).map(str::to_owned)
    };
    assert_eq!(race(&replayed.out), race(&short.out), "a replayed run has the same races");
    assert!(race(&short.out).is_some());
}

#[test]
fn a_reply_is_not_said_to_race_with_its_own_receive() {
    // The call might have given up waiting instead; that is another story than the one told here.
    let place = Place::new();
    let text = "-module(early).\n-behaviour(gen_server).\n-export([test/0, init/1, handle_call/3, handle_cast/2]).\n\
        test() ->\n    {ok, S} = gen_server:start_link(?MODULE, [], []),\n    gen_server:cast(S, {put, 2}),\n\
        \u{20}   2 = case ets:lookup(early, k) of [{k, V}] -> V; [] -> gen_server:call(S, absent) end.\n\
        init(_) -> ets:new(early, [named_table]), {ok, none}.\n\
        handle_cast({put, V}, S) -> ets:insert(early, {k, V}), {noreply, S}.\n\
        handle_call(absent, _, S) -> {reply, absent, S}.\n";
    place.write("early.erl", text);
    let said = place.foresee("check early.erl");
    let races: Vec<&str> = said.out.lines().filter(|line| line.starts_with("race:")).collect();
    assert_eq!(races.len(), 1, "{}", said.out);
    assert!(races[0].contains("ets:lookup(early,k)"), "{}", races[0]);
    assert!(races[0].contains("ets:insert(early,{k,2})"), "{}", races[0]);
    let all = place.foresee("check early.erl --verbose");
    assert!(!all.out.contains(" absent) races with "), "{}", all.out);
    assert!(!all.out.contains("reply absent to <P>) races"), "{}", all.out);
}

#[test]
fn what_came_too_late_is_named_where_no_race_decides() {
    let place = Place::new();
    let text = "-module(first).\n-export([test/0]).\ntest() ->\n    Self = self(),\n\
        \u{20}   [spawn(fun() -> Self ! N end) || N <- [1, 2]],\n    1 = receive N -> N end.\n";
    place.write("first.erl", text);
    let late = "late: <P.1> was about to send <P> 1; had that come before step 3 (<P.2> send <P> 2), all had gone well";
    let said = place.foresee("check first.erl --trace a.trace --report page.html");
    said.expect(1, &[late], &[]);
    assert!(!said.out.contains("race:"), "{}", said.out);
    let why = story::story(&place.read("page.html"))["hello"]["opening"]["why"].to_string();
    assert!(why.contains("happened before step 3, all had gone well"), "{why}");
    place.foresee("replay a.trace").expect(1, &[late], &[]);
    let raced = place.foresee("check first.erl --no-minimise");
    raced.expect(1, &["race: step ", "the other way round all goes well"], &[]);
}
