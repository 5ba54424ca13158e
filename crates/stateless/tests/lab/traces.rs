//! Brute force: every interleaving, and how many of them differ by more than the order of independent events.
//! Shares nothing with the engine but the footprints: the happened-before of a finished run is computed pair by pair, from
//! the rules as they are written down in the design, and compared whole.

use foresee_lts::{Action, Footprint, Relation, State, System};
use std::collections::BTreeSet;

/// What all interleavings of a system come to.
#[derive(Debug, Default)]
pub struct Everything {
    pub interleavings: usize,
    pub traces: BTreeSet<Trace>,
    pub finals: BTreeSet<State>,
    pub errors: BTreeSet<String>,
}

/// A run up to the order of independent events: its events by thread, each with what happened before it.
pub type Trace = Vec<(Name, Option<u64>, Vec<Name>)>;
/// A thread and the number of its event.
type Name = (u64, usize);

struct Happened {
    state: State,
    action: Action,
    footprint: Footprint,
    name: Name,
}

/// Explores everything; `None` if there are more than `max` interleavings.
pub fn everything(system: &dyn System, has_observers: bool, max: usize) -> Option<Everything> {
    let mut found = Everything::default();
    let mut run = Vec::new();
    for initial in system.initial() {
        if !explore(system, has_observers, max, initial, &mut run, &mut found) {
            return None;
        }
    }
    Some(found)
}

fn explore(
    system: &dyn System,
    has_observers: bool,
    max: usize,
    state: State,
    run: &mut Vec<Happened>,
    found: &mut Everything,
) -> bool {
    let mut actions = Vec::new();
    system.enabled(&state, &mut actions);
    if actions.is_empty() {
        found.interleavings += 1;
        found.traces.insert(trace(system, has_observers, run));
        found.errors.extend(errors(system, &state));
        found.finals.insert(state);
        return found.interleavings <= max;
    }
    for action in actions {
        let footprint = system.footprint(&state, action);
        let thread = footprint.thread_key();
        let number = run.iter().filter(|it| it.name.0 == thread).count();
        let next = system.step(&state, action);
        run.push(Happened { state: state.clone(), action, footprint, name: (thread, number) });
        let goes_on = explore(system, has_observers, max, next, run, found);
        run.pop();
        if !goes_on {
            return false;
        }
    }
    true
}

/// The trace of one run.
pub fn trace_of(
    system: &dyn System,
    has_observers: bool,
    initial: &State,
    actions: &[Action],
) -> Trace {
    let mut state = initial.clone();
    let mut run: Vec<Happened> = Vec::new();
    for &action in actions {
        let footprint = system.footprint(&state, action);
        let thread = footprint.thread_key();
        let number = run.iter().filter(|it| it.name.0 == thread).count();
        let next = system.step(&state, action);
        run.push(Happened { state, action, footprint, name: (thread, number) });
        state = next;
    }
    trace(system, has_observers, &run)
}

/// What is wrong at the end of a run.
pub fn errors(system: &dyn System, state: &[u32]) -> Vec<String> {
    let fault = system.fault(state).map(|fault| fault.message);
    let deadlock = (!system.is_final(state)).then(|| "deadlock".to_owned());
    fault.into_iter().chain(deadlock).collect()
}

fn trace(system: &dyn System, has_observers: bool, run: &[Happened]) -> Trace {
    let taken = taken(run);
    let n = run.len();
    let mut before: Vec<Vec<bool>> = Vec::new();
    for j in 0..n {
        let mut past = vec![false; n];
        for i in 0..j {
            if depends(system, has_observers, run, &taken, i, j) {
                past[i] = true;
                for (known, &through) in past.iter_mut().zip(&before[i]) {
                    *known |= through;
                }
            }
        }
        before.push(past);
    }
    let mut trace: Trace = (0..n)
        .map(|j| {
            let mut past: Vec<Name> =
                (0..j).filter(|i| before[j][*i]).map(|i| run[i].name).collect();
            past.sort_unstable();
            let message = run[j].footprint.receive.and_then(|receive| receive.message);
            (run[j].name, message, past)
        })
        .collect();
    trace.sort_unstable();
    trace
}

/// For each event and each of its deliveries: the receive that takes it.
fn taken(run: &[Happened]) -> Vec<Vec<Option<usize>>> {
    let mut taken: Vec<Vec<Option<usize>>> =
        run.iter().map(|it| vec![None; it.footprint.deliveries.len()]).collect();
    for (r, event) in run.iter().enumerate() {
        let Some(receive) = event.footprint.receive else { continue };
        let Some(message) = receive.message else { continue };
        'search: for d in 0..r {
            for (which, delivery) in run[d].footprint.deliveries.iter().enumerate() {
                let is_it = delivery.mailbox == receive.mailbox && delivery.message == message;
                if is_it && taken[d][which].is_none() {
                    taken[d][which] = Some(r);
                    break 'search;
                }
            }
        }
    }
    taken
}

fn depends(
    system: &dyn System,
    has_observers: bool,
    run: &[Happened],
    taken: &[Vec<Option<usize>>],
    i: usize,
    j: usize,
) -> bool {
    let (a, b) = (&run[i], &run[j]);
    let system = system.interleaving().expect("a system with threads");
    let would_take = |r: usize, message| system.would_take(&run[r].state, run[r].action, message);
    let notices = |look, change| system.notices(look, change);
    let relation = a.footprint.relation_by(&b.footprint, notices);
    if a.name.0 == b.name.0 || relation != Relation::Independent {
        return true;
    }
    if taken[i].contains(&Some(j)) {
        return true;
    }
    for (which_b, to_b) in b.footprint.deliveries.iter().enumerate() {
        if let Some(receive) = a.footprint.receive
            && receive.message.is_none()
            && receive.mailbox == to_b.mailbox
            && would_take(i, to_b.message)
        {
            return true;
        }
        for (which_a, to_a) in a.footprint.deliveries.iter().enumerate() {
            if to_a.mailbox != to_b.mailbox {
                continue;
            }
            if !has_observers {
                return true;
            }
            let Some(r) = taken[i][which_a] else { continue };
            let is_gone = taken[j][which_b].is_some_and(|earlier| earlier < r);
            if would_take(r, to_b.message) && !is_gone {
                return true;
            }
        }
    }
    false
}
