//! Clocks: programs that read none are explored as ever, those that forget what they read come back to their states, and who
//! keeps a value is named.

use foresee_session::{
    CheckRequest, ClockMode, Dpor, Engine, ErlangOptions, ErlangSource, Ignored, NoMeter, Outcome,
    Registry, Report, Silent, check, open,
};
use std::collections::BTreeMap;

fn explore(body: &str, clock: Option<ClockMode>, adjust: impl FnOnce(&mut CheckRequest)) -> Report {
    let text = format!(
        "-module(m).\n-export([test/0, init/1, handle_call/3, handle_cast/2]).\n{body}\n\
         init(State) -> {{ok, State}}.\n\
         handle_call(_, _, State) -> {{reply, State, State + 1}}.\n\
         handle_cast(_, State) -> {{noreply, State}}.\n"
    );
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let options =
        ErlangOptions { ignored: vec![Ignored::Deadlock], clock, ..ErlangOptions::default() };
    let request =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&request.into(), &Registry::new(), &files).expect("a sound program");
    let mut request = CheckRequest::default();
    adjust(&mut request);
    check(&program, &request, &NoMeter, &mut Silent)
}

/// Programs in which time could pass, and nobody asks for it.
const WITHOUT: [&str; 4] = [
    "test() -> P = self(), [spawn(fun() -> timer:sleep(T), P ! T end) || T <- [10, 20]],\n\
     receive A -> A after 15 -> ok end, receive B -> B after 100 -> ok end.",
    "test() -> erlang:send_after(10, self(), a), R = erlang:send_after(20, self(), b),\n\
     receive a -> erlang:cancel_timer(R) end, receive b -> ok after 0 -> ok end.",
    "test() -> {ok, S} = gen_server:start(?MODULE, 0, []),\n\
     [spawn(fun() -> catch gen_server:call(S, x, 50) end) || _ <- [1, 2]].",
    "test() -> {ok, _} = timer:send_after(5, tick), receive tick -> ok after 5 -> ok end.",
];

#[test]
fn nothing_changes_where_no_clock_is_read() {
    for body in WITHOUT {
        for dpor in [Dpor::Optimal, Dpor::Source] {
            let count = |clock| {
                let report = explore(body, Some(clock), |request| {
                    request.engine = Some(Engine::Stateless);
                    request.interleavings.dpor = Some(dpor);
                });
                assert_eq!(report.verdict, Outcome::Holds, "{body} {:?}", report.error);
                (report.interleavings, report.transitions, report.sleep_set_blocked)
            };
            assert_eq!(count(ClockMode::Moving), count(ClockMode::Frozen), "{body}");
        }
        let count = |clock| {
            let report =
                explore(body, Some(clock), |request| request.engine = Some(Engine::Stateful));
            assert_eq!(report.verdict, Outcome::Holds, "{body} {:?}", report.error);
            (report.states, report.transitions, report.depth)
        };
        assert_eq!(count(ClockMode::Moving), count(ClockMode::Frozen), "{body}");
    }
}

#[test]
fn every_engine_sees_the_same_differences() {
    // How far apart two reads are, with another's sleep and a read between them or not.
    let body = |seen: u64| {
        format!(
            "test() -> spawn(fun() -> timer:sleep(100) end),\n\
             spawn(fun() -> erlang:monotonic_time(millisecond) end),\n\
             T = erlang:monotonic_time(millisecond),\n\
             D = erlang:monotonic_time(millisecond) - T, D =/= {seen} orelse exit(seen)."
        )
    };
    let all = [0, 1, 2, 3, 100, 101, 102, 103, 200];
    let seen = |adjust: &dyn Fn(&mut CheckRequest)| -> Vec<u64> {
        let is_seen = |it: &u64| explore(&body(*it), None, adjust).verdict == Outcome::Violated;
        all.into_iter().filter(is_seen).collect()
    };
    let states = seen(&|request| request.engine = Some(Engine::Stateful));
    assert_eq!(states, [1, 2, 101, 102]);
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::Persistent, Dpor::None] {
        let runs = seen(&|request| {
            request.engine = Some(Engine::Stateless);
            request.interleavings.dpor = Some(dpor);
        });
        assert_eq!(runs, states, "{dpor:?}");
    }
}

fn states_of(body: &str, clock: Option<ClockMode>) -> Report {
    explore(body, clock, |request| {
        request.engine = Some(Engine::Stateful);
        request.limits.states_max = Some(3_000);
    })
}

#[test]
fn who_forgets_what_it_read_comes_back_to_its_states() {
    let body = "test() -> loop(0).\n\
                loop(N) -> T = erlang:monotonic_time(), receive stop -> T after 1000 -> loop((N + 1) rem 2) end.";
    let report = states_of(body, None);
    assert_eq!(report.verdict, Outcome::Holds, "{:?} {:?}", report.error, report.stopped_by);
}

#[test]
fn who_keeps_a_value_is_named() {
    let body = "test() -> loop(erlang:monotonic_time()).\n\
                loop(T) -> receive stop -> T after 1000 -> loop(max(T, erlang:monotonic_time())) end.";
    let report = states_of(body, None);
    assert_eq!(report.verdict, Outcome::Inconclusive);
    let said = report.warnings.join("\n");
    assert!(said.contains("--clock frozen") && said.contains("<P>, loop/1 at m.erl:4"), "{said}");
    assert_eq!(states_of(body, Some(ClockMode::Frozen)).verdict, Outcome::Holds);
}
