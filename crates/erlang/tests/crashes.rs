//! Crashes, supervision trees and visible labels, on the locker of `examples/locker` and on small programs.

use foresee_erlang::{
    CrashPoints, Crashes, Entry, Erlang, LabelKind, Labels, Options, SourceText, load,
};
use foresee_erlang_syntax::{Options as Syntax, no_includes};
use foresee_lts::{Action, Interleaved, State, System, Telling};
use std::collections::{BTreeMap, BTreeSet};

fn locker(defines: &[(&str, Option<&str>)], options: Options) -> Erlang {
    let files = [
        ("locker.erl", include_str!("../../../examples/locker/locker.erl")),
        ("locker_client.erl", include_str!("../../../examples/locker/locker_client.erl")),
        ("locker_sup.erl", include_str!("../../../examples/locker/locker_sup.erl")),
    ];
    let sources = files.map(|(path, text)| SourceText { path, text });
    let defines = defines.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned)));
    let syntax = Syntax { defines: defines.collect(), ..Syntax::default() };
    let program = load(&sources, &syntax, &mut no_includes).program.expect("a sound program");
    Erlang::new(program, Entry::supervisor("locker_sup", "start_link"), options)
}

fn small(text: &str, options: Options) -> Erlang {
    let text = format!("-module(m).\n-compile([export_all]).\n{text}");
    let source = SourceText { path: "m.erl", text: &text };
    let loaded = load(&[source], &Syntax::default(), &mut no_includes);
    let said: Vec<_> = loaded.problems.iter().map(|it| &it.diagnostic.message).collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{said:?}"));
    Erlang::new(program, Entry::new("m", "main"), options)
}

/// The paper's crashes of all clients.
fn clients_crash() -> Crashes {
    Crashes {
        processes: vec!["client_*".to_owned()],
        points: CrashPoints::Calls,
        restart: false,
        may_cease: false,
        ..Crashes::default()
    }
}

fn crashing(crashes: Crashes) -> Options {
    Options { crashes: Some(crashes), labels: Some(Labels::default()), ..Options::default() }
}

#[derive(Default)]
struct Space {
    states: usize,
    transitions: usize,
    labels: BTreeMap<String, usize>,
    faults: BTreeSet<String>,
    /// Who waits in vain where nothing can happen.
    stuck: BTreeSet<String>,
}

/// Everything that can be reached, by successors one at a time and as differences alike.
fn explore(system: &Erlang) -> Space {
    let mut space = Space::default();
    let mut seen: BTreeSet<State> = system.initial().into_iter().collect();
    let mut todo: Vec<State> = seen.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        space.states += 1;
        assert!(space.states < 100_000, "there seems to be no end");
        space.faults.extend(system.fault(&state).map(|fault| fault.message));
        let mut actions: Vec<Action> = Vec::new();
        system.enabled(&state, &mut actions);
        if actions.is_empty() {
            let blocked = system.blocked(&state).into_iter();
            space.stuck.extend(blocked.map(|pid| system.visible_name(&state, pid)));
        }
        for action in actions {
            space.transitions += 1;
            let label = system.visible_label(&state, action).unwrap_or("tau".to_owned());
            assert_eq!(system.visible_label(&state, action).unwrap_or("tau".to_owned()), label);
            *space.labels.entry(label).or_default() += 1;
            let next = system.step(&state, action);
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    space
}

fn names(space: &Space) -> Vec<&str> {
    space.labels.keys().map(String::as_str).collect()
}

#[test]
fn a_tree_that_works_for_ever_has_finitely_many_states() {
    for (defines, states, transitions) in [
        (&[][..], 369, 845),
        (&[("CLIENTS", Some("3"))], 3996, 10933),
        (&[("ACTIONS", None)], 479, 1125),
    ] {
        let space = explore(&locker(defines, Options::default()));
        assert_eq!((space.states, space.transitions), (states, transitions), "{defines:?}");
        assert!(space.faults.is_empty() && space.stuck.is_empty());
    }
}

#[test]
fn labels_name_processes_as_their_supervisor_does() {
    let space =
        explore(&locker(&[("CLIENTS", Some("1")), ("ACTIONS", None)], crashing(clients_crash())));
    assert_eq!(
        names(&space),
        [
            "call(locker,release,client_1)",
            "call(locker,request,client_1)",
            "crash(client_1)",
            "free(client_1)",
            "info(locker,{'EXIT',client_1,crash})",
            "reply(client_1,done,locker)",
            "reply(client_1,ok,locker)",
            "tau",
            "use(client_1)",
        ]
    );
    assert!(space.faults.is_empty(), "a crash is no error: {:?}", space.faults);
}

#[test]
fn what_is_hidden_is_chosen() {
    let labels = Labels {
        show: vec![LabelKind::Send, LabelKind::Spawn, LabelKind::Supervisor],
        hide: vec!["reply".to_owned(), "call".to_owned()],
    };
    let options = Options { labels: Some(labels), ..Options::default() };
    let space = explore(&locker(&[("CLIENTS", Some("1"))], options));
    let shown = ["send(locker,release,client_1)", "send(locker,request,client_1)"];
    assert_eq!(names(&space)[..2], shown);
    assert!(names(&space).contains(&"spawn(<P.1>)"), "{:?}", names(&space));
    assert!(!names(&space).iter().any(|label| label.starts_with("reply(")));
}

#[test]
fn who_waits_behind_a_dead_holder_is_seen_to_wait_if_the_server_ignores_it() {
    let cease = Crashes { may_cease: true, ..clients_crash() };
    let ignoring = explore(&locker(&[("IGNORING", None)], crashing(cease.clone())));
    let waiting: Vec<&str> = ignoring.stuck.iter().map(String::as_str).collect();
    assert_eq!(waiting, ["client_1", "client_2"]);
    let correct = explore(&locker(&[], crashing(cease)));
    assert!(correct.stuck.is_empty(), "{:?}", correct.stuck);
    // Where crashes may go on, nothing else but crashes being possible looks like progress.
    let masked = explore(&locker(&[("IGNORING", None)], crashing(clients_crash())));
    assert!(masked.stuck.len() <= ignoring.stuck.len());
}

#[test]
fn a_client_that_has_called_has_told_its_server_when_it_is_dead() {
    let space = explore(&locker(&[], crashing(clients_crash())));
    let infos: Vec<&str> =
        names(&space).into_iter().filter(|label| label.starts_with("info(")).collect();
    let exits = ["info(locker,{'EXIT',client_1,crash})", "info(locker,{'EXIT',client_2,crash})"];
    assert_eq!(infos, exits, "never noproc");
    let every = Crashes { points: CrashPoints::Every, ..clients_crash() };
    let space = explore(&locker(&[], crashing(every)));
    assert!(names(&space).contains(&"info(locker,{'EXIT',client_1,noproc})"));
}

const TELLER: &str = "
main() ->
    Self = self(),
    spawn_monitor(fun() -> register(teller, self()), Self ! 1, Self ! 2, receive stop -> ok end end),
    process_flag(trap_exit, true),
    hear().
hear() ->
    receive {'DOWN', _, process, _, crash} -> down; N when is_integer(N) -> hear() end.
";

#[test]
fn a_process_may_crash_before_everything_that_others_notice() {
    let crashes = Crashes { processes: vec!["teller".to_owned()], ..Crashes::default() };
    let space = explore(&small(TELLER, crashing(crashes.clone())));
    assert!(space.faults.is_empty());
    // It waits for a message that nobody sends: when crashes have ceased, it and who waits for its end wait in vain.
    let waiting: Vec<&str> = space.stuck.iter().map(String::as_str).collect();
    assert_eq!(waiting, ["<P>", "teller"]);
    // Before each send and in its receive, each with what the other has taken so far.
    assert!(space.labels["crash(teller)"] >= 3);
    let nobody = Crashes { max: Some(0), ..crashes };
    assert_eq!(explore(&small(TELLER, crashing(nobody))).labels.get("crash(teller)"), None);
}

#[test]
fn names_that_nobody_has_are_reported() {
    let crashes = Crashes {
        processes: ["teller", "tell*", "taller"].map(str::to_owned).to_vec(),
        ..Crashes::default()
    };
    let system = small(TELLER, crashing(crashes));
    explore(&system);
    assert_eq!(system.crashes_unmet(), ["taller"]);
}

#[test]
fn a_supervisor_starts_again_what_has_crashed() {
    let crashes = Crashes { processes: vec!["locker".to_owned()], ..Crashes::default() };
    let system = locker(&[("CLIENTS", Some("1"))], crashing(crashes.clone()));
    let space = explore(&system);
    // The client's call exits with the reason of the crash, or with noproc.
    assert!(space.faults.iter().any(|fault| fault.contains("{crash,{gen_server,call")));
    assert!(space.labels["crash(locker)"] > 0);
    assert!(space.stuck.is_empty(), "{:?}", space.stuck);
}

#[test]
fn actions_are_marked_in_three_ways() {
    let text = "
-foresee_actions([use/2, rest/0]).
main() -> use(1, {a, 2}), rest(), action:free(3), foresee:action(done), foresee:action(all, [x, \"y\"]).
use(X, {_, Y}) -> X + Y.
rest() -> ok.
";
    let space = explore(&small(text, Options::default()));
    let expected = ["all(x,\"y\")", "done", "free(3)", "rest", "tau", "use(1,{a,2})"];
    assert_eq!(names(&space), expected);
    assert!(space.faults.is_empty(), "{:?}", space.faults);
}

#[test]
fn references_that_are_used_again_are_never_confused_with_those_still_held() {
    // Keeps the last two references for ever: a new one differs from both, in equality, in order and as a key.
    let text = "
main() -> loop(make_ref(), make_ref(), 0).
loop(A, B, N) ->
    self() ! {tick, A},
    receive {tick, A} -> ok end,
    C = make_ref(),
    true = C =/= A andalso C =/= B,
    3 = length(lists:usort([A, B, C])),
    3 = map_size(#{A => 1, B => 2, C => 3}),
    true = (C < A) xor (C > A),
    loop(B, C, (N + 1) rem 2).
";
    let space = explore(&small(text, Options::default()));
    assert!(space.faults.is_empty(), "{:?}", space.faults);
    assert!(space.states < 30, "{} states", space.states);
}

/// What walks are told of each event: signals by who sent them, waiting that ends and crashes as what nobody asked for; by names of processes, so that it is
/// the same in every run.
#[test]
fn events_tell_where_they_come_from() {
    let text = "main() -> P = spawn(fun() -> receive go -> ok after 100 -> late end end), P ! go.";
    let told = || {
        let system = small(text, Options { instant_delivery: false, ..Options::default() });
        let mut told = Vec::new();
        let mut todo = system.initial();
        while let Some(state) = todo.pop() {
            let mut actions = Vec::new();
            system.enabled(&state, &mut actions);
            for action in actions {
                let label = system.label(&state, action).to_string();
                told.push((label, system.origin(&state, action)));
                todo.push(system.step(&state, action));
            }
        }
        told
    };
    let events = told();
    assert_eq!(events, told(), "another system, the same names");
    let of = |part: &str| {
        let found = events.iter().find(|(label, _)| label.contains(part));
        found.unwrap_or_else(|| panic!("{part}: {events:?}")).1
    };
    let (spawning, timeout) = (of("spawn"), of("timeout"));
    assert!(!spawning.is_unasked && timeout.is_unasked && spawning.actor != timeout.actor);
    let signals = events.iter().filter(|(_, origin)| origin.from != origin.actor);
    for (label, origin) in signals.clone() {
        assert_eq!((origin.from, origin.actor), (spawning.actor, timeout.actor), "{label}");
        assert!(!origin.is_unasked, "{label}");
    }
    assert!(signals.count() > 0, "{events:?}");
}
