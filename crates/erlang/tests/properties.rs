//! Properties of terms: order, printing, bit strings. Small things by random draws; the order also against the lists
//! that real Erlang has sorted (`tests/oracle/expressions/sorted.txt`).
#![allow(clippy::disallowed_methods, reason = "an edge: it reads files")]

use foresee_erlang::term::binary::Builder;
use foresee_erlang::term::pretty::{Page, pretty};
use foresee_erlang::term::print::Style;
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
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Term::Float),
        any::<i128>().prop_map(|n| foresee_erlang::term::number::integer(BigInt::from(n) << 3)),
        "[a-c]{0,2}".prop_map(|text| Term::atom(&text)),
        "[A-Z '\n]{1,3}".prop_map(|text| Term::atom(&text)),
        "[é-ø]{1,2}".prop_map(|text| Term::atom(&text)),
        Just(Term::Nil),
        "[a-z\"\\\\\u{1b}\u{7f}]{0,4}".prop_map(|text| Term::string(&text)),
        "[à-ÿα-ω]{1,3}".prop_map(|text| Term::string(&text)),
        proptest::collection::vec(any::<u8>(), 0..4).prop_map(|bytes| Term::binary(&bytes)),
        (any::<u128>(), 1usize..70).prop_map(|(value, len)| {
            let mut bits = Builder::default();
            bits.push_integer(&BigInt::from(value), len, false);
            Term::bits(bits.finish())
        }),
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

/// The value of a function's body, by running it as a program.
fn evaluated(body: &str) -> Term {
    let module = format!("-module(m).\n-export([main/0]).\nmain() ->\n    {body}.\n");
    let file = foresee_erlang::SourceText { path: "m.erl", text: &module };
    let loaded =
        foresee_erlang::load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
    let system = foresee_erlang::Erlang::new(
        loaded.program.unwrap_or_else(|| panic!("not read: {body}")),
        foresee_erlang::Entry::new("m", "main"),
        Default::default(),
    );
    let run = foresee_erlang::simulate(&system, 0, foresee_erlang::Limits::default(), |_| ());
    match run.failures.first().and_then(|(_, reason)| reason.as_tuple()) {
        Some([tag, value]) if tag.is_atom(foresee_erlang::Atom::new("value")) => value.clone(),
        other => panic!("no value from {body}: {other:?}"),
    }
}

/// A term read back from its text.
fn read(text: &str) -> Term {
    evaluated(&format!("exit({{value, {text}}})"))
}

/// One segment of a binary: how it is written, its value in a program, and the value that comes back.
#[derive(Clone, Debug)]
struct Segment {
    value: String,
    spec: String,
    back: Term,
}

fn segment() -> impl Strategy<Value = Segment> {
    let integer = (any::<i64>(), 1u32..70, any::<bool>(), any::<bool>()).prop_map(
        |(value, size, signed, little)| {
            let kept: BigInt = BigInt::from(value) & ((BigInt::from(1) << size) - BigInt::from(1));
            let negative = signed && kept.bit(u64::from(size) - 1);
            let back = if negative { kept - (BigInt::from(1) << size) } else { kept };
            let (sign, end) = (["unsigned", "signed"], ["big", "little"]);
            Segment {
                value: format!("({value})"),
                spec: format!("{size}/{}-{}", sign[usize::from(signed)], end[usize::from(little)]),
                back: foresee_erlang::term::number::integer(back),
            }
        },
    );
    let float = (any::<f32>(), any::<bool>(), any::<bool>()).prop_map(|(x, wide, little)| {
        let x = if x.is_finite() { f64::from(x) } else { 1.5 };
        let (size, end) = (if wide { 64 } else { 32 }, if little { "little" } else { "big" });
        Segment {
            value: format!("({})", print::float(x)),
            spec: format!("{size}/float-{end}"),
            back: Term::Float(x),
        }
    });
    let character = (any::<char>(), 0usize..3).prop_map(|(c, kind)| Segment {
        value: format!("{}", u32::from(c)),
        spec: ["/utf8", "/utf16", "/utf32"][kind].to_owned(),
        back: Term::Int(i64::from(u32::from(c))),
    });
    let bytes = proptest::collection::vec(any::<u8>(), 0..5).prop_map(|bytes| {
        let back = Term::binary(&bytes);
        Segment {
            value: format!("({})", print::quoted(&back)),
            spec: format!("{}/binary", bytes.len()),
            back,
        }
    });
    prop_oneof![integer, float, character, bytes]
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
            prop_assert!(order::exactly_equal(&a, &b));
        }
        if order::exactly_equal(&a, &b) {
            prop_assert!(order::equal(&a, &b));
        }
    }

    #[test]
    fn printing_then_reading_gives_the_term(a in term(), column in 1i64..60, width in 0i64..90) {
        prop_assert_eq!(read(&print::quoted(&a)), a.clone());
        prop_assert_eq!(read(&print::readable(&a)), a.clone());
        let page = Page { column, width, ..Page::default() };
        let style = Style { strings: true, unicode: true, wide: false };
        prop_assert_eq!(read(&pretty(&a, page, style)), a);
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

    #[test]
    fn a_binary_matched_as_it_was_built_gives_what_was_put_in(segments in proptest::collection::vec(segment(), 1..6)) {
        let written = |name: &dyn Fn(usize, &Segment) -> String| {
            let part = |(i, segment): (usize, &Segment)| {
                let colon = if segment.spec.starts_with('/') { "" } else { ":" };
                format!("{}{colon}{}", name(i, segment), segment.spec)
            };
            segments.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
        };
        let names: Vec<String> = (0..segments.len()).map(|i| format!("V{i}")).collect();
        let body = format!(
            "Bits = <<{}>>,\n    <<{}>> = Bits,\n    exit({{value, {{{}}}}})",
            written(&|_, segment| segment.value.clone()),
            written(&|i, _| format!("V{i}")),
            names.join(", ")
        );
        let back = Term::tuple(segments.iter().map(|segment| segment.back.clone()));
        prop_assert_eq!(evaluated(&body), back);
    }
}

#[test]
fn the_order_of_terms_is_erlangs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/expressions/sorted.txt");
    let text = std::fs::read_to_string(path).expect("the corpus is there");
    let mut n_lists = 0;
    for paragraph in text.split("\n\n").filter(|paragraph| paragraph.contains("=> ")) {
        let (_, outcome) = paragraph.split_once("\n=> ").expect("an outcome");
        let sorted = read(outcome.split("\n~~").next().unwrap_or_default().trim_end());
        let sorted = sorted.to_vec().expect("a list");
        for (i, a) in sorted.iter().enumerate() {
            for b in &sorted[i + 1..] {
                assert_eq!(order::compare(a, b), Ordering::Less, "{a:?} {b:?}");
            }
        }
        n_lists += 1;
    }
    assert_eq!(n_lists, 30);
}

#[test]
fn identifiers_print_where_they_come_from() {
    let pid = Pid::first().child(2).child(1);
    assert_eq!(Term::Pid(pid).to_string(), "<P.2.1>");
    assert_eq!(Pid::parse("<P.2.1>"), Some(pid));
    let reference = Reference { owner: pid, n: 3 };
    assert_eq!(Term::reference(reference).to_string(), "#Ref<P.2.1.3>");
}
