//! Minimisation: noisy random runs come down to the known shortest, within budget, deterministically.

use crate::locks::Locks;
use crate::replay::{TWO_HOLDERS, one_holder};
use foresee_lts::{Action, Path, System, toy::Counters};
use foresee_trace::{Judge, MinimiseConfig, minimise};
use std::sync::Arc;

#[test]
fn noisy_runs_become_shortest_runs() {
    let system = Locks::noisy(3);
    let (judge, wanted) = (Judge::of(&system), one_holder());
    let oracle = judge.oracle(&system, &wanted);
    let mut lengths = Vec::new();
    for seed in 0..40 {
        let Some(noisy) = system.random_run(seed, 2000) else { continue };
        lengths.push(noisy.actions.len());
        let short = minimise(&system, &noisy, &oracle, &MinimiseConfig::default());
        assert!(short.is_minimal);
        assert_eq!(short.path.actions.len(), 6, "seed {seed}: {:#?}", system.labels(&short.path));
        let end = short.path.states(&system).pop().unwrap();
        assert_eq!(system.n_holders(&end), 2);
        let again = minimise(&system, &noisy, &oracle, &MinimiseConfig::default());
        assert_eq!((again.path, again.steps), (short.path, short.steps));
    }
    assert!(
        lengths.len() >= 20 && lengths.iter().any(|n| *n > 60),
        "the runs must be noisy: {lengths:?}"
    );
}

#[test]
fn a_shortest_run_stays_as_it_is() {
    let system = Locks::new(2);
    let path = system.path(&TWO_HOLDERS);
    let same = minimise(
        &system,
        &path,
        &|_, state| system.n_holders(state) == 2,
        &MinimiseConfig::default(),
    );
    assert_eq!(same.path, path);
}

#[test]
fn the_budget_is_kept_and_the_result_is_never_longer() {
    let system = Locks::noisy(3);
    let fails = |_: &Path, state: &[u32]| system.n_holders(state) >= 2;
    let noisy = (0..40)
        .filter_map(|seed| system.random_run(seed, 2000))
        .max_by_key(|run| run.actions.len())
        .unwrap();
    let n = noisy.actions.len();
    let mut last = n;
    for steps_max in [0, 1, n as u64, 4 * n as u64, 40 * n as u64] {
        let config = MinimiseConfig { steps_max, ..MinimiseConfig::default() };
        let result = minimise(&system, &noisy, &fails, &config);
        // One candidate may be under way when the budget ends, and the run itself and its loops are always looked at.
        assert!(result.steps <= steps_max + 3 * n as u64);
        assert!(result.path.actions.len() <= last);
        last = result.path.actions.len();
        assert!(fails(&result.path, &result.path.states(&system).pop().unwrap()));
    }
}

#[test]
fn a_run_that_does_not_fail_comes_back() {
    let system = Counters::new(2, 3);
    let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1)] };
    let result = minimise(&system, &path, &|_, _| false, &MinimiseConfig::default());
    assert_eq!(result.path, path);
    assert!(!result.is_minimal);
}

#[test]
fn what_the_search_did_not_allow_is_not_used() {
    let system = Counters::new(2, 5);
    let path = Path { initial: vec![0, 0], actions: [1, 0, 0, 0].map(Action).to_vec() };
    let fails = |_: &Path, state: &[u32]| state[0] == 3;
    let free = minimise(&system, &path, &fails, &MinimiseConfig::default());
    assert_eq!(free.path.actions, [0, 0, 0].map(Action));
    // Under the search's settings counter 1 moves only after counter 2 did, so that event has to stay.
    let allow = Arc::new(|state: &[u32], action: Action| action == Action(1) || state[1] > 0);
    let config = MinimiseConfig { allow: Some(allow), ..MinimiseConfig::default() };
    assert_eq!(minimise(&system, &path, &fails, &config).path, path);
}

/// Two switches, and somebody who comes to look whether the lamps are dark. Slot 1 counts the events, so that no state
/// comes twice.
struct Lamps;

impl System for Lamps {
    fn initial(&self) -> Vec<Vec<u32>> {
        vec![vec![0, 0, 0]]
    }

    fn enabled(&self, _: &[u32], actions: &mut Vec<Action>) {
        actions.extend([Action(0), Action(1), Action(2)]);
    }

    fn step(&self, state: &[u32], action: Action) -> Vec<u32> {
        match action.0 {
            2 => vec![state[0], state[1] + 1, 1],
            switch => vec![state[0] ^ (1 << switch), state[1] + 1, state[2]],
        }
    }
}

#[test]
fn pairs_go_when_single_events_cannot() {
    let path = Path { initial: vec![0, 0, 0], actions: [0, 1, 0, 1, 2].map(Action).to_vec() };
    let seen_dark = |_: &Path, state: &[u32]| state[0] == 0 && state[2] == 1;
    let result = minimise(&Lamps, &path, &seen_dark, &MinimiseConfig::default());
    assert_eq!(result.path.actions, [Action(2)]);
    let no_pairs = MinimiseConfig { pairs_max: 0, ..MinimiseConfig::default() };
    assert_eq!(minimise(&Lamps, &path, &seen_dark, &no_pairs).path, path);
}

/// The first event is one of the pair, and what stands between the two must stay.
#[test]
fn a_pair_may_begin_with_the_first_event() {
    let path = Path { initial: vec![0, 0, 0], actions: [0, 1, 0, 2].map(Action).to_vec() };
    let only_second = |_: &Path, state: &[u32]| state[0] == 0b10 && state[2] == 1;
    let result = minimise(&Lamps, &path, &only_second, &MinimiseConfig::default());
    assert_eq!(result.path.actions, [1, 2].map(Action));
    assert!(result.is_minimal);
}

/// One switch and somebody who looks; states come again.
struct Lamp;

impl System for Lamp {
    fn initial(&self) -> Vec<Vec<u32>> {
        vec![vec![0, 0]]
    }

    fn enabled(&self, _: &[u32], actions: &mut Vec<Action>) {
        actions.extend([Action(0), Action(1)]);
    }

    fn step(&self, state: &[u32], action: Action) -> Vec<u32> {
        if action == Action(0) { vec![1 - state[0], state[1]] } else { vec![state[0], 1] }
    }
}

/// Loops go before the budget is looked at: nothing is cheaper.
#[test]
fn what_leads_back_to_the_same_state_goes_first() {
    let actions = [0, 0, 0, 0, 0, 1].map(Action).to_vec();
    let path = Path { initial: vec![0, 0], actions };
    let seen_lit = |_: &Path, state: &[u32]| state == [1, 1];
    let config = MinimiseConfig { steps_max: 0, ..MinimiseConfig::default() };
    let result = minimise(&Lamp, &path, &seen_lit, &config);
    assert_eq!(result.path.actions, [0, 1].map(Action));
    assert!(!result.is_minimal, "the budget was over before that was known");
}
