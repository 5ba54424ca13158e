//! A trace exported as a regression test is Rust that compiles with the facade alone, and passes once the bug is mended.
//! `UPDATE_EXPECT=1 cargo test -p foresee` rewrites the exported file.
#![allow(clippy::disallowed_methods, reason = "a test that compares with a file")]

use foresee::session::{
    CheckRequest, NoFiles, NoMeter, Registry, Silent, Source, check, export, open, replay,
};
use foresee::trace::Trace;

/// What the export wrote: it is compiled and run with the other tests.
mod two_phase_commit {
    include!("exported/two_phase_commit.rs.txt");
}

#[test]
fn the_exported_test_is_the_one_that_runs_here() {
    let registry = Registry::stock();
    let words = ["rms=2", "bug=broken-promise"];
    let loaded = open(&Source::nodes("two-phase-commit", &words), &registry, &NoFiles).unwrap();
    let report = check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    let found = report.violations[0].run.as_ref().expect("a run").to_string();
    // Somebody mends the bug, and wants to be told if it comes back.
    let mended = Trace::parse(&found.replace("bug=broken-promise", "bug=none")).unwrap();
    let replayed = replay(&mended, &registry, &NoFiles).unwrap();
    let source = export("two_phase_commit.rs", &mended, &replayed).unwrap();

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exported/two_phase_commit.rs.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, &source).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(file).unwrap(),
        source,
        "UPDATE_EXPECT=1 cargo test -p foresee"
    );
}
