//! The codec against an example of each source in which every field differs from its default.

use super::*;
use crate::{BuildOptions, ErlangOptions};
use serde_json::Value;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Every field is given, so a new one does not compile until it has a value here.
fn nodes() -> NodesSource {
    let options = BuildOptions {
        drops: 1,
        duplicates: 5,
        crashes: 2,
        restarts: 3,
        partitions: 4,
        torn_writes: 6,
        lost_disks: 7,
        check_code: true,
        reading: Reading::Exact,
    };
    let parameters = words(&["clients=2", "text=with blanks"]);
    NodesSource { name: "ping".to_owned(), parameters, options }
}

fn erlang() -> ErlangSource {
    ErlangSource {
        files: words(&["a b.erl", " -c\n.erl"]),
        module: Some("m".to_owned()),
        function: Some("race_test".to_owned()),
        supervisor: Some(("m_sup".to_owned(), "start_link".to_owned())),
        includes: words(&["include"]),
        defines: vec![("A".to_owned(), None), ("B".to_owned(), Some("x = 1".to_owned()))],
        sources: words(&["src"]),
        otp: Some("otp".to_owned()),
        options: ErlangOptions {
            instant_delivery: Some(false),
            after_timeout: Some(50),
            send_after_timeout: Some(60),
            timer_firings_max: Some(3),
            clock: Some(ClockMode::Frozen),
            normal_reasons: words(&["shutdown", "'a\tb\n'", " "]),
            ignored: Ignored::ALL.iter().map(|(kind, _)| *kind).collect(),
            assertions_only: true,
            first_process_errors_only: true,
            reading: Reading::Exact,
            crashes: Some(Crashes {
                processes: words(&["client_*", "locker"]),
                max: Some(2),
                points: CrashPoints::Calls,
                restart: false,
                may_cease: false,
            }),
            labels: Some(LabelKind::ALL.iter().map(|(kind, _)| *kind).collect()),
        },
    }
}

fn model_file() -> ModelFile {
    ModelFile { path: "specs/a b.mcrl".to_owned(), merge_positions: true }
}

/// The trace of a run of `source`, as text and back.
fn recorded(source: &Source) -> Trace {
    let system = match source {
        Source::Nodes(nodes) => format!("{} {}", nodes.name, nodes.parameters.join(" ")),
        Source::Erlang(_) => "m:race_test/0".to_owned(),
        Source::ModelFile(file) => file.path.clone(),
    };
    let mut trace = Trace::new(system).with_option("strategy", "dfs");
    trace.kind = source.kind().word().to_owned();
    let options = source.header_options().into_iter();
    let trace = options.fold(trace, |trace, (key, value)| trace.with_option(key, value));
    Trace::parse(&trace.to_string()).expect("our own text")
}

/// The paths of the fields of `example` that are as in `default`.
fn defaults(path: &str, example: &Value, default: &Value) -> Vec<String> {
    match (example, default) {
        (Value::Object(example), default) => {
            let field = |(name, value): (&String, &Value)| {
                let other = default.get(name).unwrap_or(&Value::Null);
                defaults(&format!("{path}.{name}"), value, other)
            };
            example.iter().flat_map(field).collect()
        }
        _ if example == default => vec![path.to_owned()],
        _ => Vec::new(),
    }
}

fn json(source: &impl serde::Serialize) -> Value {
    serde_json::to_value(source).expect("plain data")
}

#[test]
fn every_field_of_the_examples_differs_from_its_default() {
    let mut same = defaults("nodes", &json(&nodes()), &json(&NodesSource::default()));
    same.extend(defaults("erlang", &json(&erlang()), &json(&ErlangSource::default())));
    let crashes = erlang().options.crashes;
    same.extend(defaults("crashes", &json(&crashes), &json(&Crashes::default())));
    same.extend(defaults("model_file", &json(&model_file()), &json(&ModelFile::default())));
    assert_eq!(same, [""; 0], "give these another value, or the round trip does not try them");
}

#[test]
fn every_field_survives_the_way_into_a_trace_and_back() {
    let mut plain = nodes();
    plain.parameters = words(&["clients=2", "pings=3"]);
    for source in [nodes().into(), plain.into(), Source::from(erlang()), model_file().into()] {
        assert_eq!(Source::of_trace(&recorded(&source)), Ok(source.clone()));
        // Traces from before the line `kind:` say the same.
        let older = Trace { kind: String::new(), ..recorded(&source) };
        assert_eq!(Source::of_trace(&older), Ok(source.clone()));
        let text = serde_json::to_string(&source).expect("plain data");
        assert_eq!(serde_json::from_str::<Source>(&text).expect("our own text"), source);
    }
}

#[test]
fn older_traces_name_the_exact_reading_otherwise() {
    let nodes = Trace::new("ping").with_option("for-races", "true");
    let erlang = Trace::new("m:f/0").with_option("file", "m.erl").with_option("for-races", "true");
    for trace in [nodes, erlang] {
        let options = Source::of_trace(&trace).expect("known").header_options();
        assert!(options.contains(&("reading", "exact".to_owned())), "{options:?}");
    }
}

#[test]
fn defaults_write_no_lines() {
    for source in [Source::nodes("ping", &["clients=2"]), Source::model_file("m.aut")] {
        assert_eq!(source.header_options(), []);
        assert_eq!(Source::of_trace(&recorded(&source)), Ok(source));
    }
    let program = Source::erlang(&["m.erl"]);
    assert_eq!(program.header_options(), [("file", "m.erl".to_owned())]);
    assert_eq!(Source::of_trace(&recorded(&program)), Ok(program));
}

#[test]
fn nonsense_names_its_line() {
    let nodes = Trace::new("ping").with_option("drops-max", "few");
    let erlang = Trace::new("m:f/0").with_option("file", "m.erl");
    let mut unknown = Trace::new("ping");
    unknown.kind = "petri".to_owned();
    for (trace, place) in [
        (nodes, "option: drops-max = few"),
        (erlang.clone().with_option("after-timeout", "soon"), "option: after-timeout = soon"),
        (erlang.clone().with_option("ignore-error", "all"), "option: ignore-error = all"),
        (erlang.with_option("supervisor", "m"), "option: supervisor = m"),
        (unknown, "kind: petri"),
    ] {
        let error = Source::of_trace(&trace).expect_err(place);
        assert_eq!((error.code, error.location.as_deref()), (Code::TraceDamaged, Some(place)));
    }
}
