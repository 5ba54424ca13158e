//! What the commands do when all is well: verdicts, exit codes, formats, files.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Place, compare_with_file, without_measurements};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn ping_has_the_known_sizes_under_every_exhaustive_search() {
    let place = Place::new();
    for flags in
        ["", "--threads 2", "--strategy dfs", "--strategy best-first", "--visited fingerprint"]
    {
        let said = place.foresee(&format!("check ping clients=1 pings=10 --format json {flags}"));
        let json = said.json();
        assert_eq!(said.code, 0, "{flags}: {}", said.out);
        assert_eq!((&json["states"], &json["transitions"]), (&120.into(), &1595.into()), "{flags}");
        assert_eq!(
            (&json["verdict"], &json["stopped_by"]),
            (&"holds".into(), &serde_json::Value::Null)
        );
        assert_eq!(said.err, "", "a pipe gets no progress");
    }
    assert!(place.files().is_empty(), "nothing is written when nothing is wrong");
}

#[test]
fn json_says_what_was_asked_for() {
    let json = Place::new().foresee("check ping --strategy dfs --seed 7 --format json").json();
    assert_eq!((&json["tool"], &json["command"]), (&"foresee".into(), &"check".into()));
    assert_eq!((&json["engine"], &json["strategy"]), (&"stateful".into(), &"dfs".into()));
    assert_eq!((&json["seed"], &json["threads"]), (&7.into(), &1.into()));
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert!(
        json["peak_memory_bytes"].as_u64().unwrap() > 0 && json["seconds"].as_f64().unwrap() > 0.0
    );
    assert_eq!(json.get("error"), None);
}

#[test]
fn a_violation_is_told_saved_and_replayed() {
    let place = Place::new();
    let said = place.foresee("check single-copy-register servers=2 clients=2");
    said.expect(
        1,
        &["violated: linearizable", "replay:  foresee replay single-copy-register.1.trace"],
        &[],
    );
    compare_with_file("violation.txt", &without_measurements(&said.out));
    assert_eq!(place.files(), ["single-copy-register.1.trace"]);

    let again = place.foresee("check single-copy-register servers=2 clients=2");
    let again = again.out.replace("replaced single-copy-register.1.trace\n", "");
    assert_eq!(without_measurements(&again), without_measurements(&said.out), "the same again");

    let replayed = place.foresee("replay single-copy-register.1.trace");
    replayed.expect(1, &["violated: linearizable"], &[]);
    let json = place.foresee("replay single-copy-register.1.trace --format json");
    assert_eq!((json.code, &json.json()["verdict"]), (1, &"violated".into()));
}

/// Opens the debugger by this line, asks it for its page, ends it as Ctrl-C does, and gives its exit code.
fn looked_at(place: &Place, line: &str) -> i32 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foresee"));
    command.args(line.split_whitespace()).arg("--no-open").current_dir(place.path());
    let mut served = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut url = String::new();
    let mut out = BufReader::new(served.stdout.take().expect("it is piped"));
    out.read_line(&mut url).expect("a line");
    let at = url.trim().strip_prefix("http://").and_then(|it| it.split_once("/#t="));
    let (at, token) = at.unwrap_or_else(|| panic!("`{url}` is no address of a page"));
    assert!(token.len() >= 16, "{token}");
    let mut stream = TcpStream::connect(at).expect("somebody listens");
    write!(stream, "GET / HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("answered");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    let told = Command::new("kill").args(["-INT", &served.id().to_string()]).status();
    assert!(told.expect("kill runs").success());
    served.wait().expect("it ends").code().expect("by itself")
}

#[test]
fn the_look_that_is_offered_can_be_taken() {
    let place = Place::new();
    let said = place.foresee("check single-copy-register servers=2 clients=2");
    let offered = |lead: &str| {
        said.out.lines().find_map(|line| line.strip_prefix(lead)).expect("offered").to_owned()
    };
    assert_eq!(place.foresee(&offered("replay:  foresee ")).code, 1);
    assert_eq!(looked_at(&place, &offered("look:    foresee ")), 0);
    let drawn = place.foresee("replay single-copy-register.1.trace --export run.svg --quiet");
    drawn.expect(1, &["wrote run.svg"], &[]);
    assert!(place.read("run.svg").starts_with("<svg"));
    let exported = place.foresee("replay single-copy-register.1.trace --export run.json --quiet");
    exported.expect(1, &["wrote run.json"], &[]);
    let json: serde_json::Value = serde_json::from_str(&place.read("run.json")).expect("JSON");
    assert_eq!(json["format"], "foresee trace");
    place.foresee("replay single-copy-register.1.trace --export run.rs").expect(
        1,
        &["wrote run.rs"],
        &[],
    );
    assert!(place.read("run.rs").contains("#[test]"));
}

#[test]
fn the_trace_goes_where_it_is_told_and_never_over_a_foreign_file() {
    let place = Place::new();
    let check = "check single-copy-register servers=2 clients=2";
    let json = place.foresee(&format!("{check} --trace mine.trace --format json")).json();
    assert_eq!(json["violations"][0]["trace"], "mine.trace");
    assert_eq!(place.files(), ["mine.trace"]);

    place.write("notes.trace", "dear diary");
    let said = place.foresee(&format!("{check} --trace notes.trace"));
    said.expect(
        2,
        &["violated: linearizable"],
        &["error[E0015]", "notes.trace", "foresee did not write"],
    );
    assert_eq!(place.read("notes.trace"), "dear diary");
}

#[test]
fn a_shortest_run_does_not_depend_on_threads() {
    let place = Place::new();
    let check = "check single-copy-register servers=2 clients=2 --trace";
    place.foresee(&format!("{check} one.trace"));
    place.foresee(&format!("{check} two.trace --threads 2"));
    assert_eq!(place.read("one.trace"), place.read("two.trace"));
}

#[test]
fn limits_are_inconclusive_and_say_which() {
    let place = Place::new();
    for (flags, by) in [
        ("--states-max 10", "states"),
        ("--depth-max 3", "depth"),
        ("--time-max 0s", "time"),
        ("--memory-max 1KiB", "memory"),
        ("--strategy random --interleavings-max 3", "interleavings"),
    ] {
        let said = place.foresee(&format!("check two-phase-commit rms=6 --format json {flags}"));
        let json = said.json();
        assert_eq!(
            (said.code, &json["verdict"], &json["stopped_by"]),
            (3, &"inconclusive".into(), &by.into()),
            "{flags}"
        );
    }
    let said = place.foresee("check two-phase-commit rms=6 --states-max 10");
    said.expect(3, &["inconclusive: two-phase-commit rms=6", "--states-max stopped it"], &[]);
}

#[test]
fn only_the_named_properties_are_checked() {
    let place = Place::new();
    let systems = place.foresee("systems --format json").json();
    let ping = systems["systems"]
        .as_array()
        .unwrap()
        .iter()
        .find(|system| system["name"] == "ping")
        .unwrap();
    let property = ping["properties"][0].as_str().unwrap().to_owned();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_foresee"));
    let said = place.run(command.args(["check", "ping", "--invariant", &property]));
    said.expect(0, &["holds: ping", &property], &[]);
}

#[test]
fn faults_are_events_and_crashes_can_be_restricted_to_some_nodes() {
    let place = Place::new();
    let states = |flags: &str| {
        let json = place.foresee(&format!("check ping pings=2 --format json {flags}")).json();
        json["states"].as_u64().unwrap_or_else(|| panic!("{json}"))
    };
    let (none, one, any) = (states(""), states("--crash server"), states("--crashes-max 1"));
    assert!(none < one && one < any, "{none} {one} {any}");
    assert_eq!(states("--crash server --crash client1"), any, "all nodes are every node");
    let [restarts, splits] = ["--crashes-max 1 --restarts-max 1", "--partitions-max 1"].map(states);
    assert!(any < restarts && none < splits, "{any} {restarts} {none} {splits}");
    let [drops, duplicates] = ["--drops-max 1", "--duplicates-max 1"]
        .map(|flag| states(&format!("network=multiset retry=off {flag}")));
    let whole = states("network=multiset retry=off");
    assert!(whole < drops && whole < duplicates, "{whole} {drops} {duplicates}");
    let warned = place.foresee("check ping pings=2 --format json --drops-max 1").json();
    let warning = warned["warnings"][0].as_str().expect("losing means nothing in a set network");
    assert!(warning.contains("drops=1 means nothing"), "{warning}");
}

#[test]
fn quiet_is_one_line_and_verbose_says_how() {
    let place = Place::new();
    let said = place.foresee("check ping --quiet");
    assert_eq!((said.code, said.out.lines().count()), (0, 1), "{}", said.out);
    place.foresee("check ping --verbose").expect(0, &["strategy bfs", "1 thread"], &[]);
}

#[test]
fn junit_is_xml_with_a_case_for_each_property() {
    let place = Place::new();
    let said = place.foresee("check ping --format junit");
    said.expect(0, &["<?xml version=\"1.0\"", "failures=\"0\" errors=\"0\"", "<testcase "], &[]);
    let said = place.foresee("check single-copy-register servers=2 clients=2 --format junit");
    said.expect(1, &["<failure type=\"invariant\"", "name=\"linearizable\""], &[]);
    assert!(!said.out.contains('\u{1b}'), "no colours in XML");
}

#[test]
fn systems_are_listed_with_parameters_and_properties() {
    let place = Place::new();
    let said = place.foresee("systems");
    said.expect(
        0,
        &["ping", "two-phase-commit", "paxos", "single-copy-register", "clients=1", "checks: "],
        &[],
    );
    let json = place.foresee("systems paxos --format json").json();
    let systems = json["systems"].as_array().unwrap();
    assert_eq!((systems.len(), &systems[0]["name"]), (1, &"paxos".into()));
    assert!(
        systems[0]["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .any(|parameter| parameter["name"] == "clients")
    );
}

#[test]
fn explain_prints_the_page() {
    let place = Place::new();
    place.foresee("explain E0001").expect(
        0,
        &["# E0001: there is no such system", "## What to do"],
        &[],
    );
    place.foresee("explain").expect(0, &["E0001  there is no such system", "E0092"], &[]);
}

#[test]
fn a_run_is_simulated_as_the_seed_says() {
    let place = Place::new();
    let run = |seed: u64| place.foresee(&format!("simulate ping pings=3 --seed {seed}"));
    let first = run(1);
    first.expect(0, &["deliver client1 -> server Ping(1)", "nothing wrong in 1 run of ping"], &[]);
    let events = |text: &str| {
        let is_event = |line: &&str| line.contains("ms  ");
        text.lines().filter(is_event).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(events(&first.out), events(&run(1).out), "one seed, one run");
    assert_ne!(events(&first.out), events(&run(2).out));
    let slow = place.foresee("simulate ping pings=1 retry=off --latency 5ms");
    assert!(slow.out.contains("5.000ms  deliver client1 -> server"), "{}", slow.out);
}

#[test]
fn many_runs_are_counted_and_the_first_broken_one_is_told() {
    let place = Place::new();
    let json = place.foresee("simulate ping --runs 20 --loss 20% --format json").json();
    assert_eq!((&json["command"], &json["interleavings"]), (&"simulate".into(), &20.into()));
    assert!(json["messages_lost"].as_u64() > Some(0), "{json}");
    let counted: u64 =
        json["outcomes"].as_array().unwrap().iter().map(|it| it["runs"].as_u64().unwrap()).sum();
    assert_eq!(counted, 20);

    let broken = "simulate single-copy-register servers=2 clients=2 --runs 50";
    let said = place.foresee(broken);
    said.expect(
        1,
        &["violated: linearizable", "first with --seed ", "replay single-copy-register.1.trace"],
        &[],
    );
    place.foresee("replay single-copy-register.1.trace").expect(
        1,
        &["violated: linearizable"],
        &[],
    );
    let json = place.foresee(&format!("{broken} --format json")).json();
    assert!(
        json["erroneous_interleavings"].as_u64() > Some(0) && json["verdict"] == "violated",
        "{json}"
    );
}
