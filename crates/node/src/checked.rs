//! Running the user's code so that its panics are findings, not accidents.
//! Why: a panic in a handler is a violation with a trace. It must end neither the search nor print a back trace per
//! occurrence, but printing is up to the process's panic hook, which only an edge may install. So this module knows
//! whether checked code runs ([`in_checked_code`]) and keeps where it panicked, if the hook tells ([`observe_panic`]).

use foresee_stdx::panic_text;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Whether this thread is running code of a checked system, whose panics are caught and reported as violations.
///
/// ```
/// assert!(!foresee_node::in_checked_code());
/// ```
pub fn in_checked_code() -> bool {
    DEPTH.get() > 0
}

/// To be called first by a panic hook: notes where checked code panics, and says whether it was checked code, in which
/// case the hook should print nothing.
///
/// ```
/// let usual = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |info| {
///     if !foresee_node::observe_panic(info) {
///         usual(info);
///     }
/// }));
/// ```
pub fn observe_panic(info: &PanicHookInfo<'_>) -> bool {
    if in_checked_code() {
        let location = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        LOCATION.with_borrow_mut(|slot| *slot = location);
    }
    in_checked_code()
}

/// Runs code of the user; `Err` is the message of its panic, with the place where it is known.
///
/// ```
/// assert_eq!(foresee_node::run_checked(|| 7), Ok(7));
/// ```
pub fn run_checked<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(run));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let location = LOCATION.with_borrow_mut(Option::take);
        match location {
            Some(location) => format!("{} at {location}", panic_text(&*payload)),
            None => panic_text(&*payload),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(run_checked(|| 7), Ok(7));
        let error = run_checked(|| -> u32 { panic!("no {}", "way") }).expect_err("it panics");
        assert!(error.starts_with("no way"), "{error}");
        assert!(!in_checked_code(), "the flag is off again after a panic");
        assert_eq!(run_checked(in_checked_code), Ok(true));
    }
}
