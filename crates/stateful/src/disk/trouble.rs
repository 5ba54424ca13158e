//! What keeps a search from going on: its files, or the other workers.

use foresee_search::{ClusterError, DiskError};
use std::fmt;

/// Why a search cannot go on.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    Disk(DiskError),
    Cluster(ClusterError),
}

impl From<DiskError> for Trouble {
    fn from(error: DiskError) -> Self {
        Trouble::Disk(error)
    }
}

impl From<ClusterError> for Trouble {
    fn from(error: ClusterError) -> Self {
        Trouble::Cluster(error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Disk(error) => error.fmt(f),
            Trouble::Cluster(error) => error.fmt(f),
        }
    }
}
