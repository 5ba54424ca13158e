//! Stories: what the reader of a report sees.

use crate::locks::Locks;
use crate::replay::TWO_HOLDERS;
use foresee_lts::Tree;
use foresee_trace::{Story, Trace, differences};

#[test]
fn a_run_reads_like_a_story() {
    let system = Locks::noisy(2);
    let path = system.path(&[
        TWO_HOLDERS[0],
        TWO_HOLDERS[2],
        TWO_HOLDERS[4],
        "crash client1",
        "restart client1",
    ]);
    assert_eq!(
        Story::of(&system, &path).to_string(),
        "1  timer client1      WantLock\n     \
              client1: asked false -> true\n     \
              client1 sends Ask to clerk\n\
         2  client1 -> clerk   Ask\n     \
              clerk: granted[0] + client1\n     \
              clerk sends Grant to client1\n\
         3  clerk -> client1   Grant\n     \
              client1: asked true -> false\n     \
              client1: holds false -> true\n\
         4  crash client1\n     \
              client1: running -> crashed\n     \
              client1: holds true -> false\n\
         5  restart client1\n     \
              client1: crashed -> running\n"
    );
    let trace = Trace::record(&system, &path);
    assert_eq!(
        trace.events[1].note.as_deref(),
        Some("clerk: granted[0] + client1\nclerk sends Grant to client1")
    );
}

#[test]
fn differences_go_as_deep_as_the_shapes_agree() {
    let leaf = |text: &str| Tree::leaf(text);
    let list = |items: &[&str]| Tree::List {
        name: String::new(),
        items: items.iter().map(|i| leaf(i)).collect(),
    };
    let map = |entries: &[(&str, &str)]| {
        Tree::Map(entries.iter().map(|(k, v)| (leaf(k), leaf(v))).collect())
    };
    let record = |role: Tree, log: Tree, votes: Tree| Tree::Record {
        name: "Node".into(),
        fields: vec![("role".into(), role), ("log".into(), log), ("votes".into(), votes)],
    };
    let variant = |name: &str, term: &str| Tree::Record {
        name: name.into(),
        fields: vec![("term".into(), leaf(term))],
    };
    let before =
        record(variant("Follower", "1"), list(&["a", "b"]), map(&[("n1", "1"), ("n2", "2")]));
    let lines = |after: &Tree| -> Vec<String> {
        differences("n1", &before, after).iter().map(|change| change.one_line(30)).collect()
    };
    let after =
        record(variant("Follower", "2"), list(&["a", "b", "c"]), map(&[("n1", "5"), ("n3", "3")]));
    assert_eq!(
        lines(&after),
        [
            "n1: role.term 1 -> 2",
            "n1: log[2] + c",
            "n1: votes[n1] 1 -> 5",
            "n1: votes[n2] - 2",
            "n1: votes[n3] + 3"
        ]
    );
    let after = record(variant("Leader", "1"), list(&["b"]), map(&[("n1", "1"), ("n2", "2")]));
    assert_eq!(
        lines(&after),
        ["n1: role Follower { term: 1 } -> Leader { term: 1 }", "n1: log[0] - a"]
    );
    let after =
        record(variant("Follower", "1"), list(&["c", "d", "b"]), map(&[("n1", "1"), ("n2", "2")]));
    assert_eq!(lines(&after), ["n1: log [a, b] -> [c, d, b]"]);
    let after =
        record(variant("Follower", "1"), list(&["a", "B", "c"]), map(&[("n1", "1"), ("n2", "2")]));
    assert_eq!(lines(&after), ["n1: log[1] b -> B", "n1: log[2] + c"]);
    let after =
        record(variant("Follower", "1"), list(&["a", "x", "b"]), map(&[("n1", "1"), ("n2", "2")]));
    assert_eq!(lines(&after), ["n1: log[1] + x"]);
    assert_eq!(differences("history", &list(&["a"]), &list(&[]))[0].one_line(9), "history[0]: - a");
    assert!(lines(&before).is_empty());
    let wrapped = |first: &str, second: &str| {
        let items = vec![leaf(first), leaf(second)];
        Tree::List { name: "Some".into(), items: vec![Tree::List { name: String::new(), items }] }
    };
    let short = differences("n1", &wrapped("1", "n2"), &wrapped("2", "n1"));
    assert_eq!(short[0].one_line(40), "n1: Some([1, n2]) -> Some([2, n1])");
    let long = "a value that goes on and on and on";
    let deep = differences("n1", &wrapped("1", long), &wrapped("2", long));
    assert_eq!(deep[0].one_line(40), "n1[0]: 1 -> 2");
    let long = differences("", &leaf("x"), &leaf(&"y".repeat(100)));
    assert_eq!(long[0].one_line(10), "x -> yyyyyyyyy…");
}
