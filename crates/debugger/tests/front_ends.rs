//! The other kinds of systems in a session: an Erlang program with its source, a specification, a transition system; and files
//! that change while they are looked at.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Page, Server};
use foresee_debugger::Options;
use foresee_session::{
    CheckRequest, Files, Home, Inspection, NoMeter, PropertySource, Registry, Silent, Source,
    VerifyRequest, check, open, verify,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Files as they are on the disk.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(folder).ok()?;
        let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort();
        Some(names)
    }
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).display().to_string()
}

fn checked(mut source: Source) -> Inspection {
    if let Source::Erlang(program) = &mut source {
        program.function = Some("race_test".to_owned());
        program.options.after_timeout = Some(5_000);
    }
    let registry = Registry::stock();
    let loaded = open(&source, &registry, &Disk).expect("a system");
    let report = check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    let home = Home { registry, files: Arc::new(Disk), program: "foresee".to_owned() };
    Inspection::of_report(&loaded, &report, home)
}

fn named(file: &str) -> Source {
    Source::of_words(&[file.to_owned()], &Registry::stock(), &Disk).expect("a source")
}

fn rows(page: &mut Page) -> Vec<Value> {
    let rows = page.ask(json!({"do": "rows", "branch": 0, "from": 0, "to": 1000}));
    rows["rows"].as_array().expect("rows").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn an_erlang_race_is_told_with_its_source() {
    let server = Server::start(checked(named(&example("bank.erl"))));
    let mut page = server.page();
    let opening = page.hello["opening"].clone();
    assert!(text(&opening["headline"]).contains("insufficient_funds"), "{opening}");
    let rows = rows(&mut page);
    let step = |what: &str, nth: usize| {
        let is_it = |it: &&Value| text(&it["label"]["text"]).contains(what);
        rows.iter().filter(is_it).nth(nth).unwrap_or_else(|| panic!("no {what}")).clone()
    };
    let (asks, first) = (step("call bank balance", 1), step("{withdraw,80}", 0));
    let deciding = &opening["races"][0];
    assert_eq!(deciding["decides"], json!(true), "{opening}");
    assert_eq!((&deciding["first"], &deciding["second"]), (&asks["place"], &first["place"]));
    assert_eq!(rows[1]["folded"], rows[2]["folded"]);
    assert!(text(&rows[1]["folded"]).starts_with("start of 3 processes"), "{}", rows[1]);
    let second = step("{withdraw,80}", 1);
    let state = page.ask(json!({"do": "state", "place": second["place"], "have": []}));
    let members = state["members"].as_array().expect("members").clone();
    let bank = members.iter().find(|it| text(&it["name"]).contains("bank")).expect("the bank");
    assert_eq!(bank["inbox"].as_array().expect("a mailbox").len(), 2, "{bank}");
    assert!(bank["waits_for"].is_array(), "{bank}");
    let file = page.hello["files"][0].clone();
    let source = page.ask(json!({"do": "source", "file": file}));
    assert!(text(&source["text"]).contains("-module(bank)"));
    let caller = members.iter().find(|it| it["line"]["file"] == file);
    assert!(caller.is_some(), "somebody is in the file: {members:?}");
    let members = page.hello["members"].as_array().expect("members");
    assert!(members.iter().any(|it| it["born"] != json!(0) && !it["parent"].is_null()));
    let exported = page.ask(json!({"do": "export", "format": "erlang-test", "branch": 0}));
    assert!(text(&exported["text"]).contains("-module(bank_run_tests)"));
    let html = page.ask(json!({"do": "export", "format": "html", "branch": 0}));
    assert!(text(&html["text"]).contains("insufficient_funds"));
}

#[test]
fn philosophers_end_where_nothing_can_happen() {
    let server = Server::start(checked(named(&example("models/philosophers.mcrl"))));
    let mut page = server.page();
    let opening = &page.hello["opening"];
    let headline = text(&opening["headline"]).to_owned();
    assert!(headline.starts_with("Nothing can happen any more"), "{headline}");
    assert!(headline.contains("Philosopher(p1)"), "{headline}");
    let place = opening["place"].clone();
    let state = page.ask(json!({"do": "state", "place": place, "have": []}));
    assert!(!state["stuck"].is_null() && state["is_final"] == json!(false));
    let choices = page.ask(json!({"do": "choices", "place": place}));
    assert_eq!(choices["choices"], json!([]));
    let first = page.ask(json!({"do": "choices", "place": 0}));
    assert!(first["choices"].as_array().expect("choices").len() >= 3);
}

#[test]
fn a_transition_system_shows_the_states_around() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ring.aut");
    let n = 4000;
    let mut content = format!("des (0, {}, {n})\n", 3 * n);
    for state in 0..n {
        content += &format!("({state}, \"hop\", {})\n", (state * 11 + 5) % n);
        content += &format!("({state}, \"next\", {})\n", (state + 1) % n);
        content += &format!("({state}, \"jump\", {})\n", (state * 7 + 3) % n);
    }
    std::fs::write(&file, content).expect("written");
    let server = Server::start(checked(named(&file.display().to_string())));
    let mut page = server.page();
    assert_eq!(page.hello["opening"]["reason"], "holds");
    let graph = page.ask(json!({"do": "neighbourhood", "place": 0, "radius": 2}));
    let nodes = graph["nodes"].as_array().expect("nodes");
    assert!(nodes.len() > 5 && nodes.len() <= 200 && graph["cut"] == json!(false), "{graph}");
    assert_eq!(nodes.iter().filter(|it| it["here"] == json!(true)).count(), 1);
    let ids: Vec<&Value> = nodes.iter().map(|it| &it["id"]).collect();
    let edges = graph["edges"].as_array().expect("edges");
    assert!(edges.iter().all(|it| ids.contains(&&it["from"]) && ids.contains(&&it["to"])));
    assert!(edges.iter().any(|it| it["to"] == nodes[0]["id"]), "what leads here is there too");
    let mut places: Vec<String> =
        nodes.iter().map(|it| format!("{} {}", it["x"], it["y"])).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), nodes.len(), "no two states in one place");
    let cut = page.ask(json!({"do": "neighbourhood", "place": 0, "radius": 6}));
    assert!(cut["cut"] == json!(true) && cut["nodes"].as_array().expect("nodes").len() == 200);
}

/// As most editors save: the file is never half written.
fn save(file: &std::path::Path, text: &str) {
    let draft = file.with_extension("draft");
    std::fs::write(&draft, text).expect("written");
    std::fs::rename(&draft, file).expect("renamed");
}

#[test]
fn saving_a_file_replays_the_session_and_says_what_became_of_the_bug() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lamp.aut");
    std::fs::write(&file, "des (0, 2, 3)\n(0, \"on\", 1)\n(1, \"break\", 2)\n").expect("written");
    let options = Options { watches: true, ..Options::default() };
    let server = Server::with(checked(named(&file.display().to_string())), options);
    let mut page = server.page();
    assert_eq!(page.hello["opening"]["verdict"], "violated: deadlock");
    let started = Instant::now();
    save(&file, "des (0, 3, 3)\n(0, \"on\", 1)\n(1, \"break\", 2)\n(2, \"mend\", 0)\n");
    let news = page.news("reloaded");
    // 1 s on a machine of its own.
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
    assert!(text(&news["text"]).contains("no longer"), "{news}");
    save(&file, "des (0, 1, 2)\n(0, \"on\", 1)\n");
    let news = page.news("reloaded");
    assert!(text(&news["text"]).contains("Step 2 is now refused"), "{news}");
    assert_eq!(news["stopped"][0]["step"], json!(2));
    save(&file, "this is no transition system");
    let news = page.news("reloaded");
    assert!(text(&news["text"]).contains("error["), "{news}");
    assert_eq!(page.ask(json!({"do": "rows", "from": 0, "to": 9}))["total"], json!(2));
}

#[test]
fn saving_an_erlang_file_replays_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bank.erl");
    let source = std::fs::read_to_string(example("bank.erl")).expect("the example");
    assert!(source.contains("eunit.hrl"), "it includes a header that is built in");
    save(&file, &source);
    let options = Options { watches: true, ..Options::default() };
    let server = Server::with(checked(named(&file.display().to_string())), options);
    let mut page = server.page();
    assert_eq!(page.hello["opening"]["reason"], "violation");
    let started = Instant::now();
    save(&file, &source.replace("balance() >= 80", "balance() >= 200"));
    let news = page.news("reloaded");
    // 1 s on a machine of its own.
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
    assert!(text(&news["text"]).contains("is now refused"), "{news}");
    // Nobody withdraws any more: from where the run stops nothing goes wrong.
    let news = page.news("checked");
    assert!(text(&news["text"]).starts_with("Nothing goes wrong from there any more"), "{news}");
}

/// What `verify` opens.
fn verified(file: &str, property: PropertySource) -> Inspection {
    let registry = Registry::stock();
    let loaded = open(&named(file), &registry, &Disk).expect("a system");
    let request = VerifyRequest { properties: vec![property], ..VerifyRequest::default() };
    let report = verify(&loaded, &request, &Disk, &NoMeter, &mut Silent);
    let home = Home { registry, files: Arc::new(Disk), program: "foresee".to_owned() };
    Inspection::of_report(&loaded, &report.report, home)
}

#[test]
fn a_formula_shows_the_part_that_decides_and_the_loop_and_is_judged_again_when_it_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, formula) = (folder.path().join("lamp.aut"), folder.path().join("ends.mcf"));
    std::fs::write(&model, "des (0, 3, 3)\n(0, \"on\", 1)\n(1, \"off\", 0)\n(1, \"break\", 2)\n")
        .expect("written");
    save(&formula, "% Every run ends.\nmu X. [true] X\n");
    let source = PropertySource::File(formula.display().to_string());
    let mut inspection = verified(&model.display().to_string(), source);
    // What is kept of the session says which formula it is about.
    let text_kept = inspection.to_session();
    assert!(text_kept.contains("ends.mcf"), "{text_kept}");
    let options = Options { watches: true, ..Options::default() };
    let server = Server::with(inspection, options);
    let mut page = server.page();
    let opening = page.hello["opening"].clone();
    assert_eq!((&opening["reason"], &opening["lasso"]), (&json!("violation"), &json!(0)));
    assert_eq!(opening["decisive"], Value::Null, "a formula is not seen in states");
    let shown = &opening["formula"];
    let whole = ["before", "part", "after"].map(|it| text(&shown[it])).join(" ");
    assert_eq!(whole.split_whitespace().collect::<Vec<_>>().join(" "), "mu X. [true] X");
    let rows = rows(&mut page);
    assert_eq!(rows.last().expect("rows")["marks"], json!(["violation"]));
    let refused = page.refused(json!({"do": "good", "place": opening["place"]}));
    assert_eq!(refused["code"], "not-possible");
    save(&formula, "nu X. [true] X\n");
    let news = page.news("reloaded");
    assert!(text(&news["text"]).contains("holds now"), "{news}");
    save(&formula, "% Every run ends.\nmu X. [true] X\n");
    let news = page.news("reloaded");
    assert!(text(&news["text"]).starts_with("Now violated"), "{news}");
    save(&formula, "mu X. [true");
    let news = page.news("reloaded");
    assert!(text(&news["text"]).contains("error["), "{news}");
}

#[test]
fn a_reason_that_branches_is_a_violation_without_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.aut");
    std::fs::write(&file, "des (0, 2, 3)\n(0, \"a\", 1)\n(0, \"b\", 2)\n").expect("written");
    let formula = PropertySource::Formula("<true* . c> true".to_owned());
    let server = Server::start(verified(&file.display().to_string(), formula));
    let page = server.page();
    let opening = &page.hello["opening"];
    assert_eq!((&opening["reason"], &opening["place"]), (&json!("violation"), &json!(0)));
    assert!(text(&opening["headline"]).contains("does not hold"), "{opening}");
    assert!(
        text(&opening["formula"]["before"]).contains("<true*") || !opening["formula"].is_null()
    );
}
