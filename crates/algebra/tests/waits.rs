//! Who waits for whom where nothing can happen: in data, and in the words that a report has.

mod support;

use foresee_algebra::{Algebra, Wait};
use foresee_lts::System;
use support::{spec, system};

/// The first state without a way on, in order of discovery.
fn stuck(system: &Algebra) -> Vec<u32> {
    let mut open = std::collections::VecDeque::from(system.initial());
    let mut seen = std::collections::HashSet::new();
    while let Some(state) = open.pop_front() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut actions = Vec::new();
        system.enabled(&state, &mut actions);
        if actions.is_empty() {
            return state;
        }
        open.extend(actions.into_iter().map(|action| system.step(&state, action)));
    }
    panic!("something can always happen");
}

fn waits(text: &str) -> Vec<Wait> {
    let system = system(text);
    system.waits(&stuck(&system))
}

/// `who: action with them, …; …`
fn shown(waits: &[Wait]) -> Vec<String> {
    let one = |it: &Wait| {
        let wants = it.wants.iter().map(|(action, others)| match others.as_slice() {
            [] => action.clone(),
            others => format!("{action} with {}", others.join(", ")),
        });
        format!("{}: {}", it.who, wants.collect::<Vec<_>>().join("; "))
    };
    waits.iter().map(one).collect()
}

fn words(text: &str) -> String {
    let system = system(text);
    system.why_stuck(&stuck(&system))
}

#[test]
fn philosophers_wait_in_a_circle() {
    let text = spec("philosophers");
    let told = words(&text);
    let lines: Vec<&str> = told.lines().collect();
    // Each philosopher holds a fork and wants the next one; each fork wants to be put back by one of its neighbours. Two that could
    // help each other are the shortest circle.
    let circle = "Philosopher(0) for Fork(1), Fork(1) for Philosopher(0)";
    assert_eq!(lines[0], format!("everybody waits, in a circle: {circle}"));
    assert_eq!(lines[1], "Philosopher(0) wants take(1) together with Fork(1)");
    assert_eq!(lines[4], "Fork(0) wants back(0) together with Philosopher(0) or Philosopher(2)");
    assert_eq!(lines.len(), 1 + 6);
    let circle = Algebra::circle(&waits(&text)).expect("a circle");
    assert_eq!(circle, ["Philosopher(0)", "Fork(1)", "Philosopher(0)"]);
}

#[test]
fn a_partner_is_somebody_with_whom_it_could_happen() {
    // `Q` could once, and has stopped; whichever side of a communication is written first.
    let start = "act a, b, c, d comm a | b = c proc P = a.P Q = b.delta R = d.delta ";
    assert_eq!(
        shown(&waits(&format!("{start} init encap({{a, b}}, P || Q)"))),
        ["P: a with Q", "Q: "]
    );
    assert_eq!(
        shown(&waits(&format!("{start} init encap({{a, b}}, Q || P)"))),
        ["Q: ", "P: a with Q"]
    );
    // Nobody else is named, though it takes part in nothing that is blocked.
    assert_eq!(
        shown(&waits(&format!("{start} init encap({{a, b}}, R || P || Q)"))),
        ["R: ", "P: a with Q", "Q: "]
    );
    // What would come of it is blocked: so it never could. What is hidden is not.
    let blocked = format!("{start} init encap({{a, b, c}}, P || Q)");
    assert_eq!(shown(&waits(&blocked)), ["P: a", "Q: b"]);
    let hidden = format!("{start} init hide({{c}}, encap({{a, b}}, P || Q))");
    assert_eq!(shown(&waits(&hidden)), ["P: a with Q", "Q: "]);
    // The data must be able to be equal.
    let data = "sort D func x, y: -> D act a, b, c: D comm a | b = c ";
    let apart = format!("{data} proc P = a(x) Q = b(y) init encap({{a, b}}, P || Q)");
    assert_eq!(shown(&waits(&apart)), ["P: a(x)", "Q: b(y)"]);
}

#[test]
fn what_a_sum_leaves_open_is_called_as_in_the_text() {
    let text = "sort D func x, y: -> D act r, s, t: D # D comm r | s = t
        proc P = sum(first: D, sum(second: D, r(first, second))) Q = delta
        init encap({r, s}, P || Q)";
    assert_eq!(shown(&waits(text)), ["P: r(first,second)", "Q: "]);
}

#[test]
fn an_end_waits_for_nothing() {
    let text = "act a, b, c, d comm a | b = c proc P = a Q = d init encap({a, b}, P || Q)";
    assert_eq!(shown(&waits(text)), ["P: a"]);
    assert_eq!(
        words(text),
        "nobody can go on: P waits for nobody that could come\nP wants a, which nobody does with it"
    );
}

#[test]
fn the_same_wish_is_told_once() {
    let text = "act a, b, d, e, c, f comm a | b = c d | e = f
        proc P = a + a.P + d init encap({a, b, d, e}, P)";
    assert_eq!(shown(&waits(text)), ["P: a; d"]);
    assert_eq!(
        words(text),
        "nobody can go on: P waits for nobody that could come\n\
         P wants a, which nobody does with it; or d, which nobody does with it"
    );
}

/// A specification of `n` components P0, P1, … with actions a, b, c of each, where a and b give c, and what each does.
fn row(n: usize, does: impl Fn(usize) -> String) -> String {
    let numbers = |write: &dyn Fn(usize) -> String| (0..n).map(write).collect::<Vec<_>>();
    let names = numbers(&|i| format!("a{i}, b{i}, c{i}, t{i}")).join(", ");
    let pairs = numbers(&|i| format!("a{i} | b{i} = c{i}")).join(" ");
    let processes = numbers(&|i| format!("P{i} = {}", does(i))).join(" ");
    let blocked = numbers(&|i| format!("a{i}, b{i}")).join(", ");
    let all = numbers(&|i| format!("P{i}")).join(" || ");
    format!("act {names} comm {pairs} proc {processes} init encap({{{blocked}}}, {all})")
}

#[test]
fn a_sentence_names_eight_at_the_most() {
    for (n, others) in [(8, ""), (9, " and others")] {
        let told = words(&row(n, |i| format!("a{i}")));
        let named: Vec<String> =
            (0..8).map(|i| format!("P{i} waits for nobody that could come")).collect();
        let first = told.lines().next().expect("a sentence");
        assert_eq!(first, format!("nobody can go on: {}{others}", named.join(", ")));
        assert_eq!(told.lines().count(), 1 + n);
    }
}

#[test]
fn a_circle_is_told_as_far_as_eight() {
    // Each may stop asking the next one and wait to be asked by it; at last all wait to be asked.
    for (n, more) in [(2, ""), (3, ""), (8, ""), (9, ", …")] {
        let text = row(n, |i| format!("a{i}.P{i} + t{i}.b{}.P{i}", (i + n - 1) % n));
        let way: Vec<String> = (0..=n).map(|i| format!("P{}", (n - i) % n)).collect();
        let pairs = way.windows(2).take(8).map(|it| format!("{} for {}", it[0], it[1]));
        let pairs: Vec<String> = pairs.collect();
        let told = words(&text);
        let first = told.lines().next().expect("a sentence");
        assert_eq!(first, format!("everybody waits, in a circle: {}{more}", pairs.join(", ")));
        assert_eq!(Algebra::circle(&waits(&text)), Some(way));
    }
}

#[test]
fn of_several_circles_the_shortest_is_told() {
    let wait = |who: &str, others: &[&str]| Wait {
        who: who.to_owned(),
        wants: others.iter().map(|it| ("w".to_owned(), vec![(*it).to_owned()])).collect(),
    };
    let all = [wait("a", &["b"]), wait("b", &["c"]), wait("c", &["a", "d"]), wait("d", &["c"])];
    assert_eq!(Algebra::circle(&all).expect("two circles"), ["c", "d", "c"]);
    assert_eq!(Algebra::circle(&all[..2]), None);
    assert_eq!(Algebra::circle(&[wait("a", &["a"])]).expect("itself"), ["a", "a"]);
}
