//! What every engine needs: a place for visited states, limits, the outside world's meter, progress.
//! Why: engines differ in the order in which they look at states; how a state is stored in a few words, when to stop and
//! what to tell a watcher is the same for all of them, and is decided once, here.
//!
//! Reading order: [`Layout`] (a state in a few words), `store/index.rs` (finding it), [`StateStore`] (both, with parent
//! links), [`Candidates`] (successors on their way into the store), then [`Limits`], [`Meter`], [`Budget`], [`Observer`];
//! [`check_independence`] and [`Checked`], for those who doubt footprints.
//! [`Cursor`]: a system stepped by hand, what can still go wrong from a place, and the shortest way to something.
//! [`Disk`] and what is around it: a search on disk, in segments that outlast a power cut.
//! [`Exchange`]: bytes between the workers of one search, wherever they are.
//! [`Components`]: parts of states under names that mean the same to another process.
//! Not here: the order of exploration and properties (`foresee-stateful`).

mod budget;
mod candidates;
mod checked;
mod cursor;
mod exchange;
mod explored;
mod independence;
mod limits;
mod meter;
mod progress;
mod recent;
mod segments;
mod store;
mod transfer;

pub use budget::{Budget, Pace};
pub use candidates::{Candidates, Head, Terminal};
pub use checked::{Checked, CheckedMeter};
pub use cursor::{
    ChoiceOutlook, Cursor, CursorError, Decisive, Goal, GoodRun, Lends, Outlook, Place, PlaceId,
    Prospect, Taken, Until, Wrongs,
};
pub use exchange::{Arrivals, Cluster, ClusterError, Exchange, LocalExchange, Parcel};
pub use explored::{Explored, FoundError};
pub use independence::{Difference, Unlike, check_independence};
pub use limits::Limits;
pub use meter::{Meter, NoMeter};
pub use progress::{Adding, Interleavings, Observer, Progress, Silent};
pub use recent::Recent;
pub use segments::{
    BlockReader, BlockWriter, Disk, DiskError, FileInfo, FoundWriter, Known, LevelInfo, Manifest,
    MemoryDisk, Noted, Run, RunCursor, RunWriter, Seen, Shape, SimulatedDisk, StateReader,
    StateWriter, Varint, Volume, checksum, merge_runs, put_varint,
};
pub use store::{Inserted, Layout, Misfit, Shard, StateIndex, StateStore, VisitedKind};
pub use transfer::{Components, ImportError, Key};
