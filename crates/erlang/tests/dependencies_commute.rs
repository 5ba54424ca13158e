//! Footprints against brute force: events that footprints call independent must commute.
//! In states of every program of the corpus, for every two actions of different threads whose footprints do not clash:
//! neither takes the other away, and both orders lead to one state. For every two in turn that do not clash: the second
//! could have come first, with the same result. Two deliveries to one mailbox are the engine's business
//! (a receive decides whether their order matters), so there the order of messages is left out of the comparison.

mod programs;

use foresee_erlang::component::{Component, Inbox};
use foresee_erlang::{Erlang, Options, Pid, Term};
use foresee_lts::{Action, Footprint, Relation, System, content_hash_of};
use foresee_stdx::mix;
use std::collections::BTreeSet;

/// Whether the accesses alone make the order matter.
fn clash(system: &Erlang, a: &Footprint, b: &Footprint) -> bool {
    a.relation_by(b, |look, change| system.notices(look, change)) != Relation::Independent
}

/// Whether an action gives up waiting for what another event delivers.
fn waits(
    system: &Erlang,
    state: &[u32],
    (action, own): (Action, &Footprint),
    other: &Footprint,
) -> bool {
    own.receive.is_some_and(|receive| {
        let delivered = other.deliveries.iter().filter(|its| its.mailbox == receive.mailbox);
        receive.message.is_none()
            && delivered.into_iter().any(|its| system.would_take(state, action, its.message))
    })
}

/// Processes to whose mailboxes both events deliver.
fn common_mailboxes(system: &Erlang, state: &[u32], a: &Footprint, b: &Footprint) -> Vec<Pid> {
    let both = |pid: &Pid| {
        let mailbox = foresee_erlang::footprint::mailbox(*pid);
        [a, b].iter().all(|own| own.deliveries.iter().any(|d| d.mailbox == mailbox))
    };
    system.processes(state).iter().map(|process| process.pid).filter(both).collect()
}

/// The hash of a state in which the order of some mailboxes does not count.
fn hash(system: &Erlang, state: &[u32], unordered: &[Pid]) -> u64 {
    let mut hash = content_hash_of(system, state);
    for inbox in unordered.iter().filter_map(|pid| system.inbox(state, *pid)) {
        let mut messages: Vec<Term> = inbox.messages.iter().cloned().collect();
        messages.sort_by_key(Term::content_hash);
        let sorted = Inbox { messages: messages.into_iter().collect(), ..inbox.clone() };
        hash = hash
            .wrapping_sub(Component::Inbox(inbox.clone()).content_hash())
            .wrapping_add(Component::Inbox(sorted).content_hash());
    }
    hash
}

fn actions(system: &Erlang, state: &[u32]) -> Vec<Action> {
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    actions
}

fn of_thread(system: &Erlang, state: &[u32], thread: u64) -> Option<Action> {
    actions(system, state).into_iter().find(|action| system.thread(state, *action) == thread)
}

/// Checks all pairs of a state; gives the number of independent pairs.
fn check(system: &Erlang, state: &[u32], wrong: &mut BTreeSet<String>) -> usize {
    let enabled = actions(system, state);
    let footprints: Vec<Footprint> = enabled.iter().map(|a| system.footprint(state, *a)).collect();
    let mut n_pairs = 0;
    for (i, fa) in footprints.iter().enumerate() {
        for (j, fb) in footprints.iter().enumerate().skip(i + 1) {
            let (a, b) = (enabled[i], enabled[j]);
            assert_ne!(fa.thread, fb.thread, "one action a thread");
            if clash(system, fa, fb)
                || waits(system, state, (a, fa), fb)
                || waits(system, state, (b, fb), fa)
            {
                continue;
            }
            let unordered = common_mailboxes(system, state, fa, fb);
            let (after_a, after_b) = (system.step(state, a), system.step(state, b));
            // Stopping the program takes everything away, and is not analysed.
            if system.shared(&after_a).halted.is_some() || system.shared(&after_b).halted.is_some()
            {
                continue;
            }
            n_pairs += 1;
            let labels = || format!("{}\n    {}", system.label(state, a), system.label(state, b));
            let b_then = of_thread(system, &after_a, fb.thread_key());
            let a_then = of_thread(system, &after_b, fa.thread_key());
            let (Some(b_then), Some(a_then)) = (b_then, a_then) else {
                wrong.insert(format!("one takes the other away:\n    {}", labels()));
                continue;
            };
            let (one, other) = (system.step(&after_a, b_then), system.step(&after_b, a_then));
            if hash(system, &one, &unordered) != hash(system, &other, &unordered) {
                wrong.insert(format!("no common state:\n    {}", labels()));
            }
        }
    }
    n_pairs
}

/// Checks all pairs of an action and one after it; gives the number of independent pairs. What does not clash could have come
/// before, or a search that has seen one order would never try the other.
fn check_in_turn(system: &Erlang, state: &[u32], wrong: &mut BTreeSet<String>) -> usize {
    let mut n_pairs = 0;
    for a in actions(system, state) {
        let fa = system.footprint(state, a);
        let after_a = system.step(state, a);
        for b in actions(system, &after_a) {
            let fb = system.footprint(&after_a, b);
            let takes = fa.deliveries.iter().any(|its| {
                fb.receive.is_some_and(|receive| {
                    receive.mailbox == its.mailbox && receive.message == Some(its.message)
                })
            });
            if fa.thread == fb.thread || takes || waits(system, state, (a, &fa), &fb) {
                continue;
            }
            if clash(system, &fa, &fb) {
                continue;
            }
            n_pairs += 1;
            let unordered = common_mailboxes(system, state, &fa, &fb);
            let labels =
                || format!("{}\n    {}", system.label(state, a), system.label(&after_a, b));
            let Some(b_first) = of_thread(system, state, fb.thread_key()) else {
                wrong.insert(format!("the second could not come first:\n    {}", labels()));
                continue;
            };
            let after_b = system.step(state, b_first);
            if system.shared(&after_b).halted.is_some() {
                continue;
            }
            let both = of_thread(system, &after_b, fa.thread_key())
                .map(|a_then| system.step(&after_b, a_then));
            let one = hash(system, &system.step(&after_a, b), &unordered);
            if both.is_none_or(|other| one != hash(system, &other, &unordered)) {
                wrong.insert(format!("not the same in turn:\n    {}", labels()));
            }
        }
    }
    n_pairs
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
        let options = Options { for_races: true, instant_delivery, ..Options::default() };
        let Some(system) = program.system(options) else { continue };
        let mut wrong = BTreeSet::new();
        // Those made for this have many pairs in each state.
        let n_states = if program.name.starts_with("mix_") { 300 } else { 40 };
        walk(&system, n_states, |state| {
            n_pairs += check(&system, state, &mut wrong);
            n_pairs += check_in_turn(&system, state, &mut wrong);
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
