//! The text format: reading is the inverse of writing, and no damage makes the reader panic.

use foresee_lts::{Label, Verb, ViolationKind};
use foresee_trace::{Event, Finding, Problem, Trace};
use proptest::prelude::*;

/// Mostly plain, sometimes with anything in it, blanks and line breaks too.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z0-9_.<>{}#:\\[\\]-]{1,8}",
        1 => "(\\PC|[ \n\r\t\\\\>-]){0,6}",
    ]
}

/// The same for values of headers.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![4 => line(), 1 => "(\\PC|[ \n\r\t\\\\=:#]){0,8}"]
}

/// One line without white space around it, with anything inside.
fn line() -> impl Strategy<Value = String> {
    "\\PC{0,20}".prop_map(|text| text.trim().to_owned())
}

fn label() -> impl Strategy<Value = Label> {
    let message = prop::sample::select(vec![Verb::Deliver, Verb::Drop, Verb::Duplicate]);
    let actor = prop::sample::select(vec![Verb::Timer, Verb::Crash, Verb::Restart, Verb::Step]);
    let network = prop::sample::select(vec![Verb::Partition, Verb::Heal]);
    prop_oneof![
        (message, name(), name(), line())
            .prop_map(|(verb, from, to, payload)| Label::message(verb, &from, &to, payload)),
        (actor, name(), line())
            .prop_map(|(verb, actor, payload)| Label::of_actor(verb, &actor, payload)),
        (network, line()).prop_map(|(verb, payload)| Label::of_network(verb, payload)),
    ]
}

fn note() -> impl Strategy<Value = Option<String>> {
    let note_line =
        "  ?[a-z#:>-][\\PC]{0,10}".prop_filter("not blank", |line| !line.trim().is_empty());
    prop::collection::vec(note_line, 0..3)
        .prop_map(|lines| (!lines.is_empty()).then(|| lines.join("\n")))
}

fn event() -> impl Strategy<Value = Event> {
    (label(), 0usize..3, note()).prop_map(|(label, choice, note)| Event { label, choice, note })
}

fn finding() -> impl Strategy<Value = Finding> {
    let kinds = vec![
        ViolationKind::Invariant,
        ViolationKind::AbnormalExit,
        ViolationKind::Panic,
        ViolationKind::Deadlock,
    ];
    let property = value().prop_map(|text| (!text.is_empty()).then_some(text));
    let message = prop::collection::vec("\\PC{0,20}", 0..3).prop_map(|lines| lines.join("\n"));
    (prop::sample::select(kinds), property, message).prop_map(|(kind, property, message)| Finding {
        kind,
        property,
        message,
    })
}

fn trace() -> impl Strategy<Value = Trace> {
    let system = value().prop_filter("named", |name| !name.is_empty());
    let options = prop::collection::vec(("[a-z-]{1,8}", value()), 0..4);
    (
        system,
        value(),
        0usize..3,
        options,
        any::<u64>(),
        prop::option::of(finding()),
        prop::collection::vec(event(), 0..6),
    )
        .prop_map(|(system, kind, initial, options, seed, violation, events)| Trace {
            version: Trace::VERSION,
            system,
            kind,
            initial,
            options,
            seed,
            violation,
            events,
        })
}

proptest! {
    #[test]
    fn reading_is_the_inverse_of_writing(trace in trace()) {
        prop_assert_eq!(Trace::parse(&trace.to_string()), Ok(trace));
    }

    #[test]
    fn line_breaks_of_windows_do_not_matter(trace in trace()) {
        prop_assert_eq!(Trace::parse(&trace.to_string().replace('\n', "\r\n")), Ok(trace));
    }

    #[test]
    fn untidy_fields_are_tidied_once(mut trace in trace(), junk in "[ \n\r\ta=:#]{0,6}") {
        trace.system.push_str(&junk);
        trace.options.push((format!("k{junk}"), junk.clone()));
        trace.events.push(Event { note: Some(junk.clone()), ..Event::new(Label::of_actor(Verb::Step, "a", junk)) });
        let text = trace.to_string();
        let read = Trace::parse(&text).expect("what is written can be read");
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn a_truncated_file_is_recognised(trace in trace(), cut in 0.0..1.0f64) {
        let text = trace.to_string();
        let bytes = text.strip_suffix("end\n").unwrap().as_bytes();
        let cut = (bytes.len() as f64 * cut) as usize;
        prop_assert!(Trace::from_bytes(&bytes[..cut]).is_err());
        prop_assert_eq!(Trace::from_bytes(bytes).unwrap_err().problem, Problem::Truncated);
    }

    /// Flips, inserts, removes, swaps: an answer every time, and an error that can be shown.
    #[test]
    fn damage_never_panics(
        trace in trace(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..12),
    ) {
        let mut bytes = trace.to_string().into_bytes();
        for (at, kind, byte) in damage {
            let i = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match kind {
                0 if !bytes.is_empty() => bytes[i] ^= byte,
                1 if !bytes.is_empty() => { bytes.remove(i); }
                2 => bytes.insert(i, byte),
                _ => bytes.truncate(i.max(1)),
            }
        }
        match Trace::from_bytes(&bytes) {
            Ok(read) => prop_assert_eq!(Trace::parse(&read.to_string()).map(|again| again.to_string()), Ok(read.to_string())),
            Err(error) => {
                prop_assert!(error.line >= 1 && !error.help().is_empty());
                prop_assert!(error.to_string().contains("help: "));
            }
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in "(foresee trace 1\n)?(\\PC|\n){0,80}") {
        let _ = Trace::parse(&text);
    }
}

#[test]
fn the_text_reads_as_documented() {
    let trace = Trace {
        events: vec![
            Event::new(Label::of_actor(Verb::Timer, "client1", "Retry")),
            Event {
                note: Some("server: value 0 -> 3\nserver sends Pong(1) to client1".into()),
                ..Event::new(Label::deliver("client1", "server", "Ping(1)"))
            },
            Event { choice: 1, ..Event::new(Label::of_network(Verb::Heal, "")) },
        ],
        ..Trace::new("ping clients=1")
    };
    let finding = Finding {
        kind: ViolationKind::Invariant,
        property: Some("results ok".into()),
        message: "client1 got 3\nand wanted 0".into(),
    };
    let trace = trace.with_option("strategy", "bfs").with_seed(7).with_violation(finding);
    assert_eq!(
        trace.to_string(),
        "foresee trace 1\n\
         system: ping clients=1\n\
         option: strategy = bfs\n\
         seed: 7\n\
         violation: invariant results ok\n\
         message: client1 got 3\n\
         message: and wanted 0\n\
         \n\
         1  timer client1 Retry\n\
         2  deliver client1 -> server Ping(1)\n     \
              server: value 0 -> 3\n     \
              server sends Pong(1) to client1\n\
         3  [2] heal\n\
         end\n"
    );
}

/// Old traces are read as they were written: without the mark a backslash is a backslash.
#[test]
fn only_what_is_marked_is_escaped() {
    let text = "foresee trace 1\nsystem: a\\nb\nseed: 0\n\n1  step a\\sb x\nend\n";
    let trace = Trace::parse(text).unwrap();
    assert_eq!(trace.system, "a\\nb");
    assert_eq!(trace.events[0].label.to.as_deref(), Some("a\\sb"));
    assert_eq!(trace.to_string(), text);
    let marked = text.replace("system:", "system\\:").replace("1  step", "1  \\ step");
    let trace = Trace::parse(&marked).unwrap();
    assert_eq!(trace.system, "a\nb");
    assert_eq!(trace.events[0].label.to.as_deref(), Some("a b"));
    assert_eq!(trace.to_string(), marked);
    let damaged = Trace::parse(&marked.replace("a\\nb", "a\\qb")).unwrap_err();
    assert_eq!(damaged.line, 2);
}

#[test]
fn edited_traces_are_welcome() {
    let text = "# a comment\n\nforesee trace 1\n# another\nsystem:   ping\n\n\n7 crash server\n  \n# no restart here\n\
                3\trestart server\n\tcame back\nend   \n\n# the end\n";
    let trace = Trace::parse(text).unwrap();
    assert_eq!(trace.system, "ping");
    let labels: Vec<_> = trace.events.iter().map(|event| event.label.to_string()).collect();
    assert_eq!(labels, ["crash server", "restart server"]);
    assert_eq!(trace.events[1].note.as_deref(), Some("came back"));
}

#[test]
fn each_problem_has_its_line_and_a_way_forward() {
    let good = "foresee trace 1\nsystem: ping\nseed: 1\n\n1  crash server\nend\n";
    assert!(Trace::parse(good).is_ok());
    let cases: [(&str, &str, usize, Problem); 11] = [
        ("foresee trace 1", "hello", 1, Problem::NotATrace),
        ("foresee trace 1", "foresee trace one", 1, Problem::NotATrace),
        ("foresee trace 1", "foresee trace 2", 1, Problem::UnknownVersion),
        ("seed: 1", "sed: 1", 3, Problem::NotAHeader),
        ("seed: 1", "system: pong", 3, Problem::RepeatedHeader),
        ("seed: 1", "seed: many", 3, Problem::BadValue("a whole number".into())),
        ("seed: 1", "option: bfs", 3, Problem::BadValue("`option: key = value`".into())),
        ("1  crash server", "1  crsh server", 5, Problem::NotAnEvent),
        ("1  crash server", "crash server", 5, Problem::NotAnEvent),
        ("1  crash server", "   note", 5, Problem::StrayNote),
        ("end\n", "end\n2  crash server\n", 7, Problem::AfterEnd),
    ];
    for (from, to, line, problem) in cases {
        let error = Trace::parse(&good.replacen(from, to, 1)).unwrap_err();
        assert_eq!((error.line, &error.problem), (line, &problem), "{to}");
        assert!(error.to_string().contains("help: "), "{error}");
    }
    let no_system = Trace::parse(&good.replace("system: ping\n", "")).unwrap_err();
    assert_eq!(no_system.problem, Problem::NoSystem);
    let kind = Trace::parse(&good.replace("seed: 1", "violation: sadness x")).unwrap_err();
    assert!(
        kind.to_string().contains("`deadlock`")
            && kind.to_string().contains("found `violation: sadness x`"),
        "{kind}"
    );
    let not_text = Trace::from_bytes(b"foresee trace 1\nsystem: \xff\n").unwrap_err();
    assert_eq!((not_text.line, not_text.problem), (2, Problem::NotText));
    assert_eq!(Trace::parse("").unwrap_err().problem, Problem::NotATrace);
}

#[test]
fn the_example_of_the_guide_is_a_trace() {
    let guide = include_str!("../../../../docs/guide/trace-format.md");
    let example = guide
        .split("```trace\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let trace = Trace::parse(example).unwrap();
    assert_eq!((trace.events.len(), trace.option("strategy")), (4, Some("bfs")));
    let without_comments: String = example
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(trace.to_string(), without_comments);
    for (_, word) in Verb::ALL {
        assert!(guide.contains(&format!("`{word}")), "{word} is not explained");
    }
}
