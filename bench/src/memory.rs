//! A counting allocator: the bytes that are really held, the same way for both sides.
//! Why: the resident size of a process never shrinks again and shares pages between the two sides; what each side's
//! own counters say is not comparable. Counting what is asked of the allocator is exact.
//! It also takes time, more from the side that allocates more; so it is switched on only in runs that are not timed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

pub(crate) struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
/// Held now; what was allocated before counting began may be freed meanwhile, so it can be less than nothing.
static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// The most bytes held at once by what `run` allocates.
pub(crate) fn peak_of<R>(run: impl FnOnce() -> R) -> (R, u64) {
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let result = run();
    ON.store(false, Relaxed);
    (result, PEAK.load(Relaxed) as u64)
}

fn changed(bytes: isize) {
    if ON.load(Relaxed) {
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        if held > PEAK.load(Relaxed) {
            PEAK.fetch_max(held, Relaxed);
        }
    }
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; every call is passed on unchanged"
)]
// SAFETY: each method hands its arguments to the system's allocator and returns what that returns; the counters do not
// allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        changed(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        changed(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        changed(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // While it grows, a block may exist twice; count it so, as the peak would.
        changed(new_size as isize);
        let grown = unsafe { System.realloc(pointer, layout, new_size) };
        changed(-(layout.size() as isize));
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_what_was_held_at_once() {
        let ((), peak) = peak_of(|| {
            let big = vec![0u8; 100_000_000];
            drop(big);
            drop(std::hint::black_box(vec![1u8; 60_000_000]));
        });
        assert!((100_000_000..150_000_000).contains(&peak), "{peak}");
    }
}
