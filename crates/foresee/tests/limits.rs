//! Limits hold inside one event, in every engine and command: the process ends soon after the limit, holds little more memory
//! than it was given, and names the limit with what is known so far.
//! Margins are wide, for machines that do other things too; without the limits none of these programs ends in a minute.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Place, Said};
use std::time::{Duration, Instant};

const TIME_MAX: Duration = Duration::from_secs(1);
const LATE_MAX: Duration = Duration::from_secs(8);
const MEMORY_MAX: u64 = 300 << 20;
const LIMITS: &str = "--time-max 1s --memory-max 300MiB";

/// A name, and a body of `test/0` that takes too long or too much in one event.
const PROGRAMS: &[(&str, &str)] = &[
    ("seq", "length(lists:seq(1, 200000000))"),
    ("duplicate", "length(lists:duplicate(200000000, x))"),
    ("append", "G = fun G(L, 0) -> L; G(L, N) -> G(L ++ L, N - 1) end, length(G([1], 60))"),
    ("wide_string", "io:format(\"~200000000s\", [\"x\"])"),
    ("wide_characters", "length(io_lib:format(\"~*c\", [300000000, $x]))"),
    ("wide_number", "length(lists:flatten(io_lib:format(\"~100000000w\", [1])))"),
    ("copy", "byte_size(binary:copy(<<0>>, 20000000000))"),
    ("zeros", "N = 80000000000, byte_size(<<0:N>>)"),
    (
        "replace",
        "B = binary:copy(<<$a>>, 100000), byte_size(binary:replace(B, <<$a>>, B, [global]))",
    ),
    ("power", "P = fun P(X, 0) -> X; P(X, N) -> P(X * X, N - 1) end, P(3, 40) rem 7"),
    ("quotient", "X = 1 bsl 60000000 + 1, Y = 1 bsl 30000000 + 1, X div Y"),
    ("digits", "length(integer_to_list(1 bsl 60000000))"),
    ("to_list", "length(binary_to_list(binary:copy(<<1>>, 50000000)))"),
    ("fibonacci", "F = fun F(N) when N < 2 -> N; F(N) -> F(N - 1) + F(N - 2) end, F(45)"),
    ("comprehension", "length([{X, Y} || X <- lists:seq(1, 100000), Y <- lists:seq(1, 100000)])"),
    ("loop", "F = fun F() -> F() end, F()"),
    ("recursion", "F = fun F(N) -> 1 + F(N + 1) end, F(0)"),
    ("list_that_grows", "F = fun F(L) -> F([x | L]) end, F([])"),
    ("map_that_grows", "F = fun F(N, M) -> F(N + 1, M#{N => N}) end, F(0, #{})"),
    ("binary_that_grows", "F = fun F(B) -> F(<<B/binary, B/binary, 1>>) end, F(<<1>>)"),
    ("shared_hash", "erlang:phash2(shared())"),
    ("shared_equality", "A = shared(), B = shared(), A =:= B"),
    ("shared_order", "A = shared(), B = shared(), [A | 1] < [B | 2]"),
    ("shared_text", "length(io_lib:format(\"~p\", [shared()]))"),
    ("shared_bytes", "byte_size(term_to_binary(shared()))"),
    ("shared_flat", "length(lists:flatten(shared()))"),
    ("shared_iolist", "byte_size(iolist_to_binary(shared()))"),
    ("regular_expression", "re:run(lists:duplicate(60, $a) ++ \"b\", \"(a+)+c\")"),
    ("subtract", "L = lists:seq(1, 400000), lists:reverse(L) -- [-1 | L]"),
];

fn program(body: &str) -> String {
    format!(
        "-module(m).\n-export([test/0]).\n-compile(nowarn_unused_function).\n\
         shared() -> lists:foldl(fun(_, L) -> [L | L] end, [], lists:seq(1, 60)).\n\
         test() -> {body}.\n"
    )
}

/// Runs a command under the limits and checks that they were kept.
fn limited(place: &Place, line: &str) -> Said {
    let started = Instant::now();
    let said = place.foresee(&format!("{line} {LIMITS} --format json"));
    let took = started.elapsed();
    let json = said.json();
    assert!(took < TIME_MAX + LATE_MAX, "{line} took {took:?}: {}", said.out);
    let peak = json["peak_memory_bytes"].as_u64().expect("it is told");
    assert!(peak < MEMORY_MAX / 10 * 11, "{line} had {} MiB: {}", peak >> 20, said.out);
    said
}

fn is_stopped(place: &Place, line: &str) {
    let said = limited(place, line);
    let json = said.json();
    assert_eq!((said.code, &json["verdict"]), (3, &"inconclusive".into()), "{line}: {}", said.out);
    let by = json["stopped_by"].as_str();
    assert!(by == Some("time") || by == Some("memory"), "{line}: {}", said.out);
}

fn all_are_stopped(command: &str) {
    for (_, body) in PROGRAMS {
        let place = Place::new();
        place.write("m.erl", &program(body));
        is_stopped(&place, &format!("{command} m.erl"));
    }
}

#[test]
fn inside_one_event_of_an_interleaving() {
    all_are_stopped("check --engine stateless");
}

#[test]
fn inside_one_event_between_two_states() {
    all_are_stopped("check --engine stateful");
}

#[test]
fn inside_one_event_of_a_simulation() {
    all_are_stopped("simulate");
}

#[test]
fn inside_one_long_run() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([test/0]).\n\
         test() -> S = self(), N = 3000, [spawn(fun() -> S ! I end) || I <- lists:seq(1, N)],\n\
         \u{20}   [receive _ -> ok end || _ <- lists:seq(1, N)], ok.\n",
    );
    is_stopped(&place, "check m.erl --depth-max 1000000");
}

#[test]
fn a_mailbox_may_grow_until_a_limit_is_reached() {
    let place = Place::new();
    place.write("m.erl", "-module(m).\n-export([test/0]).\ntest() -> self() ! tick, test().\n");
    is_stopped(&place, "check m.erl --depth-max 100000000");
    is_stopped(&place, "simulate m.erl --depth-max 100000000");
    // Without a limit that would end it, it is taken to have no end.
    assert_eq!(place.foresee("simulate m.erl --depth-max 100000000").code, 2);
}

#[test]
fn what_was_wrong_before_the_limit_stays_wrong() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([test/0]).\n\
         test() -> {_, R} = spawn_monitor(fun() -> exit(wrong) end),\n\
         \u{20}   receive {'DOWN', R, _, _, _} -> loop() end.\nloop() -> loop().\n",
    );
    for command in ["check --keep-going m.erl", "check --engine stateful --keep-going m.erl"] {
        let said = limited(&place, command);
        let json = said.json();
        let verdict = (said.code, &json["verdict"], &json["stopped_by"]);
        assert_eq!(verdict, (1, &"violated".into(), &"time".into()), "{command}: {}", said.out);
        let trace = json["violations"][0]["trace"].as_str().expect("its trace is saved");
        assert!(place.has(trace), "{command}");
    }
}

#[test]
fn walks_go_on_until_a_limit_is_reached() {
    let place = Place::new();
    let said = limited(&place, "check ping clients=1 pings=2 --strategy random");
    let json = said.json();
    assert_eq!((said.code, &json["stopped_by"]), (3, &"time".into()), "{}", said.out);
    assert!(json["interleavings"].as_u64() > Some(1000), "{}", said.out);
}

#[test]
fn the_evidence_of_a_long_run_is_not_made_where_it_is_not_shown() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([test/0]).\n\
         test() -> Me = self(), N = 1000,\n\
         \u{20}   Ps = [spawn(fun() -> receive {go, X} -> Me ! {sum, X} end end) || _ <- lists:seq(1, N)],\n\
         \u{20}   [P ! {go, I} || {P, I} <- lists:zip(Ps, lists:seq(1, N))],\n\
         \u{20}   io:format(\"~p~n\", [lists:sum([receive {sum, X} -> X end || _ <- Ps])]),\n\
         \u{20}   Q = spawn(fun() -> receive never -> ok end end), exit(Q, kill).\n",
    );
    let said = place.foresee("simulate m.erl --output-only");
    said.expect(1, &["500500"], &["killed"]);
    let said = place.foresee("simulate m.erl --quiet");
    said.expect(1, &["violated: abnormal_exit"], &["too long to be told step by step"]);
}

#[test]
fn rewriting_without_end_is_stopped() {
    let place = Place::new();
    place.write(
        "endless.mcrl",
        "sort Nat Bool\nfunc 0: -> Nat\n     S: Nat -> Nat\n     T,F: -> Bool\nmap up,on: Nat -> Nat\nvar n: Nat\n\
         rew up(n) = on(S(n))\n    on(n) = up(S(n))\nact a: Nat\nproc X = a(up(0)) . X\ninit X\n",
    );
    for command in ["check endless.mcrl", "lts endless.mcrl", "simulate endless.mcrl"] {
        is_stopped(&place, command);
    }
    // Without a limit that would end it, it is taken to have no end.
    assert_eq!(place.foresee("check endless.mcrl").code, 2);
}
