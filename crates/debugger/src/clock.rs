//! The clock and the flag that end what takes long: a deadline, a cancelled request, the end of the server.

use crate::hub::locked;
use foresee_session::{Cause, Meter, Probe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Raised to end a piece of work.
pub(crate) type Flag = Arc<AtomicBool>;

/// The time a piece of work has, and whether it is still wanted.
pub(crate) struct Clock {
    watched: Arc<Watched>,
}

struct Watched {
    start: Instant,
    time_max: Option<Duration>,
    flag: Flag,
    /// The time is that of one piece of the work, and this is when the present one began.
    piece: Option<Beat>,
}

/// When something was last seen to go on.
pub(crate) type Beat = Arc<Mutex<Instant>>;

impl Clock {
    pub(crate) fn start(time_max: Option<Duration>, flag: Flag) -> Self {
        let start = Instant::now();
        Clock { watched: Arc::new(Watched { start, time_max, flag, piece: None }) }
    }

    /// Of work in many pieces, each of which has so much time. `beat` is when the present one began.
    pub(crate) fn of_pieces(time_max: Duration, beat: Beat) -> Self {
        let (start, flag) = (Instant::now(), Flag::default());
        let watched = Watched { start, time_max: Some(time_max), flag, piece: Some(beat) };
        Clock { watched: Arc::new(watched) }
    }
}

impl Watched {
    fn elapsed(&self) -> Duration {
        match &self.piece {
            Some(beat) => locked(beat).elapsed(),
            None => self.start.elapsed(),
        }
    }
}

impl Meter for Clock {
    fn elapsed(&self) -> Duration {
        self.watched.start.elapsed()
    }

    fn interrupted(&self) -> bool {
        self.watched.flag.load(Ordering::Relaxed)
    }

    fn probe(&self) -> Option<Arc<dyn Probe>> {
        Some(Arc::<Watched>::clone(&self.watched))
    }
}

impl Probe for Watched {
    fn struck(&self) -> Option<Cause> {
        if self.flag.load(Ordering::Relaxed) {
            return Some(Cause::Interrupt);
        }
        self.time_max.is_some_and(|max| self.elapsed() > max).then_some(Cause::Time)
    }

    fn grants(&self, bytes: u64) -> bool {
        bytes <= ALLOCATION_MAX
    }

    fn limits_time(&self) -> bool {
        self.time_max.is_some()
    }

    fn limits_memory(&self) -> bool {
        true
    }

    fn advanced(&self) {
        if let Some(beat) = &self.piece {
            *locked(beat) = Instant::now();
        }
    }
}

/// No single value that a system makes may be larger.
const ALLOCATION_MAX: u64 = 1 << 30;
