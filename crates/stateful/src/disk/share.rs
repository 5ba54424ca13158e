//! How memory is shared out between the tables of a search on disk.
//! What the process holds before the search begins is not ours. Of the rest a quarter is for candidates, an eighth (a quarter where there is no limit) for the
//! keys of all states as long as that suffices, an eighth for tables of some keys, and what is left for components, the system's memories and the allocator. Components grow, and candidates give way.
//! As long as all states are held (`held.rs`), they have three sixteenths (a half where there is no limit) instead: with most allocators what they took stays with the process
//! when they are given up, in pieces that may be too small for what comes after.

const MIB: u64 = 1 << 20;
/// Where there is no limit.
const USUAL: u64 = 2048 * MIB;
const CANDIDATES_MIN: u64 = 16 << 10;

/// Bytes for each purpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    limit: Option<u64>,
    pub(super) seen_bytes: usize,
    /// For the keys of all states; when they have more, they are on disk only.
    pub(super) known_bytes: u64,
    /// For all states, in an exact store: then nothing else of these is in use.
    pub(super) held_bytes: u64,
    pub(super) filter_bytes: u64,
    /// Candidates that have so many bytes are written to disk.
    pub(super) candidate_bytes: u64,
    candidate_bytes_most: u64,
}

impl Share {
    pub(super) fn of(limit: Option<u64>, used: Option<u64>) -> Share {
        Share::of_part(limit, used, 1)
    }

    /// For one of several workers in this process.
    pub(super) fn of_part(limit: Option<u64>, used: Option<u64>, parts: usize) -> Share {
        let free = limit.unwrap_or(USUAL).saturating_sub(used.unwrap_or(0)) / parts as u64;
        let candidate_bytes = (free / 4).max(CANDIDATES_MIN);
        Share {
            limit,
            seen_bytes: (free / 16).max(16 << 10) as usize,
            // It takes half as much again while it grows, and nothing else gives way to it.
            known_bytes: if limit.is_some() { free / 8 } else { free / 4 },
            held_bytes: if limit.is_some() { free * 3 / 16 } else { free / 2 },
            filter_bytes: free / 16,
            candidate_bytes,
            candidate_bytes_most: candidate_bytes,
        }
    }

    /// Looks again, when no candidates are in memory: they get half of what is free now.
    pub(super) fn adapt(&mut self, used: Option<u64>) {
        if let (Some(limit), Some(used)) = (self.limit, used) {
            let half = limit.saturating_sub(used) / 2;
            self.candidate_bytes = half.clamp(CANDIDATES_MIN, self.candidate_bytes_most);
        }
    }

    /// Bits of filter for each of so many keys.
    pub(super) fn bits_per_key(&self, keys: u64) -> u64 {
        (self.filter_bytes * 8 / keys.max(1)).min(10)
    }
}
