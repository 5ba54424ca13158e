//! Maps: entries sorted by key, so that equal maps are equal slices and iteration has one order.
//! Why a flat vector: maps in checked programs are small, and a state is cloned, compared and printed more often than
//! a map is updated. Integers sort before floats here, because 1 and 1.0 are different keys.
//! Invariant: keys strictly increase by `order::compare_exact`; the hash is a sum over entries.

use super::deep::{Freed, free, is_compound, take};
use super::{Term, combine, order::compare_exact};
use foresee_stdx::mix;

/// A map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<(Term, Term)>,
    sum: u64,
}

impl Map {
    pub fn new() -> Map {
        Map::default()
    }

    /// Of equal keys the last wins.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (Term, Term)>) -> Map {
        let mut entries: Vec<(Term, Term)> = pairs.into_iter().collect();
        entries.sort_by(|a, b| compare_exact(&a.0, &b.0));
        // Sorting is stable, so of a run of equal keys the last was given last.
        let mut kept: Vec<(Term, Term)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match kept.last_mut() {
                Some(last) if last.0 == entry.0 => *last = entry,
                _ => kept.push(entry),
            }
        }
        let sum = kept.iter().fold(0u64, |sum, (k, v)| sum.wrapping_add(entry_hash(k, v)));
        Map { entries: kept, sum }
    }

    pub fn entries(&self) -> &[(Term, Term)] {
        &self.entries
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        if self.entries.len() <= 8 {
            return self.entries.iter().find(|(own, _)| own == key).map(|(_, value)| value);
        }
        self.position(key).ok().map(|at| &self.entries[at].1)
    }

    pub fn contains(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    pub fn insert(&mut self, key: Term, value: Term) {
        let added = entry_hash(&key, &value);
        match self.position(&key) {
            Ok(at) => {
                let old = entry_hash(&key, &self.entries[at].1);
                self.sum = self.sum.wrapping_sub(old).wrapping_add(added);
                self.entries[at].1 = value;
            }
            Err(at) => {
                self.sum = self.sum.wrapping_add(added);
                self.entries.insert(at, (key, value));
            }
        }
    }

    pub fn remove(&mut self, key: &Term) -> Option<Term> {
        let at = self.position(key).ok()?;
        let (key, value) = self.entries.remove(at);
        self.sum = self.sum.wrapping_sub(entry_hash(&key, &value));
        Some(value)
    }

    pub fn content_hash(&self) -> u64 {
        mix(self.sum ^ 0x6D61_7000 ^ self.entries.len() as u64)
    }

    fn position(&self, key: &Term) -> Result<usize, usize> {
        self.entries.binary_search_by(|(own, _)| compare_exact(own, key))
    }
}

fn entry_hash(key: &Term, value: &Term) -> u64 {
    mix(combine(key.content_hash(), value.content_hash()))
}

impl Map {
    /// As `==`, for maps that stand so many levels inside other terms.
    pub(super) fn is_equal_at(&self, other: &Map, level: usize) -> bool {
        let is_same = |((a, v), (b, w)): (&(Term, Term), &(Term, Term))| {
            a.is_equal_at(b, level) && v.is_equal_at(w, level)
        };
        self.sum == other.sum
            && self.entries.len() == other.entries.len()
            && self.entries.iter().zip(&other.entries).all(is_same)
    }

    /// Moves what is deep out, to be freed.
    pub(super) fn give_up(&mut self, freed: &mut Freed) {
        let parts = self.entries.iter_mut().flat_map(|(key, value)| [key, value]);
        freed.extend(parts.filter(|it| is_compound(it)).map(take));
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.is_equal_at(other, 0)
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        if self.entries.iter().any(|(key, value)| is_compound(key) || is_compound(value)) {
            let mut freed = Freed::new();
            self.give_up(&mut freed);
            free(freed);
        }
    }
}

impl Eq for Map {}

impl std::hash::Hash for Map {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.content_hash());
    }
}
