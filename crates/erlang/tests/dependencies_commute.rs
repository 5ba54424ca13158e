//! Footprints against brute force: events that footprints call independent must commute.
//! In states of every program of the corpus, and of those made for it, the check that `--check-independence` does in the
//! states an engine visits (`foresee_search::check_independence`).

mod programs;

use foresee_erlang::{Erlang, Options, Rules};
use foresee_lts::{Action, System};
use foresee_search::check_independence;
use foresee_stdx::mix;
use std::collections::BTreeSet;

fn actions(system: &Erlang, state: &[u32]) -> Vec<Action> {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    actions
}

/// Visits each state along some runs, drawn with seeds, once; at most so many.
fn walk(system: &Erlang, n_max: usize, mut visit: impl FnMut(&[u32])) {
    let mut seen = BTreeSet::new();
    for seed in 0..n_max as u64 / 10 {
        let mut state = system.initial().remove(0);
        let mut random = mix(seed);
        for _ in 0..400 {
            let enabled = actions(system, &state);
            if enabled.is_empty() || seen.len() == n_max {
                break;
            }
            if enabled.len() > 1 && seen.insert(state.clone()) {
                visit(&state);
            }
            random = mix(random);
            state = system.step(&state, enabled[random as usize % enabled.len()]);
        }
    }
}

fn check_all(instant_delivery: bool) {
    let mut failures = Vec::new();
    let mut n_pairs = 0;
    for program in programs::all() {
        let options = Options { rules: Rules::EXACT, instant_delivery, ..Options::default() };
        let Some(system) = program.system(options) else { continue };
        let mut wrong = BTreeSet::new();
        // Those made for this have many pairs in each state.
        let n_states = if program.name.starts_with("mix_") { 300 } else { 40 };
        walk(&system, n_states, |state| {
            let mut differences = Vec::new();
            n_pairs += check_independence(&system, state, &mut differences);
            wrong.extend(
                differences.iter().map(|it| {
                    format!("{}:\n    {}\n    {}", it.unlike.text(), it.first, it.second)
                }),
            );
        });
        failures.extend(wrong.into_iter().take(3).map(|what| format!("{}: {what}", program.name)));
    }
    assert!(n_pairs > 5_000, "only {n_pairs} pairs");
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn independent_events_commute() {
    check_all(true);
}

#[test]
fn independent_events_commute_when_messages_take_time() {
    check_all(false);
}

/// Whether the check finds a difference in some program that was made for it.
fn is_found(rules: Rules) -> bool {
    let made = || programs::all().into_iter().filter(|program| program.name.starts_with("mix_"));
    [true, false].into_iter().any(|instant_delivery| {
        made().any(|program| {
            let options = Options { rules, instant_delivery, ..Options::default() };
            let Some(system) = program.system(options) else { return false };
            let mut differences = Vec::new();
            walk(&system, 40, |state| {
                if differences.is_empty() {
                    check_independence(&system, state, &mut differences);
                }
            });
            !differences.is_empty()
        })
    })
}

/// Two rules whose absence shows in a few states; what the others keep is asked for by reversals, long after the events.
#[test]
fn without_a_rule_of_the_exact_reading_events_do_not_commute() {
    let exact = Rules::EXACT;
    assert!(!is_found(exact));
    assert!(is_found(Rules { numbers_references: false, ..exact }));
    assert!(is_found(Rules { keeps_named: false, ..exact }));
}
