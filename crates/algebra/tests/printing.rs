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

/// In mCRL2 `tau | a = a`: a component with a `tau` of its own could do it together with another's step, unseen.
#[test]
fn no_component_of_mcrl2_text_has_a_tau() {
    let tau = |text: &str| {
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        words.filter(|it| *it == "tau").count()
    };
    for (spec, parts) in [
        (
            "act a, b proc P = tau.a.P init P || b",
            &[
                "act\n  a;\n  b;\n  internal;",
                "internal . a . P",
                "hide({internal}, allow({a, b, internal}, P || b))",
            ][..],
        ),
        (
            "act a, b, c comm a | b = c proc P = tau.a.P Q = b.Q init hide({c}, encap({a, b}, P || Q))",
            &["hide({c, internal}, allow({c, internal}, comm({a | b -> c}, P || Q)))"],
        ),
        (
            "sort D func d: -> D act a, h: D b proc P = hide({h}, h(d).a(d)) init encap({b}, P) || P",
            &[
                "  internal;\n  internal: D;",
                "rename({h -> internal}, h(d) . a(d))",
                "hide({internal}, allow({a, h, b, internal}, block({b}, P) || P))",
            ],
        ),
        (
            "act internal, internal0, a proc P = tau.internal.P init P || P",
            &["internal00 . internal . P"],
        ),
        ("act a, b init hide({b}, a || b)", &["init\n  hide({b}, allow({a, b}, a || b));"]),
        ("act a init a.a", &["init\n  a . a;"]),
    ] {
        let text = parse(spec).specification.to_mcrl2().expect("no problems");
        assert_eq!(tau(&text), 0, "{text}");
        for part in parts {
            assert!(text.contains(part), "{part}\n{text}");
        }
        if let Err(error) = UntypedProcessSpecification::parse(&text) {
            panic!("{error}\n{text}");
        }
    }
}

fn choose(truth: &str) -> Term {
    Term::apply("if", vec![Term::name(truth), Term::name("x"), Term::name("y")])
}
