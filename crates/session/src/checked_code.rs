//! Which code is running on this thread: ours, or the user's?
//! Why: a panic in the user's code is news about that code and is told as such; a panic in ours is a bug of ours. The edge's
//! panic hook asks [`in_checked_code`] which one it sees. Handlers are marked by `foresee-nodes`; builders, properties and
//! prunes, which are closures of the user too, are marked here.

use foresee_lts::{Predicate, Property};
use foresee_stdx::panic_text;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether code of the user is running on this thread, so that a panic is an event and not a bug of the tool.
pub fn in_checked_code() -> bool {
    DEPTH.get() > 0 || foresee_nodes::in_checked_code()
}

/// To be called first by a panic hook: says whether the panic is in code of the user, in which case the hook should print
/// nothing, and notes where it is, so that the report can say so.
pub fn observe_panic(info: &PanicHookInfo<'_>) -> bool {
    foresee_nodes::observe_panic(info) || in_checked_code()
}

/// Runs code of the user.
pub(crate) fn in_checked_code_do<R>(run: impl FnOnce() -> R) -> R {
    /// Counts down also when `run` panics.
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }
    DEPTH.set(DEPTH.get() + 1);
    let _leave = Leave;
    run()
}

/// Runs code of the user; its panic comes back as text.
pub(crate) fn catch_in_checked_code<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(|| in_checked_code_do(run))).map_err(|panic| panic_text(&*panic))
}

/// The same predicate, marked as code of the user while it runs.
pub(crate) fn marked(predicate: Predicate) -> Predicate {
    let (name, reads) = (predicate.name().to_owned(), predicate.reads().clone());
    let is_lasting = predicate.is_lasting();
    let marked = Predicate::new(name, reads, move |state, why| {
        in_checked_code_do(|| predicate.test(state, why))
    });
    if is_lasting { marked.lasting() } else { marked }
}

pub(crate) fn marked_property(property: Property) -> Property {
    Property { kind: property.kind, predicate: marked(property.predicate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_taken_away_even_after_a_panic() {
        let text = catch_in_checked_code(|| {
            assert!(in_checked_code());
            std::panic::resume_unwind(Box::new("no"));
        });
        assert_eq!(text, Err("no".to_owned()));
        assert!(!in_checked_code());
    }
}
