//! Small things the standard library lacks.
//! Why: hashes here must be the same on every machine, in every run and on every thread, because fingerprints,
//! checkpoints and the order of exploration follow from them; the standard hashers promise none of that.
//! Not here: anything that knows what a state or a message is (`foresee-lts`, the front ends).

mod chunked;
pub mod halt;
mod hash;
mod names;
mod nearest;
mod prefetch;
mod random;
pub mod stack;
mod texts;

pub use chunked::ChunkedVec;
pub use hash::{StableHasher, mix, stable_hash};
pub use names::compare_naturally;
pub use nearest::{edit_distance, nearest_name};
pub use prefetch::prefetch;
pub use random::Random;
pub use texts::{escaped_markup, matches_pattern, panic_text};
