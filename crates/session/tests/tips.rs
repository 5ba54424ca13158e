//! Warnings and tips: each with a program that brings it about, and silent where it does not apply.

use foresee_session::{
    CheckRequest, Engine, ErlangOptions, ErlangSource, NoMeter, Outcome, Registry, Report, Silent,
    ViolationKind, check, open,
};
use std::collections::BTreeMap;

const SERVER: &str = "init(_) -> {ok, 0}.\nhandle_call(_, _, S) -> {reply, S, S + 1}.\nhandle_cast(_, S) -> {noreply, S}.\n";

fn checked(body: &str, options: ErlangOptions, request: &CheckRequest) -> Report {
    let exports = "-export([test/0, init/1, handle_call/3, handle_cast/2]).";
    let text = format!("-module(m).\n{exports}\n{body}\n{SERVER}");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let what = ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&what.into(), &Registry::new(), &files).expect("a sound program");
    let report = check(&program, request, &NoMeter, &mut Silent);
    assert!(report.error.is_none(), "{:?}", report.error);
    report
}

fn both(body: &str) -> [Report; 2] {
    [Engine::Stateless, Engine::Stateful].map(|engine| {
        let request = CheckRequest { engine: Some(engine), ..CheckRequest::default() };
        checked(body, ErlangOptions::default(), &request)
    })
}

fn keeping_going(body: &str) -> Report {
    let request = CheckRequest { keep_going: true, ..CheckRequest::default() };
    checked(body, ErlangOptions::default(), &request)
}

#[test]
fn a_shutdown_may_be_meant() {
    let tip = "a supervisor ends its children with the reason shutdown, and so does who stops in good order: with \
               --treat-as-normal shutdown that is no error";
    for reason in ["shutdown", "{shutdown, done}"] {
        for report in both(&format!("test() -> spawn(fun() -> exit({reason}) end).")) {
            assert_eq!(report.violations[0].kind, ViolationKind::AbnormalExit);
            assert_eq!(report.warnings, [tip]);
        }
    }
    for reason in ["broken", "{error, shutdown}", "{shut, down}"] {
        for report in both(&format!("test() -> spawn(fun() -> exit({reason}) end).")) {
            assert_eq!((report.verdict, report.warnings), (Outcome::Violated, Vec::new()));
        }
    }
    let options =
        ErlangOptions { normal_reasons: vec!["shutdown".to_owned()], ..ErlangOptions::default() };
    let body = "test() -> spawn(fun() -> exit({shutdown, done}) end).";
    let report = checked(body, options, &CheckRequest::default());
    assert_eq!((report.verdict, report.warnings), (Outcome::Holds, Vec::new()));
}

#[test]
fn a_kill_may_be_meant() {
    let tip = "who gets an exit signal with the reason kill ends with the reason killed: if the test means to kill it, \
               --treat-as-normal killed says that this is no error";
    for report in both("test() -> P = spawn(fun() -> receive go -> ok end end), exit(P, kill).") {
        assert_eq!(report.violations[0].kind, ViolationKind::AbnormalExit);
        assert_eq!(report.warnings, [tip]);
    }
    // Others who end because of it say more.
    for report in both("test() -> exit({killed, {gen_server, call, [server, ask]}}).") {
        assert_eq!((report.verdict, report.warnings), (Outcome::Violated, Vec::new()));
    }
}

#[test]
fn servers_may_be_left_waiting() {
    let tip = "the first process has ended and others still wait: if they are servers, stop them at the end of the test, or \
               say with --ignore-error deadlock that they may wait";
    for body in [
        "test() -> {ok, S} = gen_server:start(m, 0, []), gen_server:cast(S, go).",
        "test() -> spawn(fun Loop() -> receive _ -> Loop() end end).",
    ] {
        for report in both(body) {
            assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
            assert_eq!(report.warnings, [tip], "{body}");
        }
    }
    // The first process itself waits in vain: no question of servers.
    for report in both("test() -> {ok, _} = gen_server:start(m, 0, []), receive never -> ok end.") {
        assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
        assert_eq!(report.warnings, Vec::<String>::new());
    }
}

#[test]
fn a_call_that_gives_up_is_told_with_its_own_time() {
    let call = |arguments: &str| {
        format!(
            "test() -> {{ok, S}} = gen_server:start(m, 0, []),\n 0 = gen_server:call({arguments}),\n gen_server:stop(S)."
        )
    };
    for (arguments, told, ms) in [
        ("S, get", "5000 ms (a call waits that long unless it says otherwise)", 5000),
        ("S, get, 700", "700 ms", 700),
    ] {
        let tip = format!(
            "a timeout of {told} fires in this run, at m.erl:4: any finite timeout may, whatever its length; --after-timeout {ms} \
             keeps those of {ms} ms and more from firing"
        );
        for report in both(&call(arguments)) {
            assert_eq!(report.verdict, Outcome::Violated);
            // One that the program does not write itself is held back first, which is said too.
            let held_back = usize::from(ms == 5000);
            assert_eq!(report.warnings.len(), 1 + held_back, "{:?}", report.warnings);
            assert_eq!(report.warnings[held_back], tip);
        }
        // What it says is true.
        let options = ErlangOptions { after_timeout: Some(ms), ..ErlangOptions::default() };
        let report = checked(&call(arguments), options, &CheckRequest::default());
        assert_eq!((report.verdict, report.warnings), (Outcome::Holds, Vec::new()));
    }
    for report in both(&call("S, get, infinity")) {
        assert_eq!((report.verdict, report.warnings), (Outcome::Holds, Vec::new()));
    }
}

#[test]
fn a_receive_that_gives_up_is_told() {
    let waits = |ms: &str| {
        format!(
            "test() -> S = self(), spawn(fun() -> S ! go end),\n receive go -> ok after {ms} -> exit(late) end."
        )
    };
    for report in both(&waits("50")) {
        let tip = "a timeout of 50 ms fires in this run, at m.erl:4: any finite timeout may, whatever its length; \
                   --after-timeout 50 keeps those of 50 ms and more from firing";
        assert_eq!(report.warnings, [tip]);
    }
    // To ask whether something is there and not to wait is no timeout that anybody would forbid.
    for report in both(&waits("0")) {
        assert_eq!((report.verdict, report.warnings), (Outcome::Violated, Vec::new()));
    }
}

#[test]
fn timeouts_that_dominate_are_said() {
    let clients = |time: &str| {
        format!(
            "test() -> Server = spawn(fun() -> serve(4) end),\n\
             [spawn(fun() -> ask(Server) end) || _ <- [1, 2, 3, 4]].\n\
             ask(Server) -> Server ! {{self(), hi}},\n receive {{Server, ok}} -> ok after {time} -> ok end.\n\
             serve(0) -> ok;\n\
             serve(N) -> receive {{P, hi}} -> P ! {{self(), ok}}, serve(N - 1) end."
        )
    };
    let request = CheckRequest::default();
    let report = checked(&clients("100"), ErlangOptions::default(), &request);
    let tip = "a timeout fires in 94 of the first 100 interleavings, the longest of 100 ms, at m.erl:6: without it there are \
               fewer; --after-timeout 100 keeps those of 100 ms and more from firing";
    assert_eq!((report.verdict, report.warnings), (Outcome::Holds, vec![tip.to_owned()]));
    let options = ErlangOptions { after_timeout: Some(100), ..ErlangOptions::default() };
    let short = checked(&clients("100"), options, &request);
    assert_eq!((report.interleavings, short.interleavings), (384, 24), "the advice helps");
    assert_eq!(short.warnings, Vec::<String>::new());
    let report = checked(&clients("0"), ErlangOptions::default(), &request);
    assert_eq!((report.interleavings, report.warnings), (384, Vec::new()));
    let senders = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- lists:seq(1, 5)],\n\
                   [receive X -> X after infinity -> ok end || _ <- lists:seq(1, 5)].";
    let report = checked(senders, ErlangOptions::default(), &request);
    assert_eq!((report.interleavings, report.warnings), (120, Vec::new()));
}

#[test]
fn errors_of_every_run_are_told_apart_from_those_of_some() {
    let senders = |n: u32, end: &str| {
        format!(
            "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- lists:seq(1, {n})],\n\
             Got = [receive X -> X end || _ <- lists:seq(1, {n})], {end}."
        )
    };
    let report = keeping_going(&senders(3, "exit({broken, Got})"));
    assert_eq!((report.interleavings, report.erroneous_interleavings), (6, 6));
    let tip = "all 6 interleavings end with an error: look at the first one before the others; what is no error can be left \
               out with --treat-as-normal REASON or --ignore-error KIND";
    assert_eq!(report.warnings, [tip]);
    let report = keeping_going(&senders(3, "hd(Got) =:= 3 andalso exit(broken)"));
    assert!(report.erroneous_interleavings > 0);
    assert_eq!(report.warnings, Vec::<String>::new());
    let limits = foresee_session::Limits { interleavings_max: Some(50), ..Default::default() };
    let request = CheckRequest { keep_going: true, limits, ..CheckRequest::default() };
    let report = checked(&senders(5, "exit(broken)"), ErlangOptions::default(), &request);
    assert!(
        report.warnings[0].starts_with("each of the first 50 interleavings ends with an error")
    );
    // Without --keep-going there is one run with an error, and it says all there is to say.
    let report =
        checked(&senders(3, "exit(broken)"), ErlangOptions::default(), &CheckRequest::default());
    assert_eq!((report.erroneous_interleavings, report.warnings), (1, Vec::new()));
}

#[test]
fn a_bound_that_cut_something_is_said() {
    let body = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]],\n\
                [receive _ -> ok end || _ <- [1, 2, 3]].";
    let bounded = |max| {
        let mut request = CheckRequest::default();
        request.interleavings.bound = Some(max);
        checked(body, ErlangOptions::default(), &request)
    };
    let report = bounded(1);
    assert_eq!(report.verdict, Outcome::Inconclusive);
    let tip =
        "--bound 1 left out interleavings; a larger bound explores more of them, none explores all";
    assert_eq!(report.warnings, [tip]);
    let report = bounded(20);
    assert_eq!(
        (report.verdict, report.interleavings, report.warnings),
        (Outcome::Holds, 6, Vec::new())
    );
}
