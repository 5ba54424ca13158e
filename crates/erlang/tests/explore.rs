//! Small programs explored completely: what can be written, where it can stop, and whether events that the footprints
//! call independent really commute.

use foresee_erlang::{Crashes, Entry, Erlang, Event, Options, Rules, SourceText, load};
use foresee_erlang_syntax::no_includes;
use foresee_lts::{Action, Interleaved, State, System, Telling, content_hash_of};
use std::collections::{BTreeMap, BTreeSet};

fn system(body: &str, options: Options) -> Erlang {
    let text = format!("-module(m).\n-compile([export_all]).\n{body}");
    let loaded =
        load(&[SourceText { path: "m.erl", text: &text }], &Default::default(), &mut no_includes);
    let said: Vec<&str> =
        loaded.problems.iter().map(|problem| problem.diagnostic.message.as_str()).collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{said:?}"));
    Erlang::new(program, Entry::new("m", "main"), options)
}

/// Everything reachable.
#[derive(Default)]
struct Explored {
    states: usize,
    transitions: usize,
    /// Complete texts written by runs that cannot go on.
    outputs: BTreeSet<String>,
    deadlocks: usize,
    faults: BTreeSet<String>,
}

fn actions(system: &Erlang, state: &[u32]) -> Vec<Action> {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    actions
}

/// Output is no part of a state, so a search node is a state with the text written so far.
fn explore(system: &Erlang) -> Explored {
    let mut found = Explored::default();
    let first = (system.initial().remove(0), String::new());
    let mut seen: BTreeSet<(State, String)> = [first.clone()].into();
    let mut states: BTreeSet<State> = BTreeSet::new();
    let mut todo = vec![first];
    while let Some((state, text)) = todo.pop() {
        if let Some(fault) = system.fault(&state) {
            found.faults.insert(fault.message);
        }
        let enabled = actions(system, &state);
        if enabled.is_empty() {
            found.outputs.insert(text.clone());
            found.deadlocks += usize::from(!system.blocked(&state).is_empty());
        }
        if states.insert(state.clone()) {
            check_commutation(system, &state, &enabled);
        }
        for action in enabled {
            found.transitions += 1;
            let (next, events) = system.perform(&state, action, 0);
            let mut text = text.clone();
            for event in &events {
                if let Event::Output { text: written, .. } = event {
                    text.push_str(written);
                }
            }
            let node = (next, text);
            if seen.insert(node.clone()) {
                todo.push(node);
            }
        }
        assert!(seen.len() < 200_000, "too many states");
    }
    found.states = states.len();
    found
}

/// Two independent events lead to one state in either order, and neither takes the other away.
fn check_commutation(system: &Erlang, state: &[u32], enabled: &[Action]) {
    let by_label = |state: &[u32]| -> BTreeMap<String, Action> {
        actions(system, state)
            .into_iter()
            .map(|action| (system.label(state, action).to_string(), action))
            .collect()
    };
    for (i, &a) in enabled.iter().enumerate() {
        for &b in &enabled[i + 1..] {
            if system.footprint(state, a).depends_on(&system.footprint(state, b)) {
                continue;
            }
            let (la, lb) = (system.label(state, a).to_string(), system.label(state, b).to_string());
            let (after_a, after_b) = (system.step(state, a), system.step(state, b));
            let b_then = by_label(&after_a).get(&lb).copied();
            let a_then = by_label(&after_b).get(&la).copied();
            let (Some(b_then), Some(a_then)) = (b_then, a_then) else {
                panic!("{la} and {lb} are called independent, but one disables the other");
            };
            let one = system.step(&after_a, b_then);
            let other = system.step(&after_b, a_then);
            assert_eq!(
                content_hash_of(system, &one),
                content_hash_of(system, &other),
                "{la} and {lb} are called independent, but do not commute"
            );
        }
    }
}

fn outputs(body: &str) -> Vec<String> {
    explore(&system(body, Options::default())).outputs.into_iter().collect()
}

#[test]
fn senders_are_received_in_every_order() {
    let body = "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1,2,3]],\n\
                L = [receive X -> X end || _ <- [1,2,3]], io:format(\"~w\", [L]).\n";
    let all = ["[1,2,3]", "[1,3,2]", "[2,1,3]", "[2,3,1]", "[3,1,2]", "[3,2,1]"].map(str::to_owned);
    assert_eq!(outputs(body), all);
}

#[test]
fn selective_receive_has_one_order() {
    let body = "main() -> S = self(), [spawn(fun() -> S ! {N, x} end) || N <- [1,2,3]],\n\
                L = [receive {N, _} -> N end || N <- [1,2,3]], io:format(\"~w\", [L]).\n";
    assert_eq!(outputs(body), ["[1,2,3]"]);
}

#[test]
fn a_counter_in_a_table_can_lose_an_update() {
    let body = "main() -> ets:new(t, [named_table, public]), ets:insert(t, {n, 0}),\n\
                S = self(), F = fun() -> [{n, V}] = ets:lookup(t, n), ets:insert(t, {n, V + 1}), S ! done end,\n\
                spawn(F), spawn(F), receive done -> ok end, receive done -> ok end,\n\
                io:format(\"~w\", [ets:lookup(t, n)]).\n";
    assert_eq!(outputs(body), ["[{n,1}]", "[{n,2}]"]);
}

#[test]
fn waiting_for_each_other_is_a_deadlock() {
    let body = "main() -> S = self(), P = spawn(fun() -> receive a -> S ! b end end),\n\
                receive b -> P ! a end.\n";
    let found = explore(&system(body, Options::default()));
    assert_eq!(found.deadlocks, 1);
    assert!(found.faults.is_empty());
}

#[test]
fn a_name_may_be_gone_when_it_is_used() {
    let body = "main() -> register(p, spawn(fun() -> ok end)), p ! hi.\n";
    let found = explore(&system(body, Options::default()));
    let texts: Vec<&String> = found.faults.iter().collect();
    assert!(texts.iter().any(|text| text.contains("badarg")), "{texts:?}");
    assert!(texts.iter().all(|text| text.starts_with("<P> exited abnormally")), "{texts:?}");
}

#[test]
fn a_timeout_may_come_before_the_message() {
    let body = "main() -> S = self(), spawn(fun() -> S ! hello end),\n\
                receive hello -> io:format(\"hello\") after 10 -> io:format(\"timeout\") end.\n";
    assert_eq!(outputs(body), ["hello", "timeout"]);
    let options = Options { after_timeout: Some(10), ..Options::default() };
    assert_eq!(explore(&system(body, options)).outputs.into_iter().collect::<Vec<_>>(), ["hello"]);
}

#[test]
fn a_timer_fires_before_or_after_it_is_cancelled() {
    let body = "main() -> T = erlang:send_after(5, self(), tick),\n\
                case erlang:cancel_timer(T) of false -> receive tick -> io:format(\"late\") end;\n\
                _ -> io:format(\"cancelled\") end.\n";
    assert_eq!(outputs(body), ["cancelled", "late"]);
}

#[test]
fn links_monitors_and_exits_in_all_orders() {
    let body = "main() -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit(bye) end),\n\
                M = monitor(process, P),\n\
                A = receive {'EXIT', P, R1} -> {exit, R1}; {'DOWN', M, _, _, R1} -> {down, R1} end,\n\
                B = receive {'EXIT', P, R2} -> {exit, R2}; {'DOWN', M, _, _, R2} -> {down, R2} end,\n\
                io:format(\"~w\", [lists:sort([A, B])]).\n";
    let options = Options {
        normal_reasons: vec![
            foresee_erlang::Term::atom("normal"),
            foresee_erlang::Term::atom("bye"),
        ],
        ..Options::default()
    };
    let found = explore(&system(body, options));
    let texts: Vec<String> = found.outputs.into_iter().collect();
    assert_eq!(texts, ["[{down,bye},{exit,bye}]", "[{down,noproc},{exit,bye}]"]);
    assert!(found.faults.is_empty());
}

#[test]
fn a_looping_server_comes_back_to_its_states() {
    let body = "main() -> S = spawn(fun() -> server() end), client(S).\n\
                server() -> receive {call, From, Ref, X} -> From ! {Ref, X + 1}, server() end.\n\
                client(S) -> Ref = make_ref(), S ! {call, self(), Ref, 1}, receive {Ref, 2} -> client(S) end.\n";
    let found = explore(&system(body, Options::default()));
    assert!(found.states < 12, "{} states", found.states);
}

#[test]
fn without_instant_delivery_messages_overtake() {
    let body = "main() -> S = self(), B = spawn(fun() -> receive X -> S ! {b, X} end end),\n\
                A = spawn(fun() -> receive go -> S ! a, B ! x end end), A ! go,\n\
                L = [receive M -> M end || _ <- [1,2]], io:format(\"~w\", [L]).\n";
    assert_eq!(outputs(body), ["[a,{b,x}]"]);
    let options = Options { instant_delivery: false, ..Options::default() };
    let found = explore(&system(body, options));
    let texts: Vec<String> = found.outputs.into_iter().collect();
    assert_eq!(texts, ["[a,{b,x}]", "[{b,x},a]"]);
}

#[test]
fn values_nobody_needs_do_not_tell_states_apart() {
    let body = "main() -> S = self(), P = spawn(fun() -> S ! 1 end), spawn(fun() -> S ! 2 end),\n\
                X = receive A -> A end, io:format(\"\"), receive _ -> ok end, wait(X, P).\n\
                wait(_, _) -> receive never -> ok end.\n";
    let found = explore(&system(body, Options::default()));
    // Whichever came first, nothing of it is left at the end.
    assert_eq!(found.deadlocks, 1);
}

#[test]
fn an_endless_loop_is_reported_with_its_line() {
    let body = "main() -> loop(0).\nloop(N) -> loop(N + 1).\n";
    let options = Options { budget: 10_000, ..Options::default() };
    let found = explore(&system(body, options));
    let text = found.faults.first().expect("a fault");
    assert!(text.contains("loop without end in loop/1 at m.erl:4"), "{text}");
}

#[test]
fn a_state_is_described_for_people() {
    let body = "main() -> register(server, spawn(fun() -> receive stop -> ok end end)), server ! hello,\n\
                receive never -> ok end.\n";
    let system = system(body, Options::default());
    let mut state = system.initial().remove(0);
    for _ in 0..3 {
        let enabled = actions(&system, &state);
        state = system.step(&state, enabled[0]);
    }
    let description = system.describe(&state);
    let names: Vec<&str> = description.members.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["<P>", "<P.1/server>"]);
    assert_eq!(description.members[1].inbox.len(), 1);
    assert_eq!(description.members[1].status, "waiting");
}

#[test]
fn crashes_commute_with_what_they_do_not_touch() {
    let body = "
main() ->
    Self = self(),
    Other = spawn(fun() -> register(other, self()), Self ! hello, receive stop -> ok after 0 -> ok end end),
    {_, Ref} = spawn_monitor(fun() ->
        register(victim, self()),
        ets:new(table, [named_table, public]),
        Other ! stop,
        Self ! there
    end),
    is_process_alive(Other),
    receive {'DOWN', Ref, process, _, _} -> whereis(victim) end,
    receive hello -> ok after 0 -> ok end.
";
    for (max, restart) in [(None, true), (Some(1), false)] {
        let crashes = Crashes {
            processes: vec!["victim".to_owned(), "other".to_owned()],
            max,
            restart,
            ..Crashes::default()
        };
        let options = Options { rules: Rules::EXACT, crashes: Some(crashes), ..Options::default() };
        let found = explore(&system(body, options));
        assert!(found.faults.is_empty() && found.deadlocks == 0, "{:?}", found.faults);
        assert!(found.states > 100);
    }
}
