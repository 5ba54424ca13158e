//! Local steps taken at once, against the search that takes every step: generated Erlang programs and generated systems of nodes.
//! For each: the reduced search comes to the same final states (in Erlang, but for the order of messages that nobody took), finds
//! something wrong exactly if there is something wrong, and finds the same invariants violated.
//! `FORESEE_REDUCED=FIRST..LAST` chooses the seeds, for a longer run than the sample that is drawn here.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may be told its seeds by the environment, and says what it has seen"
)]

#[path = "generated/program.rs"]
mod program;
#[path = "generated_nodes/scripted.rs"]
mod scripted;
#[path = "soundness/started.rs"]
mod started;

use foresee_erlang::{Entry, Erlang, Options, Rules, SourceText, load};
use foresee_lts::{Claims, Explorer, Fault, Reading, State, System, content_hash_of};
use foresee_lts::{Telling, plain_explorer};
use foresee_session::{
    CheckRequest, Loaded, NoFiles, NoMeter, Reduction, Registry, Silent, Source, check, open,
};
use foresee_stateful::{Config, Report, search};
use program::{Program, generated};
use scripted::Plan;
use started::Started;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

const STATES_MAX: u64 = 20_000;

/// A system in which nothing is wrong and every end is noted.
struct Watched<'a> {
    system: &'a dyn System,
    hash: &'a (dyn Fn(&[u32]) -> u64 + Sync),
    ends: Mutex<BTreeSet<u64>>,
}

impl foresee_lts::Around for Watched<'_> {
    fn inner(&self) -> &dyn System {
        self.system
    }
    fn is_final(&self, state: &[u32]) -> bool {
        let hash = (self.hash)(state);
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
        true
    }
    fn fault(&self, _: &[u32]) -> Option<Fault> {
        None
    }
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        plain_explorer(self)
    }
}

fn explored(system: &dyn System, config: &Config) -> Report {
    let mut config = config.clone();
    config.limits.states_max = Some(STATES_MAX);
    search(system, &config, &NoMeter, &mut Silent)
}

/// The ends that a search comes to, and its report.
fn ends(
    system: &dyn System,
    hash: &(dyn Fn(&[u32]) -> u64 + Sync),
    por: bool,
) -> (BTreeSet<u64>, Report) {
    let watched = Watched { system, hash, ends: Mutex::default() };
    let report = explored(&watched, &Config { deadlock: true, por, ..Config::default() });
    (watched.ends.into_inner().unwrap_or_else(PoisonError::into_inner), report)
}

/// What the two searches came to.
#[derive(Debug, Default)]
struct Tally {
    systems: usize,
    too_large: usize,
    fewer: usize,
    wrong: usize,
    states: u64,
    reduced: u64,
}

/// Compares the two searches of a system; the error says in what they differ.
fn compare(
    system: &dyn System,
    hash: &(dyn Fn(&[u32]) -> u64 + Sync),
    asked: &Config,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.systems += 1;
    let (all, plain) = ends(system, hash, false);
    if plain.stopped_by.is_some() {
        tally.too_large += 1;
        return Ok(());
    }
    let (own, reduced) = ends(system, hash, true);
    if reduced.at_once.is_none() {
        return Err("the search was not reduced".to_owned());
    }
    if own != all {
        return Err(format!("ends: {} of {}", own.intersection(&all).count(), all.len()));
    }
    if reduced.states > plain.states {
        return Err(format!("more: {} states of {}", reduced.states, plain.states));
    }
    tally.fewer += usize::from(reduced.states < plain.states);
    (tally.states, tally.reduced) = (tally.states + plain.states, tally.reduced + reduced.states);
    let found = |por: bool| -> BTreeSet<String> {
        let config = Config { por, keep_going: true, ..asked.clone() };
        let report = explored(system, &config);
        assert_eq!(report.at_once.is_some(), por, "what is asked can be asked of both");
        // Of several things that are wrong in a state one is told, so only whether there is one can be compared.
        let name = |it: &foresee_lts::Violation| match &it.property {
            Some(property) => format!("property {property}"),
            None => "wrong".to_owned(),
        };
        report.violations.iter().map(name).collect()
    };
    let (plainly, at_once) = (found(false), found(true));
    tally.wrong += usize::from(!plainly.is_empty());
    match plainly == at_once {
        true => Ok(()),
        false => Err(format!("found: {at_once:?} of {plainly:?}")),
    }
}

/// A program from where its processes are let go.
fn started(program: &Program) -> Started {
    let text = program.module();
    let file = SourceText { path: "m.erl", text: &text };
    let loaded = load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
    let linked = loaded.program.expect("a sound program");
    let options = Options { rules: Rules::EXACT, ..Options::default() };
    let erlang = Erlang::new(linked, Entry::new("m", "main"), options);
    let mut state: State = erlang.initial().remove(0);
    let server = format!("<P.{}>", program.processes.len() + 1);
    let of = |state: &[u32], who: &str| {
        let mut actions = Vec::new();
        erlang.enabled(state, &mut actions);
        actions
            .into_iter()
            .find(|action| erlang.label(state, *action).to_string().split(' ').nth(1) == Some(who))
    };
    while let Some(action) = of(&state, "<P>").or_else(|| of(&state, &server)) {
        state = erlang.step(&state, action);
    }
    Started { erlang, state }
}

fn judged(program: &Program, tally: &mut Tally) -> Result<(), String> {
    let system = started(program);
    let hash = |state: &[u32]| system.erlang.hash_unordered(state, |_| true);
    // Most of them end in a deadlock, which the ends tell of already.
    compare(&system, &hash, &Config::default(), tally)
}

/// A part of a program with which the same is wrong, of which no smaller part is wrong.
fn shrunk(mut program: Program, mut what: String) -> (Program, String) {
    let kind = |what: &str| what.split(' ').next().unwrap_or_default().to_owned();
    let is_same = |small: Program| match judged(&small, &mut Tally::default()) {
        Err(its) if kind(&its) == kind(&what) => Some((small, its)),
        _ => None,
    };
    let mut smaller = program.smaller().into_iter().find_map(is_same);
    while let Some((small, its)) = smaller {
        (program, what) = (small, its);
        let is_same = |small: Program| match judged(&small, &mut Tally::default()) {
            Err(its) if kind(&its) == kind(&what) => Some((small, its)),
            _ => None,
        };
        smaller = program.smaller().into_iter().find_map(is_same);
    }
    (program, what)
}

/// The seeds to draw from: those that the environment names, or the sample.
fn seeds(sample: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("FORESEE_REDUCED") else { return sample };
    let parts = text.split_once("..").map(|(first, last)| (first.parse(), last.parse()));
    match parts {
        Some((Ok(first), Ok(last))) => first..last,
        _ => panic!("FORESEE_REDUCED is FIRST..LAST, not {text}"),
    }
}

#[test]
fn generated_programs_come_to_the_same_ends() {
    let mut tally = Tally::default();
    for seed in seeds(0..250) {
        let program = generated(seed);
        if let Err(what) = judged(&program, &mut tally) {
            let (small, its) = shrunk(program, what.clone());
            panic!("seed {seed}: {what}\n{its}\n{small}");
        }
    }
    println!("{tally:?}");
    assert!(tally.too_large * 3 < tally.systems, "{tally:?}");
    assert!(tally.fewer * 2 > tally.systems && tally.wrong * 20 > tally.systems, "{tally:?}");
    assert!(tally.reduced * 2 < tally.states, "{tally:?}");
}

#[test]
fn generated_nodes_come_to_the_same_ends() {
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for seed in seeds(0..250) {
        let plan = Plan::new(seed);
        let world = plan.world(Reading::Exact);
        let hash = |state: &[u32]| content_hash_of(&world, state);
        let invariants = world.properties();
        let asked = Config { properties: invariants, ..Config::default() };
        if let Err(what) = compare(&world, &hash, &asked, &mut tally) {
            wrong.push(format!("seed {seed}: {what}\n  {plan:?}"));
        }
    }
    println!("{tally:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tally.too_large * 3 < tally.systems, "{tally:?}");
    assert!(tally.fewer * 5 > tally.systems && tally.wrong * 20 > tally.systems, "{tally:?}");
}

fn built_in(name: &str, parameters: &[&str]) -> Loaded {
    open(&Source::nodes(name, parameters), &Registry::stock(), &NoFiles).expect("a system")
}

fn checked(loaded: &Loaded, reduction: Reduction) -> foresee_session::Report {
    let request = CheckRequest { reduction, ..CheckRequest::default() };
    check(loaded, &request, &NoMeter, &mut Silent)
}

const POR: Reduction = Reduction { por: true, symmetry: false };

#[test]
fn two_reductions_together_are_refused() {
    let both = Reduction { por: true, symmetry: true };
    let report = checked(&built_in("two-phase-commit", &["rms=2"]), both);
    let error = report.error.expect("refused");
    assert!(error.to_string().contains("choose one of them"), "{error}");
}

/// Where it would not keep what is asked, all states are explored, as they are without, and the report says why.
#[test]
fn what_it_would_not_keep_is_said() {
    let loaded = built_in("paxos", &["clients=1", "properties=opaque"]);
    let (plain, asked) = (checked(&loaded, Reduction::default()), checked(&loaded, POR));
    assert_eq!((asked.states, asked.transitions), (plain.states, plain.transitions));
    let warning = asked.warnings.iter().find(|it| it.contains("--reduction por has no effect"));
    assert!(warning.is_some(), "{:?}", asked.warnings);
}

/// What is shown is as short as without reduction, though steps that are taken at once are found late or early.
#[test]
fn what_goes_wrong_is_shown_on_a_shortest_run() {
    for bug in ["bug=eager-commit", "bug=broken-promise"] {
        let loaded = built_in("two-phase-commit", &["rms=3", "network=fifo", bug]);
        let all = checked(&loaded, Reduction::default());
        // Alone, because what can be reached is asked as well.
        let invariants = vec![all.violations[0].property.clone().expect("an invariant")];
        let request = CheckRequest { invariants, ..CheckRequest::default() };
        let plain = check(&loaded, &request, &NoMeter, &mut Silent);
        let request = CheckRequest { reduction: POR, ..request };
        let reduced = check(&loaded, &request, &NoMeter, &mut Silent);
        assert!(reduced.assumed.iter().any(|it| it.to_string().contains("taken at once")));
        let shown = |report: &foresee_session::Report| {
            let found = report.violations.first().expect("a bug");
            (found.property.clone(), found.steps_found)
        };
        assert_eq!(shown(&reduced), shown(&plain), "{bug}");
    }
}
