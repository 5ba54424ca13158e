//! Hunts as processes of their own, two at a time.
//! A hunt that dies leaves the input that killed it; it is kept, and the hunt goes on with another seed until its time is over.

use crate::hunt::{current_file, keep, used_file};
use crate::targets::Target;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// What is to be hunted, and for how long each.
pub struct Order {
    pub targets: Vec<&'static Target>,
    pub minutes: f64,
    pub seed: u64,
}

/// The memory that a hunt may map, in kB.
const MAPPED_MAX: u64 = 4_000_000;
/// Hunts that run at the same time.
const WORKERS: usize = 2;

/// Runs all of it; whether nothing was found.
pub fn supervise(order: &Order) -> bool {
    let due = Mutex::new(order.targets.iter());
    let found = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let next = due.lock().expect("nobody panics").next();
                    let Some(target) = next else { return };
                    *found.lock().expect("nobody panics") += run(target, order);
                }
            });
        }
    });
    let found = found.into_inner().expect("nobody panics");
    found == 0
}

/// One target for its time; how often it died or panicked.
fn run(target: &Target, order: &Order) -> u64 {
    let mut left = Duration::from_secs_f64(order.minutes * 60.0);
    let (mut n_found, mut seed) = (0, order.seed);
    while !left.is_zero() {
        let program = std::env::current_exe().expect("this program has a file");
        // A hunt that ends before its first input has found nothing.
        for file in [current_file(target.name), used_file(target.name)] {
            let _ = std::fs::remove_file(file);
        }
        let script = format!("ulimit -v {MAPPED_MAX}; exec \"$0\" \"$@\"");
        let status = Command::new("sh")
            .args(["-c", &script])
            .arg(program)
            .args(["--hunt", target.name, &seed.to_string(), &left.as_millis().to_string()])
            .stderr(Stdio::null())
            .status()
            .expect("a shell starts");
        match status.code() {
            Some(0) => break,
            Some(1) => {
                n_found += 1;
                break;
            }
            // What a shell says of a program that it cannot start.
            Some(code @ (126 | 127)) => {
                println!("{}: the hunt could not be started (exit code {code})", target.name);
                n_found += 1;
                break;
            }
            _ => {
                n_found += 1;
                println!("{}: the hunt ended with {status}", target.name);
                match std::fs::read(current_file(target.name)) {
                    Ok(input) => _ = keep(target.name, &input),
                    Err(_) => println!("{}: it ended before its first input", target.name),
                }
                seed = seed.wrapping_add(1_000_003);
                left = left.saturating_sub(used(target));
            }
        }
        if n_found > 20 {
            println!("{}: enough for now", target.name);
            break;
        }
    }
    n_found
}

/// Processor time of the hunt that has just ended; a second at the least, so that hunts that end at once come to an end, too.
fn used(target: &Target) -> Duration {
    let text = std::fs::read_to_string(used_file(target.name)).unwrap_or_default();
    Duration::from_millis(text.parse().unwrap_or(0)).max(Duration::from_secs(1))
}
