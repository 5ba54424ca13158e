//! Claims: many candidates enter the index at once, shard by shard, as if they had entered one after the other.
//! Candidates come in chunks whose order is that of the frontier. Of equal ones the first in that order wins its claim, whoever
//! works on which shard and when; its entry gets a provisional number. Numbers are given afterwards, when it is known how many
//! winners each chunk has ([`Shard::settle`]): dense, and in the order of the frontier. So they are those of a single thread.
//! Invariant: the candidates of a claim are not in the store as it was before ([`Candidates::drop_known`]).

use super::index::{Shard, Vacancy, shard_of};
use super::{StateIndex, StateStore};
use crate::{Candidates, VisitedKind};
use std::ops::Deref;

/// A claim that was won and has no number yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    chunk: u32,
    position: u32,
    vacancy: Vacancy,
}

impl Shard {
    /// Enters the candidates of `chunks` that belong here, which is shard `number` of `store`, and marks the winners.
    pub fn claim<C: Deref<Target = Candidates>>(
        &mut self,
        number: usize,
        store: &StateStore,
        chunks: &[C],
    ) {
        debug_assert!(self.pending.is_empty(), "earlier claims have their numbers");
        let n: usize = chunks.iter().map(|chunk| chunk.routed(number).len()).sum();
        self.make_room(
            number,
            n,
            |state| store.hash_of(state),
            |state| store.prefetch_words(StateIndex(state)),
        );
        let n_known = store.len() as u32;
        let mut hashes = Vec::new();
        for (chunk_idx, chunk) in (0u32..).zip(chunks) {
            hashes.clear();
            let hash = |position: &u32| store.spread(chunk.head(*position as usize).identity);
            hashes.extend(chunk.routed(number).iter().map(hash));
            // Reads of the index that do not wait for each other.
            let n_near: u32 = hashes.iter().map(|hash| self.is_home_taken(*hash)).sum();
            std::hint::black_box(n_near);
            for (&position, &hash) in chunk.routed(number).iter().zip(&hashes) {
                let place = position as usize;
                let is_same = |entry: u32| {
                    let Some(pending) = entry.checked_sub(n_known) else { return false };
                    let Some(other) = self.pending.get(pending as usize) else { return false };
                    let theirs = &chunks[other.chunk as usize];
                    let other = other.position as usize;
                    match store.kind() {
                        VisitedKind::Exact => theirs.words(other) == chunk.words(place),
                        VisitedKind::Fingerprint => {
                            theirs.head(other).identity == chunk.head(place).identity
                        }
                    }
                };
                if let Err(vacancy) = self.probe(hash, is_same) {
                    self.occupy(vacancy, hash, n_known + self.pending.len() as u32);
                    self.pending.push(Pending { chunk: chunk_idx, position, vacancy });
                    chunk.win(place);
                }
            }
        }
    }

    /// Gives the winners of the last claim their numbers: `number(chunk, position)`.
    pub fn settle(&mut self, number: impl Fn(usize, usize) -> u32) {
        for at in 0..self.pending.len() {
            let Pending { chunk, position, vacancy } = self.pending[at];
            self.renumber(vacancy, number(chunk as usize, position as usize));
        }
        self.pending.clear();
    }
}

/// The shard of a candidate's hash.
pub(crate) fn shard_of_hash(hash: u64) -> usize {
    shard_of(hash)
}
