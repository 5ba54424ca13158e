//! Everything that can be wrong with what we are given: each diagnostic is produced here, with its exit code and its words.
//! Some need a system that misbehaves. This test is such a user's binary too: started again with `FORESEE_AS_TOOL` set, it *is*
//! the command line, with the systems of `misbehaving`.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
mod misbehaving;

use common::{Place, Said};
use libtest_mimic::{Arguments, Trial};
use std::io::{Read, Write};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    if std::env::var_os("FORESEE_AS_TOOL").is_some() {
        return misbehaving::tool().run();
    }
    let mut trials: Vec<Trial> = CASES.iter().map(trial).collect();
    trials.push(Trial::test("every_diagnostic_has_a_case", every_diagnostic_has_a_case));
    for (name, test) in OTHERS {
        trials.push(Trial::test(*name, || {
            test();
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A diagnostic, how to get it, and what is said.
struct Case {
    code: &'static str,
    name: &'static str,
    prepare: fn(&Place),
    line: &'static str,
    exit: i32,
    said: &'static [&'static str],
}

const fn case(
    code: &'static str,
    name: &'static str,
    line: &'static str,
    said: &'static [&'static str],
) -> Case {
    Case { code, name, prepare: |_| {}, line, exit: 2, said }
}

const fn prepared(case: Case, prepare: fn(&Place)) -> Case {
    Case { prepare, ..case }
}

const fn exit(case: Case, exit: i32) -> Case {
    Case { exit, ..case }
}

const COUNTERS_TRACE: &str = "foresee trace 1\nsystem: counters\nviolation: invariant sum\n\n\
     1  step counter1 increment\n2  step counter2 increment\nend\n";

const CASES: &[Case] = &[
    case(
        "E0001",
        "unknown system",
        "check pingg",
        &["there is no system `pingg`", "did you mean `ping`?"],
    ),
    case(
        "E0001",
        "unknown system, none near",
        "check zebra",
        &["no system `zebra`", "there are: ping"],
    ),
    case(
        "E0002",
        "unknown parameter",
        "check ping client=2",
        &["no parameter `client`", "did you mean `clients`?"],
    ),
    case(
        "E0002",
        "parameter without value",
        "check ping fast",
        &["`fast` is no parameter", "key=value"],
    ),
    case(
        "E0002",
        "parameter given twice",
        "check ping clients=1 clients=2",
        &["`clients` is given twice"],
    ),
    case(
        "E0003",
        "value out of range",
        "check ping clients=0",
        &["`clients=0` is out of range", "from 1 to"],
    ),
    case("E0003", "value not a number", "check ping clients=two", &["`two` is not a whole number"]),
    case("E0003", "value not a word", "check ping bug=huge", &["`bug=huge`", "give one of `none`"]),
    case(
        "E0004",
        "unknown property",
        "check ping --invariant linearizible",
        &["has no property `linearizible`", "--invariant", "there are: "],
    ),
    case(
        "E0005",
        "unknown node",
        "check ping --crash sever",
        &["no node `sever`", "did you mean `server`?"],
    ),
    case(
        "E0006",
        "builder panics",
        "check unbuildable",
        &["building `unbuildable` panicked: no luck today"],
    ),
    case("E0006", "builder refuses", "check refusing", &["only on Sundays"]),
    prepared(
        case(
            "E0008",
            "no function to start with",
            "simulate m.erl",
            &["module `m` has no function `test/0`", "main/0", "-t main"],
        ),
        |place| {
            place.write("m.erl", "-module(m).\n-export([main/0]).\nmain() -> ok.\n");
        },
    ),
    case(
        "E0009",
        "no such source",
        "check nowhere.erl",
        &["cannot read `nowhere.erl`", "no such file"],
    ),
    case(
        "E0007",
        "Erlang's flags for nodes",
        "check ping -t main",
        &["--test does not apply", "`ping` is no Erlang file"],
    ),
    case(
        "E0007",
        "simulate what has no time",
        "simulate counters",
        &["has no virtual time", "check it instead"],
    ),
    case(
        "E0007",
        "best first without a score",
        "check typed --strategy best-first",
        &["has no score", "--strategy bfs"],
    ),
    case(
        "E0011",
        "missing trace",
        "replay nowhere.trace",
        &["cannot read the trace", "at:   nowhere.trace", "help: "],
    ),
    prepared(case("E0011", "a directory", "replay folder", &["cannot read the trace"]), |place| {
        std::fs::create_dir(place.path().join("folder")).expect("made");
    }),
    prepared(
        case("E0012", "not a trace", "replay notes.txt", &["notes.txt:1", "foresee trace 1"]),
        |place| {
            place.write("notes.txt", "milk, eggs\n");
        },
    ),
    prepared(case("E0012", "cut off", "replay cut.trace", &["cut.trace:6", "`end`"]), |place| {
        place.write("cut.trace", COUNTERS_TRACE.rsplit_once("2  ").expect("two steps").0);
    }),
    prepared(
        case("E0012", "not text", "replay bytes.trace", &["bytes.trace:1", "UTF-8"]),
        |place| {
            std::fs::write(place.path().join("bytes.trace"), b"foresee \xff").expect("written");
        },
    ),
    prepared(
        case(
            "E0013",
            "trace of another binary",
            "replay other.trace",
            &["recorded on `elevator floors=3`", "no system `elevator`"],
        ),
        |place| {
            place.write("other.trace", "foresee trace 1\nsystem: elevator floors=3\n\nend\n");
        },
    ),
    prepared(
        case(
            "E0013",
            "trace with a parameter of old",
            "replay old.trace",
            &["recorded on `ping colour=3`", "no parameter `colour`"],
        ),
        |place| {
            place.write("old.trace", "foresee trace 1\nsystem: ping colour=3\n\nend\n");
        },
    ),
    prepared(
        case(
            "E0014",
            "trace of other code",
            "replay old.trace",
            &[
                "step 2 no longer applies: step counter9 increment",
                "at:   step 2 of 2",
                "step counter1 increment",
            ],
        ),
        |place| {
            place.write("old.trace", &COUNTERS_TRACE.replace("counter2", "counter9"));
        },
    ),
    prepared(
        case(
            "E0015",
            "export over a foreign file",
            "replay ok.trace --export mine.json",
            &["cannot write `mine.json`", "foresee did not write"],
        ),
        |place| {
            place.write("ok.trace", COUNTERS_TRACE);
            place.write("mine.json", "{\"precious\": true}");
        },
    ),
    case(
        "E0015",
        "trace into no directory",
        "check counters --trace no/where/a.trace",
        &["error[E0015]", "a.trace", "choose another name"],
    ),
    prepared(
        case(
            "E0016",
            "a Rust test of a model",
            "replay m.trace --export run.rs",
            &["a run of a model in a file", ".json"],
        ),
        |place| {
            place.write("m.aut", "des (0, 1, 2)\n(0, \"a\", 1)\n");
            place.write(
                "m.trace",
                "foresee trace 1\nsystem: m.aut\nviolation: deadlock\n\n1  step lts a\nend\n",
            );
        },
    ),
    prepared(
        case("E0016", "unknown export", "replay ok.trace --export run.docx", &["run.docx", ".svg"]),
        |place| {
            place.write("ok.trace", COUNTERS_TRACE);
        },
    ),
    case(
        "E0017",
        "a question about no model",
        "lts compare ping a.aut",
        &["`ping` is not a model in a file", "lts WHAT -o FILE.aut"],
    ),
    case(
        "E0018",
        "unknown guide",
        "check counters --guide nowhere",
        &["`counters` has no guide `nowhere`", "it has no guides at all"],
    ),
    case(
        "E0019",
        "no name of a crate",
        "new 2phase folder",
        &["`2phase` is no name for this crate", "it begins with a digit"],
    ),
    case(
        "E0021",
        "not deterministic from run to run",
        "check moody",
        &["the search found `invariant sum`", "fresh copy", "--check-code"],
    ),
    case(
        "E0022",
        "invariant panics",
        "check panicky",
        &["the property `sum` panicked: it is too much", "replay the trace"],
    ),
    exit(
        case(
            "E0023",
            "memory runs out",
            "check endless --memory-max 1MiB",
            &["warning: E0023", "--memory-max", "--visited fingerprint"],
        ),
        3,
    ),
    prepared(
        case(
            "E0051",
            "a directory in use",
            "check counters --disk d",
            &["another run is using `d`", "a directory of its own"],
        ),
        |place| {
            place.folder("d");
            let lock = std::fs::File::create(place.write("d/lock", "")).expect("a file");
            lock.try_lock().expect("nobody else");
            // It stays locked until this process ends.
            std::mem::forget(lock);
        },
    ),
    case(
        "E0052",
        "nothing to resume",
        "check counters --resume d",
        &["no search to resume in `d`"],
    ),
    prepared(
        case(
            "E0053",
            "a search in the way",
            "check counters --disk d",
            &["there is a search in `d` already", "--resume"],
        ),
        begin_on_disk,
    ),
    prepared(
        case(
            "E0054",
            "a search of another system",
            "check counters forbidden=3 --resume d",
            &["has another system", "forbidden=3"],
        ),
        begin_on_disk,
    ),
    prepared(
        case(
            "E0055",
            "a damaged segment",
            "check counters --resume d",
            &["level-000001", "is damaged", "checksum"],
        ),
        |place| {
            begin_on_disk(place);
            let path = place.path().join("d/level-000001");
            let mut bytes = std::fs::read(&path).expect("a level");
            let last = bytes.len() - 1;
            bytes[last] ^= 4;
            std::fs::write(path, bytes).expect("written");
        },
    ),
    prepared(
        case("E0056", "no directory", "check counters --disk d/e", &["`d/e` is not usable"]),
        |place| {
            place.write("d", "a file");
        },
    ),
    exit(
        case(
            "E0057",
            "components alone take all memory",
            "check endless --memory-max 1MiB --disk d",
            &["warning: E0057", "--memory-max", "--resume d"],
        ),
        3,
    ),
    case(
        "E0061",
        "no hosts file",
        "check counters --cluster hosts.txt --process 0",
        &["`hosts.txt` is not usable", "HOST:PORT"],
    ),
    prepared(
        case(
            "E0061",
            "a process without a line",
            "check counters --cluster hosts.txt --process 2",
            &["it names 2 processes, and there is no process 2"],
        ),
        |place| _ = free_hosts(place),
    ),
    prepared(
        case(
            "E0062",
            "a process that does not come",
            "check counters --cluster hosts.txt --process 0 --cluster-wait 200ms",
            &["process 1 (127.0.0.1:", "it did not come", "--cluster-wait"],
        ),
        |place| _ = free_hosts(place),
    ),
    prepared(
        case(
            "E0062",
            "a process that does not answer",
            "check counters --cluster hosts.txt --process 1 --cluster-wait 200ms",
            &["process 0 (127.0.0.1:", "cannot be reached"],
        ),
        |place| _ = free_hosts(place),
    ),
    prepared(
        case(
            "E0063",
            "a process with other settings",
            "check counters --cluster hosts.txt --process 0",
            &["process 1 has another number of threads: `7` there", "the same command line"],
        ),
        |place| {
            let [first, _] = free_hosts(place);
            std::thread::spawn(move || greet(&first));
        },
    ),
    prepared(
        case(
            "E0064",
            "a process that is gone",
            "check counters --cluster hosts.txt --process 1",
            &["process 0 (127.0.0.1:", "is lost", "--disk DIR"],
        ),
        |place| {
            let [first, _] = free_hosts(place);
            std::thread::spawn(move || agree_and_go(&first));
        },
    ),
    case("E0091", "unknown code", "explain E0010", &["no diagnostic `E0010`", "E00"]),
    case(
        "E0092",
        "an error of our own",
        "check broken",
        &["foresee itself has failed", "foresee-crash-", "report it"],
    ),
];

/// A search on disk that has ended.
fn begin_on_disk(place: &Place) {
    tool(place, "check counters --disk d");
    assert!(place.has("d/manifest"));
}

/// A hosts file with two ports that are free now.
fn free_hosts(place: &Place) -> [String; 2] {
    let bind = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let hosts = [bind(), bind()].map(|it| it.local_addr().expect("bound").to_string());
    place.write("hosts.txt", &hosts.join("\n"));
    hosts
}

/// A process with the number 1 of 2 that has seven threads and says nothing of what it searches.
fn greet(address: &str) {
    let mut socket = loop {
        match std::net::TcpStream::connect(address) {
            Ok(socket) => break socket,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
        }
    };
    let mut greeting = b"foresee cluster 1\n".to_vec();
    [1u32, 2, 7, 0].iter().for_each(|number| greeting.extend(number.to_le_bytes()));
    socket.write_all(&greeting).expect("it is there");
    // The refusal is waited for.
    let _ = socket.read_to_end(&mut Vec::new());
}

/// A process with the number 0 that agrees to everything, and goes.
fn agree_and_go(address: &str) {
    let listener = std::net::TcpListener::bind(address).expect("the port is free");
    let (mut socket, _) = listener.accept().expect("somebody comes");
    let mut greeting = vec![0; 18 + 16];
    socket.read_exact(&mut greeting).expect("a greeting");
    let n_texts = 2 * u32::from_le_bytes(greeting[30..34].try_into().expect("4 bytes"));
    for _ in 0..n_texts {
        let mut length = [0; 4];
        socket.read_exact(&mut length).expect("a length");
        let mut text = vec![0; u32::from_le_bytes(length) as usize];
        socket.read_exact(&mut text).expect("a text");
        greeting.extend(length);
        greeting.extend(text);
    }
    greeting[18..22].copy_from_slice(&0u32.to_le_bytes());
    socket.write_all(&[1]).and_then(|()| socket.write_all(&greeting)).expect("it is there");
    socket.write_all(&[1]).expect("it is there");
    std::thread::sleep(std::time::Duration::from_millis(200));
}

fn trial(case: &'static Case) -> Trial {
    Trial::test(format!("{} {}", case.code, case.name), || {
        let place = Place::new();
        (case.prepare)(&place);
        let said = tool(&place, case.line);
        said.expect(case.exit, &[], case.said);
        said.expect(case.exit, &[], &[case.code]);
        assert!(!said.err.contains("RUST_BACKTRACE"), "no raw panics: {}", said.err);
        Ok(())
    })
}

fn tool(place: &Place, line: &str) -> Said {
    place.run(&mut tool_command(line))
}

fn tool_command(line: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(line.split_whitespace()).env("FORESEE_AS_TOOL", "1");
    command
}

fn every_diagnostic_has_a_case() -> Result<(), libtest_mimic::Failed> {
    for about in foresee_session::DIAGNOSTICS {
        let is_among_runs = include_str!("run.rs").contains(&format!("\"{}\"", about.id));
        if !is_among_runs && !CASES.iter().any(|case| case.code == about.id) {
            return Err(format!("{} ({}) is produced by no test", about.id, about.title).into());
        }
    }
    Ok(())
}

/// Where more is to be said than a code and words.
const OTHERS: &[(&str, fn())] = &[
    ("a_flag_with_a_bad_value_is_refused_with_the_good_ones", flag_values),
    ("an_error_is_json_when_json_is_asked_for", error_as_json),
    ("a_panicking_invariant_keeps_its_trace", panicking_invariant_keeps_its_trace),
    ("a_crash_file_says_how_to_see_it_again", crash_file),
    ("a_trace_that_cannot_be_saved_is_still_told", unsaved_trace_is_told),
    ("a_run_that_no_longer_shows_the_violation_holds", mended),
    ("a_panic_in_a_handler_is_a_violation_with_a_trace", handler_panics),
    ("a_handler_that_is_no_function_is_found_on_request", handler_is_no_function),
    ("the_first_interrupt_reports_and_the_second_ends", interrupts),
    ("a_step_that_never_comes_back_is_not_waited_for", never_comes_back),
    ("a_users_own_system_has_every_command", own_system),
];

fn flag_values() {
    let place = Place::new();
    for (line, said) in [
        ("check ping --strategy wide", "possible values: bfs, dfs, random, best-first"),
        ("check ping --engine quantum", "possible values: auto, stateful, stateless"),
        ("check ping --format yaml", "possible values: text, json, junit"),
        ("check ping --time-max soon", "`soon` is no duration; write for example"),
        ("check ping --memory-max lots", "`lots` is no amount of memory"),
        ("check ping --threads many", "invalid digit"),
        ("simulate ping --loss 7", "`7` is no probability"),
        ("simulate ping --latency 9ms..1ms", "the least latency is greater"),
        ("simulate ping --runs 0", "0 is not in 1.."),
        ("check ping --colour", "unexpected argument '--colour'"),
        ("fly ping", "unrecognized subcommand 'fly'"),
        ("check", "<WHAT>"),
    ] {
        tool(&place, line).expect(2, &[], &[said]);
    }
}

fn error_as_json() {
    let place = Place::new();
    for line in ["check pingg", "check broken", "check panicky", "replay nowhere.trace"] {
        let said = tool(&place, &format!("{line} --format json"));
        let json = said.json();
        assert_eq!((said.code, &json["verdict"]), (2, &"error".into()), "{line}: {}", said.out);
        assert!(
            json["error"]["message"].as_str().is_some_and(|message| !message.is_empty()),
            "{line}: {}",
            said.out
        );
    }
    let junit = tool(&place, "check pingg --format junit");
    junit.expect(2, &["<error type=\"E0001\"", "errors=\"1\""], &[]);
}

fn panicking_invariant_keeps_its_trace() {
    let place = Place::new();
    let json = tool(&place, "check panicky --format json").json();
    let found = &json["violations"][0];
    assert_eq!(
        (&found["kind"], &found["property"], &found["steps"]),
        (&"panic".into(), &"sum".into(), &2.into())
    );
    let trace = found["trace"].as_str().expect("saved");
    tool(&place, &format!("replay {trace}")).expect(2, &["counter1"], &["E0022", "it is too much"]);
}

fn crash_file() {
    let place = Place::new();
    tool(&place, "check broken --seed 77").expect(2, &[], &["E0092"]);
    let file =
        place.files().into_iter().find(|name| name.starts_with("foresee-crash-")).expect("written");
    let text = place.read(&file);
    for part in ["a system may not do this", "check broken --seed 77", "misbehaving"] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
}

fn unsaved_trace_is_told() {
    let place = Place::new();
    let said = tool(&place, "check counters --trace no/where/a.trace --format json");
    let json = said.json();
    assert_eq!((said.code, &json["violations"][0]["trace"]), (2, &serde_json::Value::Null));
    assert_eq!((&json["verdict"], &json["error"]["code"]), (&"error".into(), &"E0015".into()));
    let text = tool(&place, "check counters --trace no/where/a.trace");
    text.expect(2, &["violated: sum", "counter1"], &["error[E0015]"]);
    assert!(!text.out.contains("replay:"), "no command that cannot work: {}", text.out);
}

fn handler_panics() {
    let place = Place::new();
    let said = tool(&place, "check faint");
    said.expect(1, &["violated: panic   3 steps", "why: ", "3 is more than I can bear"], &[]);
    assert!(said.out.contains("misbehaving/mod.rs:"), "it says where: {}", said.out);
    assert_eq!(said.err, "", "a panic in checked code prints nothing of its own");
    tool(&place, "replay faint.1.trace").expect(1, &["violated: panic"], &[]);
    tool(&place, "run faint --duration 2s").expect(
        1,
        &["panicked: ", "3 is more than I can bear"],
        &[],
    );
}

fn handler_is_no_function() {
    let place = Place::new();
    let json = tool(&place, "check flaky --check-code --format json").json();
    let found = &json["violations"][0];
    assert_eq!(
        (&json["verdict"], &found["kind"]),
        (&"violated".into(), &"nondeterminism".into()),
        "{json}"
    );
    assert!(found["message"].as_str().is_some_and(|message| message.contains("bad")), "{found}");
}

fn mended() {
    let place = Place::new();
    place.write(
        "a.trace",
        &COUNTERS_TRACE.replace("system: counters", "system: counters forbidden=5"),
    );
    tool(&place, "replay a.trace").expect(
        0,
        &["the run no longer shows: invariant sum", "holds"],
        &[],
    );
}

#[cfg(unix)]
fn interrupts() {
    use std::process::Stdio;
    let send = |signal: &str, id: u32| {
        let sent = Command::new("kill").args([signal, &id.to_string()]).status();
        assert!(sent.expect("kill runs").success());
    };
    let interrupt = |id: u32| send("-INT", id);
    let place = Place::new();
    let start = |line: &str| {
        let mut command = tool_command(line);
        command.current_dir(place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        misbehaving::wait_until_ready(child.stderr.as_mut().expect("piped"));
        child
    };
    let child = start("check endless --format json");
    interrupt(child.id());
    let said = Said::from(child.wait_with_output().expect("ends"));
    let json = said.json();
    assert_eq!((said.code, &json["stopped_by"]), (3, &"interrupt".into()), "{}", said.out);
    assert!(json["states"].as_u64().is_some_and(|states| states > 0));

    let child = start("check stuck");
    interrupt(child.id());
    std::thread::sleep(std::time::Duration::from_millis(100));
    interrupt(child.id());
    assert_eq!(Said::from(child.wait_with_output().expect("ends")).code, 130);

    // One is enough, also where the work cannot be made to end.
    let child = start("check stuck --format json");
    send("-TERM", child.id());
    let said = Said::from(child.wait_with_output().expect("ends"));
    assert_eq!((said.code, &said.json()["stopped_by"]), (3, &"interrupt".into()), "{}", said.out);
}

#[cfg(not(unix))]
fn interrupts() {}

/// Code of the user cannot be made to end: the process tells what is known and ends without it.
fn never_comes_back() {
    let place = Place::new();
    for line in ["check stuck", "check stuck --engine stateful --threads 2"] {
        let said = tool(&place, &format!("{line} --time-max 200ms --format json"));
        let json = said.json();
        let verdict = (said.code, &json["verdict"], &json["stopped_by"]);
        assert_eq!(verdict, (3, &"inconclusive".into(), &"time".into()), "{line}: {}", said.out);
        assert!(said.out.contains("did not end in time"), "{}", said.out);
    }
}

fn own_system() {
    let place = Place::new();
    let said = tool(&place, "check counters");
    said.expect(
        1,
        &["violated: sum   2 steps", "why: the counters add up to 2", "replay counters.1.trace"],
        &[],
    );
    tool(&place, "replay counters.1.trace").expect(1, &["violated: sum"], &[]);
    tool(&place, "systems").expect(0, &["counters", "forbidden=2"], &[]);
    let json = tool(&place, "check counters forbidden=99 --format json").json();
    assert_eq!((&json["states"], &json["verdict"]), (&16.into(), &"holds".into()));
}
