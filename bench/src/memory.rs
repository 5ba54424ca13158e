//! A counting allocator: the bytes that are really held, the same way for both sides.
//! Why: the resident size of a process never shrinks again and shares pages between the two sides; what each side's
//! own counters say is not comparable. Counting what is asked of the allocator is exact and costs two relaxed additions.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub(crate) struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Forgets the peak so far and returns the bytes held now.
pub(crate) fn reset_peak() -> usize {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    held
}

/// The most bytes held at once since [`reset_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Relaxed)
}

fn grown(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    if held > PEAK.load(Relaxed) {
        PEAK.fetch_max(held, Relaxed);
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
        grown(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // While it grows, a block may exist twice; count it so, as the peak would.
        grown(new_size);
        let grown_block = unsafe { System.realloc(pointer, layout, new_size) };
        HELD.fetch_sub(layout.size(), Relaxed);
        grown_block
    }
}
