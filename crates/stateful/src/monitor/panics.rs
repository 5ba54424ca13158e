//! Panics of the user's closures, caught and put into words.
//! The panic hook is the edge's business: whether anything is printed when a panic is raised is decided there.

use foresee_stdx::panic_text;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a closure of the user; a panic becomes its message.
pub(crate) fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| panic_text(payload.as_ref()))
}
