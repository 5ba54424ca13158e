//! Small specifications, each for one point of what muCRL means, with the labels worked out by hand.

mod support;

use support::{Space, space};

/// A sort of two, and functions about which a variable of a sum leaves something open.
const DATA: &str = "
sort D
func p, q: -> D
map  is_p: D -> Bool
     same: D # D -> Bool
var  x, y: D
rew  is_p(p) = T
     is_p(x) = F
     same(x, x) = T
     same(x, y) = F
act  a, b, c, d, e
     yes, no, s, r, t: D
     s, r, t: D # D
comm a | b = c
     s | r = t
";

fn space_of(rest: &str) -> Space {
    space(&format!("{DATA}{rest}"))
}

fn labels(rest: &str) -> Vec<String> {
    let space = space_of(rest);
    assert!(space.faults.is_empty(), "{rest}: {:?}", space.faults);
    space.labels().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_rule_for_all_others_waits_until_a_variable_is_known() {
    assert_eq!(labels("init sum(x: D, yes(x) <| is_p(x) |> delta)"), ["yes(p)"]);
    assert_eq!(labels("init sum(x: D, yes(x) <| same(x, q) |> delta)"), ["yes(q)"]);
    assert_eq!(labels("init sum(x: D, yes(x) <| same(q, x) |> no(x))"), ["no(p)", "yes(q)"]);
    assert_eq!(
        labels("init sum(x: D, sum(y: D, t(x, y) <| same(x, y) |> delta))"),
        ["t(p,p)", "t(q,q)"]
    );
}

#[test]
fn both_branches_of_an_open_condition_are_there() {
    assert_eq!(labels("init sum(x: D, yes(x) <| is_p(x) |> no(x))"), ["no(q)", "yes(p)"]);
}

#[test]
fn actions_meet_in_either_order_and_only_with_equal_data() {
    assert_eq!(labels("init encap({a, b}, a || b)"), ["c"]);
    assert_eq!(labels("init encap({a, b}, b || a)"), ["c"]);
    assert_eq!(labels("init encap({s, r}, s(p, q) || r(p, q))"), ["t(p,q)"]);
    for other in ["r(p, p)", "r(q, q)", "r(q, p)"] {
        assert_eq!(
            labels(&format!("init encap({{s, r}}, s(p, q) || {other})")),
            [""; 0],
            "{other}"
        );
    }
}

#[test]
fn partners_give_each_other_values() {
    let both =
        "init encap({s, r}, sum(x: D, sum(y: D, s(x, y).yes(x).no(y))) || sum(z: D, r(z, z)))";
    assert_eq!(labels(both), ["no(p)", "no(q)", "t(p,p)", "t(q,q)", "yes(p)", "yes(q)"]);
    let crossed = "init encap({s, r}, sum(x: D, s(x, q).yes(x)) || sum(y: D, r(p, y).no(y)))";
    assert_eq!(labels(crossed), ["no(q)", "t(p,q)", "yes(p)"]);
}

#[test]
fn hidden_actions_are_all_alike() {
    let space = space_of("init hide({yes}, sum(x: D, yes(x)))");
    assert_eq!(
        (space.n_transitions(), labels("init hide({yes}, sum(x: D, yes(x)))")),
        (1, vec!["tau".to_owned()])
    );
    let inside = "init hide({yes}, sum(x: D, yes(x))) || d";
    assert_eq!(labels(inside), ["d", "tau"]);
    // Also inside a component: whatever the data, one step is left, before `d` and after it.
    assert_eq!(space_of(inside).n_transitions(), 4);
    assert_eq!(labels("init hide({c}, encap({a, b}, a || b))"), ["tau"]);
}

#[test]
fn operators_act_from_the_inside_out() {
    assert_eq!(labels("init hide({e}, rename({d -> e}, d || d))"), ["tau"]);
    assert_eq!(labels("init rename({d -> e}, hide({e}, d || d))"), ["e"]);
    assert_eq!(labels("init rename({d -> e}, encap({e}, d || d))"), ["e"]);
    assert_eq!(labels("init encap({e}, rename({d -> e}, d || d))"), [""; 0]);
}

#[test]
fn what_a_component_renames_inside_meets_the_others() {
    assert_eq!(labels("init encap({a, b}, rename({d -> a}, d) || b)"), ["c"]);
    assert_eq!(labels("init encap({a, b}, hide({e}, e.a) || b)"), ["c", "tau"]);
}

#[test]
fn what_follows_follows_every_branch() {
    let space = space_of("init (a + b + sum(x: D, yes(x))).d.e");
    // Four ways to begin, then d, then e, each of which is one state.
    assert_eq!((space.n_transitions(), space.n_deadlocks()), (4 + 1 + 1, 1));
}
