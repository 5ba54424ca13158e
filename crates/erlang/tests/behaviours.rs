//! Programs that use the OTP behaviours and leave processes behind, each a file under `tests/behaviours` with what Erlang
//! itself writes on a node of its own; the tidy ones are in `tests/oracle`.
//! Under every seed they write the same; and a server written with the behaviour has the outcomes of one written with
//! plain receives.

use foresee_erlang::world::component::Control;
use foresee_erlang::{
    Entry, Erlang, Event, Limits, News, Options, Outcome, SourceText, load, simulate,
};
use foresee_erlang::{Pid, Term};
use foresee_erlang_syntax::no_includes;
use foresee_lts::System;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

fn system(path: &str, text: &str, module: &str, function: &str, options: Options) -> Erlang {
    let loaded = load(&[SourceText { path, text }], &Default::default(), &mut no_includes);
    let said: Vec<String> = loaded
        .problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|p| format!("{}: {}", p.sources.place(p.diagnostic.span), p.diagnostic.message))
        .collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{path}: {}", said.join("\n")));
    Erlang::new(program, Entry::new(module, function), options)
}

/// What a program writes, and how it ends.
fn run(system: &Erlang, seed: u64) -> (String, Outcome) {
    let mut output = String::new();
    let run = simulate(system, seed, Limits::default(), |news| {
        if let News::Event { event: Event::Output { text, .. }, .. } = news {
            output.push_str(text);
        }
    });
    (output, run.outcome)
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviours")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn programs_write_what_erlang_writes_under_every_seed() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the programs are there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|own| own == "erl"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|name| !name.starts_with("race_"))
        .collect();
    names.sort();
    let mut wrong = Vec::new();
    for name in &names {
        let file = format!("{name}.erl");
        let expected = read(&format!("{name}.out"));
        let system = system(&file, &read(&file), name, "main", Options::default());
        for seed in 0..8 {
            let (output, outcome) = run(&system, seed);
            if output != expected {
                wrong.push(format!(
                    "{name}, seed {seed}, {outcome:?}\nexpected\n{expected}got\n{output}"
                ));
                break;
            }
        }
    }
    assert!(names.len() >= 8, "only {} programs", names.len());
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

/// How the first process ended.
fn result(system: &Erlang, state: &[u32]) -> String {
    match system.process(state, Pid::first()).map(|process| &process.control) {
        Some(Control::Ended { reason }) => Term::to_string(reason),
        other => format!("{other:?}"),
    }
}

/// The results of all interleavings, and the number of states.
fn all_results(system: &Erlang) -> (BTreeSet<String>, usize) {
    let mut todo = system.initial();
    let mut seen: HashSet<Vec<u32>> = todo.iter().cloned().collect();
    let mut results = BTreeSet::new();
    let mut actions = Vec::new();
    while let Some(state) = todo.pop() {
        assert!(seen.len() < 100_000, "too many states");
        actions.clear();
        system.enabled(&state, &mut actions);
        if actions.is_empty() {
            results.insert(result(system, &state));
        }
        for action in &actions {
            let next = system.step(&state, *action);
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    (results, seen.len())
}

/// Both ways of writing the server, with a call's own timeout never firing.
fn both(name: &str) -> [Erlang; 2] {
    let file = format!("{name}.erl");
    ["behaviour", "loops"].map(|function| {
        let options = Options { after_timeout: Some(5_000), ..Options::default() };
        system(&file, &read(&file), name, function, options)
    })
}

#[test]
fn a_behaviour_has_the_outcomes_of_plain_receives_over_all_interleavings() {
    // Without a monitor on either side (the last) there is nothing to save but the answer's own step, which a
    // visible operation before it keeps.
    let cases = [("race_counter", 4, true), ("race_stop", 9, true), ("race_table", 4, false)];
    for (name, n_results, saves) in cases {
        let [(behaviour, n_behaviour), (loops, n_loops)] = both(name).map(|s| all_results(&s));
        assert_eq!(behaviour, loops, "{name}");
        assert_eq!(behaviour.len(), n_results, "{name}: {behaviour:?}");
        assert_eq!(n_behaviour < n_loops, saves, "{name}: {n_behaviour} states, {n_loops}");
    }
}

#[test]
fn a_behaviour_has_the_outcomes_of_plain_receives_under_many_seeds() {
    for name in ["race_counter", "race_stop", "race_table"] {
        let [behaviour, loops] = both(name).map(|system| {
            let end = |seed| simulate(&system, seed, Limits::default(), |_| {}).state;
            let drawn: BTreeSet<String> =
                (0..500).map(|seed| result(&system, &end(seed))).collect();
            let (all, _) = all_results(&system);
            assert!(drawn.is_subset(&all), "{name}: {drawn:?} of {all:?}");
            // Rare outcomes may be missed by a few hundred seeds, most are not.
            assert!(drawn.len() * 2 > all.len(), "{name}: {drawn:?} of {all:?}");
            all
        });
        assert_eq!(behaviour, loops, "{name}");
    }
}

#[test]
fn a_call_is_two_steps_of_the_client_and_one_of_the_server() {
    let text = "-module(m).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n\
        main() -> {ok, P} = gen_server:start_link(m, 0, []), self() ! mark, receive mark -> ok end,\n\
        1 = gen_server:call(P, get), self() ! mark, receive mark -> ok end.\n\
        init(N) -> {ok, N}.\nhandle_call(get, _, N) -> {reply, N + 1, N}.\n\
        handle_cast(_, N) -> {noreply, N}.\n";
    let system = system("m.erl", text, "m", "main", Options::default());
    let mut n_steps = 0;
    let mut at_marks = Vec::new();
    simulate(&system, 1, Limits::default(), |news| match news {
        News::Step { .. } => n_steps += 1,
        News::Event { event: Event::Received { message, .. }, .. }
            if message.is_atom(foresee_erlang::Atom::new("mark")) =>
        {
            at_marks.push(n_steps);
        }
        News::Event { .. } => {}
    });
    let [first, second] = at_marks[..] else { panic!("{at_marks:?}") };
    // Three for the call, two for the second mark.
    assert_eq!(second - first, 3 + 2);
}

#[test]
fn servers_that_are_asked_for_ever_come_back_to_the_same_states() {
    let text = "-module(m).\n-export([server/0, machine/0, events/0, init/1, callback_mode/0,\n\
        handle_call/3, handle_cast/2, on/3, off/3, handle_event/2, handle_call/2]).\n\
        server() -> {ok, P} = gen_server:start_link(m, server, []),\n\
          ever(fun() -> gen_server:cast(P, x), gen_server:call(P, x) end).\n\
        machine() -> {ok, P} = gen_statem:start_link(m, machine, []),\n\
          ever(fun() -> gen_statem:cast(P, x), gen_statem:call(P, x) end).\n\
        events() -> {ok, P} = gen_event:start_link(), ok = gen_event:add_handler(P, m, 0),\n\
          ever(fun() -> gen_event:notify(P, x), gen_event:sync_notify(P, x),\n\
               gen_event:call(P, m, x) end).\n\
        ever(F) -> F(), ever(F).\n\
        init(machine) -> {ok, off, 0};\ninit(_) -> {ok, 0}.\n\
        callback_mode() -> [state_functions, state_enter].\n\
        handle_call(x, _, N) -> {reply, N, N}.\nhandle_cast(x, N) -> {noreply, 1 - N}.\n\
        off(cast, x, N) -> {next_state, on, N, [{state_timeout, 10000, t}]};\n\
        off(enter, _, _) -> keep_state_and_data;\n\
        off({call, F}, x, _) -> {keep_state_and_data, {reply, F, off}}.\n\
        on(cast, x, N) -> {next_state, off, N};\n\
        on(enter, _, _) -> {keep_state_and_data, {{timeout, g}, 10000, g}};\n\
        on({call, F}, x, _) -> {keep_state_and_data, {reply, F, on}};\n\
        on(_, _, _) -> keep_state_and_data.\n\
        handle_event(x, N) -> {ok, 1 - N}.\nhandle_call(x, N) -> {ok, N, N}.\n";
    for (function, n_max) in [("server", 40), ("machine", 400), ("events", 80)] {
        let options = Options { after_timeout: Some(5_000), ..Options::default() };
        let system = system("m.erl", text, "m", function, options);
        let (_, n_states) = all_results(&system);
        assert!((5..=n_max).contains(&n_states), "{function}: {n_states} states");
    }
}
