//! The solver against a naive global evaluator: sets of states, relations for sequences, fixpoints by iteration.
//! The evaluator here shares nothing with the solver: it has trees of its own, which are printed in both notations; a
//! sequence of actions is a relation between states, not a fixpoint. Evidence is checked by evaluating the formula again on
//! the part of the system that is said to prove it.

use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Equivalence, Lts, LtsBuilder, Solution, aut, compare, solve};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stdx::Random;

#[derive(Clone, Debug)]
enum F {
    True,
    False,
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    All(R, Box<F>),
    Some(R, Box<F>),
    Mu(usize, Box<F>),
    Nu(usize, Box<F>),
    Var(usize),
}

#[derive(Clone, Debug)]
enum R {
    Act(A),
    Seq(Box<R>, Box<R>),
    Alt(Box<R>, Box<R>),
    Star(Box<R>),
    Plus(Box<R>),
}

#[derive(Clone, Debug)]
enum A {
    Any,
    Tau,
    Is(&'static str),
    Not(Box<A>),
    Or(Box<A>, Box<A>),
}

// Printing, in both notations.

fn show(f: &F, notation: Notation) -> String {
    let words = match notation {
        Notation::Paper => ["not", "and", "or"],
        Notation::Mcf => ["!", "&&", "||"],
    };
    let one = |f: &F| show(f, notation);
    match f {
        F::True => "true".to_owned(),
        F::False => "false".to_owned(),
        F::Not(f) => format!("{} ({})", words[0], one(f)),
        F::And(a, b) => format!("(({}) {} ({}))", one(a), words[1], one(b)),
        F::Or(a, b) => format!("(({}) {} ({}))", one(a), words[2], one(b)),
        F::Implies(a, b) => format!("(({}) => ({}))", one(a), one(b)),
        F::All(r, f) => format!("[{}]({})", show_r(r, notation), one(f)),
        F::Some(r, f) => format!("<{}>({})", show_r(r, notation), one(f)),
        F::Mu(x, f) => format!("(mu X{x} . {})", one(f)),
        F::Nu(x, f) => format!("(nu X{x} . {})", one(f)),
        F::Var(x) => format!("X{x}"),
    }
}

fn show_r(r: &R, notation: Notation) -> String {
    let one = |r: &R| show_r(r, notation);
    match r {
        R::Act(a) => show_a(a, notation),
        R::Seq(a, b) => format!("({}) . ({})", one(a), one(b)),
        R::Alt(a, b) if notation == Notation::Paper => format!("({}) | ({})", one(a), one(b)),
        R::Alt(a, b) => format!("({}) + ({})", one(a), one(b)),
        R::Star(a) => format!("({})*", one(a)),
        R::Plus(a) => format!("({})+", one(a)),
    }
}

fn show_a(a: &A, notation: Notation) -> String {
    let one = |a: &A| show_a(a, notation);
    match (a, notation) {
        (A::Any, Notation::Paper) => "-".to_owned(),
        (A::Any, Notation::Mcf) => "true".to_owned(),
        (A::Tau, _) => "tau".to_owned(),
        (A::Is(label), Notation::Paper) => format!("'{label}'"),
        (A::Is(label), Notation::Mcf) => (*label).to_owned(),
        (A::Not(a), Notation::Paper) => format!("not ({})", one(a)),
        (A::Not(a), Notation::Mcf) => format!("!({})", one(a)),
        (A::Or(a, b), Notation::Paper) => format!("(({}) or ({}))", one(a), one(b)),
        (A::Or(a, b), Notation::Mcf) => format!("(({}) || ({}))", one(a), one(b)),
    }
}

// The naive evaluator.

type Set = Vec<bool>;
type Relation = Vec<Vec<bool>>;

fn naive(lts: &Lts, f: &F) -> bool {
    sets(lts, f, &mut vec![None; 10])[lts.initial() as usize]
}

fn sets(lts: &Lts, f: &F, values: &mut Vec<Option<Set>>) -> Set {
    let n = lts.n_states();
    let zip = |a: Set, b: Set, join: fn(bool, bool) -> bool| -> Set {
        a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect()
    };
    match f {
        F::True => vec![true; n],
        F::False => vec![false; n],
        F::Not(f) => sets(lts, f, values).into_iter().map(|value| !value).collect(),
        F::And(a, b) => zip(sets(lts, a, values), sets(lts, b, values), |a, b| a && b),
        F::Or(a, b) => zip(sets(lts, a, values), sets(lts, b, values), |a, b| a || b),
        F::Implies(a, b) => zip(sets(lts, a, values), sets(lts, b, values), |a, b| !a || b),
        F::All(r, f) => {
            let (relation, inside) = (relation(lts, r), sets(lts, f, values));
            relation.iter().map(|row| row.iter().zip(&inside).all(|(r, f)| !r || *f)).collect()
        }
        F::Some(r, f) => {
            let (relation, inside) = (relation(lts, r), sets(lts, f, values));
            relation.iter().map(|row| row.iter().zip(&inside).any(|(r, f)| *r && *f)).collect()
        }
        F::Mu(x, inside) | F::Nu(x, inside) => {
            let mut value = vec![matches!(f, F::Nu(..)); n];
            loop {
                values[*x] = Some(value.clone());
                let next = sets(lts, inside, values);
                if next == value {
                    values[*x] = None;
                    return value;
                }
                value = next;
            }
        }
        F::Var(x) => values[*x].clone().expect("bound"),
    }
}

fn relation(lts: &Lts, r: &R) -> Relation {
    let n = lts.n_states();
    match r {
        R::Act(a) => {
            let mut relation = vec![vec![false; n]; n];
            for (from, label, to) in lts.transitions() {
                relation[from as usize][to as usize] |= is_in(lts.labels().visible(label), a);
            }
            relation
        }
        R::Seq(a, b) => composed(&relation(lts, a), &relation(lts, b)),
        R::Alt(a, b) => {
            let (mut a, b) = (relation(lts, a), relation(lts, b));
            a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a |= b);
            a
        }
        R::Star(a) => closed(&relation(lts, a)),
        R::Plus(a) => {
            let once = relation(lts, a);
            composed(&once, &closed(&once))
        }
    }
}

fn composed(a: &Relation, b: &Relation) -> Relation {
    let n = a.len();
    let mut result = vec![vec![false; n]; n];
    for (row, out) in a.iter().zip(&mut result) {
        for (middle, _) in row.iter().enumerate().filter(|(_, related)| **related) {
            out.iter_mut().zip(&b[middle]).for_each(|(out, related)| *out |= related);
        }
    }
    result
}

fn closed(a: &Relation) -> Relation {
    let mut result = a.clone();
    for (at, row) in result.iter_mut().enumerate() {
        row[at] = true;
    }
    loop {
        let next = composed(&result, &result);
        if next == result {
            return result;
        }
        result = next;
    }
}

fn is_in(label: Option<&str>, a: &A) -> bool {
    match a {
        A::Any => true,
        A::Tau => label.is_none(),
        A::Is(wanted) => label == Some(wanted),
        A::Not(a) => !is_in(label, a),
        A::Or(a, b) => is_in(label, a) || is_in(label, b),
    }
}

// Systems and formulas.

fn systems() -> Vec<(String, Lts)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/systems");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        (path.file_stem().unwrap().to_string_lossy().into_owned(), aut::read(file).unwrap())
    };
    files.into_iter().map(read).collect()
}

fn random_lts(random: &mut Random, n_states: u64, n_transitions: u64) -> Lts {
    let mut builder = LtsBuilder::default();
    builder.at_least_states(n_states as u32);
    for _ in 0..n_transitions {
        let label = [None, Some("a"), Some("b"), Some("c")][random.below(4) as usize];
        builder.add(random.below(n_states) as u32, label, random.below(n_states) as u32);
    }
    builder.build(0)
}

fn is(label: &'static str) -> R {
    R::Act(A::Is(label))
}
fn not(label: &'static str) -> R {
    R::Act(A::Not(Box::new(A::Is(label))))
}
fn any() -> R {
    R::Act(A::Any)
}
fn star(r: R) -> R {
    R::Star(Box::new(r))
}
fn plus(r: R) -> R {
    R::Plus(Box::new(r))
}
fn seq(parts: Vec<R>) -> R {
    parts.into_iter().reduce(|a, b| R::Seq(Box::new(a), Box::new(b))).unwrap()
}
fn alt(a: R, b: R) -> R {
    R::Alt(Box::new(a), Box::new(b))
}
fn all(r: R, f: F) -> F {
    F::All(r, Box::new(f))
}
fn some(r: R, f: F) -> F {
    F::Some(r, Box::new(f))
}
fn and(a: F, b: F) -> F {
    F::And(Box::new(a), Box::new(b))
}
fn or(a: F, b: F) -> F {
    F::Or(Box::new(a), Box::new(b))
}
fn neg(f: F) -> F {
    F::Not(Box::new(f))
}
fn mu(x: usize, f: F) -> F {
    F::Mu(x, Box::new(f))
}
fn nu(x: usize, f: F) -> F {
    F::Nu(x, Box::new(f))
}
fn x(n: usize) -> F {
    F::Var(n)
}
fn tau() -> R {
    R::Act(A::Tau)
}
fn inevitably(label: &'static str) -> F {
    mu(1, and(some(any(), F::True), all(not(label), x(1))))
}

fn formulas() -> Vec<F> {
    let always = || star(any());
    vec![
        all(always(), some(any(), F::True)),
        all(seq(vec![always(), is("a"), star(not("b")), is("a")]), F::False),
        all(seq(vec![always(), is("a"), star(not("c")), is("a")]), F::False),
        all(seq(vec![always(), is("b"), star(not("a")), is("b")]), F::False),
        all(seq(vec![always(), is("c")]), F::False),
        all(always(), some(is("a"), F::True)),
        all(always(), some(seq(vec![always(), is("a")]), F::True)),
        all(always(), some(seq(vec![always(), is("c")]), F::True)),
        all(seq(vec![always(), is("a")]), some(seq(vec![always(), is("b")]), F::True)),
        all(seq(vec![always(), is("a")]), inevitably("b")),
        all(seq(vec![always(), is("b")]), inevitably("a")),
        all(
            seq(vec![always(), is("a"), star(not("b"))]),
            some(seq(vec![always(), is("b")]), F::True),
        ),
        inevitably("a"),
        inevitably("c"),
        mu(1, or(some(is("c"), F::True), some(any(), x(1)))),
        nu(1, and(some(any(), F::True), all(any(), x(1)))),
        nu(1, some(any(), x(1))),
        nu(1, some(tau(), x(1))),
        some(always(), nu(1, some(tau(), x(1)))),
        neg(some(always(), nu(1, some(tau(), x(1))))),
        all(star(not("a")), neg(some(is("b"), F::True))),
        some(seq(vec![star(tau()), is("a"), star(tau()), is("b")]), F::True),
        some(plus(seq(vec![is("a"), alt(is("b"), is("c"))])), F::True),
        all(plus(any()), some(any(), F::True)),
        some(seq(vec![is("a"), is("b")]), all(any(), F::False)),
        all(is("a"), or(some(is("b"), F::True), some(is("c"), F::True))),
        all(is("a"), and(some(is("b"), F::True), some(is("c"), F::True))),
        F::Implies(Box::new(some(is("a"), F::True)), Box::new(some(is("b"), F::True))),
        mu(1, all(any(), x(1))),
        nu(1, mu(2, or(some(is("a"), x(1)), some(any(), x(2))))),
        mu(1, nu(2, and(all(is("a"), x(1)), all(not("a"), x(2))))),
        nu(1, mu(2, or(and(some(is("a"), F::True), some(any(), x(1))), some(any(), x(2))))),
        mu(1, nu(2, or(some(is("b"), x(2)), all(any(), x(1))))),
        nu(1, mu(2, nu(3, or(some(is("a"), x(1)), or(some(is("b"), x(2)), some(tau(), x(3))))))),
        nu(1, some(star(not("a")), some(is("a"), x(1)))),
        mu(1, all(star(not("a")), all(is("a"), x(1)))),
        all(star(star(is("a"))), some(any(), F::True)),
        some(star(alt(is("a"), star(is("b")))), some(is("c"), F::True)),
        neg(all(seq(vec![always(), is("b")]), some(star(tau()), some(is("c"), F::True)))),
        and(inevitably("b"), neg(inevitably("c"))),
        or(all(any(), F::False), all(always(), neg(all(any(), F::False)))),
        nu(1, and(all(any(), x(1)), mu(2, or(some(is("a"), F::True), some(any(), x(2)))))),
        mu(1, or(all(any(), F::False), and(some(any(), F::True), all(any(), x(1))))),
    ]
}

/// A random formula in which the variables in `scope` may occur; `positive` ones only where it stays so.
fn random_formula(random: &mut Random, depth: u64, scope: &[usize], next: usize) -> F {
    let choice = if depth == 0 { random.below(3) } else { random.below(12) };
    let mut sub = |scope: &[usize]| Box::new(random_formula(random, depth - 1, scope, next));
    match choice {
        0 => F::True,
        1 => F::False,
        2 if !scope.is_empty() => F::Var(scope[random.below(scope.len() as u64) as usize]),
        2 => F::True,
        3 => F::And(sub(scope), sub(scope)),
        4 => F::Or(sub(scope), sub(scope)),
        5 => F::Not(sub(&[])),
        6 => F::Implies(sub(&[]), sub(scope)),
        7 | 8 => {
            let f = sub(scope);
            if choice == 7 {
                F::All(random_r(random, 2), f)
            } else {
                F::Some(random_r(random, 2), f)
            }
        }
        _ => {
            let mut inner = scope.to_vec();
            inner.push(next);
            let body = Box::new(random_formula(random, depth - 1, &inner, next + 1));
            if random.below(2) == 0 { F::Mu(next, body) } else { F::Nu(next, body) }
        }
    }
}

fn random_r(random: &mut Random, depth: u64) -> R {
    let choice = if depth == 0 { 0 } else { random.below(8) };
    match choice {
        0..=3 => R::Act(random_a(random)),
        4 => R::Seq(Box::new(random_r(random, depth - 1)), Box::new(random_r(random, depth - 1))),
        5 => R::Alt(Box::new(random_r(random, depth - 1)), Box::new(random_r(random, depth - 1))),
        6 => R::Plus(Box::new(random_r(random, depth - 1))),
        _ => R::Star(Box::new(random_r(random, depth - 1))),
    }
}

fn random_a(random: &mut Random) -> A {
    let label = ["a", "b", "c"][random.below(3) as usize];
    match random.below(7) {
        0 => A::Any,
        1 => A::Tau,
        2 => A::Not(Box::new(A::Is(label))),
        3 => A::Or(Box::new(A::Is(label)), Box::new(A::Tau)),
        _ => A::Is(label),
    }
}

fn solved(lts: &Lts, text: &str, notation: Notation) -> Solution {
    let formula = parse(text, notation).into_result().unwrap_or_else(|e| panic!("{text}: {e}"));
    let labels = lts.label_function();
    solve(lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap()
}

/// Solves in both notations, compares with the naive value, and checks the evidence.
fn check(name: &str, lts: &Lts, f: &F) -> bool {
    let expected = naive(lts, f);
    for notation in [Notation::Paper, Notation::Mcf] {
        let text = show(f, notation);
        let solution = solved(lts, &text, notation);
        assert_eq!(solution.holds, Some(expected), "{name}: {text}");
        let evidence = solution.evidence.unwrap();
        let part = evidence.sub_lts.expect("small systems have small proofs");
        assert_eq!(naive(&part.lts, f), expected, "the evidence of {name}: {text}");
        assert!(part.lts.n_transitions() <= lts.n_transitions());
        // The path is a run with these labels.
        let mut here = evidence.path.initial[0];
        assert_eq!(here, lts.initial());
        for (action, label) in evidence.path.actions.iter().zip(&evidence.labels) {
            assert!(lts.edge_range(here).contains(&(action.0 as usize)), "{name}: {text}");
            assert_eq!(lts.label_of(*action), label.as_deref());
            here = lts.all_edges()[action.0 as usize].target;
        }
        if let Some(back) = evidence.loops_to {
            assert!(evidence.is_linear && back <= evidence.labels.len(), "{name}: {text}");
        }
    }
    expected
}

#[test]
fn forty_formulas_over_all_systems_agree() {
    let (systems, formulas) = (systems(), formulas());
    assert!(systems.len() >= 10 && formulas.len() >= 40);
    let mut holding = 0;
    for (name, lts) in &systems {
        for formula in &formulas {
            holding += usize::from(check(name, lts, formula));
        }
    }
    let n = systems.len() * formulas.len();
    assert!(
        holding > n / 4 && holding < 3 * n / 4,
        "{holding} of {n}: the formulas tell nothing apart"
    );
}

#[test]
fn random_formulas_over_random_systems_agree() {
    let mut random = Random::new(77);
    for round in 0..2500 {
        let n = 1 + random.below(8);
        let n_transitions = random.below(3 * n);
        let lts = random_lts(&mut random, n, n_transitions);
        let formula = random_formula(&mut random, 5, &[], 0);
        check(&format!("round {round}"), &lts, &formula);
    }
}

#[test]
fn larger_systems_agree_where_cycles_are_found_early() {
    let mut random = Random::new(78);
    for round in 0..40 {
        let lts = random_lts(&mut random, 60, 110);
        for formula in formulas() {
            check(&format!("round {round}"), &lts, &formula);
        }
    }
}

#[test]
fn distinguishing_formulas_hold_on_the_left_only() {
    let mut random = Random::new(79);
    let mut told = 0;
    for round in 0..400 {
        let (left, right) = (random_lts(&mut random, 5, 8), random_lts(&mut random, 5, 8));
        for (equivalence, word) in Equivalence::ALL {
            let Some(formula) = compare(&left, &right, equivalence).formula else { continue };
            told += 1;
            let holds = |lts| solved(lts, &formula, Notation::Paper).holds;
            assert_eq!(holds(&left), Some(true), "round {round}, {word}: {formula}");
            assert_eq!(holds(&right), Some(false), "round {round}, {word}: {formula}");
        }
    }
    assert!(told > 500, "{told}");
}
