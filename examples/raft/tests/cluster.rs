//! Raft as processes that are killed and come back: what was acknowledged is kept, and where it is not, that is found and replayed.
//! `examples/raft/kill-loop.sh` is the same for ten minutes.

#![allow(clippy::disallowed_methods, reason = "a test of processes")]

use std::path::Path;
use std::process::{Command, Output};

fn raft(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raft"));
    command.args(line.split_whitespace()).current_dir(folder).output().expect("the binary runs")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).join("")
}

/// A number before a word in a text.
fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or_default();
    before.split_whitespace().last().and_then(|it| it.parse().ok()).unwrap_or(0)
}

#[test]
fn what_was_acknowledged_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "delay 10ms..25ms\nloss 0.5%\nduplicate 2%\n\
         every 2s crash one of server1 server2 server3 for 300ms..800ms\n\
         at 5s crash server1\nat 5s crash server2\nat 5s crash server3\n\
         at 5.3s restart server1\nat 5.3s restart server2\nat 5.3s restart server3\n";
    std::fs::write(folder.path().join("script"), script).expect("written");
    let line = "cluster raft snapshot=10 --clients 1 --duration 8s --faults script --folder run --discard-unsynced --record";
    let output = raft(folder.path(), line);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("linearizable: yes"), "{said}");
    assert!(number_before(&said, " kills") >= 4, "{said}");
    let replayed = raft(folder.path(), "replay run/run.trace");
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed));
}

/// The majority forgets while the minority is away: what had been acknowledged is gone. The record shows it, and the search replays it.
#[test]
fn a_server_that_does_not_sync_is_found_on_sockets_and_in_the_search() {
    let script = "delay 10ms..25ms\n\
         at 4s partition server3 | server1 server2\n\
         at 4s crash server1\nat 4s crash server2\n\
         at 4.2s restart server1\nat 4.2s restart server2\n\
         at 9s heal\n";
    let mut all = String::new();
    for seed in 0..3 {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("script"), script).expect("written");
        let line = format!(
            "cluster raft bug=unsynced --clients 1 --duration 12s --faults script --folder run --discard-unsynced --record --seed {seed}"
        );
        let output = raft(folder.path(), &line);
        all += &text(&output);
        if output.status.code() != Some(1) {
            continue; // on a slow machine nothing may have been acknowledged in time
        }
        let replayed = raft(folder.path(), "replay run/run.trace");
        all += &text(&replayed);
        if replayed.status.code() == Some(1) {
            let found = ["state machine safety", "leader completeness", "log matching"];
            assert!(found.iter().any(|name| all.contains(name)), "{all}");
            return;
        }
    }
    panic!("it was not found:\n{all}");
}
