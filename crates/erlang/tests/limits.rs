//! What grows without end stops the process with its line, and what comes to an end does not.

use foresee_erlang::{Entry, Erlang, Limits, Options, Outcome, SourceText, load, simulate};
use foresee_erlang_syntax::no_includes;
use foresee_lts::{FaultKind, System};
use foresee_stdx::halt::{self, Cause, Halted, Probe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn system(text: &str, options: Options) -> Erlang {
    let text = format!("-module(m).\n-export([main/0]).\n{text}");
    let file = SourceText { path: "m.erl", text: &text };
    let program = load(&[file], &Default::default(), &mut no_includes).program.expect("a program");
    Erlang::new(program, Entry::new("m", "main"), options)
}

fn stuck(text: &str, options: Options) -> (String, String) {
    let system = system(text, options);
    let run = simulate(&system, 1, Limits::default(), |_| ());
    let Outcome::Stuck(pid, what) = run.outcome else { panic!("{:?}", run.outcome) };
    let fault = system.fault(&run.state).expect("a fault");
    assert_eq!(fault.kind, FaultKind::Unmodelled);
    (pid.to_string(), what)
}

#[test]
fn a_flooded_process_is_named_with_its_line() {
    let text = "main() -> P = spawn(fun() ->\n receive never -> ok end end), flood(P).\n\
                flood(P) -> P ! tick, flood(P).\n";
    let (pid, what) = stuck(text, Options { messages_max: 2_000, ..Options::default() });
    assert_eq!(pid, "<P.1>");
    assert_eq!(what, "a mailbox of more than 2000 messages at m.erl:4");
}

#[test]
fn a_process_that_keeps_everything_is_named_with_its_line() {
    let options = || Options { heap_max: 2_000, ..Options::default() };
    let variables = "main() -> keep([]).\nkeep(All) ->\n self() ! x,\n\
                     receive X -> keep([X | All]) end.\n";
    let (pid, what) = stuck(variables, options());
    assert_eq!(pid, "<P>");
    assert!(what.starts_with("a heap of more than 2000 terms at m.erl:"), "{what}");
    let dictionary = "main() -> put(all, []), keep().\nkeep() ->\n self() ! x,\n\
                      receive X -> put(all, [X | get(all)]), keep() end.\n";
    let (_, what) = stuck(dictionary, options());
    assert!(what.starts_with("a heap of more than 2000 terms at m.erl:"), "{what}");
}

#[test]
fn growth_between_two_operations_is_found_before_the_budget_is_used_up() {
    let text = "main() -> grow([]).\ngrow(All) -> grow([x | All]).\n";
    let (_, what) = stuck(text, Options { heap_max: 100_000, ..Options::default() });
    assert_eq!(what, "a heap of more than 100000 terms at m.erl:4");
}

#[test]
fn what_is_shared_counts_once_and_what_is_let_go_does_not_count() {
    let shared = "main() -> double(60, []).\ndouble(0, _) -> ok;\n\
                  double(N, All) -> self() ! x, receive x -> double(N - 1, [All | All]) end.\n";
    let dropped = "main() -> loop(3000).\nloop(0) -> ok;\n\
                   loop(N) -> self() ! lists:seq(1, 100), receive _ -> loop(N - 1) end.\n";
    for text in [shared, dropped] {
        let system = system(text, Options { heap_max: 1_000, ..Options::default() });
        let run = simulate(&system, 1, Limits::default(), |_| ());
        assert_eq!(run.outcome, Outcome::Finished);
    }
}

#[test]
fn a_long_mailbox_is_searched_for_what_matches() {
    let text = "main() -> [self() ! N || N <- lists:seq(1, 3000)], self() ! last,\n\
                receive last -> ok end, receive 1500 -> ok end, sum(2999, 0).\n\
                sum(0, S) -> S = 4501500 - 1500;\n sum(N, S) -> receive X -> sum(N - 1, S + X) end.\n";
    let system = system(text, Options::default());
    let run = simulate(&system, 1, Limits::default(), |_| ());
    assert_eq!((run.outcome, run.failures), (Outcome::Finished, vec![]));
}

/// Grants a few megabytes at a time, counts what was asked for, and strikes after so many looks.
struct Stingy {
    looks: AtomicU32,
    looks_max: u32,
    is_limiting: bool,
}

impl Probe for Stingy {
    fn struck(&self) -> Option<Cause> {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        (looks >= self.looks_max).then_some(Cause::Time)
    }
    fn grants(&self, bytes: u64) -> bool {
        bytes < 4 << 20
    }
    fn limits_time(&self) -> bool {
        self.is_limiting
    }
    fn limits_memory(&self) -> bool {
        self.is_limiting
    }
}

fn run_watched(body: &str, looks_max: u32) -> Result<Outcome, Halted> {
    let system = system(&format!("main() -> {body}.\n"), Options::default());
    let probe = Stingy { looks: AtomicU32::new(0), looks_max, is_limiting: true };
    let _watching = halt::watch(Some(Arc::new(probe)));
    halt::until_halted(|| simulate(&system, 1, Limits::default(), |_| ()).outcome)
}

/// Each makes something much larger than what it is given, or would go on for ages with it.
#[test]
fn what_is_large_is_asked_for_before_it_is_made() {
    let bodies = [
        "lists:seq(1, 1000000000000)",
        "lists:seq(1, 1000000000000000, 3)",
        "lists:duplicate(1000000000000, x)",
        "erlang:make_tuple(16000000, x)",
        "binary:copy(<<1, 2>>, 1000000000000)",
        "N = 1000000000000, <<0:N>>",
        "N = 1000000000000, <<1:N/little>>",
        "io_lib:format(\"~1000000000000s\", [\"x\"])",
        "io_lib:format(\"~-1000000000000w\", [x])",
        "io_lib:format(\"~.1000000000000s\", [\"x\"])",
        "io_lib:format(\"~*c\", [1000000000000, $x])",
        "io_lib:format(\"~1000000000000n\", [])",
        "io:format(\"~1000000000000c\", [$x])",
        "rand:bytes(1000000000000)",
        "1 bsl 60000000",
        "X = 1 bsl 20000000, X * X",
        "B = binary:copy(<<$a>>, 5000), binary:replace(B, <<$a>>, B, [global])",
        "binary_to_list(binary:copy(<<1>>, 1000000))",
        "F = fun F(L) -> F(L ++ L) end, F([1])",
        "F = fun F(B) -> F(<<B/binary, B/binary>>) end, F(<<1>>)",
        "iolist_to_binary(lists:foldl(fun(_, X) -> [X, X] end, \
         binary:copy(<<1>>, 1000), lists:seq(1, 40)))",
        "F = fun F(N) -> 1 + F(N + 1) end, F(0)",
    ];
    for body in bodies {
        let halted = run_watched(body, u32::MAX).map(drop);
        let cause = halted.map_err(|halted| halted.cause);
        assert_eq!(cause, Err(Cause::Memory), "{body}");
    }
}

#[test]
fn what_takes_long_looks_now_and_then() {
    let shared = "lists:foldl(fun(_, L) -> [L | L] end, [], lists:seq(1, 60))";
    let tuples = "lists:foldl(fun(_, L) -> {L, L} end, x, lists:seq(1, 60))";
    let bodies = [
        "F = fun F() -> F() end, F()".to_owned(),
        "[ok || X <- lists:seq(1, 30000), Y <- lists:seq(1, 30000), X > Y * Y * Y]".to_owned(),
        format!("erlang:phash2({shared})"),
        format!("erlang:phash2({tuples})"),
        format!("{shared} =:= {shared}"),
        format!("{tuples} =:= {tuples}"),
        format!("{{{tuples}, 1}} < {{{tuples}, 2}}"),
        format!("[{shared} | a] < [{shared} | b]"),
        format!("term_to_binary({tuples})"),
        format!("io_lib:format(\"~w\", [{tuples}])"),
        format!("io_lib:format(\"~p\", [{shared}])"),
        format!("lists:flatten({shared})"),
        format!("iolist_size({shared})"),
        format!("unicode:characters_to_binary({shared})"),
        "integer_to_list(3 bsl 4000000)".to_owned(),
        "binary_to_integer(binary:copy(<<$7>>, 400000))".to_owned(),
        "L = lists:seq(1, 20000), L -- [-1 | lists:seq(30000, 50000)]".to_owned(),
    ];
    for body in bodies {
        let halted = run_watched(&body, 12);
        let cause = halted.map(drop).map_err(|halted| halted.cause);
        assert_eq!(cause, Err(Cause::Time), "{body}");
    }
}

#[test]
fn who_was_stopped_where_is_known() {
    let Err(halted) = run_watched("lists:seq(1, 1000000000000)", u32::MAX) else {
        panic!("not halted")
    };
    assert_eq!(halted.place.as_deref(), Some("<P> computes m:main/0 at m.erl:3"));
    let Err(halted) = run_watched("io:format(\"~1000000000000c\", [$x])", u32::MAX) else {
        panic!("not halted")
    };
    assert_eq!(halted.place.as_deref(), Some("<P> carries out io:format/2"));
}

/// A limit that would end it leaves the judgement to the limit; without one growth is still growth.
#[test]
fn a_limit_wins_over_what_is_taken_for_endless() {
    let text =
        "main() -> grow(0, []).\ngrow(300000, _) -> ok;\ngrow(N, All) -> grow(N + 1, [x | All]).\n";
    let small = || Options { heap_max: 1_000, budget: 200_000, ..Options::default() };
    let system = system(text, small());
    for (is_limiting, is_stuck) in [(true, false), (false, true)] {
        let probe = Stingy { looks: AtomicU32::new(0), looks_max: u32::MAX, is_limiting };
        let _watching = halt::watch(Some(Arc::new(probe)));
        let run = simulate(&system, 1, Limits::default(), |_| ());
        assert_eq!(matches!(run.outcome, Outcome::Stuck(..)), is_stuck, "{:?}", run.outcome);
    }
}
