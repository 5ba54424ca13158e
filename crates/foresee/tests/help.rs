//! Help texts are an interface: a copy of each stands in `expect/help.txt`.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Place, compare_with_file};

const COMMANDS: [&str; 19] = [
    "check",
    "simulate",
    "lts",
    "verify",
    "translate",
    "replay",
    "debug",
    "run",
    "histories",
    "merge",
    "proxy",
    "cluster",
    "labs",
    "systems",
    "patterns",
    "explain",
    "new",
    "man",
    "completions",
];

#[test]
fn every_help_text_is_as_recorded() {
    let place = Place::new();
    let mut all = place.foresee("--help").out;
    let questions = [
        "lts compare",
        "lts info",
        "labs list",
        "labs new",
        "labs test",
        "labs grade",
        "labs debug",
    ];
    for command in COMMANDS.into_iter().chain(questions) {
        let said = place.foresee(&format!("{command} --help"));
        assert_eq!(said.code, 0, "{}", said.err);
        all.push_str(&format!("\n\n===== {command} =====\n{}", said.out));
    }
    compare_with_file("help.txt", &all);
}

#[test]
fn every_flag_says_its_default_or_is_a_switch_or_has_none() {
    let place = Place::new();
    for command in ["check", "simulate", "lts", "lts compare", "lts info", "verify", "translate"] {
        let help = place.foresee(&format!("{command} -h")).out;
        // In the short help each flag is one paragraph that starts with its name.
        let flags: Vec<&str> = help.split("\n      --").skip(1).collect();
        assert!(flags.len() > 5, "{help}");
        for flag in flags {
            let head = flag.split_whitespace().nth(1).unwrap_or_default();
            let takes_a_value = head.starts_with('<');
            assert!(!takes_a_value || flag.contains("[default"), "{command} --{flag}");
        }
    }
}

#[test]
fn completions_name_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = place.foresee(&format!("completions {shell}"));
        assert_eq!(said.code, 0, "{}", said.err);
        for command in COMMANDS {
            assert!(said.out.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn the_version_is_printed() {
    let said = Place::new().foresee("--version");
    assert_eq!((said.code, said.out), (0, format!("foresee {}\n", env!("CARGO_PKG_VERSION"))));
}
