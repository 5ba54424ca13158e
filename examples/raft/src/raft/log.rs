//! A server's log: entries after the snapshot, by index from 1.
//! Invariant: entries up to `base.index` are in the snapshot and nowhere else.

use foresee::{Address, KeyValueCommand};
use serde::{Deserialize, Serialize};

/// A call of a client, or nothing: a new leader begins its term with an entry of its own.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Entry {
    pub(crate) term: u64,
    pub(crate) call: Option<Call>,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Call {
    pub(crate) client: Address,
    pub(crate) number: u64,
    pub(crate) command: KeyValueCommand,
}

/// An index and the term of the entry there; places are compared as logs are, by term first.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
pub(crate) struct Place {
    pub(crate) term: u64,
    pub(crate) index: u64,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Log {
    /// The end of the snapshot.
    pub(crate) base: Place,
    pub(crate) entries: Vec<Entry>,
}

impl Log {
    pub(crate) fn last(&self) -> Place {
        let index = self.base.index + self.entries.len() as u64;
        self.entries.last().map_or(self.base, |entry| Place { term: entry.term, index })
    }

    /// The term of the entry at an index; `None` beyond the end and inside the snapshot.
    pub(crate) fn term(&self, index: u64) -> Option<u64> {
        match index == self.base.index {
            true => Some(self.base.term),
            false => self.entry(index).map(|entry| entry.term),
        }
    }

    pub(crate) fn entry(&self, index: u64) -> Option<&Entry> {
        let at = index.checked_sub(self.base.index + 1)?;
        self.entries.get(at as usize)
    }

    /// The entries after an index that is not inside the snapshot.
    pub(crate) fn after(&self, index: u64) -> &[Entry] {
        let at = index.saturating_sub(self.base.index) as usize;
        self.entries.get(at..).unwrap_or_default()
    }

    /// Cuts off everything after an index.
    pub(crate) fn truncate(&mut self, index: u64) {
        self.entries.truncate(index.saturating_sub(self.base.index) as usize);
    }

    /// Forgets what a snapshot has; all of it, if the log does not agree with the snapshot.
    pub(crate) fn compact(&mut self, base: Place) {
        match self.term(base.index) == Some(base.term) {
            true => drop(self.entries.drain(..(base.index - self.base.index) as usize)),
            false => self.entries.clear(),
        }
        self.base = base;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(terms: &[u64]) -> Log {
        let entries = terms.iter().map(|&term| Entry { term, call: None }).collect();
        Log { base: Place::default(), entries }
    }

    #[test]
    fn a_log_keeps_its_indices_when_it_is_compacted() {
        let mut log = log(&[1, 1, 2, 3]);
        assert_eq!((log.last(), log.term(3)), (Place { term: 3, index: 4 }, Some(2)));
        log.compact(Place { term: 1, index: 2 });
        assert_eq!((log.last(), log.term(3)), (Place { term: 3, index: 4 }, Some(2)));
        assert_eq!((log.term(2), log.term(1), log.after(3).len()), (Some(1), None, 1));
        log.truncate(3);
        assert_eq!(log.last(), Place { term: 2, index: 3 });
        log.compact(Place { term: 5, index: 9 });
        assert_eq!((log.last(), log.entries.len()), (Place { term: 5, index: 9 }, 0));
    }

    #[test]
    fn a_later_term_beats_a_longer_log() {
        assert!(log(&[1, 2]).last() > log(&[1, 1, 1]).last());
        assert!(log(&[1, 1]).last() > log(&[1]).last());
    }
}
