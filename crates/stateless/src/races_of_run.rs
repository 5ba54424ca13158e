//! The races of one run that is given, whoever found it.
//! Why: a run is shortened and put in another order before it is shown, and then other pairs of its events stand beside each
//! other; and a run that another engine found has races too. So they are looked for in the run as it is shown.
//! Not here: trying the other order (`explore` does that for its own runs).

use crate::index::Idx;
use crate::numbers::Numbers;
use crate::race::{Reversals, Rules, extend};
use crate::run::Run;
use crate::step::Step;
use foresee_lts::{Path, State, System};
use std::sync::Arc;

/// The pairs of events of `path`, by their places in it, that raced: the other order is possible and may lead elsewhere. With
/// `observers`, two deliveries to one mailbox race only if a receive of the run tells them apart. None, if nothing is known of who
/// acts in the system.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1), Action(0)] };
/// // Counters never meet.
/// assert!(foresee_stateless::races(&Counters::new(2, 3), &path, true).is_empty());
/// ```
pub fn races(system: &dyn System, path: &Path, observers: bool) -> Vec<(usize, usize)> {
    races_of(system, path, &path.states(system), observers)
}

/// The same for a path whose states are known, one before each action and the last.
pub fn races_of(
    system: &dyn System,
    path: &Path,
    states: &[State],
    observers: bool,
) -> Vec<(usize, usize)> {
    assert_eq!(states.len(), path.actions.len() + 1, "the states of the path");
    let Some(threads) = system.interleaving() else { return Vec::new() };
    let rules = Rules { system, threads, has_observers: observers, is_whole: true };
    let numbers = Numbers::default();
    let (mut run, mut reversals) = (Run::new(), Reversals::default());
    for (state, action) in states.iter().zip(&path.actions) {
        let footprint = Arc::new(system.footprint(state, *action));
        let numbered = numbers.of(&footprint);
        let step = Step::new(footprint, numbered, state, *action, None);
        extend(&mut run, rules, &step, *action, &mut reversals);
        reversals.clear();
    }
    let pairs = run.pairs.iter().map(|(first, second)| (first.get(), second.get()));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
