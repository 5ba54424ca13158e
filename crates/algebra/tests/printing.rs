//! What is printed: muCRL reads back to the same tree and state space, and mCRL2 is accepted by an independent parser.

mod support;

use foresee_algebra::{Algebra, Options, Process, Specification, Term, parse};
use merc_syntax::UntypedProcessSpecification;
use support::{explore, spec, system};

const SPECS: [&str; 7] =
    ["abp", "abp_calls", "buffer", "lock", "locker", "locker_crash", "philosophers"];

#[test]
fn mucrl_reads_back() {
    for name in SPECS {
        let specification = parse(&spec(name)).specification;
        let text = specification.to_mucrl();
        assert_eq!(parse(&text).specification, specification, "{text}");
        assert_eq!(explore(&system(&text), 1000), explore(&system(&spec(name)), 1000), "{name}");
        let built =
            Algebra::new(&specification, Options::default()).expect("the same specification");
        assert_eq!(explore(&built, 1000).size(), explore(&system(&text), 1000).size());
    }
}

#[test]
fn mcrl2_is_accepted_by_another_parser() {
    for name in SPECS {
        let text = parse(&spec(name)).specification.to_mcrl2().expect("no problems");
        if let Err(error) = UntypedProcessSpecification::parse(&text) {
            panic!("{name}: {error}\n{text}");
        }
    }
}

#[test]
fn mcrl2_gets_names_it_allows() {
    let mut spec = Specification::default();
    spec.sort("Nat").constructor("0", &[], "Nat").constructor("a-b", &[], "Nat").constructor(
        "a_b",
        &[],
        "Nat",
    );
    spec.map("if", &["Bool", "Nat", "Nat"], "Nat").map("eq", &["Nat", "Nat"], "Bool");
    spec.rule(&[("x", "Nat"), ("y", "Nat")], choose("T"), Term::name("x"));
    spec.rule(&[("x", "Nat"), ("y", "Nat")], choose("F"), Term::name("y"));
    spec.action("act'", &["Nat"]).action("b", &["Nat"]).action("c", &["Nat"]).action("d", &["Nat"]);
    spec.communicate("act'", "b", "c").communicate("act'", "c", "d").communicate("b", "b", "c");
    let one = |name: &str| Process::action("act'", vec![Term::name(name)]);
    spec.process("P", &[], one("0").then(Process::call("P", vec![])));
    let init = Process::call("P", vec![]).beside(one("a-b").or(one("a_b")));
    spec.init = Some(init.clone());
    // Communication that is not associative is no specification.
    assert!(spec.to_mcrl2().is_err());
    spec.communications.remove(1);
    let text = spec.to_mcrl2().expect("no problems");
    for part in [
        "sort\n  Nat_ = struct n_0 | a_b_ | a_b;",
        "if_(true, x, y) = x;",
        "eq(x_, y_) = x_ == y_;",
        "comm({b | b -> c}, comm({act' | b -> c}, P || (act'(a_b_)\n    + act'(a_b))))",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    if let Err(error) = UntypedProcessSpecification::parse(&text) {
        panic!("{error}\n{text}");
    }
}

fn choose(truth: &str) -> Term {
    Term::apply("if", vec![Term::name(truth), Term::name("x"), Term::name("y")])
}
