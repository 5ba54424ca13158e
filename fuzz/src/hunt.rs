//! A hunt: one target, many inputs, each watched.
//! A panic is caught and the input kept. What cannot be caught (a stack overflow, no more memory) ends the process: the input
//! at hand is always in a file before it is tried, for whoever started the process. A watcher thread ends it likewise when an
//! input takes too long or the process has become too large.

use crate::corpus::{corpus, folder, regressions};
use crate::mutate::Mutator;
use crate::targets::Target;
use foresee_stdx::stable_hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// An input that takes more processor time than this is a finding; on a busy machine it may take much longer.
const INPUT_MAX: Duration = Duration::from_secs(10);
/// A process that holds more than this is a finding: no input is longer than 60 kB.
const RESIDENT_MAX: u64 = 1 << 30;

/// What a hunt is to do.
pub struct Hunt {
    pub target: &'static Target,
    pub seed: u64,
    /// Processor time: on a busy machine a hunt lasts longer.
    pub duration: Duration,
}

/// Runs until the time is over; the number of inputs tried, and of those that panicked.
pub fn hunt(hunt: &Hunt) -> (u64, u64) {
    let target = hunt.target;
    let mut inputs = corpus(target.name);
    inputs.extend(regressions(target.name));
    let mut mutator = Mutator::new(&inputs, hunt.seed);
    let (begin, started) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    watch(target.name, begin, Arc::clone(&started));
    let (mut n_tried, mut n_found) = (0, 0);
    let current = current_file(target.name);
    let mut next = inputs.into_iter();
    while u128::from(used(begin)) < hunt.duration.as_millis() {
        let input = next.next().unwrap_or_else(|| mutator.next_input());
        std::fs::write(&current, &input).expect("the state folder can be written");
        started.store(used(begin) + 1, Ordering::Relaxed);
        let is_fine = catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_ok();
        started.store(0, Ordering::Relaxed);
        n_tried += 1;
        if !is_fine {
            n_found += 1;
            keep(target.name, &input);
        }
    }
    (n_tried, n_found)
}

/// Ends the process when an input takes too long, or when it has taken too much memory; notes the time it has used.
fn watch(target: &'static str, begin: Instant, started: Arc<AtomicU64>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let _ = std::fs::write(used_file(target), used(begin).to_string());
            let since = started.load(Ordering::Relaxed);
            if since > 0 && used(begin).saturating_sub(since) > INPUT_MAX.as_millis() as u64 {
                eprintln!("an input takes longer than {} s", INPUT_MAX.as_secs());
                std::process::exit(101);
            }
            if resident() > RESIDENT_MAX {
                eprintln!("an input takes more than {} MiB", RESIDENT_MAX >> 20);
                std::process::exit(102);
            }
        }
    });
}

/// Milliseconds of processor time that this process has used; of the clock, where that cannot be known.
fn used(begin: Instant) -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = text.rsplit_once(')').and_then(|(_, rest)| {
        let mut words = rest.split_whitespace().skip(11);
        Some(words.next()?.parse::<u64>().ok()? + words.next()?.parse::<u64>().ok()?)
    });
    // A tick is a hundredth of a second on every Linux.
    ticks.map_or(begin.elapsed().as_millis() as u64, |ticks| ticks * 10)
}

/// Bytes of this process in memory; 0 where that cannot be known.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Where the input at hand stands while it is tried.
pub(crate) fn current_file(target: &str) -> PathBuf {
    state_file(target, "current")
}

/// Where the milliseconds of processor time stand that the hunt at hand has used.
pub(crate) fn used_file(target: &str) -> PathBuf {
    state_file(target, "used")
}

fn state_file(target: &str, what: &str) -> PathBuf {
    let folder = folder("../target/fuzz");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder.join(format!("{target}.{what}"))
}

/// Keeps an input that found something.
pub(crate) fn keep(target: &str, input: &[u8]) -> PathBuf {
    let folder = folder("regressions").join(target);
    std::fs::create_dir_all(&folder).expect("the folder of regressions can be written");
    let file = folder.join(format!("{:016x}", stable_hash(input)));
    std::fs::write(&file, input).expect("the input can be kept");
    println!("{target}: found something, kept as {}", file.display());
    file
}
