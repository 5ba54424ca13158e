//! Guided searches by their titles: verdicts, traces, JSON, and titles that are not there.

mod common;

use common::Place;

const TITLE: &str = "--guide 'a forgotten promise'";

#[test]
fn a_guide_finds_what_it_leads_to_and_its_trace_replays() {
    let place = Place::new();
    let said = place.foresee(&format!("check paxos clients=2 bug=forgetful {TITLE}"));
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.starts_with("violated: linearizable"), "{}", said.out);
    let trace = place.read("paxos.1.trace");
    assert!(trace.contains("option: guide = a forgotten promise\n"), "{trace}");
    assert!(trace.contains("option: strategy = guided\n"), "{trace}");
    let again = place.foresee("replay paxos.1.trace");
    assert_eq!(again.code, 1, "{}", again.out);
}

#[test]
fn a_goal_that_is_missed_and_a_guide_that_is_done_are_inconclusive() {
    let place = Place::new();
    let missed = place.foresee(&format!("check paxos {TITLE} --format json"));
    assert_eq!(missed.code, 3, "{}", missed.out);
    let json: serde_json::Value = serde_json::from_str(&missed.out).unwrap();
    assert_eq!(json["stopped_by"], "goal");
    assert_eq!(json["guide"], "a forgotten promise");
    assert_eq!(json["phase"], "the older ballot is decided all the same");
    assert_eq!(json["strategy"], "guided");
    // Of the properties that may fail one is never looked at: the phases end without anything wrong.
    let line =
        format!("check paxos bug=forgetful {TITLE} --invariant 'value chosen' --format json");
    let done: serde_json::Value = serde_json::from_str(&place.foresee(&line).out).unwrap();
    assert_eq!((&done["verdict"], &done["stopped_by"]), (&"inconclusive".into(), &"guide".into()));
    let limited = place.foresee(&format!("check paxos {TITLE} --states-max 3 --format json"));
    let limited: serde_json::Value = serde_json::from_str(&limited.out).unwrap();
    assert_eq!(limited["stopped_by"], "states");
}

#[test]
fn titles_are_listed_and_a_slip_is_told() {
    let place = Place::new();
    let listed = place.foresee("systems paxos").out;
    assert!(listed.contains("guides: a forgotten promise"), "{listed}");
    let json: serde_json::Value =
        serde_json::from_str(&place.foresee("systems paxos --format json").out).unwrap();
    assert_eq!(json["systems"][0]["guides"][0], "a forgotten promise");
    for (line, expected) in [
        ("check paxos --guide 'a forgoten promise'", "did you mean `a forgotten promise`?"),
        ("check ping --guide x", "it has no guides at all"),
        ("check examples.aut --guide x", "cannot read"),
    ] {
        let said = place.foresee(line);
        assert_eq!(said.code, 2, "{line}");
        assert!(said.err.contains(expected), "{line}: {}", said.err);
    }
    place.write("lamp.aut", "des (0, 1, 2)\n(0, on, 1)\n");
    let said = place.foresee("check lamp.aut --guide x");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--guide 'x' does not apply"), "{}", said.err);
}

/// The same bytes for any number of threads, times apart.
#[test]
fn guided_searches_are_deterministic() {
    let place = Place::new();
    let report = |threads: usize| {
        let line = format!("check paxos bug=forgetful {TITLE} --threads {threads} --format json");
        let mut json: serde_json::Value = serde_json::from_str(&place.foresee(&line).out).unwrap();
        for field in ["seconds", "peak_memory_bytes", "threads"] {
            json[field] = 0.into();
        }
        (json, place.read("paxos.1.trace"))
    };
    assert_eq!(report(1), report(2));
}
