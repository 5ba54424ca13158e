//! `foresee new`: what it writes, what it refuses, and that the crate's own checks come out as it says.
//! Building the crate as a user would takes a minute and a registry: `cargo xtask kit` does that.

mod common;

use common::Place;
use foresee::check_entry;
use std::path::{Path, PathBuf};

#[path = "../src/commands/new/template/src/lib.rs"]
#[allow(unreachable_pub, reason = "it is a crate of its own, tried here as a module")]
mod template;

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

fn everything(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    files_below(folder, &mut files);
    files.sort();
    let content = |file: PathBuf| {
        let bytes = std::fs::read(&file).unwrap();
        (file.strip_prefix(folder).unwrap().to_owned(), bytes)
    };
    files.into_iter().map(content).collect()
}

#[test]
fn a_crate_with_the_library_beside_it() {
    let place = Place::new();
    let said = place.foresee("new my-register work");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    for command in
        ["cd work\n", "cargo test", "cargo run -- check register", "cargo run -- run register"]
    {
        assert!(said.out.contains(command), "{command}: {}", said.out);
    }
    assert!(place.read("work/Cargo.toml").contains("name = \"my-register\"\n"));
    assert!(place.read("work/src/main.rs").contains("my_register::systems()"));
    let files = everything(&place.path().join("work"));
    for (path, content) in &files {
        let text = String::from_utf8_lossy(content);
        assert!(path.starts_with("vendor") || !text.contains("{{"), "{}", path.display());
    }
    // The sources are those of this workspace, and what only its tests need stays out.
    let own = include_str!("../src/lib.rs");
    assert_eq!(place.read("work/vendor/foresee/crates/foresee/src/lib.rs"), own);
    let manifest = place.read("work/vendor/foresee/crates/foresee/Cargo.toml");
    assert!(
        !manifest.contains("[dev-dependencies]") && !manifest.contains("[[test]]"),
        "{manifest}"
    );
    assert!(!place.has("work/vendor/foresee/crates/foresee/tests"));
    assert!(place.has("work/vendor/foresee/docs/guide/tests.md"));
    // The same bytes again.
    assert_eq!(place.foresee("new my-register again").code, 0);
    assert_eq!(everything(&place.path().join("again")), files);
}

#[test]
fn what_cannot_be_made_is_told_and_nothing_is_touched() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("full")).unwrap();
    place.write("full/precious.txt", "mine");
    place.write("file", "mine");
    let cases = [
        ("new 2phase work", "it begins with a digit"),
        ("new fn work", "it is a word of Rust"),
        ("new foresee work", "another crate or folder of this name is needed"),
        ("new 'my register' work", "` ` is neither a letter nor a digit"),
        ("new register full", "the folder `full` is not empty"),
        ("new register file", "`file` is a file"),
        ("new register file/below", "`file/below`"),
        ("new register /proc/nowhere", "cannot write to `/proc/nowhere`"),
    ];
    for (line, expected) in cases {
        let said = place.foresee(line);
        assert_eq!(said.code, 2, "{line}: {}", said.err);
        assert!(
            said.err.contains("error[E0019]") && said.err.contains(expected),
            "{line}: {}",
            said.err
        );
    }
    assert_eq!(place.files(), ["file", "full"]);
    assert_eq!(place.read("full/precious.txt"), "mine");
    std::fs::create_dir(place.path().join("empty")).unwrap();
    assert_eq!(place.foresee("new register empty").code, 0);
}

/// What the new crate's own tests claim.
#[test]
fn the_checks_of_the_template_come_out_as_it_says() {
    let register = template::register();
    check_entry(&register, &["replicas=3", "clients=2"]).assert_holds();
    let crashes = check_entry(&register, &["replicas=2", "clients=2"]);
    crashes.crash("replica1").restarts_max(1).assert_holds();
    let hasty = check_entry(&register, &["reads=2", "bug=hasty"]).assert_violated("linearizable");
    assert!(hasty.report.violations[0].steps < 30);
    check_entry(&register, &["replicas=5", "clients=4"]).simulate(0..5).assert_holds();
    assert_eq!(template::systems().len(), 1);
}
