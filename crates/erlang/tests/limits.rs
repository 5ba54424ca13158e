//! What grows without end stops the process with its line, and what comes to an end does not.

use foresee_erlang::{Entry, Erlang, Limits, Options, Outcome, SourceText, load, simulate};
use foresee_erlang_syntax::no_includes;
use foresee_lts::{FaultKind, System};

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
