//! Manners of the command line: it fits the terminal, helps with slips, says what it has replaced, and completes.

mod common;

use common::Place;
use std::process::Command;

fn in_columns(place: &Place, columns: usize, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foresee"));
    command.args(words).env("COLUMNS", columns.to_string()).current_dir(place.path());
    let output = command.output().expect("the binary runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn text_fits_the_terminal() {
    let place = Place::new();
    let commands: [&[&str]; 6] = [
        &["check", "two-phase-commit", "rms=2"],
        &["check", "single-copy-register", "servers=2", "clients=2"],
        &["systems"],
        &["check", "--help"],
        &["check", "paxos", "--guide", "a forgotten promise"],
        &["check", "ping", "cleints=2"],
    ];
    for words in commands {
        for columns in [60, 80, 120, 200] {
            let text = in_columns(&place, columns, words);
            // What must be pasted or compared column by column is never broken.
            let is_kept = |line: &str| {
                ["replay:", "look:", "more:"].iter().any(|lead| line.trim_start().starts_with(lead))
                    || line.contains('|')
            };
            for line in text.lines().filter(|line| !is_kept(line)) {
                let n = line.chars().count();
                assert!(n <= columns, "{words:?} at {columns}: {n} columns\n{line}");
            }
        }
        let (narrow, wide) = (in_columns(&place, 80, words), in_columns(&place, 200, words));
        assert!(narrow.lines().count() >= wide.lines().count(), "{words:?}");
    }
    // Where nobody looks, lines are as long as they are.
    let piped = place.foresee("check two-phase-commit rms=2").out;
    assert!(piped.lines().any(|line| line.chars().count() > 100), "{piped}");
}

#[test]
fn help_of_a_command_is_asked_for_either_way() {
    let place = Place::new();
    let (help, flag) = (place.foresee("help check"), place.foresee("check --help"));
    assert_eq!((help.code, help.out), (0, flag.out));
    assert_eq!(place.foresee("help chekc").code, 2);
}

#[test]
fn a_slip_is_compared_with_the_directory_too() {
    let place = Place::new();
    place.write("bank.erl", "-module(bank).\n-export([test/0]).\ntest() -> ok.\n");
    place.write("lamp.aut", "des (0, 1, 2)\n(0, on, 1)\n");
    place.write("lamp.spec", "act on init on.delta\n");
    for (line, expected) in [
        ("check bnak.erl", "did you mean `bank.erl`, which is in this directory?"),
        ("check bank", "did you mean `bank.erl`, which is in this directory?"),
        ("check lmap.aut", "did you mean `lamp.aut`, which is in this directory?"),
        ("check pimg", "did you mean `ping`?"),
        ("check locker.ex", "is Elixir source"),
        ("check ebin/locker.beam", "cannot read `ebin/locker.beam`: there is no such file"),
        ("lts locker.mcrl2 -o x.aut", "is an mCRL2 specification"),
        ("verify locker.lts --formula true", "binary format"),
        ("check lamp.spec", "`lamp.spec` is a file, and `.spec` does not say of what kind"),
        ("lts lamp.mucrl", "call it FILE.mcrl"),
        ("check run.trace", "a recorded trace"),
    ] {
        let said = place.foresee(line);
        assert_eq!(said.code, 2, "{line}");
        assert!(said.err.contains(expected), "{line}: {}", said.err);
    }
}

#[test]
fn a_trace_that_is_written_over_is_told() {
    let place = Place::new();
    let line = "check single-copy-register servers=2 clients=2";
    assert!(!place.foresee(line).out.contains("replaced"));
    let again = place.foresee(line).out;
    assert!(again.contains("replaced single-copy-register.1.trace\n"), "{again}");
}

/// Many interleavings go wrong in the same way; one trace of each kind is enough, unless all are asked for.
#[test]
fn one_trace_for_each_kind_of_violation() {
    let place = Place::new();
    let text = "-module(many).\n-export([test/0]).\n\
        test() ->\n  P = self(),\n  [spawn(fun() -> P ! I end) || I <- [1,2,3]],\n  \
        receive X -> ok end, receive Y -> ok end, receive Z -> ok end,\n  exit({X,Y,Z}).\n";
    place.write("many.erl", text);
    let said = place.foresee("check many.erl --keep-going");
    assert_eq!(said.code, 1, "{}", said.err);
    assert_eq!(place.files(), ["many.1.trace", "many.erl"], "{}", said.out);
    assert!(said.out.contains("not saved: --all-traces"), "{}", said.out);
    place.foresee("check many.erl --keep-going --all-traces");
    assert_eq!(place.files().len(), 7, "six orders, six traces: {:?}", place.files());
}

#[test]
fn manual_pages_and_completions() {
    let place = Place::new();
    let said = place.foresee("man pages");
    assert_eq!(said.code, 0, "{}", said.err);
    for page in ["foresee.1", "foresee-check.1", "foresee-lts-compare.1", "foresee-new.1"] {
        let text = place.read(&format!("pages/{page}"));
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}: {text}");
    }
    assert!(place.read("pages/foresee-check.1").contains("guide"), "flags are there");
    assert_eq!(place.foresee("man /proc/nowhere").code, 2);

    assert_eq!(place.foresee("complete 'check pax'").out, "paxos\n");
    assert_eq!(place.foresee("complete 'check paxos cl'").out, "clients=\n");
    for shell in ["bash", "zsh", "fish"] {
        let script = place.foresee(&format!("completions {shell}")).out;
        assert!(script.contains("foresee complete --"), "{shell}");
    }
}

/// The script as bash runs it, where there is a bash.
#[test]
fn bash_completes_systems_and_parameters() {
    let place = Place::new();
    place.write("foresee.bash", &place.foresee("completions bash").out);
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_foresee")).parent().unwrap();
    let asked = |line: &str, words: &str, n: usize| {
        let script = format!(
            "PATH=\"{}:$PATH\"; source ./foresee.bash; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; \
             COMP_WORDS=({words}); COMP_CWORD={n}; _foresee_asking foresee; echo \"${{COMPREPLY[*]}}\"",
            folder.display()
        );
        let output = Command::new("bash").args(["-c", &script]).current_dir(place.path()).output();
        output.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(systems) = asked("foresee check pax", "foresee check pax", 2) else { return };
    assert!(systems.split_whitespace().any(|word| word == "paxos"), "{systems}");
    let values = asked("foresee check paxos bug=ha", "foresee check paxos bug = ha", 5).unwrap();
    assert!(values.split_whitespace().any(|word| word == "hasty"), "{values}");
}
