//! Known systems with their exact sizes, and the naive reading of muCRL as a referee.

mod support;

use foresee_algebra::parse;
use support::naive::Naive;
use support::{explore, explore_with_ends, space, spec, system};

/// Both readings of a specification are bisimilar, ends included.
fn agrees_with_naive(name: &str) {
    let text = spec(name);
    let specification = parse(&text).specification;
    let naive = Naive { specification: &specification }.explore(5000).expect("a small system");
    let ours = explore_with_ends(&system(&text), 5000).expect("a small system");
    assert!(ours.is_bisimilar_to(&naive), "{name}");
}

#[test]
fn the_alternating_bit_protocol() {
    // A round for one bit and one datum. Sending until it arrives: the sender is ready; K holds it; K will pass it on, or
    // spoil it; spoilt, the receiver answers with the old bit; L holds that; L will pass it on, or spoil it (8 states, 10
    // transitions). Arrived: the receiver delivers; answers; L holds the answer; L will pass it on, or spoil it (5 and 6).
    // Sending again until the answer arrives: ready; K holds it; K will pass it on, or spoil it; the receiver answers (5 and
    // 6; what L then does is already counted). So 18 states and 22 transitions, and one state with 2 transitions in which
    // the sender waits for a datum: (1 + 2 * 18) * 2 and (2 + 2 * 22) * 2.
    let space = space(&spec("abp"));
    assert_eq!(space.size(), (74, 92));
    assert_eq!(space.n_deadlocks(), 0);
    let labels: Vec<_> = space.labels().into_iter().collect();
    assert_eq!(labels, ["r1(d1)", "r1(d2)", "s4(d1)", "s4(d2)", "tau"]);
    agrees_with_naive("abp");
}

#[test]
fn the_alternating_bit_protocol_by_calls() {
    // Here a receiver that has come round stands at the start of `R`, which behaves as `R(1).R(0).R` but is not the same
    // position. It is there after its answer in the round of bit 1 (L holds it, 2 ways to go on; sending again: ready, K
    // holds it, 2 ways; 7 states and 9 transitions for each datum) and up to its answer in the round of bit 0 (waiting for a
    // datum, then ready, K holds it, 2 ways: 1 state and 2 transitions, 4 and 5 for each datum).
    let space = space(&spec("abp_calls"));
    assert_eq!(space.size(), (74 + 14 + 1 + 8, 92 + 18 + 2 + 10));
    agrees_with_naive("abp_calls");
    let other = explore(&system(&spec("abp")), 100);
    assert!(space.is_bisimilar_to(&other));
}

#[test]
fn a_bounded_buffer_has_one_state_for_each_content() {
    // 1 + 2 + 4 + 8 contents; each of the 7 that are not full takes 2 data, each of the 14 that are not empty gives one.
    assert_eq!(space(&spec("buffer")).size(), (15, 28));
}

#[test]
fn three_philosophers_deadlock_once() {
    let space = space(&spec("philosophers"));
    assert_eq!(space.size(), (44, 90));
    assert_eq!(space.n_deadlocks(), 1);
    agrees_with_naive("philosophers");
}

#[test]
fn a_lock_excludes() {
    // Free with both outside; then either owner has just locked, is inside, or has left: 1 + 2 * 3 states in a ring each.
    let space = space(&spec("lock"));
    assert_eq!(space.size(), (7, 8));
    agrees_with_naive("lock");
}

#[test]
fn labels_names_descriptions_and_footprints_speak_of_components() {
    use foresee_lts::{Interleaved, System, Telling};
    let system = system(&spec("lock"));
    assert_eq!(system.components(), ["Process(p)", "Process(q)", "Free"]);
    let state = &system.initial()[0];
    let mut actions = Vec::new();
    system.enabled(state, &mut actions);
    let label = system.label(state, actions[0]);
    assert_eq!(label.to_string(), "step Process(p)+Free lock(p)");
    let footprint = system.footprint(state, actions[0]);
    assert_eq!(footprint.accesses.iter().map(|it| it.object).collect::<Vec<_>>(), [0, 2]);
    let next = system.step(state, actions[0]);
    let shown = system.describe(&next);
    assert_eq!(shown.members[0].state.one_line(), "Process { at: line 10, me: p }");
    assert_eq!(shown.members[1].state.one_line(), "Process { at: start, me: q }");
    assert_eq!(shown.members[2].state.one_line(), "Held { at: start, owner: p }");
}

#[test]
fn two_instances_give_the_same_in_the_same_order() {
    let text = spec("locker_crash");
    assert_eq!(explore(&system(&text), 1000), explore(&system(&text), 1000));
}

#[test]
fn sums_take_values_from_partners_conditions_and_finite_sorts() {
    let nat =
        "sort Nat func 0: -> Nat s: Nat -> Nat map eq: Nat # Nat -> Bool lt: Nat # Nat -> Bool
        var n, m: Nat rew lt(n, 0) = F lt(0, s(n)) = T lt(s(n), s(m)) = lt(n, m) act a, b, c: Nat d
        comm a | b = c ";
    let labels = |rest: &str| {
        let space = space(&format!("{nat}{rest}"));
        space.labels().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(labels("init sum(n: Nat, a(n) <| lt(n, s(s(0))) |> delta)"), ["a(0)", "a(s(0))"]);
    assert_eq!(labels("init sum(n: Nat, a(n) <| eq(n, s(0)) |> delta)"), ["a(s(0))"]);
    assert_eq!(labels("init encap({a, b}, a(s(0)) || sum(n: Nat, b(s(n)).d))"), ["c(s(0))", "d"]);
    assert_eq!(labels("init encap({a, b}, a(0) || sum(n: Nat, b(s(n)).d))"), [""; 0]);
    assert_eq!(labels("init sum(n: Nat, d)"), ["d"]);
    assert_eq!(
        labels("init encap({a,b}, sum(n: Nat, a(n) <| lt(n,s(0)) |> delta) || sum(m: Nat, b(m)))"),
        ["c(0)"]
    );
}

#[test]
fn three_can_meet_when_results_communicate() {
    let head = "act a, b, c, ab, bc, ac, abc comm a | b = ab b | c = bc a | c = ac ab | c = abc a | bc = abc ac | b = abc ";
    let flat = space(&format!("{head} init encap({{a, b, c, ab, bc, ac}}, a || b || c)"));
    assert_eq!(flat.labels().into_iter().collect::<Vec<_>>(), ["abc"]);
    let nested = space(&format!("{head} init encap({{a, b, c, ab, bc, ac}}, (a || b || c).a)"));
    assert_eq!(nested.labels().into_iter().collect::<Vec<_>>(), ["abc"]);
}

#[test]
fn stacks_grow_and_shrink() {
    // `P` counts up and down again: a call that is not the last thing leaves something to do.
    let text = "act a, b, c proc P = a.Q.b + c Q = a.b + c init P.P";
    let space = space(text);
    assert_eq!(space.labels().len(), 3);
    let specification = parse(text).specification;
    let naive = Naive { specification: &specification }.explore(100).expect("small");
    let ours = explore_with_ends(&system(text), 100).expect("small");
    assert!(ours.is_bisimilar_to(&naive));
}
