//! The budget of one search: limits against the meter, looked at often but cheaply.
//! Why: a limit on time must bite within a fraction of a second whether an expansion takes a microsecond or a tenth of a
//! second. So the pace starts at one expansion per look, and doubles only while looks come quickly one after the other.

use crate::{Limits, Meter};
use foresee_lts::StoppedBy;
use std::time::Duration;

/// Between two looks at the clock about this much time should pass at most.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// However fast expansions are, look at least every so many.
const EXPANSIONS_MAX: u32 = 64;
/// Reading the process's memory costs a system call or locks; it may be done less often.
const MEMORY_EVERY: Duration = Duration::from_millis(20);
const MEMORY_EVERY_EXPANSIONS: u32 = 4096;
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// How many expansions may pass until the next look at the clock.
#[derive(Clone, Debug)]
pub struct Pace {
    step: u32,
    left: u32,
    last: Duration,
}

impl Pace {
    pub fn new(now: Duration) -> Self {
        Pace { step: 1, left: 1, last: now }
    }

    /// How many expansions may be done in one go; at least one.
    pub fn allowance(&self) -> usize {
        self.left.max(1) as usize
    }

    /// Notes `expansions` done; true when it is time to look.
    pub fn spend(&mut self, expansions: usize) -> bool {
        self.left = self.left.saturating_sub(expansions as u32);
        self.left == 0
    }

    /// Notes that the clock was read.
    pub fn looked(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.last);
        self.step = if passed > LOOK_EVERY {
            (self.step / 2).max(1)
        } else if passed < LOOK_EVERY / 4 {
            (self.step * 2).min(EXPANSIONS_MAX)
        } else {
            self.step
        };
        self.left = self.step;
        self.last = now;
    }
}

/// The limits of one search, counted from its beginning.
pub struct Budget<'a> {
    meter: &'a dyn Meter,
    limits: &'a Limits,
    started: Duration,
    pace: Pace,
    /// Since memory was last looked at.
    expansions: u32,
    memory_last: Duration,
    progress_last: Duration,
}

impl<'a> Budget<'a> {
    pub fn new(meter: &'a dyn Meter, limits: &'a Limits) -> Self {
        let now = meter.elapsed();
        Budget {
            meter,
            limits,
            started: now,
            pace: Pace::new(now),
            expansions: 0,
            memory_last: now,
            progress_last: now,
        }
    }

    /// How many expansions may be done before [`Budget::spend`] must be told.
    pub fn allowance(&self) -> usize {
        self.pace.allowance()
    }

    /// Notes `expansions` done and looks at the meter when it is time; `memory` is asked only if the meter does not
    /// know. The answer is the limit that is reached.
    pub fn spend(&mut self, expansions: usize, memory: impl FnOnce() -> u64) -> Option<StoppedBy> {
        self.expansions = self.expansions.saturating_add(expansions as u32);
        if !self.pace.spend(expansions) {
            return None;
        }
        let now = self.meter.elapsed();
        self.pace.looked(now);
        self.exceeded(now, memory)
    }

    fn exceeded(&mut self, now: Duration, memory: impl FnOnce() -> u64) -> Option<StoppedBy> {
        if let Some(stopped_by) = out_of_time(self.meter, self.limits, self.started, now) {
            return Some(stopped_by);
        }
        let memory_max = self.limits.memory_max?;
        let due = self.expansions >= MEMORY_EVERY_EXPANSIONS
            || now.saturating_sub(self.memory_last) >= MEMORY_EVERY;
        if due {
            (self.memory_last, self.expansions) = (now, 0);
            let bytes = self.meter.memory_bytes().unwrap_or_else(memory);
            return (bytes > memory_max).then_some(StoppedBy::Memory);
        }
        None
    }

    /// Tells the meter how many events have been explored, all in all.
    pub fn reached(&self, events: u64) {
        self.meter.reached(events);
    }

    /// Whether it is time to tell the observer; true at most a few times a second.
    pub fn progress_due(&mut self) -> bool {
        let due = self.pace.last.saturating_sub(self.progress_last) >= PROGRESS_EVERY;
        if due {
            self.progress_last = self.pace.last;
        }
        due
    }

    /// A look at the clock for another thread of the same search, which keeps its own [`Pace`].
    pub fn watch(&self) -> impl Fn(&mut Pace, usize) -> bool + Sync + use<'a> {
        let (meter, limits, started) = (self.meter, self.limits, self.started);
        move |pace, expansions| {
            if !pace.spend(expansions) {
                return false;
            }
            let now = meter.elapsed();
            pace.looked(now);
            out_of_time(meter, limits, started, now).is_some()
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.meter.elapsed().saturating_sub(self.started)
    }
}

fn out_of_time(
    meter: &dyn Meter,
    limits: &Limits,
    started: Duration,
    now: Duration,
) -> Option<StoppedBy> {
    if meter.interrupted() {
        return Some(StoppedBy::Interrupt);
    }
    let time_max = limits.time_max?;
    (now.saturating_sub(started) >= time_max).then_some(StoppedBy::Time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock that moves on by itself at every look.
    struct Ticking {
        micros: AtomicU64,
        step: u64,
    }

    impl Meter for Ticking {
        fn elapsed(&self) -> Duration {
            Duration::from_micros(self.micros.fetch_add(self.step, Ordering::Relaxed))
        }
    }

    fn expansions_until_stopped(micros_per_look: u64, time_max_ms: u64) -> u64 {
        let meter = Ticking { micros: AtomicU64::new(0), step: micros_per_look };
        let limits =
            Limits { time_max: Some(Duration::from_millis(time_max_ms)), ..Limits::none() };
        let mut budget = Budget::new(&meter, &limits);
        let mut expansions = 0;
        loop {
            let n = budget.allowance();
            expansions += n as u64;
            if let Some(stopped_by) = budget.spend(n, || 0) {
                assert_eq!(stopped_by, StoppedBy::Time);
                return expansions;
            }
        }
    }

    #[test]
    fn slow_expansions_are_looked_at_one_by_one() {
        assert_eq!(expansions_until_stopped(50_000, 1_000), 20);
    }

    #[test]
    fn fast_expansions_are_looked_at_in_groups() {
        assert!(expansions_until_stopped(100, 1_000) > 100_000);
    }

    #[test]
    fn memory_is_noticed_without_a_clock() {
        let limits = Limits { memory_max: Some(10), ..Limits::none() };
        let mut budget = Budget::new(&crate::NoMeter, &limits);
        let stopped = (0..100_000).find_map(|_| budget.spend(1, || 11));
        assert_eq!(stopped, Some(StoppedBy::Memory));
    }
}
