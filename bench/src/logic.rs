//! How fast state spaces are written, reduced and questioned, each beside the floor it must not fall under.
//! The locker with four clients that may crash is the measure, since its sizes are known: it is generated from the
//! process algebra that its Erlang text becomes, and that state space is what the reductions reduce. The peer of a reduction reads the
//! same `.aut` text; reading is not timed on either side, and both must find as many blocks.
//! Not here: what the locker is (`examples/locker`), correctness (tests).

use crate::locker::{crashing_locker, translated_locker};
use foresee_algebra::{Algebra, Options, load};
use foresee_logic::formula::{Notation, parse};
use foresee_logic::{
    Equivalence, Generated, LabelOf, Lts, aut, generate, generate_lts, patterns, reduce,
};
use foresee_lts::{Action, System};
use foresee_search::{Limits, NoMeter, Silent};
use merc_lts::LTS;
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) const CASES: &[crate::Measured] = &[
    ("logic-aut-from-mucrl", aut_from_mucrl),
    ("logic-aut-from-erlang", aut_from_erlang),
    ("logic-reduce-strong", reduce_strong),
    ("logic-reduce-branching", reduce_branching),
    ("logic-on-the-fly", on_the_fly),
];

/// An odd number, so that the median is a run.
const RUNS: usize = 3;

fn algebra(text: &str) -> Algebra {
    load(text, Options::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

struct Timed<R> {
    seconds: f64,
    result: R,
}

fn timed<R>(run: impl FnOnce() -> R) -> Timed<R> {
    let started = Instant::now();
    let result = run();
    Timed { seconds: started.elapsed().as_secs_f64(), result }
}

/// The median run.
fn median<R>(mut runs: Vec<Timed<R>>) -> Timed<R> {
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let middle = runs.len() / 2;
    runs.swap_remove(middle)
}

fn round(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// From text to a file on disk.
fn write_aut(text: &str) -> Generated {
    let algebra = algebra(text);
    write_system(&algebra, &|_, action| algebra.visible_text(action))
}

fn write_system(system: &dyn System, label: &LabelOf<'_>) -> Generated {
    let path = std::env::temp_dir().join(format!("foresee-bench-{}.aut", std::process::id()));
    let file = std::fs::File::create(&path).expect("a temporary file");
    let mut writer = aut::Writer::seekable(file, aut::Tau::Mcrl2);
    let made = generate(system, label, &Limits::none(), &NoMeter, &mut Silent, &mut writer);
    let made = made.expect("written");
    writer.finish(made.states).expect("written");
    std::fs::remove_file(&path).expect("it is there");
    made
}

fn aut_from_mucrl() -> Value {
    let text = translated_locker(4, &[]);
    let run = median((0..RUNS).map(|_| timed(|| write_aut(&text))).collect());
    written("logic-aut-from-mucrl", &run.result, run.seconds, 150_000)
}

/// From Erlang text to a file on disk.
fn aut_from_erlang() -> Value {
    let write = || {
        let system = crashing_locker(4);
        write_system(&system, &|state, action| system.visible_label(state, action))
    };
    let run = median((0..RUNS).map(|_| timed(write)).collect());
    written("logic-aut-from-erlang", &run.result, run.seconds, 500_000)
}

fn written(name: &str, made: &Generated, seconds: f64, floor: u64) -> Value {
    let rate = (made.transitions as f64 / seconds) as u64;
    json!({
        "bench": name,
        "ours": {
            "states": made.states, "transitions": made.transitions, "seconds": round(seconds),
            "transitions_per_s": rate,
        },
        "floor": floor, "ok": rate >= floor,
    })
}

fn reduce_strong() -> Value {
    let theirs = merc_reduction::Equivalence::StrongBisim;
    reduction("logic-reduce-strong", Equivalence::Strong, &theirs)
}

fn reduce_branching() -> Value {
    let theirs = merc_reduction::Equivalence::BranchingBisim;
    reduction("logic-reduce-branching", Equivalence::Branching, &theirs)
}

fn reduction(name: &str, kind: Equivalence, peers: &merc_reduction::Equivalence) -> Value {
    let algebra = algebra(&translated_locker(4, &[]));
    let lts: Lts = generate_lts(&algebra, &|_, action| algebra.visible_text(action));
    let text = aut::write(&lts, aut::Tau::Mcrl2, Vec::new()).expect("memory takes it");
    let theirs = merc_lts::read_aut(&text[..], vec!["tau".to_owned()]).expect("our own text");
    assert_eq!(theirs.num_of_transitions(), lts.n_transitions(), "the peer reads the same");
    let (mut our_runs, mut their_runs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        our_runs.push(timed(|| reduce(&lts, kind).lts.n_states()));
        let input = theirs.clone();
        let mut timing = merc_utilities::Timing::new();
        let reduced = || merc_reduction::reduce_lts(input, peers.clone(), &mut timing);
        their_runs.push(timed(|| reduced().num_of_states()));
    }
    let (ours, theirs) = (median(our_runs), median(their_runs));
    assert_eq!(ours.result, theirs.result, "both find the same number of blocks");
    json!({
        "bench": name,
        "ours": {
            "states": lts.n_states(), "transitions": lts.n_transitions(), "blocks": ours.result,
            "seconds": round(ours.seconds),
        },
        "peer": "merc_reduction-1",
        "theirs": { "blocks": theirs.result, "seconds": round(theirs.seconds) },
        "ratio": round(theirs.seconds / ours.seconds),
        "ceiling": 3.0, "ok": ours.seconds < 3.0,
    })
}

/// A violation is found without the rest of the state space.
fn on_the_fly() -> Value {
    let algebra = algebra(&translated_locker(3, &["ACTIONS", "WRONG"]));
    let label = |_: &[u32], action: Action| algebra.visible_text(action);
    let typed = "crash-tolerant-mutual-exclusion('use(.*)', 'free(.*)', 'info(.*)')";
    let text = patterns::formula(typed).expect("a pattern");
    let formula = parse(&text, Notation::Paper).into_result().expect("a formula");
    let solve = || {
        foresee_logic::solve(&algebra, &label, &formula, &Limits::none(), &NoMeter, &mut Silent)
            .expect("no bad input")
    };
    let run = median((0..RUNS).map(|_| timed(solve)).collect());
    let solution = run.result;
    let evidence = solution.evidence.expect("a violation has evidence");
    let whole = generate_lts(&algebra, &label).n_states() as u64;
    let visible = evidence.labels.iter().flatten().count();
    assert_eq!((solution.holds, visible), (Some(false), 13), "the known shortest story");
    json!({
        "bench": "logic-on-the-fly",
        "ours": {
            "states": solution.states, "of": whole, "visible_steps": visible,
            "seconds": round(run.seconds),
        },
        "ok": solution.states < whole,
    })
}
