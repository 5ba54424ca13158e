//! Generated programs: the engine against brute force.
//! For each program every interleaving is enumerated by independent code. Optimal exploration must run each trace once and
//! give up nothing; every way of exploring must end in the same states with the same errors.

mod lab;

use foresee_lts::{Path, State, System};
use foresee_search::{NoMeter, Silent};
use foresee_stateless::{Config, Dpor, Report, Scheduling, explore};
use lab::programs::{self, FLAVOURS, Flavour, generated};
use lab::traces::{Everything, errors, everything};
use lab::{ANY, Lab, Op};
use std::collections::BTreeSet;

const INTERLEAVINGS_MAX: usize = 3_000;

/// The final states and errors of the runs that an exploration kept.
fn ends(lab: &Lab, report: &Report) -> (BTreeSet<State>, BTreeSet<String>) {
    let (mut finals, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut actions = Vec::new();
    for run in &report.tree {
        actions.truncate(run.shares);
        actions.extend_from_slice(&run.actions);
        if run.end == foresee_stateless::RunEnd::SleepSetBlocked {
            continue;
        }
        let path = Path { initial: lab.initial().remove(0), actions: actions.clone() };
        let end = path.states(lab).pop().expect("a state");
        found.extend(errors(lab, &end));
        finals.insert(end);
    }
    (finals, found)
}

fn config(dpor: Dpor, observers: bool) -> Config {
    Config { dpor, observers, keep_going: true, tree_max: usize::MAX, ..Config::default() }
}

fn check(lab: &Lab, truth: &Everything, config: &Config, name: &str) -> Report {
    let report = explore(lab, config, &NoMeter, &mut Silent);
    let (finals, found) = ends(lab, &report);
    let seen = |states: &BTreeSet<State>| -> BTreeSet<State> {
        match config.observers {
            true => states.iter().map(|state| lab.unordered(state.clone())).collect(),
            false => states.clone(),
        }
    };
    assert_eq!(seen(&finals), seen(&truth.finals), "final states, {name}, {config:?}\n{lab:#?}");
    assert_eq!(found, truth.errors, "errors, {name}, {config:?}\n{lab:#?}");
    assert_eq!(report.findings.is_empty(), truth.errors.is_empty(), "{name}");
    let n_traces = truth.traces.len() as u64;
    let n_complete = report.interleavings - report.sleep_set_blocked;
    assert!(n_complete >= n_traces, "{name}, {config:?}\n{lab:#?}");
    report
}

fn referee(flavour: Flavour, seeds: std::ops::Range<u64>) -> usize {
    seeds.map(|seed| judge(&generated(flavour, seed), &format!("{flavour:?} {seed}"))).sum()
}

/// Holds all ways of exploring a program against brute force; gives the number of ways that it could be compared.
fn judge(lab: &Lab, name: &str) -> usize {
    let mut n_checked = 0;
    for observers in [true, false] {
        let Some(truth) = everything(lab, observers, INTERLEAVINGS_MAX) else { continue };
        let name = format!("{name} observers {observers}");
        let optimal = config(Dpor::Optimal, observers);
        for scheduling in [Scheduling::Oldest, Scheduling::Newest, Scheduling::RoundRobin] {
            for strict_scheduling in [false, true] {
                let config = Config { scheduling, strict_scheduling, ..optimal.clone() };
                let report = check(lab, &truth, &config, &name);
                assert_eq!(report.sleep_set_blocked, 0, "{name}\n{lab:#?}");
                let n_traces = truth.traces.len() as u64;
                assert_eq!(report.interleavings, n_traces, "{name} {config:?}\n{lab:#?}");
            }
        }
        for dpor in [Dpor::Source, Dpor::Persistent, Dpor::None] {
            for sleep_sets in [true, false] {
                let config = Config { sleep_sets, ..config(dpor, observers) };
                let report = check(lab, &truth, &config, &name);
                if dpor == Dpor::None && !sleep_sets {
                    assert_eq!(report.interleavings, truth.interleavings as u64);
                }
            }
        }
        n_checked += 1;
    }
    n_checked
}

#[test]
fn cells() {
    assert!(referee(Flavour::Cells, 0..100) > 100);
}

#[test]
fn collections() {
    assert!(referee(Flavour::Collections, 0..100) > 100);
}

/// A look and two changes of which it notices one: two traces, where taking any change to be noticed gives more.
#[test]
fn a_change_that_a_look_does_not_notice_is_no_race() {
    let lab =
        Lab::new(1, vec![vec![Op::Look(0, 1)], vec![Op::Change(0, 0)], vec![Op::Change(0, 1)]]);
    for dpor in [Dpor::Optimal, Dpor::Source] {
        let report = explore(&lab, &config(dpor, true), &NoMeter, &mut Silent);
        assert_eq!(report.interleavings, 2, "{dpor:?}");
    }
}

#[test]
fn mail() {
    assert!(referee(Flavour::Mail, 0..100) > 100);
}

#[test]
fn mail_with_timeouts() {
    assert!(referee(Flavour::MailWithTimeouts, 0..100) > 100);
}

#[test]
fn servers_that_answer_as_they_receive() {
    assert!(referee(Flavour::Servers, 0..100) > 100);
}

#[test]
fn threads_that_disable_each_other() {
    assert!(referee(Flavour::Locks, 0..100) > 100);
}

#[test]
fn events_that_touch_several_cells() {
    assert!(referee(Flavour::Graphs, 0..100) > 100);
}

#[test]
fn events_that_touch_several_cells_and_disable_others() {
    assert!(referee(Flavour::Claims, 0..100) > 100);
}

/// Events of which each clashes with the next, in a row; some are disabled by their neighbours.
#[test]
fn a_chain_of_clashes_has_every_orientation() {
    let cells = [0b0001, 0b0011, 0b0110, 0b1100, 0b1000];
    for takes in [0b00000, 0b00001, 0b00101] {
        let mut order = [0, 1, 2, 3, 4];
        for _ in 0..120 {
            let event = |at: &usize| match takes >> at & 1 {
                0 => vec![Op::WriteAll(cells[*at], 1)],
                _ => vec![Op::Take(cells[*at])],
            };
            judged_with(4, order.iter().map(event).collect());
            next_permutation(&mut order);
        }
    }
}

fn next_permutation(items: &mut [usize]) {
    let Some(at) = (1..items.len()).rev().find(|at| items[at - 1] < items[*at]) else { return };
    let other = (at..items.len()).rev().find(|it| items[*it] > items[at - 1]).expect("one is");
    items.swap(at - 1, other);
    items[at..].reverse();
}

/// Nobody takes a lock after the first, so no event of the losers ever races: that they could is known only because they were
/// disabled. The third needs both locks, so two others disable it, and only one of them is the event it is moved before.
#[test]
fn a_thread_that_was_disabled_has_its_turn() {
    let take = |cells| vec![Op::Take(cells)];
    judged_with(1, vec![take(1), take(1), take(1)]);
    judged_with(2, vec![take(1), take(2), take(3)]);
    judged_with(2, vec![take(3), take(1), take(2)]);
}

/// The messages 1 and 9 meet in one cell of what a receive remembers of the messages it was asked about.
#[test]
fn what_a_receive_would_take_is_remembered_for_each_message() {
    let only = |message: u32| Op::Receive { accepts: 1 << message, after: None };
    let any = Op::Receive { accepts: ANY, after: None };
    for (one, other) in [(1, 9), (9, 1)] {
        let sender = |message| vec![Op::Send(0, message)];
        let senders = [sender(one), sender(other), sender(one)];
        judged([vec![vec![only(one), any]], senders.to_vec()].concat());
        judged([vec![vec![any, only(one)]], senders.to_vec()].concat());
    }
}

#[test]
fn all_kinds_of_operations() {
    assert!(referee(Flavour::Everything, 0..100) > 100);
}

/// With several threads from the first run on: the same counts, and the same report where there is something to tell.
#[test]
fn threads_change_nothing() {
    use foresee_stateless::Ignore;
    let everything_is_fine: Ignore = std::sync::Arc::new(|_, _| true);
    let labs =
        FLAVOURS.into_iter().flat_map(|flavour| (0..25).map(move |it| generated(flavour, it)));
    let large = [programs::clients(5), programs::senders(5), programs::last_zero(8)];
    for lab in labs.chain(large) {
        for ignore in [Some(std::sync::Arc::clone(&everything_is_fine)), None] {
            for keep_going in [true, false] {
                let config = Config {
                    keep_going,
                    ignore: ignore.clone(),
                    runs_alone: 1,
                    ..Config::default()
                };
                let run = |threads| {
                    let config = Config { threads, ..config.clone() };
                    let report = explore(&lab, &config, &NoMeter, &mut Silent);
                    let findings = format!("{:?}", report.findings);
                    let counts = (report.interleavings, report.planned, report.sleep_set_blocked);
                    let more = (report.erroneous_interleavings, report.depth, report.events);
                    (report.verdict, counts, more, report.warnings, findings)
                };
                let alone = run(1);
                for threads in [2, 4] {
                    assert_eq!(run(threads), alone, "{threads} threads {config:?}\n{lab:#?}");
                }
            }
        }
    }
}

/// Programs that once lost a trace or had one twice.
#[test]
fn what_once_went_wrong() {
    let mail = [1137, 1422, 2506, 2739];
    let timeouts = [1048, 1693, 1703];
    let everything = [1040, 1440, 1612, 1787, 24685, 39175];
    for seed in mail {
        assert!(referee(Flavour::Mail, seed..seed + 1) > 0);
    }
    for seed in timeouts {
        assert!(referee(Flavour::MailWithTimeouts, seed..seed + 1) > 0);
    }
    for seed in everything {
        assert!(referee(Flavour::Everything, seed..seed + 1) > 0);
    }
    let any = |after| Op::Receive { accepts: ANY, after };
    let some = |accepts, after| Op::Receive { accepts, after };
    let answer = |with| Op::Answer { accepts: ANY, with };
    let (send, only) = (Op::Send, |accepts, with| Op::Answer { accepts, with });
    // A receive that takes another message answers somebody else, who may have given up.
    judged(vec![vec![send(1, 3)], vec![answer(1)], vec![send(1, 1)], vec![some(2, Some(1))]]);
    judged(vec![
        vec![answer(3), only(8, 1)],
        vec![send(0, 2)],
        vec![send(0, 3)],
        vec![any(Some(1))],
    ]);
    judged(vec![
        vec![some(6, Some(1)), send(1, 2), answer(2)],
        vec![send(0, 2), send(0, 2), only(6, 1)],
        vec![send(0, 3), any(Some(2))],
    ]);
    // The order of two deliveries, told by a receive that comes later than the one whose race is reversed.
    judged(vec![
        vec![send(1, 1), send(0, 3), some(12, None)],
        vec![any(Some(1))],
        vec![send(1, 2)],
        vec![send(0, 3)],
    ]);
    // The same in one mailbox: what an earlier receive has told apart stays so when a later one's race is reversed.
    judged(vec![
        vec![send(0, 2), only(2, 3), answer(2)],
        vec![send(0, 1)],
        vec![send(0, 1)],
        vec![],
    ]);
    // The same where that order leaves nothing to reverse.
    judged(vec![
        vec![send(0, 3), send(1, 3), any(None)],
        vec![send(1, 3), send(0, 2), some(8, None)],
        vec![send(0, 3)],
    ]);
}

/// Each event clashes with the next, in a row: two traces for each clash. Reversing a race only at the end of the first run that
/// has it loses one: where that run goes on in another way, the sequence belongs below another branch.
#[test]
fn races_are_reversed_again_at_the_end_of_every_run() {
    let row = |cells: &[u32]| {
        let threads = cells.iter().map(|cells| vec![Op::WriteAll(*cells, 1)]).collect();
        Lab::new(6, threads)
    };
    let traces = |lab: &Lab, dpor| {
        let report = explore(lab, &config(dpor, true), &NoMeter, &mut Silent);
        report.interleavings - report.sleep_set_blocked
    };
    let lab = row(&[0b00001, 0b10000, 0b11000, 0b00011, 0b01100, 0b00110]);
    assert_eq!(traces(&lab, Dpor::Optimal), 32);
    let mut order = [0, 1, 2, 3, 4, 5];
    for _ in 0..720 {
        let cells = [0b00001, 0b00011, 0b00110, 0b01100, 0b11000, 0b10000];
        let lab = row(&order.map(|at| cells[at]));
        assert_eq!(traces(&lab, Dpor::Optimal), 32, "{lab:?}");
        next_permutation(&mut order);
    }
    // A tree of seven events, with one clash more.
    let lab = row(&[20, 5, 11, 2, 80, 96, 40]);
    let lab = Lab::new(7, lab.threads);
    assert_eq!(traces(&lab, Dpor::Optimal), traces(&lab, Dpor::None));
}

fn judged(threads: Vec<Vec<Op>>) {
    judged_with(0, threads);
}

fn judged_with(n_cells: usize, threads: Vec<Vec<Op>>) {
    assert!(judge(&Lab::new(n_cells, threads), "a program that went wrong") > 0);
}

/// As many programs as you like: `FORESEE_SEED=1000 FORESEE_SEEDS=5000 cargo test --release -p foresee-stateless --test referee
/// many_more -- --ignored`, with `CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true` for what the engine believes of itself. What
/// goes wrong is made smaller before it is told.
#[test]
#[ignore = "takes as long as it is asked to"]
#[expect(clippy::disallowed_methods, reason = "an edge: somebody says how many")]
fn many_more() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
    };
    let first = number("FORESEE_SEED", 0);
    for seed in first..first + number("FORESEE_SEEDS", 1_000) {
        for flavour in FLAVOURS {
            let lab = generated(flavour, seed);
            if is_wrong(&lab) {
                judge(&shrunk(lab), &format!("smaller than {flavour:?} {seed}"));
            }
        }
    }
}

fn is_wrong(lab: &Lab) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge(lab, ""))).is_err()
}

/// A part of a program with which something is wrong, of which no smaller part is wrong.
fn shrunk(mut lab: Lab) -> Lab {
    let places = |lab: &Lab| -> Vec<(usize, usize)> {
        let ops = lab.threads.iter().enumerate();
        ops.flat_map(|(thread, ops)| (0..ops.len()).map(move |at| (thread, at))).collect()
    };
    while let Some(smaller) = places(&lab)
        .into_iter()
        .map(|(thread, at)| {
            let mut threads = lab.threads.clone();
            programs::remove(&mut threads[thread], at);
            Lab::new(lab.n_cells, threads)
        })
        .find(is_wrong)
    {
        lab = smaller;
    }
    lab
}
