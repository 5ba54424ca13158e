//! Default call timeouts are held back: an error that needs one is not the first thing shown when there is another.

use foresee_session::{
    CheckRequest, Dpor, Engine, ErlangSource, HeldBack, InterleavingOptions, Limits, Loaded,
    NoMeter, Outcome, Registry, Report, Silent, Strategy, ViolationKind, check, open,
};
use std::collections::BTreeMap;

/// A server, and a test that calls it in these words.
fn program(test: &str) -> Loaded {
    let text = format!(
        "-module(m).\n-behaviour(gen_server).\n\
         -export([test/0, init/1, handle_call/3, handle_cast/2]).\n\
         init(N) -> {{ok, N}}.\n\
         handle_call(get, _, N) -> {{reply, N, N}};\nhandle_call({{set, M}}, _, _) -> {{reply, ok, M}};\n\
         handle_call(stop, _, N) -> {{stop, normal, ok, N}}.\n\
         handle_cast(_, N) -> {{noreply, N}}.\n\
         test() ->\n    {{ok, S}} = gen_server:start_link(m, 0, []),\n    {test}\n"
    );
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let request = ErlangSource { files: vec!["m.erl".to_owned()], ..ErlangSource::default() };
    open(&request.into(), &Registry::new(), &files)
        .unwrap_or_else(|news| panic!("{}", news.message))
}

/// Two clients that read, then write: one update is lost in some orders. Every call may also time out.
const LOST_UPDATE: &str = "Self = self(),\n    \
    Add = fun() -> N = gen_server:call(S, get), ok = gen_server:call(S, {set, N + 1}), Self ! done end,\n    \
    spawn_link(Add), spawn_link(Add),\n    \
    receive done -> ok end, receive done -> ok end,\n    \
    2 = gen_server:call(S, get, infinity), gen_server:call(S, stop, infinity).";

fn ways() -> Vec<(String, CheckRequest)> {
    let mut ways = Vec::new();
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        let engine = Some(Engine::Stateful);
        ways.push((
            format!("{strategy:?}"),
            CheckRequest { engine, strategy, ..CheckRequest::default() },
        ));
    }
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::Persistent] {
        let interleavings = InterleavingOptions { dpor: Some(dpor), ..Default::default() };
        let engine = Some(Engine::Stateless);
        ways.push((
            format!("{dpor:?}"),
            CheckRequest { engine, interleavings, ..CheckRequest::default() },
        ));
    }
    ways
}

fn checked(loaded: &Loaded, request: &CheckRequest) -> Report {
    check(loaded, request, &NoMeter, &mut Silent)
}

fn is_about_a_timeout(report: &Report) -> bool {
    report.violations[0].message.contains("timeout")
}

fn says(report: &Report, part: &str) -> bool {
    report.warnings.iter().any(|warning| warning.contains(part))
}

#[test]
fn another_error_is_shown_first() {
    let loaded = program(LOST_UPDATE);
    let mut n_held = 0;
    for (way, request) in ways() {
        let report = checked(&loaded, &request);
        assert_eq!((report.verdict, report.violations.len()), (Outcome::Violated, 1), "{way}");
        let message = &report.violations[0].message;
        assert!(message.contains("{badmatch,1}"), "{way}: {message}");
        n_held += usize::from(says(&report, "held back; --keep-going"));
        assert!(!says(&report, "as many events again"), "{way}");
    }
    assert!(n_held >= 2, "in most ways a timeout comes first: {n_held}");
}

#[test]
fn the_timeout_is_shown_when_there_is_nothing_else() {
    let test = "0 = gen_server:call(S, get), gen_server:call(S, stop, infinity).";
    for (way, request) in ways() {
        let report = checked(&program(test), &request);
        assert_eq!(report.verdict, Outcome::Violated, "{way}");
        assert!(is_about_a_timeout(&report), "{way}: {}", report.violations[0].message);
        assert!(says(&report, "as many events again"), "{way}: {:?}", report.warnings);
    }
}

/// `sys` waits as long as a call does, unless it is told otherwise.
#[test]
fn the_default_timeout_of_sys_is_held_back_too() {
    let test = "sys:suspend(S), ok = sys:resume(S), 0 = sys:get_state(S), exit(wrong).";
    for (way, request) in ways() {
        let message = checked(&program(test), &request).violations.swap_remove(0).message;
        assert!(message.contains("wrong"), "{way}: {message}");
    }
    let written = "sys:suspend(S, 5000), ok = sys:resume(S), exit(wrong).";
    let (way, request) = ways().swap_remove(0);
    let message = checked(&program(written), &request).violations.swap_remove(0).message;
    assert!(message.contains("timeout"), "{way}: {message}");
}

/// A timeout that the program has written is an error like any other.
#[test]
fn a_written_timeout_is_not_held_back() {
    let test = "0 = gen_server:call(S, get, 5000), gen_server:call(S, stop, infinity).";
    for (way, request) in ways() {
        let report = checked(&program(test), &request);
        assert!(is_about_a_timeout(&report) && !says(&report, "held back"), "{way}");
    }
    // Of one of each, the written one is shown.
    let both = "Self = self(), spawn_link(fun() -> gen_server:call(S, get), Self ! ok end), \
        gen_server:call(S, get, 77), receive ok -> ok end, gen_server:call(S, stop, infinity).";
    for (way, request) in ways() {
        let report = checked(&program(both), &request);
        let message = &report.violations[0].message;
        assert!(message.contains("get,77"), "{way}: {message}");
    }
}

#[test]
fn all_are_told_with_keep_going_the_timeout_last() {
    for (way, request) in ways() {
        let request = CheckRequest { keep_going: true, ..request };
        let report = checked(&program(LOST_UPDATE), &request);
        let is_timeout: Vec<bool> =
            report.violations.iter().map(|found| found.message.contains("timeout")).collect();
        assert!(is_timeout.contains(&true) && is_timeout.contains(&false), "{way}");
        assert!(is_timeout.is_sorted(), "{way}: {is_timeout:?}");
        assert!(!says(&report, "held back"), "{way}");
    }
}

#[test]
fn a_limit_meanwhile_does_not_take_the_error_away() {
    let test =
        "[gen_server:call(S, get) || _ <- lists:seq(1, 3)], gen_server:call(S, stop, infinity).";
    for (way, request) in ways() {
        let whole = checked(&program(test), &request);
        assert_eq!(whole.verdict, Outcome::Violated, "{way}");
        // A limit right after the error was met.
        let states_max = (whole.states > 0).then_some(whole.states);
        let interleavings_max = (whole.interleavings > 0).then_some(whole.interleavings);
        let limits = Limits { states_max, interleavings_max, ..Limits::none() };
        let report = checked(&program(test), &CheckRequest { limits, ..request });
        assert_eq!(report.verdict, Outcome::Violated, "{way}");
        assert_eq!(report.violations[0].kind, ViolationKind::AbnormalExit, "{way}");
        assert!(is_about_a_timeout(&report), "{way}");
    }
}

#[test]
fn threads_do_not_matter() {
    for (way, request) in ways() {
        let said = |threads: usize| {
            let request = CheckRequest { threads, ..request.clone() };
            let mut report = checked(&program(LOST_UPDATE), &request);
            report.warnings.retain(|warning| !warning.contains("--threads"));
            (report.threads, report.peak_memory_bytes) = (1, 0);
            report.to_json()
        };
        let alone = said(1);
        assert_eq!(said(2), alone, "{way}");
        assert_eq!(said(4), alone, "{way}");
    }
}

/// Timeouts that the program writes itself are no reason to look further, but for tests of a project.
#[test]
fn any_timeout_is_held_back_where_that_is_asked() {
    let text = LOST_UPDATE.replace("get)", "get, 1000)").replace("N + 1})", "N + 1}, 1000)");
    let lost = program(&text);
    let fine =
        program("ok = gen_server:call(S, {set, 1}, 1000), gen_server:call(S, stop, infinity).");
    for (name, request) in ways() {
        assert!(is_about_a_timeout(&checked(&lost, &request)), "{name}");
        let request = CheckRequest { held_back: HeldBack::Timeouts, ..request };
        let report = checked(&lost, &request);
        assert!(!is_about_a_timeout(&report), "{name}: {}", report.violations[0].message);
        let told = "an error that needs a timeout to fire was found first and held back";
        assert!(report.warnings.iter().any(|it| it.starts_with(told)), "{name}");
        let report = checked(&fine, &request);
        assert!(is_about_a_timeout(&report), "{name}");
        let told = "the error needs a timeout to fire, so it was held back";
        assert!(report.warnings.iter().any(|it| it.starts_with(told)), "{name}");
    }
}
