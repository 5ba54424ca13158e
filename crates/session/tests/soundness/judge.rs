//! What must be so for a program, whatever it does.
//! In every state: independent events commute (`foresee_search::check_independence`). Every engine comes to the same outcomes:
//! the stateful one, on the system as it explores it and as the other does, and the stateless one with every choice of runs. Every
//! simulated run comes to one of them.

use crate::outcome::{has_started, outcome};
use crate::program::Program;
use crate::shapes::Kind;
use crate::started::Started;
use foresee_erlang::{
    Entry, Erlang, Limits, Move, Options, Outcome, Pid, Rules, SourceText, load, simulate,
};
use foresee_lts::{Predicate, Property, Reads, State, System, Verdict};
use foresee_search::{Checked, NoMeter, Silent};
use foresee_stateless::{Config, Dpor, Ignore, Report, RunEnd, explore};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// More states than this are not gone through.
const STATES_MAX: u64 = 30_000;
/// More interleavings than this are too many for an exploration that leaves nothing out.
const INTERLEAVINGS_MAX: u64 = 10_000;
/// Seeds of simulated runs.
const N_SIMULATED: u64 = 10;

/// What was looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) n_pairs: u64,
    pub(crate) n_states: u64,
    pub(crate) is_exhausted: bool,
    pub(crate) is_too_large: bool,
    /// The outcomes, as they can be compared with those of a real Erlang.
    pub(crate) outcomes: BTreeSet<String>,
}

/// Judges a program; otherwise what is wrong, beginning with one word that says what kind of thing.
pub(crate) fn judged(program: &Program) -> Result<Judged, String> {
    let linked = linked(program)?;
    let races = started(&linked, Options { rules: Rules::EXACT, ..Options::default() })?;
    let mut judged = Judged::default();
    let Some((states, n_states)) = finals(&races, Some(&mut judged))? else {
        return Ok(Judged { is_too_large: true, ..judged });
    };
    let all = outcomes(&races, &states, true);
    judged.outcomes = outcomes(&races, &states, false);
    judged.n_states = n_states;
    let plain = started(&linked, Options { rules: Rules::MERGED, ..Options::default() })?;
    if let Some((own, _)) = finals(&plain, None)? {
        same("stateful", &outcomes(&plain, &own, true), &all)?;
    }
    for (word, dpor) in [
        ("optimal", Dpor::Optimal),
        ("source", Dpor::Source),
        ("persistent", Dpor::Persistent),
        ("none", Dpor::None),
    ] {
        if let Some(own) = explored(&races, dpor)? {
            same(word, &own, &all)?;
            judged.is_exhausted |= dpor == Dpor::None;
        }
    }
    if program.kind != Kind::Start {
        for seed in 0..N_SIMULATED {
            let limits = Limits { steps_max: 5_000, ..Limits::default() };
            let run = simulate(&plain.erlang, seed, limits, |_| {});
            let is_over = matches!(
                run.outcome,
                Outcome::Finished | Outcome::Deadlock(_) | Outcome::Halted(_)
            );
            let own = outcome(&plain.erlang, &run.state, true);
            if is_over && !all.contains(&own) {
                return Err(format!("simulated: seed {seed}\n{own}"));
            }
        }
    }
    Ok(judged)
}

/// Only the outcomes, as they can be compared with those of a real Erlang; nothing if there are too many states. A real Erlang
/// delivers nothing at once, so what only delayed signals can lead to counts as well where it is asked for: that signals are
/// delivered at once is what every verdict says it assumes.
pub(crate) fn comparable(
    program: &Program,
    instant_delivery: bool,
) -> Result<Option<BTreeSet<String>>, String> {
    let options = Options { instant_delivery, ..Options::default() };
    let plain = started(&linked(program)?, options)?;
    Ok(finals(&plain, None)?.map(|(states, _)| outcomes(&plain, &states, false)))
}

fn same(word: &str, own: &BTreeSet<String>, all: &BTreeSet<String>) -> Result<(), String> {
    let missed: Vec<&String> = all.difference(own).collect();
    let more: Vec<&String> = own.difference(all).collect();
    if missed.is_empty() && more.is_empty() {
        return Ok(());
    }
    let first = |list: &[&String]| list.first().map_or(String::new(), |it| (*it).clone());
    Err(format!(
        "{word}: misses {} of {} outcomes, has {} others\nmissed:\n{}more:\n{}",
        missed.len(),
        all.len(),
        more.len(),
        first(&missed),
        first(&more)
    ))
}

/// The program's text, loaded.
fn linked(program: &Program) -> Result<Arc<foresee_erlang::Program>, String> {
    let text = program.module("m");
    let file = SourceText { path: "m.erl", text: &text };
    let loaded = load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
    let said: Vec<_> = loaded.problems.iter().map(|it| it.diagnostic.message.clone()).collect();
    loaded.program.map(Arc::new).ok_or_else(|| format!("text: {said:?}\n{text}"))
}

/// The program from where its three processes are let go and all else is quiet.
fn started(linked: &Arc<foresee_erlang::Program>, options: Options) -> Result<Started, String> {
    let erlang = Erlang::new(Arc::clone(linked), Entry::new("m", "main"), options);
    let mut state = erlang.initial().remove(0);
    for _ in 0..500 {
        let started = has_started(&erlang, &state);
        let mut actions = Vec::new();
        erlang.enabled(&state, &mut actions);
        let first = Pid::first();
        let has_begun =
            |pid: Pid| (0..3).any(|at| started[at] && pid == first.child(at as u32 + 1));
        let is_set_up = |action: &foresee_lts::Action| match erlang.decode(&state, *action) {
            Move::Process(pid) | Move::Deliver(pid, _) => !has_begun(pid),
            _ => false,
        };
        match actions.into_iter().find(is_set_up) {
            Some(action) => state = erlang.step(&state, action),
            None if started == [true; 3] => return Ok(Started { erlang, state }),
            None => break,
        }
    }
    Err(format!("set-up: it does not start\n{}", outcome(&erlang, &state, true)))
}

fn outcomes(system: &Started, states: &[State], is_whole: bool) -> BTreeSet<String> {
    states.iter().map(|state| outcome(&system.erlang, state, is_whole)).collect()
}

/// The final states of all runs and the number of all states, by the stateful engine; checking independence if somebody counts
/// its pairs. Nothing if there are too many states.
fn finals(
    system: &Started,
    judged: Option<&mut Judged>,
) -> Result<Option<(Vec<State>, u64)>, String> {
    let finals: Mutex<Vec<State>> = Mutex::default();
    let finals = Arc::new(finals);
    let noted = Arc::clone(&finals);
    // A predicate outlives what it is about, so it asks another instance, which has the same numbers.
    let twin = Arc::new(system.erlang.for_thread());
    let is_any = Predicate::new("noted", Reads::All, move |state: &[u32], _| {
        let mut actions = Vec::new();
        twin.enabled(state, &mut actions);
        if actions.is_empty() {
            noted.lock().expect("nobody panics").push(state.to_vec());
        }
        true
    });
    let mut config = foresee_stateful::Config {
        properties: vec![Property::invariant(is_any)],
        keep_going: true,
        ..Default::default()
    };
    config.limits.states_max = Some(STATES_MAX);
    let report = match judged {
        None => foresee_stateful::search(system, &config, &NoMeter, &mut Silent),
        Some(judged) => {
            let checked = Checked::new(system);
            let meter = checked.meter(&NoMeter);
            let report = foresee_stateful::search(&checked, &config, &meter, &mut Silent);
            judged.n_pairs = checked.counts().0;
            if let Some((it, path)) = checked.difference() {
                let place = path.actions.len();
                let what = it.unlike.text();
                return Err(format!(
                    "independence: {what}, after {place} events\n  {}\n  {}",
                    it.first, it.second
                ));
            }
            report
        }
    };
    if matches!(report.verdict, Verdict::Inconclusive(_)) {
        return Ok(None);
    }
    if let Some(fault) =
        report.violations.iter().find(|it| it.kind == foresee_lts::ViolationKind::Unmodelled)
    {
        return Err(format!("stuck: {}", fault.message));
    }
    let states = std::mem::take(&mut *finals.lock().expect("nobody panics"));
    Ok(Some((states, report.states)))
}

/// The outcomes of the runs that an exploration chooses; nothing if there are too many.
fn explored(system: &Started, dpor: Dpor) -> Result<Option<BTreeSet<String>>, String> {
    let ignore: Ignore = Arc::new(|_, _| true);
    let mut config = Config {
        dpor,
        keep_going: true,
        ignore: Some(ignore),
        tree_max: usize::MAX,
        ..Config::default()
    };
    config.limits.interleavings_max = Some(INTERLEAVINGS_MAX);
    let report = explore(system, &config, &NoMeter, &mut Silent);
    if matches!(report.verdict, Verdict::Inconclusive(_)) {
        return Ok(None);
    }
    if dpor == Dpor::Optimal && report.sleep_set_blocked > 0 {
        return Err(format!("blocked: {} runs given up", report.sleep_set_blocked));
    }
    Ok(Some(of_runs(system, &report)))
}

fn of_runs(system: &Started, report: &Report) -> BTreeSet<String> {
    let mut outcomes = BTreeSet::new();
    let mut states = vec![system.state.clone()];
    for run in &report.tree {
        states.truncate(run.shares + 1);
        for &action in &run.actions {
            states.push(system.step(states.last().expect("a state"), action));
        }
        if run.end != RunEnd::SleepSetBlocked {
            outcomes.insert(outcome(&system.erlang, states.last().expect("a state"), true));
        }
    }
    outcomes
}

/// The same where what an engine believes of itself may turn out wrong.
pub(crate) fn caught(program: &Program) -> Result<Judged, String> {
    std::panic::catch_unwind(|| judged(program)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// A part of a program with which the same is wrong, of which no smaller part is wrong.
pub(crate) fn shrunk(mut program: Program, mut what: String) -> (Program, String) {
    let kind = |what: &str| what.split(' ').next().unwrap_or_default().to_owned();
    let wanted = kind(&what);
    let is_same = |small: Program| match caught(&small) {
        Err(its) if kind(&its) == wanted => Some((small, its)),
        _ => None,
    };
    while let Some(smaller) = program.smaller().into_iter().find_map(is_same) {
        (program, what) = smaller;
    }
    (program, what)
}
