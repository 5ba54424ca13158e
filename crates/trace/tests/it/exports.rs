//! Exports: JSON that reads back, Rust tests that compile.

use crate::locks::Locks;
use crate::replay::{TWO_HOLDERS, one_holder};
use foresee_lts::{Label, Telling};
use foresee_trace::{Event, Expect, JsonTrace, Run, RustTest, Trace, rust_test, to_json};

fn recorded(system: &Locks) -> Trace {
    Trace::record(system, &system.path(&TWO_HOLDERS))
        .with_violation(one_holder())
        .with_option("strategy", "bfs")
}

#[test]
fn json_holds_every_state_and_reads_back() {
    let system = Locks::new(2);
    let path = system.path(&TWO_HOLDERS);
    let json = to_json(&Run::of(&system, &path), &recorded(&system));
    let document: JsonTrace = serde_json::from_str(&json).unwrap();
    assert_eq!(document.events.len(), 6);
    assert_eq!(document.events[2].text, TWO_HOLDERS[2]);
    assert_eq!(document.events[2].sent, [("client1".to_owned(), "Grant".into())]);
    let states = path.states(&system);
    for (event, state) in document.events.iter().zip(&states[1..]) {
        let described = system.describe(state);
        assert_eq!(event.state.members.len(), described.members.len());
        for (told, own) in event.state.members.iter().zip(&described.members) {
            assert_eq!((&told.name, &told.status), (&own.name, &own.status));
            assert_eq!(document.parts[told.state], own.state);
            let inbox = told.inbox.iter().map(|(from, part)| (from, &document.parts[*part]));
            assert!(inbox.eq(own.inbox.iter().map(|item| (&item.from, &item.content))));
        }
    }
    let n_parts = document.parts.len();
    let distinct: std::collections::HashSet<_> = document.parts.iter().collect();
    assert_eq!(distinct.len(), n_parts, "each part stands once");
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
        systems: "locks::systems()".into(),
        expect: Expect::Fixed,
    };
    let source = rust_test(&trace, &test);
    assert!(source.contains("fn two_holders() {"), "{source}");
    let start = source.find("r##\"").expect("two hashes are needed") + 4;
    let end = source.find("\"##").unwrap();
    assert_eq!(Trace::parse(&source[start..end]), Ok(trace.clone()));
    assert!(source.contains(".assert_fixed();"));
    let known = RustTest { name: "1 fn".into(), expect: Expect::Violated, ..test };
    let source = rust_test(&trace, &known);
    assert!(
        source.contains("fn trace_1_fn() {") && source.contains(".assert_violated();"),
        "{source}"
    );
}

/// The emitted tests themselves, compiled and run against a stand-in for the facade crate.
mod emitted {
    mod foresee {
        use crate::locks::Locks;
        use foresee_trace::{Replay, Trace, replay};

        /// The facade takes entries and finds the one that the trace names; one system is enough here.
        pub(crate) fn recorded(system: Locks, trace: &str) -> Recorded {
            let trace = Trace::parse(trace).expect("a trace that foresee wrote");
            Recorded(replay(&system, &trace))
        }

        pub(crate) struct Recorded(Replay);

        impl Recorded {
            pub(crate) fn assert_fixed(self) {
                assert!(!self.0.is_confirmed(), "{}", self.0);
            }
            pub(crate) fn assert_violated(self) {
                assert!(self.0.is_confirmed(), "{}", self.0);
            }
        }
    }
    use crate::locks::Locks;
    include!("emitted/fixed.rs");
    include!("emitted/known.rs");
}

fn emitted_sources() -> [(&'static str, String); 2] {
    let trace = recorded(&Locks::new(2));
    let source = |name: &str, systems: &str, expect: Expect| {
        rust_test(&trace, &RustTest { name: name.into(), systems: systems.into(), expect })
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
