//! The solver from outside: how early it stops, what limits do, what it warns of, and data in formulas.

use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Lts, LtsBuilder, Solution, aut, codes, generate_lts, solve};
use foresee_lts::{Action, State, StoppedBy, System, toy::Counters};
use foresee_search::{Limits, Meter, NoMeter, Silent};
use std::time::Duration;

fn solve_on(system: &dyn System, limits: &Limits, text: &str, notation: Notation) -> Solution {
    let label = |_: &[u32], action: Action| Some(format!("up({})", action.0));
    let formula = parse(text, notation).into_result().unwrap();
    solve(system, &label, &formula, limits, &NoMeter, &mut Silent).unwrap()
}

fn solve_lts(lts: &Lts, text: &str, notation: Notation) -> Solution {
    let formula = parse(text, notation).into_result().unwrap_or_else(|e| panic!("{text}: {e}"));
    let labels = lts.label_function();
    solve(lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap()
}

fn lts(transitions: &[(u32, &str, u32)]) -> Lts {
    let mut builder = LtsBuilder::default();
    for (from, label, to) in transitions {
        builder.add(*from, Some(label), *to);
    }
    builder.build(0)
}

#[test]
fn a_violation_is_found_without_the_rest() {
    // 11^5 states; the third step of one counter is forbidden.
    let system = Counters::new(5, 10);
    let text = "[-* . 'up(0)' . -* . 'up(0)' . -* . 'up(0)'] false";
    let solution = solve_on(&system, &Limits::none(), text, Notation::Paper);
    assert_eq!(solution.holds, Some(false));
    assert!(solution.states < 100, "{}", solution.states);
    assert_eq!(solution.evidence.unwrap().labels.len(), 3);
}

#[test]
fn a_cycle_is_found_without_the_rest() {
    // A loop at the start of a large system: `up(0)` may be put off for ever.
    struct Idle(Counters);
    impl System for Idle {
        fn initial(&self) -> Vec<State> {
            self.0.initial()
        }
        fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
            self.0.enabled(state, actions);
            actions.push(Action(9));
        }
        fn step(&self, state: &[u32], action: Action) -> State {
            if action == Action(9) { state.to_vec() } else { self.0.step(state, action) }
        }
    }
    let system = Idle(Counters::new(5, 10));
    let text = "[-* . 'up(1)'] mu X . (<-> true and [not 'up(0)'] X)";
    let solution = solve_on(&system, &Limits::none(), text, Notation::Paper);
    assert_eq!(solution.holds, Some(false));
    assert!(solution.states < 2_000, "{}", solution.states);
    let evidence = solution.evidence.unwrap();
    assert_eq!(evidence.loops_to, Some(1), "{:?}", evidence.labels);
    let labels: Vec<_> = evidence.labels.into_iter().flatten().collect();
    assert_eq!(labels, ["up(1)", "up(9)"]);
}

#[test]
fn one_half_of_a_disjunction_is_enough() {
    let system = Counters::new(5, 10);
    let text = "<'up(1)'> true or [-*] <-> true";
    let solution = solve_on(&system, &Limits::none(), text, Notation::Paper);
    assert_eq!(solution.holds, Some(true));
    assert!(solution.states < 10, "{}", solution.states);
}

#[test]
fn limits_leave_the_question_open() {
    let system = Counters::new(4, 10);
    let text = "[-* . 'up(7)'] false";
    let limits = Limits { states_max: Some(100), ..Limits::none() };
    let solution = solve_on(&system, &limits, text, Notation::Paper);
    assert_eq!((solution.holds, solution.stopped_by), (None, Some(StoppedBy::States)));
    assert!(solution.evidence.is_none() && solution.warnings.is_empty());
    let limits = Limits { depth_max: Some(3), ..Limits::none() };
    let solution = solve_on(&system, &limits, text, Notation::Paper);
    assert_eq!((solution.holds, solution.stopped_by), (None, Some(StoppedBy::Depth)));
    // What is decided within the limit is decided.
    let solution = solve_on(&system, &limits, "[-* . 'up(3)'] false", Notation::Paper);
    assert_eq!((solution.holds, solution.stopped_by), (Some(false), None));
}

#[test]
fn an_interrupt_stops_the_search() {
    struct Impatient;
    impl Meter for Impatient {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
        fn interrupted(&self) -> bool {
            true
        }
    }
    let system = Counters::new(4, 10);
    let label = |_: &[u32], _: Action| None;
    let formula =
        parse("[-*] [tau] true and [-* . 'x'] false", Notation::Paper).into_result().unwrap();
    let solution =
        solve(&system, &label, &formula, &Limits::none(), &Impatient, &mut Silent).unwrap();
    assert_eq!(solution.stopped_by, Some(StoppedBy::Interrupt));
}

#[test]
fn labels_that_match_nothing_are_warned_of() {
    let lamp = lts(&[(0, "press(on)", 1), (1, "press(off)", 0)]);
    let warned = |text: &str, notation| {
        let solution = solve_lts(&lamp, text, notation);
        let places = solution.warnings.iter().map(|one| one.span.text(text).to_owned());
        assert!(solution.warnings.iter().all(|one| one.code == codes::NO_SUCH_LABEL));
        places.collect::<Vec<_>>()
    };
    assert_eq!(warned("[-* . 'pres(.*)'] false", Notation::Paper), ["'pres(.*)'"]);
    assert_eq!(warned("[-* . ('press(on)' or \"press\")] true", Notation::Paper), ["\"press\""]);
    assert_eq!(warned("[true* . press(on, 1)] false", Notation::Mcf), ["press(on, 1)"]);
    assert!(warned("[true* . exists p: P . press(p)] true", Notation::Mcf).is_empty());
    // Not everything was explored: nothing is said.
    assert!(warned("<'press(on)'> true or <'x'> true", Notation::Paper).is_empty());
}

#[test]
fn data_in_formulas() {
    let locks = lts(&[
        (0, "use(c1)", 1),
        (0, "use(c2)", 2),
        (1, "free(c1)", 0),
        (2, "free(c2)", 0),
        (1, "use(c3)", 3),
        (3, "free(c3)", 1),
    ]);
    let holds = |text: &str| solve_lts(&locks, text, Notation::Mcf).holds.unwrap();
    let between = |clients: &str| {
        format!(
            "sort Client = struct {clients}; form forall c, d: Client . \
             val(c != d) => [true* . use(c) . (!free(c))* . use(d)]false;"
        )
    };
    assert!(holds(&between("c1 | c2")));
    assert!(!holds(&between("c1 | c2 | c3")));
    // In action formulas, the values on labels are enough.
    assert!(!holds("[true* . (exists c: Client . use(c)) . (exists c: Client . use(c))]false"));
    assert!(holds(
        "[true* . (exists c: Client . use(c)) . (exists c: Client . val(c != c3) && use(c))]false"
    ));
    assert!(holds("[true* . (forall c: Client . use(c))]false"));
    // A parameter counts.
    let inside = "nu X(n: Nat = 0) . val(n <= MAX) && [exists c: Client . use(c)]X(n + 1) \
                  && [exists c: Client . free(c)]X(n - 1)";
    assert!(holds(&inside.replace("MAX", "2")));
    assert!(!holds(&inside.replace("MAX", "1")));
    // Values of an outer binding are kept through a fixpoint that binds the same name again.
    assert!(holds(
        "sort C = struct c1 | c2; form \
         exists c: C . val(c == c1) && nu X . <use(c)>true || exists c: C . <use(c)>X;"
    ));
    assert!(holds("<use(c1) . use(c3)>true && !<use(c2) . use(c3)>true"));
}

#[test]
fn an_expression_without_a_value_is_an_error() {
    let one = lts(&[(0, "a(x)", 0)]);
    for (text, place) in [
        ("[true*]val(c1 < 3)", "val(c1 < 3)"),
        ("nu X(n: Nat = 1) . [true]X(n + b)", "X(n + b)"),
        ("[exists d: D . a(d) && val(d + 1 == 2)]false", "val(d + 1 == 2)"),
        ("[true]val(5)", "val(5)"),
    ] {
        let formula = parse(text, Notation::Mcf).into_result().unwrap();
        let labels = one.label_function();
        let error = solve(&one, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent)
            .expect_err(text);
        assert_eq!((error.code, error.span.text(text)), (codes::NO_VALUE, place));
    }
}

#[test]
fn every_initial_state_counts() {
    struct Two;
    impl System for Two {
        fn initial(&self) -> Vec<State> {
            vec![vec![0], vec![1]]
        }
        fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
            actions.extend((state[0] < 2).then_some(Action(u64::from(state[0]))));
        }
        fn step(&self, _state: &[u32], _action: Action) -> State {
            vec![2]
        }
    }
    let solved = |text: &str| solve_on(&Two, &Limits::none(), text, Notation::Paper);
    assert_eq!(solved("<-> true").holds, Some(true));
    let violated = solved("<'up(0)'> true");
    assert_eq!(violated.holds, Some(false));
    assert_eq!(violated.evidence.unwrap().path.initial, [1]);
    assert_eq!(generate_lts(&Two, &|_, _| None).n_states(), 4);
}

#[test]
fn evidence_that_branches_is_a_part_of_the_system() {
    let text = &b"des (0, 5, 6)\n(0, go, 1)\n(1, a, 2)\n(1, b, 3)\n(0, x, 4)\n(4, a, 5)\n"[..];
    let lts = aut::read(text).unwrap();
    let solution = solve_lts(&lts, "<'go'> (<'a'> true and <'b'> true)", Notation::Paper);
    let evidence = solution.evidence.unwrap();
    assert!(!evidence.is_linear);
    assert_eq!(evidence.labels, [Some("go".to_owned())]);
    let part = evidence.sub_lts.unwrap();
    assert_eq!((part.lts.n_states(), part.lts.n_transitions()), (4, 3));
    assert_eq!(part.states[1], [1]);
    // The part of the formula that is decided where the run ends.
    let solution = solve_lts(&lts, "['go'] <'c'> true", Notation::Paper);
    let evidence = solution.evidence.unwrap();
    assert_eq!(evidence.at.unwrap().text("['go'] <'c'> true"), "<'c'> true");
}
