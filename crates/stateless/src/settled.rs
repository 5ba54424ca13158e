//! Reversing sequences that have been seen to.
//! Why: a race is reversed at the end of every run that has it, and a run that goes on in another way mostly leads to a sequence
//! that is known: six in seven of them where Erlang processes call each other. To run such a sequence and to hold it against
//! sleepers and wakeup trees costs far more than to know it again.
//! A sequence is known by where it begins, by its events and by how it ends; an event is known by its thread and by all that it
//! needs (`run::Past`). So two sequences that differ only in the order of independent events are one: what covers one of them
//! covers the other. While one branch is explored from a state, the same events do the same from there, the same steps
//! sleep, and what is pending there only grows: what was covered or pending still is.
//! This is a cache, not a list of all sequences: what was forgotten is seen to again, and nothing is lost but time.
//! Not here: seeing to a sequence (`plan`).

use foresee_stdx::mix;

/// Sequences that may be known stand in rows, and each takes the place of the oldest in its row: then few are forgotten while there is
/// room for them.
const ROW: usize = 8;

/// So many rows there are, a power of two; more where a run has more races than that, up to the most: what one run has
/// forgotten of its own sequences the next would have to see to again.
const N_ROWS: usize = 1 << 9;
const N_ROWS_MOST: usize = 1 << 17;

#[derive(Debug)]
pub(crate) struct Settled {
    /// What is known, as hashes, the newest first; 0 is nothing.
    rows: Vec<[u64; ROW]>,
    n_visits: u64,
}

impl Settled {
    pub(crate) fn new() -> Self {
        Settled { rows: vec![[0; ROW]; N_ROWS], n_visits: 0 }
    }

    /// With nothing known, for an explorer that goes on where this one is: no visit of one is a visit of the other.
    pub(crate) fn empty(&self) -> Self {
        Settled { n_visits: self.n_visits, ..Settled::new() }
    }

    /// Makes room for the sequences of a run that has so many races.
    pub(crate) fn reserve(&mut self, n_races: usize) {
        let wanted = (n_races / 2).next_power_of_two().min(N_ROWS_MOST);
        if wanted > self.rows.len() {
            let rows = std::mem::replace(&mut self.rows, vec![[0; ROW]; wanted]);
            let known = rows.iter().flat_map(|row| row.iter().rev()).filter(|hash| **hash != 0);
            known.for_each(|hash| self.insert(*hash));
        }
    }

    /// The number of a visit to a state, which lasts as long as one branch from there is explored.
    pub(crate) fn visit(&mut self) -> u64 {
        self.n_visits += 1;
        self.n_visits
    }

    /// Whether a sequence, of which these are hashes, has been seen to during a visit; from now on it has.
    pub(crate) fn has_seen(&mut self, visit: u64, sequence: &[u64]) -> bool {
        let hash = sequence.iter().fold(mix(visit), |hash, part| mix(hash ^ part)).max(1);
        let is_known = self.rows[self.row_of(hash)].contains(&hash);
        if !is_known {
            self.insert(hash);
        }
        is_known
    }

    fn insert(&mut self, hash: u64) {
        let row_idx = self.row_of(hash);
        let row = &mut self.rows[row_idx];
        row.copy_within(..ROW - 1, 1);
        row[0] = hash;
    }

    fn row_of(&self, hash: u64) -> usize {
        hash as usize % self.rows.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<[u64; ROW]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_known_by_its_visit_and_its_parts_in_order() {
        let mut settled = Settled::new();
        let (one, two) = (settled.visit(), settled.visit());
        let mut seen = |visit, parts: &[u64]| settled.has_seen(visit, parts);
        assert!(!seen(one, &[1, 2, 3]) && seen(one, &[1, 2, 3]));
        assert!(!seen(two, &[1, 2, 3]) && !seen(one, &[2, 1, 3]) && !seen(one, &[1, 2]));
        assert!(seen(one, &[1, 2, 3]) && seen(two, &[1, 2, 3]));
        let mut other = settled.empty();
        assert!(!other.has_seen(one, &[1, 2, 3]) && other.visit() > two);
    }

    #[test]
    fn what_a_run_has_is_known_however_much_that_is() {
        let mut settled = Settled::new();
        for n_races in [5_000, 60_000] {
            settled.reserve(n_races);
            let n_known = (0..n_races as u64).filter(|part| settled.has_seen(1, &[*part])).count();
            assert!(n_known <= 5_000, "what was known before");
            let again = (0..n_races as u64).filter(|part| settled.has_seen(1, &[*part])).count();
            assert!(again * 1_000 > n_races * 999, "{again} of {n_races}");
        }
    }
}
