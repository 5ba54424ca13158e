//! Segments: what a search keeps on disk, in files that are written once and never changed.
//! Why: a search that has outgrown memory needs the states of each level in order, the keys of all levels sorted, and a way to go on
//! after the machine has stopped at any moment. Files that are only appended to, blocks that know their checksums, and a list of
//! the files that count (the [`Manifest`], replaced in one step) give all three.
//!
//! Reading order: [`Disk`] (what the edge lends), [`Volume`] (the same with a budget), `block.rs` (checksummed blocks), `states.rs`
//! (states in few bits), `found.rs` (states as memory has them), `runs.rs` (sorted keys, found again by fences and a filter), `manifest.rs`; [`MemoryDisk`] where nothing is to be kept, [`SimulatedDisk`] for tests.
//! Invariant: a file named by a manifest was synced before the manifest was; files that no manifest names are rubbish.
//! Not here: the search itself (`foresee-stateful`, `disk/`), and real files (the edges).

mod block;
mod disk;
mod found;
mod known;
mod manifest;
mod memory;
mod runs;
mod seen;
mod simulated;
mod states;
mod volume;

pub use block::{BlockReader, BlockWriter, Varint, checksum, put_varint};
pub use disk::{Disk, DiskError};
pub use found::FoundWriter;
pub use known::Known;
pub use manifest::{FileInfo, LevelInfo, Manifest, Noted};
pub use memory::MemoryDisk;
pub use runs::{Run, RunCursor, RunWriter, merge_runs};
pub use seen::Seen;
pub use simulated::SimulatedDisk;
pub use states::{Shape, StateReader, StateWriter};
pub use volume::Volume;
