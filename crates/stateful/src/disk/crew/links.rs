//! Who owns a state, and how a state names its parent among those of all workers.

/// Virtual shards: the owner of a key follows from its highest bits.
const SHARD_BITS: u32 = 12;
/// The most workers there can be: each has a shard.
pub const WORKERS_MAX: usize = 1 << SHARD_BITS;
/// Bits of a place in a level, in a link to a parent.
pub(super) const PLACE_BITS: u32 = 48;

/// The worker that owns a key: a contiguous range of shards each.
#[inline]
pub(super) fn owner(key: u128, workers: usize) -> usize {
    let shard = (key >> (128 - SHARD_BITS)) as usize;
    (shard * workers) >> SHARD_BITS
}

/// A parent among all states of its level, in the order of keys.
pub(super) fn parent(worker: usize, position: u64) -> u64 {
    (worker as u64) << PLACE_BITS | position
}

/// A link as it is written to files: small numbers stay small, whichever worker has the parent.
pub(in crate::disk) fn link_in_file(link: u64, workers: usize) -> u64 {
    let (flags, parent) = (link & 3, link >> 2);
    let (worker, position) = (parent >> PLACE_BITS, parent & ((1 << PLACE_BITS) - 1));
    (position * workers as u64 + worker) << 2 | flags
}

/// What [`link_in_file`] was made of.
pub(in crate::disk) fn link_from_file(link: u64, workers: usize) -> u64 {
    let (flags, parent) = (link & 3, link >> 2);
    let (worker, position) = (parent % workers as u64, parent / workers as u64);
    (worker << PLACE_BITS | position) << 2 | flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_in_the_order_of_keys_and_links_come_back() {
        for workers in [1, 2, 3, 7, 8, 64, WORKERS_MAX] {
            let keys = (0..1000u128).map(|n| n * (u128::MAX / 999));
            let owners: Vec<usize> = keys.map(|key| owner(key, workers)).collect();
            assert!(owners.is_sorted() && owners[0] == 0 && owners[999] == workers - 1);
            for (worker, position) in [(0, 0), (0, 77), (workers - 1, 0), (workers - 1, 1 << 33)] {
                let link = parent(worker, position) << 2 | 3;
                assert_eq!(link_from_file(link_in_file(link, workers), workers), link);
            }
        }
        assert_eq!(link_in_file(1234, 1), 1234);
    }
}
