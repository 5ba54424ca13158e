//! Threads with room on their stacks.
//! Why: trees and terms are walked by recursion, and the limits on nesting are such that this fits the stack of a program's
//! first thread. The threads that the standard library starts, and those of test runners, have a quarter of that. So whoever
//! reads a text, or explores on a thread of its own, does so on a stack of known size, whoever calls.
//! Only what is used of a stack takes memory.

use crate::halt;
use std::panic::resume_unwind;
use std::thread::{Builder, Scope, scope};

/// More than the stack of a first thread on any system that we know.
const BYTES: usize = 64 << 20;

/// Starts a thread with room, whose work is halted as that of this one.
pub fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) {
    let probe = halt::watched_by();
    let work = move || {
        let _watching = halt::watch(probe);
        work();
    };
    Builder::new().stack_size(BYTES).spawn_scoped(scope, work).expect("a thread can be started");
}

/// Does some work on a stack with room, and waits for it. A panic goes on in the caller.
///
/// ```
/// fn depth(n: u64) -> u64 {
///     let page = std::hint::black_box([n; 512]);
///     if n == 0 { 0 } else { 1 + depth(page[511] - 1) }
/// }
/// // Ten times what the thread of a test has.
/// assert_eq!(foresee_stdx::stack::with_room(|| depth(5_000)), 5_000);
/// ```
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut result = None;
    let done = &mut result;
    let panic = scope(|scope| {
        let probe = halt::watched_by();
        let work = move || {
            let _watching = halt::watch(probe);
            *done = Some(work());
        };
        let thread = Builder::new().stack_size(BYTES).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().err()
    });
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    result.expect("the work is done")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halt::{Cause, Probe};
    use std::sync::Arc;

    #[test]
    fn a_panic_reaches_the_caller() {
        let caught = std::panic::catch_unwind(|| with_room(|| panic!("{}", 41 + 1)));
        assert_eq!(crate::panic_text(&*caught.expect_err("it panics")), "42");
    }

    struct Struck;

    impl Probe for Struck {
        fn struck(&self) -> Option<Cause> {
            Some(Cause::Time)
        }
        fn grants(&self, _: u64) -> bool {
            true
        }
        fn limits_time(&self) -> bool {
            true
        }
        fn limits_memory(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_limit_reaches_the_work() {
        let _watching = halt::watch(Some(Arc::new(Struck)));
        assert_eq!(with_room(halt::struck), Some(Cause::Time));
        let halted = halt::until_halted(|| with_room(halt::look));
        assert_eq!(halted.expect_err("it is halted").cause, Cause::Time);
    }
}
