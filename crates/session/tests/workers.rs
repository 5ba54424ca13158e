//! Several threads explore interleavings, and the report does not tell.

use foresee_session::{
    CheckRequest, ErlangOptions, ErlangSource, Ignored, NoMeter, Outcome, Registry, Report, Silent,
    check, open,
};
use std::collections::BTreeMap;

fn explore(body: &str, threads: usize) -> Report {
    let text = format!("-module(m).\n-export([test/0]).\n{body}\n");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let options = ErlangOptions { ignored: vec![Ignored::Deadlock], ..ErlangOptions::default() };
    let request =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&request.into(), &Registry::new(), &files).expect("a sound program");
    let request = CheckRequest { threads, ..CheckRequest::default() };
    // How many threads there were is said, of course, and how much memory they took.
    let mut report = check(&program, &request, &NoMeter, &mut Silent);
    (report.threads, report.peak_memory_bytes, report.extras.search_bytes) = (1, 0, 0);
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
fn assert_same(body: &str, threads: usize, verdict: Outcome) -> Report {
    let alone = explore(body, 1);
    assert_eq!(alone.verdict, verdict, "{:?}", alone.error);
    assert_eq!(format!("{:?}", explore(body, threads)), format!("{alone:?}"));
    alone
}

#[test]
fn what_holds_has_the_same_numbers() {
    let readers = "test() -> T = ets:new(t, [public]), ets:insert(T, {x, 0}),\n\
         [spawn(fun() -> ets:lookup(T, x) end) || _ <- lists:seq(1, 12)],\n\
         spawn(fun() -> ets:insert(T, {x, 1}) end), receive after infinity -> ok end.";
    assert_eq!(assert_same(readers, 2, Outcome::Holds).interleavings, 4_096);
}

/// The error comes when several threads are already at work.
#[test]
fn what_is_violated_late_has_the_same_run() {
    let judge = "judge([7, 6, 5 | _]) -> error(backwards);\njudge(_) -> ok.";
    let report = assert_same(&senders(judge), 3, Outcome::Violated);
    assert!(report.interleavings > 2_000, "{}", report.interleavings);
    assert_eq!(report.violations[0].interleaving, report.interleavings);
}
