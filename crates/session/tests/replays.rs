//! Every violation's own trace replays: as text, in a fresh process's place, with the same verdict, the same steps and the same
//! words. Systems of every front end, with odd names, times the options that change states or judgements.

use foresee_nodes::{Address, Context, Entry, Node, Parameter, Scope, WorldBuilder};
use foresee_session::{
    BuildOptions, CheckRequest, CrashPoints, Crashes, Dpor, Engine, ErlangOptions, ErlangSource,
    Found, Ignored, InterleavingOptions, LabelOptions, Limits, Loaded, ModelFile, NoMeter,
    NodesSource, Outcome, PropertySource, Registry, Silent, Source, Strategy, Trace, VerifyRequest,
    VisitedKind, check, open, replay, verify,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Texts = BTreeMap<String, String>;

/// Writes the trace down, reads it, replays it, and compares everything that is told.
fn replays(found: &Found, registry: &Registry, files: &Texts, about: &str) {
    let Some(run) = &found.run else { return };
    let text = run.to_string();
    let trace = Trace::parse(&text).unwrap_or_else(|error| panic!("{about}: {error}\n{text}"));
    assert_eq!(&trace, run, "{about}");
    let again = replay(&trace, registry, files);
    let again = again.unwrap_or_else(|news| panic!("{about}: {}\n{text}", news.message));
    let report = &again.report;
    assert_eq!(report.verdict, Outcome::Violated, "{about}: {:?}\n{text}", report.error);
    let told = &report.violations[0];
    let what = |it: &Found| (it.kind, it.property.clone(), it.message.clone(), it.steps);
    assert_eq!(what(told), what(found), "{about}\n{text}");
    let story = |it: &Found| it.story.as_ref().map(|story| format!("{:#?}", story.steps));
    assert_eq!(story(told), story(found), "{about}\n{text}");
    assert_eq!(told.visible, found.visible, "{about}");
    let mut options = told.run.as_ref().expect("a run").options.clone();
    options.retain(|option| !run.options.contains(option));
    assert!(options.is_empty(), "{about}: {options:?}");
}

/// Checks and replays all that is found; answers how many that was.
fn checked(loaded: &Loaded, request: &CheckRequest, files: &Texts, about: &str) -> usize {
    let report = check(loaded, request, &NoMeter, &mut Silent);
    assert!(report.error.is_none(), "{about}: {:?}", report.error);
    for found in &report.violations {
        replays(found, &registry(), files, about);
    }
    report.violations.len()
}

fn requests() -> Vec<(String, CheckRequest)> {
    let limits = Limits {
        states_max: Some(2_000),
        interleavings_max: Some(60),
        depth_max: Some(300),
        ..Limits::none()
    };
    let mut all = Vec::new();
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Random] {
        for keep_going in [false, true] {
            let engine = Some(Engine::Stateful);
            let (limits, seed) = (limits.clone(), 7);
            let request =
                CheckRequest { engine, strategy, keep_going, limits, seed, ..Default::default() };
            all.push((format!("{strategy:?} {keep_going}"), request));
        }
    }
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::None] {
        let interleavings = InterleavingOptions { dpor: Some(dpor), ..Default::default() };
        let (engine, limits) = (Some(Engine::Stateless), limits.clone());
        let request = CheckRequest {
            engine,
            interleavings,
            limits,
            minimise: dpor != Dpor::Source,
            keep_going: dpor == Dpor::None,
            ..Default::default()
        };
        all.push((format!("{dpor:?}"), request));
    }
    let visited = VisitedKind::Fingerprint;
    let request =
        CheckRequest { engine: Some(Engine::Stateful), visited, limits, ..Default::default() };
    all.push(("fingerprints".to_owned(), request));
    all
}

/// Names that are hard to write down.
const NAMES: [&str; 8] = [
    "plain",
    "'my server'",
    "'line\\nbreak\\r'",
    "'->'",
    "''",
    "'back\\\\slash \\\\s'",
    "' \\t'",
    "'\\x{2003}é\\'\"[1] # end'",
];

/// What goes wrong with a process of such a name.
fn programs(name: &str) -> [(&'static str, String); 6] {
    [
        (
            "exit",
            format!(
                "register({name}, self()), spawn(fun() -> {name} ! {{{name}, \"a\\nb\"}} end), receive X -> exit({{bad, X}}) end."
            ),
        ),
        (
            "deadlock",
            format!(
                "spawn(fun() -> register({name}, self()), receive {{go, {name}}} -> ok end end), receive never -> ok after 5 -> ok end."
            ),
        ),
        (
            "race",
            format!(
                "[spawn(fun() -> register({name}, self()), receive after 1 -> ok end end) || _ <- [1, 2]], ok."
            ),
        ),
        (
            "table",
            format!(
                "T = ets:new(t, [public]), ets:insert(T, {{{name}, 0}}), S = self(), \
            [spawn(fun() -> [{{_, N}}] = ets:lookup(T, {name}), ets:insert(T, {{{name}, N + 1}}), S ! done end) || _ <- [1, 2]], \
            receive done -> ok end, receive done -> ok end, [{{_, 2}}] = ets:lookup(T, {name}), ok."
            ),
        ),
        (
            "timer",
            format!(
                "register({name}, self()), erlang:send_after(10, self(), {name}), receive {name} -> error({{fired, {name}}}) after 100 -> ok end."
            ),
        ),
        (
            "halt",
            format!(
                "register({name}, self()), spawn(fun() -> {name} ! x end), receive x -> halt(3) end."
            ),
        ),
    ]
}

fn option_sets() -> Vec<(&'static str, ErlangOptions)> {
    let plain = ErlangOptions::default;
    let crashes = |points, restart| Crashes {
        processes: vec!["all".to_owned(), "no one".to_owned()],
        max: Some(1),
        points,
        restart,
        ..Crashes::default()
    };
    vec![
        ("plain", plain()),
        ("delivery", ErlangOptions { instant_delivery: Some(false), ..plain() }),
        ("timeouts", ErlangOptions { after_timeout: Some(50), ..plain() }),
        (
            "normal",
            ErlangOptions {
                normal_reasons: vec!["badarg".to_owned(), "'odd \n one'".to_owned()],
                ..plain()
            },
        ),
        (
            "ignored",
            ErlangOptions {
                ignored: vec![Ignored::AbnormalExit, Ignored::AbnormalHalt, Ignored::DepthBound],
                ..plain()
            },
        ),
        ("assertions", ErlangOptions { assertions_only: true, ..plain() }),
        ("first", ErlangOptions { first_process_errors_only: true, ..plain() }),
        ("crash", ErlangOptions { crashes: Some(crashes(CrashPoints::Every, true)), ..plain() }),
        ("call", ErlangOptions { crashes: Some(crashes(CrashPoints::Calls, false)), ..plain() }),
    ]
}

#[test]
fn erlang_programs_replay_whatever_their_names_and_options() {
    let (mut n_found, mut n_checks) = (0, 0);
    for (number, name) in NAMES.iter().enumerate() {
        for (kind, body) in programs(name) {
            let path = "-odd dir/m\n .erl".to_owned();
            let text = format!("-module(m).\n-export([test/0]).\ntest() -> {body}\n");
            let files = Texts::from([(path.clone(), text)]);
            for (at, (options_name, options)) in option_sets().into_iter().enumerate() {
                let request = ErlangSource {
                    files: vec![path.clone()],
                    defines: vec![("ODD".to_owned(), Some("\" =\n\"".to_owned()))],
                    options,
                    ..ErlangSource::default()
                };
                let loaded = open(&request.into(), &Registry::new(), &files);
                let loaded = loaded.unwrap_or_else(|news| panic!("{}", news.message));
                // Each way to search meets each name, kind and options in turn.
                let requests = requests();
                for (how, request) in requests.iter().skip((number + at) % 3).step_by(3) {
                    let about = format!("{name} {kind} {options_name} {how}");
                    n_found += checked(&loaded, request, &files, &about);
                    n_checks += 1;
                }
            }
        }
    }
    assert!(n_checks > 1_000 && n_found > n_checks / 3, "{n_found} of {n_checks}");
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Counter {
    seen: u32,
    peer: Address,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Message {
    Text(String),
}

impl Node for Counter {
    type Message = Message;
    type Timer = String;

    fn init(&mut self, context: &mut Context<Message, String>) {
        context.send(self.peer, Message::Text("line\nbreak \\ \"q\"".to_owned()));
        context.set_timer(" odd\ttimer ".to_owned(), std::time::Duration::from_millis(1));
    }

    fn on_message(&mut self, _: Address, _: Message, _: &mut Context<Message, String>) {
        self.seen += 1;
    }

    fn on_timer(&mut self, _: String, _: &mut Context<Message, String>) {
        self.seen += 1;
    }
}

const WORDS: &[&str] = &["plain", "two words", " =\n", "a=b", "\\s"];

/// A system whose parameter, nodes and properties have names that are hard to write down.
fn odd_entry() -> Entry {
    let parameter = Parameter::word("word", WORDS, "an odd word");
    let size = Parameter::number("limit", 1, 1..=3, "how much is too much");
    Entry::new("odd", "odd names").parameter(parameter).parameter(size).build_with(
        |arguments, options| {
            let name =
                format!("node\u{1}{}", arguments.word("word").replace(char::is_whitespace, "_"));
            let limit = arguments.number("limit") as u32;
            let mut world = WorldBuilder::new(arguments.to_string());
            world.options(options);
            let (one, other) = (Address::from("one\\one"), Address::from(name.as_str()));
            world.add(one, Counter { seen: 0, peer: other });
            world.add(other, Counter { seen: 0, peer: one });
            world.invariant(" at\nmost \\ some ", Scope::nodes([other]), move |view, why| {
                let seen = view.node::<Counter>(other).seen;
                why.because(format_args!("it has seen {seen}\n more than {limit}"));
                seen <= limit
            });
            Ok(Box::new(world.build()))
        },
    )
}

fn odd(parameters: &[String], options: &BuildOptions) -> Source {
    let (name, parameters) = ("odd".to_owned(), parameters.to_vec());
    Source::Nodes(NodesSource { name, parameters, options: options.clone() })
}

fn registry() -> Registry {
    Registry::stock().with(odd_entry())
}

#[test]
fn systems_of_nodes_replay_whatever_their_names_parameters_and_faults() {
    let faults = [
        BuildOptions::default(),
        BuildOptions { drops: 1, duplicates: 1, ..BuildOptions::default() },
        BuildOptions { crashes: 1, restarts: 1, check_code: true, ..BuildOptions::default() },
        BuildOptions { partitions: 1, ..BuildOptions::default() },
    ];
    let mut n_found = 0;
    for word in WORDS {
        for (at, options) in faults.iter().enumerate() {
            let parameters = [format!("word={word}"), "limit=1".to_owned()];
            let loaded = open(&odd(&parameters, options), &registry(), &Texts::new());
            let loaded = loaded.unwrap_or_else(|news| panic!("{}", news.message));
            for (how, request) in requests() {
                let about = format!("{word:?} {at} {how}");
                n_found += checked(&loaded, &request, &Texts::new(), &about);
            }
        }
    }
    assert!(n_found > 100, "{n_found}");
}

#[test]
fn models_replay_whatever_their_labels_and_options() {
    let aut = "des (0, 5, 4)\n(0, \"a \\\"q\\\" b\", 1)\n(1, \"c\\\\d\", 2)\n(2, \" lead  trail \", 3)\n\
               (2, \"[2] x\", 3)\n(2, \"end\", 3)\n";
    let mcrl = "act a, b, c\nproc P = a.b.P + a.b.P + a.c.delta\ninit P\n";
    let files = Texts::from([
        ("-odd model\n.aut".to_owned(), aut.to_owned()),
        (" odd.mcrl".to_owned(), mcrl.to_owned()),
    ]);
    let mut n_found = 0;
    for path in files.keys() {
        for merge_positions in [false, true] {
            let merge_positions = merge_positions && path.ends_with(".mcrl");
            let file = ModelFile { path: path.clone(), merge_positions };
            let loaded = open(&file.into(), &Registry::new(), &files).expect("a model");
            for (how, request) in requests() {
                if request.engine == Some(Engine::Stateless) {
                    continue;
                }
                n_found += checked(&loaded, &request, &files, &format!("{path:?} {how}"));
            }
        }
    }
    assert!(n_found >= 14, "{n_found}");
}

#[test]
fn the_reasons_for_formulas_replay() {
    let mcrl = "act ask, answer, lose\nproc P = ask.(answer.P + answer.P + lose.delta)\ninit P\n";
    let erl = "-module(m).\n-export([test/0]).\ntest() -> register('my server', self()), \
        spawn(fun() -> 'my server' ! hello end), receive X -> exit({bad, X}) end.\n";
    let mcf = "[true*]<true>true";
    let files = Texts::from([
        (" odd.mcrl".to_owned(), mcrl.to_owned()),
        ("m.erl".to_owned(), erl.to_owned()),
        ("- f\n.mcf".to_owned(), mcf.to_owned()),
    ]);
    let properties = vec![
        PropertySource::Formula("[true*]\n  <true>true".to_owned()),
        PropertySource::File("- f\n.mcf".to_owned()),
        PropertySource::Pattern("deadlock-freedom".to_owned()),
        PropertySource::Pattern("response(ask,\n answer)".to_owned()),
    ];
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let labels = [
        LabelOptions::default(),
        LabelOptions {
            show: words(&["send"]),
            hide: words(&["lose", " odd\n*"]),
            ..LabelOptions::default()
        },
    ];
    let mut n_found = 0;
    for labels in labels {
        let model = |merge_positions| {
            open(
                &ModelFile { path: " odd.mcrl".to_owned(), merge_positions }.into(),
                &Registry::new(),
                &files,
            )
            .expect("a model")
        };
        let mut request = ErlangSource { files: vec!["m.erl".to_owned()], ..Default::default() };
        request.options.show_labels(&labels);
        let erlang = open(&request.into(), &Registry::new(), &files).expect("a program");
        for loaded in [model(false), model(true), erlang] {
            let request = VerifyRequest {
                properties: properties.clone(),
                labels: labels.clone(),
                ..VerifyRequest::default()
            };
            let done = verify(&loaded, &request, &files, &NoMeter, &mut Silent);
            assert!(done.report.error.is_none(), "{:?}", done.report.error);
            for found in &done.report.violations {
                replays(found, &registry(), &files, &format!("{:?}", found.property));
                n_found += 1;
            }
        }
    }
    assert!(n_found >= 12, "{n_found}");
}
