//! Timers that are due at a time of the monotonic clock.
//! Most timers of a protocol take one time, so they are due in the order in which they are set: those wait in a queue, the others in a heap.
//! A timer that was cancelled stays here until it would be due; its node then knows nothing of its ticket.
//! Invariant: of timers due at one time the one set first comes first, so that a node never sees an order that no choice of
//! durations explains.

use foresee_stdx::Random;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Timers {
    /// Each due no earlier than the one before.
    queue: VecDeque<Due>,
    heap: BinaryHeap<Reverse<Due>>,
    n_set: u64,
    random: Random,
}

/// When it is due, the how manyth it is, whose it is, and its ticket there.
type Due = (Duration, u64, u32, u64);

impl Timers {
    pub(crate) fn new(seed: u64) -> Self {
        let (queue, heap) = (VecDeque::new(), BinaryHeap::new());
        Timers { queue, heap, n_set: 0, random: Random::new(seed) }
    }

    /// Sets a timer of a member; how long it takes between `min` and `max` is drawn.
    pub(crate) fn set(
        &mut self,
        now: Duration,
        member: u32,
        ticket: u64,
        min: Duration,
        max: Duration,
    ) {
        let width = u64::try_from((max - min).as_nanos()).unwrap_or(u64::MAX);
        let drawn = if width == 0 { 0 } else { self.random.between(0, width) };
        let due = now.saturating_add(min).saturating_add(Duration::from_nanos(drawn));
        self.n_set += 1;
        let timer = (due, self.n_set, member, ticket);
        match self.queue.back() {
            Some(last) if *last > timer => self.heap.push(Reverse(timer)),
            _ => self.queue.push_back(timer),
        }
    }

    /// The timer that is due next, and whether it is in the queue.
    fn next(&self) -> Option<(&Due, bool)> {
        match (self.queue.front(), self.heap.peek()) {
            (Some(first), Some(Reverse(other))) if other < first => Some((other, false)),
            (Some(first), _) => Some((first, true)),
            (None, other) => other.map(|Reverse(other)| (other, false)),
        }
    }

    /// When the next timer is due.
    pub(crate) fn next_due(&self) -> Option<Duration> {
        self.next().map(|((due, ..), _)| *due)
    }

    /// A timer that is due.
    pub(crate) fn take_due(&mut self, now: Duration) -> Option<(u32, u64)> {
        let (&(due, _, member, ticket), is_queued) = self.next()?;
        if due > now {
            return None;
        }
        match is_queued {
            true => drop(self.queue.pop_front()),
            false => drop(self.heap.pop()),
        }
        Some((member, ticket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn timers_come_in_the_order_they_are_due_and_equal_ones_in_the_order_of_setting() {
        let mut timers = Timers::new(1);
        timers.set(Duration::ZERO, 0, 0, 5 * MS, 5 * MS);
        timers.set(2 * MS, 1, 0, 3 * MS, 3 * MS);
        timers.set(Duration::ZERO, 0, 1, MS, MS);
        assert_eq!(timers.take_due(Duration::ZERO), None);
        assert_eq!(timers.next_due(), Some(MS));
        let due: Vec<_> = std::iter::from_fn(|| timers.take_due(5 * MS)).collect();
        assert_eq!(due, [(0, 1), (0, 0), (1, 0)]);
    }

    #[test]
    fn queue_and_heap_are_one() {
        let mut timers = Timers::new(1);
        // Long ones first, so that some go each way.
        for (ticket, ms) in [50, 10, 60, 10, 55, 60, 5].into_iter().zip(0..) {
            timers.set(Duration::ZERO, 0, ms, ticket * MS, ticket * MS);
        }
        assert!(!timers.queue.is_empty() && !timers.heap.is_empty());
        let due: Vec<_> = std::iter::from_fn(|| timers.take_due(99 * MS)).collect();
        assert_eq!(
            due.iter().map(|(_, ticket)| *ticket).collect::<Vec<_>>(),
            [6, 1, 3, 0, 4, 2, 5]
        );
    }

    #[test]
    fn a_duration_is_drawn_within_its_bounds_from_the_seed() {
        let drawn = |seed| {
            let mut timers = Timers::new(seed);
            (0..20).for_each(|ticket| timers.set(Duration::ZERO, 0, ticket, 10 * MS, 20 * MS));
            let mut due = Vec::new();
            while let Some(next) = timers.next_due() {
                assert!((10 * MS..=20 * MS).contains(&next));
                due.push((next, timers.take_due(next)));
            }
            due
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }
}
