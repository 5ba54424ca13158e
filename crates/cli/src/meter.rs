//! The clock, the memory and Ctrl-C: what the engines may not read themselves.
//! Limits strike twice. First a flag goes up, which everything that takes long looks at (`foresee_stdx::halt`); the work
//! ends there and what is known is told as usual. What does not look, a handler of the user's that never returns, is not
//! waited for: a while later the process says what is known so far and ends (`last_words`).
//! Ctrl-C and SIGTERM are such limits too. The second one ends the process at once.

use crate::last_words;
use foresee_session::{Cause, Limits, Meter, Probe};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
/// What is done is being written to disk, which is waited for.
static SAVING: AtomicBool = AtomicBool::new(false);
/// Something is served, and the next signal ends only that.
static SERVING: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// How long the work may take to end once a limit has struck.
const GRACE: Duration = Duration::from_millis(700);
/// The same when something wrong was found, which is then to be shown.
const GRACE_FOR_EVIDENCE: Duration = Duration::from_secs(5);
/// Memory beyond the limit, in parts of it, that ends the process without waiting: one in this many.
const EXCESS_PARTS: u64 = 16;
/// Whoever takes memory takes no more than so many bytes in a millisecond, about.
const BYTES_PER_MS: u64 = 2 << 20;
const LOOK_EVERY_MIN: Duration = Duration::from_millis(2);
const LOOK_EVERY_MAX: Duration = Duration::from_millis(50);

/// The real world, since the moment it was made.
pub(crate) struct RealMeter {
    gauge: Arc<Gauge>,
}

/// What is watched, by the one that watches and by those that look.
struct Gauge {
    start: Instant,
    time_max: Option<Duration>,
    memory_max: Option<u64>,
    memory_at_start: u64,
    /// The cause that has struck, as a number from 1.
    struck: AtomicU8,
    is_over: AtomicBool,
    /// Time that has run out only raises the flag.
    is_patient: bool,
}

impl RealMeter {
    /// Begins to watch the limits on time and memory.
    pub(crate) fn start(limits: &Limits) -> Self {
        RealMeter::watching(limits, false)
    }

    /// The same for one of many: time that has run out ends the one, however long it takes to notice, and never the others with it.
    pub(crate) fn start_one_of_many(limits: &Limits) -> Self {
        RealMeter::watching(limits, true)
    }

    fn watching(limits: &Limits, is_patient: bool) -> Self {
        let gauge = Arc::new(Gauge {
            start: Instant::now(),
            time_max: limits.time_max,
            memory_max: limits.memory_max,
            memory_at_start: limits.memory_max.and_then(|_| memory_bytes()).unwrap_or(0),
            struck: AtomicU8::new(0),
            is_over: AtomicBool::new(false),
            is_patient,
        });
        if limits.time_max.is_some() || limits.memory_max.is_some() {
            let watched = Arc::clone(&gauge);
            std::thread::spawn(move || watched.watch());
        }
        RealMeter { gauge }
    }
}

impl Drop for RealMeter {
    fn drop(&mut self) {
        self.gauge.is_over.store(true, Ordering::Relaxed);
    }
}

impl Meter for RealMeter {
    fn elapsed(&self) -> Duration {
        self.gauge.start.elapsed()
    }

    fn memory_bytes(&self) -> Option<u64> {
        memory_bytes()
    }

    fn interrupted(&self) -> bool {
        is_interrupted() || crate::out::has_failed()
    }

    fn saving(&self, is_saving: bool) {
        SAVING.store(is_saving, Ordering::Relaxed);
    }

    fn probe(&self) -> Option<Arc<dyn Probe>> {
        Some(Arc::<Gauge>::clone(&self.gauge))
    }
}

impl Probe for Gauge {
    fn struck(&self) -> Option<Cause> {
        match self.struck.load(Ordering::Relaxed) {
            0 if is_interrupted() => Some(Cause::Interrupt),
            0 => None,
            1 => Some(Cause::Time),
            _ => Some(Cause::Memory),
        }
    }

    fn grants(&self, bytes: u64) -> bool {
        match (self.memory_max, memory_bytes()) {
            (Some(max), Some(used)) => used.saturating_add(bytes) <= max,
            // What the machine does not have nobody can be given.
            _ if bytes > AVAILABLE_ASKED_MIN => available_bytes().is_none_or(|it| bytes <= it),
            _ => true,
        }
    }

    fn limits_time(&self) -> bool {
        self.time_max.is_some()
    }

    fn limits_memory(&self) -> bool {
        self.memory_max.is_some()
    }
}

/// The excess that is nothing beside what an allocator takes at a time.
const EXCESS_BYTES: u64 = 12 << 20;
const AVAILABLE_ASKED_MIN: u64 = 64 << 20;

impl Gauge {
    /// Raises the flag when a limit is reached, and ends the process when nobody heeds it.
    fn watch(&self) {
        let (cause, number) = loop {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            match self.reached() {
                Ok(wait) => std::thread::sleep(wait),
                Err(Cause::Time) => break (Cause::Time, 1),
                Err(_) => break (Cause::Memory, 2),
            }
        };
        self.struck.store(number, Ordering::Relaxed);
        let since = Instant::now();
        let is_waited_for = self.is_patient && cause == Cause::Time;
        while (is_waited_for || since.elapsed() < grace()) && !self.has_excess() {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            std::thread::sleep(LOOK_EVERY_MIN);
        }
        last_words::speak(cause);
    }

    /// The limit that is reached, or how long to wait until the next look.
    fn reached(&self) -> Result<Duration, Cause> {
        let mut wait = LOOK_EVERY_MAX;
        if let Some(max) = self.time_max {
            let left = max.saturating_sub(self.start.elapsed());
            if left.is_zero() {
                return Err(Cause::Time);
            }
            wait = wait.min(left);
        }
        if let (Some(max), Some(used)) = (self.memory_max, memory_bytes()) {
            if used > max {
                return Err(Cause::Memory);
            }
            let millis = (max - used) / BYTES_PER_MS / 2;
            wait = wait.min(Duration::from_millis(millis).max(LOOK_EVERY_MIN));
        }
        Ok(wait)
    }

    /// Whether so much more than the limit is taken that nobody can be waited for. A limit below what the process begins with
    /// is struck at once, and the engine has to have the time to say so.
    fn has_excess(&self) -> bool {
        let excess = |max: u64| {
            let max = max.max(self.memory_at_start);
            memory_bytes().is_some_and(|used| used > max + max / EXCESS_PARTS + EXCESS_BYTES)
        };
        self.memory_max.is_some_and(excess)
    }
}

fn grace() -> Duration {
    match (SAVING.load(Ordering::Relaxed), last_words::has_violation()) {
        (true, _) => Duration::MAX,
        (false, true) => GRACE_FOR_EVIDENCE,
        (false, false) => GRACE,
    }
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTS.load(Ordering::Relaxed) > 0
}

/// The bytes that the process holds.
pub fn memory_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let resident: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(resident * page_bytes())
}

/// `/proc/self/statm` counts pages; the auxiliary vector (pairs of words, key 6) says how large they are.
fn page_bytes() -> u64 {
    static PAGE_BYTES: OnceLock<u64> = OnceLock::new();
    *PAGE_BYTES.get_or_init(|| {
        let vector = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let word = |bytes: &[u8]| usize::from_ne_bytes(bytes.try_into().expect("one word"));
        let size = size_of::<usize>();
        let mut pairs = vector.chunks_exact(2 * size).map(|pair| pair.split_at(size));
        let page = pairs.find(|(key, _)| word(key) == 6).map(|(_, value)| word(value) as u64);
        page.unwrap_or(4096)
    })
}

/// The most memory the process has had, where the system tells.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:")
}

/// What the machine could still give.
fn available_bytes() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemAvailable:")
}

fn kibibytes(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// Starts listening for Ctrl-C and SIGTERM. Without it (a second call, no signals) they end the process as usual.
pub(crate) fn listen_for_interrupt() {
    let handler = || {
        if let Some(stop) = SERVING.get()
            && !stop.swap(true, Ordering::Relaxed)
        {
            return;
        }
        if INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
        if crate::cluster::member().is_none() {
            anstream::eprintln!("\nstopping; once more to stop at once");
        }
        std::thread::spawn(|| {
            let since = Instant::now();
            while since.elapsed() < grace() {
                std::thread::sleep(LOOK_EVERY_MAX);
            }
            last_words::speak(Cause::Interrupt);
        });
    };
    let _ = ctrlc::set_handler(handler);
}

/// From now on the next Ctrl-C or SIGTERM raises the flag that is returned, and does nothing else.
pub(crate) fn until_interrupted() -> Arc<AtomicBool> {
    Arc::clone(SERVING.get_or_init(Arc::default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_known_and_never_above_its_peak() {
        let now = RealMeter::start(&Limits::none()).memory_bytes().expect("Linux tells");
        let peak = peak_memory_bytes().expect("Linux tells");
        assert!(now > 100_000 && now <= peak + (64 << 20), "{now} {peak}");
    }

    #[test]
    fn a_limit_on_time_raises_the_flag() {
        let limits = Limits { time_max: Some(Duration::from_millis(20)), ..Limits::none() };
        let meter = RealMeter::start(&limits);
        let probe = meter.probe().expect("there is always one");
        while probe.struck().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(probe.struck(), Some(Cause::Time));
        assert!(meter.elapsed() >= Duration::from_millis(20) && probe.limits_time());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_beyond_the_limit_is_not_granted() {
        let limits = Limits { memory_max: Some(1 << 30), ..Limits::none() };
        let probe = RealMeter::start(&limits).probe().expect("there is always one");
        assert!(probe.grants(1 << 20) && !probe.grants(1 << 30) && !probe.limits_time());
        let unlimited = RealMeter::start(&Limits::none()).probe().expect("there is always one");
        assert!(unlimited.grants(1 << 20) && !unlimited.grants(1 << 60));
    }
}
