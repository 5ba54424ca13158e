//! One request and its answer for every request of the protocol, as files: whoever changes an answer sees it in the difference.
//! `FORESEE_UPDATE=1 cargo test -p foresee-debugger --test snapshots` writes them anew.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Server, TOKEN, forgetful};
use serde_json::{Value, json};
use std::path::Path;

/// Every request, in an order in which each has something to answer.
fn requests() -> Vec<(&'static str, Value)> {
    let until = json!({"finding": true});
    let limits = json!({"states": 200_000, "ms": 600_000});
    vec![
        ("rows", json!({"do": "rows", "branch": 0, "from": 6, "to": 9})),
        ("rows-mattered", json!({"do": "rows", "branch": 0, "from": 0, "to": 2, "mattered": true})),
        ("members", json!({"do": "members", "place": 7})),
        ("state", json!({"do": "state", "place": 7, "have": []})),
        ("choices", json!({"do": "choices", "place": 6, "most": 2})),
        ("preview", json!({"do": "preview", "place": 6, "choice": 0, "have": []})),
        ("until", json!({"do": "until", "place": 14, "when": until, "limits": limits})),
        ("outlook", json!({"do": "outlook", "place": 14, "limits": limits})),
        ("compass", json!({"do": "compass", "place": 10, "limits": limits})),
        ("compare", json!({"do": "compare", "a": 6, "b": 8})),
        ("blame", json!({"do": "blame", "place": 7, "member": 2, "path": ["ballot", "round"]})),
        ("find", json!({"do": "find", "text": "accepted"})),
        ("random", json!({"do": "random", "place": 15, "steps": 1, "seed": 1})),
        ("diverse", json!({"do": "diverse", "place": 16, "runs": 1, "seed": 1})),
        ("good", json!({"do": "good", "place": 17, "limits": limits})),
        ("faults", json!({"do": "faults", "branch": 0, "on": true, "place": 3})),
        ("switches", json!({"do": "switches", "restrictions": []})),
        (
            "follow",
            json!({"do": "follow", "place": 0, "text": "deliver client1 -> server1 Put(1, A)\ncrash server1"}),
        ),
        ("note", json!({"do": "note", "place": 7, "text": "here"})),
        ("pin", json!({"do": "pin", "path": "server3.ballot", "on": true})),
        ("watch", json!({"do": "watch", "path": "server3.vote", "on": true})),
        ("name_branch", json!({"do": "name_branch", "branch": 1, "name": "another"})),
        ("view", json!({"do": "view", "place": 7, "only_mattered": true})),
        (
            "watch_values",
            json!({"do": "watch_values", "path": "server3.ballot.round", "branch": 0, "from": 0, "to": 18}),
        ),
        ("neighbourhood", json!({"do": "neighbourhood", "place": 15, "radius": 1})),
        ("story", json!({"do": "story", "branch": 0})),
        ("strip", json!({"do": "strip", "branch": 0})),
        ("branches", json!({"do": "branches"})),
        ("source", json!({"do": "source", "file": "none.erl"})),
        ("save", json!({"do": "save"})),
        ("export", json!({"do": "export", "format": "mermaid", "branch": 0})),
        ("cancel", json!({"do": "cancel", "of": 99})),
    ]
}

#[test]
fn every_answer_is_as_recorded() {
    let server = Server::start(forgetful());
    let mut page = server.stranger();
    let hello = json!({"do": "hello", "protocol": [1, 0], "token": TOKEN});
    let first = page.ask(hello.clone());
    // How far the scout is by then is a matter of time.
    if first["opening"]["is_pending"] == json!(true) {
        page.news("opening");
    }
    let all = [("hello", hello)].into_iter().chain(requests());
    for (name, request) in all {
        let id = page.send(request.clone());
        let mut answer = page.answer(id);
        answer.as_object_mut().expect("an answer").remove("id");
        let pair = json!({"request": request, "answer": answer});
        compare(name, &pair);
    }
}

fn compare(name: &str, pair: &Value) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/protocol/{name}.json"));
    let text = serde_json::to_string_pretty(pair).expect("plain data") + "\n";
    if std::env::var_os("FORESEE_UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, &text).expect("a file that can be written");
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        known == text,
        "{} differs: FORESEE_UPDATE=1 writes it anew; it is now\n{text}",
        file.display()
    );
}
