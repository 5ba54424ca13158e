//! Causal order: fewer jumps for the reader, the same violation.

use crate::locks::Locks;
use crate::replay::{TWO_HOLDERS, one_holder};
use foresee_lts::{Action, Footprint, Interleaved, Path, System, Telling};
use foresee_trace::{Judge, causal_order, causal_order_with, context_switches};
use std::sync::Arc;

#[test]
fn a_cause_stands_next_to_its_consequences() {
    let system = Locks::new(2);
    let (judge, wanted) = (Judge::of(&system), one_holder());
    let told = causal_order(&system, &system.path(&TWO_HOLDERS), &judge.oracle(&system, &wanted));
    assert_eq!(
        system.labels(&told.path),
        [
            "timer client1 WantLock",
            "deliver client1 -> clerk Ask",
            "deliver clerk -> client1 Grant",
            "timer client2 WantLock",
            "deliver client2 -> clerk Ask",
            "deliver clerk -> client2 Grant",
        ]
    );
    assert_eq!((told.switches_before, told.switches_after, told.dropped), (4, 1, 0));
}

#[test]
fn random_runs_keep_their_violation_and_get_no_worse() {
    let system = Locks::noisy(3);
    let (judge, wanted) = (Judge::of(&system), one_holder());
    let oracle = judge.oracle(&system, &wanted);
    let (mut before, mut after) = (0, 0);
    for seed in 0..40 {
        let Some(run) = system.random_run(seed, 300) else { continue };
        let told = causal_order(&system, &run, &oracle);
        let end = told.path.states(&system).pop().unwrap();
        assert!(oracle(&told.path, &end), "seed {seed}");
        assert!(told.switches_after <= told.switches_before, "seed {seed}");
        assert_eq!(told.path.actions.len() + told.dropped, run.actions.len());
        let steps = told.path.states(&system);
        assert!(steps.windows(2).all(|pair| pair[0] != pair[1]), "seed {seed}: a no-op is left");
        before += told.switches_before;
        after += told.switches_after;
        // What is in order already stays so.
        let again = causal_order(&system, &told.path, &oracle);
        assert!(again.switches_after <= told.switches_after);
    }
    assert!(after * 3 < before * 2, "{before} jumps became {after}");
}

#[test]
fn events_that_change_nothing_go() {
    let system = Locks::noisy(2);
    let mut labels = TWO_HOLDERS.to_vec();
    labels.insert(2, "step client1 ping");
    labels.insert(3, "step client1 ping");
    let path = system.path(&labels);
    let told = causal_order(&system, &path, &|_, state| system.n_holders(state) == 2);
    // The second ping finds the first in the inbox and changes nothing; the first one is minimisation's business.
    assert_eq!(told.dropped, 1);
    assert_eq!(told.path.actions.len(), 7);
}

/// Footprints that lie: they claim independence where there is none.
struct Liar(Locks);

impl foresee_lts::Around for Liar {
    fn inner(&self) -> &dyn System {
        &self.0
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }
}

impl foresee_lts::InterleavedAround for Liar {
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        // Only timers and grants of one client go together: asks float to the end, where they come too late.
        let label = self.0.label(state, action).to_string();
        let object =
            (1..4).find(|i| !label.contains("Ask") && label.contains(&format!("client{i}")));
        Footprint::default().writes(object.unwrap_or(100 + action.0))
    }
}

#[test]
fn an_order_that_is_no_run_is_not_taken() {
    let liar = Liar(Locks::new(2));
    let path = liar.0.path(&TWO_HOLDERS);
    let told = causal_order(&liar, &path, &|_, state| liar.0.n_holders(state) == 2);
    assert_eq!(told.path, path);
    assert_eq!(told.switches_after, told.switches_before);
}

#[test]
fn switches_are_counted_between_neighbours() {
    let write = |object| Footprint::default().writes(object);
    assert_eq!(context_switches(&[]), 0);
    assert_eq!(context_switches(&[write(1), write(1), write(2), write(1)]), 2);
    let empty = Path { initial: vec![0; 6], actions: vec![] };
    assert!(causal_order(&Locks::new(2), &empty, &|_, _| true).path.actions.is_empty());
}

#[test]
fn what_the_search_did_not_allow_is_no_better_order() {
    let system = Locks::new(2);
    let path = system.path(&TWO_HOLDERS);
    let fails = |_: &Path, state: &[u32]| system.n_holders(state) == 2;
    // Under these settings nobody holds the lock before everybody has asked, so the told order is not a run.
    let inner = system.clone();
    let allow = Arc::new(move |state: &[u32], action: Action| {
        inner.label(state, action).payload != "Grant".into() || state[0] == 0b110
    });
    let told = causal_order_with(&system, &path, &fails, Some(allow));
    assert_eq!(told.path, path);
    assert_ne!(causal_order(&system, &path, &fails).path, path);
}
