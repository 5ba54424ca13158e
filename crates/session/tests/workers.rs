//! Several threads explore interleavings, and the report does not tell.

use foresee_session::{
    CheckRequest, ErlangOptions, ErlangRequest, Ignored, NoMeter, Outcome, Report, Silent, check,
    load_erlang,
};
use std::collections::BTreeMap;

fn explore(body: &str, threads: usize) -> Report {
    let text = format!("-module(m).\n-export([test/0]).\n{body}\n");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let options = ErlangOptions { ignored: vec![Ignored::Deadlock], ..ErlangOptions::default() };
    let request =
        ErlangRequest { files: vec!["m.erl".to_owned()], options, ..ErlangRequest::default() };
    let program = load_erlang(&request, &files).expect("a sound program");
    let request = CheckRequest { threads, ..CheckRequest::default() };
    // How many threads there were is said, of course, and what the caches took.
    let mut report = check(&program, &request, &NoMeter, &mut Silent);
    report.threads = 1;
    report.extras.search_bytes = 0;
    report
}

/// Seven senders, and what their receiver makes of the order.
fn senders(judge: &str) -> String {
    format!(
        "test() -> Self = self(), [spawn(fun() -> Self ! N end) || N <- lists:seq(1, 7)],\n\
         judge([receive N -> N end || _ <- lists:seq(1, 7)]).\n{judge}"
    )
}

#[track_caller]
fn assert_same(body: &str, verdict: Outcome) -> Report {
    let alone = explore(body, 1);
    assert_eq!(alone.verdict, verdict, "{:?}", alone.error);
    for threads in [2, 3] {
        assert_eq!(format!("{:?}", explore(body, threads)), format!("{alone:?}"), "{threads}");
    }
    alone
}

#[test]
fn what_holds_has_the_same_numbers() {
    let report = assert_same(&senders("judge(_) -> ok."), Outcome::Holds);
    assert_eq!(report.interleavings, 5_040);
    let readers = "test() -> T = ets:new(t, [public]), ets:insert(T, {x, 0}),\n\
         [spawn(fun() -> ets:lookup(T, x) end) || _ <- lists:seq(1, 12)],\n\
         spawn(fun() -> ets:insert(T, {x, 1}) end), receive after infinity -> ok end.";
    assert_eq!(assert_same(readers, Outcome::Holds).interleavings, 4_096);
}

/// The error comes when several threads are already at work.
#[test]
fn what_is_violated_late_has_the_same_run() {
    let judge = "judge([7, 6, 5 | _]) -> error(backwards);\njudge(_) -> ok.";
    let report = assert_same(&senders(judge), Outcome::Violated);
    assert!(report.interleavings > 2_000, "{}", report.interleavings);
    assert_eq!(report.violations[0].interleaving, report.interleavings);
}
