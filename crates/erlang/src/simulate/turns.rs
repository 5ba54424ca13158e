//! Turns: the schedule of a machine with one processor and little to do.
//! Why: a random schedule stops processes where a real one hardly ever does, so a test that passes on any Erlang may fail in
//! its first random run. A person who runs the tests of a project wants to see first what a real one shows.
//! Who can go on stands in a queue in the order in which that began. The first runs until it waits, or for as many steps as a
//! turn has; then it stands at the end.
//! Not here: what can happen (`events`), when timers are due (`super`).

use crate::events::actions::Move;
use crate::term::{Pid, Reference};

/// After so many steps a process that could go on lets the others come first.
const STEPS: u32 = 200;

/// Whose turn it may be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Party {
    Process(Pid),
    Channel(Pid, Pid),
    Timer(Reference),
    Nobody,
}

impl Party {
    /// Who makes a move; `timer` names the timer at an index.
    pub(super) fn of(made: Move, timer: impl Fn(usize) -> Option<Reference>) -> Party {
        match made {
            Move::Process(pid) | Move::Timeout(pid) | Move::Crash(pid) => Party::Process(pid),
            Move::Deliver(from, to) => Party::Channel(from, to),
            Move::Timer(index) => timer(index).map_or(Party::Nobody, Party::Timer),
            Move::NoMoreCrashes => Party::Nobody,
        }
    }
}

/// Who stands in the queue.
#[derive(Debug, Default)]
pub(super) struct Turns {
    queue: Vec<Party>,
    n_steps: u32,
}

impl Turns {
    /// The index of the one whose turn it is among those that can go on; there is at least one.
    pub(super) fn next(&mut self, ready: &[Party]) -> usize {
        let first = self.queue.first().copied();
        self.queue.retain(|party| ready.contains(party));
        let is_going_on = first.is_some() && self.queue.first().copied() == first;
        let came: Vec<Party> =
            ready.iter().copied().filter(|party| !self.queue.contains(party)).collect();
        self.queue.extend(came);
        self.n_steps = if is_going_on { self.n_steps + 1 } else { 0 };
        if self.n_steps >= STEPS {
            self.queue.rotate_left(1);
            self.n_steps = 0;
        }
        let next = self.queue[0];
        ready.iter().position(|party| *party == next).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(n: u32) -> Party {
        Party::Channel(Pid::first(), Pid::first().child(n))
    }

    #[test]
    fn the_first_runs_until_it_waits_and_then_stands_last() {
        let (a, b, c) = (process(1), process(2), process(3));
        let mut turns = Turns::default();
        assert_eq!(turns.next(&[a, b]), 0);
        assert_eq!(turns.next(&[a, b, c]), 0);
        assert_eq!(turns.next(&[b, c]), 0);
        assert_eq!(turns.next(&[a, b, c]), 1);
        assert_eq!(turns.next(&[a, c]), 1, "c has stood there for longer than a");
    }

    #[test]
    fn a_turn_has_an_end() {
        let (a, b) = (process(1), process(2));
        let mut turns = Turns::default();
        let chosen: Vec<usize> = (0..2 * STEPS).map(|_| turns.next(&[a, b])).collect();
        let n_of = |who| chosen.iter().filter(|it| **it == who).count();
        assert_eq!((n_of(0), n_of(1)), (STEPS as usize, STEPS as usize));
    }
}
