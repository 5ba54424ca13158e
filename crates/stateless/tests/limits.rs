//! Limits and bounds: what is cut is said, and what is within a bound is found.

mod lab;

use foresee_lts::{Action, Path, State, StoppedBy, System, Verdict, ViolationKind};
use foresee_search::{Limits, Meter, NoMeter, Silent};
use foresee_stateless::{
    Bound, BoundKind, Config, Dpor, NonRacing, Party, Report, RunEnd, explore,
};
use foresee_stdx::halt::{self, Cause, Probe};
use lab::programs::{self, FLAVOURS, generated};
use lab::{ANY, Lab, Op};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn run(lab: &Lab, config: &Config) -> Report {
    explore(lab, config, &NoMeter, &mut Silent)
}

#[test]
fn a_limit_on_interleavings_is_exact() {
    let lab = programs::senders(4);
    let limits = Limits { interleavings_max: Some(10), ..Limits::none() };
    let report = run(&lab, &Config { limits, ..Config::default() });
    assert_eq!(report.interleavings, 10);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interleavings));
    assert!(report.planned > 0);
    let limits = Limits { interleavings_max: Some(24), ..Limits::none() };
    let report = run(&lab, &Config { limits, ..Config::default() });
    assert_eq!((report.interleavings, report.verdict), (24, Verdict::Holds));
}

/// Every two sends race, and which of them came first is told by a receive; what was planned once is not planned again.
#[test]
fn what_many_senders_leave_pending_is_counted() {
    for n in [5, 8] {
        let lab = programs::senders(n);
        let run_to = |max| {
            let limits = Limits { interleavings_max: Some(max), ..Limits::none() };
            run(&lab, &Config { limits, ..Config::default() }).planned
        };
        let n_pairs = (n * (n - 1) / 2) as u64;
        // The last two change places, then the last three, twice.
        assert_eq!(
            (run_to(1), run_to(2), run_to(3), run_to(4)),
            (n_pairs, n_pairs - 1, n_pairs - 1, n_pairs - 2)
        );
    }
}

#[test]
fn a_limit_on_depth_is_inconclusive_or_an_error() {
    let lab = programs::clients(2);
    let limits = Limits { depth_max: Some(5), ..Limits::none() };
    let config = Config { limits, ..Config::default() };
    let report = run(&lab, &config);
    assert_eq!((report.verdict, report.depth), (Verdict::Inconclusive(StoppedBy::Depth), 5));
    let report = run(&lab, &Config { depth_is_error: true, ..config });
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.findings[0].violation.kind, ViolationKind::DepthBound);
}

#[test]
fn somebody_interrupts() {
    struct Impatient;
    impl Meter for Impatient {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
        fn interrupted(&self) -> bool {
            true
        }
    }
    let report = explore(&programs::senders(6), &Config::default(), &Impatient, &mut Silent);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Interrupt));
    assert_eq!(report.interleavings, 1);
    assert!(report.planned > 0);
}

#[test]
fn what_was_done_before_a_limit_struck_inside_a_run_is_counted() {
    /// Strikes at its second look.
    #[derive(Default)]
    struct Second(AtomicU32);
    impl Probe for Second {
        fn struck(&self) -> Option<Cause> {
            (self.0.fetch_add(1, Ordering::Relaxed) > 0).then_some(Cause::Time)
        }
        fn grants(&self, _: u64) -> bool {
            true
        }
        fn limits_time(&self) -> bool {
            true
        }
        fn limits_memory(&self) -> bool {
            false
        }
    }
    let twice = [Op::Send(0, 1), Op::Receive { accepts: ANY, after: None }];
    let lab = Lab::new(0, vec![twice.repeat(20)]);
    let _watching = halt::watch(Some(Arc::new(Second::default())));
    let report = run(&lab, &Config::default());
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Time));
    assert_eq!((report.interleavings, report.events), (0, u64::from(report.depth)));
    assert!((1..40).contains(&report.depth), "{}", report.depth);
}

#[test]
fn without_keep_going_the_first_erroneous_run_ends_it() {
    // Both fail if they see the other's message first.
    let fail = vec![Op::Receive { accepts: ANY, after: None }, Op::FailIf(2)];
    let lab = Lab::new(0, vec![fail, vec![Op::Send(0, 1)], vec![Op::Send(0, 2)]]);
    let report = run(&lab, &Config::default());
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.erroneous_interleavings, 1);
    let finding = &report.findings[0];
    assert_eq!(finding.interleaving, report.interleavings);
    assert_eq!(finding.violation.kind, ViolationKind::Assertion);
    let end = finding.violation.path.states(&lab).pop().expect("a state");
    assert!(lab.fault(&end).is_some(), "the path leads to the error");
    assert!(finding.run.actions.len() >= finding.violation.path.actions.len());
    assert!(!finding.races.is_empty());
    let report = run(&lab, &Config { keep_going: true, ..Config::default() });
    assert_eq!((report.interleavings, report.erroneous_interleavings), (2, 1));
}

#[test]
fn errors_can_be_ignored_and_actors_told_not_to_race() {
    let waits = Lab::new(0, vec![vec![Op::Receive { accepts: ANY, after: None }]]);
    assert_eq!(run(&waits, &Config::default()).findings[0].violation.kind, ViolationKind::Deadlock);
    let ignore: foresee_stateless::Ignore = Arc::new(|kind, _| kind == ViolationKind::Deadlock);
    let config = Config { ignore: Some(ignore), ..Config::default() };
    assert_eq!(run(&waits, &config).verdict, Verdict::Holds);
    let non_racing: NonRacing =
        Arc::new(|_, party| matches!(party, Party::Actor(actor) if actor.0 == 0));
    let config = Config { non_racing: Some(non_racing), ..Config::default() };
    assert_eq!(run(&programs::readers(5), &config).interleavings, 1);
}

#[test]
fn messages_to_a_mailbox_can_be_told_not_to_race() {
    // Each sender writes a cell before it sends: the writes still race.
    let sender = |n| vec![Op::Write(0, n), Op::Send(0, n)];
    let receive = || Op::Receive { accepts: ANY, after: None };
    let lab = Lab::new(1, vec![vec![receive(), receive()], sender(1), sender(2)]);
    for (dpor, observers) in [(Dpor::Optimal, true), (Dpor::Optimal, false), (Dpor::Source, false)]
    {
        let all = Config { dpor, observers, ..Config::default() };
        let n_all = run(&lab, &all);
        let non_racing: NonRacing = Arc::new(|_, party| matches!(party, Party::Mailbox(_)));
        let quiet = run(&lab, &Config { non_racing: Some(non_racing), ..all });
        assert_eq!((n_all.interleavings, quiet.interleavings), (4, 2), "{dpor:?} {observers}");
    }
}

#[test]
fn a_limit_on_depth_can_be_left_out_of_the_verdict_but_not_a_bound() {
    let limits = Limits { depth_max: Some(5), ..Limits::none() };
    let config = Config { limits, ignores_depth: true, ..Config::default() };
    let report = run(&programs::clients(2), &config);
    assert_eq!(report.verdict, Verdict::Holds);
    assert!(report.cut_short > 0);
    let bound = Some(Bound { kind: BoundKind::Delay, max: 0 });
    let report = run(&programs::clients(2), &Config { bound, ..config });
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Bound));
}

/// A wrapper says itself what is wrong and what is an end, though what is inside lends its threads.
#[test]
fn a_wrapper_has_the_last_word_on_faults_and_ends() {
    struct Forgiving(Lab);
    impl foresee_lts::Around for Forgiving {
        fn inner(&self) -> &dyn System {
            &self.0
        }
        fn fault(&self, _: &[u32]) -> Option<foresee_lts::Fault> {
            None
        }
        fn is_final(&self, _: &[u32]) -> bool {
            true
        }
    }
    let fails = vec![Op::Receive { accepts: ANY, after: None }, Op::FailIf(1), Op::FailIf(2)];
    let lab = Lab::new(0, vec![fails, vec![Op::Send(0, 1)], vec![Op::Send(0, 2)]]);
    assert_eq!(run(&lab, &Config::default()).verdict, Verdict::Violated);
    let forgiving = Forgiving(lab);
    for threads in [1, 2] {
        let config = Config { threads, ..Config::default() };
        let report = explore(&forgiving, &config, &NoMeter, &mut Silent);
        assert_eq!((report.verdict, report.interleavings), (Verdict::Holds, 2));
    }
}

#[test]
fn failures_from_the_first_run_on_are_counted() {
    assert_eq!(run(&programs::senders(3), &Config::default()).erroneous_at_first, 0);
    let fails = vec![Op::Receive { accepts: ANY, after: None }, Op::FailIf(1), Op::FailIf(2)];
    let lab = Lab::new(0, vec![fails, vec![Op::Send(0, 1)], vec![Op::Send(0, 2)]]);
    let report = run(&lab, &Config { keep_going: true, ..Config::default() });
    assert_eq!((report.interleavings, report.erroneous_at_first), (2, 2));
}

#[test]
fn a_bound_on_delays_grows_to_everything() {
    let lab = programs::senders(4);
    let mut last = 0;
    for max in 0..12 {
        let bound = Some(Bound { kind: BoundKind::Delay, max });
        let report = run(&lab, &Config { bound, ..Config::default() });
        assert!(report.interleavings >= last);
        last = report.interleavings;
        let cut = Verdict::Inconclusive(StoppedBy::Bound);
        assert_eq!(report.verdict, if last == 24 { Verdict::Holds } else { cut }, "{max}");
        assert!(max > 0 || last == 1);
    }
    assert_eq!(last, 24);
}

/// The final states of all runs with at most `left` switches away from a thread that could go on.
fn within(
    lab: &Lab,
    state: State,
    previous: Option<Action>,
    left: u32,
    finals: &mut BTreeSet<State>,
) {
    let mut actions = Vec::new();
    lab.enabled(&state, &mut actions);
    if actions.is_empty() {
        finals.insert(state);
        return;
    }
    let could_go_on = previous.is_some_and(|previous| actions.contains(&previous));
    for &action in &actions {
        let cost = u32::from(could_go_on && previous != Some(action));
        if cost <= left {
            within(lab, lab.step(&state, action), Some(action), left - cost, finals);
        }
    }
}

#[test]
fn a_bound_on_preemptions_misses_nothing_within_it() {
    for flavour in FLAVOURS {
        for seed in 0..60 {
            let lab = generated(flavour, seed);
            for max in 0..3 {
                let bound = Some(Bound { kind: BoundKind::Preemption, max });
                let config = Config {
                    dpor: Dpor::Source,
                    bound,
                    keep_going: true,
                    tree_max: usize::MAX,
                    ..Config::default()
                };
                let report = run(&lab, &config);
                assert_eq!(report.sleep_set_blocked, 0, "{flavour:?} {seed} {max}");
                let mut expected = BTreeSet::new();
                within(&lab, lab.initial().remove(0), None, max, &mut expected);
                assert_eq!(finals(&lab, &report), expected, "{flavour:?} {seed} {max}\n{lab:#?}");
            }
        }
    }
}

/// What it explores is within the bound, and once nothing is cut it is everything.
#[test]
fn a_bound_without_conservative_branches_stays_within_it_and_grows_to_everything() {
    for flavour in FLAVOURS {
        for seed in 0..60 {
            let lab = generated(flavour, seed);
            let config = Config { keep_going: true, tree_max: usize::MAX, ..Config::default() };
            let whole = run(&lab, &config);
            for max in [0, 1, 2, 100] {
                let bound = Some(Bound { kind: BoundKind::Ubpor, max });
                let report = run(&lab, &Config { bound, ..config.clone() });
                let mut within_bound = BTreeSet::new();
                within(&lab, lab.initial().remove(0), None, max, &mut within_bound);
                let found = finals(&lab, &report);
                assert!(found.is_subset(&within_bound), "{flavour:?} {seed} {max}\n{lab:#?}");
                let is_cut = report.stopped_by == Some(StoppedBy::Bound);
                assert!(max < 100 || !is_cut, "{flavour:?} {seed}");
                if !is_cut {
                    assert_eq!(report.interleavings, whole.interleavings, "{flavour:?} {seed}");
                    assert_eq!(found, finals(&lab, &whole), "{flavour:?} {seed}");
                }
            }
        }
    }
}

fn finals(lab: &Lab, report: &Report) -> BTreeSet<State> {
    let mut actions = Vec::new();
    let mut finals = BTreeSet::new();
    for run in &report.tree {
        actions.truncate(run.shares);
        actions.extend_from_slice(&run.actions);
        if run.end == RunEnd::SleepSetBlocked {
            continue;
        }
        let path = Path { initial: lab.initial().remove(0), actions: actions.clone() };
        finals.insert(path.states(lab).pop().expect("a state"));
    }
    finals
}
