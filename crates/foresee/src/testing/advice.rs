//! What to do about a check that takes long in a test.

use foresee_session::Report;

/// From so many seconds on it is worth a word.
const SLOW_SECONDS: f64 = 5.0;

/// `None` if the check was quick, or the code is optimised already.
pub(super) fn about_profile(report: &Report) -> Option<&'static str> {
    let is_slow = report.seconds >= SLOW_SECONDS
        || report.stopped_by.is_some_and(|stopped| stopped.word() == "time");
    (is_slow && cfg!(debug_assertions)).then_some(
        "note: this is an unoptimised build. `cargo test --release` checks several times faster, and so does this in Cargo.toml:\n      \
         [profile.dev]\n      opt-level = 1",
    )
}
