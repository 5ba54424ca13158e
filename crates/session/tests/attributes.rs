//! Every option that a module may carry, held against what the check does with it: honoured, or answered with a note.
//! The other way to set one, a flag, is held against the same programs where both exist.

use foresee_session::{
    CheckRequest, ErlangOptions, ErlangSource, Ignored, NoMeter, Outcome, Registry, Report, Silent,
    StoppedBy, ViolationKind, check, open,
};
use std::collections::BTreeMap;

/// Three messages, taken in the order of arrival.
const SENDERS: &str = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]],\n\
                       [receive _ -> ok end || _ <- [1, 2, 3]].";
/// Three messages, each waited for.
const SELECTIVE: &str = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]],\n\
                         [receive N -> ok end || N <- [1, 2, 3]].";
/// Fails in every run, after the messages have come.
const FAILS: &str = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]],\n\
                     [receive _ -> ok end || _ <- [1, 2, 3]], exit(broken).";
/// Fails if the last is first.
const LAST_FIRST: &str = "test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3]],\n\
                          [A, B, C] = [receive X -> X end || _ <- [1, 2, 3]],\n\
                          {A, B, C} =:= {3, 1, 2} andalso exit(broken).";
const DEADLOCK: &str = "test() -> receive never -> ok end.";
const CHILD_FAILS: &str = "test() -> spawn(fun() -> exit({broken, 1}) end).";
const HALTS: &str = "test() -> erlang:halt(1).";
const ENDLESS: &str = "test() -> self() ! again, receive again -> test() end.";

fn checked(
    attribute: &str,
    body: &str,
    options: ErlangOptions,
    change: impl FnOnce(&mut CheckRequest),
) -> Report {
    let text = format!("-module(m).\n{attribute}\n-export([test/0]).\n{body}\n");
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let request =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&request.into(), &Registry::new(), &files).expect("a sound program");
    let mut request = CheckRequest::default();
    change(&mut request);
    check(&program, &request, &NoMeter, &mut Silent)
}

/// With an option in a module written for Concuerror, and nothing on the command line.
fn with(option: &str, body: &str) -> Report {
    let attribute = format!("-concuerror_options([{option}]).");
    let report = checked(&attribute, body, ErlangOptions::default(), |_| {});
    assert!(report.error.is_none(), "{:?}", report.error);
    report
}

fn plain(body: &str) -> Report {
    checked("", body, ErlangOptions::default(), |_| {})
}

fn notes(report: &Report) -> Vec<&str> {
    let of_the_module = report.warnings.iter().filter(|text| text.starts_with("m.erl:"));
    of_the_module.map(String::as_str).collect()
}

#[test]
fn dpor() {
    assert_eq!(plain(SENDERS).strategy, "optimal");
    for word in ["optimal", "source", "persistent", "none"] {
        assert_eq!(with(&format!("{{dpor, {word}}}"), SENDERS).strategy, word);
    }
    let report = with("{dpor, best}", SENDERS);
    assert_eq!(report.strategy, "optimal");
    assert_eq!(
        notes(&report),
        ["m.erl:2:22: `{dpor, best}` of -concuerror_options has no meaning here: \
          it can be optimal, source, persistent, none"]
    );
}

#[test]
fn scheduling_bound_and_its_type() {
    assert_eq!((plain(SENDERS).interleavings, plain(SENDERS).verdict), (6, Outcome::Holds));
    let report = with("{scheduling_bound, 0}", SENDERS);
    assert_eq!((report.interleavings, report.stopped_by), (1, Some(StoppedBy::Bound)));
    assert_eq!(report.verdict, Outcome::Inconclusive);
    let report = with("{scheduling_bound_type, delay}", SENDERS);
    assert_eq!(report.stopped_by, Some(StoppedBy::Bound), "a bound of one");
    let report = with("{scheduling_bound_type, bpor}, {scheduling_bound, 0}", SENDERS);
    assert_eq!(report.strategy, "source");
    let report = with("{scheduling_bound, 0}, {scheduling_bound_type, none}", SENDERS);
    assert_eq!((report.interleavings, report.verdict), (6, Outcome::Holds));
    let forced = "-concuerror_options_forced([{scheduling_bound_type, none}]).";
    let typed = |request: &mut CheckRequest| request.interleavings.bound = Some(0);
    let report = checked(forced, SENDERS, ErlangOptions::default(), typed);
    assert_eq!(report.interleavings, 6);
    let typed = |request: &mut CheckRequest| request.interleavings.bound = Some(0);
    let wished = "-concuerror_options([{scheduling_bound_type, none}]).";
    assert_eq!(checked(wished, SENDERS, ErlangOptions::default(), typed).interleavings, 1);
}

#[test]
fn depth_bound() {
    let report = with("{depth_bound, 4}", SENDERS);
    assert_eq!(
        (report.verdict, report.stopped_by),
        (Outcome::Inconclusive, Some(StoppedBy::Depth))
    );
    let told = "an interleaving was cut after 4 events: a run may have no end; --depth-max allows longer ones, and --engine \
                stateful explores states instead of runs, so loops do not matter to it";
    assert_eq!(report.warnings, [told]);
    let report = with("{depth_bound, 4}, {ignore_error, depth_bound}", SENDERS);
    assert_eq!((report.verdict, report.stopped_by), (Outcome::Holds, None));
    let told = "an interleaving was cut after 4 events, and what comes later was not looked at: the verdict leaves that out, as \
                --ignore-error depth_bound says";
    assert_eq!(report.warnings, [told]);
    assert_eq!(with("{depth_bound, infinity}", SENDERS).verdict, Outcome::Holds);
}

/// A bound that cuts is not a depth that is ignored.
#[test]
fn what_a_bound_cuts_is_not_left_out_with_the_depth() {
    let report =
        with("{depth_bound, 12}, {scheduling_bound, 0}, {ignore_error, depth_bound}", SENDERS);
    assert_eq!(
        (report.verdict, report.stopped_by),
        (Outcome::Inconclusive, Some(StoppedBy::Bound))
    );
}

#[test]
fn an_endless_program_is_inconclusive_unless_that_is_ignored() {
    for engine in [foresee_session::Engine::Stateless, foresee_session::Engine::Stateful] {
        let check = |ignored: Vec<Ignored>| {
            let options = ErlangOptions { ignored, ..ErlangOptions::default() };
            checked("", ENDLESS, options, |request| {
                request.engine = Some(engine);
                request.limits.depth_max = Some(3);
            })
        };
        let stateful = engine == foresee_session::Engine::Stateful;
        let report = check(Vec::new());
        let expected = if stateful { Outcome::Holds } else { Outcome::Inconclusive };
        assert_eq!(report.verdict, expected, "{engine:?} {:?}", report.warnings);
        let report = check(vec![Ignored::DepthBound]);
        assert_eq!((report.verdict, report.stopped_by), (Outcome::Holds, None), "{engine:?}");
    }
    let deep =
        "test() -> test(9). test(0) -> ok; test(N) -> self() ! N, receive N -> test(N - 1) end.";
    for (ignored, verdict) in
        [(Vec::new(), Outcome::Inconclusive), (vec![Ignored::DepthBound], Outcome::Holds)]
    {
        let options = ErlangOptions { ignored, ..ErlangOptions::default() };
        let report = checked("", deep, options, |request| {
            request.engine = Some(foresee_session::Engine::Stateful);
            request.limits.depth_max = Some(3);
        });
        assert_eq!(report.verdict, verdict);
        assert_eq!(report.warnings.len(), usize::from(verdict == Outcome::Holds));
    }
}

#[test]
fn interleaving_bound() {
    let report = with("{interleaving_bound, 2}", SENDERS);
    assert_eq!((report.interleavings, report.stopped_by), (2, Some(StoppedBy::Interleavings)));
    assert_eq!(with("{interleaving_bound, infinity}", SENDERS).interleavings, 6);
}

#[test]
fn instant_delivery() {
    let relay = "test() -> S = self(), B = spawn(fun() -> receive go -> S ! second end end),\n\
                 spawn(fun() -> S ! first, B ! go end),\n\
                 receive first -> ok; second -> exit(overtaken) end, receive _ -> ok end.";
    assert_eq!(plain(relay).verdict, Outcome::Holds);
    assert_eq!(with("{instant_delivery, false}", relay).verdict, Outcome::Violated);
    let typed = ErlangOptions { instant_delivery: Some(true), ..ErlangOptions::default() };
    let wish = |attribute: &str| {
        checked(
            &format!("-{attribute}([{{instant_delivery, false}}])."),
            relay,
            typed.clone(),
            |_| {},
        )
    };
    assert_eq!(wish("concuerror_options").verdict, Outcome::Holds, "a wish yields");
    assert_eq!(
        wish("concuerror_options_forced").verdict,
        Outcome::Violated,
        "a forced one does not"
    );
}

#[test]
fn use_receive_patterns() {
    assert_eq!(plain(SELECTIVE).interleavings, 1);
    assert_eq!(with("{use_receive_patterns, false}", SELECTIVE).interleavings, 6);
    let report = with("{use_receive_patterns, sometimes}", SELECTIVE);
    assert_eq!((report.interleavings, notes(&report).len()), (1, 1));
}

#[test]
fn after_timeout() {
    let waits = "test() -> receive never -> ok after 500 -> ok end.";
    assert_eq!(plain(waits).verdict, Outcome::Holds);
    assert_eq!(with("{after_timeout, 500}", waits).violations[0].kind, ViolationKind::Deadlock);
    assert_eq!(with("{after_timeout, 501}", waits).verdict, Outcome::Holds);
    assert_eq!(with("{after_timeout, infinity}", waits).verdict, Outcome::Holds);
}

#[test]
fn ignore_error() {
    for (kind, body) in
        [("deadlock", DEADLOCK), ("abnormal_exit", CHILD_FAILS), ("abnormal_halt", HALTS)]
    {
        assert_eq!(plain(body).verdict, Outcome::Violated, "{kind}");
        assert_eq!(with(&format!("{{ignore_error, {kind}}}"), body).verdict, Outcome::Holds);
        assert_eq!(
            with(&format!("{{ignore_error, [depth_bound, {kind}]}}"), body).verdict,
            Outcome::Holds
        );
    }
    assert_eq!(with("{ignore_error, crash}", CHILD_FAILS).verdict, Outcome::Holds);
    assert_eq!(with("{ignore_error, deadlock}", CHILD_FAILS).verdict, Outcome::Violated);
    let report = with("{ignore_error, rain}", CHILD_FAILS);
    assert_eq!(notes(&report).len(), 1);
    assert!(notes(&report)[0].contains("abnormal_exit, abnormal_halt, deadlock, depth_bound"));
}

#[test]
fn treat_as_normal() {
    assert_eq!(with("{treat_as_normal, broken}", CHILD_FAILS).verdict, Outcome::Holds);
    assert_eq!(with("{treat_as_normal, [other, broken]}", CHILD_FAILS).verdict, Outcome::Holds);
    assert_eq!(with("{treat_as_normal, other}", CHILD_FAILS).verdict, Outcome::Violated);
}

#[test]
fn assertions_only() {
    assert_eq!(with("assertions_only", CHILD_FAILS).verdict, Outcome::Holds);
    assert_eq!(with("{assertions_only, false}", CHILD_FAILS).verdict, Outcome::Violated);
    let asserts = "test() -> erlang:error({assert, [{module, m}]}).";
    assert_eq!(with("assertions_only", asserts).violations[0].kind, ViolationKind::Assertion);
}

#[test]
fn first_process_errors_only() {
    assert_eq!(with("first_process_errors_only", CHILD_FAILS).verdict, Outcome::Holds);
    assert_eq!(with("first_process_errors_only", FAILS).verdict, Outcome::Violated);
    let forced = "-concuerror_options_forced([{first_process_errors_only, false}]).";
    let typed = ErlangOptions { first_process_errors_only: true, ..ErlangOptions::default() };
    assert_eq!(checked(forced, CHILD_FAILS, typed, |_| {}).verdict, Outcome::Violated);
}

#[test]
fn keep_going() {
    assert_eq!(plain(FAILS).erroneous_interleavings, 1);
    assert_eq!(with("keep_going", FAILS).erroneous_interleavings, 6);
    assert_eq!(with("{keep_going, false}", FAILS).erroneous_interleavings, 1);
    let two = "test() -> spawn(fun() -> exit(a) end), exit(b).";
    let stateful = |attribute: &str| {
        checked(attribute, two, ErlangOptions::default(), |request| {
            request.engine = Some(foresee_session::Engine::Stateful);
        })
    };
    assert!(stateful("").states < stateful("-concuerror_options([keep_going]).").states);
}

#[test]
fn scheduling() {
    let met_by = |order: &str| with(&format!("{{scheduling, {order}}}"), LAST_FIRST).interleavings;
    let by_order = ["oldest", "newest", "round_robin"].map(met_by);
    assert!(by_order.iter().any(|n| *n != by_order[0]), "{by_order:?}");
    assert_eq!(notes(&with("{scheduling, alphabetical}", SENDERS)).len(), 1);
}

#[test]
fn strict_scheduling() {
    let met_by =
        |option: &str| with(&format!("{option}, {{ignore_error, deadlock}}"), TURNS).interleavings;
    assert_ne!(met_by("strict_scheduling"), met_by("{strict_scheduling, false}"));
}

/// Fails if somebody else writes between the two writes of the first.
const TURNS: &str = "test() -> ets:new(t, [named_table, public]),\n\
                     spawn(fun() -> ets:insert(t, {x, 1}), [{x, 1}] = ets:lookup(t, x) end),\n\
                     spawn(fun() -> ets:insert(t, {x, 2}) end), receive after infinity -> ok end.";

#[test]
fn non_racing_system() {
    let log = "test() -> register(log, spawn(fun() -> [receive _ -> ok end || _ <- [1, 2, 3]] end)),\n\
               [spawn(fun() -> log ! N end) || N <- [1, 2, 3]].";
    let n = plain(log).interleavings;
    assert!(n > 1);
    let report = with("{non_racing_system, [log, user]}", log);
    assert_eq!((report.interleavings, report.warnings.len()), (1, 0), "{n}, {:?}", report.warnings);
    let report = with("{non_racing_system, lgo}", log);
    assert_eq!(report.interleavings, n);
    assert_eq!(report.warnings, ["--non-racing lgo had no effect: nothing of that name took part"]);
    let typed = |request: &mut CheckRequest| {
        request.interleavings.non_racing = vec!["log".to_owned()];
    };
    assert_eq!(checked("", log, ErlangOptions::default(), typed).interleavings, 1);
    let stateful = |request: &mut CheckRequest| {
        typed(request);
        request.engine = Some(foresee_session::Engine::Stateful);
    };
    let report = checked("", log, ErlangOptions::default(), stateful);
    assert_eq!(report.warnings, ["--non-racing is for --engine stateless and has no effect here"]);
}

#[test]
fn disable_sleep_sets() {
    let report = with("disable_sleep_sets", SELECTIVE);
    assert_eq!((report.strategy, report.sleep_set_blocked), ("none", 0));
    assert!(
        report.interleavings
            > with("{dpor, none}", SELECTIVE).interleavings - report.sleep_set_blocked
    );
    assert_eq!(with("{disable_sleep_sets, false}", SELECTIVE).strategy, "optimal");
}

#[test]
fn what_has_no_meaning_here_is_noted_with_the_reason() {
    for (option, why) in [
        ("{assume_racing, false}", "what races is known of every built-in function"),
        ("{symbolic_names, false}", "how runs are shown is chosen on the command line"),
        ("{print_depth, 40}", "how runs are shown is chosen on the command line"),
        ("show_races", "how runs are shown is chosen on the command line"),
        ("log_all", "how runs are shown is chosen on the command line"),
        (
            "{timeout, 10000}",
            "a process that runs without end is found by counting its calls, whatever the clock says",
        ),
        ("{module, other}", "what is checked is chosen on the command line"),
        ("{colour, red}", "no such option is known"),
        ("{a, b, c}", "an option is a key, or a key and a value"),
        ("17", "an option is a key, or a key and a value"),
    ] {
        let report = with(option, SENDERS);
        let expected =
            format!("m.erl:2:22: `{option}` of -concuerror_options has no meaning here: {why}");
        assert_eq!(report.warnings, [expected]);
        assert_eq!((report.interleavings, report.verdict), (6, Outcome::Holds), "{option}");
    }
}
