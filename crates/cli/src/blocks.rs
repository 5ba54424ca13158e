//! Large blocks of memory go back to the system when they are given up.
//! Why: the C library of Linux takes blocks from the system one by one only as long as they are larger than any that was ever given back. After that they lie
//! between others, and what is free between them stays with the process. A search on disk lives on large buffers that come and go: two-phase-commit rms=9,
//! which takes 280 MiB in memory, ended for want of memory under `--memory-max 72MiB`, with half of that in holes; with this it needs less than 60 MiB.
//! This is the only `unsafe` of the crate. Invariant: the process has one thread.

/// Blocks of so many bytes and more are the system's.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 << 10;

/// From now on large blocks are given back. To be called while the process has one thread; elsewhere than with that C library nothing changes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "a setting of the C library, which has no safe form")]
pub(crate) fn give_back() {
    // SAFETY: a number in the allocator is set, and no other thread reads it meanwhile.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use crate::meter::memory_bytes;

    #[test]
    fn what_is_given_up_between_small_blocks_is_given_back() {
        const BLOCK: usize = 512 << 10;
        const N: usize = 64;
        // The library has seen a larger one, as it has in any search.
        drop(std::hint::black_box(vec![1u8; 24 << 20]));
        give_back();
        let mut small = Vec::new();
        let mut blocks = Vec::new();
        for _ in 0..N {
            blocks.push(vec![1u8; BLOCK]);
            small.push(Box::new([1u8; 1000]));
        }
        let before = memory_bytes().expect("on Linux");
        drop(std::hint::black_box(blocks));
        let after = memory_bytes().expect("on Linux");
        let least = (BLOCK * N / 2) as u64;
        assert!(before - after.min(before) > least, "{before} -> {after}");
        drop(small);
    }
}
