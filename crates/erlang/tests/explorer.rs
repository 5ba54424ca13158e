//! The explorer gives what `enabled` and `step` give: the same successors, in the same order, with the same hashes.

mod programs;

use foresee_erlang::{Erlang, Options, Rules};
use foresee_lts::{State, Successors, System};
use foresee_stdx::mix;

fn successors(system: &Erlang, state: &[u32]) -> Vec<(u64, State, bool)> {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    let successor = |action| {
        let next = system.step(state, action);
        let faulty = system.fault(&next).is_some();
        (action.0, next, faulty)
    };
    actions.into_iter().map(successor).collect()
}

#[test]
fn the_explorer_agrees_with_single_steps() {
    for (instant_delivery, rules) in [(true, Rules::MERGED), (false, Rules::EXACT)] {
        for program in programs::all().into_iter().step_by(2) {
            let options = Options { instant_delivery, rules, ..Options::default() };
            let Some(system) = program.system(options) else { continue };
            // A system of its own, so that nothing is known before.
            let mut explorer = system.explorer();
            let mut found = Successors::default();
            let mut state = system.initial().remove(0);
            let mut random = mix(7);
            for _ in 0..60 {
                explorer.expand(&state, &mut found);
                found.assert_consistent(&system, &state);
                let expected = successors(&system, &state);
                assert_eq!(found.len(), expected.len(), "{}", program.name);
                for (successor, (action, next, faulty)) in found.iter().zip(&expected) {
                    let mut own = state.clone();
                    found.apply(successor, &mut own);
                    while own.last() == Some(&0) {
                        own.pop();
                    }
                    assert_eq!((successor.action.0, &own), (*action, next), "{}", program.name);
                    assert_eq!(successor.faulty, *faulty, "{}", program.name);
                }
                random = mix(random);
                match expected.into_iter().nth(random as usize % found.len().max(1)) {
                    Some((_, next, _)) => state = next,
                    None => break,
                }
            }
        }
    }
}
