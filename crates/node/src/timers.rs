//! Pending timers and the rule of which may fire.
//! Why: timers of one node run on one clock, so they cannot fire in an order that no choice of durations explains; that is
//! all the order there is, because clocks of different nodes have nothing to do with each other.
//! Rule: a timer may fire unless a timer that was set before it and is still pending has `max <=` its `min`.
//! Among equal timers (same value, same bounds) only the one set first fires: the handler cannot tell them apart, and
//! what is left pending then allows every order that the other choice would.

use std::time::Duration;

/// A timer that is set.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct PendingTimer<T> {
    pub timer: T,
    /// It fires no earlier than this after it was set.
    pub min: Duration,
    /// It fires no later than this after it was set.
    pub max: Duration,
}

/// The positions of the timers that may fire, of a queue in the order of setting.
///
/// ```
/// use foresee_node::{PendingTimer, may_fire};
/// use std::time::Duration;
/// let after = |timer, ms| PendingTimer { timer, min: Duration::from_millis(ms), max: Duration::from_millis(ms) };
/// let queue = [after("retry", 10), after("give up", 50), after("ping", 5)];
/// assert_eq!(may_fire(&queue).collect::<Vec<_>>(), [0, 2], "giving up comes after the retry");
/// ```
pub fn may_fire<T: Eq>(queue: &[PendingTimer<T>]) -> impl Iterator<Item = usize> {
    (0..queue.len()).filter(|&position| {
        let pending = &queue[position];
        !queue[..position].iter().any(|earlier| earlier.max <= pending.min || earlier == pending)
    })
}

/// Takes back every pending timer equal to `timer`.
pub fn cancel_timers<T: Eq>(queue: &mut Vec<PendingTimer<T>>, timer: &T) {
    queue.retain(|pending| pending.timer != *timer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(bounds: &[(char, u64, u64)]) -> Vec<PendingTimer<char>> {
        let pending = |&(timer, min, max): &(char, u64, u64)| PendingTimer {
            timer,
            min: Duration::from_millis(min),
            max: Duration::from_millis(max),
        };
        bounds.iter().map(pending).collect()
    }

    fn fires(bounds: &[(char, u64, u64)]) -> String {
        let queue = queue(bounds);
        may_fire(&queue).map(|position| queue[position].timer).collect()
    }

    #[test]
    fn an_earlier_timer_that_must_fire_first_blocks() {
        assert_eq!(fires(&[('a', 10, 10), ('b', 10, 10)]), "a", "max = min blocks");
        assert_eq!(fires(&[('a', 10, 11), ('b', 10, 10)]), "ab", "max > min does not");
        assert_eq!(fires(&[('a', 10, 10), ('b', 9, 20)]), "ab", "b may be the faster one");
        assert_eq!(fires(&[('a', 5, 10), ('b', 10, 12)]), "a");
        assert_eq!(fires(&[('b', 10, 12), ('a', 5, 10)]), "ba", "a was set later but is shorter");
    }

    #[test]
    fn a_later_timer_never_blocks() {
        assert_eq!(fires(&[('a', 50, 50), ('b', 1, 1)]), "ab");
    }

    #[test]
    fn blocking_is_by_any_earlier_timer() {
        assert_eq!(fires(&[('a', 10, 30), ('b', 10, 20), ('c', 20, 25), ('d', 15, 40)]), "abd");
        assert_eq!(fires(&[('a', 1, 1), ('b', 1, 9), ('c', 2, 3)]), "a", "a blocks b and c");
        assert_eq!(fires(&[]), "");
    }

    #[test]
    fn of_equal_timers_the_first_fires() {
        assert_eq!(fires(&[('a', 5, 10), ('b', 6, 7), ('a', 5, 10)]), "ab");
        assert_eq!(fires(&[('a', 5, 10), ('a', 5, 11)]), "aa", "other bounds, another timer");
    }

    #[test]
    fn cancelling_takes_all_equal_timers() {
        let mut pending = queue(&[('a', 1, 1), ('b', 1, 1), ('a', 2, 2)]);
        cancel_timers(&mut pending, &'a');
        assert_eq!(pending, queue(&[('b', 1, 1)]));
        cancel_timers(&mut pending, &'x');
        assert_eq!(pending.len(), 1);
    }
}
