//! Reductions and comparisons against definitions: small LTSs by hand, random ones against a naive algorithm.

use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Equivalence, Lts, LtsBuilder, aut, compare, reduce, solve};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stdx::Random;
use std::collections::{BTreeMap, BTreeSet};

const BISIMULATIONS: [Equivalence; 3] =
    [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergencePreservingBranching];

fn lts(transitions: &[(u32, &str, u32)]) -> Lts {
    let mut builder = LtsBuilder::default();
    for (from, label, to) in transitions {
        builder.add(*from, Some(label), *to);
    }
    builder.build(0)
}

fn random_lts(random: &mut Random, n_states: u64, n_transitions: u64, labels: &[&str]) -> Lts {
    let mut builder = LtsBuilder::default();
    builder.at_least_states(n_states as u32);
    for _ in 0..n_transitions {
        let (from, to) = (random.below(n_states) as u32, random.below(n_states) as u32);
        builder.add(from, Some(labels[random.below(labels.len() as u64) as usize]), to);
    }
    builder.build(0)
}

/// The classes of all states, by rounds of signatures that are computed by walking.
fn naive_classes(lts: &Lts, equivalence: Equivalence) -> Vec<usize> {
    let mut classes = vec![0; lts.n_states()];
    loop {
        let mut numbers = BTreeMap::new();
        let next: Vec<usize> = lts
            .states()
            .map(|state| {
                let key =
                    (classes[state as usize], naive_signature(lts, equivalence, &classes, state));
                let number = numbers.len();
                *numbers.entry(key).or_insert(number)
            })
            .collect();
        if numbers.len() == classes.iter().collect::<BTreeSet<_>>().len() {
            return next;
        }
        classes = next;
    }
}

fn naive_signature(
    lts: &Lts,
    equivalence: Equivalence,
    classes: &[usize],
    state: u32,
) -> (BTreeSet<(u32, usize)>, bool) {
    let class = |state: u32| classes[state as usize];
    let is_weak = equivalence != Equivalence::Strong;
    let inside = if is_weak { inert_reach(lts, classes, state) } else { BTreeSet::from([state]) };
    let mut signature = BTreeSet::new();
    for from in &inside {
        for edge in lts.edges(*from) {
            if !(is_weak && edge.label.is_tau() && class(edge.target) == class(state)) {
                signature.insert((edge.label.0, class(edge.target)));
            }
        }
    }
    // Some state inside can come back to itself by internal steps that stay inside.
    let on_cycle = |from: &u32| {
        lts.edges(*from).iter().any(|edge| {
            edge.label.is_tau()
                && class(edge.target) == class(state)
                && inert_reach(lts, classes, edge.target).contains(from)
        })
    };
    let minds = equivalence == Equivalence::DivergencePreservingBranching;
    (signature, minds && inside.iter().any(on_cycle))
}

fn inert_reach(lts: &Lts, classes: &[usize], state: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![state];
    while let Some(here) = stack.pop() {
        if seen.insert(here) {
            let inert = |edge: &&foresee_logic::Edge| {
                edge.label.is_tau() && classes[edge.target as usize] == classes[state as usize]
            };
            stack.extend(lts.edges(here).iter().filter(inert).map(|edge| edge.target));
        }
    }
    seen
}

fn reachable(lts: &Lts) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![lts.initial()];
    while let Some(state) = stack.pop() {
        if seen.insert(state) {
            stack.extend(lts.edges(state).iter().map(|edge| edge.target));
        }
    }
    seen
}

#[test]
fn random_reductions_agree_with_the_naive_algorithm() {
    let mut random = Random::new(20);
    for round in 0..1500 {
        let n_states = 1 + random.below(14);
        let n_transitions = random.below(3 * n_states + 1);
        let labels: &[&str] =
            if round % 2 == 0 { &["tau", "a"] } else { &["tau", "tau", "a", "b"] };
        let lts = random_lts(&mut random, n_states, n_transitions, labels);
        let reachable = reachable(&lts);
        for equivalence in BISIMULATIONS {
            let classes = naive_classes(&lts, equivalence);
            let quotient = reduce(&lts, equivalence);
            let expected: BTreeSet<usize> =
                reachable.iter().map(|state| classes[*state as usize]).collect();
            assert_eq!(quotient.lts.n_states(), expected.len(), "round {round}, {equivalence:?}");
            for &a in &reachable {
                for &b in &reachable {
                    assert_eq!(
                        quotient.class_of[a as usize] == quotient.class_of[b as usize],
                        classes[a as usize] == classes[b as usize],
                        "round {round}, {equivalence:?}: {a} {b}"
                    );
                }
            }
            let same = compare(&lts, &quotient.lts, equivalence);
            assert_eq!(same.equivalent, Some(true), "round {round}, {equivalence:?}");
            let again = reduce(&quotient.lts, equivalence).lts;
            assert_eq!(again.n_states(), quotient.lts.n_states());
            assert_eq!(again.n_transitions(), quotient.lts.n_transitions());
        }
    }
}

#[test]
fn comparisons_agree_with_the_naive_algorithm() {
    let mut random = Random::new(21);
    let mut n_different = 0;
    for round in 0..600 {
        let labels = ["tau", "a", "b"];
        let left = random_lts(&mut random, 5, 7, &labels);
        let right = random_lts(&mut random, 5, 7, &labels);
        for equivalence in BISIMULATIONS {
            let mut both = LtsBuilder::default();
            both.at_least_states(10);
            for (offset, part) in [(0, &left), (5, &right)] {
                for (from, label, to) in part.transitions() {
                    both.add(from + offset, part.labels().visible(label), to + offset);
                }
            }
            let classes = naive_classes(&both.build(0), equivalence);
            let result = compare(&left, &right, equivalence);
            assert_eq!(
                result.equivalent,
                Some(classes[0] == classes[5]),
                "{round} {equivalence:?}"
            );
            assert_eq!(result.formula.is_some(), classes[0] != classes[5], "{round}");
            if let Some(formula) = &result.formula {
                let verdicts = [holds(&left, formula), holds(&right, formula)];
                assert_eq!(verdicts, [true, false], "{round} {equivalence:?}: {formula}");
            }
            n_different += usize::from(classes[0] != classes[5]);
        }
    }
    assert!(n_different > 100, "{n_different}");
}

fn holds(lts: &Lts, text: &str) -> bool {
    let formula = parse(text, Notation::Paper).into_result().unwrap();
    let label = lts.label_function();
    let solution = solve(lts, &*label, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap();
    solution.holds.expect("no limits")
}

/// Internal steps that stay where they are, before reduction, do not fool the formula.
#[test]
fn differences_hold_before_reduction() {
    let left = lts(&[(0, "tau", 0), (0, "tau", 1), (1, "a", 2), (0, "b", 2)]);
    let right = lts(&[(0, "tau", 1), (1, "a", 2), (0, "a", 2), (1, "b", 2)]);
    for (left, right) in [(&left, &right), (&right, &left)] {
        let formula = compare(left, right, Equivalence::Branching).formula.unwrap();
        assert_eq!([holds(left, &formula), holds(right, &formula)], [true, false], "{formula}");
    }
}

#[test]
fn traces_agree_with_all_words_up_to_a_length() {
    let mut random = Random::new(22);
    for round in 0..400 {
        let left = random_lts(&mut random, 4, 5, &["tau", "a", "b"]);
        let right = random_lts(&mut random, 4, 5, &["tau", "a", "b"]);
        for (equivalence, is_weak) in [(Equivalence::Trace, false), (Equivalence::WeakTrace, true)]
        {
            let result = compare(&left, &right, equivalence);
            // 16 pairs of sets and more are not reached with words shorter than this.
            let (ours, theirs) = (words(&left, is_weak, 9), words(&right, is_weak, 9));
            match &result.trace {
                None => assert_eq!(ours, theirs, "round {round}"),
                Some(trace) => {
                    let (has, lacks) =
                        if trace.only_left { (&ours, &theirs) } else { (&theirs, &ours) };
                    let word = trace.labels.join(" ");
                    assert!(has.contains(&word) && !lacks.contains(&word), "{round}: {word}");
                    let shorter = |words: &BTreeSet<String>| -> BTreeSet<String> {
                        let length = |word: &str| word.split(' ').count();
                        words.iter().filter(|w| length(w) < trace.labels.len()).cloned().collect()
                    };
                    assert_eq!(shorter(has), shorter(lacks), "{round}: not the shortest");
                }
            }
            let quotient = reduce(&left, equivalence).lts;
            assert_eq!(words(&quotient, is_weak, 7), words(&left, is_weak, 7), "round {round}");
        }
    }
}

/// Every trace up to a length, as text.
fn words(lts: &Lts, is_weak: bool, length_max: usize) -> BTreeSet<String> {
    let mut seen = BTreeSet::from([(lts.initial(), Vec::<u32>::new())]);
    let mut stack: Vec<_> = seen.iter().cloned().collect();
    while let Some((state, word)) = stack.pop() {
        for edge in lts.edges(state) {
            let mut longer = word.clone();
            if !(is_weak && edge.label.is_tau()) {
                longer.push(edge.label.0);
            }
            let next = (edge.target, longer);
            if next.1.len() <= length_max && seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    let name = |label: &u32| lts.labels().name(foresee_logic::LabelId(*label));
    seen.iter().map(|(_, word)| word.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn minimal_numbers_of_small_systems() {
    // A chain: every state is a different distance from the end.
    let chain: Vec<(u32, &str, u32)> = (0..50).map(|n| (n, "a", n + 1)).collect();
    assert_eq!(reduce(&lts(&chain), Equivalence::Strong).lts.n_states(), 51);
    // A ring is one state with a loop.
    let ring: Vec<(u32, &str, u32)> = (0..50).map(|n| (n, "a", (n + 1) % 50)).collect();
    let reduced = reduce(&lts(&ring), Equivalence::Strong).lts;
    assert_eq!((reduced.n_states(), reduced.n_transitions()), (1, 1));
    // a.(b + c) and a.b + a.c.
    let late = lts(&[(0, "a", 1), (1, "b", 2), (1, "c", 3)]);
    assert_eq!(reduce(&late, Equivalence::Strong).lts.n_states(), 3);
    let early = lts(&[(0, "a", 1), (1, "b", 2), (0, "a", 3), (3, "c", 4)]);
    assert_eq!(reduce(&early, Equivalence::Strong).lts.n_states(), 4);
    assert_eq!(reduce(&early, Equivalence::Trace).lts.n_states(), 3);
    // tau.a + b keeps its internal step: it decides.
    let decides = lts(&[(0, "tau", 1), (1, "a", 2), (0, "b", 3)]);
    let reduced = reduce(&decides, Equivalence::Branching).lts;
    assert_eq!((reduced.n_states(), reduced.n_transitions()), (3, 3));
    // A cycle of internal steps with a way out.
    let spin = lts(&[(0, "tau", 1), (1, "tau", 0), (1, "a", 2)]);
    let reduced = reduce(&spin, Equivalence::Branching).lts;
    assert_eq!((reduced.n_states(), reduced.n_transitions()), (2, 1));
    let reduced = reduce(&spin, Equivalence::DivergencePreservingBranching).lts;
    assert_eq!((reduced.n_states(), reduced.n_transitions()), (2, 2));
    assert_eq!(reduce(&spin, Equivalence::WeakTrace).lts.n_states(), 2);
}

#[test]
fn differences_are_shown() {
    let late = lts(&[(0, "a", 1), (1, "b", 2), (1, "c", 3)]);
    let early = lts(&[(0, "a", 1), (1, "b", 2), (0, "a", 3), (3, "c", 4)]);
    let strong = compare(&early, &late, Equivalence::Strong);
    assert_eq!(strong.trace, None);
    assert_eq!(strong.formula.as_deref(), Some("<\"a\"> not <\"c\"> true"));
    let shorter = lts(&[(0, "a", 1), (1, "b", 2)]);
    let trace = compare(&shorter, &late, Equivalence::WeakTrace);
    let shown = trace.trace.unwrap();
    assert_eq!((shown.labels, shown.only_left), (vec!["a".to_owned(), "c".to_owned()], false));
    assert_eq!(trace.formula.as_deref(), Some("not <tau* . \"a\" . tau* . \"c\"> true"));
    let spin = lts(&[(0, "tau", 0), (0, "a", 1)]);
    let still = lts(&[(0, "a", 1)]);
    assert_eq!(compare(&spin, &still, Equivalence::Branching).equivalent, Some(true));
    let diverges = compare(&spin, &still, Equivalence::DivergencePreservingBranching);
    assert_eq!(diverges.formula.as_deref(), Some("nu X0 . <tau> X0"));
}

#[test]
fn words_name_equivalences() {
    for (equivalence, word) in Equivalence::ALL {
        assert_eq!((Equivalence::parse(word), equivalence.word()), (Some(equivalence), word));
    }
    assert_eq!(Equivalence::parse("weak"), None);
}

#[test]
fn a_reduced_file_is_the_same_every_time() {
    let mut random = Random::new(7);
    let lts = random_lts(&mut random, 200, 500, &["tau", "a", "b"]);
    let bytes = |lts: &Lts| aut::write(lts, aut::Tau::Cadp, Vec::new()).unwrap();
    let first = bytes(&reduce(&lts, Equivalence::Branching).lts);
    assert_eq!(first, bytes(&reduce(&lts, Equivalence::Branching).lts));
}

/// A difference far from the start is shown by a run; a formula that no parser takes is not made.
#[test]
fn a_difference_far_away_has_a_run_and_no_formula() {
    let chain = |n: u32, last: &str| {
        let mut builder = LtsBuilder::default();
        (0..n).for_each(|at| builder.add(at, Some("s"), at + 1));
        builder.add(n, Some(last), n + 1);
        builder.build(0)
    };
    for (n, has_formula) in [(20, true), (300, false), (5_000, false)] {
        let (left, right) = (chain(n, "x"), chain(n, "y"));
        for equivalence in [Equivalence::Strong, Equivalence::Branching] {
            let found = compare(&left, &right, equivalence);
            assert_eq!(found.equivalent, Some(false));
            assert_eq!(found.formula.is_some(), has_formula, "{n} {equivalence:?}");
            assert_eq!(found.trace.unwrap().labels.len(), n as usize + 1);
        }
    }
}
