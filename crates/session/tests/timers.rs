//! Timers that are held back, and the second look with late messages.

use foresee_session::{
    CheckRequest, Engine, ErlangOptions, ErlangSource, NoMeter, Outcome, Registry, Report, Silent,
    StoppedBy, ViolationKind, check, open,
};
use std::collections::BTreeMap;

/// A server that sets its timer anew at every tick, and fails at the third.
const TICKS: &str = "test() -> loop(0).\n\
    loop(3) -> exit(third);\n\
    loop(N) -> erlang:send_after(10, self(), tick), receive tick -> loop(N + 1) end.\n";
/// The same with one timer that repeats, and without an end.
const INTERVAL: &str = "test() -> {ok, _} = timer:send_interval(10, tick), loop().\n\
    loop() -> receive tick -> loop() end.\n";
/// Waits for a timer of half a second.
const WAITS: &str = "test() -> erlang:send_after(500, self(), go), receive go -> ok end.\n";
/// Two who tick beside each other.
const TWO: &str = "test() -> [spawn(fun() -> tick(2) end) || _ <- [1, 2]].\n\
    tick(0) -> ok;\n\
    tick(N) -> erlang:send_after(1, self(), go), receive go -> tick(N - 1) end.\n";
/// What the server gets first depends on how long messages take: the first is on its way when the second is sent.
const LATE: &str = "test() -> S = spawn(fun() -> receive X -> first = X end end),\n\
    S ! first, spawn(fun() -> S ! second end).\n";

fn checked(body: &str, options: ErlangOptions, request: &CheckRequest) -> Report {
    let text = format!("-module(m).\n-export([test/0]).\n{body}\n");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let source =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&source.into(), &Registry::new(), &files).expect("a sound program");
    check(&program, request, &NoMeter, &mut Silent)
}

fn both(body: &str, options: &ErlangOptions) -> [Report; 2] {
    [Engine::Stateless, Engine::Stateful].map(|engine| {
        let request = CheckRequest { engine: Some(engine), ..CheckRequest::default() };
        checked(body, options.clone(), &request)
    })
}

fn firings(max: u32) -> ErlangOptions {
    ErlangOptions { timer_firings_max: Some(max), ..ErlangOptions::default() }
}

#[test]
fn timers_fire_so_often_for_one_process() {
    for report in both(TICKS, &firings(2)) {
        let answer = (report.verdict, report.stopped_by);
        assert_eq!(answer, (Outcome::Inconclusive, Some(StoppedBy::Timers)), "{}", report.engine);
    }
    for report in both(TICKS, &firings(3)) {
        assert_eq!(report.verdict, Outcome::Violated, "{}", report.engine);
    }
    for report in both(INTERVAL, &firings(5)) {
        let answer = (report.verdict, report.stopped_by);
        assert_eq!(answer, (Outcome::Inconclusive, Some(StoppedBy::Timers)), "{}", report.engine);
    }
}

#[test]
fn what_is_not_held_back_changes_nothing() {
    let plain = both(TWO, &ErlangOptions::default());
    let limited = both(TWO, &firings(2));
    for (plain, limited) in plain.iter().zip(&limited) {
        assert_eq!((plain.verdict, limited.verdict), (Outcome::Holds, Outcome::Holds));
        assert_eq!(plain.interleavings, limited.interleavings);
    }
    for report in both(TWO, &firings(1)) {
        assert_eq!(report.stopped_by, Some(StoppedBy::Timers));
    }
}

#[test]
fn long_timers_never_fire() {
    let below = |ms| ErlangOptions { send_after_timeout: Some(ms), ..ErlangOptions::default() };
    for report in both(WAITS, &below(500)) {
        assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
        assert!(report.assumed.is_empty() || report.verdict == Outcome::Violated);
    }
    for report in both(WAITS, &below(501)) {
        assert_eq!(report.verdict, Outcome::Holds);
        let assumed: Vec<String> = report.assumed.iter().map(ToString::to_string).collect();
        assert!(assumed.contains(&"timers of 501 ms and more never fire".to_owned()));
    }
}

#[test]
fn a_small_search_is_made_again_with_late_messages() {
    let request = CheckRequest { also_late: true, ..CheckRequest::default() };
    let report = checked(LATE, ErlangOptions::default(), &request);
    assert_eq!((report.verdict, report.interleavings), (Outcome::Holds, 1));
    let also = report.also_checked.expect("a second search");
    assert_eq!((also.verdict, also.violations.len()), (Outcome::Violated, 1));
    let trace = also.violations[0].run.as_ref().expect("a run");
    assert!(trace.to_string().contains("option: instant-delivery = false"));
    for instant_delivery in [Some(true), Some(false)] {
        let said = ErlangOptions { instant_delivery, ..ErlangOptions::default() };
        assert!(checked(LATE, said, &request).also_checked.is_none());
    }
    let also = checked(WAITS, ErlangOptions::default(), &request).also_checked;
    assert_eq!(also.expect("a second search").verdict, Outcome::Holds);
    assert!(checked(TICKS, ErlangOptions::default(), &request).also_checked.is_none());
}
