//! The clock, the memory and Ctrl-C: what the engines may not read themselves.
//! The first Ctrl-C asks the work to stop and report what is known; the second ends the process at once.

use foresee_session::Meter;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

/// The real world, since the moment it was made.
pub(crate) struct RealMeter {
    start: Instant,
}

impl RealMeter {
    pub(crate) fn start() -> Self {
        RealMeter { start: Instant::now() }
    }
}

impl Meter for RealMeter {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn memory_bytes(&self) -> Option<u64> {
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        let resident: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
        Some(resident * page_bytes())
    }

    fn interrupted(&self) -> bool {
        INTERRUPTS.load(Ordering::Relaxed) > 0
    }
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
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// Starts listening for Ctrl-C. Without it (a second call, no signals) Ctrl-C ends the process as usual.
pub(crate) fn listen_for_interrupt() {
    let handler = || {
        if INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
        anstream::eprintln!("\nstopping; once more to stop at once");
    };
    let _ = ctrlc::set_handler(handler);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_known_and_never_above_its_peak() {
        let now = RealMeter::start().memory_bytes().expect("Linux tells");
        let peak = peak_memory_bytes().expect("Linux tells");
        assert!(now > 100_000 && now <= peak + (64 << 20), "{now} {peak}");
    }
}
