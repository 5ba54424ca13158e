//! Guided search: phases that build on each other, scripts, and failures that name the phase.

mod common;

use common::run;
use foresee_lts::{Predicate, Property, Reads, StoppedBy, Verdict, ViolationKind, toy::Counters};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stateful::{
    Config, Guide, GuideReport, PairFailure, Phase, PhaseFailure, Step, Strategy, paired, run_guide,
};
use std::sync::Arc;

fn is(slot: usize, value: u32) -> Predicate {
    let name = format!("counter {slot} is {value}");
    Predicate::new(name, Reads::slots([slot]), move |state, _| state[slot] == value)
}

fn guided(system: &Counters, guide: &Guide) -> GuideReport {
    run_guide(system, guide, &NoMeter, &mut Silent)
}

#[test]
fn three_phases_reach_what_one_search_under_the_same_limits_does_not() {
    let system = Counters::new(6, 30);
    let limits = Limits { states_max: Some(5000), ..Limits::none() };
    let bug = Property::invariant(
        is(0, 12).and(is(1, 12)).and(is(2, 3)).not().named("no twelve, twelve, three"),
    );
    let plain =
        Config { properties: vec![bug.clone()], limits: limits.clone(), ..Config::default() };
    assert_eq!(run(&system, &plain).verdict, Verdict::Inconclusive(StoppedBy::States));

    let only = |slots: &'static [u64]| -> foresee_stateful::Allow {
        Arc::new(move |_, action| slots.contains(&action.0))
    };
    let phase = |name: &str| Phase::new(name).limits(limits.clone());
    let mut guide = Guide::new([
        phase("first").goal(is(0, 12)).allow(only(&[0, 5])),
        phase("second")
            .goal(is(1, 12))
            .prune(is(0, 13))
            .strategy(Strategy::DepthFirst)
            .allow(only(&[1])),
        phase("third"),
    ]);
    guide.properties = vec![bug];
    let report = guided(&system, &guide);
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.failed, Some(("third".to_owned(), PhaseFailure::Violation)));
    let violation = &report.violations[0];
    assert_eq!(violation.path.actions.len(), 12 + 12 + 3);
    assert_eq!(violation.path.initial, [0; 6]);
    let end = violation.path.states(&system).pop().unwrap();
    assert_eq!(end[..3], [12, 12, 3]);
    assert_eq!(report.phases.len(), 3);
}

#[test]
fn the_next_phase_may_start_from_many_goal_states() {
    let system = Counters::new(2, 5);
    let guide = Guide::new([
        Phase::new("spread").goal(is(0, 2)).goals_max(4),
        Phase::new("meet").goal(is(1, 5)).goals_max(100),
    ]);
    let report = guided(&system, &guide);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Guide));
    assert_eq!((report.phases[1].starts, report.phases[1].found), (4, 4));
    for path in &report.paths {
        let end = path.states(&system).pop().unwrap();
        assert!(end[0] >= 2 && end[1] == 5);
    }
}

#[test]
fn a_script_takes_the_events_it_names() {
    let system = Counters::new(3, 5);
    let choose: foresee_stateful::Chooser =
        Arc::new(|state, action, _| state[action.0 as usize] == 2);
    let mut phase = Phase::new("by hand").step("step counter2 *").step("*2 inc*");
    phase.script.push(Step::Choose("the one at 2".into(), choose));
    let report = guided(&system, &Guide::new([phase]));
    let end = report.paths[0].states(&system).pop().unwrap();
    let expected = (Verdict::Inconclusive(StoppedBy::Guide), vec![0, 3, 0]);
    assert_eq!((report.verdict, end), expected);
}

#[test]
fn a_script_is_checked_step_by_step() {
    let system = Counters::new(2, 5);
    let mut guide = Guide::new([Phase::new("up")
        .step("step counter1 *")
        .step("step counter1 *")
        .step("step counter1 *")]);
    guide.properties = vec![Property::invariant(is(0, 2).not())];
    let report = guided(&system, &guide);
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violations[0].kind, ViolationKind::Invariant);
    assert_eq!(report.violations[0].path.actions.len(), 2);
}

#[test]
fn a_failure_names_the_phase_and_the_reason() {
    let system = Counters::new(2, 5);
    let failing = |second: Phase| {
        let guide = Guide::new([Phase::new("one").goal(is(0, 2)), second, Phase::new("three")]);
        let report = guided(&system, &guide);
        assert_eq!(report.phases.len(), 2);
        let (name, failure) = report.failed.clone().expect("failed");
        assert_eq!(name, "two");
        (failure, report)
    };
    let (failure, report) = failing(Phase::new("two").goal(is(1, 7)));
    assert_eq!(failure, PhaseFailure::Exhausted { goal: "counter 1 is 7".to_owned() });
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Goal));
    assert!(report.violations.is_empty(), "a goal that was not found is no violation");
    let said = failure.to_string();
    assert_eq!(said, "goal not found: `counter 1 is 7` holds nowhere within the phase");

    let limits = Limits { depth_max: Some(2), ..Limits::none() };
    let (failure, report) = failing(Phase::new("two").goal(is(1, 5)).limits(limits));
    assert_eq!(failure, PhaseFailure::Limit(StoppedBy::Depth));
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Depth));

    let (failure, report) =
        failing(Phase::new("two").step("step counter1 *").step("step counter9 *"));
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Goal));
    assert!(failure.to_string().contains("step counter1 increment"), "{failure}");
    let PhaseFailure::Stuck { step, wanted, enabled } = failure else { panic!("{failure:?}") };
    assert_eq!((step, wanted.as_str(), enabled.len()), (1, "step counter9 *", 2));
    assert!(report.violations.is_empty());

    let broken = Predicate::new("broken", Reads::All, |_, _| panic!("oh"));
    let (failure, report) = failing(Phase::new("two").goal(broken));
    assert_eq!((failure, report.verdict), (PhaseFailure::Broken, Verdict::Error));
    assert_eq!(report.broken_property.unwrap().property, "broken");
}

#[test]
fn a_guide_that_is_done_has_proved_nothing() {
    let system = Counters::new(2, 3).forbid_sum(6);
    let everything = |guide: Guide| guided(&system, &guide).verdict;
    let by_guide = Verdict::Inconclusive(StoppedBy::Guide);
    assert_eq!(everything(Guide::new([])), by_guide);
    // The violation is there, and the phase does not look for it.
    assert_eq!(everything(Guide::new([Phase::new("all")])), by_guide);
    let shallow = Limits { depth_max: Some(2), ..Limits::none() };
    let phases = [Phase::new("shallow").limits(shallow), Phase::new("rest").goal(is(0, 1))];
    assert_eq!(everything(Guide::new(phases)), Verdict::Inconclusive(StoppedBy::Depth));
}

#[test]
fn what_a_phase_does_not_reach_is_no_violation_and_what_it_breaks_is() {
    let system = Counters::new(2, 3);
    let mut guide = Guide::new([Phase::new("one").goal(is(0, 1)), Phase::new("two")]);
    guide.phases[1].allow = Some(Arc::new(|_, action| action.0 == 1));
    guide.properties = vec![Property::reachable(is(0, 3)), Property::reachable(is(1, 2))];
    let report = guided(&system, &guide);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Guide));
    assert!(report.violations.is_empty());
    let reached: Vec<_> = report.reached.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(reached, ["counter 1 is 2"]);
    guide.properties.push(Property::invariant(is(1, 3).not().named("never three")));
    let report = guided(&system, &guide);
    assert_eq!((report.verdict, report.violations.len()), (Verdict::Violated, 1));
    assert_eq!(report.violations[0].property.as_deref(), Some("never three"));
    assert_eq!(report.failed, Some(("two".to_owned(), PhaseFailure::Violation)));
}

#[test]
fn a_pair_says_which_half_failed() {
    let system = Counters::new(2, 5).forbid_sum(9);
    let pair = |goal: Predicate, depth_max: Option<u32>| {
        let limits = Limits { depth_max, ..Limits::none() };
        paired(&system, &Config { limits, ..Config::of(&system) }, goal, &NoMeter, &mut Silent)
    };
    let report = pair(is(0, 5), Some(8));
    assert_eq!(report.failed, None);
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Depth));
    let report = pair(is(0, 5), None);
    assert_eq!((report.failed, report.verdict), (Some(PairFailure::Unsafe), Verdict::Violated));
    assert!(report.progress.goal.is_some() && report.safety.is_some());
    let report = pair(is(0, 5), Some(4));
    assert_eq!(report.failed, Some(PairFailure::ProgressUnknown(StoppedBy::Depth)));
    assert!(report.safety.is_none());
    let report = pair(is(0, 7).and(is(1, 7)), None);
    assert_eq!(report.failed, Some(PairFailure::Unsafe), "found on the way");
    let harmless = Counters::new(2, 5);
    let report = paired(&harmless, &Config::of(&harmless), is(0, 7), &NoMeter, &mut Silent);
    assert_eq!(report.failed, Some(PairFailure::NoProgress));
    assert_eq!(report.verdict, Verdict::Inconclusive(StoppedBy::Goal));
}
