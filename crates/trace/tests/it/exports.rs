//! Exports: JSON that reads back, Rust tests that compile.

use crate::locks::Locks;
use crate::replay::{TWO_HOLDERS, one_holder};
use foresee_lts::{Label, System};
use foresee_trace::{Event, Expect, JsonTrace, RustTest, Trace, rust_test, to_json};

fn recorded(system: &Locks) -> Trace {
    Trace::record(system, &system.path(&TWO_HOLDERS))
        .with_violation(one_holder())
        .with_option("strategy", "bfs")
}

#[test]
fn json_holds_every_state_and_reads_back() {
    let system = Locks::new(2);
    let path = system.path(&TWO_HOLDERS);
    let json = to_json(&system, &recorded(&system), &path);
    let document: JsonTrace = serde_json::from_str(&json).unwrap();
    assert_eq!(document.events.len(), 6);
    assert_eq!(document.events[2].text, TWO_HOLDERS[2]);
    assert_eq!(document.events[2].sent, [("client1".to_owned(), "Grant".to_owned())]);
    let states = path.states(&system);
    for (event, state) in document.events.iter().zip(&states[1..]) {
        let described = serde_json::to_value(system.describe(state)).unwrap();
        assert_eq!(serde_json::to_value(&event.state).unwrap(), described);
    }
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["format"], "foresee trace");
    assert_eq!(value["violation"]["kind"], "invariant");
    assert_eq!(value["events"][0]["label"]["verb"], "timer");
    assert_eq!(value["events"][0]["changes"][0]["field"], "asked");
    assert_eq!(value["initial"]["members"][0]["name"], "clerk");
}

#[test]
fn the_rust_test_embeds_the_trace_whatever_it_contains() {
    let system = Locks::new(2);
    let mut trace = recorded(&system);
    trace.events.push(Event::new(Label::deliver("a", "b", r##"say "quote"#, and "##)));
    let test = RustTest {
        name: "Two holders!".into(),
        system: "locks::Locks::new(2)".into(),
        expect: Expect::Fixed,
    };
    let source = rust_test(&trace, &test);
    assert!(source.contains("fn two_holders() {"), "{source}");
    let start = source.find("r##\"").expect("two hashes are needed") + 4;
    let end = source.find("\"##").unwrap();
    assert_eq!(Trace::parse(&source[start..end]), Ok(trace.clone()));
    assert!(source.contains("assert!(!replay.is_confirmed()"));
    let known = RustTest { name: "1 fn".into(), expect: Expect::Violated, ..test };
    let source = rust_test(&trace, &known);
    assert!(
        source.contains("fn trace_1_fn() {") && source.contains("assert!(replay.is_confirmed()"),
        "{source}"
    );
}

/// The emitted tests themselves, compiled and run against a stand-in for the facade crate.
mod emitted {
    mod foresee {
        pub(crate) mod trace {
            pub(crate) use foresee_trace::{Trace, replay};
        }
    }
    use crate::locks::Locks;
    include!("emitted/fixed.rs");
    include!("emitted/known.rs");
}

fn emitted_sources() -> [(&'static str, String); 2] {
    let trace = recorded(&Locks::new(2));
    let source = |name: &str, system: &str, expect: Expect| {
        rust_test(&trace, &RustTest { name: name.into(), system: system.into(), expect })
    };
    [
        ("fixed", source("fixed bug", "Locks { careful: true, ..Locks::new(2) }", Expect::Fixed)),
        ("known", source("known bug", "Locks::new(2)", Expect::Violated)),
    ]
}

/// `UPDATE_EXPECT=1 cargo test -p foresee-trace` rewrites the files; read the difference.
#[test]
fn the_emitted_tests_are_those_that_compile() {
    let compiled = [include_str!("emitted/fixed.rs"), include_str!("emitted/known.rs")];
    for ((name, source), compiled) in emitted_sources().into_iter().zip(compiled) {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let file = format!("{}/tests/it/emitted/{name}.rs", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(file, source).unwrap();
        } else {
            assert_eq!(source, compiled, "{name}");
        }
    }
}
