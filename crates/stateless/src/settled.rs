//! Reversing sequences that have been seen to.
//! Why: a race is reversed at the end of every run that has it, and a run that goes on in another way mostly leads to a sequence
//! that is known: six in seven of them where Erlang processes call each other. To run such a sequence and to hold it against
//! sleepers and wakeup trees costs far more than to know it again.
//! A sequence is known by where it begins and by the threads that run. While one branch is explored from a state, the same
//! threads in the same order do the same from there, the same steps sleep, and what is pending there only grows: what was covered
//! or pending still is.
//! This is a cache, not a list of all sequences: what was forgotten is seen to again, and nothing is lost but time.
//! Not here: seeing to a sequence (`plan`).

use foresee_stdx::mix;

/// So many are known, a power of two; each takes the place of another.
const N_KNOWN: usize = 1 << 12;

#[derive(Debug)]
pub(crate) struct Settled {
    /// What is known, as hashes; 0 is nothing.
    known: Vec<u64>,
    n_visits: u64,
}

impl Settled {
    pub(crate) fn new() -> Self {
        Settled { known: vec![0; N_KNOWN], n_visits: 0 }
    }

    /// With nothing known, for an explorer that goes on where this one is: no visit of one is a visit of the other.
    pub(crate) fn empty(&self) -> Self {
        Settled { n_visits: self.n_visits, ..Settled::new() }
    }

    /// The number of a visit to a state, which lasts as long as one branch from there is explored.
    pub(crate) fn visit(&mut self) -> u64 {
        self.n_visits += 1;
        self.n_visits
    }

    /// Whether these threads, one after the other, have been seen to during a visit; from now on they have.
    pub(crate) fn has_seen(&mut self, visit: u64, threads: impl Iterator<Item = u64>) -> bool {
        let hash = threads.fold(mix(visit), |hash, thread| mix(hash ^ thread)).max(1);
        let place = &mut self.known[hash as usize % N_KNOWN];
        std::mem::replace(place, hash) == hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_known_by_its_visit_and_its_threads_in_order() {
        let mut settled = Settled::new();
        let (one, two) = (settled.visit(), settled.visit());
        let mut seen = |visit, threads: &[u64]| settled.has_seen(visit, threads.iter().copied());
        assert!(!seen(one, &[1, 2, 3]) && seen(one, &[1, 2, 3]));
        assert!(!seen(two, &[1, 2, 3]) && !seen(one, &[2, 1, 3]) && !seen(one, &[1, 2]));
        assert!(seen(one, &[1, 2, 3]) && seen(two, &[1, 2, 3]));
        let mut other = settled.empty();
        assert!(!other.has_seen(one, [1, 2, 3].into_iter()) && other.visit() > two);
    }
}
