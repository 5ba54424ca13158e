//! The signatures of the states under work, in little room.
//! Why not a sorted list each: with inert steps a state can do all that the states it may turn into can do, and these lists
//! may be long and nearly the same for tens of thousands of states (all those that may enter one large cycle of internal
//! steps). So a signature is a list it shares with others and a short one of its own.
//! Two signatures are the same if sums of 128 hash bits over their pairs are: with ten million signatures the chance of a
//! mistake is below 2^-80. Small ones are compared in full in debug builds.

use super::partition::Signature;
use foresee_stdx::mix;
use rustc_hash::FxHashMap;
use std::ops::Range;

type Pair = (u32, u32);

/// A set of pairs: those of `base` and those of `extra`, which has none of `base`. Both are sorted ranges of the arena.
#[derive(Clone, Debug, Default)]
pub(super) struct Sign {
    base: Range<usize>,
    base_sum: u128,
    extra: Range<usize>,
    sum: u128,
}

impl Sign {
    fn len(&self) -> usize {
        self.base.len() + self.extra.len()
    }
}

/// The signatures of the marked states of one block.
#[derive(Default)]
pub(super) struct Signatures {
    arena: Vec<Pair>,
    signs: Vec<Sign>,
    /// That of the unmarked states.
    unmarked: Sign,
    /// Of the signature being made: where it starts, and what it inherits.
    start: usize,
    inherited: Vec<Sign>,
}

/// With no more marked states than this, looking through the groups beats a table of them.
const FEW: usize = 16;

/// Marked states by signature; groups are numbered in the order in which they are met.
#[derive(Default)]
pub(super) struct Groups {
    /// The group of each marked state.
    pub(super) of: Vec<u32>,
    pub(super) sizes: Vec<u32>,
    /// The first member of each group.
    pub(super) first: Vec<usize>,
}

impl Groups {
    pub(super) fn largest(&self) -> usize {
        let largest =
            (0..self.sizes.len()).max_by_key(|group| (self.sizes[*group], usize::MAX - group));
        largest.expect("a block in the queue has marked states")
    }
}

impl Signatures {
    /// Forgets everything; the unmarked states have this signature.
    pub(super) fn reset(&mut self, unmarked: &[Pair]) {
        self.arena.clear();
        self.signs.clear();
        self.arena.extend_from_slice(unmarked);
        let sum = sum_of(unmarked);
        let base = 0..unmarked.len();
        self.unmarked = Sign { base, base_sum: sum, extra: 0..0, sum };
    }

    pub(super) fn begin(&mut self) {
        self.start = self.arena.len();
        self.inherited.clear();
    }

    pub(super) fn add(&mut self, pair: Pair) {
        self.arena.push(pair);
    }

    /// Adds all of a signature finished before.
    pub(super) fn inherit(&mut self, number: u32) {
        self.inherited.push(self.signs[number as usize].clone());
    }

    pub(super) fn inherit_unmarked(&mut self) {
        self.inherited.push(self.unmarked.clone());
    }

    /// The number of the finished signature.
    pub(super) fn finish(&mut self) -> u32 {
        let longest = self.inherited.iter().max_by_key(|sign| sign.base.len()).cloned();
        let sign = match longest {
            Some(longest) => self.finish_inherited(longest),
            None => {
                let base = self.sort_end(self.start);
                let sum = sum_of(&self.arena[base.clone()]);
                Sign { base, base_sum: sum, extra: 0..0, sum }
            }
        };
        self.signs.push(sign);
        self.signs.len() as u32 - 1
    }

    fn finish_inherited(&mut self, longest: Sign) -> Sign {
        for sign in &self.inherited {
            self.arena.extend_from_within(sign.extra.clone());
            if sign.base != longest.base {
                self.arena.extend_from_within(sign.base.clone());
            }
        }
        self.sort_end(self.start);
        let mut kept = self.start;
        for at in self.start..self.arena.len() {
            let pair = self.arena[at];
            if self.arena[longest.base.clone()].binary_search(&pair).is_err() {
                self.arena[kept] = pair;
                kept += 1;
            }
        }
        self.arena.truncate(kept);
        let extra = self.start..kept;
        let sum = longest.base_sum.wrapping_add(sum_of(&self.arena[extra.clone()]));
        if extra.len() <= longest.base.len() {
            return Sign { base: longest.base, base_sum: longest.base_sum, extra, sum };
        }
        self.arena.extend_from_within(longest.base);
        let base = self.sort_end(self.start);
        Sign { base, base_sum: sum, extra: 0..0, sum }
    }

    /// Sorts what the arena has from `start` on, each pair once.
    fn sort_end(&mut self, start: usize) -> Range<usize> {
        let arena = &mut self.arena;
        arena[start..].sort_unstable();
        let mut kept = start;
        for at in start..arena.len() {
            if kept == start || arena[at] != arena[kept - 1] {
                arena[kept] = arena[at];
                kept += 1;
            }
        }
        arena.truncate(kept);
        start..kept
    }

    /// A signature as one sorted list.
    pub(super) fn list(&self, number: usize) -> Signature {
        let sign = &self.signs[number];
        let mut list = self.arena[sign.base.clone()].to_vec();
        if !sign.extra.is_empty() {
            list.extend_from_slice(&self.arena[sign.extra.clone()]);
            list.sort_unstable();
        }
        list
    }

    /// Puts the signatures into groups; `groups` is reused, what was in it is forgotten.
    pub(super) fn group(&self, groups: &mut Groups) {
        groups.of.clear();
        groups.sizes.clear();
        groups.first.clear();
        let mut known: FxHashMap<(u64, u64), u32> = FxHashMap::default();
        for (member, sign) in self.signs.iter().enumerate() {
            let next = groups.sizes.len() as u32;
            let group = match self.signs.len() <= FEW {
                true => {
                    let is_same = |first: &usize| self.signs[*first].sum == sign.sum;
                    groups.first.iter().position(is_same).map_or(next, |at| at as u32)
                }
                false => {
                    let key = (sign.sum as u64, (sign.sum >> 64) as u64);
                    *known.entry(key).or_insert(next)
                }
            };
            if group == next {
                groups.sizes.push(0);
                groups.first.push(member);
            }
            debug_assert!(
                sign.len() > 64 || self.list(member) == self.list(groups.first[group as usize])
            );
            groups.sizes[group as usize] += 1;
            groups.of.push(group);
        }
    }
}

/// The sum of a hash of each pair: the same for the same set, however it is put together.
fn sum_of(pairs: &[Pair]) -> u128 {
    const KEY: u64 = 0x8BB8_4B93_962E_ACC9;
    pairs.iter().fold(0u128, |sum, (label, block)| {
        let word = u64::from(*label) << 32 | u64::from(*block);
        let high = mix(word.wrapping_add(1));
        let low = mix(word ^ KEY);
        sum.wrapping_add(u128::from(high) << 64 | u128::from(low))
    })
}
