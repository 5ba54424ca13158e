//! The page that `--report` writes: complete in itself, well formed, the same again, and safe whatever the program's words are.
//! And the graph of `--graph`.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::Place;

/// Every tag is closed in its order, attributes are quoted, nothing stands outside.
#[track_caller]
fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>') || is_code(&open), "a stray `>`: {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes: {tag}");
        let name =
            tag.trim_start_matches('/').split(|c: char| c.is_whitespace() || c == '/').next();
        let name = name.unwrap_or_default();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "a tag's name: {tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closes what is open");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

fn is_code(open: &[&str]) -> bool {
    matches!(open.last(), Some(&("style" | "script")))
}

/// The page without what is measured.
fn without_figures(page: &str) -> String {
    let mut text = page.to_owned();
    for name in ["time", "memory"] {
        let from = format!("<dt>{name}</dt><dd>");
        let start = text.find(&from).expect("a figure") + from.len();
        let end = start + text[start..].find('<').expect("its end");
        text.replace_range(start..end, "");
    }
    text
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
        assert_well_formed(&page);
        assert_eq!(page.matches("<script>").count(), 1, "only our own");
        assert!(!page.contains("<img") && !page.contains("<b>\n") && !page.contains('\u{202e}'));
        assert!(page.contains("&lt;script&gt;alert(1)"), "the name is there, as text");
        for part in ["Picture", "Story", "Processes", "foresee replay a.trace", "The trace"] {
            assert!(page.contains(part), "{part} {flags}");
        }
        // A shortest run need not hold two steps that race.
        assert!(page.contains("<h3>Races</h3>") || flags.contains("stateful"), "{flags}");
        assert!(page.contains("<span class=\"here\"><i>7</i>"), "the source of a step");
        let again = place.foresee(&line);
        assert_eq!(again.code, 1);
        assert_eq!(without_figures(&place.read("page.html")), without_figures(&page), "{flags}");
    }
}

#[test]
fn a_page_needs_nothing_else() {
    let place = Place::new();
    let systems = [
        ("single-copy-register servers=2 clients=2", 1, "linearizable"),
        ("ping", 0, "Everything was explored"),
        ("paxos --states-max 10", 3, "until --states-max stopped it"),
    ];
    for (system, code, words) in systems {
        let said = place.foresee(&format!("check {system} --report page.html --format json"));
        assert_eq!((said.code, said.err.as_str()), (code, ""), "{system}");
        let page = place.read("page.html");
        assert_well_formed(&page);
        assert!(page.contains(words), "{system}");
        let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for loads in ["http:", "https:", "src=", "<link", "@import", "url("] {
            assert!(!outside.contains(loads), "{system}: {loads}");
        }
    }
}

#[test]
fn formulas_have_a_page_too() {
    let place = Place::new();
    place.write("a.aut", "des (0, 2, 3)\n(0, \"open\", 1)\n(1, \"<b>\", 2)\n");
    let said = place.foresee("verify a.aut --pattern deadlock-freedom() --report page.html");
    said.expect(1, &["wrote page.html"], &[]);
    let page = place.read("page.html");
    assert_well_formed(&page);
    assert!(page.contains("<b>open</b>") && page.contains("<b>&lt;b&gt;</b>"), "{page}");
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
