//! Properties of terms: order, printing, bit strings.

use foresee_erlang::term::binary::Builder;
use foresee_erlang::term::{order, print};
use foresee_erlang::{Map, Pid, Reference, Term};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::cmp::Ordering;

fn leaf() -> impl Strategy<Value = Term> {
    prop_oneof![
        any::<i64>().prop_map(Term::Int),
        (-3i64..3).prop_map(Term::Int),
        (-3i64..3).prop_map(|n| Term::Float(n as f64 / 2.0)),
        any::<i128>().prop_map(|n| foresee_erlang::term::number::integer(BigInt::from(n) << 3)),
        "[a-c]{0,2}".prop_map(|text| Term::atom(&text)),
        "[A-Z '\n]{1,3}".prop_map(|text| Term::atom(&text)),
        Just(Term::Nil),
        "[a-z\"\\\\]{0,4}".prop_map(|text| Term::string(&text)),
        proptest::collection::vec(any::<u8>(), 0..4).prop_map(|bytes| Term::binary(&bytes)),
    ]
}

fn term() -> impl Strategy<Value = Term> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Term::list),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Term::tuple),
            proptest::collection::vec((inner.clone(), inner.clone()), 0..4)
                .prop_map(|pairs| Term::map(Map::from_pairs(pairs))),
            (inner.clone(), inner).prop_map(|(a, b)| Term::cons(a, b)),
        ]
    })
}

/// A term read back from its text, by running it as a program.
fn read(text: &str) -> Term {
    let module = format!("-module(m).\n-export([main/0]).\nmain() -> exit({{value, {text}}}).\n");
    let file = foresee_erlang::SourceText { path: "m.erl", text: &module };
    let loaded =
        foresee_erlang::load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
    let system = foresee_erlang::Erlang::new(
        loaded.program.unwrap_or_else(|| panic!("not read: {text}")),
        foresee_erlang::Entry::new("m", "main"),
        Default::default(),
    );
    let run = foresee_erlang::simulate(&system, 0, foresee_erlang::Limits::default(), |_| ());
    match run.failures.first().and_then(|(_, reason)| reason.as_tuple()) {
        Some([_, value]) => value.clone(),
        _ => panic!("no value from {text}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_order_of_terms_is_total(a in term(), b in term(), c in term()) {
        for compare in [order::compare as fn(&Term, &Term) -> Ordering, order::compare_exact] {
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            if compare(&a, &b) != Ordering::Greater && compare(&b, &c) != Ordering::Greater {
                prop_assert_ne!(compare(&a, &c), Ordering::Greater);
            }
        }
        prop_assert_eq!(order::compare_exact(&a, &b) == Ordering::Equal, a == b);
        if a == b {
            prop_assert_eq!(a.content_hash(), b.content_hash());
        }
    }

    #[test]
    fn printing_then_reading_gives_the_term(a in term()) {
        prop_assert_eq!(read(&print::quoted(&a)), a.clone());
        prop_assert_eq!(read(&print::readable(&a)), a);
    }

    #[test]
    fn segments_taken_are_the_segments_put(parts in proptest::collection::vec((any::<u128>(), 1usize..90, any::<bool>()), 1..6)) {
        let mut builder = Builder::default();
        for (value, len, little) in &parts {
            builder.push_integer(&BigInt::from(*value), *len, *little);
        }
        let bits = builder.finish();
        let mut at = 0;
        for (value, len, little) in &parts {
            let expected = BigInt::from(*value) & ((BigInt::from(1) << *len) - 1);
            prop_assert_eq!(bits.integer(at, *len, false, *little), expected);
            at += len;
        }
        prop_assert_eq!(at, bits.len());
    }
}

#[test]
fn identifiers_print_where_they_come_from() {
    let pid = Pid::first().child(2).child(1);
    assert_eq!(Term::Pid(pid).to_string(), "<P.2.1>");
    assert_eq!(Pid::parse("<P.2.1>"), Some(pid));
    let reference = Reference { owner: pid, n: 3 };
    assert_eq!(Term::reference(reference).to_string(), "#Ref<P.2.1.3>");
}
