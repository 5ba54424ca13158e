//! Prefetch: a hint that memory will be read soon.
//! Why: a search asks tables that are larger than the caches, and the next questions are known before the present one is answered. Reads that
//! are asked for ahead overlap; each alone is a wait of a hundred instructions.
//! This is the only `unsafe` of the crate. Invariant: the address is that of a reference, and a hint reads nothing that a program can see.

/// Asks for the cache line of a value. Nothing changes but the time that a read of it takes.
///
/// ```
/// let table = vec![1u64; 1000];
/// foresee_stdx::prefetch(&table[500]);
/// assert_eq!(table[500], 1);
/// ```
#[inline(always)]
#[allow(
    unsafe_code,
    reason = "a hint to the processor, which has no safe form; see the invariant above"
)]
pub fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: any address may be prefetched, and this is the address of a live value.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = value;
}
