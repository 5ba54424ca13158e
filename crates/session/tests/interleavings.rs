//! Erlang programs whose number of interleavings is known by arithmetic or from the literature, counted through the door.

use foresee_session::{
    CheckRequest, Dpor, Engine, ErlangOptions, ErlangSource, Ignored, NoMeter, Outcome, Registry,
    Report, Silent, check, open,
};
use std::collections::BTreeMap;

/// Explores `test/0` of a module `m` with that body to its end; waiting for ever is no error here.
fn explore(body: &str, dpor: Dpor) -> Report {
    let text = format!(
        "-module(m).\n-export([test/0, init/1, handle_call/3, handle_cast/2]).\n{body}\n\
         init(State) -> {{ok, State}}.\n\
         handle_call(_, _, State) -> {{reply, State, State + 1}}.\n\
         handle_cast(_, State) -> {{noreply, State}}.\n"
    );
    let files = BTreeMap::from([("m.erl".to_owned(), text)]);
    let options = ErlangOptions { ignored: vec![Ignored::Deadlock], ..ErlangOptions::default() };
    let request =
        ErlangSource { files: vec!["m.erl".to_owned()], options, ..ErlangSource::default() };
    let program = open(&request.into(), &Registry::new(), &files).expect("a sound program");
    let mut request = CheckRequest { engine: Some(Engine::Stateless), ..CheckRequest::default() };
    request.interleavings.dpor = Some(dpor);
    let report = check(&program, &request, &NoMeter, &mut Silent);
    assert_eq!(report.verdict, Outcome::Holds, "{:?} {:?}", report.violations, report.error);
    report
}

/// The number of runs, none of which was begun in vain.
fn optimal(body: &str) -> u64 {
    let report = explore(body, Dpor::Optimal);
    assert_eq!(report.sleep_set_blocked, 0);
    report.interleavings
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn senders_come_in_every_order_to_one_who_takes_any_message() {
    for n in 3..=7 {
        let body = format!(
            "test() -> Self = self(), [spawn(fun() -> Self ! N end) || N <- lists:seq(1, {n})],\n\
             [receive _ -> ok end || _ <- lists:seq(1, {n})]."
        );
        assert_eq!(optimal(&body), factorial(n), "{n} senders");
    }
}

#[test]
fn senders_come_in_one_order_to_one_who_takes_them_by_name() {
    for n in 3..=7 {
        let body = format!(
            "test() -> Self = self(), [spawn(fun() -> Self ! N end) || N <- lists:seq(1, {n})],\n\
             [receive N -> ok end || N <- lists:seq(1, {n})]."
        );
        assert_eq!(optimal(&body), 1, "{n} senders");
    }
}

#[test]
fn clients_call_a_server_in_every_order() {
    for n in 1..=6 {
        let body = format!(
            "test() -> {{ok, S}} = gen_server:start_link(m, 0, []),\n\
             Call = fun(N) -> spawn_monitor(fun() -> gen_server:call(S, N, infinity) end) end,\n\
             Clients = [Call(N) || N <- lists:seq(1, {n})],\n\
             [receive {{'DOWN', M, process, _, _}} -> ok end || {{_, M}} <- Clients],\n\
             gen_server:stop(S)."
        );
        assert_eq!(optimal(&body), factorial(n), "{n} clients");
    }
}

/// The server takes the calls in any order, and each client has given up before its call is taken, after that and before
/// the reply comes, or not at all.
#[test]
fn clients_that_give_up_do_so_at_three_times() {
    for n in 1..=4 {
        let body = format!(
            "test() -> {{ok, S}} = gen_server:start(m, 0, []),\n\
             Call = fun() -> catch gen_server:call(S, get, 5000) end,\n\
             Clients = [spawn_monitor(fun() -> Call() end) || _ <- lists:seq(1, {n})],\n\
             [receive {{'DOWN', M, process, _, _}} -> ok end || {{_, M}} <- Clients],\n\
             gen_server:stop(S)."
        );
        assert_eq!(optimal(&body), factorial(n) * 3_u64.pow(n as u32), "{n} clients");
    }
}

#[test]
fn each_reader_reads_before_or_after_the_write() {
    for n in [1, 4, 8, 12] {
        let body = format!(
            "test() -> T = ets:new(t, [public]), ets:insert(T, {{x, 0}}),\n\
             [spawn(fun() -> ets:lookup(T, x) end) || _ <- lists:seq(1, {n})],\n\
             spawn(fun() -> ets:insert(T, {{x, 1}}) end), receive after infinity -> ok end."
        );
        assert_eq!(optimal(&body), 1 << n, "{n} readers");
    }
}

#[test]
fn what_has_no_effect_is_said() {
    let text = "-module(m).\n-export([test/0]).\ntest() -> ok.\n";
    let files = BTreeMap::from([("m.erl".to_owned(), text.to_owned())]);
    let request = ErlangSource { files: vec!["m.erl".to_owned()], ..ErlangSource::default() };
    let program = open(&request.into(), &Registry::new(), &files).expect("a sound program");
    let warnings = |dpor, threads| {
        let mut request = CheckRequest { threads, ..CheckRequest::default() };
        request.interleavings.dpor = Some(dpor);
        request.interleavings.observers = Some(true);
        check(&program, &request, &NoMeter, &mut Silent).warnings
    };
    assert_eq!(warnings(Dpor::Optimal, 1), Vec::<String>::new());
    assert_eq!(warnings(Dpor::Source, 1), ["--observers has no effect without --dpor optimal"]);
    assert_eq!(warnings(Dpor::Optimal, 2), Vec::<String>::new());
    assert_eq!(
        warnings(Dpor::Source, 2)[0],
        "--threads has no effect: only --dpor optimal without --bound and --interleavings-max is explored by several threads"
    );
}

/// The example by which optimal exploration was told from what came before it.
const LAST_ZERO: &str = "
test() ->
    T = ets:new(t, [public]),
    [ets:insert(T, {I, 0}) || I <- lists:seq(0, 8)],
    spawn(fun() -> search(T, 8) end),
    [spawn(fun() -> write(T, I) end) || I <- lists:seq(1, 8)],
    receive after infinity -> ok end.

search(T, I) ->
    case ets:lookup(T, I) of
        [{I, 0}] -> I;
        _ -> search(T, I - 1)
    end.

write(T, I) ->
    [{_, Before}] = ets:lookup(T, I - 1),
    ets:insert(T, {I, Before + 1}).
";

#[test]
fn the_last_zero_of_eight_has_the_known_numbers() {
    assert_eq!(optimal(LAST_ZERO), 704);
    let source = explore(LAST_ZERO, Dpor::Source);
    assert_eq!((source.interleavings, source.sleep_set_blocked), (1349, 645));
}
