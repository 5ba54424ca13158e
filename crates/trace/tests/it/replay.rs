//! Replay: as far as a trace applies, what could happen instead, and whether the violation is there.

use crate::locks::Locks;
use foresee_lts::{
    Action, Label, Path, Predicate, Property, Reads, State, System, Telling, Verb, Violation,
    ViolationKind, toy::Counters,
};
use foresee_trace::{Event, Finding, Judge, Outcome, Trace, replay, replay_with};
use std::sync::Arc;

pub(crate) const TWO_HOLDERS: [&str; 6] = [
    "timer client1 WantLock",
    "timer client2 WantLock",
    "deliver client1 -> clerk Ask",
    "deliver client2 -> clerk Ask",
    "deliver clerk -> client1 Grant",
    "deliver clerk -> client2 Grant",
];

pub(crate) fn one_holder() -> Finding {
    Finding {
        kind: ViolationKind::Invariant,
        property: Some("one holder".into()),
        message: String::new(),
    }
}

fn recorded(system: &Locks) -> Trace {
    let path = system.path(&TWO_HOLDERS);
    let message = "2 clients hold the lock".to_owned();
    let property = Some("one holder".into());
    Trace::of_violation(
        system,
        &Violation { kind: ViolationKind::Invariant, property, message, path },
    )
}

#[test]
fn a_recorded_trace_replays_after_a_round_trip_through_text() {
    let system = Locks::new(2);
    let trace = Trace::parse(&recorded(&system).to_string()).unwrap();
    let replay = replay(&system, &trace);
    assert_eq!(replay.path, system.path(&TWO_HOLDERS));
    assert_eq!(
        replay.outcome,
        Outcome::Confirmed { step: 6, message: "2 clients hold the lock".into() }
    );
    assert!(replay.is_complete() && replay.notes.is_empty(), "{replay}");
}

#[test]
fn on_fixed_code_it_applies_as_far_as_it_can() {
    let trace = recorded(&Locks::new(2));
    let fixed = Locks { careful: true, ..Locks::new(2) };
    let replay = replay(&fixed, &trace);
    assert_eq!((replay.applied, &replay.outcome), (5, &Outcome::NotReproduced));
    let stop = replay.stop.as_ref().unwrap();
    assert_eq!(stop.step, 6);
    assert_eq!(stop.label.to_string(), "deliver clerk -> client2 Grant");
    assert!(stop.enabled.is_empty());
    assert!(replay.to_string().contains("step 6 no longer applies"), "{replay}");
    assert!(replay.to_string().contains("nothing can happen there"), "{replay}");
}

#[test]
fn the_nearest_enabled_labels_are_suggested() {
    let mut trace = recorded(&Locks::noisy(3));
    trace.events[2].label = Label::deliver("client1", "clerk", "Asks");
    let stop = replay(&Locks::noisy(3), &trace).stop.unwrap();
    assert_eq!(stop.step, 3);
    assert_eq!(stop.nearest[0].to_string(), "deliver client1 -> clerk Ask");
    assert_eq!(stop.nearest[1].to_string(), "deliver client2 -> clerk Ask");
    assert_eq!(stop.nearest.len(), 3);
}

#[test]
fn a_violation_before_the_end_is_found_where_it_is() {
    let system = Counters::new(2, 3).forbid_sum(1);
    let mut trace = Trace::new(system.name()).with_violation(Finding {
        kind: ViolationKind::Invariant,
        property: Some("sum".into()),
        message: String::new(),
    });
    let increment = Event::new(Label::of_actor(Verb::Step, "counter1", "increment"));
    trace.events = vec![increment; 3];
    let outcome = replay(&system, &trace).outcome;
    assert_eq!(outcome, Outcome::Confirmed { step: 1, message: "the counters add up to 1".into() });
    trace.violation.as_mut().unwrap().kind = ViolationKind::Panic;
    assert!(matches!(replay(&system, &trace).outcome, Outcome::Different { step: 1, .. }));
    trace.violation = None;
    assert!(matches!(replay(&system, &trace).outcome, Outcome::Different { step: 1, .. }));
    assert_eq!(replay(&Counters::new(2, 3), &trace).outcome, Outcome::Clean);
}

#[test]
fn another_system_is_noted() {
    let replay = replay(&Locks::new(3), &recorded(&Locks::new(2)));
    assert!(replay.is_confirmed());
    assert_eq!(
        replay.notes,
        ["the trace was recorded on `locks clients=2` and is replayed on `locks clients=3`"]
    );
}

#[test]
fn a_deadlock_depends_on_what_is_allowed() {
    let system = Counters::new(2, 1);
    let deadlock =
        Finding { kind: ViolationKind::Deadlock, property: None, message: String::new() };
    let mut trace = Trace::new(system.name()).with_violation(deadlock);
    trace.events = vec![Event::new(Label::of_actor(Verb::Step, "counter1", "increment"))];
    assert_eq!(replay(&system, &trace).outcome, Outcome::NotReproduced);
    let judge = Judge::of(&system).with_allow(Some(Arc::new(|_, action| action == Action(0))));
    assert!(replay_with(&system, &trace, &judge).is_confirmed());
}

#[test]
fn what_one_run_cannot_show_is_said() {
    let mut trace = recorded(&Locks::new(2));
    trace.violation.as_mut().unwrap().property = Some("renamed".into());
    let outcome = replay(&Locks::new(2), &trace).outcome;
    assert!(matches!(outcome, Outcome::Different { step: 6, .. }), "another invariant is broken");
    trace.events.pop();
    let outcome = replay(&Locks::new(2), &trace).outcome;
    assert!(outcome.to_string().contains("no invariant named `renamed`"), "{outcome}");
    trace.violation.as_mut().unwrap().kind = ViolationKind::Liveness;
    assert!(matches!(replay(&Locks::new(2), &trace).outcome, Outcome::CannotTell { .. }));
}

#[test]
fn an_invariant_that_panics_is_a_finding() {
    let system = Counters::new(1, 3);
    let touchy = Predicate::new("touchy", Reads::All, |state, _| {
        assert!(state[0] < 2, "too much");
        true
    });
    let judge = Judge::of(&system).with_properties(vec![Property::invariant(touchy)]);
    let panic = Finding {
        kind: ViolationKind::Panic,
        property: Some("touchy".into()),
        message: String::new(),
    };
    let path = Path { initial: vec![0], actions: vec![Action(0); 2] };
    let trace = Trace::record(&system, &path).with_violation(panic);
    let outcome = replay_with(&system, &trace, &judge).outcome;
    assert_eq!(outcome, Outcome::Confirmed { step: 2, message: "too much".into() });
}

/// Two doors with the same label that lead to different rooms, and two places to start.
struct Doors;

impl System for Doors {
    fn initial(&self) -> Vec<State> {
        vec![vec![0], vec![1]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        if state[0] < 2 {
            actions.extend([Action(10), Action(20)]);
        }
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        vec![state[0] + action.0 as u32]
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Telling for Doors {
    fn label(&self, _: &[u32], _: Action) -> Label {
        Label::of_actor(Verb::Step, "guest", "door")
    }
}

#[test]
fn equal_labels_are_told_apart_by_their_order_and_noted() {
    let path = Path { initial: vec![1], actions: vec![Action(20)] };
    let trace = Trace::record(&Doors, &path);
    assert_eq!((trace.initial, trace.events[0].choice), (1, 1));
    let read = Trace::parse(&trace.to_string()).unwrap();
    let exact = replay(&Doors, &read);
    assert_eq!(exact.path, path);
    assert_eq!(exact.notes, ["step 1: 2 enabled actions have this label; took number 2"]);
    let mut edited = read;
    edited.events[0].choice = 7;
    edited.initial = 9;
    let first = replay(&Doors, &edited);
    assert_eq!(first.path, Path { initial: vec![0], actions: vec![Action(10)] });
    assert_eq!(first.notes.len(), 2);
}

#[test]
fn the_same_violation_is_one_of_the_same_property() {
    let unnamed = Finding { property: None, ..one_holder() };
    let told = Finding { message: "2 clients".into(), ..one_holder() };
    assert!(one_holder().same_as(&told) && unnamed.same_as(&unnamed));
    assert!(!one_holder().same_as(&unnamed) && !unnamed.same_as(&one_holder()));
    assert!(!one_holder().same_as(&Finding { kind: ViolationKind::Panic, ..one_holder() }));
}
