//! State spaces and formulas through the command line: specifications and transition systems in files, `lts`, `verify`, `replay`.
//! The locker's sizes are those published for it; the rest is small enough to be counted by hand.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::Place;

const LOCK: &str = "sort Pid func p, q: -> Pid map eq: Pid # Pid -> Bool
act acquire, grant, lock: Pid  release, accept, unlock: Pid  enter, leave: Pid
comm acquire | grant = lock  release | accept = unlock
proc Process(me: Pid) = acquire(me).enter(me).leave(me).release(me).Process(me)
     Free = sum(x: Pid, grant(x).Held(x))
     Held(owner: Pid) = sum(x: Pid, accept(x).Free <| eq(x, owner) |> delta)
init encap({acquire, grant, release, accept}, Process(p) || Process(q) || Free)
";

/// A lock that anybody opens: both may be inside.
const LOOSE: &str = "sort Pid func p, q: -> Pid
act enter, leave: Pid
proc Process(me: Pid) = enter(me).leave(me).Process(me)
init Process(p) || Process(q)
";

fn specification(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../algebra/tests/specs/");
    std::fs::read_to_string(format!("{folder}{name}")).expect("there are specifications")
}

fn sizes(place: &Place, line: &str) -> (u64, u64) {
    let json = place.foresee(&format!("{line} --format json")).json();
    (json["states"].as_u64().unwrap(), json["transitions"].as_u64().unwrap())
}

#[test]
fn the_locker_has_its_published_sizes() {
    let place = Place::new();
    place.write("locker.mcrl", &specification("locker.mcrl"));
    place.write("crash.mcrl", &specification("locker_crash.mcrl"));
    assert_eq!(sizes(&place, "lts locker.mcrl"), (33, 48));
    assert_eq!(sizes(&place, "lts crash.mcrl -o crash.aut"), (326, 584));
    assert_eq!(sizes(&place, "lts crash.mcrl --reduce strong -o strong.aut"), (229, 448));
    assert_eq!(sizes(&place, "lts crash.aut --reduce branching -o branching.aut"), (217, 426));
    assert_eq!(place.read("strong.aut").lines().next(), Some("des (0,448,229)"));
    for (line, code) in [
        ("crash.aut strong.aut", 0),
        ("crash.mcrl branching.aut", 1),
        ("crash.mcrl branching.aut --equivalence branching", 0),
        ("crash.mcrl branching.aut --equivalence divergence-branching", 0),
    ] {
        assert_eq!(place.foresee(&format!("lts compare {line}")).code, code, "{line}");
    }
}

#[test]
fn a_state_space_is_written_the_same_whichever_way_it_goes() {
    let place = Place::new();
    place.write("lock.mcrl", LOCK);
    place.foresee("lts lock.mcrl -o lock.aut").expect(0, &["7 states, 8 transitions"], &[]);
    let piped = place.foresee("lts lock.mcrl -o -");
    piped.expect(0, &["des (0,8,7)\n(0,\"lock(p)\",1)\n"], &["7 states, 8 transitions"]);
    let (file, pipe) = (place.read("lock.aut"), piped.out.replace("des (0,8,7)\n", ""));
    assert!(file.starts_with("des (0,8,7) ") && file.ends_with(&pipe), "{file}");
    place.foresee("lts lock.mcrl -o lock.dot").expect(0, &["wrote lock.dot"], &[]);
    place.foresee("lts compare lock.dot lock.aut").expect(0, &["equivalent"], &[]);
    assert_eq!(place.files(), ["lock.aut", "lock.dot", "lock.mcrl"], "no drafts are left");
}

#[test]
fn labels_are_hidden_by_name_and_by_pattern() {
    let place = Place::new();
    place.write("lock.mcrl", LOCK);
    let labels = |flags: &str| {
        let json = place.foresee(&format!("lts lock.mcrl --format json {flags}")).json();
        let labels = json["labels"].as_array().unwrap().iter();
        labels.map(|label| label.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels("--hide lock,unlock"), "tau enter(p) enter(q) leave(p) leave(q)");
    assert_eq!(labels("--hide * --show enter(p),leave"), "tau enter(p) leave(p) leave(q)");
    place.foresee("lts lock.mcrl --hide *lock --tau i -o lock.aut").expect(0, &[], &[]);
    assert!(place.read("lock.aut").contains("(0,i,1)\n"));
    place.foresee("lts lock.aut --hide * --format json -o -").expect(2, &["E0007"], &[]);
}

#[test]
fn a_limit_is_said_in_the_file_too() {
    let place = Place::new();
    place.write("lock.mcrl", LOCK);
    let said = place.foresee("lts lock.mcrl --depth-max 2 -o part.aut");
    said.expect(
        3,
        &["incomplete: lock.mcrl", "--depth-max stopped it", "2 states are missing"],
        &[],
    );
    assert_eq!(place.read("part.aut").matches("\"foresee:incomplete\"").count(), 2);
    let info = place.foresee("lts info part.aut");
    info.expect(0, &["no deadlock"], &["warning: part.aut is incomplete"]);
    let line = "verify part.aut --formula";
    place.foresee(&format!("{line} '[-*]<->true'")).expect(3, &["inconclusive", "missing"], &[]);
    place.foresee(&format!("{line} '[\"enter(p)\"]false'")).expect(0, &["holds"], &[]);
    place.foresee(&format!("{line} '[-*.\"enter(p)\"]false'")).expect(1, &["violated"], &[]);
    let json = place.foresee("lts lock.mcrl --states-max 3 --format json").json();
    assert_eq!((&json["verdict"], &json["stopped_by"]), (&"inconclusive".into(), &"states".into()));
}

#[test]
fn info_shows_deadlocks_and_livelocks_with_shortest_runs() {
    let place = Place::new();
    place.write(
        "m.aut",
        "des (0,5,4)\n(0,\"a\",1)\n(1,\"b\",2)\n(0,\"c\",3)\n(3,tau,3)\n(0,\"a\",1)\n",
    );
    let said = place.foresee("lts info m.aut");
    said.expect(0, &["1 deadlock\n  state 2, reached by 2 steps:\n    1  a\n    2  b\n"], &[]);
    said.expect(0, &["1 livelock", "state 3, reached by 1 step", "2  a\n"], &[]);
    let json = place.foresee("lts info m.aut --format json").json();
    assert_eq!((&json["deadlocks"], &json["livelocks"]), (&1.into(), &1.into()));
    assert_eq!(json["label_counts"][1]["transitions"], 2);
}

#[test]
fn a_difference_comes_with_what_tells_apart_and_both_can_be_checked() {
    let place = Place::new();
    place.write("a.aut", "des (0, 3, 4)\n(0, a, 1)\n(1, b, 2)\n(1, c, 3)\n");
    place.write("b.aut", "des (0, 4, 5)\n(0, a, 1)\n(1, b, 2)\n(0, a, 3)\n(3, c, 4)\n");
    let said = place.foresee("lts compare a.aut b.aut");
    said.expect(1, &["different: a.aut and b.aut (strong)", "holds for a.aut only"], &[]);
    let json = place.foresee("lts compare a.aut b.aut --format json").json();
    let formula = json["formula"].as_str().unwrap().to_owned();
    for (file, code) in [("a.aut", 0), ("b.aut", 1)] {
        let said = place.foresee(&format!("verify {file} --formula '{formula}'"));
        assert_eq!(said.code, code, "{file}: {}", said.out);
    }
    place.foresee("lts compare a.aut b.aut --equivalence trace").expect(0, &["equivalent"], &[]);
}

#[test]
fn a_violated_formula_has_a_run_that_replays() {
    let place = Place::new();
    place.write("loose.mcrl", LOOSE);
    let line = "verify loose.mcrl --pattern mutual-exclusion(enter(.*),leave(.*))";
    place.foresee(line).expect(
        1,
        &[
            "violated: mutual-exclusion(enter(.*),leave(.*))   2 steps\n",
            "  1  enter(p)   Process(p)\n  2  enter(q)   Process(q)\n",
            "why: this is a run that `[-* . 'enter(.*)' . (not 'leave(.*)')* . 'enter(.*)'] false` forbids",
            "replay:  foresee replay loose.1.trace",
        ],
        &[],
    );
    place.foresee("replay loose.1.trace").expect(
        1,
        &["violated: mutual-exclusion", "enter(q)"],
        &[],
    );
    // The same run of a mended system is no reason any more.
    place.write("loose.mcrl", &LOOSE.replace("Process(q)\n", "delta\n"));
    place.foresee("replay loose.1.trace").expect(2, &[], &["E0014", "step 2"]);
    place.write(
        "loose.mcrl",
        &LOOSE.replace(
            "Process(p) || Process(q)",
            "rename({leave -> enter}, enter(p).enter(q).delta)",
        ),
    );
    let json = place.foresee(&format!("{line} --format json")).json();
    assert_eq!((&json["holds"], &json["violations"][0]["steps"]), (&false.into(), &2.into()));
}

#[test]
fn a_trace_that_no_longer_decides_is_not_confirmed() {
    let place = Place::new();
    place.write("m.mcrl", "act a, b proc P = a.b.delta init P\n");
    place.foresee("verify m.mcrl --formula '[-*]<->true'").expect(1, &["2 steps"], &[]);
    place.foresee("replay m.1.trace").expect(1, &["violated: [-*]<->true"], &[]);
    place.write("m.mcrl", "act a, b proc P = a.b.P init P\n");
    place.foresee("replay m.1.trace").expect(0, &["the run no longer shows: property"], &[]);
    place.write("m.mcrl", "act a, b proc P = a.b.Q  Q = a.R  R = b.R init P\n");
    place.foresee("replay m.1.trace").expect(3, &["inconclusive"], &["does not decide"]);
}

#[test]
fn endless_runs_and_branching_reasons_are_told() {
    let place = Place::new();
    place.write("m.mcrl", "act a, b, c proc P = a.P + b.Q  Q = c.delta init P\n");
    let said = place.foresee("verify m.mcrl --pattern inevitable(b)");
    said.expect(1, &["1  a", "goes on for ever, from its end back to the start"], &[]);
    place.foresee("replay m.1.trace").expect(1, &["goes on for ever"], &[]);
    let line =
        "verify m.mcrl --formula '<\"a\"><\"c\">true or <\"b\"><\"b\">true' --evidence e.aut";
    place.foresee(line).expect(1, &["branches from the start on"], &[]);
    assert!(place.read("e.aut").starts_with("des (0,2,2)"), "{}", place.read("e.aut"));
    place.foresee("verify m.mcrl --formula '<-* . \"c\">true' --trace why.trace").expect(
        0,
        &["holds", "2  c", "asks for", "replay:  foresee replay why.trace"],
        &[],
    );
    place.foresee("replay why.trace").expect(0, &["holds"], &[]);
}

#[test]
fn several_formulas_are_checked_in_one_go() {
    let place = Place::new();
    place.write("lock.mcrl", LOCK);
    place.write("mutex.mcf", "[true* . (exists x: Pid . enter(x)) . (!exists x: Pid . leave(x))* . (exists x: Pid . enter(x))] false");
    let line = "verify lock.mcrl --property mutex.mcf --pattern deadlock-freedom --formula '[-*]<\"enter(p)\">true'";
    let said = place.foresee(line);
    said.expect(
        1,
        &["holds: mutex\n", "holds: deadlock-freedom\n", "violated: [-*]<\"enter(p)\">true"],
        &[],
    );
    let json = place.foresee(&format!("{line} --format json")).json();
    let verdicts: Vec<_> =
        json["formulas"].as_array().unwrap().iter().map(|one| &one["holds"]).collect();
    assert_eq!(
        verdicts,
        [true, false, true].map(serde_json::Value::from).iter().collect::<Vec<_>>()
    );
    assert_eq!(
        (&json["holds"], json["formula"].as_str().unwrap().starts_with("[true*")),
        (&false.into(), true)
    );
    place.foresee(&format!("{line} --format junit")).expect(1, &["tests=\"3\""], &[]);
}

#[test]
fn a_label_that_matches_nothing_is_warned_of_only_when_all_is_known() {
    let place = Place::new();
    place.write("two.mcrl", "act a, b proc P = a.P init P");
    let unknown = "E0418: no transition has a label like 'b'";
    let said = place.foresee("verify two.mcrl --formula \"[-* . 'b'] false\"");
    said.expect(0, &["holds"], &[&format!("warning: --formula:1:7: {unknown}"), "there are: a"]);
    place.write("lock.mcrl", LOCK);
    let stops = "--formula \"[-* . 'lock(.*)'] false and [-* . 'accept(.*)'] false\"";
    let said = place.foresee(&format!("verify lock.mcrl {stops}"));
    said.expect(1, &["violated"], &[]);
    assert!(!said.err.contains("E0418"), "{}", said.err);
    // Of a file all labels are known from the start.
    place.foresee("lts lock.mcrl -o lock.aut").expect(0, &["wrote"], &[]);
    place.foresee(&format!("verify lock.aut {stops}")).expect(1, &["violated"], &["E0418"]);
}

/// `i` is CADP's internal step only where the user says so: in files, in formulas of both notations, in specifications.
#[test]
fn i_is_a_label_like_any_other_unless_it_is_said_to_be_internal() {
    let place = Place::new();
    place.write("i.mcrl", "act i, a proc X = i.a.X init X");
    place.write("i.aut", "des (0,2,2)\n(0,\"i\",1)\n(1,\"a\",0)\n");
    place.write("bare.aut", "des (0,2,2)\n(0, i, 1)\n(1, a, 0)\n");
    place.write("i.dot", "digraph { 0 -> 1 [label=\"i\"]; 1 -> 0 [label=\"a\"]; }");
    place.write("tau.aut", "des (0,2,2)\n(0,tau,1)\n(1,a,0)\n");
    place.write("i.mcf", "<i>true");
    place.write("tau.mcf", "<tau>true");
    let code = |line: &str| place.foresee(line).code;
    for file in ["i.mcrl", "i.aut", "bare.aut", "i.dot"] {
        let labels = |flags: &str| {
            let json = place.foresee(&format!("lts {file} {flags} --format json")).json();
            (json["labels"].to_string(), json["states"].as_u64().unwrap())
        };
        assert_eq!(labels(""), (r#"["a","i"]"#.to_owned(), 2), "{file}");
        assert_eq!(labels("--reduce branching").1, 2, "{file}");
        assert_eq!(labels("--internal i"), (r#"["tau","a"]"#.to_owned(), 2), "{file}");
        assert_eq!(labels("--internal i --reduce branching").1, 1, "{file}");
        assert_eq!(code(&format!("lts compare {file} i.aut")), 0, "{file}");
        assert_eq!(code(&format!("lts compare {file} tau.aut")), 1, "{file}");
        assert_eq!(code(&format!("lts compare {file} tau.aut --internal i")), 0, "{file}");
        let info = |flags: &str| place.foresee(&format!("lts info {file} {flags} --format json"));
        assert_eq!(info("").json()["labels"][0], "a", "{file}");
        assert_eq!(info("--internal i").json()["labels"][0], "tau", "{file}");
        for (formula, plain, internal) in [
            ("--property i.mcf", 0, 0),
            ("--formula '<i> true'", 0, 0),
            ("--formula '<\"i\"> true'", 0, 0),
            ("--formula \"<'i'> true\"", 0, 0),
            ("--formula '<tau> true'", 1, 0),
            ("--property tau.mcf", 1, 0),
            ("--formula 'nu X . (<i . a> X)'", 0, 0),
            ("--formula '[not i] false'", 0, 0),
            ("--formula '[not tau] false'", 1, 0),
        ] {
            let line = format!("verify {file} {formula}");
            assert_eq!(code(&line), plain, "{line}");
            assert_eq!(code(&format!("{line} --internal i")), internal, "{line} --internal i");
        }
        let saved =
            format!("verify {file} --formula '[i . a] false' --internal i --trace run.trace");
        assert_eq!(code(&saved), 1);
        place.foresee("replay run.trace").expect(1, &["violated"], &[]);
    }
    // CADP's spelling is not written where it would swallow a label.
    let refused = place.foresee("lts i.mcrl --tau i -o out.aut");
    refused.expect(2, &[], &["`i` would be taken for the internal step"]);
    assert!(!place.has("out.aut"));
    place.foresee("lts tau.aut --tau i -o out.aut").expect(0, &["wrote"], &[]);
    assert_eq!(code("lts compare out.aut tau.aut --internal i"), 0);
    place.foresee("lts info bare.aut").expect(
        0,
        &[],
        &["if CADP wrote the file, add --internal i"],
    );
}

/// Quantifiers range over the specification's own sorts; truth values are its own too.
#[test]
fn formulas_know_the_sorts_of_a_specification() {
    let place = Place::new();
    let text = "sort D E func d1, d2: -> D pair: D # D -> E
act a: D  b: E  c: Bool
proc P = sum(x: D, a(x).sum(y: E, b(y).c(T).P)) init P";
    place.write("m.mcrl", text);
    for (formula, code) in [
        ("forall d: D . <a(d)>true", 0),
        ("forall d: D . <a(d) . true>false", 1),
        ("forall e: E . <true . b(e)>true", 0),
        ("exists e: E . [true . b(e)]false", 1),
        ("forall x: Bool . val(x) => <true . true . c(x)>true", 0),
        ("forall x: Bool . <true . true . c(x)>true", 1),
        ("<true . true . c(true)>true", 0),
        ("[true . true . c(false)]false", 0),
        ("<true . b(pair(d1, d2))>true", 0),
    ] {
        let said = place.foresee(&format!("verify m.mcrl --formula '{formula}'"));
        assert_eq!(said.code, code, "{formula}: {}{}", said.out, said.err);
    }
}

#[test]
fn models_are_checked_simulated_and_replayed() {
    let place = Place::new();
    place.write("stuck.mcrl", "act a, b init a.b.delta\n");
    place.foresee("check stuck.mcrl").expect(
        1,
        &["violated: deadlock   2 steps", "  1  ", "a"],
        &[],
    );
    place.foresee("replay stuck.1.trace").expect(1, &["violated: deadlock"], &[]);
    place.write("lock.mcrl", LOCK);
    place.foresee("check lock.mcrl").expect(0, &["holds: lock.mcrl", "7 states"], &[]);
    let once = place.foresee("simulate lock.mcrl --seed 3 --depth-max 4");
    once.expect(0, &["   4  ", "stopped on the way after 4 steps"], &[]);
    assert_eq!(once.out, place.foresee("simulate lock.mcrl --seed 3 --depth-max 4").out);
    place.foresee("simulate stuck.mcrl --runs 5").expect(1, &["5  deadlock"], &[]);
    place.foresee("lts lock.mcrl -o lock.aut").expect(0, &[], &[]);
    place.foresee("check lock.aut").expect(0, &["holds: lock.aut"], &[]);
}

#[test]
fn systems_of_nodes_have_state_spaces_too() {
    let place = Place::new();
    let said = place.foresee("lts ping pings=1 -o ping.aut");
    said.expect(0, &["wrote ping.aut"], &[]);
    place.foresee("lts info ping.aut").expect(0, &["deliver client1 -> server Ping(1)"], &[]);
    let line = "verify ping pings=1 --formula \"<-* . 'deliver.*Pong(1)'> true\"";
    place.foresee(line).expect(0, &["holds", "asks for"], &[]);
    let line = "lts ping pings=1 --crash server --hide * --show crash --format json";
    assert_eq!(place.foresee(line).json()["labels"], serde_json::json!(["tau", "crash server"]));
}
