//! Halting from outside: how a computation deep inside one event learns that a limit is reached, and how it ends.
//! Why not a `Result`: comparing two terms, printing one or rewriting another can take longer than any limit, and none of
//! them has anywhere to put an answer that it did not compute. So whoever runs for long looks now and then, and where a
//! limit has struck the work unwinds to the engine that asked for it. Nothing half done is kept: results enter a table
//! only when they are complete.
//! Why a variable of the thread: equality, order and display are traits without room for a handle. It is set by whoever
//! begins the work and is never read to compute anything, so a run that no limit strikes does not depend on it.
//! Not here: clocks and memory. The edge makes a [`Probe`]; without one nothing is ever halted.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Which limit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cause {
    Time,
    Memory,
    Interrupt,
}

/// What the edge knows of its limits. Asked often, from several threads.
pub trait Probe: Send + Sync {
    /// The limit that is reached. As cheap as reading a flag.
    fn struck(&self) -> Option<Cause>;
    /// Whether so many bytes more may be taken.
    fn grants(&self, bytes: u64) -> bool;
    /// Whether there is a limit on time, so that whatever goes on for ever will be halted.
    fn limits_time(&self) -> bool;
    /// The same for memory and what grows.
    fn limits_memory(&self) -> bool;
    /// One of many pieces of the work is done: for whoever limits the time of a piece, and not of the whole.
    fn advanced(&self) {}
}

/// A computation was halted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Halted {
    pub cause: Cause,
    /// What it was about, in the user's words, where somebody on the way knew.
    pub place: Option<String>,
}

thread_local! {
    static PROBE: RefCell<Option<Arc<dyn Probe>>> = const { RefCell::new(None) };
    static STEPS: Cell<u32> = const { Cell::new(0) };
}

/// While this lives, the work of this thread is watched, or is not.
#[must_use]
pub struct Watching {
    before: Option<Arc<dyn Probe>>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        PROBE.set(self.before.take());
    }
}

/// From now on this thread's work ends where `probe` says so; `None` lets it go on to its end.
pub fn watch(probe: Option<Arc<dyn Probe>>) -> Watching {
    Watching { before: PROBE.replace(probe) }
}

/// From now on this thread's work goes on to its end, as work that no limit has struck would: what has no end without the
/// limit is still left to it.
pub fn undisturbed() -> Watching {
    watch(watched_by().map(|inner| -> Arc<dyn Probe> { Arc::new(Patient(inner)) }))
}

/// Lets go on whatever another would halt.
struct Patient(Arc<dyn Probe>);

impl Probe for Patient {
    fn struck(&self) -> Option<Cause> {
        None
    }
    fn grants(&self, _bytes: u64) -> bool {
        true
    }
    fn limits_time(&self) -> bool {
        self.0.limits_time()
    }
    fn limits_memory(&self) -> bool {
        self.0.limits_memory()
    }
    fn advanced(&self) {
        self.0.advanced();
    }
}

/// What watches this thread, to be handed to another that works for it.
pub fn watched_by() -> Option<Arc<dyn Probe>> {
    PROBE.with_borrow(Clone::clone)
}

/// The limit that is reached, for those who can stop by themselves.
pub fn struck() -> Option<Cause> {
    PROBE.with_borrow(|probe| probe.as_ref()?.struck())
}

/// Says that one of many pieces of this thread's work is done.
pub fn advance() {
    PROBE.with_borrow(|probe| probe.iter().for_each(|it| it.advanced()));
}

/// Whether a limit on time will end what goes on for ever.
pub fn is_time_limited() -> bool {
    PROBE.with_borrow(|probe| probe.as_ref().is_some_and(|it| it.limits_time()))
}

/// Whether a limit will end what grows for ever: one on memory, or on time.
pub fn is_growth_limited() -> bool {
    let is_limited = |it: &Arc<dyn Probe>| it.limits_memory() || it.limits_time();
    PROBE.with_borrow(|probe| probe.as_ref().is_some_and(is_limited))
}

/// Ends the work here if a limit is reached. To be called every few thousand small steps.
#[inline(never)]
pub fn look() {
    if let Some(cause) = struck() {
        halt(cause);
    }
}

/// Before so many bytes are taken, which is work as well: ends it here if they are not granted.
#[inline]
pub fn ask(bytes: usize) {
    if bytes >= LOOKED_MIN {
        ask_for(bytes);
    }
}

/// Making so much is worth a look at the limits.
const LOOKED_MIN: usize = 1 << 16;
/// Less than this is not worth asking for: whoever watches the process sees it in time.
const ASKED_MIN: usize = 1 << 20;

#[cold]
#[inline(never)]
fn ask_for(bytes: usize) {
    look();
    let grants = |it: &Arc<dyn Probe>| it.grants(bytes as u64);
    if bytes >= ASKED_MIN && !PROBE.with_borrow(|probe| probe.as_ref().is_none_or(grants)) {
        halt(Cause::Memory);
    }
}

/// One small step of a walk that may be long: looks at every 4096th.
#[inline]
pub fn pace() {
    STEPS.with(|steps| {
        let n = steps.get().wrapping_add(1);
        steps.set(n);
        if n.is_multiple_of(4096) {
            look();
        }
    });
}

/// Ends the work that [`until_halted`] has begun. It is no panic: no hook hears of it.
pub fn halt(cause: Cause) -> ! {
    resume_unwind(Box::new(Halted { cause, place: None }))
}

/// Does some work, unless it is halted. A panic goes on its way.
pub fn until_halted<T>(work: impl FnOnce() -> T) -> Result<T, Halted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(halted)
}

/// The same, for those who have caught what unwinds already.
pub fn halted(payload: Box<dyn Any + Send>) -> Halted {
    match payload.downcast::<Halted>() {
        Ok(halted) => *halted,
        Err(panic) => resume_unwind(panic),
    }
}

/// Does some work that may be halted, and says then what it was about.
#[inline]
pub fn about<T, W>(
    work: &mut W,
    run: impl FnOnce(&mut W) -> T,
    place: impl FnOnce(&W) -> String,
) -> T {
    match catch_unwind(AssertUnwindSafe(|| run(work))) {
        Ok(done) => done,
        Err(payload) => {
            let mut halted = halted(payload);
            halted.place.get_or_insert_with(|| place(work));
            resume_unwind(Box::new(halted))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Strikes at the third look and has a hundred megabytes to give.
    #[derive(Default)]
    struct Patience {
        looks: AtomicU32,
    }

    impl Probe for Patience {
        fn struck(&self) -> Option<Cause> {
            let looks = self.looks.fetch_add(1, Ordering::Relaxed);
            (looks >= 2).then_some(Cause::Time)
        }
        fn grants(&self, bytes: u64) -> bool {
            bytes <= 100 << 20
        }
        fn limits_time(&self) -> bool {
            true
        }
        fn limits_memory(&self) -> bool {
            false
        }
    }

    #[test]
    fn work_without_end_is_halted_and_says_where() {
        let _watching = watch(Some(Arc::new(Patience::default())));
        let mut n = 0;
        let halted = until_halted(|| {
            about(
                &mut n,
                |n| loop {
                    *n += 1;
                    look();
                },
                |n| format!("round {n}"),
            );
        });
        let expected = Halted { cause: Cause::Time, place: Some("round 3".to_owned()) };
        assert_eq!(halted, Err(expected));
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_made() {
        let _watching = watch(Some(Arc::new(Patience::default())));
        assert_eq!(until_halted(|| ask(50 << 20)), Ok(()));
        let refused = until_halted(|| ask(200 << 20)).unwrap_err();
        assert_eq!(refused.cause, Cause::Memory);
    }

    #[test]
    fn a_thread_that_nobody_watches_goes_on() {
        let watching = watch(Some(Arc::new(Patience::default())));
        {
            let _not = watch(None);
            (0..10).for_each(|_| look());
            ask(usize::MAX);
        }
        {
            let _undisturbed = undisturbed();
            (0..10).for_each(|_| look());
            assert!(is_time_limited() && is_growth_limited());
        }
        assert!(is_time_limited() && watched_by().is_some());
        drop(watching);
        assert!(!is_time_limited() && watched_by().is_none());
    }

    #[test]
    fn a_panic_is_not_taken_for_a_limit() {
        let panic = catch_unwind(|| until_halted(|| resume_unwind(Box::new("ours"))));
        let payload = panic.map(|_: Result<(), Halted>| ()).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"ours"));
    }
}
