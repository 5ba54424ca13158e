//! Stable storage on a machine, seen from outside: files that are cut, damaged, in use or cannot grow, and a clock that stands still.
//! One server is its own majority, so it leads as soon as it has waited for nobody.

#![allow(clippy::disallowed_methods, reason = "a test of processes")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const RUN: &str = "run raft servers=1 --clients 1 --duration 2s --storage kept";

fn raft(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raft"));
    command.args(line.split_whitespace()).current_dir(folder).output().expect("the binary runs")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).join("")
}

#[track_caller]
fn expect(output: &Output, code: i32, words: &[&str]) {
    let said = text(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "{word:?} is not in:\n{said}");
    }
}

#[test]
fn a_file_that_is_cut_is_mended_and_one_that_is_damaged_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(&raft(folder.path(), RUN), 0, &["linearizable: yes"]);
    let file = folder.path().join("kept/server1.store");
    let whole = std::fs::read(&file).expect("the server has written");
    assert!(whole.len() > 500, "{} bytes", whole.len());
    std::fs::write(&file, &whole[..whole.len() / 2]).expect("cut");
    expect(&raft(folder.path(), RUN), 0, &["no whole record", "not judged"]);
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(&file, &damaged).expect("damaged");
    let refused = raft(folder.path(), RUN);
    expect(&refused, 2, &["E0038", "server1", "damaged at byte", "nothing was changed"]);
    assert_eq!(std::fs::read(&file).expect("it is there"), damaged);
    std::fs::write(&file, "a diary").expect("replaced");
    expect(&raft(folder.path(), RUN), 2, &["E0038", "no stable storage of a node"]);
}

#[test]
fn a_full_disk_ends_the_process_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    // A limit on the size of files stands for a disk that is full: the write fails, and the signal that usually comes with it is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {} {RUN}", env!("CARGO_BIN_EXE_raft"));
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(folder.path()).output();
    expect(&output.expect("the shell runs"), 2, &["E0038", "server1", "cannot be written"]);
    expect(&raft(folder.path(), RUN), 0, &["operations"]);
}

#[test]
fn storage_has_one_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raft"));
    let line = "run raft servers=1 --clients 1 --duration 60s --storage kept";
    command.args(line.split_whitespace()).current_dir(folder.path());
    let mut first = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let (begun, file) = (Instant::now(), folder.path().join("kept/server1.store"));
    while std::fs::metadata(&file).map_or(0, |it| it.len()) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(50), "it begins its file");
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = raft(folder.path(), RUN);
    first.kill().expect("killed");
    first.wait().expect("gone");
    expect(&second, 2, &["E0038", "another process has it"]);
    expect(&raft(folder.path(), RUN), 0, &["operations"]);
}

/// To a process that was stopped, the clock has jumped: everything is due at once.
#[test]
fn a_clock_that_jumps_disturbs_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raft"));
    let line = "run raft --clients 1 --duration 5s --storage kept";
    command.args(line.split_whitespace()).current_dir(folder.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let tell = |signal: &str| {
        let told = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(told.expect("kill runs").success());
    };
    std::thread::sleep(Duration::from_millis(1_500));
    tell("-STOP");
    std::thread::sleep(Duration::from_millis(2_000));
    tell("-CONT");
    expect(&child.wait_with_output().expect("it ends"), 0, &["linearizable: yes"]);
}

/// Without storage a sync is done at once; the record says so, and the run happens again.
#[test]
fn a_run_without_storage_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "run raft calls=3 retries=1 --duration 3s --record run.trace";
    expect(&raft(folder.path(), line), 0, &["linearizable: yes"]);
    expect(&raft(folder.path(), "replay run.trace --quiet"), 0, &["holds"]);
}

#[test]
fn faults_in_one_process_are_those_of_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "loss 1%\nat 2s crash server1\nat 2s crash server2\nat 2s crash server3\n\
         at 2.2s restart server1\nat 2.2s restart server2\nat 2.2s restart server3\n";
    std::fs::write(folder.path().join("script"), script).expect("written");
    let line = "run raft --clients 1 --duration 4s --faults script";
    expect(&raft(folder.path(), line), 0, &["linearizable: yes"]);
    expect(
        &raft(folder.path(), &line.replace("raft ", "raft bug=unsynced ")),
        1,
        &["linearizable: no"],
    );
    let rough = format!("delay 1ms..5ms\nduplicate 5%\nreorder 10%\ncorrupt 1%\n{script}");
    std::fs::write(folder.path().join("script"), rough).expect("written");
    let recorded = format!("{line} --record run.trace");
    expect(&raft(folder.path(), &recorded), 0, &["linearizable: yes"]);
    expect(&raft(folder.path(), "replay run.trace --quiet"), 0, &["holds"]);
    std::fs::write(folder.path().join("script"), "at 1s crash nobody\n").expect("written");
    expect(&raft(folder.path(), line), 2, &["E0036", "`nobody`"]);
}
