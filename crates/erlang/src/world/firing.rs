//! Which timers may fire: those that are short enough, and each target's only so often.
//! Why a number for each target: a server that ticks sets a new timer at every tick, so that the timers themselves are many and
//! each fires once. One number for the whole program would make timers race that have nothing to do with each other.
//! Invariant: two firings for one target touch one object, since the earlier may use up what the later needs; a timer that was
//! cancelled fires without effect and is neither counted nor held back.
//! Not here: what a timer that fires does (`crate::world::perform`), timeouts of receives (`Erlang::may_time_out`).

use crate::options::Options;
use crate::term::{Term, order};
use crate::world::component::{Timer, Timers};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rule of a run, and whether it has left something out.
#[derive(Clone, Debug)]
pub(crate) struct Firing {
    /// Timers of at least so many milliseconds never fire.
    below_ms: Option<u64>,
    /// So many firings for one target.
    max: Option<u32>,
    was_cut: Arc<AtomicBool>,
}

impl Firing {
    pub(crate) fn new(options: &Options) -> Firing {
        Firing {
            below_ms: options.send_after_timeout,
            max: options.timer_firings_max,
            was_cut: Arc::default(),
        }
    }

    /// Every timer may fire at any time.
    pub(crate) fn is_free(&self) -> bool {
        self.below_ms.is_none() && self.max.is_none()
    }

    pub(crate) fn counts(&self) -> bool {
        self.max.is_some()
    }

    /// Whether a timer is held back only because there were firings enough.
    pub(crate) fn is_cut(&self, timers: &Timers, timer: &Timer) -> bool {
        let is_used_up = |max: u32| timers.n_firings(&timer.target) >= max;
        !timer.cancelled && !self.is_long(timer) && self.max.is_some_and(is_used_up)
    }

    /// The indices of the timers that may fire; notes that others may not.
    pub(crate) fn ready(&self, timers: &Timers) -> Box<[u32]> {
        let may_fire = |timer: &Timer| {
            let is_cut = self.is_cut(timers, timer);
            if is_cut {
                self.was_cut.store(true, Ordering::Relaxed);
            }
            !is_cut && (timer.cancelled || !self.is_long(timer))
        };
        let all = timers.timers.iter().enumerate();
        all.filter(|(_, timer)| may_fire(timer)).map(|(index, _)| index as u32).collect()
    }

    /// Answers of system processes are timers of no time at all.
    fn is_long(&self, timer: &Timer) -> bool {
        timer.milliseconds > 0 && self.below_ms.is_some_and(|limit| timer.milliseconds >= limit)
    }

    pub(crate) fn has_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
    }
}

impl Timers {
    fn n_firings(&self, target: &Term) -> u32 {
        let own = self.firings.iter().find(|(own, _)| own == target);
        own.map_or(0, |(_, n)| *n)
    }

    /// One more firing for a target.
    pub(crate) fn count_firing(&mut self, target: &Term) {
        match self.firings.iter_mut().find(|(own, _)| own == target) {
            Some((_, n)) => *n += 1,
            None => {
                let at =
                    self.firings.partition_point(|(own, _)| order::compare(own, target).is_lt());
                self.firings.insert(at, (target.clone(), 1));
            }
        }
    }
}
