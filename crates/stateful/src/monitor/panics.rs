//! Panics of the user's closures, caught and put into words.
//! The panic hook is the edge's business: whether anything is printed when a panic is raised is decided there.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a closure of the user; a panic becomes its message.
pub(crate) fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| message_of(payload.as_ref()))
}

/// What a panic said.
fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panicked without a message".to_owned())
}
