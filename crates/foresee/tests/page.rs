//! The page that `--report` writes: complete in itself, the same again, and safe whatever the program's words are.
//! And the graph of `--graph`.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
#[path = "common/story.rs"]
mod story;

use common::Place;
use serde_json::Value;
use story::story;

/// The fact of this name.
fn fact<'s>(story: &'s Value, name: &str) -> Option<&'s str> {
    let facts = story["hello"]["opening"]["facts"].as_array().expect("facts");
    facts.iter().find(|it| it[0] == name)?[1].as_str()
}

const HOSTILE: &str = "-module(hostile).\n-export([test/0]).\ntest() ->\n    Self = self(),\n\
    \u{20}   register('</pre><script>alert(1)</script>', self()),\n\
    \u{20}   [spawn(fun() -> Self ! {'\"><img src=x onerror=alert(2)>', N, \"&<\u{202e}\"} end) || N <- [1, 2]],\n\
    \u{20}   receive {_, N, _} -> 1 = N end, % <b>\n    ok.\n";

#[test]
fn words_of_a_program_stay_words() {
    let place = Place::new();
    place.write("hostile.erl", HOSTILE);
    for flags in ["", "--engine stateful", "--instant-delivery false"] {
        let line =
            format!("check hostile.erl --no-minimise --report page.html --trace a.trace {flags}");
        place.foresee(&line).expect(1, &["wrote page.html"], &[]);
        let page = place.read("page.html");
        assert_eq!(page.matches("</script>").count(), 2, "the data and our own script");
        let (head, _) = page.split_once("<style>").expect("the head");
        let (_, rest) = page.rsplit_once("<noscript>").expect("what is read without scripts");
        let (words, _) = rest.split_once("</noscript>").expect("its end");
        assert!(words.contains("<h1>"), "{words}");
        for part in [head, words] {
            assert!(!part.contains("<img") && !part.contains("<script>alert"), "{part}");
        }
        assert!(!page.contains('\u{202e}'));
        let story = story(&page);
        let told = story.to_string();
        assert!(told.contains("</pre><script>alert(1)</script>"), "the name is there, as data");
        assert_eq!(story["hello"]["opening"]["replay"], "foresee replay a.trace");
        assert!(fact(&story, "command").is_some_and(|it| it.contains("--no-minimise")), "{told}");
        assert!(story["sources"].to_string().contains("receive {_, N, _}"), "the source");
        assert!(story["picture"].as_str().is_some_and(|it| it.starts_with("<svg ")), "a picture");
        // A shortest run need not hold two steps that race.
        let has_races = story["hello"]["opening"]["races"][0].is_object();
        assert!(has_races || flags.contains("stateful"), "{flags}");
        assert_eq!(place.foresee(&line).code, 1);
        assert!(place.read("page.html") == page, "the same again: {flags}");
    }
}

#[test]
fn a_page_needs_nothing_else() {
    let place = Place::new();
    let systems = [
        ("single-copy-register servers=2 clients=2", 1, "violation", "violated (1 violation)"),
        ("ping", 0, "holds", "holds"),
        ("paxos --states-max 10", 3, "start", "until --states-max stopped it"),
    ];
    for (system, code, reason, words) in systems {
        let said = place.foresee(&format!("check {system} --report page.html --format json"));
        assert_eq!((said.code, said.err.as_str()), (code, ""), "{system}");
        let page = place.read("page.html");
        assert!(page.len() < 300_000, "{system}: {} bytes", page.len());
        let story = story(&page);
        assert_eq!(story["hello"]["opening"]["reason"], reason, "{system}");
        assert!(fact(&story, "verdict").is_some_and(|it| it.contains(words)), "{system}");
        let (head, _) = page.split_once("<style>").expect("the style is inside");
        for loads in [" src=", "<link rel=\"stylesheet", "@import", "url(http"] {
            assert!(!head.contains(loads), "{system}: {loads}");
        }
        assert!(!page.contains("app.js\"") && !page.contains("app.css\""), "{system}");
    }
}

/// The three bugs of the guide: small enough to be sent, and said in one sentence.
#[test]
fn stories_of_three_bugs_say_what_went_wrong() {
    let place = Place::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let bugs = [
        (
            "check paxos clients=2 bug=forgetful".to_owned(),
            "client2's Read returned A, although client1's Read had returned B before client2 asked.",
        ),
        (
            format!("check {examples}/bank.erl -t race_test --after-timeout 5000"),
            "<P.3> exited abnormally: assertEqual failed: withdraw ( 80 ) gives",
        ),
        (
            format!("check {examples}/models/philosophers.mcrl"),
            "they wait in a circle: Philosopher(p1) waits for Fork(p2), Fork(p2) for Philosopher(p2)",
        ),
    ];
    for (line, sentence) in bugs {
        assert_eq!(place.foresee(&format!("{line} --report page.html")).code, 1, "{line}");
        let page = place.read("page.html");
        assert!(page.len() < 300_000, "{line}: {} bytes", page.len());
        let story = story(&page);
        let headline = story["hello"]["opening"]["headline"].as_str().expect("a sentence");
        assert!(headline.contains(sentence), "{line}: {headline}");
    }
}

#[test]
fn formulas_have_a_page_too() {
    let place = Place::new();
    place.write("a.aut", "des (0, 2, 3)\n(0, \"open\", 1)\n(1, \"<b>\", 2)\n");
    let said = place.foresee("verify a.aut --pattern deadlock-freedom() --report page.html");
    said.expect(1, &["wrote page.html"], &[]);
    let story = story(&place.read("page.html"));
    let rows = story["rows"]["rows"].to_string();
    assert!(rows.contains("open") && rows.contains("<b>"), "{rows}");
}

#[test]
fn a_file_of_another_is_not_overwritten() {
    let place = Place::new();
    place.write("notes.html", "<p>mine</p>");
    let said = place.foresee("check ping --report notes.html");
    said.expect(2, &[], &["E0015", "notes.html", "foresee did not write"]);
    assert_eq!(place.read("notes.html"), "<p>mine</p>");
}

#[test]
fn the_graph_shows_every_interleaving() {
    let place = Place::new();
    place.write("hostile.erl", HOSTILE);
    let line = "check hostile.erl --keep-going --graph tree.dot --trace a.trace";
    let said = place.foresee(line);
    said.expect(1, &["wrote tree.dot", "2 interleavings, 1 erroneous"], &[]);
    let graph = place.read("tree.dot");
    assert!(
        graph.starts_with("// foresee graph\ndigraph exploration {\n") && graph.ends_with("}\n")
    );
    let quotes = graph.replace("\\\\", "").replace("\\\"", "").matches('"').count();
    assert_eq!(quotes % 2, 0, "{graph}");
    let red = graph.lines().filter(|line| line.contains(": error") && line.contains("#b42318"));
    assert_eq!((red.count(), graph.matches("ends well").count()), (1, 1), "{graph}");
    assert!(graph.contains("races ") && graph.contains("label=\"before "), "{graph}");
    assert_eq!(place.foresee(line).code, 1);
    assert_eq!(place.read("tree.dot"), graph, "the same again");
    let blocked = place.foresee("check hostile.erl --keep-going --dpor source --graph tree.dot");
    assert_eq!(blocked.code, 1, "{}", blocked.err);
    place.foresee("check ping --graph p.dot").expect(
        0,
        &["holds"],
        &["--graph shows interleavings"],
    );
    assert!(!place.has("p.dot"));
}
